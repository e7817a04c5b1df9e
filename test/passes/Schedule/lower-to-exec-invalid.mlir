// RUN: cleave-opt %s --cleave-lower-to-exec --split-input-file --verify-diagnostics

// expected-error @+1 {{has no public function that could be the entry}}
module {
}

// -----

// expected-note @+1 {{another one is here}}
func.func @a() {
  return
}
// expected-error @+1 {{a module must have one public function, the entry}}
func.func @b() {
  return
}

// -----

func.func @a(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{cannot be scheduled: a program consists of}}
  %0 = cleave.add %x, %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @a(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{calls b, which is neither a kernel nor a matrix product}}
  %0 = call @b(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @b(tensor<4xf32>) -> tensor<4xf32>

// -----

// expected-error @+1 {{arguments and results of a program must be static tensors of numbers}}
func.func @a(%x: tensor<?xf32>) {
  return
}

// -----

spmd.mesh @m <"x"=2>
// expected-error @+1 {{a shard of tensor "arg0" has type 'memref<2xf32>', not 'memref<4xf32>'}}
func.func @a(%x: tensor<4xf32> {spmd.sharding = #spmd.sharding<@m, [{"x"}]>}) {
  return
}

// -----

// Contracted dimensions in another order need a transpose.

func.func @a(%x: tensor<2x3xf32>, %y: tensor<3x2xf32>) -> tensor<f32> {
  %0 = call @g(%x, %y) : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<f32>
  return %0 : tensor<f32>
}
func.func private @g(%x: tensor<2x3xf32>, %y: tensor<3x2xf32>) -> tensor<f32>
    attributes {cleave.gemm = {bias = "none", activation = "none", residual = false}} {
  // expected-error @+1 {{contracts dimensions that do not lie next to each other in the same order}}
  %0 = cleave.dot_general %x, %y, contracting_dims = [0, 1] x [1, 0] : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

func.func @a(%x: tensor<2x3xf32>, %y: tensor<3x2xf32>) -> tensor<2x2xf32> {
  %0 = call @g(%x, %y) : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}
// expected-error @+1 {{has an unknown bias or activation in cleave.gemm}}
func.func private @g(%x: tensor<2x3xf32>, %y: tensor<3x2xf32>) -> tensor<2x2xf32>
    attributes {cleave.gemm = {bias = "none", activation = "tanh", residual = false}} {
  %0 = cleave.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}

// -----

// expected-error @+1 {{has an unknown bias or activation in cleave.convolution}}
func.func private @convolution_0(%a: tensor<2x8x3xf32>, %b: tensor<3x3x8xf32>) -> tensor<2x6x8xf32>
    attributes {cleave.convolution = {bias = "n", activation = "none", residual = false}} {
  %0 = cleave.convolution %a, %b {window_strides = array<i64: 1>, padding = array<i64: 0, 0>, lhs_dilation = array<i64: 1>, rhs_dilation = array<i64: 1>, window_reversal = array<i1: false>, input_batch_dimension = 0, input_feature_dimension = 2, input_spatial_dimensions = array<i64: 1>, kernel_input_feature_dimension = 1, kernel_output_feature_dimension = 2, kernel_spatial_dimensions = array<i64: 0>, output_batch_dimension = 0, output_feature_dimension = 2, output_spatial_dimensions = array<i64: 1>, feature_group_count = 1, batch_group_count = 1} : (tensor<2x8x3xf32>, tensor<3x3x8xf32>) -> tensor<2x6x8xf32>
  return %0 : tensor<2x6x8xf32>
}
func.func @main(%x: tensor<2x8x3xf32>, %k: tensor<3x3x8xf32>) -> tensor<2x6x8xf32> {
  %0 = call @convolution_0(%x, %k) : (tensor<2x8x3xf32>, tensor<3x3x8xf32>) -> tensor<2x6x8xf32>
  return %0 : tensor<2x6x8xf32>
}

// -----

// expected-error @+1 {{with cleave.convolution must have one convolution of its first two arguments, one result, and operands for its epilogue}}
func.func private @convolution_0(%a: tensor<2x8x3xf32>, %b: tensor<3x3x8xf32>) -> tensor<2x6x8xf32>
    attributes {cleave.convolution = {bias = "feature", activation = "none", residual = false}} {
  %0 = cleave.convolution %a, %b {window_strides = array<i64: 1>, padding = array<i64: 0, 0>, lhs_dilation = array<i64: 1>, rhs_dilation = array<i64: 1>, window_reversal = array<i1: false>, input_batch_dimension = 0, input_feature_dimension = 2, input_spatial_dimensions = array<i64: 1>, kernel_input_feature_dimension = 1, kernel_output_feature_dimension = 2, kernel_spatial_dimensions = array<i64: 0>, output_batch_dimension = 0, output_feature_dimension = 2, output_spatial_dimensions = array<i64: 1>, feature_group_count = 1, batch_group_count = 1} : (tensor<2x8x3xf32>, tensor<3x3x8xf32>) -> tensor<2x6x8xf32>
  return %0 : tensor<2x6x8xf32>
}
func.func @main(%x: tensor<2x8x3xf32>, %k: tensor<3x3x8xf32>) -> tensor<2x6x8xf32> {
  %0 = call @convolution_0(%x, %k) : (tensor<2x8x3xf32>, tensor<3x3x8xf32>) -> tensor<2x6x8xf32>
  return %0 : tensor<2x6x8xf32>
}

// -----

spmd.mesh @m <"x"=4>
func.func @fill(%x: tensor<2xf32>) -> tensor<3xf32> {
  // expected-error @+1 {{cannot be scheduled with a fill; run cleave-mask-padding first}}
  %0 = spmd.halo_exchange %x dim 0 size 8 low 1 high 0 over @m ["x"] fill 0.0 : f32 : tensor<2xf32> -> tensor<3xf32>
  return %0 : tensor<3xf32>
}
