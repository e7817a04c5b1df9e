// One kernel of each kind: elementwise, a sum of rows, a transposition.
func.func @main(%x: tensor<64x1024xf32>, %y: tensor<64x1024xf32>, %z: tensor<70x100xf32>)
    -> (tensor<64x1024xf32>, tensor<64x1024xf32>, tensor<100x70xf32>) {
  %0 = cleave.gelu %x : tensor<64x1024xf32>
  %1 = cleave.softmax %y, dim = 1 : tensor<64x1024xf32>
  %2 = cleave.transpose %z, dims = [1, 0] : (tensor<70x100xf32>) -> tensor<100x70xf32>
  return %0, %1, %2 : tensor<64x1024xf32>, tensor<64x1024xf32>, tensor<100x70xf32>
}
