// Kernels of rows on a GPU, in which every step, shuffle and barrier has its
// part in the result (the maximum in a softmax, for example, has none): of one
// warp and of several.
func.func @main(%x: tensor<7x100xf32>, %y: tensor<6x1030xf32>, %n: tensor<5x400xf32>, %g: tensor<400xf32>, %h: tensor<400xf32>,
                %i: tensor<9x333xi32>, %c: tensor<37x65xf32>)
    -> (tensor<7x100xf32>, tensor<6x1030xf32>, tensor<5x400xf32>, tensor<9xi32>, tensor<65xf32>) {
  %zero = cleave.constant dense<0> : tensor<i32>
  %fzero = cleave.constant dense<0.0> : tensor<f32>
  %flow = cleave.constant dense<0xFF800000> : tensor<f32>
  %m = cleave.reduce(%x init: %flow) applies cleave.maximum across dimensions = [1] : (tensor<7x100xf32>, tensor<f32>) -> tensor<7xf32>
  %mb = cleave.broadcast_in_dim %m, dims = [0] : (tensor<7xf32>) -> tensor<7x100xf32>
  %0 = cleave.subtract %x, %mb : tensor<7x100xf32>
  %e = cleave.exponential %y : tensor<6x1030xf32>
  %s = cleave.reduce(%e init: %fzero) applies cleave.add across dimensions = [1] : (tensor<6x1030xf32>, tensor<f32>) -> tensor<6xf32>
  %sb = cleave.broadcast_in_dim %s, dims = [0] : (tensor<6xf32>) -> tensor<6x1030xf32>
  %1 = cleave.divide %e, %sb : tensor<6x1030xf32>
  %2 = cleave.layer_norm %n, %g, %h, epsilon = 1.000000e-05 : (tensor<5x400xf32>, tensor<400xf32>, tensor<400xf32>) -> tensor<5x400xf32>
  %3 = cleave.reduce(%i init: %zero) applies cleave.add across dimensions = [1] : (tensor<9x333xi32>, tensor<i32>) -> tensor<9xi32>
  %4 = cleave.reduce(%c init: %fzero) applies cleave.add across dimensions = [0] : (tensor<37x65xf32>, tensor<f32>) -> tensor<65xf32>
  return %0, %1, %2, %3, %4 : tensor<7x100xf32>, tensor<6x1030xf32>, tensor<5x400xf32>, tensor<9xi32>, tensor<65xf32>
}
