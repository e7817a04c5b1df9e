// Attention in which every test of a bound has its part in the result: rows,
// keys and features end within a tile.
func.func @main(%q: tensor<1x20x1x20xbf16>, %k: tensor<1x35x1x20xbf16>, %v: tensor<1x35x1x10xbf16>,
                %x: tensor<1x9x2x6xf32>, %y: tensor<1x20x2x6xf32>, %z: tensor<1x20x2x10xf32>)
    -> (tensor<1x20x1x10xbf16>, tensor<1x9x2x10xf32>) {
  %0 = cleave.attention %q, %k, %v scale = 1.0
      : (tensor<1x20x1x20xbf16>, tensor<1x35x1x20xbf16>, tensor<1x35x1x10xbf16>) -> tensor<1x20x1x10xbf16>
  %1 = cleave.attention %x, %y, %z scale = 1.0
      : (tensor<1x9x2x6xf32>, tensor<1x20x2x6xf32>, tensor<1x20x2x10xf32>) -> tensor<1x9x2x10xf32>
  return %0, %1 : tensor<1x20x1x10xbf16>, tensor<1x9x2x10xf32>
}
