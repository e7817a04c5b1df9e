// Shapes that are values become static where they follow from constants.
// RUN: cleave-opt %s -cleave-convert-stablehlo-to-cleave | FileCheck %s

// CHECK-LABEL: func.func @main
func.func @main(%m: tensor<2x3xf32>, %s: tensor<f32>) -> (tensor<4x2x3xf32>, tensor<3x2xi32>, tensor<6xf32>, tensor<3x4xf32>, tensor<1x2xf32>) {
  %four = stablehlo.constant dense<4> : tensor<1xi32>
  %d0 = stablehlo.get_dimension_size %m, dim = 0 : (tensor<2x3xf32>) -> tensor<i32>
  %d1 = stablehlo.get_dimension_size %m, dim = 1 : (tensor<2x3xf32>) -> tensor<i32>
  %v0 = stablehlo.reshape %d0 : (tensor<i32>) -> tensor<1xi32>
  %v1 = stablehlo.reshape %d1 : (tensor<i32>) -> tensor<1xi32>
  %shape = stablehlo.concatenate %four, %v0, %v1, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
  // CHECK-DAG: cleave.broadcast_in_dim %arg0, dims = [1, 2]
  %0 = stablehlo.dynamic_broadcast_in_dim %m, %shape, dims = [1, 2] : (tensor<2x3xf32>, tensor<3xi32>) -> tensor<4x2x3xf32>
  %turned = stablehlo.concatenate %v1, %v0, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  // CHECK-DAG: cleave.iota dim = 1 : tensor<3x2xi32>
  %1 = stablehlo.dynamic_iota %turned, dim = 1 : (tensor<2xi32>) -> tensor<3x2xi32>
  %product = stablehlo.multiply %v0, %v1 : tensor<1xi32>
  // CHECK-DAG: cleave.reshape %arg0 : (tensor<2x3xf32>) -> tensor<6xf32>
  %2 = stablehlo.dynamic_reshape %m, %product : (tensor<2x3xf32>, tensor<1xi32>) -> tensor<6xf32>
  %zeros = stablehlo.constant dense<0> : tensor<2xi64>
  %ones = stablehlo.constant dense<1> : tensor<2xi64>
  // CHECK-DAG: cleave.pad %arg0, %arg1, low = [1, 1], high = [0, 0], interior = [0, 0]
  %3 = stablehlo.dynamic_pad %m, %s, %ones, %zeros, %zeros : (tensor<2x3xf32>, tensor<f32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<3x4xf32>
  %limits = stablehlo.constant dense<[2, 3]> : tensor<2xi64>
  // CHECK-DAG: cleave.slice %arg0 [1:2, 1:3]
  %4 = stablehlo.real_dynamic_slice %m, %ones, %limits, %ones : (tensor<2x3xf32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<1x2xf32>
  return %0, %1, %2, %3, %4 : tensor<4x2x3xf32>, tensor<3x2xi32>, tensor<6xf32>, tensor<3x4xf32>, tensor<1x2xf32>
}
