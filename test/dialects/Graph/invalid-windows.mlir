// RUN: cleave-opt %s -split-input-file -verify-diagnostics

func.func @f() {
  // expected-error@+1 {{'cleave.reduce_window' op has no inputs: should have at least 1}}
  "cleave.reduce_window"() <{operandSegmentSizes = array<i32: 0, 0>, window_dimensions = array<i64>, window_strides = array<i64>, base_dilations = array<i64>, window_dilations = array<i64>, padding = array<i64>}> ({
    "cleave.return"() : () -> ()
  }) : () -> ()
  return
}

// -----

func.func @f(%x: tensor<4x7xf32>, %z: tensor<f32>) {
  // expected-error@+1 {{'cleave.reduce_window' op `window_strides` has 1 entries: should have 2, one for each dimension of the inputs}}
  cleave.reduce_window(%x) init(%z) {window_dimensions = array<i64: 1, 2>, window_strides = array<i64: 1>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>} : (tensor<4x7xf32>, tensor<f32>) -> tensor<4x6xf32> {
  ^bb0(%acc: tensor<f32>, %elt: tensor<f32>):
    %sum = cleave.add %acc, %elt : tensor<f32>
    cleave.return %sum : tensor<f32>
  }
  return
}

// -----

func.func @f(%x: tensor<4x7xf32>, %z: tensor<f32>) {
  // expected-error@+1 {{'cleave.reduce_window' op `window_dimensions` has 0 as entry 1: should be at least 1}}
  cleave.reduce_window(%x) init(%z) {window_dimensions = array<i64: 1, 0>, window_strides = array<i64: 1, 1>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>} : (tensor<4x7xf32>, tensor<f32>) -> tensor<4x6xf32> {
  ^bb0(%acc: tensor<f32>, %elt: tensor<f32>):
    %sum = cleave.add %acc, %elt : tensor<f32>
    cleave.return %sum : tensor<f32>
  }
  return
}

// -----

func.func @f(%x: tensor<4x7xf32>, %z: tensor<f32>) {
  // expected-error@+1 {{'cleave.reduce_window' op `window_strides` has -1 as entry 1: should be at least 1}}
  cleave.reduce_window(%x) init(%z) {window_dimensions = array<i64: 1, 2>, window_strides = array<i64: 1, -1>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>} : (tensor<4x7xf32>, tensor<f32>) -> tensor<4x6xf32> {
  ^bb0(%acc: tensor<f32>, %elt: tensor<f32>):
    %sum = cleave.add %acc, %elt : tensor<f32>
    cleave.return %sum : tensor<f32>
  }
  return
}

// -----

func.func @f(%x: tensor<4x7xf32>, %z: tensor<f32>) {
  // expected-error@+1 {{'cleave.reduce_window' op `base_dilations` has 0 as entry 0: should be at least 1}}
  cleave.reduce_window(%x) init(%z) {window_dimensions = array<i64: 1, 2>, window_strides = array<i64: 1, 1>, base_dilations = array<i64: 0, 1>, window_dilations = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>} : (tensor<4x7xf32>, tensor<f32>) -> tensor<4x6xf32> {
  ^bb0(%acc: tensor<f32>, %elt: tensor<f32>):
    %sum = cleave.add %acc, %elt : tensor<f32>
    cleave.return %sum : tensor<f32>
  }
  return
}

// -----

func.func @f(%x: tensor<4x7xf32>, %z: tensor<f32>) {
  // expected-error@+1 {{'cleave.reduce_window' op `window_dilations` has 0 as entry 1: should be at least 1}}
  cleave.reduce_window(%x) init(%z) {window_dimensions = array<i64: 1, 2>, window_strides = array<i64: 1, 1>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 1, 0>, padding = array<i64: 0, 0, 0, 0>} : (tensor<4x7xf32>, tensor<f32>) -> tensor<4x6xf32> {
  ^bb0(%acc: tensor<f32>, %elt: tensor<f32>):
    %sum = cleave.add %acc, %elt : tensor<f32>
    cleave.return %sum : tensor<f32>
  }
  return
}

// -----

