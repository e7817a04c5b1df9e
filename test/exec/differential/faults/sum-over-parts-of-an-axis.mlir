// A sum over both halves of an axis is one over the axis; the verifier took them for two sums.
// RUN: cleave-differential --file %s

spmd.mesh @mesh <"x"=4, "y"=1>
func.func @main(%arg0: tensor<9x6x1x1xf64> {spmd.sharding = #spmd.sharding<@mesh, [{}, {"x"}, {}, {}]>},
                %arg1: tensor<1x1x1x8xf64> {spmd.sharding = #spmd.sharding<@mesh, [{}, {"x":(2)2, "x":(1)2}, {}, {}]>}) -> tensor<1x1xf64> {
  %zero = cleave.constant dense<0.0> : tensor<f64>
  %0 = cleave.reduce_window(%arg0) init(%zero) {base_dilations = array<i64: 1, 1, 1, 1>, padding = array<i64: 0, 0, 0, 0, 0, 0, 0, 0>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 9, 6, 1, 1>, window_strides = array<i64: 1, 1, 1, 1>} : (tensor<9x6x1x1xf64>, tensor<f64>) -> tensor<1x1x1x1xf64> {
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %5 = cleave.add %a, %b : tensor<f64>
    cleave.return %5 : tensor<f64>
  }
  %1 = cleave.linear %0, %arg1 contracting = 2 : (tensor<1x1x1x1xf64>, tensor<1x1x1x8xf64>) -> tensor<1x1x1x8xf64>
  %2 = cleave.reduce(%1 init: %zero) applies cleave.add across dimensions = [0, 3] : (tensor<1x1x1x8xf64>, tensor<f64>) -> tensor<1x1xf64>
  return %2 : tensor<1x1xf64>
}
