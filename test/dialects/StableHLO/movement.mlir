// Sources, shapes and data movement.
// RUN: cleave-opt %s | FileCheck %s
// RUN: cleave-opt %s | cleave-opt | FileCheck %s

// CHECK-LABEL: func.func @sources
func.func @sources() {
  // CHECK: "stablehlo.constant"() <{value = dense<[1, 2]> : tensor<2xi32>}> : () -> tensor<2xi32>
  %0 = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  // CHECK: "stablehlo.constant"() <{value = dense<5.000000e-01> : tensor<f32>}> {mhlo.sharding = "{replicated}"}
  %1 = stablehlo.constant {mhlo.sharding = "{replicated}"} dense<0.5> : tensor<f32>
  // CHECK: value = dense<(1.000000e+00,2.000000e+00)> : tensor<1xcomplex<f32>>
  %2 = stablehlo.constant dense<[(1.0, 2.0)]> : tensor<1xcomplex<f32>>
  // CHECK: value = dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
  %3 = stablehlo.constant dense<"0x0000803F00000040"> : tensor<2xf32>
  // A byte for each bool, or a bit.
  // CHECK: value = dense<[true, false, true]> : tensor<3xi1>
  %4 = stablehlo.constant dense<"0x010001"> : tensor<3xi1>
  // CHECK: value = dense<[true, false, true]> : tensor<3xi1>
  %5 = stablehlo.constant dense<"0x05"> : tensor<3xi1>
  // CHECK: value = dense_resource<weight> : tensor<2xf32>
  %6 = stablehlo.constant dense_resource<weight> : tensor<2xf32>
  // CHECK: "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<2x3xi32>
  %7 = stablehlo.iota dim = 1 : tensor<2x3xi32>
  // CHECK: "chlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
  %8 = chlo.constant dense<1> : tensor<i32>
  return
}

