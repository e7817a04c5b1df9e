// RUN: cleave-opt %s | cleave-opt | FileCheck %s
// RUN: cleave-opt %s --mlir-print-op-generic | cleave-opt | FileCheck %s
// RUN: cleave-opt %s --emit-bytecode | cleave-opt | FileCheck %s

// CHECK-LABEL: func.func @fft(
func.func @fft(%x: tensor<2x4x6xf32>, %h: tensor<2x4x4xf64>) {
  // CHECK: cleave.fft FFT %{{.*}}, %{{.*}}, length = [6] : (tensor<2x4x6xf32>, tensor<2x4x6xf32>) -> (tensor<2x4x6xf32>, tensor<2x4x6xf32>)
  cleave.fft FFT %x, %x, length = [6] : (tensor<2x4x6xf32>, tensor<2x4x6xf32>) -> (tensor<2x4x6xf32>, tensor<2x4x6xf32>)
  // CHECK: cleave.fft IFFT %{{.*}}, %{{.*}}, length = [2, 4, 6]
  cleave.fft IFFT %x, %x, length = [2, 4, 6] : (tensor<2x4x6xf32>, tensor<2x4x6xf32>) -> (tensor<2x4x6xf32>, tensor<2x4x6xf32>)
  // CHECK: cleave.fft RFFT %{{.*}}, length = [4, 6] : (tensor<2x4x6xf32>) -> (tensor<2x4x4xf32>, tensor<2x4x4xf32>)
  cleave.fft RFFT %x, length = [4, 6] : (tensor<2x4x6xf32>) -> (tensor<2x4x4xf32>, tensor<2x4x4xf32>)
  // CHECK: cleave.fft IRFFT %{{.*}}, %{{.*}}, length = [7] : (tensor<2x4x4xf64>, tensor<2x4x4xf64>) -> tensor<2x4x7xf64>
  cleave.fft IRFFT %h, %h, length = [7] : (tensor<2x4x4xf64>, tensor<2x4x4xf64>) -> tensor<2x4x7xf64>
  return
}

// CHECK-LABEL: func.func @solvers(
func.func @solvers(%a: tensor<2x3x3xf32>, %b: tensor<2x3x5xf32>, %c: tensor<2x5x3xf32>) {
  // CHECK: cleave.cholesky lower %{{.*}} : (tensor<2x3x3xf32>) -> tensor<2x3x3xf32>
  cleave.cholesky lower %a : (tensor<2x3x3xf32>) -> tensor<2x3x3xf32>
  // CHECK: cleave.cholesky %{{.*}}, %{{.*}} : (tensor<2x3x3xf32>, tensor<2x3x3xf32>) -> (tensor<2x3x3xf32>, tensor<2x3x3xf32>)
  cleave.cholesky %a, %a : (tensor<2x3x3xf32>, tensor<2x3x3xf32>) -> (tensor<2x3x3xf32>, tensor<2x3x3xf32>)
  // CHECK: cleave.triangular_solve no_transpose left lower(%{{.*}}) (%{{.*}}) : (tensor<2x3x3xf32>, tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
  cleave.triangular_solve no_transpose left lower (%a) (%b) : (tensor<2x3x3xf32>, tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
  // CHECK: cleave.triangular_solve adjoint unit(%{{.*}}, %{{.*}}) (%{{.*}}, %{{.*}})
  cleave.triangular_solve adjoint unit (%a, %a) (%c, %c) : (tensor<2x3x3xf32>, tensor<2x3x3xf32>, tensor<2x5x3xf32>, tensor<2x5x3xf32>) -> (tensor<2x5x3xf32>, tensor<2x5x3xf32>)
  return
}
