// What differentiating convolutions and pooling gives: dilated operands, reversed
// kernels, contracted batches, groups of the batch, and windows that are larger
// than what they leave. %x and %g are cut like in the network forward.
//
// RUN: cleave verify %s --random-inputs 2 --mesh data=1
// RUN: cleave verify %s --random-inputs 2 --mesh data=2 --shard x=data,-,-,- --shard g=data,-,-,-
// RUN: cleave verify %s --random-inputs 2 --mesh data=3 --shard x=data,-,-,- --shard g=data,-,-,-
// RUN: cleave verify %s --random-inputs 2 --mesh rows=2 --shard x=-,rows,-,- --shard g=-,rows,-,-
// RUN: cleave verify %s --random-inputs 2 --mesh rows=4 --shard x=-,rows,-,- --shard g=-,rows,-,-
// RUN: cleave verify %s --random-inputs 2 --mesh rows=2,columns=3 --shard x=-,rows,columns,- --shard g=-,rows,columns,-
// RUN: cleave verify %s --random-inputs 2 --mesh model=2 --shard x=-,-,-,model --shard k=-,-,model,-
// RUN: cleave verify %s --random-inputs 2 --mesh model=3 --shard k=-,-,-,model --shard g=-,-,-,model
// RUN: cleave verify %s --random-inputs 2 --mesh data=2,rows=2 --shard x=data,rows,-,- --shard g=data,rows,-,-
// Kernels' gradients are sums over the batch, and over positions: nothing is gathered.
// RUN: %python %S/../collectives/check.py %cleave %s any --mesh data=2 --shard x=data,-,-,- --shard g=data,-,-,-

