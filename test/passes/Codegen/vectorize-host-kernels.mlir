// RUN: cleave-opt %s --cleave-convert-kernels-to-linalg --cleave-fuse-kernel-ops --cleave-bufferize-kernels \
// RUN:   --cleave-vectorize-host-kernels | FileCheck %s
// RUN: cleave-opt %s --cleave-convert-kernels-to-linalg --cleave-fuse-kernel-ops --cleave-bufferize-kernels \
// RUN:   --cleave-vectorize-host-kernels=vector-bits=256 | FileCheck %s --check-prefix=NARROW

// All of an elementwise kernel is one loop, in blocks.
// CHECK-LABEL: func private @elementwise
// CHECK-SAME: (%arg0: memref<8192xf32>, %arg1: memref<8192xf32>, %[[BEGIN:.*]]: index, %[[END:.*]]: index)
// CHECK-SAME: cleave.extent = 8 : i64
// CHECK: scf.for %{{.*}} = %[[BEGIN]] to %[[END]]
// CHECK: scf.for
// CHECK: vector.load {{.*}} vector<16xf32>
// CHECK: math.exp {{.*}} vector<16xf32>
// CHECK: vector.store {{.*}} vector<16xf32>
// NARROW-LABEL: func private @elementwise
// NARROW: math.exp {{.*}} vector<8xf32>
func.func private @elementwise(%x: tensor<8x16x64xf32>) -> tensor<8x16x64xf32> attributes {cleave.kernel} {
  %r = cleave.exponential %x : tensor<8x16x64xf32>
  return %r : tensor<8x16x64xf32>
}

// Rows: the sum stays in one element, and lanes are combined at the end. The
// tail of four is masked.
// CHECK-LABEL: func private @normalize
// CHECK-SAME: cleave.extent = 64 : i64
// CHECK: memref.alloca() {{.*}} : memref<1xf32>
// CHECK: scf.for
// CHECK: vector.maskedload
// CHECK: arith.select
// CHECK: vector.shuffle
// CHECK: arith.divf {{.*}} vector<16xf32>
// CHECK: vector.maskedstore
func.func private @normalize(%x: tensor<64x100xf32>) -> tensor<64x100xf32> attributes {cleave.kernel} {
  %zero = cleave.constant dense<0.0> : tensor<f32>
  %s = cleave.reduce(%x init: %zero) applies cleave.add across dimensions = [1] : (tensor<64x100xf32>, tensor<f32>) -> tensor<64xf32>
  %b = cleave.broadcast_in_dim %s, dims = [0] : (tensor<64xf32>) -> tensor<64x100xf32>
  %r = cleave.divide %x, %b : tensor<64x100xf32>
  return %r : tensor<64x100xf32>
}

// A reduction of the outer dimension has lanes along the inner one: four
// vectors of sums in registers, each in four chains, which meet pairwise.
// CHECK-LABEL: func private @column_sums
// CHECK-SAME: cleave.extent = 4 : i64
// CHECK: scf.for
// CHECK: %[[SUMS:.*]]:16 = scf.for {{.*}} step %c4
// CHECK: %[[A:.*]] = arith.addf %[[SUMS]]#0, %[[SUMS]]#8 : vector<16xf32>
// CHECK: %[[B:.*]] = arith.addf %[[SUMS]]#4, %[[SUMS]]#12 : vector<16xf32>
// CHECK: %[[SUM:.*]] = arith.addf %[[A]], %[[B]]
// CHECK: vector.store %[[SUM]]
// CHECK-NOT: vector.shuffle
func.func private @column_sums(%x: tensor<512x256xf32>) -> tensor<256xf32> attributes {cleave.kernel} {
  %zero = cleave.constant dense<0.0> : tensor<f32>
  %s = cleave.reduce(%x init: %zero) applies cleave.add across dimensions = [0] : (tensor<512x256xf32>, tensor<f32>) -> tensor<256xf32>
  return %s : tensor<256xf32>
}

// The rows that are left over join the first chain. Only sums are split.
// CHECK-LABEL: func private @column_sums_of_odd_rows
// CHECK: %[[SUMS:.*]]:4 = scf.for {{.*}} step %c4
// CHECK: %[[FIRST:.*]] = scf.for {{.*}} iter_args(%{{.*}} = %[[SUMS]]#0)
// CHECK: arith.addf %[[FIRST]], %[[SUMS]]#2
// CHECK: arith.addf %[[SUMS]]#1, %[[SUMS]]#3
// CHECK-LABEL: func private @column_maxima
// CHECK: scf.for {{.*}} -> (vector<16xf32>) {
func.func private @column_sums_of_odd_rows(%x: tensor<3x9x16xf32>) -> tensor<16xf32> attributes {cleave.kernel} {
  %zero = cleave.constant dense<0.0> : tensor<f32>
  %s = cleave.reduce(%x init: %zero) applies cleave.add across dimensions = [0, 1] : (tensor<3x9x16xf32>, tensor<f32>) -> tensor<16xf32>
  return %s : tensor<16xf32>
}
func.func private @column_maxima(%x: tensor<9x16xf32>) -> tensor<16xf32> attributes {cleave.kernel} {
  %zero = cleave.constant dense<0.0> : tensor<f32>
  %s = cleave.reduce(%x init: %zero) applies cleave.maximum across dimensions = [0] : (tensor<9x16xf32>, tensor<f32>) -> tensor<16xf32>
  return %s : tensor<16xf32>
}

