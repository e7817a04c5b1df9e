// RUN: cleave-opt %s -pass-pipeline='builtin.module(func.func(cleave-expand-bias))' | FileCheck %s

// CHECK-LABEL: func.func @bias(
// CHECK-SAME: %[[X:.*]]: tensor<2x5x8xf32>, %[[W:.*]]: tensor<8x6xf32>, %[[B:.*]]: tensor<6xf32>
// CHECK: %[[L:.*]] = cleave.linear %[[X]], %[[W]] : (tensor<2x5x8xf32>, tensor<8x6xf32>) -> tensor<2x5x6xf32>
// CHECK: %[[R:.*]] = cleave.broadcast_in_dim %[[B]], dims = [2] : (tensor<6xf32>) -> tensor<2x5x6xf32>
// CHECK: %[[S:.*]] = cleave.add %[[L]], %[[R]] {cleave.name = "up"} : tensor<2x5x6xf32>
// CHECK: return %[[S]]
func.func @bias(%x: tensor<2x5x8xf32>, %w: tensor<8x6xf32>, %b: tensor<6xf32>) -> tensor<2x5x6xf32> {
  %0 = cleave.linear %x, %w bias %b {cleave.name = "up"} : (tensor<2x5x8xf32>, tensor<8x6xf32>, tensor<6xf32>) -> tensor<2x5x6xf32>
  return %0 : tensor<2x5x6xf32>
}

// CHECK-LABEL: func.func @several_dimensions(
// CHECK: %[[L:.*]] = cleave.linear %{{.*}}, %{{.*}} contracting = 2 : (tensor<2x5x8xf32>, tensor<5x8x3x2xf32>) -> tensor<2x3x2xf32>
// CHECK: %[[R:.*]] = cleave.broadcast_in_dim %{{.*}}, dims = [1, 2] : (tensor<3x2xf32>) -> tensor<2x3x2xf32>
// CHECK: cleave.add %[[L]], %[[R]] : tensor<2x3x2xf32>
func.func @several_dimensions(%x: tensor<2x5x8xf32>, %w: tensor<5x8x3x2xf32>, %b: tensor<3x2xf32>) -> tensor<2x3x2xf32> {
  %0 = cleave.linear %x, %w bias %b contracting = 2 : (tensor<2x5x8xf32>, tensor<5x8x3x2xf32>, tensor<3x2xf32>) -> tensor<2x3x2xf32>
  return %0 : tensor<2x3x2xf32>
}

// CHECK-LABEL: func.func @no_bias(
// CHECK-NEXT: cleave.linear
// CHECK-NEXT: return
func.func @no_bias(%x: tensor<5x8xf32>, %w: tensor<8x6xf32>) -> tensor<5x6xf32> {
  %0 = cleave.linear %x, %w : (tensor<5x8xf32>, tensor<8x6xf32>) -> tensor<5x6xf32>
  return %0 : tensor<5x6xf32>
}

// CHECK-LABEL: func.func @in_a_loop(
// CHECK: cleave.while
// CHECK: cleave.linear %{{.*}}, %{{.*}} : (tensor<5x8xf32>, tensor<8x8xf32>) -> tensor<5x8xf32>
// CHECK: cleave.add
func.func @in_a_loop(%x: tensor<5x8xf32>, %w: tensor<8x8xf32>, %b: tensor<8xf32>, %p: tensor<i1>) -> tensor<5x8xf32> {
  %0 = cleave.while(%i = %x) : tensor<5x8xf32>
  cond {
    cleave.return %p : tensor<i1>
  } do {
    %1 = cleave.linear %i, %w bias %b : (tensor<5x8xf32>, tensor<8x8xf32>, tensor<8xf32>) -> tensor<5x8xf32>
    cleave.return %1 : tensor<5x8xf32>
  }
  return %0 : tensor<5x8xf32>
}
