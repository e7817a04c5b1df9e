// Kernels on a GPU that turn tiles in shared memory: one with edges, one with
// two inputs of which one is turned.
func.func @main(%x: tensor<3x70x100xf32>, %y: tensor<128x64xbf16>, %z: tensor<64x128xbf16>)
    -> (tensor<3x100x70xf32>, tensor<64x128xbf16>) {
  %0 = cleave.transpose %x, dims = [0, 2, 1] : (tensor<3x70x100xf32>) -> tensor<3x100x70xf32>
  %t = cleave.transpose %y, dims = [1, 0] : (tensor<128x64xbf16>) -> tensor<64x128xbf16>
  %1 = cleave.multiply %t, %z : tensor<64x128xbf16>
  return %0, %1 : tensor<3x100x70xf32>, tensor<64x128xbf16>
}
