// RUN: cleave-opt %s -split-input-file -verify-diagnostics

func.func @f(%x: tensor<?xf32>) {
  // expected-error@+1 {{'cleave.abs' op operand #0 must be statically shaped tensor of integers or floats of 16 to 64 bits, but got 'tensor<?xf32>'}}
  cleave.abs %x : tensor<?xf32>
  return
}

// -----

func.func @f(%x: tensor<*xf32>) {
  // expected-error@+1 {{custom op 'cleave.abs' invalid kind of type specified: expected builtin.tensor, but found 'tensor<*xf32>'}}
  cleave.abs %x : tensor<*xf32>
  return
}

// -----

func.func @f(%x: tensor<2xf8E5M2>) {
  // expected-error@+1 {{'cleave.add' op operand #0 must be statically shaped tensor of i1, an integer of 8 to 64 bits or a float of 16 to 64 bits, but got 'tensor<2xf8E5M2>'}}
  cleave.add %x, %x : tensor<2xf8E5M2>
  return
}

// -----

func.func @f(%x: tensor<2xi4>) {
  // expected-error@+1 {{'cleave.add' op operand #0 must be statically shaped tensor of i1, an integer of 8 to 64 bits or a float of 16 to 64 bits, but got 'tensor<2xi4>'}}
  cleave.add %x, %x : tensor<2xi4>
  return
}

// -----

func.func @f(%x: tensor<2xindex>) {
  // expected-error@+1 {{'cleave.add' op operand #0 must be statically shaped tensor of i1, an integer of 8 to 64 bits or a float of 16 to 64 bits, but got 'tensor<2xindex>'}}
  cleave.add %x, %x : tensor<2xindex>
  return
}

// -----

func.func @f(%x: tensor<2xcomplex<f32>>) {
  // expected-error@+1 {{'cleave.negate' op operand #0 must be statically shaped tensor of integers or floats of 16 to 64 bits, but got 'tensor<2xcomplex<f32>>'}}
  cleave.negate %x : tensor<2xcomplex<f32>>
  return
}

// -----

func.func @f(%x: f32) {
  // expected-error@+1 {{custom op 'cleave.abs' invalid kind of type specified: expected builtin.tensor, but found 'f32'}}
  cleave.abs %x : f32
  return
}

// -----

func.func @f(%x: vector<2xf32>) {
  // expected-error@+1 {{custom op 'cleave.abs' invalid kind of type specified: expected builtin.tensor, but found 'vector<2xf32>'}}
  cleave.abs %x : vector<2xf32>
  return
}

// -----

func.func @f(%x: tensor<2xi32>) {
  // expected-error@+1 {{'cleave.tanh' op operand #0 must be statically shaped tensor of f16, bf16, f32 or f64, but got 'tensor<2xi32>'}}
  cleave.tanh %x : tensor<2xi32>
  return
}

// -----

func.func @f(%x: tensor<2xi1>) {
  // expected-error@+1 {{'cleave.negate' op operand #0 must be statically shaped tensor of integers or floats of 16 to 64 bits, but got 'tensor<2xi1>'}}
  cleave.negate %x : tensor<2xi1>
  return
}

// -----

func.func @f(%x: tensor<2xf32>) {
  // expected-error@+1 {{'cleave.popcnt' op operand #0 must be statically shaped tensor of integers, but got 'tensor<2xf32>'}}
  cleave.popcnt %x : tensor<2xf32>
  return
}

// -----

func.func @f(%x: tensor<2xf32>) {
  // expected-error@+1 {{'cleave.not' op operand #0 must be statically shaped tensor of integers or i1, but got 'tensor<2xf32>'}}
  cleave.not %x : tensor<2xf32>
  return
}

// -----

func.func @f(%x: tensor<2xi1>) {
  // expected-error@+1 {{'cleave.shift_left' op operand #0 must be statically shaped tensor of integers, but got 'tensor<2xi1>'}}
  cleave.shift_left %x, %x : tensor<2xi1>
  return
}

// -----

