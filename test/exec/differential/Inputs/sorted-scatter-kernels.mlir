// A scatter whose updates are sorted, all of which are in bounds and change the
// result: x becomes 3 x - u.
func.func @main(%x: tensor<5x3xi16>, %i: tensor<70xi32>, %u: tensor<70x3xi16>) -> tensor<5x3xi16> {
  %at = cleave.abs %i : tensor<70xi32>
  %r = cleave.scatter(%x) at %at with (%u) {update_window_dims = array<i64: 1>, inserted_window_dims = array<i64: 0>, scatter_dims_to_operand_dims = array<i64: 0>, index_vector_dim = 1}
      : (tensor<5x3xi16>, tensor<70xi32>, tensor<70x3xi16>) -> tensor<5x3xi16> {
  ^bb0(%a: tensor<i16>, %b: tensor<i16>):
    %three = cleave.constant dense<3> : tensor<i16>
    %t = cleave.multiply %a, %three : tensor<i16>
    %s = cleave.subtract %t, %b : tensor<i16>
    cleave.return %s : tensor<i16>
  }
  return %r : tensor<5x3xi16>
}
