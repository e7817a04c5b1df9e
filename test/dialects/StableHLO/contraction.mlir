// Products, reductions, windows, sorting, linear algebra, random numbers.
// RUN: cleave-opt %s | FileCheck %s
// RUN: cleave-opt %s | cleave-opt | FileCheck %s

// CHECK-LABEL: func.func @products
func.func @products(%a: tensor<2x3x4xf32>, %b: tensor<2x4x5xf32>, %m: tensor<3x4xf32>, %n: tensor<4x5xf32>) {
  // CHECK: <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_batching_dimensions = [0], rhs_contracting_dimensions = [1]>}>
  %0 = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  // CHECK: precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision HIGHEST>]
  %1 = stablehlo.dot_general %m, %n, contracting_dims = [1] x [0], precision = [DEFAULT, HIGHEST] : (tensor<3x4xf32>, tensor<4x5xf32>) -> tensor<3x5xf32>
  // CHECK: algorithm = #stablehlo.dot_algorithm<accumulation_type = f32, allow_imprecise_accumulation = false, lhs_component_count = 1 : i64, lhs_precision_type = tf32,
  %2 = stablehlo.dot_general %m, %n, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT], algorithm = <lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<3x4xf32>, tensor<4x5xf32>) -> tensor<3x5xf32>
  // CHECK: "stablehlo.dot"(%arg2, %arg3) <{precision_config = []}>
  %3 = stablehlo.dot %m, %n, precision = [] : (tensor<3x4xf32>, tensor<4x5xf32>) -> tensor<3x5xf32>
  // CHECK: "stablehlo.einsum"(%arg2, %arg3) <{einsum_config = "ab,bc->ac"}>
  %4 = stablehlo.einsum %m, %n, config = "ab,bc->ac" : (tensor<3x4xf32>, tensor<4x5xf32>) -> tensor<3x5xf32>
  return
}

// CHECK-LABEL: func.func @convolutions
func.func @convolutions(%x: tensor<1x8x8x3xf32>, %w: tensor<3x3x3x16xf32>) {
  // CHECK: <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0 : i64, input_feature_dimension = 3 : i64, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2 : i64, kernel_output_feature_dimension = 3 : i64, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0 : i64, output_feature_dimension = 3 : i64, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64}>
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x8x8x3xf32>, tensor<3x3x3x16xf32>) -> tensor<1x6x6x16xf32>
  // CHECK: lhs_dilation = array<i64: 1, 1>, padding = dense<{{\[\[}}1, 2], [3, 4]]> : tensor<2x2xi64>, precision_config = {{.*}}, rhs_dilation = array<i64: 2, 2>, window_reversal = array<i1: true, false>, window_strides = array<i64: 2, 1>
  %1 = stablehlo.convolution(%x, %w) dim_numbers = [b, 1, 0, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 1], pad = [[1, 2], [3, 4]], lhs_dilate = [1, 1], rhs_dilate = [2, 2], reverse = [true, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x8x8x3xf32>, tensor<3x3x3x16xf32>) -> tensor<1x?x?x16xf32>
  // CHECK: dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0 : i64, input_feature_dimension = 3 : i64, input_spatial_dimensions = [1, 2],
  %2 = "stablehlo.convolution"(%x, %w) {dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<1x8x8x3xf32>, tensor<3x3x3x16xf32>) -> tensor<1x6x6x16xf32>
  return
}

