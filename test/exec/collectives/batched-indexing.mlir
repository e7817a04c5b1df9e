// What is batched is cut along the batch without communication: a random
// permutation of each row (bits are sorted with their places), and what is read
// and written along it.
//
// RUN: %python %S/check.py %cleave %s none --mesh data=4 --shard x=data,-
// RUN: %python %S/check.py %cleave %s none --mesh data=3 --shard x=data,-
// RUN: %python %S/check.py %cleave %s none --mesh a=2,b=3 --shard x=a+b,-

func.func @shuffle(%state: tensor<2xui64> {cleave.name = "state"}, %x: tensor<7x21xf32> {cleave.name = "x"})
    -> (tensor<7x21xf32> {cleave.name = "shuffled"}, tensor<7x21xf32> {cleave.name = "back"}) {
  %next, %bits = cleave.rng_bit_generator three_fry, %state : (tensor<2xui64>) -> (tensor<2xui64>, tensor<7x21xui32>)
  %places = cleave.iota dim = 1 : tensor<7x21xi32>
  %sorted, %order = cleave.sort(%bits, %places) dimension = 1
      : (tensor<7x21xui32>, tensor<7x21xi32>) -> (tensor<7x21xui32>, tensor<7x21xi32>) {
  ^bb0(%a: tensor<ui32>, %b: tensor<ui32>, %c: tensor<i32>, %d: tensor<i32>):
    %first = cleave.compare LT, %a, %b : (tensor<ui32>, tensor<ui32>) -> tensor<i1>
    cleave.return %first : tensor<i1>
  }
  %shuffled = cleave.gather %x, %order, offset_dims = [], collapsed_slice_dims = [1], operand_batching_dims = [0],
      start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2, slice_sizes = [1, 1]
      : (tensor<7x21xf32>, tensor<7x21xi32>) -> tensor<7x21xf32>
  %zeros = cleave.constant dense<0.0> : tensor<7x21xf32>
  %back = cleave.scatter(%zeros) at %order with (%shuffled)
      {update_window_dims = array<i64>, inserted_window_dims = array<i64: 1>, input_batching_dims = array<i64: 0>,
       scatter_indices_batching_dims = array<i64: 0>, scatter_dims_to_operand_dims = array<i64: 1>,
       index_vector_dim = 2, unique_indices}
      : (tensor<7x21xf32>, tensor<7x21xi32>, tensor<7x21xf32>) -> tensor<7x21xf32> {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    cleave.return %b : tensor<f32>
  }
  return %shuffled, %back : tensor<7x21xf32>, tensor<7x21xf32>
}
