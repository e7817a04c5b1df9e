// Causal attention of 8 query heads over 2 key heads, a kernel of blocks.
// RUN: cleave-opt %s -cleave-write-block-kernels | FileCheck %s
// CHECK: gpu.func @attend
// CHECK: nvvm.mma.sync
func.func private @attend(%q: tensor<1x256x8x64xf16>, %k: tensor<1x256x2x64xf16>, %v: tensor<1x256x2x64xf16>)
    -> tensor<1x256x8x64xf16> attributes {cleave.kernel} {
  %r = cleave.attention %q, %k, %v causal
      : (tensor<1x256x8x64xf16>, tensor<1x256x2x64xf16>, tensor<1x256x2x64xf16>) -> tensor<1x256x8x64xf16>
  return %r : tensor<1x256x8x64xf16>
}
