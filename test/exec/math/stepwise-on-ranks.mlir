// Sums in the order of the index have the same bits on any mesh. With e = 2^-24, half of what 1 can be increased by,
// 1 + e + e + e is 1, since each e is lost, and e + e + e + 1 is 1 + 2^-22; two and two terms are 1 + 2^-23.
// RUN: %cleave check %s | FileCheck %s
// RUN: %cleave check %s --mesh x=2 --shard 'inputs=-,x' --shard 'inputs_1=x,-' | FileCheck %s
// RUN: %cleave check %s --mesh x=4 --shard 'inputs=-,x' --shard 'inputs_1=x,-' | FileCheck %s
// RUN: %cleave check %s --mesh x=3 --shard 'inputs=-,x' | FileCheck %s
// RUN: %cleave check %s --mesh x=2,y=2 --shard 'inputs=-,y+x' --shard 'inputs_1=x+y,-' | FileCheck %s
// RUN: %cleave check %s --mesh x=4 --shard random:1 | FileCheck %s
// CHECK: 1 passed, 0 failed, 0 skipped

// In another mode the sums are made in parts.
// RUN: not %cleave check %s --math standard --mesh x=2 --shard 'inputs=-,x' --shard 'inputs_1=x,-'

func.func @main() {
  %x, %ones = call @inputs() : () -> (tensor<2x4xf32>, tensor<4x2xf32>)
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %dot = stablehlo.dot_general %x, %ones, contracting_dims = [1] x [0] : (tensor<2x4xf32>, tensor<4x2xf32>) -> tensor<2x2xf32>
  check.expect_eq_const %dot, dense<[[1.0, 1.0], [1.000000238418579, 1.000000238418579]]> : tensor<2x2xf32>

  %sum = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<2x4xf32>, tensor<f32>) -> tensor<2xf32>
  check.expect_eq_const %sum, dense<[1.0, 1.000000238418579]> : tensor<2xf32>

  %scan = "stablehlo.reduce_window"(%x, %zero) <{window_dimensions = array<i64: 1, 4>, padding = dense<[[0, 0], [3, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<2x4xf32>, tensor<f32>) -> tensor<2x4xf32>
  check.expect_eq_const %scan, dense<[[1.0, 1.0, 1.0, 1.0], [5.9604644775390625e-08, 1.1920928955078125e-07, 1.78813934326171875e-07, 1.000000238418579]]> : tensor<2x4xf32>

  %start = stablehlo.constant dense<0.0> : tensor<2x1xf32>
  %places = stablehlo.constant dense<0> : tensor<4x1xi32>
  %added = "stablehlo.scatter"(%start, %places, %x) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0],
      inserted_window_dims = [1], scatter_dims_to_operand_dims = [1], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<2x1xf32>, tensor<4x1xi32>, tensor<2x4xf32>) -> tensor<2x1xf32>
  check.expect_eq_const %added, dense<[[1.0], [1.000000238418579]]> : tensor<2x1xf32>
  return
}

func.func private @inputs() -> (tensor<2x4xf32>, tensor<4x2xf32>) {
  %x = stablehlo.constant dense<[[1.0, 5.9604644775390625e-08, 5.9604644775390625e-08, 5.9604644775390625e-08],
                                 [5.9604644775390625e-08, 5.9604644775390625e-08, 5.9604644775390625e-08, 1.0]]> : tensor<2x4xf32>
  %ones = stablehlo.constant dense<1.0> : tensor<4x2xf32>
  return %x, %ones : tensor<2x4xf32>, tensor<4x2xf32>
}
