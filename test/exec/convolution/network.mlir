// A small network for images: convolution, batch norm, pooling, a strided and a
// depthwise convolution with a residual, mean, dense layer. Cut along the batch,
// along one or both spatial dimensions (12 rows, then 6 and 3, which do not divide
// by 2 or 4), along features, and in combination.
//
// RUN: cleave verify %s --random-inputs 1 --mesh data=1
// RUN: cleave verify %s --random-inputs 1 --mesh data=4 --shard x=data,-,-,-
// RUN: cleave verify %s --random-inputs 1 --mesh data=3 --shard x=data,-,-,-
// RUN: cleave verify %s --random-inputs 1 --mesh rows=2 --shard x=-,rows,-,-
// RUN: cleave verify %s --random-inputs 1 --mesh rows=5 --shard x=-,rows,-,-
// RUN: cleave verify %s --random-inputs 1 --mesh rows=2,columns=3 --shard x=-,rows,columns,-
// RUN: cleave verify %s --random-inputs 1 --mesh model=2 --shard k1=-,-,-,model --shard k2=-,-,-,model \
// RUN:   --shard kd=-,-,-,model --shard w=model,-
// RUN: cleave verify %s --random-inputs 1 --mesh model=3 --shard k1=-,-,-,model --shard k2=-,-,model,-
// RUN: cleave verify %s --random-inputs 1 --mesh data=2,rows=2,model=2 --shard x=data,rows,-,- \
// RUN:   --shard k1=-,-,-,model --shard k2=-,-,model,-

