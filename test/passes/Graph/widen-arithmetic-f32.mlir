// RUN: cleave-opt %s '-pass-pipeline=builtin.module(func.func(cleave-widen-arithmetic{f32}))' | FileCheck %s

// Only floats of 16 bits are widened, and to f32.
// CHECK-LABEL: func.func @f(
// CHECK-SAME: %[[A:.*]]: tensor<4x3xf16>, %[[B:.*]]: tensor<3x6xf16>, %[[C:.*]]: tensor<6x6xf32>
// CHECK-DAG: %[[WA:.*]] = cleave.convert %[[A]] : (tensor<4x3xf16>) -> tensor<4x3xf32>
// CHECK-DAG: %[[WB:.*]] = cleave.convert %[[B]] : (tensor<3x6xf16>) -> tensor<3x6xf32>
// CHECK: %[[P:.*]] = cleave.dot_general %[[WA]], %[[WB]]
// CHECK: cleave.convert %[[P]] : (tensor<4x6xf32>) -> tensor<4x6xf16>
// CHECK: cleave.dot_general %[[C]], %[[C]]{{.*}} -> tensor<6x6xf32>
// CHECK-NEXT: return
func.func @f(%a: tensor<4x3xf16>, %b: tensor<3x6xf16>, %c: tensor<6x6xf32>) -> (tensor<4x6xf16>, tensor<6x6xf32>) {
  %0 = cleave.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<4x3xf16>, tensor<3x6xf16>) -> tensor<4x6xf16>
  %1 = cleave.dot_general %c, %c, contracting_dims = [1] x [0] : (tensor<6x6xf32>, tensor<6x6xf32>) -> tensor<6x6xf32>
  return %0, %1 : tensor<4x6xf16>, tensor<6x6xf32>
}
