// A sum from the last element on, as JAX exports it, has one order and the same bits on any mesh. Its initial value is a copy of a constant: with the dimension cut, ranks added from the other end.
// RUN: %cleave check %s | FileCheck %s
// RUN: %cleave check %s --mesh x=2 --shard 'inputs=x,-' | FileCheck %s
// RUN: %cleave check %s --mesh x=4 --shard 'inputs=x,-' | FileCheck %s
// RUN: %cleave check %s --mesh x=2,y=2 --shard 'inputs=x,y' | FileCheck %s
// CHECK: 1 passed, 0 failed, 0 skipped
func.func private @inputs() -> tensor<4x2xf32> {
  %x = stablehlo.constant dense<[[1.0, 2.0], [1.0E+8, -2.0E+8], [-1.0E+8, 2.0E+8], [0.0, 0.0]]> : tensor<4x2xf32>
  return %x : tensor<4x2xf32>
}
func.func @main() {
  %x = call @inputs() : () -> tensor<4x2xf32>
  %c = stablehlo.constant dense<0.0> : tensor<f32>
  %zero = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<f32>) -> tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %zero) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {window_dimensions = array<i64: 4, 1>, padding = dense<[[0, 3], [0, 0]]> : tensor<2x2xi64>} : (tensor<4x2xf32>, tensor<f32>) -> tensor<4x2xf32>
  // 1 + 1e8 is 1e8.
  check.expect_eq_const %0, dense<[[1.0, 2.0], [0.0, 0.0], [-1.0E+8, 2.0E+8], [0.0, 0.0]]> : tensor<4x2xf32>
  return
}
