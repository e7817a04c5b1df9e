// RUN: cleave-opt %s --split-input-file --cleave-write-block-kernels | FileCheck %s
// RUN: cleave-opt %s --split-input-file --cleave-write-block-kernels=tf32 | FileCheck %s --check-prefix=TF32

// 64 rows of f16 per block, on tensor cores. A tile of keys and one of values
// are read 16 bytes at a time; all threads wait, use them, and wait again.
// CHECK-LABEL: func.func private @halves(memref<32768xi16>, memref<16384xi16>, memref<16384xi16>, memref<32768xi16>)
// CHECK-SAME: cleave.blocks = 8 : i64, cleave.gpu_kernel = @cleave_kernels::@halves, cleave.kernel, cleave.threads = 128 : i64
// CHECK: gpu.func @halves
// CHECK-SAME: workgroup(%{{.*}} : memref<1152xi32, #gpu.address_space<workgroup>> {llvm.align = 16 : i64}, %{{.*}} : memref<1152xi32, #gpu.address_space<workgroup>>
// CHECK: scf.for
// CHECK-COUNT-16: vector.load {{.*}} {alignment = 4 : i64} : memref<32768xi16>, vector<2xi16>
// CHECK: scf.for {{.*}} iter_args
// CHECK: vector.load {{.*}} {alignment = 16 : i64} : memref<16384xi16>, vector<8xi16>
// CHECK: vector.store {{.*}} {alignment = 16 : i64} : memref<1152xi32, #gpu.address_space<workgroup>>, vector<4xi32>
// CHECK: vector.interleave
// CHECK: gpu.barrier
// CHECK-COUNT-16: nvvm.mma.sync
// CHECK: arith.cmpi sle
// CHECK: gpu.shuffle xor
// CHECK: math.exp
// CHECK: arith.truncf {{.*}} : vector<2xf32> to vector<2xf16>
// CHECK-COUNT-16: nvvm.mma.sync
// CHECK: gpu.barrier
// CHECK: gpu.shuffle xor
// CHECK: vector.store {{.*}} {alignment = 4 : i64} : memref<32768xi16>, vector<2xi16>
func.func private @halves(%q: tensor<2x128x2x64xf16>, %k: tensor<2x64x2x64xf16>, %v: tensor<2x64x2x64xf16>)
    -> tensor<2x128x2x64xf16> attributes {cleave.kernel} {
  %r = cleave.attention %q, %k, %v causal
      : (tensor<2x128x2x64xf16>, tensor<2x64x2x64xf16>, tensor<2x64x2x64xf16>) -> tensor<2x128x2x64xf16>
  return %r : tensor<2x128x2x64xf16>
}

// -----

// f32 is multiplied by each thread, unless it may be rounded. Eight rows of one
// group need one warp.
// CHECK-LABEL: gpu.func @singles
// CHECK-SAME: known_block_size = array<i32: 32, 1, 1>
// CHECK-NOT: nvvm.mma.sync
// CHECK: math.fma
// CHECK: gpu.shuffle idx
// CHECK: vector.store {{.*}} {alignment = 16 : i64} : memref<1024xf32>, vector<4xf32>
// TF32-LABEL: gpu.func @singles
// TF32: nvvm.convert.float.to.tf32
// TF32: nvvm.mma.sync {{.*}}tf32{{.*}}k = 8
func.func private @singles(%q: tensor<2x2x8x32xf32>, %k: tensor<2x9x2x32xf32>, %v: tensor<2x9x2x32xf32>)
    -> tensor<2x2x8x32xf32> attributes {cleave.kernel} {
  %r = cleave.attention %q, %k, %v
      : (tensor<2x2x8x32xf32>, tensor<2x9x2x32xf32>, tensor<2x9x2x32xf32>) -> tensor<2x2x8x32xf32>
  return %r : tensor<2x2x8x32xf32>
}

// -----

// Odd sizes are read one by one.
// CHECK-LABEL: gpu.func @odd
// CHECK-NOT: vector.load {{.*}}, vector<{{[2-9]}}xi16>
// CHECK: nvvm.mma.sync {{.*}}bf16
// CHECK: vector.store {{.*}} {alignment = 2 : i64} : memref<{{.*}}xi16>, vector<1xi16>
func.func private @odd(%q: tensor<1x20x1x13xbf16>, %k: tensor<1x21x1x13xbf16>, %v: tensor<1x21x1x7xbf16>)
    -> tensor<1x20x1x7xbf16> attributes {cleave.kernel} {
  %r = cleave.attention %q, %k, %v
      : (tensor<1x20x1x13xbf16>, tensor<1x21x1x13xbf16>, tensor<1x21x1x7xbf16>) -> tensor<1x20x1x7xbf16>
  return %r : tensor<1x20x1x7xbf16>
}

// -----

// Other kernels stay.
// CHECK-LABEL: func.func private @other(%{{.*}}: tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: cleave.exponential
func.func private @other(%x: tensor<4xf32>) -> tensor<4xf32> attributes {cleave.kernel} {
  %r = cleave.exponential %x : tensor<4xf32>
  return %r : tensor<4xf32>
}
