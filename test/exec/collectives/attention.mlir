// A block of self-attention, the heads cut over "model": one all_reduce, after
// the output projection. 2x6x24 of f32 on each rank, 2 * (k-1)/k of it moves.
//
// RUN: %python %S/check.py %cleave %s all_reduce:1152 --mesh model=2 \
// RUN:   --shard '*.in=-,model,-' --shard out.weight=model,-,-
// 6 heads on 4 ranks: two each, the last rank has none.
// RUN: %python %S/check.py %cleave %s all_reduce:1728 --mesh model=4 \
// RUN:   --shard '*.in=-,model,-' --shard out.weight=model,-,-
// RUN: %python %S/check.py %cleave %s all_reduce:576 --mesh data=2,model=2 \
// RUN:   --shard x=data,-,- --shard '*.in=-,model,-' --shard out.weight=model,-,-

func.func @attention(%x: tensor<2x6x24xf32> {cleave.name = "x"},
                     %wq: tensor<24x6x4xf32> {cleave.name = "query.in"},
                     %wk: tensor<24x6x4xf32> {cleave.name = "key.in"},
                     %wv: tensor<24x6x4xf32> {cleave.name = "value.in"},
                     %wo: tensor<6x4x24xf32> {cleave.name = "out.weight"}) -> tensor<2x6x24xf32> {
  %q = cleave.linear %x, %wq : (tensor<2x6x24xf32>, tensor<24x6x4xf32>) -> tensor<2x6x6x4xf32>
  %k = cleave.linear %x, %wk : (tensor<2x6x24xf32>, tensor<24x6x4xf32>) -> tensor<2x6x6x4xf32>
  %v = cleave.linear %x, %wv : (tensor<2x6x24xf32>, tensor<24x6x4xf32>) -> tensor<2x6x6x4xf32>
  %c = cleave.attention %q, %k, %v causal
    : (tensor<2x6x6x4xf32>, tensor<2x6x6x4xf32>, tensor<2x6x6x4xf32>) -> tensor<2x6x6x4xf32>
  %y = cleave.linear %c, %wo contracting = 2 : (tensor<2x6x6x4xf32>, tensor<6x4x24xf32>) -> tensor<2x6x24xf32>
  return %y : tensor<2x6x24xf32>
}