func.func @f(%x: tensor<4x7xf32>, %z: tensor<f32>) {
  // expected-error@+1 {{'cleave.reduce_window' op `padding` has 2 entries: should have 4, a low and a high one for each dimension of the inputs}}
  cleave.reduce_window(%x) init(%z) {window_dimensions = array<i64: 1, 2>, window_strides = array<i64: 1, 1>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 1, 1>, padding = array<i64: 0, 0>} : (tensor<4x7xf32>, tensor<f32>) -> tensor<4x6xf32> {
  ^bb0(%acc: tensor<f32>, %elt: tensor<f32>):
    %sum = cleave.add %acc, %elt : tensor<f32>
    cleave.return %sum : tensor<f32>
  }
  return
}

// -----

func.func @f(%x: tensor<4x7xf32>, %z: tensor<f32>) {
  // expected-error@+1 {{'cleave.reduce_window' op dimension 1 with 7 elements: padding and dilation should not overflow}}
  cleave.reduce_window(%x) init(%z) {window_dimensions = array<i64: 1, 2>, window_strides = array<i64: 1, 1>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 1, 1>, padding = array<i64: 0, 0, 9223372036854775807, 0>} : (tensor<4x7xf32>, tensor<f32>) -> tensor<4x6xf32> {
  ^bb0(%acc: tensor<f32>, %elt: tensor<f32>):
    %sum = cleave.add %acc, %elt : tensor<f32>
    cleave.return %sum : tensor<f32>
  }
  return
}

// -----

func.func @f(%x: tensor<4x7xf32>, %z: tensor<f32>) {
  // expected-error@+2 {{'cleave.reduce_window' op result #0 has type 'tensor<4x4xf32>': should be 'tensor<4x5xf32>'}}
  // expected-note@+1 {{dimension 1: 7 elements, dilated to 13, padded to 13, with windows of 2, dilated to 4, 2 apart, give 5}}
  cleave.reduce_window(%x) init(%z) {window_dimensions = array<i64: 1, 2>, window_strides = array<i64: 1, 2>, base_dilations = array<i64: 1, 2>, window_dilations = array<i64: 1, 3>, padding = array<i64: 0, 0, 1, -1>} : (tensor<4x7xf32>, tensor<f32>) -> tensor<4x4xf32> {
  ^bb0(%acc: tensor<f32>, %elt: tensor<f32>):
    %sum = cleave.add %acc, %elt : tensor<f32>
    cleave.return %sum : tensor<f32>
  }
  return
}

// -----

func.func @f(%x: tensor<4x7xf32>, %z: tensor<f32>) {
  // expected-error@+1 {{'cleave.reduce_window' op result #0 has type 'tensor<4x6x1xf32>': should be 'tensor<4x6xf32>'}}
  cleave.reduce_window(%x) init(%z) {window_dimensions = array<i64: 1, 2>, window_strides = array<i64: 1, 1>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>} : (tensor<4x7xf32>, tensor<f32>) -> tensor<4x6x1xf32> {
  ^bb0(%acc: tensor<f32>, %elt: tensor<f32>):
    %sum = cleave.add %acc, %elt : tensor<f32>
    cleave.return %sum : tensor<f32>
  }
  return
}

// -----

func.func @f(%x: tensor<4x7xf32>, %z: tensor<f32>) {
  // expected-error@+1 {{'cleave.reduce_window' op result #0 has type 'tensor<4x6xf64>': should be 'tensor<4x6xf32>'}}
  cleave.reduce_window(%x) init(%z) {window_dimensions = array<i64: 1, 2>, window_strides = array<i64: 1, 1>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>} : (tensor<4x7xf32>, tensor<f32>) -> tensor<4x6xf64> {
  ^bb0(%acc: tensor<f32>, %elt: tensor<f32>):
    %sum = cleave.add %acc, %elt : tensor<f32>
    cleave.return %sum : tensor<f32>
  }
  return
}

// -----

func.func @f(%x: tensor<4x7xf32>, %z: tensor<f64>) {
  // expected-error@+1 {{'cleave.reduce_window' op init #0 has type 'tensor<f64>': should be 'tensor<f32>'}}
  cleave.reduce_window(%x) init(%z) {window_dimensions = array<i64: 1, 2>, window_strides = array<i64: 1, 1>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>} : (tensor<4x7xf32>, tensor<f64>) -> tensor<4x6xf32> {
  ^bb0(%acc: tensor<f32>, %elt: tensor<f32>):
    %sum = cleave.add %acc, %elt : tensor<f32>
    cleave.return %sum : tensor<f32>
  }
  return
}

// -----

