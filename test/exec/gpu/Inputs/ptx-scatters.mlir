// A histogram, and sums of floats.
func.func @main(%i: tensor<1000xi32>, %u: tensor<1000xf32>) -> (tensor<50xi32>, tensor<50xf32>) {
  %none = cleave.constant dense<0> : tensor<50xi32>
  %one = cleave.constant dense<1> : tensor<1000xi32>
  %count = cleave.scatter(%none) at %i with (%one) {update_window_dims = array<i64>, inserted_window_dims = array<i64: 0>, scatter_dims_to_operand_dims = array<i64: 0>, index_vector_dim = 1}
      : (tensor<50xi32>, tensor<1000xi32>, tensor<1000xi32>) -> tensor<50xi32> {
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = cleave.add %a, %b : tensor<i32>
    cleave.return %s : tensor<i32>
  }
  %zero = cleave.constant dense<0.0> : tensor<50xf32>
  %sum = cleave.scatter(%zero) at %i with (%u) {update_window_dims = array<i64>, inserted_window_dims = array<i64: 0>, scatter_dims_to_operand_dims = array<i64: 0>, index_vector_dim = 1}
      : (tensor<50xf32>, tensor<1000xi32>, tensor<1000xf32>) -> tensor<50xf32> {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = cleave.add %a, %b : tensor<f32>
    cleave.return %s : tensor<f32>
  }
  return %count, %sum : tensor<50xi32>, tensor<50xf32>
}