func.func @f(%x: tensor<2xf32>, %y: tensor<3xf32>) {
  // expected-error@+1 {{'cleave.add' op all non-scalar operands/results must have the same shape and base type}}
  "cleave.add"(%x, %y) : (tensor<2xf32>, tensor<3xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @f(%x: tensor<2xf32>, %y: tensor<2xf64>) {
  // expected-error@+1 {{'cleave.compare' op requires all operands to have the same type}}
  cleave.compare LT, %x, %y : (tensor<2xf32>, tensor<2xf64>) -> tensor<2xi1>
  return
}

// -----

func.func @f(%x: tensor<2xf32>) {
  // expected-error@+1 {{'cleave.compare' op result #0 must be statically shaped tensor of i1, but got 'tensor<2xf32>'}}
  cleave.compare LT, %x, %x : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @f(%x: tensor<2xf32>) {
  // expected-error@+1 {{custom op 'cleave.compare' expected string or keyword containing one of the following enum values for attribute 'direction' [EQ, NE, GE, GT, LE, LT]}}
  cleave.compare XX, %x, %x : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
  return
}

// -----

func.func @f(%x: tensor<2xf32>) {
  // expected-error@+1 {{'cleave.convert' op all non-scalar operands/results must have the same shape and base type}}
  cleave.convert %x : (tensor<2xf32>) -> tensor<3xf64>
  return
}

// -----

func.func @f(%p: tensor<3xi1>, %x: tensor<2xf32>) {
  // expected-error@+1 {{'cleave.select' op pred has type 'tensor<3xi1>': should be a scalar or have the shape of 'tensor<2xf32>'}}
  cleave.select %p, %x, %x : tensor<3xi1>, tensor<2xf32>
  return
}

// -----

func.func @f(%p: tensor<3xf32>, %x: tensor<2xf32>) {
  // expected-error@+1 {{'cleave.clamp' op min has type 'tensor<3xf32>': should be a scalar or have the shape of 'tensor<2xf32>'}}
  cleave.clamp %p, %x, %p : (tensor<3xf32>, tensor<2xf32>, tensor<3xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @f(%p: tensor<f64>, %x: tensor<2xf32>) {
  // expected-error@+1 {{'cleave.clamp' op max has type 'tensor<f64>': should be 'tensor<f32>'}}
  cleave.clamp %x, %x, %p : (tensor<2xf32>, tensor<2xf32>, tensor<f64>) -> tensor<2xf32>
  return
}

// -----

func.func @f(%x: tensor<2xi32>) {
  // expected-error@+1 {{'cleave.lgamma' op operand #0 must be statically shaped tensor of f16, bf16, f32 or f64}}
  cleave.lgamma %x : tensor<2xi32>
  return
}

// -----

func.func @f(%x: tensor<2xf32>) {
  // expected-error@+1 {{'cleave.reduce_precision' op attribute 'exponent_bits' failed to satisfy constraint: 32-bit signless integer attribute whose minimum value is 1}}
  cleave.reduce_precision %x, exponent_bits = 0, mantissa_bits = 1 : tensor<2xf32>
  return
}

// -----

func.func @f(%x: tensor<4xi1>) {
  // expected-error@+1 {{'cleave.bitcast_convert' op operand #0 must be statically shaped tensor of integers or floats}}
  cleave.bitcast_convert %x : (tensor<4xi1>) -> tensor<4xi8>
  return
}

// -----

func.func @f(%x: tensor<2x4xf32>) {
  // expected-error@+1 {{'cleave.bitcast_convert' op result has type 'tensor<4x2xi32>': should be 'tensor<2x4xi32>'}}
  cleave.bitcast_convert %x : (tensor<2x4xf32>) -> tensor<4x2xi32>
  return
}

// -----

func.func @f(%x: tensor<2x4xf32>) {
  // expected-error@+1 {{'cleave.bitcast_convert' op result has type 'tensor<2x4x4xi16>': should be 'tensor<2x4x2xi16>'}}
  cleave.bitcast_convert %x : (tensor<2x4xf32>) -> tensor<2x4x4xi16>
  return
}

// -----

func.func @f(%x: tensor<2x4xi16>) {
  // expected-error@+1 {{'cleave.bitcast_convert' op operand has type 'tensor<2x4xi16>': should have 2 elements in its last dimension, which make up one of 'f32'}}
  cleave.bitcast_convert %x : (tensor<2x4xi16>) -> tensor<2xf32>
  return
}
