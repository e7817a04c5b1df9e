// Constants that are sparse, and complex numbers and narrow integers as a resource, were refused.
// RUN: %cleave check %s | FileCheck %s
// RUN: %cleave check %s --mesh x=2 --shard random:1 | FileCheck %s
// CHECK: 1 passed, 0 failed, 0 skipped
module {
  func.func @main() {
    %s = stablehlo.constant sparse<[[0, 1], [1, 0]], [5, 6]> : tensor<2x2xi32>
    check.expect_eq_const %s, dense<[[0, 5], [6, 0]]> : tensor<2x2xi32>
    %n = stablehlo.constant sparse<[[2]], [-3]> : tensor<3xi4>
    check.expect_eq_const %n, dense<[0, 0, -3]> : tensor<3xi4>
    %z = stablehlo.constant dense_resource<complex> : tensor<2xcomplex<f32>>
    check.expect_eq_const %z, dense<[(1.0, 2.0), (-2.0, 1.0)]> : tensor<2xcomplex<f32>>
    %i = stablehlo.constant dense_resource<narrow> : tensor<4xi4>
    check.expect_eq_const %i, dense<[1, -1, 7, 0]> : tensor<4xi4>
    return
  }
}
{-#
  dialect_resources: {
    builtin: {
      complex: "0x040000000000803F00000040000000C00000803F",
      narrow: "0x01000000010F0700"
    }
  }
#-}
