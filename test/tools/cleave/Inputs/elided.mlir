func.func @main(%x: tensor<4x8xf32> {cleave.name = "x"}) -> tensor<4x8xf32> {
  %c = stablehlo.constant dense_resource<__elided__> : tensor<4x8xf32>
  %0 = stablehlo.add %x, %c : tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}
