// A scatter whose updates are sorted, runs of which fill threads. All are in
// bounds and change the result: x becomes 3 x - u, some elements several times.
// The last of the sorted updates is alone, and not of the last run.
func.func @main(%x: tensor<67x3xi16>, %u: tensor<72x3xi16>) -> tensor<67x3xi16> {
  %number = cleave.iota dim = 0 : tensor<72xi32>
  %factor = cleave.constant dense<37> : tensor<72xi32>
  %count = cleave.constant dense<72> : tensor<72xi32>
  %five = cleave.constant dense<5> : tensor<72xi32>
  %zero = cleave.constant dense<0> : tensor<72xi32>
  %product = cleave.multiply %number, %factor : tensor<72xi32>
  %permuted = cleave.remainder %product, %count : tensor<72xi32>
  %less = cleave.subtract %permuted, %five : tensor<72xi32>
  %at = cleave.maximum %less, %zero : tensor<72xi32>
  %r = cleave.scatter(%x) at %at with (%u) {update_window_dims = array<i64: 1>, inserted_window_dims = array<i64: 0>, scatter_dims_to_operand_dims = array<i64: 0>, index_vector_dim = 1}
      : (tensor<67x3xi16>, tensor<72xi32>, tensor<72x3xi16>) -> tensor<67x3xi16> {
  ^bb0(%a: tensor<i16>, %b: tensor<i16>):
    %three = cleave.constant dense<3> : tensor<i16>
    %t = cleave.multiply %a, %three : tensor<i16>
    %s = cleave.subtract %t, %b : tensor<i16>
    cleave.return %s : tensor<i16>
  }
  return %r : tensor<67x3xi16>
}
