func.func @linear(%x: tensor<6x8xf32> {cleave.name = "x"},
                  %w: tensor<8x4xf32> {cleave.name = "w"}) -> (tensor<6x4xf32> {cleave.name = "y"}) {
  %y = cleave.linear %x, %w : (tensor<6x8xf32>, tensor<8x4xf32>) -> tensor<6x4xf32>
  return %y : tensor<6x4xf32>
}
