// Sequence parallelism (Korthikanti et al., 2022): norm and residual on shards of the sequence, the
// products on shards of the inner dimension. Nothing says where to communicate: one all_gather in
// front, one reduce_scatter behind follow from the shardings of `x`, of the weights and of the result.
//
// RUN: cleave-opt %s -cleave-partition | FileCheck %s
// RUN: %cleave explain %s | FileCheck %s --check-prefix=EXPLAIN
// RUN: %cleave verify %s --random-inputs 1 | FileCheck %s --check-prefix=VERIFY

// CHECK: cleave.layer_norm {{.*}} -> tensor<2x4x64xf32>
// CHECK: spmd.all_gather {{.*}} dim 1 over @m ["model"] {{.*}} : tensor<2x4x64xf32> -> tensor<2x16x64xf32>
// CHECK: cleave.linear {{.*}} -> tensor<2x16x64xf32>
// CHECK: cleave.gelu
// CHECK: cleave.linear {{.*}} -> tensor<2x16x64xf32>
// CHECK: spmd.reduce_scatter sum {{.*}} dim 1 over @m ["model"] {{.*}} : tensor<2x16x64xf32> -> tensor<2x4x64xf32>
// CHECK: cleave.add {{.*}} : tensor<2x4x64xf32>
// EXPLAIN: total all_gather: 1, 6144 bytes per device
// EXPLAIN: total reduce_scatter: 1, 6144 bytes per device
// VERIFY: verified 1 of 1 outputs on 4 ranks

spmd.mesh @m <"model"=4>
func.func @feed_forward(%x: tensor<2x16x64xf32> {cleave.name = "x", spmd.sharding = #spmd.sharding<@m, [{}, {"model"}, {}]>},
                        %scale: tensor<64xf32> {cleave.name = "scale"},
                        %bias: tensor<64xf32> {cleave.name = "bias"},
                        %up: tensor<64x256xf32> {cleave.name = "up.weight", spmd.sharding = #spmd.sharding<@m, [{}, {"model"}]>},
                        %down: tensor<256x64xf32> {cleave.name = "down.weight", spmd.sharding = #spmd.sharding<@m, [{"model"}, {}]>})
    -> (tensor<2x16x64xf32> {cleave.name = "y", spmd.sharding = #spmd.sharding<@m, [{}, {"model"}, {}]>}) {
  %n = cleave.layer_norm %x, %scale, %bias, epsilon = 1.0e-5
    : (tensor<2x16x64xf32>, tensor<64xf32>, tensor<64xf32>) -> tensor<2x16x64xf32>
  %h = cleave.linear %n, %up : (tensor<2x16x64xf32>, tensor<64x256xf32>) -> tensor<2x16x256xf32>
  %a = cleave.gelu %h : tensor<2x16x256xf32>
  %d = cleave.linear %a, %down : (tensor<2x16x256xf32>, tensor<256x64xf32>) -> tensor<2x16x64xf32>
  %y = cleave.add %x, %d : tensor<2x16x64xf32>
  return %y : tensor<2x16x64xf32>
}
