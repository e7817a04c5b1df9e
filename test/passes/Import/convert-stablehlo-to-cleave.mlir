// Elementwise ops and data movement have the same names; attributes do not.
// RUN: cleave-opt %s -cleave-convert-stablehlo-to-cleave -split-input-file | FileCheck %s

// CHECK-LABEL: func.func @elementwise
// CHECK-SAME: (%[[X:.*]]: tensor<2xf32> {cleave.donated}, %[[P:.*]]: tensor<2xi1>) -> tensor<2xf32>
func.func @elementwise(%x: tensor<2xf32> {jax.buffer_donor = true}, %p: tensor<2xi1>) -> tensor<2xf32> {
  // CHECK-NEXT: %[[E:.*]] = cleave.exponential %[[X]] : tensor<2xf32>
  %0 = stablehlo.exponential %x : tensor<2xf32>
  // CHECK-NEXT: %[[A:.*]] = cleave.add %[[E]], %[[X]] {mhlo.sharding = "{replicated}"} : tensor<2xf32>
  %1 = stablehlo.add %0, %x {mhlo.sharding = "{replicated}"} : tensor<2xf32>
  // CHECK-NEXT: %[[C:.*]] = cleave.compare LT, %[[A]], %[[X]]
  %2 = stablehlo.compare LT, %1, %x, FLOAT : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
  // CHECK-NEXT: %[[Q:.*]] = cleave.and %[[C]], %[[P]]
  %3 = stablehlo.and %2, %p : tensor<2xi1>
  // CHECK-NEXT: %[[S:.*]] = cleave.select %[[Q]], %[[A]], %[[X]] : tensor<2xi1>, tensor<2xf32>
  %4 = stablehlo.select %3, %1, %x : tensor<2xi1>, tensor<2xf32>
  // CHECK-NEXT: %[[D:.*]] = cleave.convert %[[S]] : (tensor<2xf32>) -> tensor<2xf64>
  %5 = stablehlo.convert %4 : (tensor<2xf32>) -> tensor<2xf64>
  // CHECK-NEXT: %[[F:.*]] = cleave.convert %[[D]] : (tensor<2xf64>) -> tensor<2xf32>
  %6 = stablehlo.convert %5 : (tensor<2xf64>) -> tensor<2xf32>
  // CHECK-NEXT: %[[R:.*]] = cleave.reduce_precision %[[F]], exponent_bits = 5, mantissa_bits = 10
  %7 = stablehlo.reduce_precision %6, format = e5m10 : tensor<2xf32>
  // CHECK-NEXT: %[[L:.*]] = cleave.lgamma %[[R]]
  %8 = chlo.lgamma %7 : tensor<2xf32> -> tensor<2xf32>
  // CHECK-NEXT: %[[T:.*]] = cleave.exp2 %[[L]] : tensor<2xf32>
  %9 = stablehlo.exp2 %8 {result_accuracy = #stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<HIGHEST>>} : tensor<2xf32>
  // CHECK-NEXT: %[[G:.*]] = cleave.log2 %[[T]] : tensor<2xf32>
  %10 = stablehlo.log2 %9 : tensor<2xf32>
  // CHECK-NEXT: return %[[G]]
  return %10 : tensor<2xf32>
}

// -----

// CHECK-LABEL: func.func @movement
// CHECK-SAME: (%[[M:.*]]: tensor<2x3xf32>, %[[I:.*]]: tensor<i64>)
func.func @movement(%m: tensor<2x3xf32>, %i: tensor<i64>) -> (tensor<3x2xf32>, tensor<2x1xf32>, tensor<4x6xf32>, tensor<4x3xf32>, tensor<2x3xf32>, tensor<1x2xf32>, tensor<2x3xf32>, tensor<4x2x3xf32>) {
  // CHECK: %[[Z:.*]] = cleave.constant dense<0.000000e+00> : tensor<f32>
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  // CHECK: cleave.transpose %[[M]], dims = [1, 0]
  %0 = stablehlo.transpose %m, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  // CHECK: cleave.slice %[[M]] [0:2, 1:3:2]
  %1 = stablehlo.slice %m [0:2, 1:3:2] : (tensor<2x3xf32>) -> tensor<2x1xf32>
  // CHECK: cleave.pad %[[M]], %[[Z]], low = [1, -1], high = [1, 2], interior = [0, 1]
  %2 = "stablehlo.pad"(%m, %z) {edge_padding_low = dense<[1, -1]> : tensor<2xi64>, edge_padding_high = dense<[1, 2]> : tensor<2xi64>, interior_padding = dense<[0, 1]> : tensor<2xi64>} : (tensor<2x3xf32>, tensor<f32>) -> tensor<4x6xf32>
  // CHECK: cleave.concatenate %[[M]], %[[M]], dim = 0
  %3 = stablehlo.concatenate %m, %m, dim = 0 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<4x3xf32>
  // CHECK: cleave.reverse %[[M]], dims = [1]
  %4 = stablehlo.reverse %m, dims = [1] : tensor<2x3xf32>
  // CHECK: %[[D:.*]] = cleave.dynamic_slice %[[M]], %[[I]], %[[I]], sizes = [1, 2]
  %5 = stablehlo.dynamic_slice %m, %i, %i, sizes = [1, 2] : (tensor<2x3xf32>, tensor<i64>, tensor<i64>) -> tensor<1x2xf32>
  // CHECK: cleave.dynamic_update_slice %[[M]], %[[D]], %[[I]], %[[I]]
  %6 = stablehlo.dynamic_update_slice %m, %5, %i, %i : (tensor<2x3xf32>, tensor<1x2xf32>, tensor<i64>, tensor<i64>) -> tensor<2x3xf32>
  // CHECK: cleave.broadcast_in_dim %[[M]], dims = [1, 2]
  %7 = stablehlo.broadcast %m, sizes = [4] : (tensor<2x3xf32>) -> tensor<4x2x3xf32>
  return %0, %1, %2, %3, %4, %5, %6, %7 : tensor<3x2xf32>, tensor<2x1xf32>, tensor<4x6xf32>, tensor<4x3xf32>, tensor<2x3xf32>, tensor<1x2xf32>, tensor<2x3xf32>, tensor<4x2x3xf32>
}

// -----

// CHECK-LABEL: func.func @contraction
// CHECK-SAME: (%[[A:.*]]: tensor<2x3xbf16>, %[[B:.*]]: tensor<3x4xbf16>, %[[H:.*]]: tensor<2x3xi8>)
func.func @contraction(%a: tensor<2x3xbf16>, %b: tensor<3x4xbf16>, %h: tensor<2x3xi8>) -> (tensor<2x4xf32>, tensor<2x4xbf16>, tensor<2xf32>, tensor<2x2xbf16>) {
  // CHECK: cleave.dot_general %[[A]], %[[B]], contracting_dims = [1] x [0] : (tensor<2x3xbf16>, tensor<3x4xbf16>) -> tensor<2x4xf32>
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0], precision = [HIGHEST, HIGHEST] : (tensor<2x3xbf16>, tensor<3x4xbf16>) -> tensor<2x4xf32>
  // Operands of two types are converted to the result's.
  // CHECK: %[[C:.*]] = cleave.convert %[[H]] : (tensor<2x3xi8>) -> tensor<2x3xbf16>
  // CHECK: cleave.dot_general %[[C]], %[[B]], contracting_dims = [1] x [0]
  %1 = stablehlo.dot %h, %b : (tensor<2x3xi8>, tensor<3x4xbf16>) -> tensor<2x4xbf16>
  // A result of less precision is rounded in the end.
  // CHECK: %[[P:.*]] = cleave.dot_general %[[E:.*]], %[[E]], contracting_dims = [1] x [1] : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x2xf32>
  // CHECK: cleave.convert %[[P]] : (tensor<2x2xf32>) -> tensor<2x2xbf16>
  %n = stablehlo.dot_general %0, %0, contracting_dims = [1] x [1] : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x2xbf16>
  // Accumulation in a wider type converts the operand first.
  // CHECK: %[[W:.*]] = cleave.convert %[[A]] : (tensor<2x3xbf16>) -> tensor<2x3xf32>
  // CHECK: cleave.reduce(%[[W]] init: %{{.*}}) applies cleave.add across dimensions = [1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  %z = stablehlo.constant dense<0.0> : tensor<bf16>
  %2 = "stablehlo.reduce"(%a, %z) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {dimensions = dense<1> : tensor<1xi64>} : (tensor<2x3xbf16>, tensor<bf16>) -> tensor<2xf32>
  return %0, %1, %2, %n : tensor<2x4xf32>, tensor<2x4xbf16>, tensor<2xf32>, tensor<2x2xbf16>
}

