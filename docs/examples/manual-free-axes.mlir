// A region that its author has partitioned along "data" only. Along "model", which is free, Cleave partitions the body:
// the sharding of the weights spreads into it, and the sum over "data" is of a half of the columns on each rank.
//
// RUN: cleave-opt %s -cleave-partition | FileCheck %s
// RUN: %cleave verify %s --random-inputs 1 | FileCheck %s --check-prefix=VERIFY

// CHECK: %[[P:.*]] = cleave.dot_general {{.*}} -> tensor<16x8xf32>
// CHECK: spmd.all_reduce sum %[[P]] over @m ["data"] cause "written in the model" : tensor<16x8xf32>
// VERIFY: verified 1 of 1 outputs on 4 ranks

spmd.mesh @m <"data"=2, "model"=2>
func.func @gradient(%x: tensor<8x16xf32> {cleave.name = "x", spmd.sharding = #spmd.sharding<@m, [{"data"}, {}]>},
                    %dy: tensor<8x16xf32> {cleave.name = "dy", spmd.sharding = #spmd.sharding<@m, [{"data"}, {"model"}]>})
    -> (tensor<16x16xf32> {cleave.name = "dw"}) {
  // "?" leaves a dimension open to free axes.
  %dw = spmd.manual_computation(%x, %dy) in [#spmd.sharding<@m, [{"data"}, {}]>, #spmd.sharding<@m, [{"data"}, {?}]>]
      out [#spmd.sharding<@m, [{?}, {?}]>] free ["model"] : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<16x16xf32> {
  ^bb0(%rows: tensor<4x16xf32>, %dRows: tensor<4x16xf32>):
    %p = cleave.dot_general %rows, %dRows, contracting_dims = [0] x [0]
      : (tensor<4x16xf32>, tensor<4x16xf32>) -> tensor<16x16xf32>
    %sum = spmd.all_reduce sum %p over @m ["data"] : tensor<16x16xf32>
    spmd.return %sum : tensor<16x16xf32>
  }
  return %dw : tensor<16x16xf32>
}