func.func @f(%x: tensor<4x7xf32>, %y: tensor<4x6xf32>, %z: tensor<f32>) {
  // expected-error@+1 {{'cleave.reduce_window' op input #1 has type 'tensor<4x6xf32>': should be 'tensor<4x7xf32>'}}
  %r:2 = cleave.reduce_window(%x, %y) init(%z, %z) {window_dimensions = array<i64: 1, 2>, window_strides = array<i64: 1, 1>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>} : (tensor<4x7xf32>, tensor<4x6xf32>, tensor<f32>, tensor<f32>) -> (tensor<4x6xf32>, tensor<4x5xf32>) {
  ^bb0(%av: tensor<f32>, %ai: tensor<f32>, %ev: tensor<f32>, %ei: tensor<f32>):
    %ge = cleave.compare GE, %av, %ev : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %rv = cleave.select %ge, %av, %ev : tensor<i1>, tensor<f32>
    %ri = cleave.select %ge, %ai, %ei : tensor<i1>, tensor<f32>
    cleave.return %rv, %ri : tensor<f32>, tensor<f32>
  }
  return
}

// -----

func.func @f(%x: tensor<4x7xf32>, %z: tensor<f32>) {
  // expected-error@+1 {{'cleave.reduce_window' op has 1 results: should have 2, one for each input}}
  %r = cleave.reduce_window(%x, %x) init(%z, %z) {window_dimensions = array<i64: 1, 2>, window_strides = array<i64: 1, 1>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>} : (tensor<4x7xf32>, tensor<4x7xf32>, tensor<f32>, tensor<f32>) -> tensor<4x6xf32> {
  ^bb0(%av: tensor<f32>, %ai: tensor<f32>, %ev: tensor<f32>, %ei: tensor<f32>):
    %ge = cleave.compare GE, %av, %ev : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %rv = cleave.select %ge, %av, %ev : tensor<i1>, tensor<f32>
    %ri = cleave.select %ge, %ai, %ei : tensor<i1>, tensor<f32>
    cleave.return %rv, %ri : tensor<f32>, tensor<f32>
  }
  return
}

// -----

func.func @f(%x: tensor<4x7xf32>, %z: tensor<f32>) {
  // expected-error@+1 {{'cleave.reduce_window' op reducer has arguments of types 'tensor<f32>', 'tensor<f32>', 'tensor<f32>': should be 'tensor<f32>', 'tensor<f32>', accumulators, then elements}}
  cleave.reduce_window(%x) init(%z) {window_dimensions = array<i64: 1, 2>, window_strides = array<i64: 1, 1>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>} : (tensor<4x7xf32>, tensor<f32>) -> tensor<4x6xf32> {
  ^bb0(%acc: tensor<f32>, %elt: tensor<f32>, %f: tensor<f32>):
    %sum = cleave.add %acc, %elt : tensor<f32>
    cleave.return %sum : tensor<f32>
  }
  return
}

// -----

func.func @f(%x: tensor<4x7xf32>, %z: tensor<f32>) {
  // expected-error@+1 {{'cleave.reduce_window' op reducer returns 'tensor<f32>', 'tensor<f32>': should return 'tensor<f32>'}}
  cleave.reduce_window(%x) init(%z) {window_dimensions = array<i64: 1, 2>, window_strides = array<i64: 1, 1>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>} : (tensor<4x7xf32>, tensor<f32>) -> tensor<4x6xf32> {
  ^bb0(%a: tensor<f32>, %e: tensor<f32>):
    cleave.return %a, %e : tensor<f32>, tensor<f32>
  }
  return
}

// -----

func.func @f(%x: tensor<4xf32>, %k: tensor<4xf32>) {
  // expected-error@+1 {{'cleave.convolution' op lhs has type 'tensor<4xf32>': should have a batch and a feature dimension}}
  cleave.convolution %x, %k {window_strides = array<i64>, padding = array<i64>, lhs_dilation = array<i64>, rhs_dilation = array<i64>, window_reversal = array<i1>, input_batch_dimension = 0, input_feature_dimension = 0, input_spatial_dimensions = array<i64>, kernel_input_feature_dimension = 0, kernel_output_feature_dimension = 0, kernel_spatial_dimensions = array<i64>, output_batch_dimension = 0, output_feature_dimension = 0, output_spatial_dimensions = array<i64>, feature_group_count = 1, batch_group_count = 1} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%x: tensor<2x5x6x4xf32>, %k: tensor<3x4x8xf32>) {
  // expected-error@+1 {{'cleave.convolution' op rhs has type 'tensor<3x4x8xf32>': should have rank 4}}
  cleave.convolution %x, %k {window_strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, lhs_dilation = array<i64: 1, 1>, rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>, input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = array<i64: 1, 2>, kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = array<i64: 0, 1>, output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = array<i64: 1, 2>, feature_group_count = 1, batch_group_count = 1} : (tensor<2x5x6x4xf32>, tensor<3x4x8xf32>) -> tensor<2x3x4x8xf32>
  return
}

