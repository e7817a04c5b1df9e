// Megatron's split of a feed-forward layer (Shoeybi et al., 2019): one
// all_reduce, or one reduce_scatter when the result is wanted in pieces.
// Bytes: 6x24 of f32 on each rank; 2 * 3/4 and 3/4 of them.
//
// RUN: %python %S/check.py %cleave %s all_reduce:864 --mesh data=2,model=4 \
// RUN:   --shard x=data,- --shard up.weight=-,model --shard down.weight=model,-
// RUN: %python %S/check.py %cleave %s reduce_scatter:432 --mesh data=2,model=4 \
// RUN:   --shard x=data,- --shard up.weight=-,model --shard down.weight=model,- \
// RUN:   --shard out:0=data,model
// Nothing is sharded over one rank, and data parallelism needs nothing.
// RUN: %python %S/check.py %cleave %s none
// RUN: %python %S/check.py %cleave %s none --mesh data=5 --shard x=data,-
// Blocks of 32 over 5 ranks are 7 and, at the end, 4.
// RUN: %python %S/check.py %cleave %s all_reduce:1844 --mesh model=5 \
// RUN:   --shard up.weight=-,model --shard down.weight=model,-
// The example of the documentation.
// RUN: %python %S/check.py %cleave %source/docs/examples/mlp.mlir all_reduce:98304

func.func @mlp(%x: tensor<12x24xf32> {cleave.name = "x"},
               %up: tensor<24x32xf32> {cleave.name = "up.weight"},
               %down: tensor<32x24xf32> {cleave.name = "down.weight"}) -> tensor<12x24xf32> {
  %h = cleave.linear %x, %up : (tensor<12x24xf32>, tensor<24x32xf32>) -> tensor<12x32xf32>
  %a = cleave.gelu %h : tensor<12x32xf32>
  %y = cleave.linear %a, %down : (tensor<12x32xf32>, tensor<32x24xf32>) -> tensor<12x24xf32>
  return %y : tensor<12x24xf32>
}
