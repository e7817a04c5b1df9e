// Sequence parallelism (Korthikanti et al., 2022): between the halves of a
// transformer layer, rows are cut along the sequence. Each half gathers them
// once at its start and scatters once at its end. 2x8x16 of f32 over 4 ranks.
//
// RUN: %python %S/check.py %cleave %s \
// RUN:   all_gather:768,reduce_scatter:768,all_gather:768,reduce_scatter:768 \
// RUN:   --mesh model=4 --shard x=-,model,- --shard '*.in=-,model,-' \
// RUN:   --shard out.weight=model,-,- --shard up.weight=-,model --shard down.weight=model,- \
// RUN:   --shard attended=-,model,- --shard out:0=-,model,-

func.func @layer(%x: tensor<2x8x16xf32> {cleave.name = "x"},
                 %wq: tensor<16x4x4xf32> {cleave.name = "query.in"},
                 %wk: tensor<16x4x4xf32> {cleave.name = "key.in"},
                 %wv: tensor<16x4x4xf32> {cleave.name = "value.in"},
                 %wo: tensor<4x4x16xf32> {cleave.name = "out.weight"},
                 %scale: tensor<16xf32> {cleave.name = "scale"},
                 %bias: tensor<16xf32> {cleave.name = "bias"},
                 %up: tensor<16x32xf32> {cleave.name = "up.weight"},
                 %down: tensor<32x16xf32> {cleave.name = "down.weight"}) -> tensor<2x8x16xf32> {
  %n1 = cleave.layer_norm %x, %scale, %bias, epsilon = 1.0e-5
    : (tensor<2x8x16xf32>, tensor<16xf32>, tensor<16xf32>) -> tensor<2x8x16xf32>
  %q = cleave.linear %n1, %wq : (tensor<2x8x16xf32>, tensor<16x4x4xf32>) -> tensor<2x8x4x4xf32>
  %k = cleave.linear %n1, %wk : (tensor<2x8x16xf32>, tensor<16x4x4xf32>) -> tensor<2x8x4x4xf32>
  %v = cleave.linear %n1, %wv : (tensor<2x8x16xf32>, tensor<16x4x4xf32>) -> tensor<2x8x4x4xf32>
  %c = cleave.attention %q, %k, %v
    : (tensor<2x8x4x4xf32>, tensor<2x8x4x4xf32>, tensor<2x8x4x4xf32>) -> tensor<2x8x4x4xf32>
  %o = cleave.linear %c, %wo contracting = 2 {cleave.name = "attended"}
    : (tensor<2x8x4x4xf32>, tensor<4x4x16xf32>) -> tensor<2x8x16xf32>
  %r = cleave.add %o, %x : tensor<2x8x16xf32>
  %n2 = cleave.layer_norm %r, %scale, %bias, epsilon = 1.0e-5
    : (tensor<2x8x16xf32>, tensor<16xf32>, tensor<16xf32>) -> tensor<2x8x16xf32>
  %h = cleave.linear %n2, %up : (tensor<2x8x16xf32>, tensor<16x32xf32>) -> tensor<2x8x32xf32>
  %a = cleave.gelu %h : tensor<2x8x32xf32>
  %d = cleave.linear %a, %down : (tensor<2x8x32xf32>, tensor<32x16xf32>) -> tensor<2x8x16xf32>
  %y = cleave.add %d, %r : tensor<2x8x16xf32>
  return %y : tensor<2x8x16xf32>
}
