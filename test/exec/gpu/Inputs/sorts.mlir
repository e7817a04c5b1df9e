// Sorts of rows by blocks: by an order of integers with equal keys, which stay
// in their order; by floats, whose comparison is none; of columns; and of rows
// that do not fit shared memory.
func.func @main(%a: tensor<4x333xi32>, %b: tensor<4x333xf32>, %c: tensor<200x3xf32>, %d: tensor<2x7000xi32>, %e: tensor<2x7000xi32>)
    -> (tensor<4x333xi32>, tensor<4x333xf32>, tensor<200x3xf32>, tensor<2x7000xi32>, tensor<2x7000xi32>) {
  %x:2 = cleave.sort(%a, %b) dimension = 1 : (tensor<4x333xi32>, tensor<4x333xf32>) -> (tensor<4x333xi32>, tensor<4x333xf32>) {
  ^bb0(%l: tensor<i32>, %r: tensor<i32>, %m: tensor<f32>, %s: tensor<f32>):
    %0 = cleave.compare GT, %l, %r : (tensor<i32>, tensor<i32>) -> tensor<i1>
    cleave.return %0 : tensor<i1>
  }
  %y = cleave.sort(%c) dimension = 0 : (tensor<200x3xf32>) -> tensor<200x3xf32> {
  ^bb0(%l: tensor<f32>, %r: tensor<f32>):
    %0 = cleave.compare LT, %l, %r : (tensor<f32>, tensor<f32>) -> tensor<i1>
    cleave.return %0 : tensor<i1>
  }
  %z:2 = cleave.sort(%d, %e) dimension = 1 : (tensor<2x7000xi32>, tensor<2x7000xi32>) -> (tensor<2x7000xi32>, tensor<2x7000xi32>) {
  ^bb0(%l: tensor<i32>, %r: tensor<i32>, %m: tensor<i32>, %s: tensor<i32>):
    %0 = cleave.negate %l : tensor<i32>
    %1 = cleave.negate %r : tensor<i32>
    %2 = cleave.compare LT, %0, %1 : (tensor<i32>, tensor<i32>) -> tensor<i1>
    cleave.return %2 : tensor<i1>
  }
  return %x#0, %x#1, %y, %z#0, %z#1
      : tensor<4x333xi32>, tensor<4x333xf32>, tensor<200x3xf32>, tensor<2x7000xi32>, tensor<2x7000xi32>
}