func.func @gradients(%x: tensor<4x12x12x8xf32> {cleave.name = "x"}, %g: tensor<4x6x6x16xf32> {cleave.name = "g"},
                     %k: tensor<3x3x8x16xf32> {cleave.name = "k"}, %kd: tensor<3x3x1x8xf32> {cleave.name = "kd"})
    -> (tensor<4x12x12x8xf32>, tensor<3x3x8x16xf32>, tensor<3x3x1x8xf32>, tensor<4x12x12x8xf32>, tensor<4x12x12x8xf32>,
        tensor<4x6x6x8xf32>, tensor<4x6x6x8xi32>) {
  %zero = cleave.constant dense<0.0> : tensor<f32>
  // Of the operand of a convolution with stride 2 and padding (0, 1): the dilated gradient with the reversed kernel.
  %dx = cleave.convolution %g, %k {window_strides = array<i64: 1, 1>, padding = array<i64: 2, 1, 2, 1>,
      lhs_dilation = array<i64: 2, 2>, rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: true, true>,
      input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = array<i64: 1, 2>,
      kernel_input_feature_dimension = 3, kernel_output_feature_dimension = 2,
      kernel_spatial_dimensions = array<i64: 0, 1>, output_batch_dimension = 0, output_feature_dimension = 3,
      output_spatial_dimensions = array<i64: 1, 2>, feature_group_count = 1,
      batch_group_count = 1} : (tensor<4x6x6x16xf32>, tensor<3x3x8x16xf32>) -> tensor<4x12x12x8xf32>
  // Of its kernel: features are the batch, and the batch is contracted.
  %dk = cleave.convolution %x, %g {window_strides = array<i64: 1, 1>, padding = array<i64: 0, 1, 0, 1>,
      lhs_dilation = array<i64: 1, 1>, rhs_dilation = array<i64: 2, 2>, window_reversal = array<i1: false, false>,
      input_batch_dimension = 3, input_feature_dimension = 0, input_spatial_dimensions = array<i64: 1, 2>,
      kernel_input_feature_dimension = 0, kernel_output_feature_dimension = 3,
      kernel_spatial_dimensions = array<i64: 1, 2>, output_batch_dimension = 2, output_feature_dimension = 3,
      output_spatial_dimensions = array<i64: 0, 1>, feature_group_count = 1,
      batch_group_count = 1} : (tensor<4x12x12x8xf32>, tensor<4x6x6x16xf32>) -> tensor<3x3x8x16xf32>
  // Of a depthwise kernel: one group of the batch for each feature.
  %h = cleave.negate %x : tensor<4x12x12x8xf32>
  %dd = cleave.convolution %x, %h {window_strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>,
      lhs_dilation = array<i64: 1, 1>, rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>,
      input_batch_dimension = 3, input_feature_dimension = 0, input_spatial_dimensions = array<i64: 1, 2>,
      kernel_input_feature_dimension = 0, kernel_output_feature_dimension = 3,
      kernel_spatial_dimensions = array<i64: 1, 2>, output_batch_dimension = 2, output_feature_dimension = 3,
      output_spatial_dimensions = array<i64: 0, 1>, feature_group_count = 1,
      batch_group_count = 8} : (tensor<4x12x12x8xf32>, tensor<4x12x12x8xf32>) -> tensor<3x3x1x8xf32>
  // Of the operand of a depthwise convolution.
  %dxd = cleave.convolution %x, %kd {window_strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>,
      lhs_dilation = array<i64: 1, 1>, rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: true, true>,
      input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = array<i64: 1, 2>,
      kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3,
      kernel_spatial_dimensions = array<i64: 0, 1>, output_batch_dimension = 0, output_feature_dimension = 3,
      output_spatial_dimensions = array<i64: 1, 2>, feature_group_count = 8,
      batch_group_count = 1} : (tensor<4x12x12x8xf32>, tensor<3x3x1x8xf32>) -> tensor<4x12x12x8xf32>
  // Of sums over 2 x 2 positions, every second one.
  %half = cleave.slice %g [0:4, 0:6, 0:6, 0:8] : (tensor<4x6x6x16xf32>) -> tensor<4x6x6x8xf32>
  %da = cleave.reduce_window(%half) init(%zero) {window_dimensions = array<i64: 1, 2, 2, 1>,
      window_strides = array<i64: 1, 1, 1, 1>, base_dilations = array<i64: 1, 2, 2, 1>,
      window_dilations = array<i64: 1, 1, 1, 1>, padding = array<i64: 0, 0, 1, 1, 1, 1, 0,
      0>} : (tensor<4x6x6x8xf32>, tensor<f32>) -> tensor<4x12x12x8xf32> {
  ^bb0(%acc: tensor<f32>, %elt: tensor<f32>):
    %sum = cleave.add %acc, %elt : tensor<f32>
    cleave.return %sum : tensor<f32>
  }
  // Which position of 2 x 2 is the largest, along rows.
  %lowest = cleave.constant dense<0xFF800000> : tensor<f32>
  %none = cleave.constant dense<-1> : tensor<i32>
  %row = cleave.iota dim = 1 : tensor<4x12x12x8xi32>
  %most:2 = cleave.reduce_window(%x, %row) init(%lowest, %none) {window_dimensions = array<i64: 1, 2, 2, 1>,
      window_strides = array<i64: 1, 2, 2, 1>, base_dilations = array<i64: 1, 1, 1, 1>,
      window_dilations = array<i64: 1, 1, 1, 1>, padding = array<i64: 0, 0, 0, 0, 0, 0, 0,
      0>} : (tensor<4x12x12x8xf32>, tensor<4x12x12x8xi32>, tensor<f32>, tensor<i32>) -> (tensor<4x6x6x8xf32>,
      tensor<4x6x6x8xi32>) {
  ^bb0(%av: tensor<f32>, %ai: tensor<i32>, %ev: tensor<f32>, %ei: tensor<i32>):
    %ge = cleave.compare GE, %av, %ev : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %rv = cleave.select %ge, %av, %ev : tensor<i1>, tensor<f32>
    %ri = cleave.select %ge, %ai, %ei : tensor<i1>, tensor<i32>
    cleave.return %rv, %ri : tensor<f32>, tensor<i32>
  }
  return %dx, %dk, %dd, %dxd, %da, %most#0, %most#1
      : tensor<4x12x12x8xf32>, tensor<3x3x8x16xf32>, tensor<3x3x1x8xf32>, tensor<4x12x12x8xf32>, tensor<4x12x12x8xf32>,
        tensor<4x6x6x8xf32>, tensor<4x6x6x8xi32>
}
