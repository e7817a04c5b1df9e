// The same of more updates than a block sorts in one step.
func.func @main(%x: tensor<6xi16>, %i: tensor<4200xui32>, %u: tensor<4200xi16>) -> tensor<6xi16> {
  %number = cleave.iota dim = 0 : tensor<4200xui32>
  %zero = cleave.constant dense<0> : tensor<4200xui32>
  %last = cleave.constant dense<5> : tensor<4200xui32>
  %isFirst = cleave.compare EQ, %number, %zero : (tensor<4200xui32>, tensor<4200xui32>) -> tensor<4200xi1>
  %at = cleave.select %isFirst, %last, %i : tensor<4200xi1>, tensor<4200xui32>
  %r = cleave.scatter(%x) at %at with (%u) {update_window_dims = array<i64>, inserted_window_dims = array<i64: 0>, scatter_dims_to_operand_dims = array<i64: 0>, index_vector_dim = 1}
      : (tensor<6xi16>, tensor<4200xui32>, tensor<4200xi16>) -> tensor<6xi16> {
  ^bb0(%a: tensor<i16>, %b: tensor<i16>):
    %factor = cleave.constant dense<3> : tensor<i16>
    %t = cleave.multiply %a, %factor : tensor<i16>
    %d = cleave.subtract %t, %b : tensor<i16>
    %offset = cleave.constant dense<100> : tensor<i16>
    %s = cleave.add %d, %offset : tensor<i16>
    cleave.return %s : tensor<i16>
  }
  return %r : tensor<6xi16>
}
