// RUN: cleave-differential --file %s
// Such a reduction is no loop: code generation found no operand, or crashed
// where another reduction read the result.

spmd.mesh @mesh <"x"=2>
func.func @main(%x: tensor<7x6xf64> {spmd.sharding = #spmd.sharding<@mesh, [{"x"}, {}]>},
                %init: tensor<f64>, %half: tensor<7xf16>, %flag: tensor<i1>, %flags: tensor<3xi1>)
    -> (tensor<7x6xf64>, tensor<f64>, tensor<7xf16>, tensor<3xi1>) {
  %0 = cleave.reduce(%x init: %init) applies cleave.add across dimensions = [] : (tensor<7x6xf64>, tensor<f64>) -> tensor<7x6xf64>
  %1 = cleave.reduce(%0 init: %init) applies cleave.maximum across dimensions = [0, 1] : (tensor<7x6xf64>, tensor<f64>) -> tensor<f64>
  %one = cleave.constant dense<1.0> : tensor<f16>
  %2 = cleave.reduce(%half init: %one) applies cleave.multiply across dimensions = [] : (tensor<7xf16>, tensor<f16>) -> tensor<7xf16>
  %3 = cleave.reduce(%flags init: %flag) applies cleave.or across dimensions = [] : (tensor<3xi1>, tensor<i1>) -> tensor<3xi1>
  return %0, %1, %2, %3 : tensor<7x6xf64>, tensor<f64>, tensor<7xf16>, tensor<3xi1>
}
