// RUN: cleave-opt %s | cleave-opt | FileCheck %s
// RUN: cleave-opt %s --mlir-print-op-generic | cleave-opt | FileCheck %s
// RUN: cleave-opt %s --emit-bytecode | cleave-opt | FileCheck %s

// CHECK-LABEL: func.func @reduce_window(
func.func @reduce_window(%x: tensor<4x7xf32>, %z: tensor<f32>, %j: tensor<4x7xi32>, %k: tensor<i32>, %u: tensor<i8>, %t: tensor<i8>) {
  // CHECK: cleave.reduce_window(%{{.*}}) init(%{{.*}}) {base_dilations = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 1>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 1, 2>, window_strides = array<i64: 1, 2>} : (tensor<4x7xf32>, tensor<f32>) -> tensor<4x4xf32> {
  // CHECK-NEXT: ^bb0(%{{.*}}: tensor<f32>, %{{.*}}: tensor<f32>):
  // CHECK-NEXT: cleave.maximum
  // CHECK-NEXT: cleave.return
  cleave.reduce_window(%x) init(%z) {window_dimensions = array<i64: 1, 2>, window_strides = array<i64: 1, 2>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 1>} : (tensor<4x7xf32>, tensor<f32>) -> tensor<4x4xf32> {
  ^bb0(%acc: tensor<f32>, %elt: tensor<f32>):
    %sum = cleave.maximum %acc, %elt : tensor<f32>
    cleave.return %sum : tensor<f32>
  }
  // CHECK: cleave.reduce_window(%{{.*}}, %{{.*}}) init(%{{.*}}, %{{.*}}) {{.*}} : (tensor<4x7xf32>, tensor<4x7xi32>, tensor<f32>, tensor<i32>) -> (tensor<2x2xf32>, tensor<2x2xi32>)
  %r:2 = cleave.reduce_window(%x, %j) init(%z, %k) {window_dimensions = array<i64: 3, 2>, window_strides = array<i64: 1, 5>, base_dilations = array<i64: 1, 2>, window_dilations = array<i64: 1, 3>, padding = array<i64: 0, 0, -1, -2>} : (tensor<4x7xf32>, tensor<4x7xi32>, tensor<f32>, tensor<i32>) -> (tensor<2x2xf32>, tensor<2x2xi32>) {
  ^bb0(%av: tensor<f32>, %ai: tensor<i32>, %ev: tensor<f32>, %ei: tensor<i32>):
    %ge = cleave.compare GE, %av, %ev : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %rv = cleave.select %ge, %av, %ev : tensor<i1>, tensor<f32>
    %ri = cleave.select %ge, %ai, %ei : tensor<i1>, tensor<i32>
    cleave.return %rv, %ri : tensor<f32>, tensor<i32>
  }
  // A scalar has one window.
  // CHECK: cleave.reduce_window({{.*}} : (tensor<i8>, tensor<i8>) -> tensor<i8>
  cleave.reduce_window(%u) init(%t) {window_dimensions = array<i64>, window_strides = array<i64>, base_dilations = array<i64>, window_dilations = array<i64>, padding = array<i64>} : (tensor<i8>, tensor<i8>) -> tensor<i8> {
  ^bb0(%acc: tensor<i8>, %elt: tensor<i8>):
    %sum = cleave.add %acc, %elt : tensor<i8>
    cleave.return %sum : tensor<i8>
  }
  // What is left out leaves no window.
  // CHECK: cleave.reduce_window({{.*}} -> tensor<4x0xf32>
  cleave.reduce_window(%x) init(%z) {window_dimensions = array<i64: 1, 1>, window_strides = array<i64: 1, 1>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 1, 1>, padding = array<i64: 0, 0, -4, -5>} : (tensor<4x7xf32>, tensor<f32>) -> tensor<4x0xf32> {
  ^bb0(%acc: tensor<f32>, %elt: tensor<f32>):
    %sum = cleave.add %acc, %elt : tensor<f32>
    cleave.return %sum : tensor<f32>
  }
  return
}

