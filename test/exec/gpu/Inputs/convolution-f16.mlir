// Convolutions of f16 on tensor cores: with accesses of 16 bytes, and without.
func.func @main(%xa: tensor<2x9x10x16xf16>, %wa: tensor<3x3x16x72xf16>,
                %xb: tensor<2x5x9x10xf16>, %wb: tensor<6x5x3x3xf16>,
                %xc: tensor<1x6x6x8xf16>, %wc: tensor<2x2x4x16xf16>)
    -> (tensor<2x9x10x72xf16>, tensor<2x6x4x5xf16>, tensor<1x5x5x16xf16>) {
  %a = cleave.convolution %xa, %wa {
      window_strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>, lhs_dilation = array<i64: 1, 1>, rhs_dilation = array<i64: 1, 1>,
      window_reversal = array<i1: false, false>, input_batch_dimension = 0, input_feature_dimension = 3,
      input_spatial_dimensions = array<i64: 1, 2>, kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3,
      kernel_spatial_dimensions = array<i64: 0, 1>, output_batch_dimension = 0, output_feature_dimension = 3,
      output_spatial_dimensions = array<i64: 1, 2>, feature_group_count = 1, batch_group_count = 1}
      : (tensor<2x9x10x16xf16>, tensor<3x3x16x72xf16>) -> tensor<2x9x10x72xf16>
  %b = cleave.convolution %xb, %wb {
      window_strides = array<i64: 2, 2>, padding = array<i64: 1, 0, 0, 1>, lhs_dilation = array<i64: 1, 1>, rhs_dilation = array<i64: 1, 1>,
      window_reversal = array<i1: false, false>, input_batch_dimension = 0, input_feature_dimension = 1,
      input_spatial_dimensions = array<i64: 2, 3>, kernel_input_feature_dimension = 1, kernel_output_feature_dimension = 0,
      kernel_spatial_dimensions = array<i64: 2, 3>, output_batch_dimension = 0, output_feature_dimension = 1,
      output_spatial_dimensions = array<i64: 2, 3>, feature_group_count = 1, batch_group_count = 1}
      : (tensor<2x5x9x10xf16>, tensor<6x5x3x3xf16>) -> tensor<2x6x4x5xf16>
  %c = cleave.convolution %xc, %wc {
      window_strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, lhs_dilation = array<i64: 1, 1>, rhs_dilation = array<i64: 1, 1>,
      window_reversal = array<i1: false, false>, input_batch_dimension = 0, input_feature_dimension = 3,
      input_spatial_dimensions = array<i64: 1, 2>, kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3,
      kernel_spatial_dimensions = array<i64: 0, 1>, output_batch_dimension = 0, output_feature_dimension = 3,
      output_spatial_dimensions = array<i64: 1, 2>, feature_group_count = 2, batch_group_count = 1}
      : (tensor<1x6x6x8xf16>, tensor<2x2x4x16xf16>) -> tensor<1x5x5x16xf16>
  return %a, %b, %c : tensor<2x9x10x72xf16>, tensor<2x6x4x5xf16>, tensor<1x5x5x16xf16>
}
