// RUN: cleave-opt %s -split-input-file -verify-diagnostics

func.func @f(%a0: tensor<f32>, %a1: tensor<f32>) {
  // expected-error@+1 {{'cleave.linear' op input and weight have types 'tensor<f32>' and 'tensor<f32>': should have rank 1 or more}}
  cleave.linear %a0, %a1 : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @f(%a0: tensor<2x3xf32>, %a1: tensor<3x4xf32>) {
  // expected-error@+1 {{'cleave.linear' op `contracting` is 3: should be in 1..2}}
  cleave.linear %a0, %a1 contracting = 3 : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x3xf32>, %a1: tensor<3x4xf32>) {
  // expected-error@+1 {{'cleave.linear' op `contracting` is 0: should be in 1..2}}
  cleave.linear %a0, %a1 contracting = 0 : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x3xf32>, %a1: tensor<3x4xf64>) {
  // expected-error@+1 {{'cleave.linear' op weight has type 'tensor<3x4xf64>': should be 'tensor<3x4xf32>'}}
  cleave.linear %a0, %a1 : (tensor<2x3xf32>, tensor<3x4xf64>) -> tensor<2x4xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x3xf32>, %a1: tensor<4x3xf32>) {
  // expected-error@+1 {{'cleave.linear' op dimension 0 of weight has 4 elements: should have 3, like dimension 1 of input}}
  cleave.linear %a0, %a1 : (tensor<2x3xf32>, tensor<4x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x3xf32>, %a1: tensor<3x4xf32>) {
  // expected-error@+1 {{'cleave.linear' op result has type 'tensor<4x2xf32>': should be 'tensor<2x4xf32>'}}
  cleave.linear %a0, %a1 : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<4x2xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x3xf32>, %a1: tensor<3x4xf32>) {
  // expected-error@+1 {{'cleave.linear' op result has type 'tensor<2x4xf16>': should be 'tensor<2x4xf32>'}}
  cleave.linear %a0, %a1 : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf16>
  return
}

// -----

func.func @f(%a0: tensor<2x3xi32>, %a1: tensor<3x4xi32>) {
  // expected-error@+1 {{'cleave.linear' op operand #0 must be statically shaped tensor of f16, bf16, f32 or f64, but got 'tensor<2x3xi32>'}}
  cleave.linear %a0, %a1 : (tensor<2x3xi32>, tensor<3x4xi32>) -> tensor<2x4xi32>
  return
}

// -----

func.func @f(%a0: tensor<2x3xf32>, %a1: tensor<3x4xf32>, %a2: tensor<3xf32>) {
  // expected-error@+1 {{'cleave.linear' op bias has type 'tensor<3xf32>': should be 'tensor<4xf32>'}}
  cleave.linear %a0, %a1 bias %a2 : (tensor<2x3xf32>, tensor<3x4xf32>, tensor<3xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x8xf32>, %a1: tensor<2xf32>, %a2: tensor<8xf32>) {
  // expected-error@+1 {{'cleave.layer_norm' op scale has type 'tensor<2xf32>': should be 'tensor<8xf32>'}}
  cleave.layer_norm %a0, %a1, %a2, epsilon = 1.0e-5 : (tensor<2x8xf32>, tensor<2xf32>, tensor<8xf32>) -> tensor<2x8xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x8xf32>, %a1: tensor<8xf32>, %a2: tensor<8xf64>) {
  // expected-error@+1 {{'cleave.layer_norm' op bias has type 'tensor<8xf64>': should be 'tensor<8xf32>'}}
  cleave.layer_norm %a0, %a1, %a2, epsilon = 1.0e-5 : (tensor<2x8xf32>, tensor<8xf32>, tensor<8xf64>) -> tensor<2x8xf32>
  return
}

// -----

func.func @f(%a0: tensor<f32>, %a1: tensor<8xf32>, %a2: tensor<8xf32>) {
  // expected-error@+1 {{'cleave.layer_norm' op input has type 'tensor<f32>': should have rank 1 or more}}
  cleave.layer_norm %a0, %a1, %a2, epsilon = 1.0e-5 : (tensor<f32>, tensor<8xf32>, tensor<8xf32>) -> tensor<f32>
  return
}

// -----

func.func @f(%a0: tensor<2x8xf32>, %a1: tensor<8xf32>, %a2: tensor<8xf32>) {
  // expected-error@+1 {{'cleave.layer_norm' op `epsilon` is -1.000000e-05: should be finite and not negative}}
  cleave.layer_norm %a0, %a1, %a2, epsilon = -1.0e-5 : (tensor<2x8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<2x8xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x8xf32>, %a1: tensor<1x8xf32>) {
  // expected-error@+1 {{'cleave.rms_norm' op scale has type 'tensor<1x8xf32>': should be 'tensor<8xf32>'}}
  cleave.rms_norm %a0, %a1, epsilon = 1.0e-5 : (tensor<2x8xf32>, tensor<1x8xf32>) -> tensor<2x8xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x8xf32>, %a1: tensor<8xf32>) {
  // expected-error@+1 {{'cleave.rms_norm' op `epsilon` is INF: should be finite and not negative}}
  cleave.rms_norm %a0, %a1, epsilon = 0x7FF0000000000000 : (tensor<2x8xf32>, tensor<8xf32>) -> tensor<2x8xf32>
  return
}

// -----

func.func @f(%x: tensor<2xf32>) {
  // expected-error@+1 {{'cleave.softmax' op `dim` has dimension 1, but the input has rank 1: should be in 0..0}}
  cleave.softmax %x, dim = 1 : tensor<2xf32>
  return
}

// -----

func.func @f(%x: tensor<2xf32>) {
  // expected-error@+1 {{'cleave.softmax' op `dim` has dimension -1, but the input has rank 1: should be in 0..0}}
  cleave.softmax %x, dim = -1 : tensor<2xf32>
  return
}

// -----

func.func @f(%x: tensor<2xf32>) {
  // expected-error@+1 {{custom op 'cleave.gelu' expected string or keyword containing one of the following enum values for attribute 'form' [erf, tanh]}}
  cleave.gelu %x form = other : tensor<2xf32>
  return
}

// -----

func.func @f(%x: tensor<2xi32>) {
  // expected-error@+1 {{'cleave.relu' op operand #0 must be statically shaped tensor of f16, bf16, f32 or f64, but got 'tensor<2xi32>'}}
  cleave.relu %x : tensor<2xi32>
  return
}

// -----

func.func @f(%a0: tensor<5x4x8xf32>, %a1: tensor<2x7x2x8xf32>, %a2: tensor<2x7x2x3xf32>) {
  // expected-error@+1 {{'cleave.attention' op query has type 'tensor<5x4x8xf32>': should have rank 4}}
  cleave.attention %a0, %a1, %a2 : (tensor<5x4x8xf32>, tensor<2x7x2x8xf32>, tensor<2x7x2x3xf32>) -> tensor<2x5x4x3xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x5x4x8xf32>, %a1: tensor<2x7x2x8xf16>, %a2: tensor<2x7x2x3xf32>) {
  // expected-error@+1 {{'cleave.attention' op key has type 'tensor<2x7x2x8xf16>': should be 'tensor<2x7x2x8xf32>'}}
  cleave.attention %a0, %a1, %a2 : (tensor<2x5x4x8xf32>, tensor<2x7x2x8xf16>, tensor<2x7x2x3xf32>) -> tensor<2x5x4x3xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x5x4x8xf32>, %a1: tensor<2x7x2x9xf32>, %a2: tensor<2x7x2x3xf32>) {
  // expected-error@+1 {{'cleave.attention' op key has type 'tensor<2x7x2x9xf32>': should be 'tensor<2x7x2x8xf32>'}}
  cleave.attention %a0, %a1, %a2 : (tensor<2x5x4x8xf32>, tensor<2x7x2x9xf32>, tensor<2x7x2x3xf32>) -> tensor<2x5x4x3xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x5x4x8xf32>, %a1: tensor<2x7x2x8xf32>, %a2: tensor<2x6x2x3xf32>) {
  // expected-error@+1 {{'cleave.attention' op value has type 'tensor<2x6x2x3xf32>': should be 'tensor<2x7x2x3xf32>'}}
  cleave.attention %a0, %a1, %a2 : (tensor<2x5x4x8xf32>, tensor<2x7x2x8xf32>, tensor<2x6x2x3xf32>) -> tensor<2x5x4x3xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x5x4x8xf32>, %a1: tensor<2x7x3x8xf32>, %a2: tensor<2x7x3x3xf32>) {
  // expected-error@+1 {{'cleave.attention' op query has 4 heads and key 3 groups: heads should be a multiple of groups}}
  cleave.attention %a0, %a1, %a2 : (tensor<2x5x4x8xf32>, tensor<2x7x3x8xf32>, tensor<2x7x3x3xf32>) -> tensor<2x5x4x3xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x5x4x8xf32>, %a1: tensor<2x7x0x8xf32>, %a2: tensor<2x7x0x3xf32>) {
  // expected-error@+1 {{'cleave.attention' op query has 4 heads and key 0 groups: heads should be a multiple of groups}}
  cleave.attention %a0, %a1, %a2 : (tensor<2x5x4x8xf32>, tensor<2x7x0x8xf32>, tensor<2x7x0x3xf32>) -> tensor<2x5x4x3xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x5x4x8xf32>, %a1: tensor<2x7x2x8xf32>, %a2: tensor<2x7x2x3xf32>, %a3: tensor<5x7xf32>) {
  // expected-error@+1 {{'cleave.attention' op mask has type 'tensor<5x7xf32>': should have rank 4}}
  cleave.attention %a0, %a1, %a2 mask %a3 : (tensor<2x5x4x8xf32>, tensor<2x7x2x8xf32>, tensor<2x7x2x3xf32>, tensor<5x7xf32>) -> tensor<2x5x4x3xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x5x4x8xf32>, %a1: tensor<2x7x2x8xf32>, %a2: tensor<2x7x2x3xf32>, %a3: tensor<2x4x5x7xf64>) {
  // expected-error@+1 {{'cleave.attention' op mask has type 'tensor<2x4x5x7xf64>': should be 'tensor<2x4x5x7xf32>'}}
  cleave.attention %a0, %a1, %a2 mask %a3 : (tensor<2x5x4x8xf32>, tensor<2x7x2x8xf32>, tensor<2x7x2x3xf32>, tensor<2x4x5x7xf64>) -> tensor<2x5x4x3xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x5x4x8xf32>, %a1: tensor<2x7x2x8xf32>, %a2: tensor<2x7x2x3xf32>, %a3: tensor<2x4x5x1xf32>) {
  // expected-error@+1 {{'cleave.attention' op dimension 3 of mask has 1 elements: should have 7, like dimension 1 of key}}
  cleave.attention %a0, %a1, %a2 mask %a3 : (tensor<2x5x4x8xf32>, tensor<2x7x2x8xf32>, tensor<2x7x2x3xf32>, tensor<2x4x5x1xf32>) -> tensor<2x5x4x3xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x5x4x8xf32>, %a1: tensor<2x7x2x8xf32>, %a2: tensor<2x7x2x3xf32>, %a3: tensor<2x2x5x7xf32>) {
  // expected-error@+1 {{'cleave.attention' op dimension 1 of mask has 2 elements: should have 1 or 4}}
  cleave.attention %a0, %a1, %a2 mask %a3 : (tensor<2x5x4x8xf32>, tensor<2x7x2x8xf32>, tensor<2x7x2x3xf32>, tensor<2x2x5x7xf32>) -> tensor<2x5x4x3xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x5x4x8xf32>, %a1: tensor<2x7x2x8xf32>, %a2: tensor<2x7x2x3xf32>, %a3: tensor<1x1x5x7xf32>) {
  // expected-error@+1 {{'cleave.attention' op has a `fill`, for which it should have a mask of i1}}
  cleave.attention %a0, %a1, %a2 mask %a3 fill = -1.0 : (tensor<2x5x4x8xf32>, tensor<2x7x2x8xf32>, tensor<2x7x2x3xf32>, tensor<1x1x5x7xf32>) -> tensor<2x5x4x3xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x5x4x8xf32>, %a1: tensor<2x7x2x8xf32>, %a2: tensor<2x7x2x3xf32>, %a3: tensor<1x1x5x7xi1>) {
  // expected-error@+1 {{'cleave.attention' op has a `fill`, with which it should not be `causal`}}
  cleave.attention %a0, %a1, %a2 mask %a3 causal fill = -1.0 : (tensor<2x5x4x8xf32>, tensor<2x7x2x8xf32>, tensor<2x7x2x3xf32>, tensor<1x1x5x7xi1>) -> tensor<2x5x4x3xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x5x4x8xf32>, %a1: tensor<2x7x2x8xf32>, %a2: tensor<2x7x2x3xf32>) {
  // expected-error@+1 {{'cleave.attention' op `scale` is nan: should be finite}}
  cleave.attention %a0, %a1, %a2 scale = 0x7FF8000000000000 : (tensor<2x5x4x8xf32>, tensor<2x7x2x8xf32>, tensor<2x7x2x3xf32>) -> tensor<2x5x4x3xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x5x4x8xf32>, %a1: tensor<2x7x2x8xf32>, %a2: tensor<2x7x2x3xf32>) {
  // expected-error@+1 {{'cleave.attention' op result has type 'tensor<2x5x4x8xf32>': should be 'tensor<2x5x4x3xf32>'}}
  cleave.attention %a0, %a1, %a2 : (tensor<2x5x4x8xf32>, tensor<2x7x2x8xf32>, tensor<2x7x2x3xf32>) -> tensor<2x5x4x8xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x5x8xf32>, %a1: tensor<5xi32>) {
  // expected-error@+1 {{'cleave.rotary_embedding' op input has type 'tensor<2x5x8xf32>': should have rank 4}}
  cleave.rotary_embedding %a0, %a1 : (tensor<2x5x8xf32>, tensor<5xi32>) -> tensor<2x5x8xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x5x4x7xf32>, %a1: tensor<5xi32>) {
  // expected-error@+1 {{'cleave.rotary_embedding' op dimension 3 of input has 7 elements: should have an even number}}
  cleave.rotary_embedding %a0, %a1 : (tensor<2x5x4x7xf32>, tensor<5xi32>) -> tensor<2x5x4x7xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x5x4x8xf32>, %a1: tensor<4xi32>) {
  // expected-error@+1 {{'cleave.rotary_embedding' op positions has type 'tensor<4xi32>': should be 'tensor<5xi32>' or 'tensor<2x5xi32>'}}
  cleave.rotary_embedding %a0, %a1 : (tensor<2x5x4x8xf32>, tensor<4xi32>) -> tensor<2x5x4x8xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x5x4x8xf32>, %a1: tensor<5xf32>) {
  // expected-error@+1 {{'cleave.rotary_embedding' op operand #1 must be statically shaped tensor of integers, but got 'tensor<5xf32>'}}
  cleave.rotary_embedding %a0, %a1 : (tensor<2x5x4x8xf32>, tensor<5xf32>) -> tensor<2x5x4x8xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x5x4x8xf32>, %a1: tensor<5xi32>) {
  // expected-error@+1 {{'cleave.rotary_embedding' op `base` is 0.000000e+00: should be finite and positive}}
  cleave.rotary_embedding %a0, %a1 base = 0.0 : (tensor<2x5x4x8xf32>, tensor<5xi32>) -> tensor<2x5x4x8xf32>
  return
}

// -----

func.func @f(%a0: tensor<9xf32>, %a1: tensor<2xi32>) {
  // expected-error@+1 {{'cleave.embedding' op table has type 'tensor<9xf32>': should have rank 2}}
  cleave.embedding %a0, %a1 : (tensor<9xf32>, tensor<2xi32>) -> tensor<2xf32>
  return
}

// -----

func.func @f(%a0: tensor<9x4xf32>, %a1: tensor<2xi32>) {
  // expected-error@+1 {{'cleave.embedding' op result has type 'tensor<2xf32>': should be 'tensor<2x4xf32>'}}
  cleave.embedding %a0, %a1 : (tensor<9x4xf32>, tensor<2xi32>) -> tensor<2xf32>
  return
}

// -----

func.func @f(%a0: tensor<0x4xf32>, %a1: tensor<2xi32>) {
  // expected-error@+1 {{'cleave.embedding' op dimension 0 of table is empty: should have at least 1}}
  cleave.embedding %a0, %a1 : (tensor<0x4xf32>, tensor<2xi32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @f(%a0: tensor<f32>, %a1: tensor<i32>) {
  // expected-error@+1 {{'cleave.cross_entropy' op logits has type 'tensor<f32>': should have rank 1 or more}}
  cleave.cross_entropy %a0, %a1 : (tensor<f32>, tensor<i32>) -> tensor<f32>
  return
}

// -----

func.func @f(%a0: tensor<2x9xf32>, %a1: tensor<3xi32>) {
  // expected-error@+1 {{'cleave.cross_entropy' op labels has type 'tensor<3xi32>': should be 'tensor<2xi32>'}}
  cleave.cross_entropy %a0, %a1 : (tensor<2x9xf32>, tensor<3xi32>) -> tensor<2xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x0xf32>, %a1: tensor<2xi32>) {
  // expected-error@+1 {{'cleave.cross_entropy' op last dimension of logits is empty: should have at least 1}}
  cleave.cross_entropy %a0, %a1 : (tensor<2x0xf32>, tensor<2xi32>) -> tensor<2xf32>
  return
}

// -----

func.func @f(%a0: tensor<2x9xf32>, %a1: tensor<2xi32>) {
  // expected-error@+1 {{'cleave.cross_entropy' op result has type 'tensor<2x9xf32>': should be 'tensor<2xf32>'}}
  cleave.cross_entropy %a0, %a1 : (tensor<2x9xf32>, tensor<2xi32>) -> tensor<2x9xf32>
  return
}
