// RUN: cleave-opt %s --pass-pipeline='builtin.module(gpu.module(cleave-lower-gpu-kernels-to-nvvm))' | FileCheck %s

// Buffers are pointers; vectors keep their alignment; functions are those of
// libdevice, one lane at a time.
// CHECK-DAG: llvm.func @__nv_expf(f32) -> f32
// CHECK: llvm.func @kernel(%{{.*}}: !llvm.ptr {llvm.noalias}, %{{.*}}: !llvm.ptr {llvm.noalias})
// CHECK-SAME: nvvm.kernel
// CHECK-SAME: nvvm.maxntid = array<i32: 64, 1, 1>
// CHECK: llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr -> vector<4xf32>
// CHECK-COUNT-4: llvm.call @__nv_expf
// CHECK: llvm.call @__nv_log2f
// CHECK: llvm.call @__nv_exp2f
// CHECK: nvvm.shfl.sync bfly
// Shuffles of 64 bits are two.
// CHECK: nvvm.shfl.sync bfly
// CHECK: nvvm.shfl.sync bfly
// CHECK: nvvm.barrier0
gpu.module @cleave_kernels {
  gpu.func @kernel(%x: memref<256xf32> {llvm.noalias}, %y: memref<64xf64> {llvm.noalias})
      workgroup(%s: memref<64xf32, #gpu.address_space<workgroup>> {llvm.align = 16 : i64}) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c4 = arith.constant 4 : index
    %i = arith.muli %t, %c4 : index
    %v = vector.load %x[%i] {alignment = 16 : i64} : memref<256xf32>, vector<4xf32>
    %e = math.exp %v : vector<4xf32>
    %e1 = vector.extract %e[1] : f32 from vector<4xf32>
    %l = math.log2 %e1 : f32
    %f = math.exp2 %l : f32
    %one = arith.constant 1 : i32
    %width = arith.constant 32 : i32
    %g, %p = gpu.shuffle xor %f, %one, %width : f32
    memref.store %g, %s[%t] : memref<64xf32, #gpu.address_space<workgroup>>
    %d = arith.extf %g : f32 to f64
    %h, %q = gpu.shuffle xor %d, %one, %width : f64
    memref.store %h, %y[%t] : memref<64xf64>
    gpu.barrier
    gpu.return
  }
}
