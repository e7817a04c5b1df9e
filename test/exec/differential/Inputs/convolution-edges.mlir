// Convolutions in which every test of a bound has its part in the result: windows,
// features and depth end within a tile.
func.func @main(%x: tensor<1x5x7x40xbf16>, %w: tensor<1x1x40x24xbf16>,
                %y: tensor<1x5x7x20xf32>, %u: tensor<1x1x20x12xf32>)
    -> (tensor<1x5x7x24xbf16>, tensor<1x5x7x12xf32>) {
  %0 = cleave.convolution %x, %w {
      window_strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, lhs_dilation = array<i64: 1, 1>, rhs_dilation = array<i64: 1, 1>,
      window_reversal = array<i1: false, false>, input_batch_dimension = 0, input_feature_dimension = 3,
      input_spatial_dimensions = array<i64: 1, 2>, kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3,
      kernel_spatial_dimensions = array<i64: 0, 1>, output_batch_dimension = 0, output_feature_dimension = 3,
      output_spatial_dimensions = array<i64: 1, 2>, feature_group_count = 1, batch_group_count = 1}
      : (tensor<1x5x7x40xbf16>, tensor<1x1x40x24xbf16>) -> tensor<1x5x7x24xbf16>
  %1 = cleave.convolution %y, %u {
      window_strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, lhs_dilation = array<i64: 1, 1>, rhs_dilation = array<i64: 1, 1>,
      window_reversal = array<i1: false, false>, input_batch_dimension = 0, input_feature_dimension = 3,
      input_spatial_dimensions = array<i64: 1, 2>, kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3,
      kernel_spatial_dimensions = array<i64: 0, 1>, output_batch_dimension = 0, output_feature_dimension = 3,
      output_spatial_dimensions = array<i64: 1, 2>, feature_group_count = 1, batch_group_count = 1}
      : (tensor<1x5x7x20xf32>, tensor<1x1x20x12xf32>) -> tensor<1x5x7x12xf32>
  return %0, %1 : tensor<1x5x7x24xbf16>, tensor<1x5x7x12xf32>
}
