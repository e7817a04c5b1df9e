// RUN: cleave-opt %s --cleave-outline-block-kernels --cleave-decompose-composites | FileCheck %s

// An attention becomes a kernel of its own, which keeps it; equal operands are
// arguments of their own.
// CHECK-LABEL: func.func @attends(
// CHECK-SAME: %[[X:.*]]: tensor<2x10x8x64xf16>, %[[M:.*]]: tensor<1x1x10x10xf16>
// CHECK: %[[R:.*]] = call @attention_0(%[[X]], %[[X]], %[[X]], %[[M]])
// CHECK: return %[[R]]
func.func @attends(%x: tensor<2x10x8x64xf16>, %m: tensor<1x1x10x10xf16>) -> tensor<2x10x8x64xf16> {
  %r = cleave.attention %x, %x, %x mask %m causal
      : (tensor<2x10x8x64xf16>, tensor<2x10x8x64xf16>, tensor<2x10x8x64xf16>, tensor<1x1x10x10xf16>) -> tensor<2x10x8x64xf16>
  return %r : tensor<2x10x8x64xf16>
}

// Features that do not fit the registers of a thread, and f64, are decomposed.
// CHECK-LABEL: func.func @wide
// CHECK-NOT: call
// CHECK: cleave.dot_general
func.func @wide(%x: tensor<1x4x1x136xf32>) -> tensor<1x4x1x136xf32> {
  %r = cleave.attention %x, %x, %x
      : (tensor<1x4x1x136xf32>, tensor<1x4x1x136xf32>, tensor<1x4x1x136xf32>) -> tensor<1x4x1x136xf32>
  return %r : tensor<1x4x1x136xf32>
}

// CHECK-LABEL: func.func @double
// CHECK-NOT: call
// CHECK: cleave.dot_general
func.func @double(%x: tensor<1x4x1x8xf64>) -> tensor<1x4x1x8xf64> {
  %r = cleave.attention %x, %x, %x
      : (tensor<1x4x1x8xf64>, tensor<1x4x1x8xf64>, tensor<1x4x1x8xf64>) -> tensor<1x4x1x8xf64>
  return %r : tensor<1x4x1x8xf64>
}

// CHECK: func.func private @attention_0({{.*}}) -> tensor<2x10x8x64xf16> attributes {cleave.kernel} {
// CHECK-NEXT: %[[A:.*]] = cleave.attention %{{.*}}, %{{.*}}, %{{.*}} mask %{{.*}} causal
// CHECK-NEXT: return %[[A]]
