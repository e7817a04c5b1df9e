// RUN: cleave-differential --file %s
// An empty operand is not transposed, so that its contracted dimensions may
// lie in any order: an error, although nothing is computed.

spmd.mesh @mesh <"x"=2>
func.func @main(%x: tensor<8x9x7xf32>, %y: tensor<0x7x1x8x9xf32>) -> tensor<8x0x1xf32> {
  %0 = cleave.dot_general %x, %y, batching_dims = [0] x [3], contracting_dims = [1, 2] x [4, 1] : (tensor<8x9x7xf32>, tensor<0x7x1x8x9xf32>) -> tensor<8x0x1xf32>
  return %0 : tensor<8x0x1xf32>
}
