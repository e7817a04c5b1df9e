// RUN: cleave-opt %s -cleave-select-convolutions -split-input-file | FileCheck %s

// Bias along the features, activation, residual.
// CHECK-LABEL: func.func @epilogue(
// CHECK-SAME: %[[X:.*]]: tensor<2x8x3xf32>, %[[K:.*]]: tensor<3x3x8xf32>, %[[B:.*]]: tensor<8xf32>, %[[R:.*]]: tensor<2x6x8xf32>
// CHECK-NEXT: %[[Y:.*]] = call @convolution_0(%[[X]], %[[K]], %[[B]], %[[R]])
// CHECK-NEXT: return %[[Y]]
// CHECK: func.func private @convolution_0({{.*}}) -> tensor<2x6x8xf32> attributes {cleave.convolution = {activation = "relu", bias = "feature", residual = true}} {
// CHECK-NEXT: cleave.convolution %arg0, %arg1
// CHECK-NEXT: cleave.broadcast_in_dim %arg2, dims = [2]
// CHECK-NEXT: cleave.add
// CHECK-NEXT: cleave.relu
// CHECK-NEXT: cleave.add %{{.*}}, %arg3
func.func @epilogue(%x: tensor<2x8x3xf32>, %k: tensor<3x3x8xf32>, %b: tensor<8xf32>, %r: tensor<2x6x8xf32>) -> tensor<2x6x8xf32> {
  %c = cleave.convolution %x, %k {window_strides = array<i64: 1>, padding = array<i64: 0, 0>, lhs_dilation = array<i64: 1>, rhs_dilation = array<i64: 1>, window_reversal = array<i1: false>, input_batch_dimension = 0, input_feature_dimension = 2, input_spatial_dimensions = array<i64: 1>, kernel_input_feature_dimension = 1, kernel_output_feature_dimension = 2, kernel_spatial_dimensions = array<i64: 0>, output_batch_dimension = 0, output_feature_dimension = 2, output_spatial_dimensions = array<i64: 1>, feature_group_count = 1, batch_group_count = 1} : (tensor<2x8x3xf32>, tensor<3x3x8xf32>) -> tensor<2x6x8xf32>
  %w = cleave.broadcast_in_dim %b, dims = [2] : (tensor<8xf32>) -> tensor<2x6x8xf32>
  %s = cleave.add %c, %w : tensor<2x6x8xf32>
  %a = cleave.relu %s : tensor<2x6x8xf32>
  %y = cleave.add %a, %r : tensor<2x6x8xf32>
  return %y : tensor<2x6x8xf32>
}

// -----

// A vector along another dimension is no bias of the call, but a residual is any
// tensor of the result's shape.
// CHECK-LABEL: func.func @along_positions(
// CHECK: %[[C:.*]] = call @convolution_0(%arg0, %arg1)
// CHECK: %[[W:.*]] = cleave.broadcast_in_dim
// CHECK: cleave.add %[[C]], %[[W]]
// CHECK: attributes {cleave.convolution = {activation = "none", bias = "none", residual = false}}
func.func @along_positions(%x: tensor<2x8x3xf32>, %k: tensor<3x3x8xf32>, %b: tensor<6xf32>) -> tensor<2x6x8xf32> {
  %c = cleave.convolution %x, %k {window_strides = array<i64: 1>, padding = array<i64: 0, 0>, lhs_dilation = array<i64: 1>, rhs_dilation = array<i64: 1>, window_reversal = array<i1: false>, input_batch_dimension = 0, input_feature_dimension = 2, input_spatial_dimensions = array<i64: 1>, kernel_input_feature_dimension = 1, kernel_output_feature_dimension = 2, kernel_spatial_dimensions = array<i64: 0>, output_batch_dimension = 0, output_feature_dimension = 2, output_spatial_dimensions = array<i64: 1>, feature_group_count = 1, batch_group_count = 1} : (tensor<2x8x3xf32>, tensor<3x3x8xf32>) -> tensor<2x6x8xf32>
  %w = cleave.broadcast_in_dim %b, dims = [1] : (tensor<6xf32>) -> tensor<2x6x8xf32>
  %s = cleave.add %c, %w : tensor<2x6x8xf32>
  return %s : tensor<2x6x8xf32>
}

// -----