// CHECK-LABEL: func.func @moves
func.func @moves(%m: tensor<2x3xf32>, %s: tensor<f32>, %i: tensor<i64>) {
  // CHECK: <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x3xf32>
  %0 = stablehlo.broadcast_in_dim %s, dims = [] : (tensor<f32>) -> tensor<2x3xf32>
  // CHECK: <{permutation = array<i64: 1, 0>}>
  %1 = stablehlo.transpose %m, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  // CHECK: <{limit_indices = array<i64: 2, 3>, start_indices = array<i64: 0, 1>, strides = array<i64: 1, 2>}>
  %2 = stablehlo.slice %m [0:2, 1:3:2] : (tensor<2x3xf32>) -> tensor<2x1xf32>
  // CHECK: <{limit_indices = dense<[2, 3]> : tensor<2xi64>, start_indices = dense<0> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}>
  %3 = "stablehlo.slice"(%m) {start_indices = dense<0> : tensor<2xi64>, limit_indices = dense<[2, 3]> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: <{edge_padding_high = array<i64: 0, 2>, edge_padding_low = array<i64: 1, -1>, interior_padding = array<i64: 0, 1>}>
  %4 = stablehlo.pad %m, %s, low = [1, -1], high = [0, 2], interior = [0, 1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<3x6xf32>
  // CHECK: "stablehlo.concatenate"(%arg0, %arg0) <{dimension = 0 : i64}>
  %5 = stablehlo.concatenate %m, %m, dim = 0 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<4x3xf32>
  // CHECK: <{dimensions = array<i64: 0, 1>}>
  %6 = stablehlo.reverse %m, dims = [0, 1] : tensor<2x3xf32>
  // CHECK: "stablehlo.dynamic_slice"(%arg0, %arg2, %arg2) <{slice_sizes = array<i64: 1, 2>}>
  %7 = stablehlo.dynamic_slice %m, %i, %i, sizes = [1, 2] : (tensor<2x3xf32>, tensor<i64>, tensor<i64>) -> tensor<1x2xf32>
  // CHECK: "stablehlo.dynamic_slice"(%arg1) <{slice_sizes = array<i64>}>
  %8 = stablehlo.dynamic_slice %s, sizes = [] : (tensor<f32>) -> tensor<f32>
  // CHECK: "stablehlo.dynamic_update_slice"(%arg0, %{{.*}}, %arg2, %arg2)
  %9 = stablehlo.dynamic_update_slice %m, %7, %i, %i : (tensor<2x3xf32>, tensor<1x2xf32>, tensor<i64>, tensor<i64>) -> tensor<2x3xf32>
  // CHECK: "stablehlo.reshape"(%arg0) : (tensor<2x3xf32>) -> tensor<6xf32>
  %10 = stablehlo.reshape %m : (tensor<2x3xf32>) -> tensor<6xf32>
  return
}

// CHECK-LABEL: func.func @indexed
func.func @indexed(%m: tensor<3x4xf32>, %i: tensor<2x1xi64>, %u: tensor<2x4xf32>) {
  // CHECK: dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], index_vector_dim = 1 : i64, offset_dims = [1], start_index_map = [0]>, indices_are_sorted = false, slice_sizes = array<i64: 1, 4>
  %0 = "stablehlo.gather"(%m, %i) {
    dimension_numbers = #stablehlo.gather<
      offset_dims = [1],
      collapsed_slice_dims = [0],
      start_index_map = [0],
      index_vector_dim = 1>,
    slice_sizes = array<i64: 1, 4>,
    indices_are_sorted = false
  } : (tensor<3x4xf32>, tensor<2x1xi64>) -> tensor<2x4xf32>
  // CHECK: scatter_dimension_numbers = #stablehlo.scatter<index_vector_dim = 1 : i64, inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], update_window_dims = [1]>, unique_indices = true
  %1 = "stablehlo.scatter"(%m, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %b : tensor<f32>
  }) : (tensor<3x4xf32>, tensor<2x1xi64>, tensor<2x4xf32>) -> tensor<3x4xf32>
  return
}

// CHECK-LABEL: func.func @shapes_as_values
func.func @shapes_as_values(%m: tensor<2x3xf32>, %s: tensor<f32>, %v: tensor<2xi64>, %n: tensor<i32>) {
  // CHECK: "stablehlo.dynamic_broadcast_in_dim"(%arg0, %arg2) <{broadcast_dimensions = array<i64: 0, 1>, known_expanding_dimensions = array<i64: 0>}>
  %0 = stablehlo.dynamic_broadcast_in_dim %m, %v, dims = [0, 1] {known_expanding_dimensions = array<i64: 0>} : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  // CHECK: "stablehlo.dynamic_iota"(%arg2) <{iota_dimension = 0 : i64}>
  %1 = stablehlo.dynamic_iota %v, dim = 0 : (tensor<2xi64>) -> tensor<?x?xf32>
  // CHECK: "stablehlo.dynamic_pad"
  %2 = stablehlo.dynamic_pad %m, %s, %v, %v, %v : (tensor<2x3xf32>, tensor<f32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<?x?xf32>
  // CHECK: "stablehlo.dynamic_reshape"
  %3 = stablehlo.dynamic_reshape %m, %v : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<3x2xf32>
  // CHECK: "stablehlo.real_dynamic_slice"
  %4 = stablehlo.real_dynamic_slice %m, %v, %v, %v : (tensor<2x3xf32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<?x?xf32>
  // CHECK: "stablehlo.get_dimension_size"(%arg0) <{dimension = 1 : i64}>
  %5 = stablehlo.get_dimension_size %m, dim = 1 : (tensor<2x3xf32>) -> tensor<i32>
  // CHECK: "stablehlo.set_dimension_size"(%arg0, %arg3) <{dimension = 1 : i64}>
  %6 = stablehlo.set_dimension_size %m, %n, dim = 1 : (tensor<2x3xf32>, tensor<i32>) -> tensor<2x?xf32, #stablehlo.bounds<?, 3>>
  return
}

{-#
  dialect_resources: {
    builtin: {
      weight: "0x040000000000803F00000040"
    }
  }
#-}