// -----

func.func @f(%x: tensor<2x5x6x4xf32>, %k: tensor<3x3x4x8xf32>) {
  // expected-error@+1 {{'cleave.convolution' op result has type 'tensor<2x3x8xf32>': should have rank 4}}
  cleave.convolution %x, %k {window_strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, lhs_dilation = array<i64: 1, 1>, rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>, input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = array<i64: 1, 2>, kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = array<i64: 0, 1>, output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = array<i64: 1, 2>, feature_group_count = 1, batch_group_count = 1} : (tensor<2x5x6x4xf32>, tensor<3x3x4x8xf32>) -> tensor<2x3x8xf32>
  return
}

// -----

func.func @f(%x: tensor<2x5x6x4xf32>, %k: tensor<3x3x4x8xf16>) {
  // expected-error@+1 {{'cleave.convolution' op rhs has type 'tensor<3x3x4x8xf16>': should be 'tensor<3x3x4x8xf32>'}}
  cleave.convolution %x, %k {window_strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, lhs_dilation = array<i64: 1, 1>, rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>, input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = array<i64: 1, 2>, kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = array<i64: 0, 1>, output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = array<i64: 1, 2>, feature_group_count = 1, batch_group_count = 1} : (tensor<2x5x6x4xf32>, tensor<3x3x4x8xf16>) -> tensor<2x3x4x8xf32>
  return
}

// -----

func.func @f(%x: tensor<2x5x6x4xf32>, %k: tensor<3x3x4x8xf32>) {
  // expected-error@+1 {{'cleave.convolution' op result has elements of type 'f16': should be 'f32' or wider}}
  cleave.convolution %x, %k {window_strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, lhs_dilation = array<i64: 1, 1>, rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>, input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = array<i64: 1, 2>, kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = array<i64: 0, 1>, output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = array<i64: 1, 2>, feature_group_count = 1, batch_group_count = 1} : (tensor<2x5x6x4xf32>, tensor<3x3x4x8xf32>) -> tensor<2x3x4x8xf16>
  return
}

// -----

func.func @f(%x: tensor<2x5x6x4xf32>, %k: tensor<3x3x4x8xf32>) {
  // expected-error@+1 {{'cleave.convolution' op `window_strides` has 1 entries: should have 2, one for each spatial dimension}}
  cleave.convolution %x, %k {window_strides = array<i64: 1>, padding = array<i64: 0, 0, 0, 0>, lhs_dilation = array<i64: 1, 1>, rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>, input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = array<i64: 1, 2>, kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = array<i64: 0, 1>, output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = array<i64: 1, 2>, feature_group_count = 1, batch_group_count = 1} : (tensor<2x5x6x4xf32>, tensor<3x3x4x8xf32>) -> tensor<2x3x4x8xf32>
  return
}

// -----

func.func @f(%x: tensor<2x5x6x4xf32>, %k: tensor<3x3x4x8xf32>) {
  // expected-error@+1 {{'cleave.convolution' op `window_strides` has 0 as entry 1: should be at least 1}}
  cleave.convolution %x, %k {window_strides = array<i64: 1, 0>, padding = array<i64: 0, 0, 0, 0>, lhs_dilation = array<i64: 1, 1>, rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>, input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = array<i64: 1, 2>, kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = array<i64: 0, 1>, output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = array<i64: 1, 2>, feature_group_count = 1, batch_group_count = 1} : (tensor<2x5x6x4xf32>, tensor<3x3x4x8xf32>) -> tensor<2x3x4x8xf32>
  return
}

// -----

func.func @f(%x: tensor<2x5x6x4xf32>, %k: tensor<3x3x4x8xf32>) {
  // expected-error@+1 {{'cleave.convolution' op `lhs_dilation` has 0 as entry 0: should be at least 1}}
  cleave.convolution %x, %k {window_strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, lhs_dilation = array<i64: 0, 1>, rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>, input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = array<i64: 1, 2>, kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = array<i64: 0, 1>, output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = array<i64: 1, 2>, feature_group_count = 1, batch_group_count = 1} : (tensor<2x5x6x4xf32>, tensor<3x3x4x8xf32>) -> tensor<2x3x4x8xf32>
  return
}

