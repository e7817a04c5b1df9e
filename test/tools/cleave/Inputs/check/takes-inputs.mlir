func.func @main(%x: tensor<2xi32> {cleave.name = "x"})
    -> (tensor<2xi32> {cleave.expect = {index = 0, kind = "eq", role = "actual"}},
        tensor<2xi32> {cleave.expect = {index = 0, kind = "eq", role = "expected"}}) {
  %c = cleave.constant dense<[1, 2]> : tensor<2xi32>
  return %x, %c : tensor<2xi32>, tensor<2xi32>
}
