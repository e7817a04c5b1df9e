// Positions that see themselves and what is before them, in several tiles.
func.func @main(%q: tensor<1x40x1x16xf16>, %x: tensor<1x40x1x16xf32>) -> (tensor<1x40x1x16xf16>, tensor<1x40x1x16xf32>) {
  %0 = cleave.attention %q, %q, %q causal
      : (tensor<1x40x1x16xf16>, tensor<1x40x1x16xf16>, tensor<1x40x1x16xf16>) -> tensor<1x40x1x16xf16>
  %1 = cleave.attention %x, %x, %x causal
      : (tensor<1x40x1x16xf32>, tensor<1x40x1x16xf32>, tensor<1x40x1x16xf32>) -> tensor<1x40x1x16xf32>
  return %0, %1 : tensor<1x40x1x16xf16>, tensor<1x40x1x16xf32>
}