// CHECK-LABEL: func.func @convolution(
func.func @convolution(%x: tensor<2x5x6x4xf32>, %k: tensor<3x3x4x8xf32>, %g: tensor<3x3x2x8xf32>, %n: tensor<2x4x5x6xf32>, %o: tensor<8x4x3x3xf32>,
                       %s: tensor<2x4xi8>, %m: tensor<4x3xi8>, %h: tensor<2x7x4xbf16>, %hk: tensor<2x4x6xbf16>, %e: tensor<0x5x6x4xf32>) {
  // CHECK: cleave.convolution %{{.*}}, %{{.*}} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, input_batch_dimension = 0 : i64, input_feature_dimension = 3 : i64, input_spatial_dimensions = array<i64: 1, 2>, kernel_input_feature_dimension = 2 : i64, kernel_output_feature_dimension = 3 : i64, kernel_spatial_dimensions = array<i64: 0, 1>, lhs_dilation = array<i64: 1, 1>, output_batch_dimension = 0 : i64, output_feature_dimension = 3 : i64, output_spatial_dimensions = array<i64: 1, 2>, padding = array<i64: 0, 0, 0, 0>, rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>, window_strides = array<i64: 1, 2>} : (tensor<2x5x6x4xf32>, tensor<3x3x4x8xf32>) -> tensor<2x3x2x8xf32>
  cleave.convolution %x, %k {window_strides = array<i64: 1, 2>, padding = array<i64: 0, 0, 0, 0>, lhs_dilation = array<i64: 1, 1>, rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>, input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = array<i64: 1, 2>, kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = array<i64: 0, 1>, output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = array<i64: 1, 2>, feature_group_count = 1, batch_group_count = 1} : (tensor<2x5x6x4xf32>, tensor<3x3x4x8xf32>) -> tensor<2x3x2x8xf32>
  // CHECK: cleave.convolution {{.*}} feature_group_count = 2 {{.*}} lhs_dilation = array<i64: 2, 1>{{.*}} window_reversal = array<i1: true, false>
  cleave.convolution %x, %g {window_strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>, lhs_dilation = array<i64: 2, 1>, rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: true, false>, input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = array<i64: 1, 2>, kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = array<i64: 0, 1>, output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = array<i64: 1, 2>, feature_group_count = 2, batch_group_count = 1} : (tensor<2x5x6x4xf32>, tensor<3x3x2x8xf32>) -> tensor<2x9x6x8xf32>
  // CHECK: cleave.convolution {{.*}}batch_group_count = 2 {{.*}} -> tensor<1x3x4x8xf32>
  cleave.convolution %x, %k {window_strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, lhs_dilation = array<i64: 1, 1>, rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>, input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = array<i64: 1, 2>, kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = array<i64: 0, 1>, output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = array<i64: 1, 2>, feature_group_count = 1, batch_group_count = 2} : (tensor<2x5x6x4xf32>, tensor<3x3x4x8xf32>) -> tensor<1x3x4x8xf32>
  // CHECK: cleave.convolution {{.*}} -> tensor<8x2x1x1xf32>
  cleave.convolution %n, %o {window_strides = array<i64: 1, 1>, padding = array<i64: 0, 0, -1, 0>, lhs_dilation = array<i64: 1, 1>, rhs_dilation = array<i64: 2, 2>, window_reversal = array<i1: false, false>, input_batch_dimension = 0, input_feature_dimension = 1, input_spatial_dimensions = array<i64: 2, 3>, kernel_input_feature_dimension = 1, kernel_output_feature_dimension = 0, kernel_spatial_dimensions = array<i64: 2, 3>, output_batch_dimension = 1, output_feature_dimension = 0, output_spatial_dimensions = array<i64: 3, 2>, feature_group_count = 1, batch_group_count = 1} : (tensor<2x4x5x6xf32>, tensor<8x4x3x3xf32>) -> tensor<8x2x1x1xf32>
  // Without spatial dimensions.
  // CHECK: cleave.convolution {{.*}} : (tensor<2x4xi8>, tensor<4x3xi8>) -> tensor<2x3xi32>
  cleave.convolution %s, %m {window_strides = array<i64>, padding = array<i64>, lhs_dilation = array<i64>, rhs_dilation = array<i64>, window_reversal = array<i1>, input_batch_dimension = 0, input_feature_dimension = 1, input_spatial_dimensions = array<i64>, kernel_input_feature_dimension = 0, kernel_output_feature_dimension = 1, kernel_spatial_dimensions = array<i64>, output_batch_dimension = 0, output_feature_dimension = 1, output_spatial_dimensions = array<i64>, feature_group_count = 1, batch_group_count = 1} : (tensor<2x4xi8>, tensor<4x3xi8>) -> tensor<2x3xi32>
  // CHECK: cleave.convolution {{.*}} : (tensor<2x7x4xbf16>, tensor<2x4x6xbf16>) -> tensor<2x6x6xf32>
  cleave.convolution %h, %hk {window_strides = array<i64: 1>, padding = array<i64: 0, 0>, lhs_dilation = array<i64: 1>, rhs_dilation = array<i64: 1>, window_reversal = array<i1: false>, input_batch_dimension = 0, input_feature_dimension = 2, input_spatial_dimensions = array<i64: 1>, kernel_input_feature_dimension = 1, kernel_output_feature_dimension = 2, kernel_spatial_dimensions = array<i64: 0>, output_batch_dimension = 0, output_feature_dimension = 2, output_spatial_dimensions = array<i64: 1>, feature_group_count = 1, batch_group_count = 1} : (tensor<2x7x4xbf16>, tensor<2x4x6xbf16>) -> tensor<2x6x6xf32>
  // CHECK: cleave.convolution {{.*}} -> tensor<0x3x4x8xf32>
  cleave.convolution %e, %k {window_strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, lhs_dilation = array<i64: 1, 1>, rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>, input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = array<i64: 1, 2>, kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = array<i64: 0, 1>, output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = array<i64: 1, 2>, feature_group_count = 1, batch_group_count = 1} : (tensor<0x5x6x4xf32>, tensor<3x3x4x8xf32>) -> tensor<0x3x4x8xf32>
  return
}
