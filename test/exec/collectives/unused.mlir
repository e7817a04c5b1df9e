// A sum that nothing uses is not communicated, nor explained.
// RUN: %cleave explain %s --mesh x=2 --shard x=x,- | FileCheck %s
// RUN: %cleave run %s --mesh x=2 --shard x=x,- --random-inputs 1 --counters | FileCheck %s
// CHECK-NOT: all_reduce
func.func @main(%x: tensor<8x8xf32> {cleave.name = "x"}) -> tensor<8x8xf32> {
  %zero = cleave.constant dense<0.0> : tensor<f32>
  %sum = cleave.reduce(%x init: %zero) applies cleave.add across dimensions = [0, 1] : (tensor<8x8xf32>, tensor<f32>) -> tensor<f32>
  %y = cleave.negate %x : tensor<8x8xf32>
  return %y : tensor<8x8xf32>
}
