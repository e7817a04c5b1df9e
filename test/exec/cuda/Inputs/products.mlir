// Products of each kind that cuBLASLt has in another way than the host, and
// some that it does not have.
func.func @main(%x: tensor<6x5xf32> {cleave.name = "x"}, %w: tensor<5x8xf32> {cleave.name = "w"},
                %bias: tensor<8xf32> {cleave.name = "bias"}, %rows: tensor<6xf32> {cleave.name = "rows"},
                %r: tensor<6x8xf32> {cleave.name = "r"},
                %q: tensor<2x6x3x4xf32> {cleave.name = "q"}, %k: tensor<2x7x3x4xf32> {cleave.name = "k"},
                %h: tensor<6x5xf16> {cleave.name = "h"}, %g: tensor<5x8xf16> {cleave.name = "g"},
                %b16: tensor<6x5xbf16> {cleave.name = "b16"}, %c16: tensor<5x8xbf16> {cleave.name = "c16"},
                %d: tensor<6x5xf64> {cleave.name = "d"}, %e: tensor<5x8xf64> {cleave.name = "e"},
                %de: tensor<8xf64> {cleave.name = "de"},
                %i: tensor<6x5xi32> {cleave.name = "i"}, %j: tensor<5x8xi32> {cleave.name = "j"},
                %s: tensor<4x5x3xf32> {cleave.name = "s"}, %t: tensor<6x5x3xf32> {cleave.name = "t"})
    -> (tensor<6x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>, tensor<2x3x6x7xf32>, tensor<8x6xf32>,
        tensor<6x8xf16>, tensor<6x8xbf16>, tensor<6x8xf64>, tensor<6x8xi32>, tensor<3x4x6xf32>) {
  // Bias and residual, each alone and together.
  %plain = cleave.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<6x5xf32>, tensor<5x8xf32>) -> tensor<6x8xf32>
  %wide = cleave.broadcast_in_dim %bias, dims = [1] : (tensor<8xf32>) -> tensor<6x8xf32>
  %p1 = cleave.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<6x5xf32>, tensor<5x8xf32>) -> tensor<6x8xf32>
  %b1 = cleave.add %p1, %wide : tensor<6x8xf32>
  %r1 = cleave.add %b1, %r : tensor<6x8xf32>
  // A bias along the rows, and an activation before a residual.
  %tall = cleave.broadcast_in_dim %rows, dims = [0] : (tensor<6xf32>) -> tensor<6x8xf32>
  %p2 = cleave.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<6x5xf32>, tensor<5x8xf32>) -> tensor<6x8xf32>
  %b2 = cleave.add %p2, %tall : tensor<6x8xf32>
  %a2 = cleave.gelu %b2 : tensor<6x8xf32>
  %r2 = cleave.add %a2, %r : tensor<6x8xf32>
  %p3 = cleave.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<6x5xf32>, tensor<5x8xf32>) -> tensor<6x8xf32>
  %b3 = cleave.add %p3, %wide : tensor<6x8xf32>
  %a3 = cleave.relu %b3 : tensor<6x8xf32>
  // Heads in the middle: two batch dimensions.
  %scores = cleave.dot_general %q, %k, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3]
    : (tensor<2x6x3x4xf32>, tensor<2x7x3x4xf32>) -> tensor<2x3x6x7xf32>
  // The transposed product.
  %turned = cleave.dot_general %w, %x, contracting_dims = [0] x [1] : (tensor<5x8xf32>, tensor<6x5xf32>) -> tensor<8x6xf32>
  %half = cleave.dot_general %h, %g, contracting_dims = [1] x [0] : (tensor<6x5xf16>, tensor<5x8xf16>) -> tensor<6x8xf16>
  %brain = cleave.dot_general %b16, %c16, contracting_dims = [1] x [0] : (tensor<6x5xbf16>, tensor<5x8xbf16>) -> tensor<6x8xbf16>
  %pd = cleave.dot_general %d, %e, contracting_dims = [1] x [0] : (tensor<6x5xf64>, tensor<5x8xf64>) -> tensor<6x8xf64>
  %dwide = cleave.broadcast_in_dim %de, dims = [1] : (tensor<8xf64>) -> tensor<6x8xf64>
  %double = cleave.add %pd, %dwide : tensor<6x8xf64>
  %int = cleave.dot_general %i, %j, contracting_dims = [1] x [0] : (tensor<6x5xi32>, tensor<5x8xi32>) -> tensor<6x8xi32>
  // Contiguous along neither index of a matrix.
  %strided = cleave.dot_general %s, %t, batching_dims = [2] x [2], contracting_dims = [1] x [1]
    : (tensor<4x5x3xf32>, tensor<6x5x3xf32>) -> tensor<3x4x6xf32>
  return %plain, %r1, %r2, %a3, %scores, %turned, %half, %brain, %double, %int, %strided
    : tensor<6x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>, tensor<2x3x6x7xf32>, tensor<8x6xf32>,
      tensor<6x8xf16>, tensor<6x8xbf16>, tensor<6x8xf64>, tensor<6x8xi32>, tensor<3x4x6xf32>
}
