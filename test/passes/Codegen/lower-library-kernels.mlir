// RUN: cleave-opt %s --cleave-lower-library-kernels --split-input-file | FileCheck %s
// RUN: cleave-opt %s --cleave-lower-library-kernels --cleave-convert-kernels-to-linalg --split-input-file -o /dev/null

// CHECK-DAG: llvm.mlir.global internal constant @kernel_0_numbers(dense<[2, 1, 4]> : tensor<3xi64>) {{.*}} : !llvm.array<3 x i64>
// CHECK-DAG: llvm.func @cleave_rt_fft_f32(!llvm.ptr, !llvm.ptr, i64, i64)
// CHECK: llvm.func @kernel_0(%[[BUFFERS:.*]]: !llvm.ptr, %[[BEGIN:.*]]: i64, %[[END:.*]]: i64) attributes {cleave.extent = 6 : i64, cleave.kernel}
// CHECK: %[[NUMBERS:.*]] = llvm.mlir.addressof @kernel_0_numbers
// CHECK: llvm.call @cleave_rt_fft_f32(%[[BUFFERS]], %[[NUMBERS]], %[[BEGIN]], %[[END]])
func.func private @kernel_0(%x: tensor<2x3x4xf32>) -> (tensor<2x3x3xf32>, tensor<2x3x3xf32>) attributes {cleave.kernel} {
  %0:2 = cleave.fft RFFT %x, length = [4] : (tensor<2x3x4xf32>) -> (tensor<2x3x3xf32>, tensor<2x3x3xf32>)
  return %0#0, %0#1 : tensor<2x3x3xf32>, tensor<2x3x3xf32>
}

// -----

// CHECK-DAG: @cholesky_numbers(dense<[1, 3, 1]> : tensor<3xi64>)
// CHECK-DAG: @solve_numbers(dense<[2, 3, 5, 1, 0, 1, 2]> : tensor<7xi64>)
// CHECK: llvm.func @cholesky({{.*}}) attributes {cleave.extent = 1 : i64, cleave.kernel}
// CHECK: llvm.call @cleave_rt_cholesky_f64
func.func private @cholesky(%a: tensor<3x3xf64>) -> tensor<3x3xf64> attributes {cleave.kernel} {
  %0 = cleave.cholesky lower %a : (tensor<3x3xf64>) -> tensor<3x3xf64>
  return %0 : tensor<3x3xf64>
}

// CHECK: llvm.func @solve
// CHECK: llvm.call @cleave_rt_triangular_solve_bf16
func.func private @solve(%a: tensor<3x3xbf16>, %b: tensor<3x3xbf16>, %c: tensor<3x5xbf16>, %d: tensor<3x5xbf16>)
    -> (tensor<3x5xbf16>, tensor<3x5xbf16>) attributes {cleave.kernel} {
  %0:2 = cleave.triangular_solve adjoint left unit (%a, %b) (%c, %d)
    : (tensor<3x3xbf16>, tensor<3x3xbf16>, tensor<3x5xbf16>, tensor<3x5xbf16>) -> (tensor<3x5xbf16>, tensor<3x5xbf16>)
  return %0#0, %0#1 : tensor<3x5xbf16>, tensor<3x5xbf16>
}

// -----

// CHECK-DAG: @svd_numbers(dense<[1, 5, 4, 1, 0]> : tensor<5xi64>)
// CHECK: llvm.func @svd({{.*}}) attributes {cleave.extent = 6 : i64, cleave.kernel}
// CHECK: llvm.call @cleave_rt_svd_f32
func.func private @svd(%a: tensor<2x3x5x4xf32>) -> (tensor<2x3x4xf32>, tensor<2x3x5x5xf32>, tensor<2x3x4x4xf32>) attributes {cleave.kernel} {
  %0, %1, %2 = cleave.svd full %a : (tensor<2x3x5x4xf32>) -> (tensor<2x3x4xf32>, tensor<2x3x5x5xf32>, tensor<2x3x4x4xf32>)
  return %0, %1, %2 : tensor<2x3x4xf32>, tensor<2x3x5x5xf32>, tensor<2x3x4x4xf32>
}

// The function of integers.
// CHECK: llvm.func @order({{.*}}) attributes {cleave.extent = 2 : i64, cleave.kernel}
// CHECK: llvm.call @cleave_rt_pivots_to_permutation_i32
func.func private @order(%a: tensor<2x3xi32>) -> tensor<2x5xi32> attributes {cleave.kernel} {
  %0 = cleave.pivots_to_permutation %a : (tensor<2x3xi32>) -> tensor<2x5xi32>
  return %0 : tensor<2x5xi32>
}
