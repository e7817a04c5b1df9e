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
