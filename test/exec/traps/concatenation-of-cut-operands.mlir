// Two operands with cut rows, joined along their columns: no exchange.
// RUN: %cleave verify %s --random-inputs 1
// RUN: %cleave explain %s | FileCheck %s
// CHECK: total: 0 collectives
sdy.mesh @mesh = <["data"=4]>
func.func @main(%x: tensor<15x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>},
                %y: tensor<15x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>})
    -> (tensor<15x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}) {
  %0 = stablehlo.concatenate %x, %y, dim = 1 : (tensor<15x3xf32>, tensor<15x5xf32>) -> tensor<15x8xf32>
  return %0 : tensor<15x8xf32>
}
