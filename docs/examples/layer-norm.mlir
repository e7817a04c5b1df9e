// Layer normalisation over a cut dimension: ranks gather mean and sum of squared distances of their
// part of each row, two numbers, and merge them by Chan's formula. The rows stay where they are.
//
// RUN: %cleave explain %s --mesh model=4 --shard x=-,model | FileCheck %s
// RUN: %cleave verify %s --mesh model=4 --shard x=-,model --random-inputs 1 | FileCheck %s --check-prefix=VERIFY

// CHECK: all_gather  model    384  tensor<16x1x2xf32>  once {{.*}} mean and variance of layer_norm
// CHECK: total: 1 collective, 384 bytes per device, 4 ranks
// VERIFY: verified 1 of 1 outputs on 4 ranks

func.func @norm(%x: tensor<16x32xf32> {cleave.name = "x"},
                %scale: tensor<32xf32> {cleave.name = "scale"},
                %bias: tensor<32xf32> {cleave.name = "bias"}) -> (tensor<16x32xf32> {cleave.name = "y"}) {
  %y = cleave.layer_norm %x, %scale, %bias, epsilon = 1.0e-5
    : (tensor<16x32xf32>, tensor<32xf32>, tensor<32xf32>) -> tensor<16x32xf32>
  return %y : tensor<16x32xf32>
}
