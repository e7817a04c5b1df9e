// Behind a barrier values are cut otherwise than before it, and stay the same values. A group in the form of GSPMD, too.
// RUN: split-file %s %t
// RUN: %cleave verify %t/barriers.mlir --random-inputs 1 | FileCheck %s
// RUN: %cleave verify %t/alike.mlir --random-inputs 1 | FileCheck %s
// CHECK: verified 2 of 2 outputs on 4 ranks
// The rows are gathered at the barrier, since nothing behind it says that they are cut.
// RUN: %cleave explain %t/barriers.mlir | FileCheck %s --check-prefix=BARRIERS
// BARRIERS: all_gather x {{.*}}tensor<4x6xf32>{{.*}}barriers.mlir:3:
//--- barriers.mlir
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%a: tensor<7x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %b: tensor<7x6xf32>) -> (tensor<7x6xf32>, tensor<7x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>}) {
  %0 = sdy.propagation_barrier %a allowed_direction=NONE : tensor<7x6xf32>
  %1 = stablehlo.tanh %0 : tensor<7x6xf32>
  %2 = sdy.propagation_barrier %b allowed_direction=FORWARD : tensor<7x6xf32>
  %3 = stablehlo.add %2, %2 : tensor<7x6xf32>
  return %1, %3 : tensor<7x6xf32>, tensor<7x6xf32>
}

//--- alike.mlir
module attributes {mhlo.num_partitions = 4 : i32} {
  func.func @main(%a: tensor<8x6xf32> {mhlo.sharding = "{devices=[2,1,2]<=[4] last_tile_dim_replicate}"}, %b: tensor<8x6xf32>) -> (tensor<8x6xf32>, tensor<8x6xf32>) {
    %0 = stablehlo.custom_call @Sharding(%a) {mhlo.sharding = "{unknown shard_as 0}"} : (tensor<8x6xf32>) -> tensor<8x6xf32>
    %1 = stablehlo.custom_call @Sharding(%b) {mhlo.sharding = "{unknown shard_as 0}"} : (tensor<8x6xf32>) -> tensor<8x6xf32>
    return %0, %1 : tensor<8x6xf32>, tensor<8x6xf32>
  }
}
