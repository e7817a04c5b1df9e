// A factor of a matrix whose rows are cut needs all of them.
spmd.mesh @m <"x"=2>
func.func @main() -> (tensor<2x2xf32> {spmd.sharding = #spmd.sharding<@m, [{}, {}]>, cleave.expect = {index = 0, kind = "eq", role = "actual"}},
                      tensor<2x2xf32> {spmd.sharding = #spmd.sharding<@m, [{}, {}]>, cleave.expect = {index = 0, kind = "eq", role = "expected"}}) {
  %a = call @inputs() : () -> tensor<2x2xf32>
  %cut = spmd.sharding_constraint %a <@m, [{"x"}, {}]> : tensor<2x2xf32>
  %b = cleave.cholesky lower %cut : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %triangle = cleave.constant dense<[[1.0, 0.0], [1.0, 1.0]]> : tensor<2x2xf32>
  %lower = cleave.multiply %b, %triangle : tensor<2x2xf32>
  %c = cleave.constant dense<[[2.0, 0.0], [1.0, 2.0]]> : tensor<2x2xf32>
  return %lower, %c : tensor<2x2xf32>, tensor<2x2xf32>
}
func.func private @inputs() -> tensor<2x2xf32> {
  %a = cleave.constant dense<[[4.0, 2.0], [2.0, 5.0]]> : tensor<2x2xf32>
  return %a : tensor<2x2xf32>
}
