// RUN: cleave-opt %s --split-input-file --cleave-convert-kernels-to-linalg --cleave-fuse-kernel-ops \
// RUN:   --cleave-bufferize-kernels --cleave-map-kernels-to-gpu | FileCheck %s

// Elementwise: threads with vectors of 16 bytes, and as many blocks as are launched.
// CHECK-LABEL: func.func private @elementwise(memref<8192xf32>, memref<8192xf32>)
// CHECK-SAME: cleave.blocks = 8 : i64, cleave.gpu_kernel = @cleave_kernels::@elementwise, cleave.kernel, cleave.threads = 256 : i64
// CHECK: gpu.func @elementwise(%[[X:.*]]: memref<8192xf32> {llvm.noalias}, %[[R:.*]]: memref<8192xf32> {llvm.noalias}) kernel
// CHECK-SAME: known_block_size = array<i32: 256, 1, 1>
// CHECK: %[[T:.*]] = gpu.thread_id x
// CHECK: %[[B:.*]] = gpu.block_id x
// CHECK: %[[N:.*]] = gpu.grid_dim x
// CHECK: scf.for
// CHECK: vector.load %[[X]][%{{.*}}] {alignment = 16 : i64} : memref<8192xf32>, vector<4xf32>
// CHECK: math.exp {{.*}} : vector<4xf32>
// CHECK: vector.store {{.*}}, %[[R]][%{{.*}}] {alignment = 16 : i64}
func.func private @elementwise(%x: tensor<8x16x64xf32>) -> tensor<8x16x64xf32> attributes {cleave.kernel} {
  %r = cleave.exponential %x : tensor<8x16x64xf32>
  return %r : tensor<8x16x64xf32>
}

// -----

// An odd size has no vectors.
// CHECK-LABEL: gpu.func @odd
// CHECK-NOT: vector
func.func private @odd(%x: tensor<1001xf32>) -> tensor<1001xf32> attributes {cleave.kernel} {
  %r = cleave.exponential %x : tensor<1001xf32>
  return %r : tensor<1001xf32>
}

// -----

// A block per row. The start value is written and read by the first thread
// only; the sum is read by all after a barrier, and the next row waits.
// CHECK-LABEL: gpu.func @normalize
// CHECK-SAME: workgroup(%{{.*}} : memref<1xf32, #gpu.address_space<workgroup>>
// CHECK: scf.for
// CHECK-NOT: gpu.barrier
// CHECK: scf.for {{.*}} iter_args({{.*}}) -> (vector<4xf32>)
// CHECK: vector.load {{.*}} {alignment = 16 : i64}
// CHECK-COUNT-5: gpu.shuffle xor
// CHECK-NOT: gpu.shuffle
// CHECK: gpu.barrier
// CHECK: arith.divf {{.*}} vector<4xf32>
// CHECK: gpu.barrier
func.func private @normalize(%x: tensor<64x100xf32>) -> tensor<64x100xf32> attributes {cleave.kernel} {
  %zero = cleave.constant dense<0.0> : tensor<f32>
  %s = cleave.reduce(%x init: %zero) applies cleave.add across dimensions = [1] : (tensor<64x100xf32>, tensor<f32>) -> tensor<64xf32>
  %b = cleave.broadcast_in_dim %s, dims = [0] : (tensor<64xf32>) -> tensor<64x100xf32>
  %r = cleave.divide %x, %b : tensor<64x100xf32>
  return %r : tensor<64x100xf32>
}

// -----

// Longer rows: warps meet in shared memory.
// CHECK-LABEL: gpu.func @sums
// CHECK-SAME: memref<32xf32, #gpu.address_space<workgroup>> {llvm.align = 16 : i64}
// CHECK-COUNT-5: gpu.shuffle xor
// CHECK: gpu.barrier
// CHECK-COUNT-5: gpu.shuffle xor
func.func private @sums(%x: tensor<64x5000xf32>) -> tensor<64xf32> attributes {cleave.kernel} {
  %zero = cleave.constant dense<0.0> : tensor<f32>
  %s = cleave.reduce(%x init: %zero) applies cleave.add across dimensions = [1] : (tensor<64x5000xf32>, tensor<f32>) -> tensor<64xf32>
  return %s : tensor<64xf32>
}

// -----

// Narrow elements pass through shuffles as 32 bits.
// CHECK-LABEL: gpu.func @any
// CHECK: arith.extui {{.*}} : i8 to i32
// CHECK: gpu.shuffle xor {{.*}} : i32
// CHECK: arith.trunci {{.*}} : i32 to i8
func.func private @any(%x: tensor<64x500xi1>) -> tensor<64xi1> attributes {cleave.kernel} {
  %false = cleave.constant dense<false> : tensor<i1>
  %s = cleave.reduce(%x init: %false) applies cleave.or across dimensions = [1] : (tensor<64x500xi1>, tensor<i1>) -> tensor<64xi1>
  return %s : tensor<64xi1>
}

// -----

// Sums along the outer dimension: threads side by side, no communication.
// CHECK-LABEL: gpu.func @column_sums
// CHECK-NOT: gpu.shuffle
// CHECK: scf.for {{.*}} iter_args({{.*}}) -> (vector<4xf32>)
// CHECK-NOT: gpu.barrier
func.func private @column_sums(%x: tensor<16x65536xf32>) -> tensor<65536xf32> attributes {cleave.kernel} {
  %zero = cleave.constant dense<0.0> : tensor<f32>
  %s = cleave.reduce(%x init: %zero) applies cleave.add across dimensions = [0] : (tensor<16x65536xf32>, tensor<f32>) -> tensor<65536xf32>
  return %s : tensor<65536xf32>
}

// -----

// A transposition turns tiles in shared memory: rows of 33 elements there.
// CHECK-LABEL: gpu.func @transpose
// CHECK-SAME: memref<1056xf32, #gpu.address_space<workgroup>>
// CHECK-COUNT-4: memref.store {{.*}} : memref<1056xf32, #gpu.address_space<workgroup>>
// CHECK: gpu.barrier
// CHECK: memref.load {{.*}} : memref<1056xf32, #gpu.address_space<workgroup>>
// CHECK: memref.store {{.*}} : memref<7000xf32>
// CHECK: gpu.barrier
func.func private @transpose(%x: tensor<70x100xf32>) -> tensor<100x70xf32> attributes {cleave.kernel} {
  %r = cleave.transpose %x, dims = [1, 0] : (tensor<70x100xf32>) -> tensor<100x70xf32>
  return %r : tensor<100x70xf32>
}