// Rows of a table are read like any vector.
// CHECK-LABEL: func private @embedding
// CHECK-NOT: vector.gather
// CHECK: vector.load %arg0
// CHECK-LABEL: func private @points
// CHECK: vector.gather
func.func private @embedding(%t: tensor<10x64xf32>, %i: tensor<5xi32>) -> tensor<5x64xf32> attributes {cleave.kernel} {
  %r = cleave.gather %t, %i, offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1, slice_sizes = [1, 64] : (tensor<10x64xf32>, tensor<5xi32>) -> tensor<5x64xf32>
  return %r : tensor<5x64xf32>
}
func.func private @points(%t: tensor<10xf32>, %i: tensor<64xi32>) -> tensor<64xf32> attributes {cleave.kernel} {
  %r = cleave.gather %t, %i, offset_dims = [], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1, slice_sizes = [1] : (tensor<10xf32>, tensor<64xi32>) -> tensor<64xf32>
  return %r : tensor<64xf32>
}

// Nothing to do.
// CHECK-LABEL: func private @empty
// CHECK-SAME: cleave.extent = 1 : i64
func.func private @empty(%x: tensor<0x4xf32>) -> tensor<0x4xf32> attributes {cleave.kernel} {
  %r = cleave.negate %x : tensor<0x4xf32>
  return %r : tensor<0x4xf32>
}

// A transpose: tiles of 16 x 16 elements, loaded along one loop, interleaved
// four times and stored along the other; the 8 columns that are left in
// tiles of 8 x 8. Parts are blocks of the rows of the result.
// CHECK-LABEL: func private @transpose
// CHECK-SAME: cleave.extent = 4 : i64
// CHECK-NOT: vector.gather
// CHECK-COUNT-16: vector.load %arg0{{.*}} vector<16xf32>
// CHECK-COUNT-64: vector.shuffle {{.*}} vector<16xf32>, vector<16xf32>
// CHECK-NOT: vector.shuffle
// CHECK-COUNT-16: vector.store {{.*}}, %arg1{{.*}} vector<16xf32>
// CHECK-COUNT-8: vector.load %arg0{{.*}} vector<8xf32>
// CHECK-COUNT-24: vector.shuffle {{.*}} vector<8xf32>, vector<8xf32>
// CHECK-COUNT-8: vector.store {{.*}}, %arg1{{.*}} vector<8xf32>
// CHECK: return
// NARROW-LABEL: func private @transpose
// NARROW-COUNT-8: vector.load %arg0{{.*}} vector<8xf32>
func.func private @transpose(%x: tensor<40x64xf32>) -> tensor<64x40xf32> attributes {cleave.kernel} {
  %r = cleave.transpose %x, dims = [1, 0] : (tensor<40x64xf32>) -> tensor<64x40xf32>
  return %r : tensor<64x40xf32>
}

// What is transposed meets what is not.
// CHECK-LABEL: func private @transpose_and_add
// CHECK: vector.shuffle
// CHECK: vector.load %arg1
// CHECK: arith.addf {{.*}} vector<16xf32>
// CHECK: vector.store {{.*}}, %arg2
func.func private @transpose_and_add(%x: tensor<32x64xf32>, %y: tensor<64x32xf32>) -> tensor<64x32xf32> attributes {cleave.kernel} {
  %t = cleave.transpose %x, dims = [1, 0] : (tensor<32x64xf32>) -> tensor<64x32xf32>
  %r = cleave.add %t, %y : tensor<64x32xf32>
  return %r : tensor<64x32xf32>
}

// An update in place: its rows are the parts.
// CHECK-LABEL: func private @update
// CHECK-SAME: (%arg0: memref<256xf32>, %{{.*}}: memref<1xi32>, %arg2: memref<8192xf32>,
// CHECK-SAME: cleave.extent = 4 : i64
// CHECK: vector.load %arg0
// CHECK: vector.store {{.*}}, %arg2
func.func private @update(%x: tensor<64x128xf32>, %u: tensor<4x64xf32>, %i: tensor<i32>) -> tensor<64x128xf32> attributes {cleave.kernel, cleave.in_place = array<i64: 0>} {
  %r = cleave.dynamic_update_slice %x, %u, %i, %i : (tensor<64x128xf32>, tensor<4x64xf32>, tensor<i32>, tensor<i32>) -> tensor<64x128xf32>
  return %r : tensor<64x128xf32>
}
