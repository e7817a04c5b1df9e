// Ops that cleave has no op for are made of others.
// RUN: cleave-opt %s -cleave-convert-stablehlo-to-cleave -split-input-file | FileCheck %s

// CHECK-LABEL: func.func @batch_norm
func.func @batch_norm(%x: tensor<2x3xf32>, %s: tensor<3xf32>, %o: tensor<3xf32>) -> (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>) {
  // The variance is the mean of squared deviations.
  // CHECK: %[[SUM:.*]] = cleave.reduce(%arg0 init: %{{.*}}) applies cleave.add across dimensions = [0]
  // CHECK: %[[MEAN:.*]] = cleave.divide %[[SUM]]
  // CHECK: %[[B:.*]] = cleave.broadcast_in_dim %[[MEAN]], dims = [1]
  // CHECK: %[[D:.*]] = cleave.subtract %arg0, %[[B]]
  // CHECK: %[[SQ:.*]] = cleave.multiply %[[D]], %[[D]]
  // CHECK: cleave.reduce(%[[SQ]]
  %0:3 = "stablehlo.batch_norm_training"(%x, %s, %o) <{epsilon = 1.0e-5 : f32, feature_index = 1 : i64}> : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>)
  return %0#0, %0#1, %0#2 : tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>
}

// -----