// -----

// Regions, with a constant from outside repeated in the region.
// CHECK-LABEL: func.func @regions
func.func @regions(%x: tensor<2x3xf32>, %i: tensor<2x1xi32>, %u: tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>, tensor<1x2xf32>) {
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  // CHECK: cleave.scatter(%arg0) at %arg1 with(%arg2) {index_vector_dim = 1 : i64, inserted_window_dims = array<i64: 0>, scatter_dims_to_operand_dims = array<i64: 0>, unique_indices, update_window_dims = array<i64: 1>}
  // CHECK: ^bb0(%[[A:.*]]: tensor<f32>, %[[B:.*]]: tensor<f32>):
  // CHECK: %[[ONE:.*]] = cleave.constant dense<1.000000e+00>
  // CHECK: %[[P:.*]] = cleave.multiply %[[B]], %[[ONE]]
  // CHECK: %[[S:.*]] = cleave.add %[[A]], %[[P]]
  // CHECK: cleave.return %[[S]]
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %p = stablehlo.multiply %b, %one : tensor<f32>
    %s = stablehlo.add %a, %p : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<2x3xf32>, tensor<2x1xi32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  // Total order is that of integers.
  // CHECK: cleave.sort(%arg0) dimension = 1
  // CHECK: ^bb0(%[[L:.*]]: tensor<f32>, %[[R:.*]]: tensor<f32>):
  // CHECK: cleave.bitcast_convert %[[L]] : (tensor<f32>) -> tensor<i32>
  // CHECK: cleave.compare LT, {{.*}} : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %1 = "stablehlo.sort"(%x) <{is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.compare LT, %a, %b, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %s : tensor<i1>
  }) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: cleave.reduce_window(%arg0) init(%{{.*}}) {base_dilations = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 1>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 1, 2>}
  // CHECK: cleave.maximum
  %2 = "stablehlo.reduce_window"(%x, %one) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 1, 2>, padding = dense<[[0, 0], [0, 1]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<2x3xf32>, tensor<f32>) -> tensor<1x2xf32>
  return %0, %1, %2 : tensor<2x3xf32>, tensor<2x3xf32>, tensor<1x2xf32>
}

