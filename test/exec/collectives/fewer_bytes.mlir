// Collectives are moved to where the fewest bytes are received.
//
// Two branches of a layer that start from the same input (Wang & Komatsuzaki, GPT-J, 2021), each with rows over model,
// a bias, and one of them scaled: their sums meet in an addition, so one all_reduce of 4x32 of f32 serves both.
// RUN: split-file %s %t
// RUN: %python %S/check.py %cleave %t/branches.mlir all_reduce:768 --mesh model=4 --shard '*.rows=model,-'
//
// Rows of a table over model; the lookup is scaled before it is cut along the sequence: a reduce_scatter of 4x8x16
// instead of an all_reduce of twice the bytes.
// RUN: %python %S/check.py %cleave %t/lookup.mlir reduce_scatter:1536 \
// RUN:   --mesh model=4 --shard table=model,- --shard scaled=-,-,- --shard out:0=-,model,-
//
// The same with a sequence of 7 over 3 ranks: pieces of 3.
// RUN: %python %S/check.py %cleave %t/uneven.mlir reduce_scatter:1536 \
// RUN:   --mesh model=3 --shard table=model,- --shard scaled=-,-,- --shard out:0=-,model,-

//--- branches.mlir
func.func @branches(%x: tensor<4x32xf32> {cleave.name = "x"}, %a: tensor<32x64xf32> {cleave.name = "a"},
                    %ar: tensor<64x32xf32> {cleave.name = "a.rows"}, %ab: tensor<32xf32> {cleave.name = "a.bias"},
                    %b: tensor<32x64xf32> {cleave.name = "b"}, %br: tensor<64x32xf32> {cleave.name = "b.rows"},
                    %bb: tensor<32xf32> {cleave.name = "b.bias"}, %s: tensor<f32> {cleave.name = "scale"}) -> tensor<4x32xf32> {
  %0 = cleave.linear %x, %a : (tensor<4x32xf32>, tensor<32x64xf32>) -> tensor<4x64xf32>
  %1 = cleave.gelu %0 : tensor<4x64xf32>
  %2 = cleave.linear %1, %ar bias %ab : (tensor<4x64xf32>, tensor<64x32xf32>, tensor<32xf32>) -> tensor<4x32xf32>
  %3 = cleave.add %x, %2 : tensor<4x32xf32>
  %4 = cleave.linear %x, %b : (tensor<4x32xf32>, tensor<32x64xf32>) -> tensor<4x64xf32>
  %5 = cleave.silu %4 : tensor<4x64xf32>
  %6 = cleave.linear %5, %br : (tensor<4x64xf32>, tensor<64x32xf32>) -> tensor<4x32xf32>
  %7 = cleave.broadcast_in_dim %s, dims = [] : (tensor<f32>) -> tensor<4x32xf32>
  %8 = cleave.multiply %6, %7 : tensor<4x32xf32>
  %9 = cleave.broadcast_in_dim %bb, dims = [1] : (tensor<32xf32>) -> tensor<4x32xf32>
  %10 = cleave.subtract %8, %9 : tensor<4x32xf32>
  %11 = cleave.add %3, %10 : tensor<4x32xf32>
  return %11 : tensor<4x32xf32>
}

//--- lookup.mlir
func.func @lookup(%t: tensor<64x16xf32> {cleave.name = "table"}, %i: tensor<4x8xi32> {cleave.name = "ids"},
                  %s: tensor<16xf32> {cleave.name = "scale"}) -> tensor<4x8x16xf32> {
  %0 = cleave.embedding %t, %i : (tensor<64x16xf32>, tensor<4x8xi32>) -> tensor<4x8x16xf32>
  %1 = cleave.broadcast_in_dim %s, dims = [2] : (tensor<16xf32>) -> tensor<4x8x16xf32>
  %2 = cleave.multiply %0, %1 {cleave.name = "scaled"} : tensor<4x8x16xf32>
  %3 = cleave.tanh %2 : tensor<4x8x16xf32>
  return %3 : tensor<4x8x16xf32>
}

//--- uneven.mlir
func.func @lookup(%t: tensor<64x16xf32> {cleave.name = "table"}, %i: tensor<4x7xi32> {cleave.name = "ids"},
                  %s: tensor<16xf32> {cleave.name = "scale"}) -> tensor<4x7x16xf32> {
  %0 = cleave.embedding %t, %i : (tensor<64x16xf32>, tensor<4x7xi32>) -> tensor<4x7x16xf32>
  %1 = cleave.broadcast_in_dim %s, dims = [2] : (tensor<16xf32>) -> tensor<4x7x16xf32>
  %2 = cleave.multiply %0, %1 {cleave.name = "scaled"} : tensor<4x7x16xf32>
  %3 = cleave.tanh %2 : tensor<4x7x16xf32>
  return %3 : tensor<4x7x16xf32>
}
