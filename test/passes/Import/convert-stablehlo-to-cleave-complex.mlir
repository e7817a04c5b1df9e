// Complex numbers are their real and imaginary parts.
// RUN: cleave-opt %s -cleave-convert-stablehlo-to-cleave -split-input-file | FileCheck %s

// CHECK-LABEL: func.func @product
// CHECK-SAME: (%[[A:.*]]: tensor<2xf32> {cleave.name = "z.real"}, %[[B:.*]]: tensor<2xf32> {cleave.name = "z.imag"}, %[[C:.*]]: tensor<2xf32> {cleave.name = "arg1.real"}, %[[D:.*]]: tensor<2xf32> {cleave.name = "arg1.imag"}) -> (tensor<2xf32> {cleave.name = "out0.real"}, tensor<2xf32> {cleave.name = "out0.imag", cleave.number = 0 : i64})
func.func @product(%z: tensor<2xcomplex<f32>> {cleave.name = "z"}, %w: tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>> {
  // CHECK-DAG: %[[AC:.*]] = cleave.multiply %[[A]], %[[C]]
  // CHECK-DAG: %[[BD:.*]] = cleave.multiply %[[B]], %[[D]]
  // CHECK-DAG: %[[X:.*]] = cleave.subtract %[[AC]], %[[BD]]
  // CHECK-DAG: %[[AD:.*]] = cleave.multiply %[[A]], %[[D]]
  // CHECK-DAG: %[[BC:.*]] = cleave.multiply %[[B]], %[[C]]
  // CHECK-DAG: %[[Y:.*]] = cleave.add %[[AD]], %[[BC]]
  // CHECK: return %[[X]], %[[Y]]
  %0 = stablehlo.multiply %z, %w : tensor<2xcomplex<f32>>
  return %0 : tensor<2xcomplex<f32>>
}

// -----

// Movement and comparison go part by part; a constant is two.
// CHECK-LABEL: func.func @parts
// CHECK-SAME: (%[[A:.*]]: tensor<2xf64> {{.*}}, %[[B:.*]]: tensor<2xf64> {{.*}})
func.func @parts(%z: tensor<2xcomplex<f64>>) -> (tensor<2xi1>, tensor<2xf64>, tensor<2xf64>) {
  // CHECK: %[[E:.*]] = cleave.constant dense<[1.000000e+00, 3.000000e+00]> : tensor<2xf64>
  // CHECK: %[[F:.*]] = cleave.constant dense<[2.000000e+00, 4.000000e+00]> : tensor<2xf64>
  %w = stablehlo.constant dense<[(1.0, 2.0), (3.0, 4.0)]> : tensor<2xcomplex<f64>>
  // CHECK: %[[R:.*]] = cleave.reverse %[[E]], dims = [0]
  // CHECK: %[[S:.*]] = cleave.reverse %[[F]], dims = [0]
  %r = stablehlo.reverse %w, dims = [0] : tensor<2xcomplex<f64>>
  // CHECK: %[[X:.*]] = cleave.compare NE, %[[A]], %[[R]]
  // CHECK: %[[Y:.*]] = cleave.compare NE, %[[B]], %[[S]]
  // CHECK: %[[N:.*]] = cleave.or %[[X]], %[[Y]]
  %0 = stablehlo.compare NE, %z, %r, FLOAT : (tensor<2xcomplex<f64>>, tensor<2xcomplex<f64>>) -> tensor<2xi1>
  // CHECK: %[[M:.*]] = cleave.negate %[[B]]
  %1 = chlo.conj %z : tensor<2xcomplex<f64>> -> tensor<2xcomplex<f64>>
  %2 = stablehlo.real %1 : (tensor<2xcomplex<f64>>) -> tensor<2xf64>
  %3 = stablehlo.imag %1 : (tensor<2xcomplex<f64>>) -> tensor<2xf64>
  // CHECK: return %[[N]], %[[A]], %[[M]]
  return %0, %2, %3 : tensor<2xi1>, tensor<2xf64>, tensor<2xf64>
}

// -----

// A reducer takes the parts of the accumulator, then those of the element; a comparator (left, right) of each part.
// CHECK-LABEL: func.func @regions
func.func @regions(%z: tensor<2xcomplex<f32>>) -> (tensor<complex<f32>>, tensor<2xcomplex<f32>>) {
  %zero = stablehlo.constant dense<(0.0, 0.0)> : tensor<complex<f32>>
  // CHECK: cleave.reduce(%arg0 init: %{{.*}}), (%arg1 init: %{{.*}}) across dimensions = [0]
  // CHECK-NEXT: reducer(%[[AX:.*]]: tensor<f32>, %[[BX:.*]]: tensor<f32>) (%[[AY:.*]]: tensor<f32>, %[[BY:.*]]: tensor<f32>) {
  // CHECK: %[[X:.*]] = cleave.add %[[AX]], %[[BX]]
  // CHECK: %[[Y:.*]] = cleave.add %[[AY]], %[[BY]]
  // CHECK: cleave.return %[[X]], %[[Y]]
  %0 = stablehlo.reduce(%z init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<2xcomplex<f32>>, tensor<complex<f32>>) -> tensor<complex<f32>>
  // CHECK: cleave.sort(%arg0, %arg1) dimension = 0
  // CHECK: ^bb0(%[[LX:.*]]: tensor<f32>, %[[RX:.*]]: tensor<f32>, %[[LY:.*]]: tensor<f32>, %[[RY:.*]]: tensor<f32>):
  // CHECK: cleave.compare LT, %[[LY]], %[[RY]]
  %1 = "stablehlo.sort"(%z) <{dimension = 0 : i64}> ({
  ^bb0(%a: tensor<complex<f32>>, %b: tensor<complex<f32>>):
    %y = stablehlo.imag %a : (tensor<complex<f32>>) -> tensor<f32>
    %v = stablehlo.imag %b : (tensor<complex<f32>>) -> tensor<f32>
    %c = stablehlo.compare LT, %y, %v : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) : (tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>>
  return %0, %1 : tensor<complex<f32>>, tensor<2xcomplex<f32>>
}

// -----

// CHECK-LABEL: func.func @library
func.func @library(%x: tensor<8xf32>, %a: tensor<2x2xcomplex<f64>>) -> (tensor<5xcomplex<f32>>, tensor<2x2xcomplex<f64>>) {
  // CHECK: %{{.*}}:2 = cleave.fft RFFT %arg0, length = [8] : (tensor<8xf32>) -> (tensor<5xf32>, tensor<5xf32>)
  %0 = stablehlo.fft %x, type = RFFT, length = [8] : (tensor<8xf32>) -> tensor<5xcomplex<f32>>
  // CHECK: %{{.*}}:2 = cleave.triangular_solve adjoint left lower(%arg1, %arg2) (%arg1, %arg2)
  %1 = "stablehlo.triangular_solve"(%a, %a) <{left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose ADJOINT>}> : (tensor<2x2xcomplex<f64>>, tensor<2x2xcomplex<f64>>) -> tensor<2x2xcomplex<f64>>
  return %0, %1 : tensor<5xcomplex<f32>>, tensor<2x2xcomplex<f64>>
}

// -----

// Complex numbers are clamped in the order of their real, then imaginary parts, as maximum and minimum do.
// CHECK-LABEL: func.func @clamp
// CHECK-DAG: cleave.broadcast_in_dim %arg0, dims = []
// CHECK-DAG: cleave.broadcast_in_dim %arg1, dims = []
// CHECK-COUNT-4: cleave.select
func.func @clamp(%low: tensor<complex<f32>>, %x: tensor<2xcomplex<f32>>, %high: tensor<complex<f32>>) -> tensor<2xcomplex<f32>> {
  %0 = stablehlo.clamp %low, %x, %high : (tensor<complex<f32>>, tensor<2xcomplex<f32>>, tensor<complex<f32>>) -> tensor<2xcomplex<f32>>
  return %0 : tensor<2xcomplex<f32>>
}
