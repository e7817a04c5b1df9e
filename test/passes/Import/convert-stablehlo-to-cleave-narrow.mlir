// Integers of 2 and 4 bits are kept in 8 and wrap around; floats of 4 and 6 bits are kept in f32.
// RUN: cleave-opt %s -cleave-convert-stablehlo-to-cleave -split-input-file | FileCheck %s

// CHECK-LABEL: func.func @signed
// CHECK-SAME: (%[[A:.*]]: tensor<2xi8>) -> tensor<2xi8>
func.func @signed(%a: tensor<2xi4>) -> tensor<2xi4> {
  // CHECK: %[[S:.*]] = cleave.add %[[A]], %[[A]]
  // CHECK: %[[C:.*]] = cleave.constant dense<4> : tensor<2xi8>
  // CHECK: %[[L:.*]] = cleave.shift_left %[[S]], %[[C]]
  // CHECK: %[[R:.*]] = cleave.shift_right_arithmetic %[[L]], %[[C]]
  %0 = stablehlo.add %a, %a : tensor<2xi4>
  // CHECK: return %[[R]]
  return %0 : tensor<2xi4>
}

// -----

// CHECK-LABEL: func.func @unsigned
func.func @unsigned(%a: tensor<2xui2>) -> (tensor<2xui2>, tensor<2xui2>) {
  // CHECK: %[[N:.*]] = cleave.not %arg0
  // CHECK: %[[C:.*]] = cleave.constant dense<3> : tensor<2xui8>
  // CHECK: cleave.and %[[N]], %[[C]]
  %0 = stablehlo.not %a : tensor<2xui2>
  // CHECK: %[[M:.*]] = cleave.and %arg0, %{{.*}}
  // CHECK: %[[Z:.*]] = cleave.count_leading_zeros %[[M]]
  // CHECK: %[[SIX:.*]] = cleave.constant dense<6> : tensor<2xui8>
  // CHECK: cleave.subtract %[[Z]], %[[SIX]]
  %1 = stablehlo.count_leading_zeros %a : tensor<2xui2>
  return %0, %1 : tensor<2xui2>, tensor<2xui2>
}

// -----

// CHECK-LABEL: func.func @floats
func.func @floats() -> (tensor<3xf16>) {
  // CHECK: %[[C:.*]] = cleave.constant dense<[2.800000e+01, -6.250000e-02, 1.000000e+00]> : tensor<3xf32>
  %0 = stablehlo.constant dense<[28.0, -6.25e-02, 1.0]> : tensor<3xf6E3M2FN>
  // CHECK: cleave.convert %[[C]] : (tensor<3xf32>) -> tensor<3xf16>
  %1 = stablehlo.convert %0 : (tensor<3xf6E3M2FN>) -> tensor<3xf16>
  return %1 : tensor<3xf16>
}

// -----

// A product is made in 8 bits, and wraps around in the end; counting wraps around, too.
// CHECK-LABEL: func.func @product
func.func @product(%a: tensor<2x3xi4>, %b: tensor<3x2xi4>) -> (tensor<2x2xi4>, tensor<2x2xi32>, tensor<20xui4>) {
  // CHECK: %[[D:.*]] = cleave.dot_general %arg0, %arg1, contracting_dims = [1] x [0] : (tensor<2x3xi8>, tensor<3x2xi8>) -> tensor<2x2xi8>
  // CHECK: cleave.shift_left %[[D]]
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<2x3xi4>, tensor<3x2xi4>) -> tensor<2x2xi4>
  // CHECK: cleave.dot_general %arg0, %arg1, contracting_dims = [1] x [0] : (tensor<2x3xi8>, tensor<3x2xi8>) -> tensor<2x2xi32>
  %1 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<2x3xi4>, tensor<3x2xi4>) -> tensor<2x2xi32>
  // CHECK: %[[I:.*]] = cleave.iota dim = 0 : tensor<20xui8>
  // CHECK: cleave.and %[[I]]
  %2 = stablehlo.iota dim = 0 : tensor<20xui4>
  return %0, %1, %2 : tensor<2x2xi4>, tensor<2x2xi32>, tensor<20xui4>
}
