// A manual computation over y inside of one over x; z is free in both. The outer body is partitioned along y and z, and
// hands its values over as the inner one wants them: 7 columns in blocks of 4 and 3.
//
// RUN: %python %S/check.py %cleave %s any
// RUN: %cleave explain %s | FileCheck %s
// The columns that the softmax makes, cut over y, are those of the inner computation.
// CHECK: all_reduce y {{.*}} sum of softmax
// CHECK-NEXT: all_reduce x, y 24 tensor<1x4xf32> once {{.*}} written in the model

spmd.mesh @m <"x"=2, "y"=2, "z"=2>
func.func @main(%a: tensor<4x7xf32> {cleave.name = "a", spmd.sharding = #spmd.sharding<@m, [{"x"}, {"y"}]>})
    -> (tensor<4x7xf32> {cleave.name = "scaled"}, tensor<2x4xf32> {cleave.name = "terms"}) {
  %0, %1 = spmd.manual_computation(%a) in [#spmd.sharding<@m, [{"x", ?}, {?}]>]
      out [#spmd.sharding<@m, [{"x", ?}, {?}]>, #spmd.sharding<@m, [{?}, {?}]>] free ["y", "z"]
      : (tensor<4x7xf32>) -> (tensor<4x7xf32>, tensor<2x4xf32>) {
  ^bb0(%l: tensor<2x7xf32>):
    %s = cleave.softmax %l, dim = 1 : tensor<2x7xf32>
    %2, %3 = spmd.manual_computation(%s) in [#spmd.sharding<@m, [{"z"}, {"y"}]>]
        out [#spmd.sharding<@m, [{?}, {"y"}]>, #spmd.sharding<@m, [{?}, {}], partial = [sum "y"]>] free ["z"]
        : (tensor<2x7xf32>) -> (tensor<2x7xf32>, tensor<2x4xf32>) {
    ^bb0(%c: tensor<2x4xf32>):
      // Over both: the axis of the computation around is manual here, too.
      %4 = spmd.mask_padding max %c dim 1 size 7 over @m ["y"] : tensor<2x4xf32>
      %5 = spmd.all_reduce max %4 over @m ["x", "y"] : tensor<2x4xf32>
      %6 = cleave.multiply %c, %5 : tensor<2x4xf32>
      spmd.return %6, %5 : tensor<2x4xf32>, tensor<2x4xf32>
    }
    %7 = cleave.negate %2 : tensor<2x7xf32>
    spmd.return %7, %3 : tensor<2x7xf32>, tensor<2x4xf32>
  }
  return %0, %1 : tensor<4x7xf32>, tensor<2x4xf32>
}
