// A constraint cuts 7 rows over 2 ranks, over 4 (2, 2, 2, 1) and over 6 (2, 2, 2, 1, 0, 0).
// RUN: sed s/SIZE/2/ %s > %t.2.mlir && %cleave verify %t.2.mlir --random-inputs 1
// RUN: sed s/SIZE/4/ %s > %t.4.mlir && %cleave verify %t.4.mlir --random-inputs 1
// RUN: sed s/SIZE/6/ %s > %t.6.mlir && %cleave verify %t.6.mlir --random-inputs 1
// RUN: %cleave explain %t.6.mlir | FileCheck %s

// The input arrives whole; of its rows each rank sums its own, and one number is exchanged.
// CHECK: all_reduce x 7 tensor<f32>
// CHECK: total: 1 collective,
sdy.mesh @mesh = <["x"=SIZE]>
func.func @main(%x: tensor<7x5xf32>) -> (tensor<7x5xf32>, tensor<f32>) {
  %0 = stablehlo.tanh %x : tensor<7x5xf32>
  %1 = sdy.sharding_constraint %0 <@mesh, [{"x"}, {}]> : tensor<7x5xf32>
  %2 = stablehlo.multiply %1, %1 : tensor<7x5xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %3 = stablehlo.reduce(%2 init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<7x5xf32>, tensor<f32>) -> tensor<f32>
  return %2, %3 : tensor<7x5xf32>, tensor<f32>
}
