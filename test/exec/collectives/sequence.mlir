// Sequence parallelism (Korthikanti et al., 2022): between the halves of a
// transformer layer, rows are cut along the sequence. Each half gathers them
// once at its start and scatters once at its end. 2x8x32 of f32 over 4 ranks.
//
// RUN: %python %S/check.py %cleave %s \
// RUN:   all_gather:1536,reduce_scatter:1536,all_gather:1536,reduce_scatter:1536 \
// RUN:   --mesh model=4 --shard x=-,model,- --shard '*.in=-,model,-' \
// RUN:   --shard out.weight=model,-,- --shard up.weight=-,model --shard down.weight=model,- \
// RUN:   --shard attended=-,model,- --shard out:0=-,model,-

func.func @layer(%x: tensor<2x8x32xf32> {cleave.name = "x"},
                 %wq: tensor<32x8x4xf32> {cleave.name = "query.in"},
                 %wk: tensor<32x8x4xf32> {cleave.name = "key.in"},
                 %wv: tensor<32x8x4xf32> {cleave.name = "value.in"},
                 %wo: tensor<8x4x32xf32> {cleave.name = "out.weight"},
                 %scale: tensor<32xf32> {cleave.name = "scale"},
                 %bias: tensor<32xf32> {cleave.name = "bias"},
                 %up: tensor<32x64xf32> {cleave.name = "up.weight"},
                 %down: tensor<64x32xf32> {cleave.name = "down.weight"}) -> tensor<2x8x32xf32> {
  %n1 = cleave.layer_norm %x, %scale, %bias, epsilon = 1.0e-5
    : (tensor<2x8x32xf32>, tensor<32xf32>, tensor<32xf32>) -> tensor<2x8x32xf32>
  %q = cleave.linear %n1, %wq : (tensor<2x8x32xf32>, tensor<32x8x4xf32>) -> tensor<2x8x8x4xf32>
  %k = cleave.linear %n1, %wk : (tensor<2x8x32xf32>, tensor<32x8x4xf32>) -> tensor<2x8x8x4xf32>
  %v = cleave.linear %n1, %wv : (tensor<2x8x32xf32>, tensor<32x8x4xf32>) -> tensor<2x8x8x4xf32>
  %c = cleave.attention %q, %k, %v
    : (tensor<2x8x8x4xf32>, tensor<2x8x8x4xf32>, tensor<2x8x8x4xf32>) -> tensor<2x8x8x4xf32>
  %o = cleave.linear %c, %wo contracting = 2 {cleave.name = "attended"}
    : (tensor<2x8x8x4xf32>, tensor<8x4x32xf32>) -> tensor<2x8x32xf32>
  %r = cleave.add %o, %x : tensor<2x8x32xf32>
  %n2 = cleave.layer_norm %r, %scale, %bias, epsilon = 1.0e-5
    : (tensor<2x8x32xf32>, tensor<32xf32>, tensor<32xf32>) -> tensor<2x8x32xf32>
  %h = cleave.linear %n2, %up : (tensor<2x8x32xf32>, tensor<32x64xf32>) -> tensor<2x8x64xf32>
  %a = cleave.gelu %h : tensor<2x8x64xf32>
  %d = cleave.linear %a, %down : (tensor<2x8x64xf32>, tensor<64x32xf32>) -> tensor<2x8x32xf32>
  %y = cleave.add %d, %r : tensor<2x8x32xf32>
  return %y : tensor<2x8x32xf32>
}
