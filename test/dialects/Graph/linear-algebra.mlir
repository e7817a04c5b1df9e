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

// CHECK-LABEL: func.func @factorizations(
func.func @factorizations(%a: tensor<2x5x3xf32>, %s: tensor<3x3xf64>, %front: tensor<2x3xi32>) {
  // CHECK: %{{.*}}, %[[PIVOTS:.*]] = cleave.lu %{{.*}} : (tensor<2x5x3xf32>) -> (tensor<2x5x3xf32>, tensor<2x3xi32>)
  %lu, %pivots = cleave.lu %a : (tensor<2x5x3xf32>) -> (tensor<2x5x3xf32>, tensor<2x3xi32>)
  // CHECK: cleave.pivots_to_permutation %[[PIVOTS]] : (tensor<2x3xi32>) -> tensor<2x5xi32>
  cleave.pivots_to_permutation %pivots : (tensor<2x3xi32>) -> tensor<2x5xi32>
  // CHECK: cleave.qr %{{.*}} : (tensor<2x5x3xf32>) -> (tensor<2x5x3xf32>, tensor<2x3xf32>)
  %r, %tau = cleave.qr %a : (tensor<2x5x3xf32>) -> (tensor<2x5x3xf32>, tensor<2x3xf32>)
  // CHECK: cleave.pivoted_qr(%{{.*}}, %{{.*}}) front(%{{.*}}) : (tensor<2x5x3xf32>, tensor<2x5x3xf32>, tensor<2x3xi32>)
  cleave.pivoted_qr (%a, %a) front (%front) : (tensor<2x5x3xf32>, tensor<2x5x3xf32>, tensor<2x3xi32>) -> (tensor<2x5x3xf32>, tensor<2x5x3xf32>, tensor<2x3xi32>, tensor<2x3xf32>, tensor<2x3xf32>)
  // CHECK: cleave.householder_product(%{{.*}}) (%{{.*}}) : (tensor<2x5x3xf32>, tensor<2x3xf32>) -> tensor<2x5x3xf32>
  cleave.householder_product (%r) (%tau) : (tensor<2x5x3xf32>, tensor<2x3xf32>) -> tensor<2x5x3xf32>
  // CHECK: cleave.hessenberg %{{.*}}, %{{.*}} : (tensor<3x3xf64>, tensor<3x3xf64>) -> (tensor<3x3xf64>, tensor<3x3xf64>, tensor<2xf64>, tensor<2xf64>)
  cleave.hessenberg %s, %s : (tensor<3x3xf64>, tensor<3x3xf64>) -> (tensor<3x3xf64>, tensor<3x3xf64>, tensor<2xf64>, tensor<2xf64>)
  // CHECK: cleave.tridiagonal lower %{{.*}} : (tensor<3x3xf64>) -> (tensor<3x3xf64>, tensor<3xf64>, tensor<2xf64>, tensor<2xf64>)
  cleave.tridiagonal lower %s : (tensor<3x3xf64>) -> (tensor<3x3xf64>, tensor<3xf64>, tensor<2xf64>, tensor<2xf64>)
  return
}

// CHECK-LABEL: func.func @spectra(
func.func @spectra(%a: tensor<2x5x3xf32>, %s: tensor<3x3xf64>, %d: tensor<2x5xf32>) {
  // CHECK: cleave.eigh lower %{{.*}} : (tensor<3x3xf64>) -> (tensor<3x3xf64>, tensor<3xf64>)
  cleave.eigh lower %s : (tensor<3x3xf64>) -> (tensor<3x3xf64>, tensor<3xf64>)
  // CHECK: cleave.eigh %{{.*}}, %{{.*}} : (tensor<3x3xf64>, tensor<3x3xf64>) -> (tensor<3x3xf64>, tensor<3x3xf64>, tensor<3xf64>)
  cleave.eigh %s, %s : (tensor<3x3xf64>, tensor<3x3xf64>) -> (tensor<3x3xf64>, tensor<3x3xf64>, tensor<3xf64>)
  // CHECK: cleave.svd %{{.*}} : (tensor<2x5x3xf32>) -> (tensor<2x3xf32>, tensor<2x5x3xf32>, tensor<2x3x3xf32>)
  cleave.svd %a : (tensor<2x5x3xf32>) -> (tensor<2x3xf32>, tensor<2x5x3xf32>, tensor<2x3x3xf32>)
  // CHECK: cleave.svd full %{{.*}} : (tensor<2x5x3xf32>) -> (tensor<2x3xf32>, tensor<2x5x5xf32>, tensor<2x3x3xf32>)
  cleave.svd full %a : (tensor<2x5x3xf32>) -> (tensor<2x3xf32>, tensor<2x5x5xf32>, tensor<2x3x3xf32>)
  // CHECK: cleave.svd values %{{.*}} : (tensor<2x5x3xf32>) -> tensor<2x3xf32>
  cleave.svd values %a : (tensor<2x5x3xf32>) -> tensor<2x3xf32>
  // CHECK: cleave.eig left right %{{.*}} : (tensor<3x3xf64>)
  cleave.eig left right %s : (tensor<3x3xf64>) -> (tensor<3xf64>, tensor<3xf64>, tensor<3x3xf64>, tensor<3x3xf64>, tensor<3x3xf64>, tensor<3x3xf64>)
  // CHECK: cleave.schur %{{.*}} : (tensor<3x3xf64>) -> (tensor<3x3xf64>, tensor<3x3xf64>)
  cleave.schur %s : (tensor<3x3xf64>) -> (tensor<3x3xf64>, tensor<3x3xf64>)
  // CHECK: cleave.tridiagonal_solve(%{{.*}}) (%{{.*}}) (%{{.*}}) (%{{.*}}) : (tensor<2x5xf32>, tensor<2x5xf32>, tensor<2x5xf32>, tensor<2x5x3xf32>) -> tensor<2x5x3xf32>
  cleave.tridiagonal_solve (%d) (%d) (%d) (%a) : (tensor<2x5xf32>, tensor<2x5xf32>, tensor<2x5xf32>, tensor<2x5x3xf32>) -> tensor<2x5x3xf32>
  return
}
