// Two modules that know what they should compute. The second one is wrong by one representable value and says that no
// more than 0 are allowed.

// RUN: not %cleave check %s | FileCheck %s
// CHECK: PASS {{.*}}self-checking.mlir#1: 1 expectation
// CHECK: FAIL {{.*}}self-checking.mlir#2: eq at self-checking.mlir:26:8: element [1] is 4, expected 4.00000048 (1 ulp)

func.func @main() -> (tensor<4x2xf32> {cleave.expect = {index = 0, kind = "close", role = "actual"},
                                       cleave.expect_loc = "self-checking.mlir:12:8"},
                      tensor<4x2xf32> {cleave.expect = {index = 0, kind = "close", role = "expected"}}) {
  %in:2 = call @inputs() : () -> (tensor<4x3xf32>, tensor<3x2xf32>)
  %y = cleave.linear %in#0, %in#1 : (tensor<4x3xf32>, tensor<3x2xf32>) -> tensor<4x2xf32>
  %wanted = cleave.constant dense<[[1.0, 2.0], [5.0, 6.0], [3.0, 4.0], [9.0, 12.0]]> : tensor<4x2xf32>
  return %y, %wanted : tensor<4x2xf32>, tensor<4x2xf32>
}
func.func private @inputs() -> (tensor<4x3xf32>, tensor<3x2xf32>) {
  %a = cleave.constant dense<[[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [1.0, 1.0, 1.0]]> : tensor<4x3xf32>
  %b = cleave.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf32>
  return %a, %b : tensor<4x3xf32>, tensor<3x2xf32>
}

// -----

func.func @main() -> (tensor<2xf32> {cleave.expect = {index = 0, kind = "eq", role = "actual"},
                                     cleave.expect_loc = "self-checking.mlir:26:8"},
                      tensor<2xf32> {cleave.expect = {index = 0, kind = "eq", role = "expected"}}) {
  %x = cleave.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %y = cleave.add %x, %x : tensor<2xf32>
  %wanted = cleave.constant dense<[2.0, 4.0000005]> : tensor<2xf32>
  return %y, %wanted : tensor<2xf32>, tensor<2xf32>
}
