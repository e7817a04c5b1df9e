// Parts of one axis that follow one another cut uneven sizes otherwise than the axis does: 5 rows over
// two times two positions are blocks of 2, 1, 2 and 0, over the axis at once 2, 2, 1 and 0.
//
// RUN: %python %S/check.py %cleave %s any
// RUN: %cleave verify %s --random-inputs 3 | FileCheck %s
// CHECK: verified 4 of 4 outputs on 8 ranks

spmd.mesh @m <"x"=4, "y"=2>
func.func @main(%a: tensor<5x3xf32> {cleave.name = "a", spmd.sharding = #spmd.sharding<@m, [{"x":(1)2, "x":(2)2}, {}]>},
                %b: tensor<5x3xf32> {cleave.name = "b", spmd.sharding = #spmd.sharding<@m, [{"x"}, {}]>},
                %c: tensor<7x11xf32> {cleave.name = "c", spmd.sharding = #spmd.sharding<@m, [{"x":(1)2, "x":(2)2, "y"}, {}]>})
    -> (tensor<5x3xf32> {cleave.name = "sum", spmd.sharding = #spmd.sharding<@m, [{"x":(1)2, "x":(2)2}, {}]>},
        tensor<5x3xf32> {cleave.name = "again", spmd.sharding = #spmd.sharding<@m, [{"x"}, {}]>},
        tensor<7x11xf32> {cleave.name = "moved", spmd.sharding = #spmd.sharding<@m, [{}, {"y", "x":(1)2, "x":(2)2}]>},
        tensor<11xf32> {cleave.name = "reduced", spmd.sharding = #spmd.sharding<@m, [{}]>}) {
  %sum = cleave.add %a, %b : tensor<5x3xf32>
  %e = cleave.exponential %c : tensor<7x11xf32>
  %zero = cleave.constant dense<0.0> : tensor<f32>
  %r = cleave.reduce(%e init: %zero) applies cleave.add across dimensions = [0] : (tensor<7x11xf32>, tensor<f32>) -> tensor<11xf32>
  return %sum, %sum, %e, %r : tensor<5x3xf32>, tensor<5x3xf32>, tensor<7x11xf32>, tensor<11xf32>
}
