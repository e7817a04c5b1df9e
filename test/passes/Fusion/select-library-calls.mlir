// RUN: cleave-opt %s --cleave-select-library-calls | FileCheck %s

// CHECK-LABEL: func @mlp
// CHECK-SAME: %[[X:.*]]: tensor<4x8x16xf32>, %[[W:.*]]: tensor<16x32xf32>, %[[B:.*]]: tensor<32xf32>, %[[R:.*]]: tensor<4x8x32xf32>
// CHECK-NEXT: %[[Y:.*]] = call @[[MLP:[a-z0-9_]+]](%[[X]], %[[W]], %[[B]], %[[R]])
// CHECK-NEXT: return %[[Y]]
func.func @mlp(%x: tensor<4x8x16xf32>, %w: tensor<16x32xf32>, %bias: tensor<32xf32>, %r: tensor<4x8x32xf32>) -> tensor<4x8x32xf32> {
  %h = cleave.dot_general %x, %w, contracting_dims = [2] x [0] : (tensor<4x8x16xf32>, tensor<16x32xf32>) -> tensor<4x8x32xf32>
  %b = cleave.broadcast_in_dim %bias, dims = [2] : (tensor<32xf32>) -> tensor<4x8x32xf32>
  %s = cleave.add %h, %b : tensor<4x8x32xf32>
  %a = cleave.gelu %s : tensor<4x8x32xf32>
  %y = cleave.add %a, %r : tensor<4x8x32xf32>
  return %y : tensor<4x8x32xf32>
}

// The sum before the activation has another user.
// CHECK-LABEL: func @two_users
// CHECK-NEXT: %[[S:.*]] = call @[[BIAS_M:[a-z0-9_]+]](
// CHECK-NEXT: cleave.relu %[[S]]
func.func @two_users(%x: tensor<8x16xf32>, %w: tensor<16x32xf32>, %bias: tensor<8xf32>) -> (tensor<8x32xf32>, tensor<8x32xf32>) {
  %h = cleave.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x32xf32>) -> tensor<8x32xf32>
  %b = cleave.broadcast_in_dim %bias, dims = [0] : (tensor<8xf32>) -> tensor<8x32xf32>
  %s = cleave.add %b, %h : tensor<8x32xf32>
  %a = cleave.relu %s : tensor<8x32xf32>
  return %s, %a : tensor<8x32xf32>, tensor<8x32xf32>
}

// Attention scores need no transpose: batch (b, h), each with a stride.
// CHECK-LABEL: func @scores
// CHECK-NOT: cleave.transpose
// CHECK: return
func.func @scores(%q: tensor<2x8x4x16xf32>, %k: tensor<2x9x4x16xf32>) -> tensor<2x4x8x9xf32> {
  %s = cleave.dot_general %q, %k, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3] : (tensor<2x8x4x16xf32>, tensor<2x9x4x16xf32>) -> tensor<2x4x8x9xf32>
  return %s : tensor<2x4x8x9xf32>
}

// Contracted dimensions in another order are transposed, narrow operands
// widened.
// CHECK-LABEL: func @reordered
// CHECK: cleave.convert
// CHECK: cleave.convert
// CHECK: cleave.transpose %{{.*}}, dims = [1, 0, 2]
// CHECK: call
func.func @reordered(%a: tensor<8x3x4xbf16>, %b: tensor<4x3x6xbf16>) -> tensor<8x6xf32> {
  %s = cleave.dot_general %a, %b, contracting_dims = [1, 2] x [1, 0] : (tensor<8x3x4xbf16>, tensor<4x3x6xbf16>) -> tensor<8x6xf32>
  return %s : tensor<8x6xf32>
}

// CHECK: func private @[[MLP]](
// CHECK-SAME: attributes {cleave.gemm = {activation = "gelu_erf", bias = "n", residual = true}}
// CHECK: cleave.dot_general %arg0, %arg1
// CHECK: cleave.broadcast_in_dim %arg2
// CHECK: cleave.gelu
// CHECK: cleave.add %{{.*}}, %arg3
// CHECK: func private @[[BIAS_M]](
// CHECK-SAME: attributes {cleave.gemm = {activation = "none", bias = "m", residual = false}}
