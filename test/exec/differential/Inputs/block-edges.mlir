// Kernels whose threads wait for each other in between, where the last of
// everything matters: the roots of a transform are the last numbers of its
// workspace, and of a matrix the last pivot alone is not positive.
func.func @main(%a: tensor<5x12xf32>, %b: tensor<5x12xf32>, %s: tensor<2x20x20xf32>, %r: tensor<2x20x30xf32>)
    -> (tensor<5x12xf32>, tensor<5x12xf32>, tensor<2x20x20xf32>, tensor<2x20x20xf32>, tensor<2x20x30xf32>) {
  %0:2 = cleave.fft FFT %a, %b, length = [12]
      : (tensor<5x12xf32>, tensor<5x12xf32>) -> (tensor<5x12xf32>, tensor<5x12xf32>)
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
  %end = cleave.constant dense<19> : tensor<2x20x20xi32>
  %isLastRow = cleave.compare EQ, %row, %end : (tensor<2x20x20xi32>, tensor<2x20x20xi32>) -> tensor<2x20x20xi1>
  %isLast = cleave.and %isLastRow, %isDiagonal : tensor<2x20x20xi1>
  %negated = cleave.negate %square : tensor<2x20x20xf32>
  %almost = cleave.select %isLast, %negated, %square : tensor<2x20x20xi1>, tensor<2x20x20xf32>
  %none = cleave.cholesky lower %almost : (tensor<2x20x20xf32>) -> tensor<2x20x20xf32>
  %2 = cleave.triangular_solve no_transpose left lower (%m) (%r) : (tensor<2x20x20xf32>, tensor<2x20x30xf32>) -> tensor<2x20x30xf32>
  return %0#0, %0#1, %1, %none, %2
      : tensor<5x12xf32>, tensor<5x12xf32>, tensor<2x20x20xf32>, tensor<2x20x20xf32>, tensor<2x20x30xf32>
}