// Operands get the element type of the sums; truth values are counted.
// CHECK-LABEL: func.func @widened(
// CHECK-DAG: %[[X:.*]] = cleave.convert %arg0 : (tensor<2x8x3xi8>) -> tensor<2x8x3xi32>
// CHECK-DAG: %[[K:.*]] = cleave.convert %arg1 : (tensor<3x3x8xi8>) -> tensor<3x3x8xi32>
// CHECK: %[[S:.*]] = call @convolution_0(%[[X]], %[[K]]) : (tensor<2x8x3xi32>, tensor<3x3x8xi32>) -> tensor<2x6x8xi32>
// CHECK-DAG: %[[P:.*]] = cleave.convert %arg2 : (tensor<2x8x3xi1>) -> tensor<2x8x3xi32>
// CHECK-DAG: %[[Q:.*]] = cleave.convert %arg3 : (tensor<3x3x8xi1>) -> tensor<3x3x8xi32>
// CHECK: %[[N:.*]] = call @convolution_1(%[[P]], %[[Q]])
// CHECK: %[[T:.*]] = cleave.convert %[[N]] : (tensor<2x6x8xi32>) -> tensor<2x6x8xi1>
// CHECK: return %[[S]], %[[T]]
func.func @widened(%x: tensor<2x8x3xi8>, %k: tensor<3x3x8xi8>, %p: tensor<2x8x3xi1>, %q: tensor<3x3x8xi1>) -> (tensor<2x6x8xi32>, tensor<2x6x8xi1>) {
  %c = cleave.convolution %x, %k {window_strides = array<i64: 1>, padding = array<i64: 0, 0>, lhs_dilation = array<i64: 1>, rhs_dilation = array<i64: 1>, window_reversal = array<i1: false>, input_batch_dimension = 0, input_feature_dimension = 2, input_spatial_dimensions = array<i64: 1>, kernel_input_feature_dimension = 1, kernel_output_feature_dimension = 2, kernel_spatial_dimensions = array<i64: 0>, output_batch_dimension = 0, output_feature_dimension = 2, output_spatial_dimensions = array<i64: 1>, feature_group_count = 1, batch_group_count = 1} : (tensor<2x8x3xi8>, tensor<3x3x8xi8>) -> tensor<2x6x8xi32>
  %d = cleave.convolution %p, %q {window_strides = array<i64: 1>, padding = array<i64: 0, 0>, lhs_dilation = array<i64: 1>, rhs_dilation = array<i64: 1>, window_reversal = array<i1: false>, input_batch_dimension = 0, input_feature_dimension = 2, input_spatial_dimensions = array<i64: 1>, kernel_input_feature_dimension = 1, kernel_output_feature_dimension = 2, kernel_spatial_dimensions = array<i64: 0>, output_batch_dimension = 0, output_feature_dimension = 2, output_spatial_dimensions = array<i64: 1>, feature_group_count = 1, batch_group_count = 1} : (tensor<2x8x3xi1>, tensor<3x3x8xi1>) -> tensor<2x6x8xi1>
  return %c, %d : tensor<2x6x8xi32>, tensor<2x6x8xi1>
}

// -----

// Few features per group, and empty results, are left to kernels.
// CHECK-LABEL: func.func @depthwise(
// CHECK-NOT: call
func.func @depthwise(%x: tensor<2x8x6xf32>, %k: tensor<3x1x12xf32>, %f: tensor<3x6x8xf32>) -> (tensor<2x6x12xf32>, tensor<2x0x8xf32>) {
  %c = cleave.convolution %x, %k {window_strides = array<i64: 1>, padding = array<i64: 0, 0>, lhs_dilation = array<i64: 1>, rhs_dilation = array<i64: 1>, window_reversal = array<i1: false>, input_batch_dimension = 0, input_feature_dimension = 2, input_spatial_dimensions = array<i64: 1>, kernel_input_feature_dimension = 1, kernel_output_feature_dimension = 2, kernel_spatial_dimensions = array<i64: 0>, output_batch_dimension = 0, output_feature_dimension = 2, output_spatial_dimensions = array<i64: 1>, feature_group_count = 6, batch_group_count = 1} : (tensor<2x8x6xf32>, tensor<3x1x12xf32>) -> tensor<2x6x12xf32>
  %d = cleave.convolution %x, %f {window_strides = array<i64: 1>, padding = array<i64: -6, 0>, lhs_dilation = array<i64: 1>, rhs_dilation = array<i64: 1>, window_reversal = array<i1: false>, input_batch_dimension = 0, input_feature_dimension = 2, input_spatial_dimensions = array<i64: 1>, kernel_input_feature_dimension = 1, kernel_output_feature_dimension = 2, kernel_spatial_dimensions = array<i64: 0>, output_batch_dimension = 0, output_feature_dimension = 2, output_spatial_dimensions = array<i64: 1>, feature_group_count = 1, batch_group_count = 1} : (tensor<2x8x6xf32>, tensor<3x6x8xf32>) -> tensor<2x0x8xf32>
  return %c, %d : tensor<2x6x12xf32>, tensor<2x0x8xf32>
}