// -----

func.func @f(%x: tensor<2x5x6x4xf32>, %k: tensor<3x3x4x8xf32>) {
  // expected-error@+1 {{'cleave.convolution' op `rhs_dilation` has 0 as entry 1: should be at least 1}}
  cleave.convolution %x, %k {window_strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, lhs_dilation = array<i64: 1, 1>, rhs_dilation = array<i64: 1, 0>, window_reversal = array<i1: false, false>, input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = array<i64: 1, 2>, kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = array<i64: 0, 1>, output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = array<i64: 1, 2>, feature_group_count = 1, batch_group_count = 1} : (tensor<2x5x6x4xf32>, tensor<3x3x4x8xf32>) -> tensor<2x3x4x8xf32>
  return
}

// -----

func.func @f(%x: tensor<2x5x6x4xf32>, %k: tensor<3x3x4x8xf32>) {
  // expected-error@+1 {{'cleave.convolution' op `padding` has 3 entries: should have 4, a low and a high one for each spatial dimension}}
  cleave.convolution %x, %k {window_strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0>, lhs_dilation = array<i64: 1, 1>, rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>, input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = array<i64: 1, 2>, kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = array<i64: 0, 1>, output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = array<i64: 1, 2>, feature_group_count = 1, batch_group_count = 1} : (tensor<2x5x6x4xf32>, tensor<3x3x4x8xf32>) -> tensor<2x3x4x8xf32>
  return
}

// -----

func.func @f(%x: tensor<2x5x6x4xf32>, %k: tensor<3x3x4x8xf32>) {
  // expected-error@+1 {{'cleave.convolution' op `window_reversal` has 1 entries: should have 2, one for each spatial dimension}}
  cleave.convolution %x, %k {window_strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, lhs_dilation = array<i64: 1, 1>, rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: true>, input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = array<i64: 1, 2>, kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = array<i64: 0, 1>, output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = array<i64: 1, 2>, feature_group_count = 1, batch_group_count = 1} : (tensor<2x5x6x4xf32>, tensor<3x3x4x8xf32>) -> tensor<2x3x4x8xf32>
  return
}

// -----

func.func @f(%x: tensor<2x5x6x4xf32>, %k: tensor<3x3x4x8xf32>) {
  // expected-error@+1 {{'cleave.convolution' op `input_spatial_dimensions` has 1 entries: should have 2, one for each spatial dimension of lhs}}
  cleave.convolution %x, %k {window_strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, lhs_dilation = array<i64: 1, 1>, rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>, input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = array<i64: 1>, kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = array<i64: 0, 1>, output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = array<i64: 1, 2>, feature_group_count = 1, batch_group_count = 1} : (tensor<2x5x6x4xf32>, tensor<3x3x4x8xf32>) -> tensor<2x3x4x8xf32>
  return
}

// -----

func.func @f(%x: tensor<2x5x6x4xf32>, %k: tensor<3x3x4x8xf32>) {
  // expected-error@+1 {{'cleave.convolution' op `input_batch_dimension, input_feature_dimension, input_spatial_dimensions` has dimension 2 twice: should be distinct}}
  cleave.convolution %x, %k {window_strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, lhs_dilation = array<i64: 1, 1>, rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>, input_batch_dimension = 0, input_feature_dimension = 2, input_spatial_dimensions = array<i64: 1, 2>, kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = array<i64: 0, 1>, output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = array<i64: 1, 2>, feature_group_count = 1, batch_group_count = 1} : (tensor<2x5x6x4xf32>, tensor<3x3x4x8xf32>) -> tensor<2x3x4x8xf32>
  return
}

// -----

func.func @f(%x: tensor<2x5x6x4xf32>, %k: tensor<3x3x4x8xf32>) {
  // expected-error@+1 {{'cleave.convolution' op `kernel_input_feature_dimension, kernel_output_feature_dimension, kernel_spatial_dimensions` has dimension 4, but rhs has rank 4: should be in 0..3}}
  cleave.convolution %x, %k {window_strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, lhs_dilation = array<i64: 1, 1>, rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>, input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = array<i64: 1, 2>, kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 4, kernel_spatial_dimensions = array<i64: 0, 1>, output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = array<i64: 1, 2>, feature_group_count = 1, batch_group_count = 1} : (tensor<2x5x6x4xf32>, tensor<3x3x4x8xf32>) -> tensor<2x3x4x8xf32>
  return
}

