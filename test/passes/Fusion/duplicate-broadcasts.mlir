// RUN: cleave-opt %s --cleave-duplicate-broadcasts | FileCheck %s
// RUN: cleave-opt %s --cleave-duplicate-broadcasts --cleave-form-kernels | FileCheck %s --check-prefix=KERNELS

// Layers with the same mask: it was computed by the first, and read by all others from memory.
// CHECK-LABEL: func @mask_of_two_layers(
// CHECK: %[[A:.*]] = cleave.broadcast_in_dim
// CHECK: %[[FIRST:.*]] = cleave.select %[[A]],
// CHECK: %[[P:.*]] = cleave.dot_general %[[FIRST]],
// CHECK: %[[B:.*]] = cleave.broadcast_in_dim
// CHECK: cleave.select %[[B]], %[[P]],
// KERNELS-LABEL: func @mask_of_two_layers(
// KERNELS-SAME: %[[M:.*]]: tensor<1x64xi1>
// KERNELS: call @{{.*}}(%[[M]], %{{.*}}) : (tensor<1x64xi1>, tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
// KERNELS: call @{{.*}}(%[[M]], %{{.*}}) : (tensor<1x64xi1>, tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
func.func @mask_of_two_layers(%m: tensor<1x64xi1>, %x: tensor<64x64xf32>, %y: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %mask = cleave.broadcast_in_dim %m, dims = [0, 1] : (tensor<1x64xi1>) -> tensor<64x64xi1>
  %first = cleave.select %mask, %x, %y : tensor<64x64xi1>, tensor<64x64xf32>
  %product = cleave.dot_general %first, %y, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %second = cleave.select %mask, %product, %y : tensor<64x64xi1>, tensor<64x64xf32>
  return %second : tensor<64x64xf32>
}

// What needs a buffer shares one, and so do users of a broadcast that only adds dimensions.
// CHECK-LABEL: func @buffers(
// CHECK-COUNT-1: cleave.broadcast_in_dim %{{.*}} -> tensor<4x8xf32>
// CHECK-COUNT-1: cleave.broadcast_in_dim %{{.*}} -> tensor<1x8xf32>
// CHECK-NOT: cleave.broadcast_in_dim
func.func @buffers(%x: tensor<8xf32>) -> (tensor<4x8xf32>, tensor<4x4xf32>, tensor<1x8xf32>, tensor<1x8xf32>) {
  %0 = cleave.broadcast_in_dim %x, dims = [1] : (tensor<8xf32>) -> tensor<4x8xf32>
  %1 = cleave.dot_general %0, %0, contracting_dims = [1] x [1] : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x4xf32>
  %2 = cleave.broadcast_in_dim %x, dims = [1] : (tensor<8xf32>) -> tensor<1x8xf32>
  %3 = cleave.negate %2 : tensor<1x8xf32>
  %4 = cleave.exponential %2 : tensor<1x8xf32>
  return %0, %1, %3, %4 : tensor<4x8xf32>, tensor<4x4xf32>, tensor<1x8xf32>, tensor<1x8xf32>
}

// An iota in a loop's body is the body's own.
// CHECK-LABEL: func @loop(
// CHECK: %[[I:.*]] = cleave.iota
// CHECK: do {
// CHECK: cleave.iota
// CHECK: return {{.*}}%[[I]]
func.func @loop(%n: tensor<i32>, %x: tensor<8xi32>) -> (tensor<8xi32>, tensor<8xi32>) {
  %iota = cleave.iota dim = 0 : tensor<8xi32>
  %one = cleave.constant dense<1> : tensor<i32>
  %r:2 = cleave.while(%i = %n, %y = %x) : tensor<i32>, tensor<8xi32>
  cond {
    %go = cleave.compare GT, %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i1>
    cleave.return %go : tensor<i1>
  } do {
    %j = cleave.subtract %i, %one : tensor<i32>
    %z = cleave.add %y, %iota : tensor<8xi32>
    cleave.return %j, %z : tensor<i32>, tensor<8xi32>
  }
  return %r#1, %iota : tensor<8xi32>, tensor<8xi32>
}
