// RUN: cleave-opt %s -split-input-file -verify-diagnostics

func.func @unknown_op(%x: tensor<2xf32>) {
  // expected-error@+1 {{custom op 'stablehlo.frobnicate' is unknown}}
  %0 = stablehlo.frobnicate %x : tensor<2xf32>
}

// -----

func.func @unknown_generic(%x: tensor<2xf32>) {
  // expected-error@+1 {{unregistered operation 'stablehlo.frobnicate' found in dialect ('stablehlo') that does not allow unknown operations}}
  %0 = "stablehlo.frobnicate"(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @operand_count(%x: tensor<2xf32>) {
  // expected-error@+1 {{'stablehlo.add' op expected 2 operands, but found 1}}
  %0 = stablehlo.add %x : tensor<2xf32>
  return
}

// -----

func.func @type_count(%x: tensor<2xf32>) {
  // expected-error@+1 {{1 operand types for 2 operands}}
  %0 = stablehlo.add %x, %x : (tensor<2xf32>) -> tensor<2xf32>
}

// -----

func.func @listed_types(%x: tensor<2xf32>) {
  // expected-error@+1 {{2 types where 1 should be}}
  %0 = stablehlo.add %x, %x : tensor<2xf32>, tensor<2xf32>
}

// -----

func.func @direction(%x: tensor<2xf32>) {
  // expected-error@+1 {{'UP' is no comparison_direction; expected EQ, NE, GE, GT, LE, LT}}
  %0 = stablehlo.compare UP, %x, %x : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
}

// -----

// expected-error@+1 {{unknown attribute 'shape_of_things' of StableHLO}}
func.func @attribute() attributes {a = #stablehlo.shape_of_things<1>}

// -----

// expected-error@+1 {{'offset_dim' is no field of gather; expected offset_dims, collapsed_slice_dims}}
func.func @field() attributes {a = #stablehlo.gather<offset_dim = [1]>}

// -----

// expected-error@+1 {{'offset_dims' is given twice}}
func.func @field() attributes {a = #stablehlo.gather<offset_dims = [1], offset_dims = [1]>}

// -----

func.func @missing(%x: tensor<2xf32>) {
  // expected-error@+1 {{'stablehlo.transpose' op requires attribute 'permutation'}}
  %0 = "stablehlo.transpose"(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @layout(%x: tensor<1x2x3xf32>, %w: tensor<1x2x3xf32>) {
  // expected-error@+1 {{expected 'b', 'f' or the number of a spatial dimension}}
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, i, 0]x[0, i, o]->[b, 0, f], window = {} : (tensor<1x2x3xf32>, tensor<1x2x3xf32>) -> tensor<1x2x3xf32>
}

// -----

func.func @layout(%x: tensor<1x2x3xf32>, %w: tensor<1x2x3xf32>) {
  // expected-error@+1 {{'f' is missing}}
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1]x[0, i, o]->[b, 0, f], window = {} : (tensor<1x2x3xf32>, tensor<1x2x3xf32>) -> tensor<1x2x3xf32>
}

// -----

func.func @layout(%x: tensor<1x2x3xf32>, %w: tensor<1x2x3xf32>) {
  // expected-error@+1 {{spatial dimensions should be 0 to 0, each once}}
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 1, f]x[0, i, o]->[b, 0, f], window = {} : (tensor<1x2x3xf32>, tensor<1x2x3xf32>) -> tensor<1x2x3xf32>
}

// -----

func.func @window(%x: tensor<1x2x3xf32>, %w: tensor<1x2x3xf32>) {
  // expected-error@+1 {{'step' is no property of a window; expected stride, pad, lhs_dilate, rhs_dilate or reverse}}
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {step = [1]} : (tensor<1x2x3xf32>, tensor<1x2x3xf32>) -> tensor<1x2x3xf32>
}

// -----

func.func @padding(%x: tensor<1x2x3xf32>, %w: tensor<1x2x3xf32>) {
  // expected-error@+1 {{expected [low, high]}}
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {pad = [[1, 2, 3]]} : (tensor<1x2x3xf32>, tensor<1x2x3xf32>) -> tensor<1x2x3xf32>
}

// -----

func.func @format(%x: tensor<2xf32>) {
  // expected-error@+1 {{'f32' is no format; expected e.g. e5m10}}
  %0 = stablehlo.reduce_precision %x, format = f32 : tensor<2xf32>
}

// -----

func.func @complex(%x: tensor<2xf32>) {
  // expected-error@+1 {{'tensor<2xf32>' is no tensor of complex numbers}}
  %0 = stablehlo.complex %x, %x : tensor<2xf32>
}

// -----

func.func @tuple(%x: tensor<2xf32>) {
  // expected-error@+1 {{'tensor<2xf32>' is no tuple}}
  %0 = stablehlo.tuple %x : tensor<2xf32>
}

// -----

func.func @digits() {
  // expected-error@+1 {{expected hexadecimal digits}}
  %0 = stablehlo.constant dense<"0xZZ"> : tensor<2xf32>
}

// -----

func.func @bytes() {
  // expected-error@+1 {{3 bytes do not fill 'tensor<2xf32>'}}
  %0 = stablehlo.constant dense<"0x010203"> : tensor<2xf32>
}

// -----

func.func @named(%x: tensor<2xf32>) {
  // expected-error@+1 {{'slack' is not expected here; tolerance may be}}
  check.expect_almost_eq %x, %x, slack = 0.1 : tensor<2xf32>
}

// -----

func.func @applies(%x: tensor<2xf32>, %z: tensor<f32>) {
  // expected-error@+1 {{'stablehlo.subtract' cannot be applied, should be a commutative operation of 'stablehlo'}}
  %0 = stablehlo.reduce(%x init: %z) applies stablehlo.subtract across dimensions = [0] : (tensor<2xf32>, tensor<f32>) -> tensor<f32>
}
