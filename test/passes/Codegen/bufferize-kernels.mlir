// RUN: cleave-opt %s --cleave-convert-kernels-to-linalg --cleave-fuse-kernel-ops --cleave-bufferize-kernels | FileCheck %s

// The result is computed in the output; only the row sums are a temporary.
// CHECK-LABEL: func private @normalize
// CHECK-SAME: (%[[X:.*]]: memref<8x16xf32>, %[[OUT:.*]]: memref<8x16xf32>)
// CHECK: %[[SUM:.*]] = memref.alloc() : memref<8xf32>
// CHECK: linalg.fill {{.*}} outs(%[[SUM]]
// CHECK: linalg.generic {{.*}} ins(%[[X]], {{.*}} outs(%[[SUM]]
// CHECK: linalg.generic {{.*}} ins(%[[X]], %[[SUM]] {{.*}} outs(%[[OUT]]
// CHECK-NOT: linalg.copy
func.func private @normalize(%x: tensor<8x16xf32>) -> tensor<8x16xf32> attributes {cleave.kernel} {
  %zero = cleave.constant dense<0.0> : tensor<f32>
  %s = cleave.reduce(%x init: %zero) applies cleave.add across dimensions = [1] : (tensor<8x16xf32>, tensor<f32>) -> tensor<8xf32>
  %b = cleave.broadcast_in_dim %s, dims = [0] : (tensor<8xf32>) -> tensor<8x16xf32>
  %r = cleave.divide %x, %b : tensor<8x16xf32>
  return %r : tensor<8x16xf32>
}

// Each piece is computed where it belongs.
// CHECK-LABEL: func private @concatenate
// CHECK-SAME: %[[OUT:[a-z0-9]*]]: memref<8x20xf32>)
// CHECK: %[[PIECE:.*]] = memref.subview %[[OUT]][0, 0] [8, 16]
// CHECK: linalg.generic {{.*}} outs(%[[PIECE]]
// CHECK: memref.subview %[[OUT]][0, 16] [8, 4]
// CHECK: linalg.copy
func.func private @concatenate(%x: tensor<8x16xf32>, %y: tensor<8x4xf32>) -> tensor<8x20xf32> attributes {cleave.kernel} {
  %n = cleave.negate %x : tensor<8x16xf32>
  %r = cleave.concatenate %n, %y, dim = 1 : (tensor<8x16xf32>, tensor<8x4xf32>) -> tensor<8x20xf32>
  return %r : tensor<8x20xf32>
}

// In place, nothing but the update is written, and the operand is no parameter.
// CHECK-LABEL: func private @update
// CHECK-SAME: (%[[U:[a-z0-9]*]]: memref<1x16xf32>, %[[I:[a-z0-9]*]]: memref<i32>, %[[OUT:[a-z0-9]*]]: memref<8x16xf32>) attributes {cleave.kernel}
// CHECK-NOT: linalg
// CHECK: %[[PART:.*]] = memref.subview %[[OUT]][%{{.*}}, 0] [1, 16]
// CHECK-NEXT: linalg.copy ins(%[[U]] : {{.*}} outs(%[[PART]]
// CHECK-NOT: linalg
// CHECK: return
func.func private @update(%x: tensor<8x16xf32>, %u: tensor<1x16xf32>, %i: tensor<i32>) -> tensor<8x16xf32> attributes {cleave.kernel, cleave.in_place = array<i64: 0>} {
  %c = cleave.constant dense<0> : tensor<i32>
  %r = cleave.dynamic_update_slice %x, %u, %i, %c : (tensor<8x16xf32>, tensor<1x16xf32>, tensor<i32>, tensor<i32>) -> tensor<8x16xf32>
  return %r : tensor<8x16xf32>
}

// The second argument is where the second result is.
// CHECK-LABEL: func private @overwrite
// CHECK-SAME: (%[[X:[a-z0-9]*]]: memref<4xf32>, %[[A:[a-z0-9]*]]: memref<4xf32>, %[[B:[a-z0-9]*]]: memref<4xf32>) attributes {cleave.kernel}
// CHECK: linalg.generic {{.*}} ins(%[[X]] : {{.*}} outs(%[[A]]
// CHECK: linalg.generic {{.*}} ins(%[[X]], %[[B]] : {{.*}} outs(%[[B]]
func.func private @overwrite(%x: tensor<4xf32>, %y: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) attributes {cleave.kernel, cleave.in_place = array<i64: -1, 1>} {
  %0 = cleave.exponential %x : tensor<4xf32>
  %1 = cleave.add %x, %y : tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}
