// Convolutions of f32 in the usual layouts, with every field of the specification.
func.func @main(%xa: tensor<2x9x10x8xf32>, %wa: tensor<3x3x8x70xf32>,
                %xb: tensor<2x5x9x10xf32>, %wb: tensor<6x5x3x3xf32>,
                %xc: tensor<1x8x8x16xf32>, %wc: tensor<1x1x16x64xf32>,
                %xd: tensor<1x8x12x7xf32>, %wd: tensor<8x4x3x2xf32>,
                %xe: tensor<1x4x5x4xf32>, %we: tensor<3x3x4x4xf32>,
                %xf: tensor<4x5x5x3xf32>, %wf: tensor<2x2x3x8xf32>,
                %xg: tensor<2x11x3xf32>, %wg: tensor<4x3x5xf32>,
                %xh: tensor<1x5x5x8xbf16>, %wh: tensor<3x3x8x8xbf16>)
    -> (tensor<2x9x10x70xf32>, tensor<2x6x4x5xf32>, tensor<1x4x4x64xf32>, tensor<1x8x12x5xf32>, tensor<1x9x15x4xf32>, tensor<2x3x3x8xf32>, tensor<2x8x5xf32>, tensor<1x5x5x8xf32>) {
  %a = cleave.convolution %xa, %wa {
      window_strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>, lhs_dilation = array<i64: 1, 1>, rhs_dilation = array<i64: 1, 1>,
      window_reversal = array<i1: false, false>, input_batch_dimension = 0, input_feature_dimension = 3,
      input_spatial_dimensions = array<i64: 1, 2>, kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3,
      kernel_spatial_dimensions = array<i64: 0, 1>, output_batch_dimension = 0, output_feature_dimension = 3,
      output_spatial_dimensions = array<i64: 1, 2>, feature_group_count = 1, batch_group_count = 1}
      : (tensor<2x9x10x8xf32>, tensor<3x3x8x70xf32>) -> tensor<2x9x10x70xf32>
  %b = cleave.convolution %xb, %wb {
      window_strides = array<i64: 2, 2>, padding = array<i64: 1, 0, 0, 1>, lhs_dilation = array<i64: 1, 1>, rhs_dilation = array<i64: 1, 1>,
      window_reversal = array<i1: false, false>, input_batch_dimension = 0, input_feature_dimension = 1,
      input_spatial_dimensions = array<i64: 2, 3>, kernel_input_feature_dimension = 1, kernel_output_feature_dimension = 0,
      kernel_spatial_dimensions = array<i64: 2, 3>, output_batch_dimension = 0, output_feature_dimension = 1,
      output_spatial_dimensions = array<i64: 2, 3>, feature_group_count = 1, batch_group_count = 1}
      : (tensor<2x5x9x10xf32>, tensor<6x5x3x3xf32>) -> tensor<2x6x4x5xf32>
  %c = cleave.convolution %xc, %wc {
      window_strides = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>, lhs_dilation = array<i64: 1, 1>, rhs_dilation = array<i64: 1, 1>,
      window_reversal = array<i1: false, false>, input_batch_dimension = 0, input_feature_dimension = 3,
      input_spatial_dimensions = array<i64: 1, 2>, kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3,
      kernel_spatial_dimensions = array<i64: 0, 1>, output_batch_dimension = 0, output_feature_dimension = 3,
      output_spatial_dimensions = array<i64: 1, 2>, feature_group_count = 1, batch_group_count = 1}
      : (tensor<1x8x8x16xf32>, tensor<1x1x16x64xf32>) -> tensor<1x4x4x64xf32>
  %d = cleave.convolution %xd, %wd {
      window_strides = array<i64: 1, 1>, padding = array<i64: 2, 2, 1, 0>, lhs_dilation = array<i64: 1, 1>, rhs_dilation = array<i64: 2, 3>,
      window_reversal = array<i1: false, false>, input_batch_dimension = 0, input_feature_dimension = 1,
      input_spatial_dimensions = array<i64: 2, 3>, kernel_input_feature_dimension = 1, kernel_output_feature_dimension = 0,
      kernel_spatial_dimensions = array<i64: 2, 3>, output_batch_dimension = 0, output_feature_dimension = 1,
      output_spatial_dimensions = array<i64: 2, 3>, feature_group_count = 2, batch_group_count = 1}
      : (tensor<1x8x12x7xf32>, tensor<8x4x3x2xf32>) -> tensor<1x8x12x5xf32>
  %e = cleave.convolution %xe, %we {
      window_strides = array<i64: 1, 1>, padding = array<i64: 2, 2, 2, 2>, lhs_dilation = array<i64: 2, 3>, rhs_dilation = array<i64: 1, 1>,
      window_reversal = array<i1: true, false>, input_batch_dimension = 0, input_feature_dimension = 3,
      input_spatial_dimensions = array<i64: 1, 2>, kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3,
      kernel_spatial_dimensions = array<i64: 0, 1>, output_batch_dimension = 0, output_feature_dimension = 3,
      output_spatial_dimensions = array<i64: 1, 2>, feature_group_count = 1, batch_group_count = 1}
      : (tensor<1x4x5x4xf32>, tensor<3x3x4x4xf32>) -> tensor<1x9x15x4xf32>
  %f = cleave.convolution %xf, %wf {
      window_strides = array<i64: 1, 1>, padding = array<i64: -1, 0, 0, -1>, lhs_dilation = array<i64: 1, 1>, rhs_dilation = array<i64: 1, 1>,
      window_reversal = array<i1: false, false>, input_batch_dimension = 0, input_feature_dimension = 3,
      input_spatial_dimensions = array<i64: 1, 2>, kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3,
      kernel_spatial_dimensions = array<i64: 0, 1>, output_batch_dimension = 0, output_feature_dimension = 3,
      output_spatial_dimensions = array<i64: 1, 2>, feature_group_count = 1, batch_group_count = 2}
      : (tensor<4x5x5x3xf32>, tensor<2x2x3x8xf32>) -> tensor<2x3x3x8xf32>
  %g = cleave.convolution %xg, %wg {
      window_strides = array<i64: 1>, padding = array<i64: 0, 0>, lhs_dilation = array<i64: 1>, rhs_dilation = array<i64: 1>,
      window_reversal = array<i1: false>, input_batch_dimension = 0, input_feature_dimension = 2,
      input_spatial_dimensions = array<i64: 1>, kernel_input_feature_dimension = 1, kernel_output_feature_dimension = 2,
      kernel_spatial_dimensions = array<i64: 0>, output_batch_dimension = 0, output_feature_dimension = 2,
      output_spatial_dimensions = array<i64: 1>, feature_group_count = 1, batch_group_count = 1}
      : (tensor<2x11x3xf32>, tensor<4x3x5xf32>) -> tensor<2x8x5xf32>
  %h = cleave.convolution %xh, %wh {
      window_strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>, lhs_dilation = array<i64: 1, 1>, rhs_dilation = array<i64: 1, 1>,
      window_reversal = array<i1: false, false>, input_batch_dimension = 0, input_feature_dimension = 3,
      input_spatial_dimensions = array<i64: 1, 2>, kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3,
      kernel_spatial_dimensions = array<i64: 0, 1>, output_batch_dimension = 0, output_feature_dimension = 3,
      output_spatial_dimensions = array<i64: 1, 2>, feature_group_count = 1, batch_group_count = 1}
      : (tensor<1x5x5x8xbf16>, tensor<3x3x8x8xbf16>) -> tensor<1x5x5x8xf32>
  return %a, %b, %c, %d, %e, %f, %g, %h : tensor<2x9x10x70xf32>, tensor<2x6x4x5xf32>, tensor<1x4x4x64xf32>, tensor<1x8x12x5xf32>, tensor<1x9x15x4xf32>, tensor<2x3x3x8xf32>, tensor<2x8x5xf32>, tensor<1x5x5x8xf32>
}
