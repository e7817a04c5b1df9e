// Kernels whose threads wait for each other in between: transforms of two
// dimensions, a factor, a solve, and sorts by an order and by steps.
func.func @main(%a: tensor<5x6x10xf32>, %b: tensor<5x6x10xf32>, %s: tensor<2x20x20xf32>, %r: tensor<2x20x30xf32>,
                %i: tensor<4x100xi32>, %f: tensor<4x100xf32>)
    -> (tensor<5x6x10xf32>, tensor<5x6x10xf32>, tensor<2x20x20xf32>, tensor<2x20x20xf32>, tensor<2x20x30xf32>, tensor<4x100xi32>, tensor<4x100xf32>) {
  %0:2 = cleave.fft FFT %a, %b, length = [6, 10]
      : (tensor<5x6x10xf32>, tensor<5x6x10xf32>) -> (tensor<5x6x10xf32>, tensor<5x6x10xf32>)
  %row = cleave.iota dim = 1 : tensor<2x20x20xi32>
  %column = cleave.iota dim = 2 : tensor<2x20x20xi32>
  %isDiagonal = cleave.compare EQ, %row, %column : (tensor<2x20x20xi32>, tensor<2x20x20xi32>) -> tensor<2x20x20xi1>
  %one = cleave.convert %isDiagonal : (tensor<2x20x20xi1>) -> tensor<2x20x20xf32>
  %small = cleave.constant dense<0.02> : tensor<2x20x20xf32>
  %scaled = cleave.multiply %s, %small : tensor<2x20x20xf32>
  %m = cleave.add %scaled, %one : tensor<2x20x20xf32>
  %square = cleave.dot_general %m, %m, batching_dims = [0] x [0], contracting_dims = [2] x [2]
      : (tensor<2x20x20xf32>, tensor<2x20x20xf32>) -> tensor<2x20x20xf32>
  %1 = cleave.cholesky lower %square : (tensor<2x20x20xf32>) -> tensor<2x20x20xf32>
  // The same kernel, of a matrix that is not positive definite.
  %none = cleave.cholesky lower %scaled : (tensor<2x20x20xf32>) -> tensor<2x20x20xf32>
  %2 = cleave.triangular_solve no_transpose left lower (%m) (%r) : (tensor<2x20x20xf32>, tensor<2x20x30xf32>) -> tensor<2x20x30xf32>
  %3 = cleave.sort(%i) dimension = 1 : (tensor<4x100xi32>) -> tensor<4x100xi32> {
  ^bb0(%l: tensor<i32>, %g: tensor<i32>):
    %c = cleave.compare LT, %l, %g : (tensor<i32>, tensor<i32>) -> tensor<i1>
    cleave.return %c : tensor<i1>
  }
  %4 = cleave.sort(%f) dimension = 1 : (tensor<4x100xf32>) -> tensor<4x100xf32> {
  ^bb0(%l: tensor<f32>, %g: tensor<f32>):
    %c = cleave.compare LT, %l, %g : (tensor<f32>, tensor<f32>) -> tensor<i1>
    cleave.return %c : tensor<i1>
  }
  return %0#0, %0#1, %1, %none, %2, %3, %4
      : tensor<5x6x10xf32>, tensor<5x6x10xf32>, tensor<2x20x20xf32>, tensor<2x20x20xf32>, tensor<2x20x30xf32>, tensor<4x100xi32>, tensor<4x100xf32>
}
