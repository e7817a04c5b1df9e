// Heads are split off a cut dimension and merged again: where their number divides, nothing is exchanged. Where it does
// not (6 heads over 4 ranks: blocks of 12 are one head and a half), the ranks exchange what their heads lack.
// RUN: sed s/SIZE/3/ %s > %t.3.mlir && %cleave verify %t.3.mlir --random-inputs 1
// RUN: %cleave explain %t.3.mlir | FileCheck %s
// CHECK: total: 0 collectives
// RUN: sed s/SIZE/4/ %s > %t.4.mlir && %cleave verify %t.4.mlir --random-inputs 1
// RUN: %cleave explain %t.4.mlir | FileCheck %s --check-prefix=FOUR
// FOUR: window_exchange model 96 {{.*}} divide its 6 groups of 8 elements
// FOUR: window_exchange model 96
// FOUR: total: 2 collectives, 192 bytes per device
// RUN: sed s/SIZE/5/ %s > %t.5.mlir && %cleave verify %t.5.mlir --random-inputs 1
// RUN: %cleave explain %t.5.mlir | FileCheck %s --check-prefix=FIVE
// FIVE: total: 2 collectives, 208 bytes per device
sdy.mesh @mesh = <["model"=SIZE]>
func.func @main(%x: tensor<2x48xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>})
    -> (tensor<2x48xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>}) {
  %0 = stablehlo.reshape %x : (tensor<2x48xf32>) -> tensor<2x6x8xf32>
  %1 = stablehlo.tanh %0 : tensor<2x6x8xf32>
  %2 = stablehlo.reshape %1 : (tensor<2x6x8xf32>) -> tensor<2x48xf32>
  return %2 : tensor<2x48xf32>
}
