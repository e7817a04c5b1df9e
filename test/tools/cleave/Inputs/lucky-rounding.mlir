func.func @main(%x: tensor<5xf32>, %v: tensor<5xf32>) -> tensor<5xf32> {
  %one = cleave.constant dense<1.0> : tensor<5xf32>
  %c = cleave.constant dense<1.1> : tensor<5xf32>
  %0 = cleave.multiply %x, %x : tensor<5xf32>
  %1 = cleave.subtract %0, %c : tensor<5xf32>
  %2 = cleave.multiply %1, %v : tensor<5xf32>
  %3 = cleave.multiply %0, %v : tensor<5xf32>
  %4 = cleave.add %2, %3 : tensor<5xf32>
  %5 = cleave.subtract %4, %x : tensor<5xf32>
  %6 = cleave.multiply %5, %1 : tensor<5xf32>
  %7 = cleave.divide %6, %c : tensor<5xf32>
  %8 = cleave.add %7, %x : tensor<5xf32>
  return %8 : tensor<5xf32>
}
