// Normal equations by Cholesky factors: (A^T A) X = A^T B. With the batch cut,
// or the columns of B, nothing is communicated; with the rows of A cut there are
// the two sums.
//
// RUN: %python %S/../collectives/check.py %cleave %s none --mesh data=2 \
// RUN:   --shard a=data,-,- --shard b=data,-,- --random-inputs 1
// RUN: %python %S/../collectives/check.py %cleave %s none --mesh columns=3 \
// RUN:   --shard b=-,-,columns --random-inputs 2
// RUN: %python %S/../collectives/check.py %cleave %s any --mesh rows=4 \
// RUN:   --shard a=-,rows,- --shard b=-,rows,- --random-inputs 3
// RUN: %cleave verify %s --random-inputs 4 --math wide

func.func @least_squares(%a: tensor<3x40x6xf32> {cleave.name = "a"},
                         %b: tensor<3x40x7xf32> {cleave.name = "b"}) -> tensor<3x6x7xf32> {
  %square = cleave.dot_general %a, %a, batching_dims = [0] x [0], contracting_dims = [1] x [1]
    : (tensor<3x40x6xf32>, tensor<3x40x6xf32>) -> tensor<3x6x6xf32>
  %right = cleave.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [1] x [1]
    : (tensor<3x40x6xf32>, tensor<3x40x7xf32>) -> tensor<3x6x7xf32>
  %l = cleave.cholesky lower %square : (tensor<3x6x6xf32>) -> tensor<3x6x6xf32>
  %y = cleave.triangular_solve no_transpose left lower (%l) (%right)
    : (tensor<3x6x6xf32>, tensor<3x6x7xf32>) -> tensor<3x6x7xf32>
  %x = cleave.triangular_solve adjoint left lower (%l) (%y)
    : (tensor<3x6x6xf32>, tensor<3x6x7xf32>) -> tensor<3x6x7xf32>
  return %x : tensor<3x6x7xf32>
}
