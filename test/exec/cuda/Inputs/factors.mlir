// Sums whose operands may be rounded: a product, two of them in attention, and one of f64 that stays.
func.func @main(%x: tensor<24x40xf32> {cleave.name = "x"}, %w: tensor<40x16xf32> {cleave.name = "w"},
                %q: tensor<1x32x2x16xf32> {cleave.name = "q"}, %k: tensor<1x64x2x16xf32> {cleave.name = "k"},
                %v: tensor<1x64x2x32xf32> {cleave.name = "v"},
                %d: tensor<24x40xf64> {cleave.name = "d"}, %e: tensor<40x16xf64> {cleave.name = "e"})
    -> (tensor<24x16xf32> {cleave.name = "product"}, tensor<1x32x2x32xf32> {cleave.name = "attention"},
        tensor<24x16xf64> {cleave.name = "double"}) {
  %p = cleave.linear %x, %w : (tensor<24x40xf32>, tensor<40x16xf32>) -> tensor<24x16xf32>
  %a = cleave.attention %q, %k, %v scale = 0.25
      : (tensor<1x32x2x16xf32>, tensor<1x64x2x16xf32>, tensor<1x64x2x32xf32>) -> tensor<1x32x2x32xf32>
  %f = cleave.linear %d, %e : (tensor<24x40xf64>, tensor<40x16xf64>) -> tensor<24x16xf64>
  return %p, %a, %f : tensor<24x16xf32>, tensor<1x32x2x32xf32>, tensor<24x16xf64>
}
