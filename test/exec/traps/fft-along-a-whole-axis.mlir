// A transform along a dimension that is not cut runs on each rank's rows.
// RUN: %cleave verify %s --random-inputs 1
// RUN: %cleave explain %s | FileCheck %s
// CHECK: total: 0 collectives
sdy.mesh @mesh = <["data"=3]>
func.func @main(%x: tensor<8x24xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>})
    -> (tensor<8x13xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}) {
  %0 = stablehlo.fft %x, type = RFFT, length = [24] : (tensor<8x24xf32>) -> tensor<8x13xcomplex<f32>>
  %1 = stablehlo.abs %0 : (tensor<8x13xcomplex<f32>>) -> tensor<8x13xf32>
  return %1 : tensor<8x13xf32>
}
