func.func @main(%scale: tensor<768xf32>, %shift: tensor<768xf32>, %bias: tensor<768xf32>, %x: tensor<2x128x768xf32>, %y: tensor<2x128x768xf32>) -> tensor<2x128x768xf32> {
  %b = cleave.broadcast_in_dim %bias, dims = [2] : (tensor<768xf32>) -> tensor<2x128x768xf32>
  %0 = cleave.add %x, %b : tensor<2x128x768xf32>
  %1 = cleave.add %y, %0 : tensor<2x128x768xf32>
  %2 = cleave.layer_norm %1, %scale, %shift, epsilon = 1.0e-5 : (tensor<2x128x768xf32>, tensor<768xf32>, tensor<768xf32>) -> tensor<2x128x768xf32>
  return %2 : tensor<2x128x768xf32>
}
