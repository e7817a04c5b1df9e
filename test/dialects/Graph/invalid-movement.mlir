// RUN: cleave-opt %s -split-input-file -verify-diagnostics

func.func @f() {
  // expected-error@+1 {{custom op 'cleave.constant' constant of type 'vector<2xi32>', should be of a statically shaped tensor type}}
  cleave.constant dense<1> : vector<2xi32>
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{custom op 'cleave.constant' invalid kind of attribute specified}}
  cleave.constant 1 : i32
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{'cleave.constant' op value is sparse<0, 1.000000e+00> : tensor<2xf32>: should be dense or dense_resource}}
  cleave.constant sparse<[[0]], [1.0]> : tensor<2xf32>
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{'cleave.constant' op result has type 'tensor<3xf32>': should be 'tensor<2xf32>'}}
  "cleave.constant"() {value = dense<1.0> : tensor<2xf32>} : () -> tensor<3xf32>
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{'cleave.iota' op `dim` has dimension 1, but the result has rank 1: should be in 0..0}}
  cleave.iota dim = 1 : tensor<2xi32>
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{'cleave.iota' op `dim` has dimension 0, but the result has rank 0}}
  cleave.iota dim = 0 : tensor<i32>
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{'cleave.iota' op result #0 must be statically shaped tensor of integers or floats of 16 to 64 bits, but got 'tensor<2xi1>'}}
  cleave.iota dim = 0 : tensor<2xi1>
  return
}

// -----

func.func @f(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{'cleave.broadcast_in_dim' op `dims` has 1 entries: should have 2, one for each dimension of the operand}}
  cleave.broadcast_in_dim %x, dims = [0] : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{'cleave.broadcast_in_dim' op `dims` has dimension 2, but the result has rank 2: should be in 0..1}}
  cleave.broadcast_in_dim %x, dims = [0, 2] : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{'cleave.broadcast_in_dim' op `dims` has dimension 0 twice: should be distinct}}
  cleave.broadcast_in_dim %x, dims = [0, 0] : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{'cleave.broadcast_in_dim' op dimension 0 of the operand has 2 elements: should have 1 or, like dimension 0 of the result, 4}}
  cleave.broadcast_in_dim %x, dims = [0, 1] : (tensor<2x3xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @f(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{'cleave.broadcast_in_dim' op result has type 'tensor<2x3xf64>': should be 'tensor<2x3xf32>'}}
  cleave.broadcast_in_dim %x, dims = [0, 1] : (tensor<2x3xf32>) -> tensor<2x3xf64>
  return
}

// -----

func.func @f(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{'cleave.reshape' op result has 5 elements: should have 6 like the operand}}
  cleave.reshape %x : (tensor<2x3xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @f(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{'cleave.reshape' op result has type 'tensor<6xi32>': should be 'tensor<6xf32>'}}
  cleave.reshape %x : (tensor<2x3xf32>) -> tensor<6xi32>
  return
}

// -----

func.func @f(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{'cleave.transpose' op `dims` has 1 entries: should have 2, one for each dimension of the operand}}
  cleave.transpose %x, dims = [1] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return
}

// -----

func.func @f(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{'cleave.transpose' op `dims` has dimension -1, but the operand has rank 2: should be in 0..1}}
  cleave.transpose %x, dims = [1, -1] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return
}

// -----

func.func @f(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{'cleave.transpose' op `dims` has dimension 1 twice: should be distinct}}
  cleave.transpose %x, dims = [1, 1] : (tensor<2x3xf32>) -> tensor<3x3xf32>
  return
}

// -----

