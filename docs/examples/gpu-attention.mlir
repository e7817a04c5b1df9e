// Causal attention of 8 query heads over 2 key heads, one kernel on a GPU.
// RUN: cleave-opt %s -cleave-outline-block-kernels -cleave-write-block-kernels | FileCheck %s
// CHECK: call @attention_0
// CHECK: gpu.func @attention_0
// CHECK: nvvm.mma.sync
func.func @main(%q: tensor<1x256x8x64xf16>, %k: tensor<1x256x2x64xf16>, %v: tensor<1x256x2x64xf16>)
    -> tensor<1x256x8x64xf16> {
  %r = cleave.attention %q, %k, %v causal
      : (tensor<1x256x8x64xf16>, tensor<1x256x2x64xf16>, tensor<1x256x2x64xf16>) -> tensor<1x256x8x64xf16>
  return %r : tensor<1x256x8x64xf16>
}