// -----

func.func @f(%x: tensor<2x5x6x4xf32>, %k: tensor<3x3x4x8xf32>) {
  // expected-error@+1 {{'cleave.convolution' op `output_batch_dimension, output_feature_dimension, output_spatial_dimensions` has dimension 1 twice: should be distinct}}
  cleave.convolution %x, %k {window_strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, lhs_dilation = array<i64: 1, 1>, rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>, input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = array<i64: 1, 2>, kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = array<i64: 0, 1>, output_batch_dimension = 1, output_feature_dimension = 3, output_spatial_dimensions = array<i64: 1, 2>, feature_group_count = 1, batch_group_count = 1} : (tensor<2x5x6x4xf32>, tensor<3x3x4x8xf32>) -> tensor<2x3x4x8xf32>
  return
}

// -----

func.func @f(%x: tensor<2x5x6x4xf32>, %k: tensor<3x3x4x8xf32>) {
  // expected-error@+1 {{'cleave.convolution' op `feature_group_count` is 0: should be at least 1}}
  cleave.convolution %x, %k {window_strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, lhs_dilation = array<i64: 1, 1>, rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>, input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = array<i64: 1, 2>, kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = array<i64: 0, 1>, output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = array<i64: 1, 2>, feature_group_count = 0, batch_group_count = 1} : (tensor<2x5x6x4xf32>, tensor<3x3x4x8xf32>) -> tensor<2x3x4x8xf32>
  return
}

// -----

func.func @f(%x: tensor<2x5x6x4xf32>, %k: tensor<3x3x4x8xf32>) {
  // expected-error@+1 {{'cleave.convolution' op `batch_group_count` is -1: should be at least 1}}
  cleave.convolution %x, %k {window_strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, lhs_dilation = array<i64: 1, 1>, rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>, input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = array<i64: 1, 2>, kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = array<i64: 0, 1>, output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = array<i64: 1, 2>, feature_group_count = 1, batch_group_count = -1} : (tensor<2x5x6x4xf32>, tensor<3x3x4x8xf32>) -> tensor<2x3x4x8xf32>
  return
}

// -----

func.func @f(%x: tensor<2x5x6x4xf32>, %k: tensor<3x3x4x8xf32>) {
  // expected-error@+1 {{'cleave.convolution' op `feature_group_count` is 2 and `batch_group_count` 2: one of them should be 1}}
  cleave.convolution %x, %k {window_strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, lhs_dilation = array<i64: 1, 1>, rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>, input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = array<i64: 1, 2>, kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = array<i64: 0, 1>, output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = array<i64: 1, 2>, feature_group_count = 2, batch_group_count = 2} : (tensor<2x5x6x4xf32>, tensor<3x3x4x8xf32>) -> tensor<2x3x4x8xf32>
  return
}

// -----

func.func @f(%x: tensor<2x5x6x4xf32>, %k: tensor<3x3x4x8xf32>) {
  // expected-error@+1 {{'cleave.convolution' op `feature_group_count` is 3: should divide the 4 elements of dimension 3 of lhs}}
  cleave.convolution %x, %k {window_strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, lhs_dilation = array<i64: 1, 1>, rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>, input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = array<i64: 1, 2>, kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = array<i64: 0, 1>, output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = array<i64: 1, 2>, feature_group_count = 3, batch_group_count = 1} : (tensor<2x5x6x4xf32>, tensor<3x3x4x8xf32>) -> tensor<2x3x4x8xf32>
  return
}

// -----

func.func @f(%x: tensor<2x5x6x4xf32>, %k: tensor<3x3x1x6xf32>) {
  // expected-error@+1 {{'cleave.convolution' op `feature_group_count` is 4: should divide the 6 elements of dimension 3 of rhs}}
  cleave.convolution %x, %k {window_strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, lhs_dilation = array<i64: 1, 1>, rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>, input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = array<i64: 1, 2>, kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = array<i64: 0, 1>, output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = array<i64: 1, 2>, feature_group_count = 4, batch_group_count = 1} : (tensor<2x5x6x4xf32>, tensor<3x3x1x6xf32>) -> tensor<2x3x4x8xf32>
  return
}

// -----

