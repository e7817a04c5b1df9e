// What tensor parallelism of transformers is known to cost, from nothing but the shardings of weights.
// RUN: split-file %s %t
// RUN: cleave-opt %t/mlp.mlir -cleave-partition | FileCheck %s --check-prefix=MLP
// RUN: cleave-opt %t/attention.mlir -cleave-partition | FileCheck %s --check-prefix=ATTENTION
// RUN: cleave-opt %t/sequence.mlir -cleave-partition | FileCheck %s --check-prefix=SEQUENCE
// RUN: cleave-opt %t/layer-norm.mlir -cleave-partition | FileCheck %s --check-prefix=NORM
// RUN: cleave-opt %t/gradient.mlir -cleave-partition | FileCheck %s --check-prefix=GRADIENT

// Columns, then rows: one all_reduce; biases and the residual enter after it.
// MLP-LABEL: func.func @mlp(
// MLP-NOT: spmd.all
// MLP: cleave.linear %{{.*}} : (tensor<32x512xf32>, tensor<512x512xf32>) -> tensor<32x512xf32>
// MLP: cleave.gelu
// MLP: %[[DOWN:.*]] = cleave.linear %{{.*}} : (tensor<32x512xf32>, tensor<512x512xf32>) -> tensor<32x512xf32>
// MLP-NEXT: %[[SUM:.*]] = spmd.all_reduce sum %[[DOWN]] over @m ["model"] {{.*}} : tensor<32x512xf32>
// MLP: %[[BIASED:.*]] = cleave.add %[[SUM]]
// MLP: cleave.add %[[BIASED]], %arg0
// MLP-NOT: spmd.{{all|reduce}}
// MLP: return

// Heads over model: queries, keys, values and attention are local; one all_reduce after the output projection.
// ATTENTION-LABEL: func.func @attention(
// ATTENTION-NOT: spmd.{{all|reduce|collective}}
// ATTENTION: cleave.attention %{{.*}} : (tensor<2x16x2x32xf32>, tensor<2x16x2x32xf32>, tensor<2x16x2x32xf32>) -> tensor<2x16x2x32xf32>
// ATTENTION-NOT: spmd.{{all|reduce|collective}}
// ATTENTION: cleave.linear %{{.*}} -> tensor<2x16x256xf32>
// ATTENTION-NEXT: spmd.all_reduce sum %{{.*}} over @m ["model"] {{.*}} : tensor<2x16x256xf32>
// ATTENTION-NOT: spmd.{{all|reduce|collective}}
// ATTENTION: return

// Norms and residuals on shards of the sequence: per half, the all_reduce becomes a reduce_scatter of what leaves
// and an all_gather of what enters.
// SEQUENCE-LABEL: func.func @sequence(
// SEQUENCE-SAME: %arg0: tensor<2x4x256xf32>
// SEQUENCE: cleave.layer_norm {{.*}} -> tensor<2x4x256xf32>
// SEQUENCE-NEXT: spmd.all_gather %{{.*}} dim 1 over @m ["model"] {{.*}} : tensor<2x4x256xf32> -> tensor<2x16x256xf32>
// SEQUENCE-NOT: spmd.{{all|reduce|collective}}
// SEQUENCE: cleave.attention
// SEQUENCE-NOT: spmd.{{all|reduce|collective}}
// SEQUENCE: spmd.reduce_scatter sum %{{.*}} dim 1 over @m ["model"] {{.*}} : tensor<2x16x256xf32> -> tensor<2x4x256xf32>
// SEQUENCE-NOT: spmd.{{all|reduce|collective}}
// SEQUENCE: cleave.layer_norm {{.*}} -> tensor<2x4x256xf32>
// SEQUENCE-NEXT: spmd.all_gather %{{.*}} dim 1 over @m ["model"] {{.*}} : tensor<2x4x256xf32> -> tensor<2x16x256xf32>
// SEQUENCE-NOT: spmd.{{all|reduce|collective}}
// SEQUENCE: cleave.gelu
// SEQUENCE-NOT: spmd.{{all|reduce|collective}}
// SEQUENCE: spmd.reduce_scatter sum %{{.*}} dim 1 over @m ["model"] {{.*}} : tensor<2x16x256xf32> -> tensor<2x4x256xf32>
// SEQUENCE-NOT: spmd.{{all|reduce|collective}}
// SEQUENCE: return

