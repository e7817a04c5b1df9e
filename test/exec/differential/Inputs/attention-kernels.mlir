// Attention without edges, where every step, barrier, shuffle and register has
// its part in the result: two tiles of keys, all rows and features in use, and
// weights that differ much.
func.func @main(%q: tensor<1x32x1x32xf16>, %k: tensor<1x64x1x32xf16>, %v: tensor<1x64x1x32xf16>,
                %x: tensor<1x16x1x16xf32>, %y: tensor<1x32x1x16xf32>, %z: tensor<1x32x1x32xf32>)
    -> (tensor<1x32x1x32xf16>, tensor<1x16x1x32xf32>) {
  %0 = cleave.attention %q, %k, %v scale = 0.4
      : (tensor<1x32x1x32xf16>, tensor<1x64x1x32xf16>, tensor<1x64x1x32xf16>) -> tensor<1x32x1x32xf16>
  %1 = cleave.attention %x, %y, %z scale = 0.4
      : (tensor<1x16x1x16xf32>, tensor<1x32x1x16xf32>, tensor<1x32x1x32xf32>) -> tensor<1x16x1x32xf32>
  return %0, %1 : tensor<1x32x1x32xf16>, tensor<1x16x1x32xf32>
}
