// A missing reduction is a compile error: the contracted dimension is cut over "x", so the product is a
// partial sum, but its sharding says that it is complete.
//
// RUN: not cleave-opt %s -cleave-verify-shardings 2>&1 | FileCheck %s
// CHECK: missing-reduction.mlir:[[#@LINE+6]]:8: error: result should be partial over "x", but its sharding is #spmd.sharding<@m, [{}, {}]>

spmd.mesh @m <"x"=2>
func.func @missing(%a: tensor<4x8xf32> {spmd.sharding = #spmd.sharding<@m, [{}, {"x"}]>},
                   %b: tensor<8x4xf32> {spmd.sharding = #spmd.sharding<@m, [{"x"}, {}]>})
    -> (tensor<4x4xf32> {spmd.sharding = #spmd.sharding<@m, [{}, {}]>}) {
  %0 = cleave.linear %a, %b {spmd.shardings = [#spmd.sharding<@m, [{}, {}]>]} : (tensor<4x8xf32>, tensor<8x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
