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

// Nor do they where the program has some, of heads and then of keys; a tied
// embedding is not copied either.
// CHECK-LABEL: func @transposed_scores
// CHECK: call @{{.*}}(%arg0, %arg1) : (tensor<2x8x4x16xf32>, tensor<2x9x4x16xf32>) -> tensor<2x4x8x9xf32>
// CHECK-LABEL: func @tied_embedding
// CHECK: call @{{.*}}(%arg0, %arg1) : (tensor<4x8x16xf32>, tensor<96x16xf32>) -> tensor<4x8x96xf32>
func.func @transposed_scores(%q: tensor<2x8x4x16xf32>, %k: tensor<2x9x4x16xf32>) -> tensor<2x4x8x9xf32> {
  %0 = cleave.transpose %q, dims = [0, 2, 1, 3] : (tensor<2x8x4x16xf32>) -> tensor<2x4x8x16xf32>
  %1 = cleave.transpose %k, dims = [0, 2, 1, 3] : (tensor<2x9x4x16xf32>) -> tensor<2x4x9x16xf32>
  %2 = cleave.transpose %1, dims = [0, 1, 3, 2] : (tensor<2x4x9x16xf32>) -> tensor<2x4x16x9xf32>
  %s = cleave.dot_general %0, %2, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x4x8x16xf32>, tensor<2x4x16x9xf32>) -> tensor<2x4x8x9xf32>
  return %s : tensor<2x4x8x9xf32>
}
func.func @tied_embedding(%x: tensor<4x8x16xf32>, %w: tensor<96x16xf32>) -> tensor<4x8x96xf32> {
  %t = cleave.transpose %w, dims = [1, 0] : (tensor<96x16xf32>) -> tensor<16x96xf32>
  %y = cleave.dot_general %x, %t, contracting_dims = [2] x [0] : (tensor<4x8x16xf32>, tensor<16x96xf32>) -> tensor<4x8x96xf32>
  return %y : tensor<4x8x96xf32>
}

// A transpose that reorders the rows of the result, or parts what one stride
// should walk, stays.
// CHECK-LABEL: func @transposed_rows
// CHECK: cleave.transpose %arg0
// CHECK-LABEL: func @joined_rows
// CHECK: cleave.transpose %arg0
func.func @transposed_rows(%x: tensor<8x4x16xf32>, %w: tensor<16x32xf32>) -> tensor<4x8x32xf32> {
  %t = cleave.transpose %x, dims = [1, 0, 2] : (tensor<8x4x16xf32>) -> tensor<4x8x16xf32>
  %y = cleave.dot_general %t, %w, contracting_dims = [2] x [0] : (tensor<4x8x16xf32>, tensor<16x32xf32>) -> tensor<4x8x32xf32>
  return %y : tensor<4x8x32xf32>
}
func.func @joined_rows(%x: tensor<4x16x8xf32>, %w: tensor<16x32xf32>) -> tensor<4x8x32xf32> {
  %t = cleave.transpose %x, dims = [0, 2, 1] : (tensor<4x16x8xf32>) -> tensor<4x8x16xf32>
  %y = cleave.dot_general %t, %w, contracting_dims = [2] x [0] : (tensor<4x8x16xf32>, tensor<16x32xf32>) -> tensor<4x8x32xf32>
  return %y : tensor<4x8x32xf32>
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
