// Passes, is wrong, does not parse, checks nothing.
func.func @main() -> (tensor<2xi32> {cleave.expect = {index = 0, kind = "eq", role = "actual"}},
                      tensor<2xi32> {cleave.expect = {index = 0, kind = "eq", role = "expected"}}) {
  %a = cleave.constant dense<[1, 2]> : tensor<2xi32>
  %b = cleave.add %a, %a : tensor<2xi32>
  %c = cleave.constant dense<[2, 4]> : tensor<2xi32>
  return %b, %c : tensor<2xi32>, tensor<2xi32>
}

// -----

func.func @main() -> (tensor<2xf32> {cleave.expect = {index = 0, kind = "eq", role = "actual"}, cleave.expect_loc = "here:1:2"},
                      tensor<2xf32> {cleave.expect = {index = 0, kind = "eq", role = "expected"}}) {
  %a = cleave.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %b = cleave.add %a, %a : tensor<2xf32>
  %c = cleave.constant dense<[2.0, 4.0000005]> : tensor<2xf32>
  return %b, %c : tensor<2xf32>, tensor<2xf32>
}

// -----

func.func @main() -> tensor<2xi32> {
  %a = cleave.constant dense<[1, 2]> : tensor<2xi32>
  %b = cleave.add %a, %x : tensor<2xi32>
  return %b : tensor<2xi32>
}

// -----
// Only a comment.

// -----

func.func @main() -> tensor<2xi32> {
  %a = cleave.constant dense<[1, 2]> : tensor<2xi32>
  return %a : tensor<2xi32>
}
