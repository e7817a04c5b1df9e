// A grouped convolution with the batch cut needs nothing from other ranks.
// RUN: %cleave verify %s --random-inputs 1
// RUN: %cleave explain %s | FileCheck %s
// CHECK: total: 0 collectives
sdy.mesh @mesh = <["data"=4]>
func.func @main(%x: tensor<6x8x8x12xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}, {}, {}]>}, %k: tensor<3x3x4x6xf32>)
    -> (tensor<6x8x8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}, {}, {}]>}) {
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
      window = {stride = [1, 1], pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 3 : i64}
      : (tensor<6x8x8x12xf32>, tensor<3x3x4x6xf32>) -> tensor<6x8x8x6xf32>
  return %0 : tensor<6x8x8x6xf32>
}
