// A softmax of rows as a kernel of a GPU: see docs/cuda.md.
//
// RUN: cleave-opt %s -cleave-convert-kernels-to-linalg -cleave-fuse-kernel-ops \
// RUN:   -cleave-bufferize-kernels -cleave-map-kernels-to-gpu | FileCheck %s
// CHECK: gpu.func @softmax(%{{.*}}: memref<65536xf32> {llvm.noalias}
// CHECK-SAME: known_block_size = array<i32: 256, 1, 1>
// CHECK: vector.load {{.*}} {alignment = 16 : i64} {{.*}} vector<4xf32>
// CHECK: gpu.shuffle
// CHECK: gpu.barrier
func.func private @softmax(%x: tensor<64x1024xf32>) -> tensor<64x1024xf32> attributes {cleave.kernel} {
  %low = cleave.constant dense<0xFF800000> : tensor<f32>
  %zero = cleave.constant dense<0.0> : tensor<f32>
  %m = cleave.reduce(%x init: %low) applies cleave.maximum across dimensions = [1] : (tensor<64x1024xf32>, tensor<f32>) -> tensor<64xf32>
  %mb = cleave.broadcast_in_dim %m, dims = [0] : (tensor<64xf32>) -> tensor<64x1024xf32>
  %d = cleave.subtract %x, %mb : tensor<64x1024xf32>
  %e = cleave.exponential %d : tensor<64x1024xf32>
  %s = cleave.reduce(%e init: %zero) applies cleave.add across dimensions = [1] : (tensor<64x1024xf32>, tensor<f32>) -> tensor<64xf32>
  %sb = cleave.broadcast_in_dim %s, dims = [0] : (tensor<64xf32>) -> tensor<64x1024xf32>
  %r = cleave.divide %e, %sb : tensor<64x1024xf32>
  return %r : tensor<64x1024xf32>
}
