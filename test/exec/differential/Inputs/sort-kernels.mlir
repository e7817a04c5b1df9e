// Sorts of rows whose runs are merged an odd number of times, more rows than
// there are blocks: by an order of numbers that differ, and by steps.
func.func @main(%bits: tensor<5x150xf32>, %f: tensor<5x150xf32>) -> (tensor<5x150xi32>, tensor<5x150xf32>) {
  %i = cleave.bitcast_convert %bits : (tensor<5x150xf32>) -> tensor<5x150xi32>
  %0 = cleave.sort(%i) dimension = 1 : (tensor<5x150xi32>) -> tensor<5x150xi32> {
  ^bb0(%l: tensor<i32>, %g: tensor<i32>):
    %c = cleave.compare LT, %l, %g : (tensor<i32>, tensor<i32>) -> tensor<i1>
    cleave.return %c : tensor<i1>
  }
  %1 = cleave.sort(%f) dimension = 1 : (tensor<5x150xf32>) -> tensor<5x150xf32> {
  ^bb0(%l: tensor<f32>, %g: tensor<f32>):
    %c = cleave.compare LT, %l, %g : (tensor<f32>, tensor<f32>) -> tensor<i1>
    cleave.return %c : tensor<i1>
  }
  return %0, %1 : tensor<5x150xi32>, tensor<5x150xf32>
}
