// A product of weights that are stored in 8 bits, as JAX writes it: activations are scaled into the range of the type and rounded,
// the product is in f32. Between ranks an activation is one byte: of its 4 x 64 a rank sends half, and gets as many.
//
// RUN: %cleave explain %s --mesh data=2 --shard w=data,- --shard x=data,- | FileCheck %s --check-prefix=BYTES
// RUN: %cleave verify %s --mesh data=2 --shard w=data,- --shard x=data,- --random-inputs 1 | FileCheck %s --check-prefix=VERIFY
//
// BYTES: all_to_all {{.*}} 128 {{.*}}tensor<4x64xf8E4M3FN>
// VERIFY: verified 2 of 2 outputs on 2 ranks
module @jit_layer {
  func.func public @main(%x: tensor<8x64xf32> loc("x"), %w: tensor<64x32xf8E4M3FN> loc("w")) -> (tensor<8x32xf32>, tensor<8x64xf8E4M3FN>) {
    %most = stablehlo.constant dense<448.0> : tensor<f32>
    %least = stablehlo.constant dense<-448.0> : tensor<f32>
    %scale = stablehlo.constant dense<64.0> : tensor<8x64xf32>
    %0 = stablehlo.multiply %x, %scale : tensor<8x64xf32>
    %1 = stablehlo.clamp %least, %0, %most : (tensor<f32>, tensor<8x64xf32>, tensor<f32>) -> tensor<8x64xf32>
    %2 = stablehlo.convert %1 : (tensor<8x64xf32>) -> tensor<8x64xf8E4M3FN>
    %3 = stablehlo.dot_general %2, %w, contracting_dims = [1] x [0] : (tensor<8x64xf8E4M3FN>, tensor<64x32xf8E4M3FN>) -> tensor<8x32xf32>
    return %3, %2 : tensor<8x32xf32>, tensor<8x64xf8E4M3FN>
  }
}
