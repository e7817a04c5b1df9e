func.func @loop(%x: tensor<8x8xf32> {cleave.name = "x"}, %w: tensor<8x8xf32> {cleave.name = "w"}) -> tensor<8x8xf32> {
  %zero = cleave.constant dense<0> : tensor<i32>
  %n = cleave.constant dense<3> : tensor<i32>
  %one = cleave.constant dense<1> : tensor<i32>
  %r:2 = cleave.while(%i = %zero, %v = %x) : tensor<i32>, tensor<8x8xf32>
  cond {
    %c = cleave.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    cleave.return %c : tensor<i1>
  } do {
    %j = cleave.add %i, %one : tensor<i32>
    %h = cleave.linear %v, %w : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    cleave.return %j, %h : tensor<i32>, tensor<8x8xf32>
  }
  return %r#1 : tensor<8x8xf32>
}
