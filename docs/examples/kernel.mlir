// A kernel on its way from primitives to vectors.
//
// RUN: cleave-opt %s -cleave-convert-kernels-to-linalg -cleave-fuse-kernel-ops | FileCheck %s --check-prefix=LINALG
// RUN: cleave-opt %s -cleave-convert-kernels-to-linalg -cleave-fuse-kernel-ops -cleave-bufferize-kernels \
// RUN:   -cleave-vectorize-host-kernels=vector-bits=512 -cleave-lower-vector-math | FileCheck %s --check-prefix=VECTOR

// LINALG-COUNT-1: linalg.generic
// LINALG: arith.addf
// LINALG-NEXT: math.tanh
// LINALG-NOT: linalg.generic
// VECTOR: vector.load %arg0{{.*}} vector<16xf32>
// VECTOR: vector.load %arg1{{.*}} vector<16xf32>
// VECTOR: arith.addf {{.*}} : vector<16xf32>
// VECTOR: llvm.call @Sleef_tanhf16_u10avx512f
// VECTOR: vector.store {{.*}} %arg2

func.func private @kernel_0(%x: tensor<4x40xf32>, %y: tensor<4x40xf32>) -> tensor<4x40xf32> attributes {cleave.kernel} {
  %0 = cleave.add %x, %y : tensor<4x40xf32>
  %1 = cleave.tanh %0 : tensor<4x40xf32>
  return %1 : tensor<4x40xf32>
}
