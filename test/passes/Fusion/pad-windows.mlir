// RUN: cleave-opt %s -cleave-pad-windows | FileCheck %s

// CHECK-LABEL: func.func @reduce_window(
// CHECK-SAME: %[[X:.*]]: tensor<4x7xf32>, %[[Z:.*]]: tensor<f32>
func.func @reduce_window(%x: tensor<4x7xf32>, %z: tensor<f32>) -> tensor<4x6xf32> {
  // CHECK: %[[P:.*]] = cleave.pad %[[X]], %[[Z]], low = [0, -1], high = [0, 2], interior = [0, 1] : (tensor<4x7xf32>, tensor<f32>) -> tensor<4x14xf32>
  // CHECK: cleave.reduce_window(%[[P]]) init(%[[Z]]) {base_dilations = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, window_dilations = array<i64: 1, 2>, window_dimensions = array<i64: 1, 2>, window_strides = array<i64: 1, 2>} : (tensor<4x14xf32>, tensor<f32>) -> tensor<4x6xf32>
  %y = cleave.reduce_window(%x) init(%z) {window_dimensions = array<i64: 1, 2>, window_strides = array<i64: 1, 2>, base_dilations = array<i64: 1, 2>, window_dilations = array<i64: 1, 2>, padding = array<i64: 0, 0, -1, 2>} : (tensor<4x7xf32>, tensor<f32>) -> tensor<4x6xf32> {
  ^bb0(%acc: tensor<f32>, %elt: tensor<f32>):
    %sum = cleave.add %acc, %elt : tensor<f32>
    cleave.return %sum : tensor<f32>
  }
  return %y : tensor<4x6xf32>
}

// Each input is padded with its own initial value.
// CHECK-LABEL: func.func @two_inputs(
// CHECK-SAME: %[[X:.*]]: tensor<5xf32>, %[[Y:.*]]: tensor<5xi32>, %[[Z:.*]]: tensor<f32>, %[[K:.*]]: tensor<i32>
func.func @two_inputs(%x: tensor<5xf32>, %y: tensor<5xi32>, %z: tensor<f32>, %k: tensor<i32>) -> tensor<5xi32> {
  // CHECK: %[[P:.*]] = cleave.pad %[[X]], %[[Z]], low = [1], high = [1], interior = [0]
  // CHECK: %[[Q:.*]] = cleave.pad %[[Y]], %[[K]], low = [1], high = [1], interior = [0]
  // CHECK: cleave.reduce_window(%[[P]], %[[Q]]) init(%[[Z]], %[[K]])
  %r:2 = cleave.reduce_window(%x, %y) init(%z, %k) {window_dimensions = array<i64: 3>, window_strides = array<i64: 1>, base_dilations = array<i64: 1>, window_dilations = array<i64: 1>, padding = array<i64: 1, 1>} : (tensor<5xf32>, tensor<5xi32>, tensor<f32>, tensor<i32>) -> (tensor<5xf32>, tensor<5xi32>) {
  ^bb0(%av: tensor<f32>, %ai: tensor<i32>, %ev: tensor<f32>, %ei: tensor<i32>):
    %ge = cleave.compare GE, %av, %ev : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %rv = cleave.select %ge, %av, %ev : tensor<i1>, tensor<f32>
    %ri = cleave.select %ge, %ai, %ei : tensor<i1>, tensor<i32>
    cleave.return %rv, %ri : tensor<f32>, tensor<i32>
  }
  return %r#1 : tensor<5xi32>
}