// CHECK-LABEL: func.func @reductions
func.func @reductions(%x: tensor<2x3xf32>, %i: tensor<2x3xi32>, %z: tensor<f32>, %zi: tensor<i32>) {
  // CHECK: "stablehlo.reduce"(%arg0, %arg2) <{dimensions = array<i64: 0>}> ({
  // CHECK: "stablehlo.add"(%{{.*}}, %{{.*}}) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %0 = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [0] : (tensor<2x3xf32>, tensor<f32>) -> tensor<3xf32>
  // CHECK: "stablehlo.reduce"(%arg0, %arg1, %arg2, %arg3)
  // CHECK-NEXT: ^bb0(%{{.*}}: tensor<f32>, %{{.*}}: tensor<i32>, %{{.*}}: tensor<f32>, %{{.*}}: tensor<i32>):
  %1:2 = stablehlo.reduce(%x init: %z), (%i init: %zi) across dimensions = [1] : (tensor<2x3xf32>, tensor<2x3xi32>, tensor<f32>, tensor<i32>) -> (tensor<2xf32>, tensor<2xi32>)
    reducer(%a: tensor<f32>, %b: tensor<f32>) (%c: tensor<i32>, %d: tensor<i32>)  {
    stablehlo.return %b, %d : tensor<f32>, tensor<i32>
  }
  // CHECK: "stablehlo.reduce_window"(%arg0, %arg2) <{padding = dense<0> : tensor<2x2xi64>, window_dimensions = array<i64: 2, 1>}>
  %2 = "stablehlo.reduce_window"(%x, %z) <{window_dimensions = array<i64: 2, 1>, padding = dense<0> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<2x3xf32>, tensor<f32>) -> tensor<1x3xf32>
  // CHECK: "stablehlo.sort"(%arg0) <{dimension = 1 : i64, is_stable = true}>
  %3 = "stablehlo.sort"(%x) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.compare LT, %a, %b, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %s : tensor<i1>
  }) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: %{{.*}}, %{{.*}} = "chlo.top_k"(%arg0) <{k = 2 : i64}>
  %4:2 = chlo.top_k(%x, k = 2) : tensor<2x3xf32> -> (tensor<2x2xf32>, tensor<2x2xi32>)
  return
}

// CHECK-LABEL: func.func @library
func.func @library(%a: tensor<3x3xf32>, %c: tensor<4xcomplex<f32>>, %k: tensor<2xui64>, %s: tensor<f32>, %n: tensor<2xi64>) {
  // CHECK: "stablehlo.cholesky"(%arg0) <{lower = true}>
  %0 = stablehlo.cholesky %a, lower = true : tensor<3x3xf32>
  // CHECK: "stablehlo.cholesky"(%arg0) : (tensor<3x3xf32>) -> tensor<3x3xf32>
  %1 = stablehlo.cholesky %a : tensor<3x3xf32>
  // CHECK: transpose_a = #stablehlo<transpose ADJOINT>
  %2 = "stablehlo.triangular_solve"(%a, %a) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose ADJOINT>} : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
  // CHECK: <{fft_length = array<i64: 4>, fft_type = #stablehlo<fft_type IFFT>}>
  %3 = stablehlo.fft %c, type = IFFT, length = [4] : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  // CHECK: <{rng_algorithm = #stablehlo<rng_algorithm THREE_FRY>}> : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4xui32>)
  %4, %5 = stablehlo.rng_bit_generator %k, algorithm =  THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4xui32>)
  // CHECK: <{rng_distribution = #stablehlo<rng_distribution UNIFORM>}>
  %6 = stablehlo.rng %s, %s, %n, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<2x3xf32>
  // CHECK: "chlo.lgamma"(%arg3) : (tensor<f32>) -> tensor<f32>
  %7 = chlo.lgamma %s : tensor<f32> -> tensor<f32>
  // CHECK: "chlo.zeta"(%arg3, %arg3)
  %8 = chlo.zeta %s, %s : tensor<f32>, tensor<f32> -> tensor<f32>
  // CHECK: "chlo.broadcast_add"(%arg0, %arg3) <{broadcast_dimensions = array<i64>}>
  %9 = chlo.broadcast_add %a, %s {broadcast_dimensions = array<i64>} : (tensor<3x3xf32>, tensor<f32>) -> tensor<3x3xf32>
  // CHECK: comparison_direction = #stablehlo<comparison_direction LT>
  %10 = chlo.broadcast_compare %a, %s {comparison_direction = #chlo<comparison_direction LT>} : (tensor<3x3xf32>, tensor<f32>) -> tensor<3x3xi1>
  // CHECK: "chlo.constant_like"(%arg0) <{value = 1.000000e+00 : f32}>
  %11 = "chlo.constant_like"(%a) <{value = 1.0 : f32}> : (tensor<3x3xf32>) -> tensor<3x3xf32>
  return
}
