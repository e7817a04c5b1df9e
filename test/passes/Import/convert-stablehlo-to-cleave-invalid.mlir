// What cannot be converted is one error at the op, which names the op or the type.
// RUN: cleave-opt %s -cleave-convert-stablehlo-to-cleave -split-input-file -verify-diagnostics

func.func @op(%x: tensor<2xf32>, %n: tensor<1xi64>) -> tensor<2xf32> {
  // expected-error@+1 {{'stablehlo.rng' is not supported}}
  %0 = stablehlo.rng %x, %x, %n, distribution = UNIFORM : (tensor<2xf32>, tensor<2xf32>, tensor<1xi64>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func @custom_call(%x: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error@+1 {{custom_call 'my_kernel' is not supported}}
  %0 = stablehlo.custom_call @my_kernel(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

// expected-error@+1 {{type 'tensor<?xf32>' is not supported; shapes must be static}}
func.func @shape(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = stablehlo.add %x, %x : tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

func.func @quantised(%x: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error@+1 {{type 'tensor<2x!quant.uniform<i8:f32, 3.400000e+01:16>>' is not supported}}
  %0 = stablehlo.uniform_quantize %x : (tensor<2xf32>) -> tensor<2x!quant.uniform<i8:f32, 34.0:16>>
  %1 = stablehlo.uniform_dequantize %0 : (tensor<2x!quant.uniform<i8:f32, 34.0:16>>) -> tensor<2xf32>
  return %1 : tensor<2xf32>
}

// -----

func.func @more_bits(%x: tensor<3xi8>) -> tensor<3x4xi4> {
  // expected-error@+1 {{'stablehlo.bitcast_convert' of 'tensor<3xi8>' to 'tensor<3x4xi4>' does not keep the number of bits}}
  %0 = stablehlo.bitcast_convert %x : (tensor<3xi8>) -> tensor<3x4xi4>
  return %0 : tensor<3x4xi4>
}

// -----

func.func @sixes_in_eight(%x: tensor<3xi8>) -> tensor<3xf6E2M3FN> {
  // expected-error@+1 {{'stablehlo.bitcast_convert' of 'tensor<3xi8>' to 'tensor<3xf6E2M3FN>' does not keep the number of bits}}
  %0 = stablehlo.bitcast_convert %x : (tensor<3xi8>) -> tensor<3xf6E2M3FN>
  return %0 : tensor<3xf6E2M3FN>
}

// -----

func.func @complex_bits(%x: tensor<3xcomplex<f32>>) -> tensor<3xf64> {
  // expected-error@+1 {{'stablehlo.bitcast_convert' of 'complex<f32>' to 'f64'; expected complex numbers on both sides or on none}}
  %0 = stablehlo.bitcast_convert %x : (tensor<3xcomplex<f32>>) -> tensor<3xf64>
  return %0 : tensor<3xf64>
}

// -----

// It asks for the neighbour in the type itself.
func.func @next(%x: tensor<2xf8E5M2>) -> tensor<2xf8E5M2> {
  // expected-error@+1 {{'cleave.next_after' op operand #0 must be statically shaped tensor of f16, bf16, f32 or f64, but got 'tensor<2xf8E5M2>'}}
  %0 = chlo.next_after %x, %x : tensor<2xf8E5M2>, tensor<2xf8E5M2> -> tensor<2xf8E5M2>
  return %0 : tensor<2xf8E5M2>
}

// -----

func.func @random(%s: tensor<2xui64>) -> tensor<4xf8E5M2> {
  // expected-error@+1 {{'stablehlo.rng_bit_generator' by THREE_FRY of 'f8E5M2' is not supported}}
  %0, %1 = stablehlo.rng_bit_generator %s, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4xf8E5M2>)
  return %1 : tensor<4xf8E5M2>
}

// -----

func.func @attribute(%x: tensor<2x3xf32>) -> tensor<3x2xf32> {
  // expected-error@+1 {{attribute 'permutation' of 'stablehlo.transpose' is "swap"; expected a list of integers}}
  %0 = "stablehlo.transpose"(%x) {permutation = "swap"} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return %0 : tensor<3x2xf32>
}

// -----

func.func @dims(%x: tensor<2x3xf32>) -> tensor<3x2xf32> {
  // expected-error@+1 {{'cleave.transpose' op}}
  %0 = stablehlo.transpose %x, dims = [1, 2] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return %0 : tensor<3x2xf32>
}

// -----

func.func @result(%x: tensor<2xf32>) -> tensor<3xf32> {
  // expected-error@+1 {{result 0 of 'stablehlo.negate' has type 'tensor<3xf32>'; its operands give 'tensor<2xf32>'}}
  %0 = "stablehlo.negate"(%x) : (tensor<2xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

func.func @order(%z: tensor<2xcomplex<f32>>) -> tensor<2xi1> {
  // expected-error@+1 {{complex numbers have no order; expected EQ or NE, not LT}}
  %0 = stablehlo.compare LT, %z, %z : (tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>) -> tensor<2xi1>
  return %0 : tensor<2xi1>
}

// -----

func.func @recursion(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = call @self(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
func.func private @self(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.negate %x : tensor<2xf32>
  // expected-error@+1 {{recursive call of @self; a model graph must be finite}}
  %1 = call @self(%0) : (tensor<2xf32>) -> tensor<2xf32>
  return %1 : tensor<2xf32>
}

// -----

func.func @dynamic(%x: tensor<2x3xf32>, %n: tensor<1xi64>) -> tensor<6xf32> {
  // expected-error@+1 {{'stablehlo.dynamic_reshape' with operand 1 that is no constant is not supported; shapes must be static}}
  %0 = stablehlo.dynamic_reshape %x, %n : (tensor<2x3xf32>, tensor<1xi64>) -> tensor<6xf32>
  return %0 : tensor<6xf32>
}

// -----

func.func @outside(%x: tensor<8xi32>, %source: tensor<4xi32>, %least: tensor<i32>) -> tensor<8xi32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0 = "stablehlo.select_and_scatter"(%x, %source, %zero) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    // expected-error@+1 {{'stablehlo.compare' in a region of 'stablehlo.select_and_scatter' uses a value from outside that is no constant}}
    %1 = stablehlo.compare GE, %a, %least : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %1 = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %1 : tensor<i32>
  }) {window_dimensions = array<i64: 2>, window_strides = array<i64: 2>} : (tensor<8xi32>, tensor<4xi32>, tensor<i32>) -> tensor<8xi32>
  return %0 : tensor<8xi32>
}

// -----

func.func @check_in_loop(%x: tensor<i32>) -> tensor<i32> {
  %0 = stablehlo.while(%v = %x) : tensor<i32>
  cond {
    %c = stablehlo.compare LT, %v, %x : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    // expected-error@+1 {{'check.expect_eq' is supported in the entry function and in functions that it calls, outside of regions}}
    check.expect_eq %v, %x : tensor<i32>
    stablehlo.return %v : tensor<i32>
  }
  return %0 : tensor<i32>
}

// -----

func.func @call_without_attribute(%x: tensor<2x3xf32>) -> (tensor<2x2xf32>, tensor<2x2xi32>) {
  // expected-error@+1 {{'chlo.top_k' op requires attribute 'k'}}
  %0:2 = stablehlo.custom_call @mhlo.topk(%x) {mhlo.attributes = {}} : (tensor<2x3xf32>) -> (tensor<2x2xf32>, tensor<2x2xi32>)
  return %0#0, %0#1 : tensor<2x2xf32>, tensor<2x2xi32>
}

// -----

func.func @set_size(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %n = stablehlo.constant dense<2> : tensor<i32>
  // expected-error@+1 {{'stablehlo.set_dimension_size' that changes a size is not supported; shapes must be static}}
  %0 = stablehlo.set_dimension_size %x, %n, dim = 1 : (tensor<2x3xf32>, tensor<i32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

func.func @placement(%x: tensor<2xf32>) -> tensor<2xi32> {
  // expected-error@+1 {{custom_call 'annotate_device_placement' must return what it takes}}
  %0 = stablehlo.custom_call @annotate_device_placement(%x) : (tensor<2xf32>) -> tensor<2xi32>
  return %0 : tensor<2xi32>
}

// -----

func.func private @greater(%a: tensor<f32>, %b: tensor<f32>) -> tensor<i1> {
  %0 = stablehlo.compare GT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
  return %0 : tensor<i1>
}
func.func @approximate_top_k(%x: tensor<4xf32>, %least: tensor<f32>) -> tensor<5xf32> {
  // expected-error@+1 {{custom_call 'ApproxTopK' cannot take 5 entries along dimension 0 of 'tensor<4xf32>'}}
  %0 = stablehlo.custom_call @ApproxTopK(%x, %least) {called_computations = [@greater], mhlo.backend_config = {aggregate_to_topk = true, reduction_dim = 0 : i64, top_k = 5 : i64}} : (tensor<4xf32>, tensor<f32>) -> tensor<5xf32>
  return %0 : tensor<5xf32>
}

// -----

func.func @approximate_top_k_without_comparator(%x: tensor<4xf32>, %least: tensor<f32>) -> tensor<2xf32> {
  // expected-error@+1 {{custom_call 'ApproxTopK' calls no comparator with a body}}
  %0 = stablehlo.custom_call @ApproxTopK(%x, %least) {mhlo.backend_config = {reduction_dim = 0 : i64, top_k = 2 : i64}} : (tensor<4xf32>, tensor<f32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
