// Shardings on the module alone, as XLA writes them for programs that it partitions. They were dropped, and the program
// was one for one rank.
// RUN: %cleave verify %s --random-inputs 1 | FileCheck %s --check-prefix=VERIFY
// VERIFY: verified 2 of 2 outputs on 4 ranks
// RUN: %cleave explain %s | FileCheck %s --check-prefix=EXPLAIN
// EXPLAIN: all_reduce  d1  {{.*}} tensor<4x5xf32>
// EXPLAIN: 4 ranks
// A contradiction is an error.
// RUN: sed 's/%w: tensor<6x5xf32>/%w: tensor<6x5xf32> {mhlo.sharding = "{replicated}"}/' %s > %t.mlir
// RUN: not %cleave verify %t.mlir --random-inputs 1 2>&1 | FileCheck %s --check-prefix=CONTRADICTION
// CONTRADICTION: error: mhlo.spmd_parameters_shardings "{devices=[2,1,2]<=[2,2]T(1,0) last_tile_dim_replicate}" of argument 1 contradicts its mhlo.sharding "{replicated}"
module @layer attributes {
  mhlo.num_partitions = 4 : i32,
  mhlo.spmd_parameters_shardings = ["{devices=[2,2]0,1,2,3}", "{devices=[2,1,2]<=[2,2]T(1,0) last_tile_dim_replicate}"],
  mhlo.spmd_output_sharding = "{{devices=[2,1,2]<=[4] last_tile_dim_replicate}, {replicated}}"
} {
  func.func @main(%x: tensor<8x6xf32>, %w: tensor<6x5xf32>) -> (tensor<8x5xf32>, tensor<f32>) {
    %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<8x6xf32>, tensor<6x5xf32>) -> tensor<8x5xf32>
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x5xf32>, tensor<f32>) -> tensor<f32>
    return %0, %1 : tensor<8x5xf32>, tensor<f32>
  }
}
