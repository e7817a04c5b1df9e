// A scatter whose updates are sorted; x becomes 3 x - u + 100, so that each update
// and its order show. No fault is without consequence: all places are in bounds
// (inputs without sign are at most 4), the first update alone has the last
// place, and those of a place are in several runs and blocks.
func.func @main(%x: tensor<6x3xi16>, %i: tensor<70xui32>, %u: tensor<70x3xi16>) -> tensor<6x3xi16> {
  %number = cleave.iota dim = 0 : tensor<70xui32>
  %zero = cleave.constant dense<0> : tensor<70xui32>
  %last = cleave.constant dense<5> : tensor<70xui32>
  %isFirst = cleave.compare EQ, %number, %zero : (tensor<70xui32>, tensor<70xui32>) -> tensor<70xi1>
  %at = cleave.select %isFirst, %last, %i : tensor<70xi1>, tensor<70xui32>
  %r = cleave.scatter(%x) at %at with (%u) {update_window_dims = array<i64: 1>, inserted_window_dims = array<i64: 0>, scatter_dims_to_operand_dims = array<i64: 0>, index_vector_dim = 1}
      : (tensor<6x3xi16>, tensor<70xui32>, tensor<70x3xi16>) -> tensor<6x3xi16> {
  ^bb0(%a: tensor<i16>, %b: tensor<i16>):
    %factor = cleave.constant dense<3> : tensor<i16>
    %t = cleave.multiply %a, %factor : tensor<i16>
    %d = cleave.subtract %t, %b : tensor<i16>
    %offset = cleave.constant dense<100> : tensor<i16>
    %s = cleave.add %d, %offset : tensor<i16>
    cleave.return %s : tensor<i16>
  }
  return %r : tensor<6x3xi16>
}
