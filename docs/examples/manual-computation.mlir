// A region that its author has partitioned: the body sees local shapes and holds its own collectives,
// what is around it is partitioned as usual. `cleave verify` evaluates the body for all ranks side by side, each
// collective on the values of its groups.
//
// RUN: cleave-opt %s -cleave-partition | FileCheck %s
// RUN: %cleave run %s --random-inputs 1 | FileCheck %s --check-prefix=SUMS
// RUN: %cleave verify %s --random-inputs 1 | FileCheck %s --check-prefix=VERIFY

// CHECK: %[[E:.*]] = cleave.exponential {{.*}} : tensor<2x16xf32>
// CHECK: %[[P:.*]] = cleave.dot_general %{{.*}}, %[[E]]
// CHECK: %[[S:.*]] = spmd.all_reduce sum %[[P]] over @m ["x"] cause "written in the model" : tensor<16xf32>
// CHECK: cleave.log %[[S]]
// SUMS: sums: 16xf32  min 1.79342  max 2.46039
// VERIFY: verified 1 of 1 outputs on 4 ranks

spmd.mesh @m <"x"=4>
func.func @manual(%x: tensor<8x16xf32> {cleave.name = "x", spmd.sharding = #spmd.sharding<@m, [{"x"}, {}]>})
    -> (tensor<16xf32> {cleave.name = "sums"}) {
  %e = cleave.exponential %x : tensor<8x16xf32>
  %s = spmd.manual_computation(%e) in [#spmd.sharding<@m, [{"x"}, {}]>] out [#spmd.sharding<@m, [{}]>]
      : (tensor<8x16xf32>) -> tensor<16xf32> {
  ^bb0(%local: tensor<2x16xf32>):
    %ones = cleave.constant dense<1.0> : tensor<2xf32>
    %p = cleave.dot_general %ones, %local, contracting_dims = [0] x [0]
      : (tensor<2xf32>, tensor<2x16xf32>) -> tensor<16xf32>
    %all = spmd.all_reduce sum %p over @m ["x"] : tensor<16xf32>
    spmd.return %all : tensor<16xf32>
  }
  %t = cleave.log %s : tensor<16xf32>
  return %t : tensor<16xf32>
}
