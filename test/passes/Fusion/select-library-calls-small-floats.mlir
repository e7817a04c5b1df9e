// A library for hosts packs floats of 8 bits as they are; others get them in the type of the result.
// RUN: cleave-opt %s --cleave-select-library-calls | FileCheck %s --check-prefixes=CHECK,HOST
// RUN: cleave-opt %s --cleave-select-library-calls=epilogues=linear | FileCheck %s --check-prefixes=CHECK,CUDA

// CHECK-LABEL: func.func @products
// HOST: call @{{.*}}(%arg0, %arg1) : (tensor<4x8xf8E4M3FN>, tensor<8x16xf8E4M3FN>) -> tensor<4x16xf32>
// HOST: call @{{.*}}(%arg0, %arg1) : (tensor<4x8xf8E4M3FN>, tensor<8x16xf8E4M3FN>) -> tensor<4x16xbf16>
// CUDA: cleave.convert %arg0 : (tensor<4x8xf8E4M3FN>) -> tensor<4x8xf32>
// CUDA: call @{{.*}} : (tensor<4x8xf32>, tensor<8x16xf32>) -> tensor<4x16xf32>
// CUDA: call @{{.*}} : (tensor<4x8xbf16>, tensor<8x16xbf16>) -> tensor<4x16xbf16>
// In f64 all of them convert.
// CHECK: cleave.convert %arg0 : (tensor<4x8xf8E4M3FN>) -> tensor<4x8xf64>
// CHECK: call @{{.*}} : (tensor<4x8xf64>, tensor<8x16xf64>) -> tensor<4x16xf64>
func.func @products(%a: tensor<4x8xf8E4M3FN>, %b: tensor<8x16xf8E4M3FN>) -> (tensor<4x16xf32>, tensor<4x16xbf16>, tensor<4x16xf64>) {
  %0 = cleave.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<4x8xf8E4M3FN>, tensor<8x16xf8E4M3FN>) -> tensor<4x16xf32>
  %1 = cleave.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<4x8xf8E4M3FN>, tensor<8x16xf8E4M3FN>) -> tensor<4x16xbf16>
  %2 = cleave.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<4x8xf8E4M3FN>, tensor<8x16xf8E4M3FN>) -> tensor<4x16xf64>
  return %0, %1, %2 : tensor<4x16xf32>, tensor<4x16xbf16>, tensor<4x16xf64>
}
