// A module without mhlo.num_partitions, as PyTorch/XLA writes them, is for as many devices as its tiles.
// RUN: %cleave verify %s --random-inputs 1 | FileCheck %s --check-prefix=VERIFY
// VERIFY: verified 1 of 1 outputs on 4 ranks
// RUN: %cleave explain %s | FileCheck %s --check-prefix=EXPLAIN
// EXPLAIN: all_reduce  d1  {{.*}} tensor<4x5xf32>
// EXPLAIN: 4 ranks
// Another mesh than that is an error, as it is beside Shardy's; the same one is none.
// RUN: not %cleave verify %s --random-inputs 1 --mesh data=4 2>&1 | FileCheck %s --check-prefix=MESH
// MESH: error: the module's mesh differs from the option mesh=data=4
// RUN: %cleave verify %s --random-inputs 1 --mesh d0=2,d1=2 | FileCheck %s --check-prefix=VERIFY
module @layer {
  func.func @main(%x: tensor<8x6xf32> {mhlo.sharding = "{devices=[2,2]<=[4]}"}, %w: tensor<6x5xf32> {mhlo.sharding = "{devices=[2,1,2]<=[2,2]T(1,0) last_tile_dim_replicate}"}) -> tensor<8x5xf32> {
    %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<8x6xf32>, tensor<6x5xf32>) -> tensor<8x5xf32>
    %1 = stablehlo.custom_call @Sharding(%0) {mhlo.sharding = "{devices=[2,1,2]<=[4] last_tile_dim_replicate}"} : (tensor<8x5xf32>) -> tensor<8x5xf32>
    return %1 : tensor<8x5xf32>
  }
}