// A cut feature: one all_gather of the rows' statistics (mean and deviations), never of the rows.
// NORM-LABEL: func.func @layer_norm(
// NORM-NOT: spmd.{{all|reduce|collective}}
// NORM: spmd.all_gather %{{.*}} over @m ["model"] {{.*}} : tensor<16x1x2xf32> -> tensor<16x4x2xf32>
// NORM-NOT: spmd.{{all|reduce|collective}}
// NORM: return

// A weight's gradient, summed over the batch: one all_reduce over data for both, since they are small.
// GRADIENT-LABEL: func.func @gradient(
// GRADIENT-COUNT-2: cleave.dot_general
// GRADIENT: cleave.concatenate
// GRADIENT-NEXT: spmd.all_reduce sum %{{.*}} over @m ["data"] {{.*}} : tensor<8192xf32>
// GRADIENT-NOT: spmd.{{all|reduce|collective}}
// GRADIENT: return

//--- mlp.mlir
spmd.mesh @m <"data"=2, "model"=4>
func.func @mlp(%x: tensor<64x512xf32> {spmd.sharding = #spmd.sharding<@m, [{"data"}, {}]>},
               %up: tensor<512x2048xf32> {spmd.sharding = #spmd.sharding<@m, [{}, {"model"}]>}, %b: tensor<2048xf32>,
               %down: tensor<2048x512xf32> {spmd.sharding = #spmd.sharding<@m, [{"model"}, {}]>}, %c: tensor<512xf32>) -> tensor<64x512xf32> {
  %0 = cleave.linear %x, %up bias %b : (tensor<64x512xf32>, tensor<512x2048xf32>, tensor<2048xf32>) -> tensor<64x2048xf32>
  %1 = cleave.gelu %0 : tensor<64x2048xf32>
  %2 = cleave.linear %1, %down bias %c : (tensor<64x2048xf32>, tensor<2048x512xf32>, tensor<512xf32>) -> tensor<64x512xf32>
  %3 = cleave.add %2, %x : tensor<64x512xf32>
  return %3 : tensor<64x512xf32>
}

//--- attention.mlir
spmd.mesh @m <"model"=4>
func.func @attention(%x: tensor<2x16x256xf32> {spmd.sharding = #spmd.sharding<@m, [{}, {}, {}]>},
    %wq: tensor<256x8x32xf32> {spmd.sharding = #spmd.sharding<@m, [{}, {"model"}, {}]>},
    %wk: tensor<256x8x32xf32> {spmd.sharding = #spmd.sharding<@m, [{}, {"model"}, {}]>},
    %wv: tensor<256x8x32xf32> {spmd.sharding = #spmd.sharding<@m, [{}, {"model"}, {}]>},
    %wo: tensor<8x32x256xf32> {spmd.sharding = #spmd.sharding<@m, [{"model"}, {}, {}]>}) -> tensor<2x16x256xf32> {
  %q = cleave.linear %x, %wq : (tensor<2x16x256xf32>, tensor<256x8x32xf32>) -> tensor<2x16x8x32xf32>
  %k = cleave.linear %x, %wk : (tensor<2x16x256xf32>, tensor<256x8x32xf32>) -> tensor<2x16x8x32xf32>
  %v = cleave.linear %x, %wv : (tensor<2x16x256xf32>, tensor<256x8x32xf32>) -> tensor<2x16x8x32xf32>
  %a = cleave.attention %q, %k, %v causal : (tensor<2x16x8x32xf32>, tensor<2x16x8x32xf32>, tensor<2x16x8x32xf32>) -> tensor<2x16x8x32xf32>
  %o = cleave.linear %a, %wo contracting = 2 : (tensor<2x16x8x32xf32>, tensor<8x32x256xf32>) -> tensor<2x16x256xf32>
  return %o : tensor<2x16x256xf32>
}

//--- sequence.mlir
spmd.mesh @m <"model"=4>
func.func @sequence(%x: tensor<2x16x256xf32> {spmd.sharding = #spmd.sharding<@m, [{}, {"model"}, {}]>}, %g: tensor<256xf32>, %b: tensor<256xf32>,
    %wq: tensor<256x8x32xf32> {spmd.sharding = #spmd.sharding<@m, [{}, {"model"}, {}]>},
    %wk: tensor<256x8x32xf32> {spmd.sharding = #spmd.sharding<@m, [{}, {"model"}, {}]>},
    %wv: tensor<256x8x32xf32> {spmd.sharding = #spmd.sharding<@m, [{}, {"model"}, {}]>},
    %wo: tensor<8x32x256xf32> {spmd.sharding = #spmd.sharding<@m, [{"model"}, {}, {}]>},
    %up: tensor<256x1024xf32> {spmd.sharding = #spmd.sharding<@m, [{}, {"model"}]>},
    %down: tensor<1024x256xf32> {spmd.sharding = #spmd.sharding<@m, [{"model"}, {}]>})
    -> (tensor<2x16x256xf32> {spmd.sharding = #spmd.sharding<@m, [{}, {"model"}, {}]>}) {
  %n = cleave.layer_norm %x, %g, %b, epsilon = 1.0e-5 : (tensor<2x16x256xf32>, tensor<256xf32>, tensor<256xf32>) -> tensor<2x16x256xf32>
  %q = cleave.linear %n, %wq : (tensor<2x16x256xf32>, tensor<256x8x32xf32>) -> tensor<2x16x8x32xf32>
  %k = cleave.linear %n, %wk : (tensor<2x16x256xf32>, tensor<256x8x32xf32>) -> tensor<2x16x8x32xf32>
  %v = cleave.linear %n, %wv : (tensor<2x16x256xf32>, tensor<256x8x32xf32>) -> tensor<2x16x8x32xf32>
  %a = cleave.attention %q, %k, %v : (tensor<2x16x8x32xf32>, tensor<2x16x8x32xf32>, tensor<2x16x8x32xf32>) -> tensor<2x16x8x32xf32>
  %o = cleave.linear %a, %wo contracting = 2 : (tensor<2x16x8x32xf32>, tensor<8x32x256xf32>) -> tensor<2x16x256xf32>
  %r = cleave.add %x, %o : tensor<2x16x256xf32>
  %n2 = cleave.layer_norm %r, %g, %b, epsilon = 1.0e-5 : (tensor<2x16x256xf32>, tensor<256xf32>, tensor<256xf32>) -> tensor<2x16x256xf32>
  %h = cleave.linear %n2, %up : (tensor<2x16x256xf32>, tensor<256x1024xf32>) -> tensor<2x16x1024xf32>
  %act = cleave.gelu %h : tensor<2x16x1024xf32>
  %d = cleave.linear %act, %down : (tensor<2x16x1024xf32>, tensor<1024x256xf32>) -> tensor<2x16x256xf32>
  %y = cleave.add %r, %d : tensor<2x16x256xf32>
  return %y : tensor<2x16x256xf32>
}

//--- layer-norm.mlir
spmd.mesh @m <"model"=4>
func.func @layer_norm(%x: tensor<16x256xf32> {spmd.sharding = #spmd.sharding<@m, [{}, {"model"}]>}, %g: tensor<256xf32>, %b: tensor<256xf32>) -> tensor<16x256xf32> {
  %0 = cleave.layer_norm %x, %g, %b, epsilon = 1.0e-5 : (tensor<16x256xf32>, tensor<256xf32>, tensor<256xf32>) -> tensor<16x256xf32>
  return %0 : tensor<16x256xf32>
}

//--- gradient.mlir
spmd.mesh @m <"data"=2>
func.func @gradient(%x: tensor<64x64xf32> {spmd.sharding = #spmd.sharding<@m, [{"data"}, {}]>}, %dy: tensor<64x64xf32>, %dz: tensor<64x64xf32>)
    -> (tensor<64x64xf32> {spmd.sharding = #spmd.sharding<@m, [{}, {}]>}, tensor<64x64xf32> {spmd.sharding = #spmd.sharding<@m, [{}, {}]>}) {
  %0 = cleave.dot_general %x, %dy, batching_dims = [] x [], contracting_dims = [0] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %1 = cleave.dot_general %x, %dz, batching_dims = [] x [], contracting_dims = [0] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  return %0, %1 : tensor<64x64xf32>, tensor<64x64xf32>
}