// -----

// CHECK-LABEL: func.func @convolution
func.func @convolution(%x: tensor<1x8x8x3xf32>, %w: tensor<3x3x3x16xf32>) -> tensor<1x4x6x16xf32> {
  // CHECK: cleave.convolution %arg0, %arg1 {batch_group_count = 1 : i64, feature_group_count = 1 : i64, input_batch_dimension = 0 : i64, input_feature_dimension = 3 : i64, input_spatial_dimensions = array<i64: 1, 2>, kernel_input_feature_dimension = 2 : i64, kernel_output_feature_dimension = 3 : i64, kernel_spatial_dimensions = array<i64: 0, 1>, lhs_dilation = array<i64: 1, 1>, output_batch_dimension = 0 : i64, output_feature_dimension = 3 : i64, output_spatial_dimensions = array<i64: 1, 2>, padding = array<i64: 0, 1, 0, 0>, rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, true>, window_strides = array<i64: 2, 1>}
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 1], pad = [[0, 1], [0, 0]], reverse = [0, 1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x8x8x3xf32>, tensor<3x3x3x16xf32>) -> tensor<1x4x6x16xf32>
  return %0 : tensor<1x4x6x16xf32>
}

// -----

// A module without StableHLO stays as it is.
// CHECK-LABEL: func.func @plain
func.func @plain(%x: tensor<2xf32>) -> tensor<2xf32> {
  // CHECK: call @callee
  %0 = call @callee(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
func.func private @callee(%x: tensor<2xf32>) -> tensor<2xf32> {
  return %x : tensor<2xf32>
}
