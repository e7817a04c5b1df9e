// A reshape that splits a cut dimension needs no communication: of the 4 positions of "x", 2 go to the first
// of the new dimensions and 2 to the second.
//
// RUN: cleave-opt %s -cleave-propagate-shardings | FileCheck %s
// RUN: %cleave explain %s | FileCheck %s --check-prefix=EXPLAIN
// RUN: %cleave verify %s --random-inputs 1 | FileCheck %s --check-prefix=VERIFY

// CHECK: cleave.reshape {{.*}} spmd.shardings = [#spmd.sharding<@m, [{"x":(1)2}, {"x":(2)2}, {}]>]
// EXPLAIN: total: 0 collectives, 0 bytes per device, 4 ranks
// VERIFY: verified 1 of 1 outputs on 4 ranks

spmd.mesh @m <"x"=4>
func.func @split(%a: tensor<32x5xf32> {cleave.name = "a", spmd.sharding = #spmd.sharding<@m, [{"x"}, {}]>})
    -> (tensor<2x16x5xf32> {cleave.name = "b"}) {
  %0 = cleave.reshape %a : (tensor<32x5xf32>) -> tensor<2x16x5xf32>
  %1 = cleave.tanh %0 : tensor<2x16x5xf32>
  return %1 : tensor<2x16x5xf32>
}
