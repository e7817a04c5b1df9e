// RUN: cleave-opt %s --cleave-convert-kernels-to-linalg --cleave-fuse-kernel-ops --cleave-bufferize-kernels \
// RUN:   --cleave-vectorize-host-kernels --cleave-lower-vector-math --cleave-lower-kernels-to-llvm -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: mlir-translate --mlir-to-llvmir %t.mlir | opt -O2 | llc -mcpu=skylake-avx512 | FileCheck %s --check-prefix=ASM

// CHECK: llvm.func @softmax(%{{.*}}: !llvm.ptr, %[[BEGIN:.*]]: i64, %[[END:.*]]: i64) attributes {cleave.extent = 64 : i64, cleave.kernel}
// CHECK: llvm.load
// CHECK: llvm.load
// CHECK: llvm.call @softmax_body(%{{.*}}, %{{.*}}, %[[BEGIN]], %[[END]])
// CHECK-LABEL: llvm.func internal @softmax_body
// CHECK-SAME: %{{.*}}: !llvm.ptr {llvm.align = 64 : i64, llvm.noalias}
// CHECK-SAME: always_inline

// Vectors throughout, and no scalar function.
// ASM-LABEL: softmax:
// ASM-NOT: {{call.* exp}}
// ASM-NOT: {{callq.*_u10@}}
// ASM: zmm
// ASM: callq Sleef_expf16_u10avx512f@PLT
// ASM: vdivps {{.*}}%zmm
// ASM-NOT: {{call.* exp}}
// ASM: retq
func.func private @softmax(%x: tensor<64x100xf32>) -> tensor<64x100xf32> attributes {cleave.kernel} {
  %ninf = cleave.constant dense<0xFF800000> : tensor<f32>
  %zero = cleave.constant dense<0.0> : tensor<f32>
  %m = cleave.reduce(%x init: %ninf) applies cleave.maximum across dimensions = [1] : (tensor<64x100xf32>, tensor<f32>) -> tensor<64xf32>
  %mb = cleave.broadcast_in_dim %m, dims = [0] : (tensor<64xf32>) -> tensor<64x100xf32>
  %s = cleave.subtract %x, %mb : tensor<64x100xf32>
  %e = cleave.exponential %s : tensor<64x100xf32>
  %d = cleave.reduce(%e init: %zero) applies cleave.add across dimensions = [1] : (tensor<64x100xf32>, tensor<f32>) -> tensor<64xf32>
  %db = cleave.broadcast_in_dim %d, dims = [0] : (tensor<64xf32>) -> tensor<64x100xf32>
  %r = cleave.divide %e, %db : tensor<64x100xf32>
  return %r : tensor<64x100xf32>
}
