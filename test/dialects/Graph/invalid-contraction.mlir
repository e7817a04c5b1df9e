// RUN: cleave-opt %s -split-input-file -verify-diagnostics

func.func @f(%x: tensor<2x3xf32>, %y: tensor<3x4xf64>) {
  // expected-error@+1 {{'cleave.dot_general' op rhs has type 'tensor<3x4xf64>': should be 'tensor<3x4xf32>'}}
  cleave.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<2x3xf32>, tensor<3x4xf64>) -> tensor<2x4xf32>
  return
}

// -----

func.func @f(%x: tensor<2x3xf32>, %y: tensor<3x4xf32>) {
  // expected-error@+1 {{'cleave.dot_general' op result has elements of type 'f16': should be 'f32' or wider}}
  cleave.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf16>
  return
}

// -----

func.func @f(%x: tensor<2x3xf32>, %y: tensor<3x4xf32>) {
  // expected-error@+1 {{'cleave.dot_general' op result has elements of type 'i64': should be 'f32' or wider}}
  cleave.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xi64>
  return
}

// -----

func.func @f(%x: tensor<2x3xi8>, %y: tensor<3x4xi8>) {
  // expected-error@+1 {{'cleave.dot_general' op result has elements of type 'ui32': should be 'i8' or wider}}
  cleave.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<2x3xi8>, tensor<3x4xi8>) -> tensor<2x4xui32>
  return
}

// -----

func.func @f(%x: tensor<2x3xf16>, %y: tensor<3x4xf16>) {
  // expected-error@+1 {{'cleave.dot_general' op result has elements of type 'bf16': should be 'f16' or wider}}
  cleave.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<2x3xf16>, tensor<3x4xf16>) -> tensor<2x4xbf16>
  return
}

// -----

