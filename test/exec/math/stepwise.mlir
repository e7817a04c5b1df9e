// Each product is rounded before it is added: (1 + e)(1 + e) with e = 2^-12 is 1 + 2e, so that the sum is 0, where a fused
// multiply-add or wider arithmetic leaves e^2.
// RUN: %cleave check %s | FileCheck %s
// RUN: %cleave check %s --math stepwise | FileCheck %s
// RUN: not %cleave check %s --math wide
// CHECK: 1 passed, 0 failed, 0 skipped
func.func @main() {
  %a = stablehlo.constant dense<[[-1.00048828125, 1.000244140625]]> : tensor<1x2xf32>
  %b = stablehlo.constant dense<[[1.0, 1.0], [1.000244140625, 1.000244140625]]> : tensor<2x2xf32>
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<1x2xf32>, tensor<2x2xf32>) -> tensor<1x2xf32>
  check.expect_eq_const %0, dense<0.0> : tensor<1x2xf32>
  return
}
