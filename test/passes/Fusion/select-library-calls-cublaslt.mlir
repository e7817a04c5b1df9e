// RUN: cleave-opt %s --cleave-select-library-calls=epilogues=linear | FileCheck %s --check-prefixes=CHECK,LINEAR
// RUN: cleave-opt %s --cleave-select-library-calls=epilogues=fast | FileCheck %s --check-prefixes=CHECK,FAST

// Its bias is one of each column, its residual comes before an activation, and it
// makes 0 of NaN in relu.
// CHECK-LABEL: func @relu(
// LINEAR: %[[S:.*]] = call @{{.*}}(%arg0, %arg1, %arg2)
// LINEAR: cleave.relu %[[S]]
// FAST: call @{{.*}}(%arg0, %arg1, %arg2)
// FAST-NEXT: return
func.func @relu(%x: tensor<8x16xf32>, %w: tensor<16x32xf32>, %bias: tensor<32xf32>) -> tensor<8x32xf32> {
  %h = cleave.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x32xf32>) -> tensor<8x32xf32>
  %b = cleave.broadcast_in_dim %bias, dims = [1] : (tensor<32xf32>) -> tensor<8x32xf32>
  %s = cleave.add %h, %b : tensor<8x32xf32>
  %a = cleave.relu %s : tensor<8x32xf32>
  return %a : tensor<8x32xf32>
}

// CHECK-LABEL: func @residual(
// CHECK: call @{{.*}}(%arg0, %arg1, %arg2, %arg3)
// CHECK-NEXT: return
func.func @residual(%x: tensor<8x16xf32>, %w: tensor<16x32xf32>, %bias: tensor<32xf32>, %r: tensor<8x32xf32>) -> tensor<8x32xf32> {
  %h = cleave.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x32xf32>) -> tensor<8x32xf32>
  %b = cleave.broadcast_in_dim %bias, dims = [1] : (tensor<32xf32>) -> tensor<8x32xf32>
  %s = cleave.add %h, %b : tensor<8x32xf32>
  %y = cleave.add %s, %r : tensor<8x32xf32>
  return %y : tensor<8x32xf32>
}

// CHECK-LABEL: func @rows(
// CHECK: %[[P:.*]] = call @{{.*}}(%arg0, %arg1)
// CHECK: cleave.add
func.func @rows(%x: tensor<8x16xf32>, %w: tensor<16x32xf32>, %bias: tensor<8xf32>) -> tensor<8x32xf32> {
  %h = cleave.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x32xf32>) -> tensor<8x32xf32>
  %b = cleave.broadcast_in_dim %bias, dims = [0] : (tensor<8xf32>) -> tensor<8x32xf32>
  %s = cleave.add %h, %b : tensor<8x32xf32>
  return %s : tensor<8x32xf32>
}

// CHECK-LABEL: func @residual_after_activation(
// CHECK: cleave.add
// CHECK: return
func.func @residual_after_activation(%x: tensor<8x16xf32>, %w: tensor<16x32xf32>, %r: tensor<8x32xf32>) -> tensor<8x32xf32> {
  %h = cleave.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x32xf32>) -> tensor<8x32xf32>
  %a = cleave.relu %h : tensor<8x32xf32>
  %y = cleave.add %a, %r : tensor<8x32xf32>
  return %y : tensor<8x32xf32>
}
