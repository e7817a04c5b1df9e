// The same in more batches than there are blocks, at places of two dimensions.
// In most batches many are out of bounds, by one or more, on either side; in the
// last one none is, the first update alone has the last place, and places
// decrease, so that each merge moves the last element.
func.func @main(%x: tensor<5x4x4x2xi16>, %i: tensor<5x150x2xi32>, %u: tensor<5x150x2xi16>) -> tensor<5x4x4x2xi16> {
  %batch = cleave.iota dim = 0 : tensor<5x150x2xi32>
  %number = cleave.iota dim = 1 : tensor<5x150x2xi32>
  %zero = cleave.constant dense<0> : tensor<5x150x2xi32>
  %lastBatch = cleave.constant dense<4> : tensor<5x150x2xi32>
  %three = cleave.constant dense<3> : tensor<5x150x2xi32>
  %isFirst = cleave.compare EQ, %number, %zero : (tensor<5x150x2xi32>, tensor<5x150x2xi32>) -> tensor<5x150x2xi1>
  %end = cleave.constant dense<149> : tensor<5x150x2xi32>
  %eight = cleave.constant dense<8> : tensor<5x150x2xi32>
  %two = cleave.constant dense<2> : tensor<5x150x2xi32>
  %left = cleave.subtract %end, %number : tensor<5x150x2xi32>
  %step = cleave.divide %left, %eight : tensor<5x150x2xi32>
  %some = cleave.minimum %step, %two : tensor<5x150x2xi32>
  %inside = cleave.select %isFirst, %three, %some : tensor<5x150x2xi1>, tensor<5x150x2xi32>
  %isOther = cleave.compare NE, %batch, %lastBatch : (tensor<5x150x2xi32>, tensor<5x150x2xi32>) -> tensor<5x150x2xi1>
  %at = cleave.select %isOther, %i, %inside : tensor<5x150x2xi1>, tensor<5x150x2xi32>
  %r = cleave.scatter(%x) at %at with (%u) {update_window_dims = array<i64: 2>, inserted_window_dims = array<i64: 1, 2>, input_batching_dims = array<i64: 0>, scatter_indices_batching_dims = array<i64: 0>, scatter_dims_to_operand_dims = array<i64: 1, 2>, index_vector_dim = 2}
      : (tensor<5x4x4x2xi16>, tensor<5x150x2xi32>, tensor<5x150x2xi16>) -> tensor<5x4x4x2xi16> {
  ^bb0(%a: tensor<i16>, %b: tensor<i16>):
    %factor = cleave.constant dense<3> : tensor<i16>
    %t = cleave.multiply %a, %factor : tensor<i16>
    %d = cleave.subtract %t, %b : tensor<i16>
    %offset = cleave.constant dense<100> : tensor<i16>
    %s = cleave.add %d, %offset : tensor<i16>
    cleave.return %s : tensor<i16>
  }
  return %r : tensor<5x4x4x2xi16>
}