// A scan pads nothing, unless its padding counts.
// CHECK-LABEL: func.func @scan(
func.func @scan(%x: tensor<4x7xf32>, %y: tensor<4x7xf32>) -> (tensor<4x7xf32>, tensor<4x7xf32>) {
  %z = cleave.constant dense<0.0> : tensor<f32>
  %one = cleave.constant dense<1.0> : tensor<f32>
  // CHECK-NOT: cleave.pad
  // CHECK: cleave.reduce_window(%arg0)
  %r = cleave.reduce_window(%x) init(%z) {window_dimensions = array<i64: 1, 7>, window_strides = array<i64: 1, 1>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 1, 1>, padding = array<i64: 0, 0, 6, 0>} : (tensor<4x7xf32>, tensor<f32>) -> tensor<4x7xf32> {
  ^bb0(%acc: tensor<f32>, %elt: tensor<f32>):
    %sum = cleave.add %acc, %elt : tensor<f32>
    cleave.return %sum : tensor<f32>
  }
  // CHECK: cleave.pad %arg1
  %s = cleave.reduce_window(%y) init(%one) {window_dimensions = array<i64: 1, 7>, window_strides = array<i64: 1, 1>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 1, 1>, padding = array<i64: 0, 0, 6, 0>} : (tensor<4x7xf32>, tensor<f32>) -> tensor<4x7xf32> {
  ^bb0(%acc: tensor<f32>, %elt: tensor<f32>):
    %sum = cleave.add %acc, %elt : tensor<f32>
    cleave.return %sum : tensor<f32>
  }
  return %r, %s : tensor<4x7xf32>, tensor<4x7xf32>
}

// CHECK-LABEL: func.func @convolution(
// CHECK-SAME: %[[X:.*]]: tensor<2x4x5x6xf32>, %[[K:.*]]: tensor<3x3x4x8xf32>
func.func @convolution(%x: tensor<2x4x5x6xf32>, %k: tensor<3x3x4x8xf32>) -> (tensor<2x9x6x8xf32>, tensor<2x3x4x8xf32>, tensor<2x0x4x8xf32>) {
  // CHECK: %[[Z:.*]] = cleave.constant dense<0.000000e+00> : tensor<f32>
  // CHECK: %[[P:.*]] = cleave.pad %[[X]], %[[Z]], low = [0, 0, 1, 2], high = [0, 0, 1, 0], interior = [0, 0, 1, 0] : (tensor<2x4x5x6xf32>, tensor<f32>) -> tensor<2x4x11x8xf32>
  // CHECK: cleave.convolution %[[P]], %[[K]] {{.*}}lhs_dilation = array<i64: 1, 1>{{.*}}padding = array<i64: 0, 0, 0, 0>{{.*}}window_reversal = array<i1: true, false>{{.*}} : (tensor<2x4x11x8xf32>, tensor<3x3x4x8xf32>) -> tensor<2x9x6x8xf32>
  %r = cleave.convolution %x, %k {window_strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 2, 0>, lhs_dilation = array<i64: 2, 1>, rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: true, false>, input_batch_dimension = 0, input_feature_dimension = 1, input_spatial_dimensions = array<i64: 2, 3>, kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = array<i64: 0, 1>, output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = array<i64: 1, 2>, feature_group_count = 1, batch_group_count = 1} : (tensor<2x4x5x6xf32>, tensor<3x3x4x8xf32>) -> tensor<2x9x6x8xf32>
  // Nothing to pad.
  // CHECK: cleave.convolution %[[X]], %[[K]]
  %s = cleave.convolution %x, %k {window_strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, lhs_dilation = array<i64: 1, 1>, rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>, input_batch_dimension = 0, input_feature_dimension = 1, input_spatial_dimensions = array<i64: 2, 3>, kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = array<i64: 0, 1>, output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = array<i64: 1, 2>, feature_group_count = 1, batch_group_count = 1} : (tensor<2x4x5x6xf32>, tensor<3x3x4x8xf32>) -> tensor<2x3x4x8xf32>
  // No results: more may be cut off than there is.
  // CHECK: cleave.convolution %[[X]], %[[K]]
  %t = cleave.convolution %x, %k {window_strides = array<i64: 1, 1>, padding = array<i64: -9, 0, 0, 0>, lhs_dilation = array<i64: 1, 1>, rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>, input_batch_dimension = 0, input_feature_dimension = 1, input_spatial_dimensions = array<i64: 2, 3>, kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = array<i64: 0, 1>, output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = array<i64: 1, 2>, feature_group_count = 1, batch_group_count = 1} : (tensor<2x4x5x6xf32>, tensor<3x3x4x8xf32>) -> tensor<2x0x4x8xf32>
  return %r, %s, %t : tensor<2x9x6x8xf32>, tensor<2x3x4x8xf32>, tensor<2x0x4x8xf32>
}