func.func @f(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{'cleave.transpose' op result has type 'tensor<2x3xf32>': should be 'tensor<3x2xf32>'}}
  cleave.transpose %x, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{'cleave.slice' op `start` has 1 entries: should have 2, one for each dimension of the operand}}
  cleave.slice %x [0:2] : (tensor<2x3xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @f(%x: tensor<3xf32>) {
  // expected-error@+1 {{'cleave.slice' op range 2:1 of dimension 0: should ascend within 0:3}}
  cleave.slice %x [2:1] : (tensor<3xf32>) -> tensor<1xf32>
  return
}

// -----

func.func @f(%x: tensor<3xf32>) {
  // expected-error@+1 {{'cleave.slice' op range -1:1 of dimension 0: should ascend within 0:3}}
  cleave.slice %x [-1:1] : (tensor<3xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @f(%x: tensor<3xf32>) {
  // expected-error@+1 {{'cleave.slice' op range 0:4 of dimension 0: should ascend within 0:3}}
  cleave.slice %x [0:4] : (tensor<3xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%x: tensor<3xf32>) {
  // expected-error@+1 {{'cleave.slice' op stride 0 of dimension 0: should be at least 1}}
  cleave.slice %x [0:3:0] : (tensor<3xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @f(%x: tensor<3xf32>) {
  // expected-error@+1 {{'cleave.slice' op result has type 'tensor<1xf32>': should be 'tensor<2xf32>'}}
  cleave.slice %x [0:3:2] : (tensor<3xf32>) -> tensor<1xf32>
  return
}

// -----

func.func @f(%x: tensor<3xf32>) {
  // expected-error@+1 {{expected ':'}}
  cleave.slice %x [0-3] : (tensor<3xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @f(%x: tensor<3xf32>, %z: tensor<1xf32>) {
  // expected-error@+1 {{'cleave.pad' op padding_value has type 'tensor<1xf32>': should be 'tensor<f32>'}}
  cleave.pad %x, %z, low = [0], high = [0], interior = [0] : (tensor<3xf32>, tensor<1xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @f(%x: tensor<3xf32>, %z: tensor<f64>) {
  // expected-error@+1 {{'cleave.pad' op padding_value has type 'tensor<f64>': should be 'tensor<f32>'}}
  cleave.pad %x, %z, low = [0], high = [0], interior = [0] : (tensor<3xf32>, tensor<f64>) -> tensor<3xf32>
  return
}

// -----

func.func @f(%x: tensor<3xf32>, %z: tensor<f32>) {
  // expected-error@+1 {{'cleave.pad' op `high` has 2 entries: should have 1, one for each dimension of the operand}}
  cleave.pad %x, %z, low = [0], high = [0, 1], interior = [0] : (tensor<3xf32>, tensor<f32>) -> tensor<3xf32>
  return
}

// -----

func.func @f(%x: tensor<3xf32>, %z: tensor<f32>) {
  // expected-error@+1 {{'cleave.pad' op interior padding -1 of dimension 0: should be at least 0}}
  cleave.pad %x, %z, low = [0], high = [0], interior = [-1] : (tensor<3xf32>, tensor<f32>) -> tensor<1xf32>
  return
}

// -----

func.func @f(%x: tensor<3xf32>, %z: tensor<f32>) {
  // expected-error@+1 {{'cleave.pad' op padding -2, -2, 0 of dimension 0 with 3 elements: should leave at least 0 and not overflow}}
  cleave.pad %x, %z, low = [-2], high = [-2], interior = [0] : (tensor<3xf32>, tensor<f32>) -> tensor<0xf32>
  return
}

// -----

func.func @f(%x: tensor<3xf32>, %z: tensor<f32>) {
  // expected-error@+1 {{'cleave.pad' op padding 0, 0, 9223372036854775807 of dimension 0 with 3 elements: should leave at least 0 and not overflow}}
  cleave.pad %x, %z, low = [0], high = [0], interior = [9223372036854775807] : (tensor<3xf32>, tensor<f32>) -> tensor<1xf32>
  return
}

// -----

func.func @f(%x: tensor<3xf32>, %z: tensor<f32>) {
  // expected-error@+1 {{'cleave.pad' op result has type 'tensor<4xf32>': should be 'tensor<6xf32>'}}
  cleave.pad %x, %z, low = [1], high = [0], interior = [1] : (tensor<3xf32>, tensor<f32>) -> tensor<4xf32>
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{'cleave.concatenate' op has no inputs: should have at least 1}}
  "cleave.concatenate"() {dim = 0} : () -> tensor<0xf32>
  return
}

// -----

func.func @f(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{'cleave.concatenate' op `dim` has dimension 2, but the first input has rank 2: should be in 0..1}}
  cleave.concatenate %x, %x, dim = 2 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x6xf32>
  return
}

// -----

func.func @f(%x: tensor<2x3xf32>, %y: tensor<2xf32>) {
  // expected-error@+1 {{'cleave.concatenate' op input #1 has type 'tensor<2xf32>': should have rank 2}}
  cleave.concatenate %x, %y, dim = 0 : (tensor<2x3xf32>, tensor<2xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @f(%x: tensor<2x3xf32>, %y: tensor<2x4xf32>) {
  // expected-error@+1 {{'cleave.concatenate' op input #1 has type 'tensor<2x4xf32>': should be 'tensor<2x3xf32>'}}
  cleave.concatenate %x, %y, dim = 0 : (tensor<2x3xf32>, tensor<2x4xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @f(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{'cleave.concatenate' op result has type 'tensor<2x3xf32>': should be 'tensor<4x3xf32>'}}
  cleave.concatenate %x, %x, dim = 0 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{'cleave.reverse' op `dims` has dimension 0 twice: should be distinct}}
  cleave.reverse %x, dims = [0, 0] : tensor<2x3xf32>
  return
}

// -----

func.func @f(%x: tensor<2xf32>) {
  // expected-error@+1 {{'cleave.reverse' op `dims` has dimension 1, but the operand has rank 1: should be in 0..0}}
  cleave.reverse %x, dims = [1] : tensor<2xf32>
  return
}

// -----

func.func @f(%x: tensor<2x3xf32>, %i: tensor<i32>) {
  // expected-error@+1 {{'cleave.dynamic_slice' op `start_indices` has 1 entries: should have 2, one for each dimension of the operand}}
  cleave.dynamic_slice %x, %i, sizes = [1, 1] : (tensor<2x3xf32>, tensor<i32>) -> tensor<1x1xf32>
  return
}

// -----

func.func @f(%x: tensor<2xf32>, %i: tensor<1xi32>) {
  // expected-error@+1 {{'cleave.dynamic_slice' op start index #0 has type 'tensor<1xi32>': should have rank 0}}
  cleave.dynamic_slice %x, %i, sizes = [1] : (tensor<2xf32>, tensor<1xi32>) -> tensor<1xf32>
  return
}

// -----

func.func @f(%x: tensor<2x3xf32>, %i: tensor<i32>, %j: tensor<i64>) {
  // expected-error@+1 {{'cleave.dynamic_slice' op start index #1 has type 'tensor<i64>': should be 'tensor<i32>'}}
  cleave.dynamic_slice %x, %i, %j, sizes = [1, 1] : (tensor<2x3xf32>, tensor<i32>, tensor<i64>) -> tensor<1x1xf32>
  return
}

// -----

func.func @f(%x: tensor<2xf32>, %i: tensor<i32>) {
  // expected-error@+1 {{'cleave.dynamic_slice' op size 3 of dimension 0: should be in 0..2}}
  cleave.dynamic_slice %x, %i, sizes = [3] : (tensor<2xf32>, tensor<i32>) -> tensor<3xf32>
  return
}

// -----

func.func @f(%x: tensor<2xf32>, %i: tensor<i32>) {
  // expected-error@+1 {{'cleave.dynamic_slice' op `sizes` has 0 entries: should have 1, one for each dimension of the operand}}
  cleave.dynamic_slice %x, %i, sizes = [] : (tensor<2xf32>, tensor<i32>) -> tensor<f32>
  return
}

// -----

func.func @f(%x: tensor<2xf32>, %i: tensor<i32>) {
  // expected-error@+1 {{'cleave.dynamic_slice' op result has type 'tensor<2xf32>': should be 'tensor<1xf32>'}}
  cleave.dynamic_slice %x, %i, sizes = [1] : (tensor<2xf32>, tensor<i32>) -> tensor<2xf32>
  return
}

// -----

func.func @f(%x: tensor<2xf32>, %u: tensor<1xf64>, %i: tensor<i32>) {
  // expected-error@+1 {{'cleave.dynamic_update_slice' op update has type 'tensor<1xf64>': should be 'tensor<1xf32>'}}
  cleave.dynamic_update_slice %x, %u, %i : (tensor<2xf32>, tensor<1xf64>, tensor<i32>) -> tensor<2xf32>
  return
}

// -----

func.func @f(%x: tensor<2xf32>, %u: tensor<1x1xf32>, %i: tensor<i32>) {
  // expected-error@+1 {{'cleave.dynamic_update_slice' op update has type 'tensor<1x1xf32>': should have rank 1}}
  cleave.dynamic_update_slice %x, %u, %i : (tensor<2xf32>, tensor<1x1xf32>, tensor<i32>) -> tensor<2xf32>
  return
}

// -----

func.func @f(%x: tensor<2xf32>, %u: tensor<3xf32>, %i: tensor<i32>) {
  // expected-error@+1 {{'cleave.dynamic_update_slice' op dimension 0 of update has 3 elements: should have at most 2 like the operand}}
  cleave.dynamic_update_slice %x, %u, %i : (tensor<2xf32>, tensor<3xf32>, tensor<i32>) -> tensor<2xf32>
  return
}

// -----

func.func @f(%x: tensor<2xf32>, %u: tensor<2xf32>) {
  // expected-error@+1 {{'cleave.dynamic_update_slice' op `start_indices` has 0 entries: should have 1, one for each dimension of the operand}}
  cleave.dynamic_update_slice %x, %u : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return
}