// CHECK-LABEL: func.func @select_and_scatter
func.func @select_and_scatter(%x: tensor<4xf32>, %s: tensor<2xf32>, %z: tensor<f32>) -> tensor<4xf32> {
  // CHECK: %[[R:.*]]:2 = cleave.reduce_window(%arg0, %{{.*}}) init(%arg2, %{{.*}}) {{.*}}window_dimensions = array<i64: 2>{{.*}} -> (tensor<2xf32>, tensor<2xi64>)
  // CHECK: %[[I:.*]] = cleave.reshape %[[R]]#1 : (tensor<2xi64>) -> tensor<2x1xi64>
  // CHECK: cleave.scatter(%{{.*}}) at %[[I]] with(%arg1)
  %0 = "stablehlo.select_and_scatter"(%x, %s, %z) <{window_dimensions = array<i64: 2>, window_strides = array<i64: 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<4xf32>, tensor<2xf32>, tensor<f32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// Batches and features stay dimensions of their own, which may be cut.
// CHECK-LABEL: func.func @select_and_scatter_of_images
func.func @select_and_scatter_of_images(%x: tensor<2x4x6x3xf32>, %s: tensor<2x2x3x3xf32>, %z: tensor<f32>) -> tensor<2x4x6x3xf32> {
  // CHECK: cleave.iota dim = 0 : tensor<24xi64>
  // CHECK: %[[R:.*]]:2 = cleave.reduce_window
  // CHECK: %[[I:.*]] = cleave.reshape %{{.*}} : (tensor<2x3x2x3xi64>) -> tensor<2x3x6x1xi64>
  // CHECK: %[[Y:.*]] = cleave.scatter(%{{.*}}) at %[[I]] with(%{{.*}}) {{.*}} : (tensor<2x3x24xf32>, tensor<2x3x6x1xi64>, tensor<2x3x6xf32>) -> tensor<2x3x24xf32>
  // CHECK: cleave.transpose %{{.*}}, dims = [0, 2, 3, 1] : (tensor<2x3x4x6xf32>) -> tensor<2x4x6x3xf32>
  %0 = "stablehlo.select_and_scatter"(%x, %s, %z) <{window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<2x4x6x3xf32>, tensor<2x2x3x3xf32>, tensor<f32>) -> tensor<2x4x6x3xf32>
  return %0 : tensor<2x4x6x3xf32>
}

// -----

// CHECK-LABEL: func.func @top_k
func.func @top_k(%x: tensor<2x5xf32>) -> (tensor<2x3xf32>, tensor<2x3xi32>) {
  // CHECK: %[[I:.*]] = cleave.iota dim = 1 : tensor<2x5xi32>
  // CHECK: %[[S:.*]]:2 = cleave.sort(%arg0, %[[I]]) dimension = 1
  // CHECK: cleave.slice %[[S]]#0 [0:2, 0:3]
  // CHECK: cleave.slice %[[S]]#1 [0:2, 0:3]
  %0:2 = chlo.top_k(%x, k = 3) : tensor<2x5xf32> -> (tensor<2x3xf32>, tensor<2x3xi32>)
  return %0#0, %0#1 : tensor<2x3xf32>, tensor<2x3xi32>
}

// -----

// CHECK-LABEL: func.func @chlo
func.func @chlo(%x: tensor<2x3xf32>, %y: tensor<3xf32>, %i: tensor<2xi32>) -> (tensor<2x3xf32>, tensor<2x3xi1>, tensor<2x3xi1>, tensor<2x3xf32>, tensor<2xi32>) {
  // CHECK: %[[B:.*]] = cleave.broadcast_in_dim %arg1, dims = [1]
  // CHECK: cleave.add %arg0, %[[B]]
  %0 = chlo.broadcast_add %x, %y : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  // CHECK: cleave.compare LT, %arg0
  %1 = chlo.broadcast_compare %x, %y {comparison_direction = #chlo<comparison_direction LT>} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xi1>
  // CHECK: %[[A:.*]] = cleave.abs %arg0
  // CHECK: cleave.compare EQ, %[[A]]
  %2 = chlo.is_inf %x : tensor<2x3xf32> -> tensor<2x3xi1>
  // CHECK: cleave.multiply %arg0, %arg0
  %3 = chlo.square %x : tensor<2x3xf32> -> tensor<2x3xf32>
  // CHECK: cleave.multiply {{.*}} : tensor<2xi64>
  // CHECK: cleave.shift_right_logical
  %4 = chlo.mulhi %i, %i : tensor<2xi32>, tensor<2xi32> -> tensor<2xi32>
  return %0, %1, %2, %3, %4 : tensor<2x3xf32>, tensor<2x3xi1>, tensor<2x3xi1>, tensor<2x3xf32>, tensor<2xi32>
}

// -----

// A scan is a loop over slices; in reverse it starts at the last.
// CHECK-LABEL: func.func @scan
func.func @scan(%x: tensor<2x3xi32>, %z: tensor<2xi32>) -> (tensor<2x3xi32>, tensor<2xi32>) {
  // CHECK: %[[W:.*]]:3 = cleave.while(%[[I:.*]] = %{{.*}}, %[[C:.*]] = %arg1, %[[O:.*]] = %{{.*}}) : tensor<i64>, tensor<2xi32>, tensor<2x3xi32>
  // CHECK: cleave.compare LT, %[[I]]
  // CHECK: %[[R:.*]] = cleave.subtract %{{.*}}, %[[I]]
  // CHECK: %[[S:.*]] = cleave.dynamic_slice %arg0, %{{.*}}, %[[R]], sizes = [2, 1]
  // CHECK: %[[V:.*]] = cleave.reshape %[[S]] : (tensor<2x1xi32>) -> tensor<2xi32>
  // CHECK: %[[A:.*]] = cleave.add %[[V]], %[[C]]
  // CHECK: %[[N:.*]] = cleave.add %[[I]]
  // CHECK: %[[P:.*]] = cleave.reshape %[[A]] : (tensor<2xi32>) -> tensor<2x1xi32>
  // CHECK: %[[U:.*]] = cleave.dynamic_update_slice %[[O]], %[[P]], %{{.*}}, %[[R]]
  // CHECK: cleave.return %[[N]], %[[A]], %[[U]]
  %0:2 = chlo.scan(%x) inits(%z) dimension=1 attributes {is_reverse = true} {
  ^bb0(%a: tensor<2xi32>, %b: tensor<2xi32>):
    %s = stablehlo.add %a, %b : tensor<2xi32>
    stablehlo.return %s, %s : tensor<2xi32>, tensor<2xi32>
  } : (tensor<2x3xi32>, tensor<2xi32>) -> (tensor<2x3xi32>, tensor<2xi32>)
  // CHECK: return %[[W]]#2, %[[W]]#1
  return %0#0, %0#1 : tensor<2x3xi32>, tensor<2xi32>
}

// -----

// All groups are one product, of rows that are zero where they are not in the group.
// CHECK-LABEL: func.func @ragged_dot
func.func @ragged_dot(%lhs: tensor<11x5xf32>, %rhs: tensor<3x5x7xf32>, %sizes: tensor<3xi32>) -> tensor<11x7xf32> {
  // CHECK: %[[M:.*]] = cleave.select %{{.*}} : tensor<3x11x5xi1>, tensor<3x11x5xf32>
  // CHECK: cleave.dot_general %[[M]], %arg1, contracting_dims = [2, 0] x [1, 0] : (tensor<3x11x5xf32>, tensor<3x5x7xf32>) -> tensor<11x7xf32>
  %0 = "chlo.ragged_dot"(%lhs, %rhs, %sizes) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}> : (tensor<11x5xf32>, tensor<3x5x7xf32>, tensor<3xi32>) -> tensor<11x7xf32>
  return %0 : tensor<11x7xf32>
}