func.func @network(%x: tensor<4x12x12x3xf32> {cleave.name = "x"}, %k1: tensor<3x3x3x8xf32> {cleave.name = "k1"},
                   %b1: tensor<8xf32> {cleave.name = "b1"}, %k2: tensor<3x3x8x16xf32> {cleave.name = "k2"},
                   %kd: tensor<3x3x1x16xf32> {cleave.name = "kd"}, %w: tensor<16x10xf32> {cleave.name = "w"},
                   %b: tensor<10xf32> {cleave.name = "b"}) -> (tensor<4x10xf32>, tensor<4x3x3x16xf32>) {
  %zero = cleave.constant dense<0.0> : tensor<f32>
  %lowest = cleave.constant dense<0xFF800000> : tensor<f32>
  // Convolution, bias, relu.
  %c1 = cleave.convolution %x, %k1 {window_strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>,
      lhs_dilation = array<i64: 1, 1>, rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>,
      input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = array<i64: 1, 2>,
      kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3,
      kernel_spatial_dimensions = array<i64: 0, 1>, output_batch_dimension = 0, output_feature_dimension = 3,
      output_spatial_dimensions = array<i64: 1, 2>, feature_group_count = 1,
      batch_group_count = 1} : (tensor<4x12x12x3xf32>, tensor<3x3x3x8xf32>) -> tensor<4x12x12x8xf32>
  %b1w = cleave.broadcast_in_dim %b1, dims = [3] : (tensor<8xf32>) -> tensor<4x12x12x8xf32>
  %c1b = cleave.add %c1, %b1w : tensor<4x12x12x8xf32>
  %a1 = cleave.relu %c1b : tensor<4x12x12x8xf32>
  // Batch norm, of the batch and both spatial dimensions.
  %total = cleave.reduce(%a1 init: %zero) applies cleave.add across dimensions = [0, 1, 2] : (tensor<4x12x12x8xf32>,
      tensor<f32>) -> tensor<8xf32>
  %count = cleave.constant dense<576.0> : tensor<8xf32>
  %mean = cleave.divide %total, %count : tensor<8xf32>
  %meanw = cleave.broadcast_in_dim %mean, dims = [3] : (tensor<8xf32>) -> tensor<4x12x12x8xf32>
  %centred = cleave.subtract %a1, %meanw : tensor<4x12x12x8xf32>
  %square = cleave.multiply %centred, %centred : tensor<4x12x12x8xf32>
  %squares = cleave.reduce(%square init: %zero) applies cleave.add across dimensions = [0, 1,
      2] : (tensor<4x12x12x8xf32>, tensor<f32>) -> tensor<8xf32>
  %variance = cleave.divide %squares, %count : tensor<8xf32>
  %epsilon = cleave.constant dense<1.0e-3> : tensor<8xf32>
  %shifted = cleave.add %variance, %epsilon : tensor<8xf32>
  %scale = cleave.rsqrt %shifted : tensor<8xf32>
  %scalew = cleave.broadcast_in_dim %scale, dims = [3] : (tensor<8xf32>) -> tensor<4x12x12x8xf32>
  %n1 = cleave.multiply %centred, %scalew : tensor<4x12x12x8xf32>
  // Maximum of 3 x 3, every second one.
  %p1 = cleave.reduce_window(%n1) init(%lowest) {window_dimensions = array<i64: 1, 3, 3, 1>,
      window_strides = array<i64: 1, 2, 2, 1>, base_dilations = array<i64: 1, 1, 1, 1>,
      window_dilations = array<i64: 1, 1, 1, 1>, padding = array<i64: 0, 0, 0, 1, 0, 1, 0,
      0>} : (tensor<4x12x12x8xf32>, tensor<f32>) -> tensor<4x6x6x8xf32> {
  ^bb0(%acc: tensor<f32>, %elt: tensor<f32>):
    %sum = cleave.maximum %acc, %elt : tensor<f32>
    cleave.return %sum : tensor<f32>
  }
  // A strided and a depthwise convolution, and a residual.
  %c2 = cleave.convolution %p1, %k2 {window_strides = array<i64: 2, 2>, padding = array<i64: 0, 1, 0, 1>,
      lhs_dilation = array<i64: 1, 1>, rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>,
      input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = array<i64: 1, 2>,
      kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3,
      kernel_spatial_dimensions = array<i64: 0, 1>, output_batch_dimension = 0, output_feature_dimension = 3,
      output_spatial_dimensions = array<i64: 1, 2>, feature_group_count = 1,
      batch_group_count = 1} : (tensor<4x6x6x8xf32>, tensor<3x3x8x16xf32>) -> tensor<4x3x3x16xf32>
  %a2 = cleave.relu %c2 : tensor<4x3x3x16xf32>
  %d = cleave.convolution %a2, %kd {window_strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>,
      lhs_dilation = array<i64: 1, 1>, rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>,
      input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = array<i64: 1, 2>,
      kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3,
      kernel_spatial_dimensions = array<i64: 0, 1>, output_batch_dimension = 0, output_feature_dimension = 3,
      output_spatial_dimensions = array<i64: 1, 2>, feature_group_count = 16,
      batch_group_count = 1} : (tensor<4x3x3x16xf32>, tensor<3x3x1x16xf32>) -> tensor<4x3x3x16xf32>
  %r = cleave.add %d, %a2 : tensor<4x3x3x16xf32>
  // Mean of all positions, dense layer.
  %m = cleave.reduce_window(%r) init(%zero) {window_dimensions = array<i64: 1, 3, 3, 1>,
      window_strides = array<i64: 1, 1, 1, 1>, base_dilations = array<i64: 1, 1, 1, 1>,
      window_dilations = array<i64: 1, 1, 1, 1>, padding = array<i64: 0, 0, 0, 0, 0, 0, 0,
      0>} : (tensor<4x3x3x16xf32>, tensor<f32>) -> tensor<4x1x1x16xf32> {
  ^bb0(%acc: tensor<f32>, %elt: tensor<f32>):
    %sum = cleave.add %acc, %elt : tensor<f32>
    cleave.return %sum : tensor<f32>
  }
  %nine = cleave.constant dense<9.0> : tensor<4x1x1x16xf32>
  %means = cleave.divide %m, %nine : tensor<4x1x1x16xf32>
  %flat = cleave.reshape %means : (tensor<4x1x1x16xf32>) -> tensor<4x16xf32>
  %y = cleave.linear %flat, %w bias %b : (tensor<4x16xf32>, tensor<16x10xf32>, tensor<10xf32>) -> tensor<4x10xf32>
  return %y, %r : tensor<4x10xf32>, tensor<4x3x3x16xf32>
}