func.func @f(%x: tensor<2x3xf32>, %y: tensor<3x4xf32>) {
  // expected-error@+1 {{'cleave.dot_general' op `rhs_contracting_dims` has 0 entries: should have 1, one for each of `lhs_contracting_dims`}}
  cleave.dot_general %x, %y, contracting_dims = [1] x [] : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @f(%x: tensor<2x3xf32>, %y: tensor<3x4xf32>) {
  // expected-error@+1 {{'cleave.dot_general' op `rhs_batching_dims` has 1 entries: should have 0, one for each of `lhs_batching_dims`}}
  cleave.dot_general %x, %y, batching_dims = [] x [0], contracting_dims = [1] x [1] : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @f(%x: tensor<2x3xf32>, %y: tensor<3x4xf32>) {
  // expected-error@+1 {{'cleave.dot_general' op `lhs_batching_dims, lhs_contracting_dims` has dimension 2, but lhs has rank 2: should be in 0..1}}
  cleave.dot_general %x, %y, contracting_dims = [2] x [0] : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @f(%x: tensor<2x3xf32>, %y: tensor<3x4xf32>) {
  // expected-error@+1 {{'cleave.dot_general' op `rhs_batching_dims, rhs_contracting_dims` has dimension -1, but rhs has rank 2: should be in 0..1}}
  cleave.dot_general %x, %y, contracting_dims = [1] x [-1] : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @f(%x: tensor<2x3xf32>, %y: tensor<3x4xf32>) {
  // expected-error@+1 {{'cleave.dot_general' op `lhs_batching_dims, lhs_contracting_dims` has dimension 1 twice: should be distinct}}
  cleave.dot_general %x, %y, batching_dims = [1] x [0], contracting_dims = [1] x [0] : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @f(%x: tensor<2x3xf32>, %y: tensor<3x4xf32>) {
  // expected-error@+1 {{'cleave.dot_general' op dimension 1 of rhs has 4 elements: should have 3, like dimension 1 of lhs}}
  cleave.dot_general %x, %y, contracting_dims = [1] x [1] : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @f(%x: tensor<2x3xf32>, %y: tensor<3x4xf32>) {
  // expected-error@+1 {{'cleave.dot_general' op dimension 1 of rhs has 4 elements: should have 3, like dimension 1 of lhs}}
  cleave.dot_general %x, %y, batching_dims = [1] x [1] : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @f(%x: tensor<2x3xf32>, %y: tensor<3x4xf32>) {
  // expected-error@+1 {{'cleave.dot_general' op result has type 'tensor<4x2xf32>': should be 'tensor<2x4xf32>'}}
  cleave.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<4x2xf32>
  return
}

// -----

func.func @f(%x: tensor<2x3xf32>, %y: tensor<3x4xf32>) {
  // expected-error@+1 {{custom op 'cleave.dot_general' expected 'contracting_dims'}}
  cleave.dot_general %x, %y, contracting = [1] x [0] : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @f(%x: tensor<2x3xf32>, %z: tensor<f32>, %i: tensor<3xi32>, %v: tensor<2xf32>) {
  // expected-error@+1 {{'cleave.reduce' op `dimensions` has dimension 2, but the input has rank 2: should be in 0..1}}
  cleave.reduce(%x init: %z) applies cleave.add across dimensions = [2] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  return
}

// -----

func.func @f(%x: tensor<2x3xf32>, %z: tensor<f32>, %i: tensor<3xi32>, %v: tensor<2xf32>) {
  // expected-error@+1 {{'cleave.reduce' op `dimensions` has dimension 1 twice: should be distinct}}
  cleave.reduce(%x init: %z) applies cleave.add across dimensions = [1, 1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  return
}

// -----

func.func @f(%x: tensor<2x3xf32>, %z: tensor<f32>, %i: tensor<3xi32>, %v: tensor<2xf32>) {
  // expected-error@+1 {{'cleave.reduce' op init #0 has type 'tensor<2xf32>': should be 'tensor<f32>'}}
  cleave.reduce(%x init: %v) applies cleave.add across dimensions = [1] : (tensor<2x3xf32>, tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @f(%x: tensor<2x3xf32>, %z: tensor<f32>, %i: tensor<3xi32>, %v: tensor<2xf32>) {
  // expected-error@+1 {{'cleave.reduce' op result #0 has type 'tensor<2xf32>': should be 'tensor<3xf32>'}}
  cleave.reduce(%x init: %z) applies cleave.add across dimensions = [0] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  return
}

// -----

func.func @f(%x: tensor<2x3xf32>, %z: tensor<f32>, %i: tensor<3xi32>, %v: tensor<2xf32>) {
  // expected-error@+1 {{custom op 'cleave.reduce' 'cleave.subtract' cannot be applied, should be a commutative operation of 'cleave'}}
  cleave.reduce(%x init: %z) applies cleave.subtract across dimensions = [1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  return
}

// -----

func.func @f(%x: tensor<2x3xf32>, %z: tensor<f32>, %i: tensor<3xi32>, %v: tensor<2xf32>) {
  // expected-error@+1 {{custom op 'cleave.reduce' 'func.call' cannot be applied, should be a commutative operation of 'cleave'}}
  cleave.reduce(%x init: %z) applies func.call across dimensions = [1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  return
}

// -----

func.func @f(%x: tensor<2x3xf32>, %z: tensor<f32>, %i: tensor<3xi32>, %v: tensor<2xf32>) {
  // expected-error@+1 {{custom op 'cleave.reduce' 'applies' takes one input, use a 'reducer' for 2}}
  cleave.reduce(%x init: %z), (%x init: %z) applies cleave.add across dimensions = [1] : (tensor<2x3xf32>, tensor<2x3xf32>, tensor<f32>, tensor<f32>) -> (tensor<2xf32>, tensor<2xf32>)
  return
}

// -----

func.func @f(%x: tensor<2x3xf32>, %z: tensor<f32>, %i: tensor<3xi32>, %v: tensor<2xf32>) {
  // expected-error@+1 {{custom op 'cleave.reduce' number of operands and types do not match: got 2 operands and 1 types}}
  cleave.reduce(%x init: %z) applies cleave.add across dimensions = [1] : (tensor<2x3xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @f(%x: tensor<2x3xf32>, %z: tensor<f32>, %i: tensor<3xi32>, %v: tensor<2xf32>) {
  // expected-error@+1 {{'cleave.reduce' op has 2 results: should have 1, one for each input}}
  cleave.reduce(%x init: %z) applies cleave.add across dimensions = [1] : (tensor<2x3xf32>, tensor<f32>) -> (tensor<2xf32>, tensor<2xf32>)
  return
}

// -----

func.func @f(%x: tensor<2x3xf32>, %z: tensor<f32>, %i: tensor<3xi32>, %v: tensor<2xf32>) {
  // expected-error@+1 {{'cleave.reduce' op input #1 has type 'tensor<2xf32>': should be 'tensor<2x3xf32>'}}
  cleave.reduce(%x init: %z), (%v init: %z) across dimensions = [1] : (tensor<2x3xf32>, tensor<2xf32>, tensor<f32>, tensor<f32>) -> (tensor<2xf32>, tensor<2xf32>)
   reducer(%a: tensor<f32>, %e: tensor<f32>) (%b: tensor<f32>, %d: tensor<f32>) {
    cleave.return %a, %b : tensor<f32>, tensor<f32>
  }
  return
}

// -----

func.func @f(%x: tensor<2x3xf32>, %z: tensor<f32>, %i: tensor<3xi32>, %v: tensor<2xf32>) {
  // expected-error@+1 {{'cleave.reduce' op has no inputs: should have at least 1}}
  "cleave.reduce"() <{dimensions = array<i64>}> ({
    cleave.return
  }) : () -> ()
  return
}

// -----

func.func @f(%x: tensor<2x3xf32>, %z: tensor<f32>, %i: tensor<3xi32>, %v: tensor<2xf32>) {
  // expected-error@+1 {{'cleave.reduce' op reducer has arguments of types 'tensor<f64>', 'tensor<f32>': should be 'tensor<f32>', 'tensor<f32>', accumulators, then elements}}
  cleave.reduce(%x init: %z) across dimensions = [1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
   reducer(%a: tensor<f64>, %e: tensor<f32>) {
    cleave.return %e : tensor<f32>
  }
  return
}

// -----

func.func @f(%x: tensor<2x3xf32>, %z: tensor<f32>, %i: tensor<3xi32>, %v: tensor<2xf32>) {
  // expected-error@+1 {{'cleave.reduce' op reducer has arguments of types 'tensor<1xf32>', 'tensor<f32>': should be 'tensor<f32>', 'tensor<f32>', accumulators, then elements}}
  cleave.reduce(%x init: %z) across dimensions = [1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
   reducer(%a: tensor<1xf32>, %e: tensor<f32>) {
    cleave.return %e : tensor<f32>
  }
  return
}

// -----

func.func @f(%x: tensor<2x3xf32>, %z: tensor<f32>, %i: tensor<3xi32>, %v: tensor<2xf32>) {
  // expected-error@+1 {{'cleave.reduce' op reducer returns 'tensor<f64>': should return 'tensor<f32>'}}
  cleave.reduce(%x init: %z) across dimensions = [1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
   reducer(%a: tensor<f32>, %e: tensor<f32>) {
    %0 = cleave.convert %a : (tensor<f32>) -> tensor<f64>
    cleave.return %0 : tensor<f64>
  }
  return
}

// -----

func.func @f(%x: tensor<2x3xf32>, %z: tensor<f32>, %i: tensor<3xi32>, %v: tensor<2xf32>) {
  // expected-error@+1 {{'cleave.reduce' op reducer returns nothing: should return 'tensor<f32>'}}
  cleave.reduce(%x init: %z) across dimensions = [1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
   reducer(%a: tensor<f32>, %e: tensor<f32>) {
    cleave.return
  }
  return
}

// -----

func.func @f(%x: tensor<2x3xf32>, %z: tensor<f32>, %i: tensor<3xi32>, %v: tensor<2xf32>) {
  // expected-error@+1 {{'cleave.reduce' op reducer ends with 'func.return': should end with 'cleave.return'}}
  cleave.reduce(%x init: %z) across dimensions = [1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
   reducer(%a: tensor<f32>, %e: tensor<f32>) {
    func.return
  }
  return
}

// -----

func.func @f(%x: tensor<2x3xf32>, %z: tensor<f32>, %i: tensor<3xi32>, %v: tensor<2xf32>) {
  // expected-error@+1 {{'cleave.reduce' op reducer uses a value from outside: should use its arguments and constants}}
  cleave.reduce(%x init: %z) across dimensions = [1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
   reducer(%a: tensor<f32>, %e: tensor<f32>) {
  // expected-note@+1 {{the use is here}}
    %0 = cleave.add %a, %z : tensor<f32>
    cleave.return %0 : tensor<f32>
  }
  return
}

// -----

func.func @f(%x: tensor<2x3xf32>, %z: tensor<f32>, %i: tensor<3xi32>, %v: tensor<2xf32>) {
  // expected-error@+1 {{'cleave.reduce' op reducer uses a value from outside: should use its arguments and constants}}
  cleave.reduce(%x init: %z) across dimensions = [1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
   reducer(%a: tensor<f32>, %e: tensor<f32>) {
  // expected-note@+1 {{the use is here}}
    cleave.return %z : tensor<f32>
  }
  return
}

// -----

func.func @f(%x: tensor<2x3xf32>, %z: tensor<f32>, %i: tensor<3xi32>, %v: tensor<2xf32>) {
  // expected-error@+1 {{'cleave.reduce' op reducer has 'cleave.broadcast_in_dim': should have operations on scalars (rank 0) without regions}}
  cleave.reduce(%x init: %z) across dimensions = [1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
   reducer(%a: tensor<f32>, %e: tensor<f32>) {
  // expected-note@+1 {{the operation is here}}
    %0 = cleave.broadcast_in_dim %a, dims = [] : (tensor<f32>) -> tensor<2xf32>
    cleave.return %a : tensor<f32>
  }
  return
}

// -----

func.func @f(%x: tensor<2x3xf32>, %z: tensor<f32>, %i: tensor<3xi32>, %p: tensor<i1>) {
  // expected-error@+1 {{'cleave.reduce' op reducer has 'cleave.if': should have operations on scalars (rank 0) without regions}}
  cleave.reduce(%x init: %z) across dimensions = [1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
   reducer(%a: tensor<f32>, %e: tensor<f32>) {
  // expected-note@+1 {{the operation is here}}
    cleave.if %p : (tensor<i1>) -> () then { cleave.return } else { cleave.return }
    cleave.return %a : tensor<f32>
  }
  return
}

// -----

func.func @f(%a: tensor<2x3xf8E5M2>, %b: tensor<3x2xf8E5M2>) {
  // expected-error@+1 {{'cleave.dot_general' op result has elements of type 'f8E5M2': should be wider, since sums are not made in 8 bits}}
  cleave.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<2x3xf8E5M2>, tensor<3x2xf8E5M2>) -> tensor<2x2xf8E5M2>
  return
}

// -----

func.func @f(%a: tensor<2x3xf8E8M0FNU>, %b: tensor<3x2xf8E8M0FNU>) {
  // expected-error@+1 {{'cleave.dot_general' op operands have elements of type 'f8E8M0FNU', which has no zero: should be converted to another float}}
  cleave.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<2x3xf8E8M0FNU>, tensor<3x2xf8E8M0FNU>) -> tensor<2x2xf32>
  return
}
