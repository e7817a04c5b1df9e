// Reversing a cut dimension needs all of it.
spmd.mesh @m <"x"=2>
func.func @main() -> (tensor<4x2xi32> {spmd.sharding = #spmd.sharding<@m, [{}, {}]>, cleave.expect = {index = 0, kind = "eq", role = "actual"}},
                      tensor<4x2xi32> {spmd.sharding = #spmd.sharding<@m, [{}, {}]>, cleave.expect = {index = 0, kind = "eq", role = "expected"}}) {
  %a = call @inputs() : () -> tensor<4x2xi32>
  %cut = spmd.sharding_constraint %a <@m, [{"x"}, {}]> : tensor<4x2xi32>
  %b = cleave.reverse %cut, dims = [0] : tensor<4x2xi32>
  %c = cleave.constant dense<[[7, 8], [5, 6], [3, 4], [1, 2]]> : tensor<4x2xi32>
  return %b, %c : tensor<4x2xi32>, tensor<4x2xi32>
}
func.func private @inputs() -> tensor<4x2xi32> {
  %a = cleave.constant dense<[[1, 2], [3, 4], [5, 6], [7, 8]]> : tensor<4x2xi32>
  return %a : tensor<4x2xi32>
}
