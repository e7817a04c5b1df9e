// A softmax by powers of two, as attention kernels have it: exp2 of logits that are scaled by log2 e, and the logarithm of the sum,
// with the queries divided between two ranks. Whole powers are exact.
//
// RUN: %cleave verify %s --mesh data=2 --shard logits=data,- --random-inputs 1 | FileCheck %s
// CHECK: verified 3 of 3 outputs on 2 ranks
// RUN: %cleave explain %s --mesh data=2 --shard logits=data,- | FileCheck %s --check-prefix=EXPLAIN
// EXPLAIN: total: 0 collectives
func.func @main(%logits: tensor<8x64xf32> {cleave.name = "logits"}) -> (tensor<8x64xf32>, tensor<8xf32>, tensor<3xf32>) {
  %scale = stablehlo.constant dense<1.44269502> : tensor<8x64xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %least = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0 = stablehlo.multiply %logits, %scale : tensor<8x64xf32>
  %1 = stablehlo.reduce(%0 init: %least) applies stablehlo.maximum across dimensions = [1] : (tensor<8x64xf32>, tensor<f32>) -> tensor<8xf32>
  %2 = stablehlo.broadcast_in_dim %1, dims = [0] : (tensor<8xf32>) -> tensor<8x64xf32>
  %3 = stablehlo.subtract %0, %2 : tensor<8x64xf32>
  %4 = stablehlo.exp2 %3 : tensor<8x64xf32>
  %5 = stablehlo.reduce(%4 init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<8x64xf32>, tensor<f32>) -> tensor<8xf32>
  %6 = stablehlo.broadcast_in_dim %5, dims = [0] : (tensor<8xf32>) -> tensor<8x64xf32>
  %7 = stablehlo.divide %4, %6 : tensor<8x64xf32>
  %8 = stablehlo.log2 %5 : tensor<8xf32>
  %9 = stablehlo.add %1, %8 : tensor<8xf32>
  %n = stablehlo.constant dense<[-3.0, 0.0, 10.0]> : tensor<3xf32>
  %10 = stablehlo.exp2 %n : tensor<3xf32>
  return %7, %9, %10 : tensor<8x64xf32>, tensor<8xf32>, tensor<3xf32>
}
