// RUN: cleave-differential --file %s --inexact
// NaN in one lane of a vector made sine, cosine and tangent take another way
// for all lanes: what is in padding changed results, and replicas differed.

spmd.mesh @mesh <"x"=2>
func.func @main(%x: tensor<9x1x5x6xf32> {spmd.sharding = #spmd.sharding<@mesh, [{}, {}, {"x"}, {}]>},
                %y: tensor<9x1x5x6xf64> {spmd.sharding = #spmd.sharding<@mesh, [{}, {}, {"x"}, {}]>})
    -> (tensor<9x1x5x6xf32>, tensor<9x1x5x6xf32>, tensor<9x1x5x6xf64>, tensor<9x1x5x6xf64>) {
  %0 = cleave.cosine %x : tensor<9x1x5x6xf32>
  %1 = cleave.sine %x : tensor<9x1x5x6xf32>
  %2 = cleave.cosine %y : tensor<9x1x5x6xf64>
  %3 = cleave.sine %y : tensor<9x1x5x6xf64>
  return %0, %1, %2, %3 : tensor<9x1x5x6xf32>, tensor<9x1x5x6xf32>, tensor<9x1x5x6xf64>, tensor<9x1x5x6xf64>
}
