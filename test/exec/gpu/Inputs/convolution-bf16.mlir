// Convolutions of bf16 on tensor cores.
func.func @main(%xa: tensor<1x8x8x32xbf16>, %wa: tensor<3x3x32x64xbf16>,
                %xb: tensor<1x6x7x9xbf16>, %wb: tensor<10x6x3x3xbf16>)
    -> (tensor<1x4x4x64xbf16>, tensor<1x10x7x9xbf16>) {
  %a = cleave.convolution %xa, %wa {
      window_strides = array<i64: 2, 2>, padding = array<i64: 1, 1, 1, 1>, lhs_dilation = array<i64: 1, 1>, rhs_dilation = array<i64: 1, 1>,
      window_reversal = array<i1: false, false>, input_batch_dimension = 0, input_feature_dimension = 3,
      input_spatial_dimensions = array<i64: 1, 2>, kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3,
      kernel_spatial_dimensions = array<i64: 0, 1>, output_batch_dimension = 0, output_feature_dimension = 3,
      output_spatial_dimensions = array<i64: 1, 2>, feature_group_count = 1, batch_group_count = 1}
      : (tensor<1x8x8x32xbf16>, tensor<3x3x32x64xbf16>) -> tensor<1x4x4x64xbf16>
  %b = cleave.convolution %xb, %wb {
      window_strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>, lhs_dilation = array<i64: 1, 1>, rhs_dilation = array<i64: 1, 1>,
      window_reversal = array<i1: false, false>, input_batch_dimension = 0, input_feature_dimension = 1,
      input_spatial_dimensions = array<i64: 2, 3>, kernel_input_feature_dimension = 1, kernel_output_feature_dimension = 0,
      kernel_spatial_dimensions = array<i64: 2, 3>, output_batch_dimension = 0, output_feature_dimension = 1,
      output_spatial_dimensions = array<i64: 2, 3>, feature_group_count = 1, batch_group_count = 1}
      : (tensor<1x6x7x9xbf16>, tensor<10x6x3x3xbf16>) -> tensor<1x10x7x9xbf16>
  return %a, %b : tensor<1x4x4x64xbf16>, tensor<1x10x7x9xbf16>
}
