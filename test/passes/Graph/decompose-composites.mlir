// What each composite becomes is tested in dialects/Graph/decompose.mlir; here, that all go and that `keep` keeps.
// RUN: cleave-opt %s -cleave-decompose-composites | FileCheck %s
// RUN: cleave-opt %s -cleave-decompose-composites=keep=gelu,softmax | FileCheck %s --check-prefix=KEEP

// CHECK-LABEL: func.func @main(
// KEEP-LABEL: func.func @main(
func.func @main(%x: tensor<2x8xf32>, %w: tensor<8x8xf32>, %g: tensor<8xf32>, %q: tensor<2x5x4x8xf32>, %k: tensor<2x7x4x8xf32>,
                %p: tensor<i1>) -> (tensor<2x8xf32>, tensor<2x5x4x8xf32>, tensor<2x8xf32>) {
  // CHECK-NOT: cleave.{{gelu|linear|rms_norm|softmax|attention|silu}}
  // KEEP: cleave.dot_general
  // KEEP: cleave.gelu
  %0 = cleave.linear %x, %w : (tensor<2x8xf32>, tensor<8x8xf32>) -> tensor<2x8xf32>
  %1 = cleave.gelu %0 : tensor<2x8xf32>
  // KEEP-NOT: cleave.rms_norm
  // KEEP: cleave.rsqrt
  %2 = cleave.rms_norm %1, %g, epsilon = 1.0e-6 : (tensor<2x8xf32>, tensor<8xf32>) -> tensor<2x8xf32>
  // Attention is decomposed into a softmax, which is kept in turn.
  // KEEP: cleave.softmax
  // KEEP-NOT: cleave.attention
  %3 = cleave.attention %q, %k, %k : (tensor<2x5x4x8xf32>, tensor<2x7x4x8xf32>, tensor<2x7x4x8xf32>) -> tensor<2x5x4x8xf32>
  // KEEP: cleave.if
  // KEEP: cleave.logistic
  %4 = cleave.if %p : (tensor<i1>) -> tensor<2x8xf32> then {
    %5 = cleave.silu %x : tensor<2x8xf32>
    cleave.return %5 : tensor<2x8xf32>
  } else {
    cleave.return %x : tensor<2x8xf32>
  }
  // CHECK: return
  return %2, %3, %4 : tensor<2x8xf32>, tensor<2x5x4x8xf32>, tensor<2x8xf32>
}
