// A product whose result is expected exactly, and a function within 3 ulp.
func.func @main() -> (tensor<4x2xf32> {cleave.expect = {index = 0, kind = "eq", role = "actual"}, cleave.expect_loc = "passes.mlir:7:3"},
                      tensor<4x2xf32> {cleave.expect = {index = 0, kind = "eq", role = "expected"}},
                      tensor<3xf32> {cleave.expect = {index = 1, kind = "close", role = "actual"}, cleave.expect_loc = "passes.mlir:9:3"},
                      tensor<3xf32> {cleave.expect = {index = 1, kind = "close", role = "expected"}}) {
  %in:2 = call @inputs() : () -> (tensor<4x3xf32>, tensor<3x2xf32>)
  %product = cleave.linear %in#0, %in#1 : (tensor<4x3xf32>, tensor<3x2xf32>) -> tensor<4x2xf32>
  %wanted = cleave.constant dense<[[1.0, 2.0], [5.0, 6.0], [3.0, 4.0], [9.0, 12.0]]> : tensor<4x2xf32>
  %x = cleave.constant dense<[0.0, 1.0, -1.0]> : tensor<3xf32>
  %exp = cleave.exponential %x : tensor<3xf32>
  %e = cleave.constant dense<[1.0, 2.71828175, 0.36787948]> : tensor<3xf32>
  return %product, %wanted, %exp, %e : tensor<4x2xf32>, tensor<4x2xf32>, tensor<3xf32>, tensor<3xf32>
}
func.func private @inputs() -> (tensor<4x3xf32>, tensor<3x2xf32>) {
  %a = cleave.constant dense<[[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [1.0, 1.0, 1.0]]> : tensor<4x3xf32>
  %b = cleave.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf32>
  return %a, %b : tensor<4x3xf32>, tensor<3x2xf32>
}