func.func @f(%x: tensor<2x5x6x4xf32>, %k: tensor<3x3x4x8xf32>) {
  // expected-error@+1 {{'cleave.convolution' op `batch_group_count` is 4: should divide the 2 elements of dimension 0 of lhs}}
  cleave.convolution %x, %k {window_strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, lhs_dilation = array<i64: 1, 1>, rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>, input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = array<i64: 1, 2>, kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = array<i64: 0, 1>, output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = array<i64: 1, 2>, feature_group_count = 1, batch_group_count = 4} : (tensor<2x5x6x4xf32>, tensor<3x3x4x8xf32>) -> tensor<2x3x4x8xf32>
  return
}

// -----

func.func @f(%x: tensor<2x5x6x4xf32>, %k: tensor<3x3x4x9xf32>) {
  // expected-error@+1 {{'cleave.convolution' op `batch_group_count` is 2: should divide the 9 elements of dimension 3 of rhs}}
  cleave.convolution %x, %k {window_strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, lhs_dilation = array<i64: 1, 1>, rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>, input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = array<i64: 1, 2>, kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = array<i64: 0, 1>, output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = array<i64: 1, 2>, feature_group_count = 1, batch_group_count = 2} : (tensor<2x5x6x4xf32>, tensor<3x3x4x9xf32>) -> tensor<2x3x4x8xf32>
  return
}

// -----

func.func @f(%x: tensor<2x5x6x4xf32>, %k: tensor<3x3x4x8xf32>) {
  // expected-error@+1 {{'cleave.convolution' op dimension 2 of rhs has 4 elements: should have 2, the features of a group of lhs}}
  cleave.convolution %x, %k {window_strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, lhs_dilation = array<i64: 1, 1>, rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>, input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = array<i64: 1, 2>, kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = array<i64: 0, 1>, output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = array<i64: 1, 2>, feature_group_count = 2, batch_group_count = 1} : (tensor<2x5x6x4xf32>, tensor<3x3x4x8xf32>) -> tensor<2x3x4x8xf32>
  return
}

// -----

func.func @f(%x: tensor<2x5x6x4xf32>, %k: tensor<3x3x4x8xf32>) {
  // expected-error@+1 {{'cleave.convolution' op dimension 2 with 6 elements: padding and dilation should not overflow}}
  cleave.convolution %x, %k {window_strides = array<i64: 1, 1>, padding = array<i64: 0, 0, -9223372036854775807, 0>, lhs_dilation = array<i64: 1, 1>, rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>, input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = array<i64: 1, 2>, kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = array<i64: 0, 1>, output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = array<i64: 1, 2>, feature_group_count = 1, batch_group_count = 1} : (tensor<2x5x6x4xf32>, tensor<3x3x4x8xf32>) -> tensor<2x3x4x8xf32>
  return
}

// -----

func.func @f(%x: tensor<2x5x6x4xf32>, %k: tensor<3x3x4x8xf32>) {
  // expected-error@+2 {{'cleave.convolution' op result has type 'tensor<2x3x5x8xf32>': should be 'tensor<2x3x3x8xf32>'}}
  // expected-note@+1 {{dimension 2: 6 elements, padded to 8, with windows of 3, 2 apart, give 3}}
  cleave.convolution %x, %k {window_strides = array<i64: 1, 2>, padding = array<i64: 0, 0, 1, 1>, lhs_dilation = array<i64: 1, 1>, rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>, input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = array<i64: 1, 2>, kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = array<i64: 0, 1>, output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = array<i64: 1, 2>, feature_group_count = 1, batch_group_count = 1} : (tensor<2x5x6x4xf32>, tensor<3x3x4x8xf32>) -> tensor<2x3x5x8xf32>
  return
}

// -----

func.func @f(%x: tensor<2x5x6x4xf32>, %k: tensor<3x3x4x8xf32>) {
  // expected-error@+1 {{'cleave.convolution' op result has type 'tensor<2x3x4x4xf32>': should be 'tensor<2x3x4x8xf32>'}}
  cleave.convolution %x, %k {window_strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, lhs_dilation = array<i64: 1, 1>, rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>, input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = array<i64: 1, 2>, kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = array<i64: 0, 1>, output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = array<i64: 1, 2>, feature_group_count = 1, batch_group_count = 1} : (tensor<2x5x6x4xf32>, tensor<3x3x4x8xf32>) -> tensor<2x3x4x4xf32>
  return
}
