// RUN: cleave-opt %s -split-input-file -verify-diagnostics

func.func @f(%x: tensor<5x3xf32>, %i: tensor<2x4xi32>) {
  // expected-error@+1 {{'cleave.gather' op `index_vector_dim` is 3: should be in 0..2}}
  cleave.gather %x, %i, offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 3, slice_sizes = [1, 3] : (tensor<5x3xf32>, tensor<2x4xi32>) -> tensor<2x4x3xf32>
  return
}

// -----

func.func @f(%x: tensor<5x3xf32>, %i: tensor<2x4xi32>) {
  // expected-error@+1 {{'cleave.gather' op `collapsed_slice_dims, operand_batching_dims` has dimension 2, but the operand has rank 2: should be in 0..1}}
  cleave.gather %x, %i, offset_dims = [2], collapsed_slice_dims = [2], start_index_map = [0], index_vector_dim = 2, slice_sizes = [1, 3] : (tensor<5x3xf32>, tensor<2x4xi32>) -> tensor<2x4x3xf32>
  return
}

// -----

func.func @f(%x: tensor<5x3xf32>, %i: tensor<2x4xi32>) {
  // expected-error@+1 {{'cleave.gather' op `collapsed_slice_dims` is [1, 0]: should ascend}}
  cleave.gather %x, %i, offset_dims = [], collapsed_slice_dims = [1, 0], start_index_map = [0], index_vector_dim = 2, slice_sizes = [1, 3] : (tensor<5x3xf32>, tensor<2x4xi32>) -> tensor<2x4x3xf32>
  return
}

// -----

func.func @f(%x: tensor<5x3xf32>, %i: tensor<2x4xi32>) {
  // expected-error@+1 {{'cleave.gather' op `collapsed_slice_dims, operand_batching_dims` has dimension 0 twice: should be distinct}}
  cleave.gather %x, %i, offset_dims = [2], collapsed_slice_dims = [0, 0], start_index_map = [0], index_vector_dim = 2, slice_sizes = [1, 3] : (tensor<5x3xf32>, tensor<2x4xi32>) -> tensor<2x4x3xf32>
  return
}

// -----

func.func @f(%x: tensor<5x3xf32>, %i: tensor<2x4xi32>) {
  // expected-error@+1 {{'cleave.gather' op `collapsed_slice_dims, operand_batching_dims` has dimension 0 twice: should be distinct}}
  cleave.gather %x, %i, offset_dims = [2], collapsed_slice_dims = [0], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [0], index_vector_dim = 2, slice_sizes = [1, 3] : (tensor<5x3xf32>, tensor<2x4xi32>) -> tensor<2x4x3xf32>
  return
}

// -----

func.func @f(%x: tensor<5x3xf32>, %i: tensor<2x4xi32>) {
  // expected-error@+1 {{'cleave.gather' op `operand_batching_dims` is [1, 0]: should ascend}}
  cleave.gather %x, %i, offset_dims = [2], collapsed_slice_dims = [0], operand_batching_dims = [1, 0], start_indices_batching_dims = [0, 1], start_index_map = [0], index_vector_dim = 2, slice_sizes = [1, 3] : (tensor<5x3xf32>, tensor<2x4xi32>) -> tensor<2x4x3xf32>
  return
}

// -----

func.func @f(%x: tensor<5x3xf32>, %i: tensor<2x4xi32>) {
  // expected-error@+1 {{'cleave.gather' op `start_index_map, operand_batching_dims` has dimension 2, but the operand has rank 2: should be in 0..1}}
  cleave.gather %x, %i, offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [2], index_vector_dim = 2, slice_sizes = [1, 3] : (tensor<5x3xf32>, tensor<2x4xi32>) -> tensor<2x4x3xf32>
  return
}

// -----

func.func @f(%x: tensor<5x3xf32>, %i: tensor<2x4xi32>) {
  // expected-error@+1 {{'cleave.gather' op `start_index_map, operand_batching_dims` has dimension 0 twice: should be distinct}}
  cleave.gather %x, %i, offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0, 0], index_vector_dim = 2, slice_sizes = [1, 3] : (tensor<5x3xf32>, tensor<2x4xi32>) -> tensor<2x4x3xf32>
  return
}

// -----

func.func @f(%x: tensor<2x5xf32>, %i: tensor<2x4xi32>) {
  // expected-error@+1 {{'cleave.gather' op `start_index_map, operand_batching_dims` has dimension 0 twice: should be distinct}}
  cleave.gather %x, %i, offset_dims = [], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [0], index_vector_dim = 2, slice_sizes = [1, 1] : (tensor<2x5xf32>, tensor<2x4xi32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @f(%x: tensor<2x5xf32>, %i: tensor<2x4xi32>) {
  // expected-error@+1 {{'cleave.gather' op `start_indices_batching_dims` has 0 entries: should have 1, one for each of `operand_batching_dims`}}
  cleave.gather %x, %i, offset_dims = [], collapsed_slice_dims = [1], operand_batching_dims = [0], start_index_map = [1], index_vector_dim = 2, slice_sizes = [1, 1] : (tensor<2x5xf32>, tensor<2x4xi32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @f(%x: tensor<2x5xf32>, %i: tensor<2x4xi32>) {
  // expected-error@+1 {{'cleave.gather' op dimension 1 of start_indices has 4 elements: should have 2, like dimension 0 of the operand}}
  cleave.gather %x, %i, offset_dims = [], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [1], start_index_map = [1], index_vector_dim = 2, slice_sizes = [1, 1] : (tensor<2x5xf32>, tensor<2x4xi32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @f(%x: tensor<2x5xf32>, %i: tensor<2x1xi32>) {
  // expected-error@+1 {{'cleave.gather' op `start_indices_batching_dims` has dimension 1: should not be `index_vector_dim`}}
  cleave.gather %x, %i, offset_dims = [], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [1], start_index_map = [1], index_vector_dim = 1, slice_sizes = [1, 1] : (tensor<2x5xf32>, tensor<2x1xi32>) -> tensor<2xf32>
  return
}

// -----

func.func @f(%x: tensor<2x5xf32>, %i: tensor<2x4xi32>) {
  // expected-error@+1 {{'cleave.gather' op `start_indices_batching_dims` has dimension 2, but start_indices has rank 2: should be in 0..1}}
  cleave.gather %x, %i, offset_dims = [], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [2], start_index_map = [1], index_vector_dim = 2, slice_sizes = [1, 1] : (tensor<2x5xf32>, tensor<2x4xi32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @f(%x: tensor<5x3xf32>, %i: tensor<2x4xi32>) {
  // expected-error@+1 {{'cleave.gather' op `start_index_map` has 1 entries: should have 4, one for each component of an index}}
  cleave.gather %x, %i, offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1, slice_sizes = [1, 3] : (tensor<5x3xf32>, tensor<2x4xi32>) -> tensor<2x4x3xf32>
  return
}

// -----

func.func @f(%x: tensor<5x3xf32>, %i: tensor<2x4xi32>) {
  // expected-error@+1 {{'cleave.gather' op `slice_sizes` has 1 entries: should have 2, one for each dimension of the operand}}
  cleave.gather %x, %i, offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2, slice_sizes = [1] : (tensor<5x3xf32>, tensor<2x4xi32>) -> tensor<2x4x3xf32>
  return
}

// -----

func.func @f(%x: tensor<5x3xf32>, %i: tensor<2x4xi32>) {
  // expected-error@+1 {{'cleave.gather' op slice size 4 of dimension 1: should be in 0..3}}
  cleave.gather %x, %i, offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2, slice_sizes = [1, 4] : (tensor<5x3xf32>, tensor<2x4xi32>) -> tensor<2x4x3xf32>
  return
}

// -----

func.func @f(%x: tensor<5x3xf32>, %i: tensor<2x4xi32>) {
  // expected-error@+1 {{'cleave.gather' op slice size -1 of dimension 0: should be in 0..5}}
  cleave.gather %x, %i, offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2, slice_sizes = [-1, 3] : (tensor<5x3xf32>, tensor<2x4xi32>) -> tensor<2x4x3xf32>
  return
}

// -----

func.func @f(%x: tensor<5x3xf32>, %i: tensor<2x4xi32>) {
  // expected-error@+1 {{'cleave.gather' op `slice_sizes` has 2 for dimension 0 of `collapsed_slice_dims`: should have 1}}
  cleave.gather %x, %i, offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2, slice_sizes = [2, 3] : (tensor<5x3xf32>, tensor<2x4xi32>) -> tensor<2x4x3xf32>
  return
}

// -----

func.func @f(%x: tensor<2x5xf32>, %i: tensor<2x4xi32>) {
  // expected-error@+1 {{'cleave.gather' op `slice_sizes` has 2 for dimension 0 of `operand_batching_dims`: should have 1}}
  cleave.gather %x, %i, offset_dims = [], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2, slice_sizes = [2, 1] : (tensor<2x5xf32>, tensor<2x4xi32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @f(%x: tensor<5x3xf32>, %i: tensor<2x4xi32>) {
  // expected-error@+1 {{'cleave.gather' op `offset_dims` has 0 entries: should have 1, one for each dimension of a slice}}
  cleave.gather %x, %i, offset_dims = [], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2, slice_sizes = [1, 3] : (tensor<5x3xf32>, tensor<2x4xi32>) -> tensor<2x4x3xf32>
  return
}

// -----

func.func @f(%x: tensor<5x3xf32>, %i: tensor<2x4xi32>) {
  // expected-error@+1 {{'cleave.gather' op `offset_dims` is [1, 0]: should ascend}}
  cleave.gather %x, %i, offset_dims = [1, 0], collapsed_slice_dims = [], start_index_map = [0], index_vector_dim = 2, slice_sizes = [1, 3] : (tensor<5x3xf32>, tensor<2x4xi32>) -> tensor<2x4x3xf32>
  return
}

// -----

func.func @f(%x: tensor<5x3xf32>, %i: tensor<2x4xi32>) {
  // expected-error@+1 {{'cleave.gather' op `offset_dims` has dimension 3, but the result has rank 3: should be in 0..2}}
  cleave.gather %x, %i, offset_dims = [3], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2, slice_sizes = [1, 3] : (tensor<5x3xf32>, tensor<2x4xi32>) -> tensor<2x4x3xf32>
  return
}

// -----

func.func @f(%x: tensor<5x3xf32>, %i: tensor<2x4xi32>) {
  // expected-error@+1 {{'cleave.gather' op result has type 'tensor<2x4x3xf32>': should be 'tensor<2x3x4xf32>'}}
  cleave.gather %x, %i, offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2, slice_sizes = [1, 3] : (tensor<5x3xf32>, tensor<2x4xi32>) -> tensor<2x4x3xf32>
  return
}

// -----

func.func @f(%x: tensor<5x3xf32>, %i: tensor<2x4xf32>) {
  // expected-error@+1 {{'cleave.gather' op operand #1 must be statically shaped tensor of integers, but got 'tensor<2x4xf32>'}}
  cleave.gather %x, %i, offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2, slice_sizes = [1, 3] : (tensor<5x3xf32>, tensor<2x4xf32>) -> tensor<2x4x3xf32>
  return
}

// -----

func.func @f(%x: tensor<5x4xf32>, %i: tensor<3x1xi64>, %u: tensor<3x4xf32>) {
  // expected-error@+1 {{'cleave.scatter' op `index_vector_dim` is 3: should be in 0..2}}
  cleave.scatter(%x) at %i with (%u) {index_vector_dim = 3 : i64, inserted_window_dims = array<i64: 0>, scatter_dims_to_operand_dims = array<i64: 0>, update_window_dims = array<i64: 1>} : (tensor<5x4xf32>, tensor<3x1xi64>, tensor<3x4xf32>) -> tensor<5x4xf32> {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    cleave.return %b : tensor<f32>
  }
  return
}

// -----

func.func @f(%x: tensor<5x4xf32>, %i: tensor<3x1xi64>, %u: tensor<3x4xf32>) {
  // expected-error@+1 {{'cleave.scatter' op `inserted_window_dims` is [1, 0]: should ascend}}
  cleave.scatter(%x) at %i with (%u) {index_vector_dim = 1 : i64, inserted_window_dims = array<i64: 1, 0>, scatter_dims_to_operand_dims = array<i64: 0>, update_window_dims = array<i64>} : (tensor<5x4xf32>, tensor<3x1xi64>, tensor<3x4xf32>) -> tensor<5x4xf32> {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    cleave.return %b : tensor<f32>
  }
  return
}

// -----

func.func @f(%x: tensor<5x4xf32>, %i: tensor<3x1xi64>, %u: tensor<3x4xf32>) {
  // expected-error@+1 {{'cleave.scatter' op `inserted_window_dims, input_batching_dims` has dimension 2, but the input has rank 2: should be in 0..1}}
  cleave.scatter(%x) at %i with (%u) {index_vector_dim = 1 : i64, inserted_window_dims = array<i64: 2>, scatter_dims_to_operand_dims = array<i64: 0>, update_window_dims = array<i64: 1>} : (tensor<5x4xf32>, tensor<3x1xi64>, tensor<3x4xf32>) -> tensor<5x4xf32> {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    cleave.return %b : tensor<f32>
  }
  return
}

// -----

func.func @f(%x: tensor<5x4xf32>, %i: tensor<3x1xi64>, %u: tensor<3x4xf32>) {
  // expected-error@+1 {{'cleave.scatter' op `inserted_window_dims, input_batching_dims` has dimension 0 twice: should be distinct}}
  cleave.scatter(%x) at %i with (%u) {index_vector_dim = 1 : i64, input_batching_dims = array<i64: 0>, inserted_window_dims = array<i64: 0>, scatter_dims_to_operand_dims = array<i64: 0>, scatter_indices_batching_dims = array<i64: 0>, update_window_dims = array<i64>} : (tensor<5x4xf32>, tensor<3x1xi64>, tensor<3x4xf32>) -> tensor<5x4xf32> {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    cleave.return %b : tensor<f32>
  }
  return
}

// -----

func.func @f(%x: tensor<5x4xf32>, %i: tensor<3x1xi64>, %u: tensor<3x4xf32>) {
  // expected-error@+1 {{'cleave.scatter' op `scatter_dims_to_operand_dims, input_batching_dims` has dimension 0 twice: should be distinct}}
  cleave.scatter(%x) at %i with (%u) {index_vector_dim = 1 : i64, input_batching_dims = array<i64: 0>, inserted_window_dims = array<i64: 1>, scatter_dims_to_operand_dims = array<i64: 0>, scatter_indices_batching_dims = array<i64: 0>, update_window_dims = array<i64>} : (tensor<5x4xf32>, tensor<3x1xi64>, tensor<3x4xf32>) -> tensor<5x4xf32> {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    cleave.return %b : tensor<f32>
  }
  return
}

// -----

func.func @f(%x: tensor<5x4xf32>, %i: tensor<3x1xi64>, %u: tensor<3x4xf32>) {
  // expected-error@+1 {{'cleave.scatter' op `scatter_indices_batching_dims` has 0 entries: should have 1, one for each of `input_batching_dims`}}
  cleave.scatter(%x) at %i with (%u) {index_vector_dim = 1 : i64, input_batching_dims = array<i64: 1>, inserted_window_dims = array<i64: 0>, scatter_dims_to_operand_dims = array<i64: 0>, update_window_dims = array<i64>} : (tensor<5x4xf32>, tensor<3x1xi64>, tensor<3x4xf32>) -> tensor<5x4xf32> {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    cleave.return %b : tensor<f32>
  }
  return
}

// -----

func.func @f(%x: tensor<5x4xf32>, %i: tensor<3x1xi64>, %u: tensor<3x4xf32>) {
  // expected-error@+1 {{'cleave.scatter' op `scatter_dims_to_operand_dims` has 2 entries: should have 1, one for each component of an index}}
  cleave.scatter(%x) at %i with (%u) {index_vector_dim = 1 : i64, inserted_window_dims = array<i64: 0>, scatter_dims_to_operand_dims = array<i64: 0, 1>, update_window_dims = array<i64: 1>} : (tensor<5x4xf32>, tensor<3x1xi64>, tensor<3x4xf32>) -> tensor<5x4xf32> {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    cleave.return %b : tensor<f32>
  }
  return
}

// -----

func.func @f(%x: tensor<5x4xf32>, %i: tensor<3x1xi64>, %u: tensor<3x4xf32>) {
  // expected-error@+1 {{'cleave.scatter' op `update_window_dims` has 0 entries: should have 1, one for each dimension of a window}}
  cleave.scatter(%x) at %i with (%u) {index_vector_dim = 1 : i64, inserted_window_dims = array<i64: 0>, scatter_dims_to_operand_dims = array<i64: 0>, update_window_dims = array<i64>} : (tensor<5x4xf32>, tensor<3x1xi64>, tensor<3x4xf32>) -> tensor<5x4xf32> {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    cleave.return %b : tensor<f32>
  }
  return
}

// -----

func.func @f(%x: tensor<5x4xf32>, %i: tensor<3x1xi64>, %u: tensor<3xf32>) {
  // expected-error@+1 {{'cleave.scatter' op `scatter_indices_batching_dims` has dimension 1: should not be `index_vector_dim`}}
  cleave.scatter(%x) at %i with (%u) {index_vector_dim = 1 : i64, input_batching_dims = array<i64: 1>, inserted_window_dims = array<i64: 0>, scatter_dims_to_operand_dims = array<i64: 0>, scatter_indices_batching_dims = array<i64: 1>, update_window_dims = array<i64>} : (tensor<5x4xf32>, tensor<3x1xi64>, tensor<3xf32>) -> tensor<5x4xf32> {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    cleave.return %b : tensor<f32>
  }
  return
}

// -----

func.func @f(%x: tensor<5x4xf32>, %i: tensor<3x1xi64>, %u: tensor<3xf32>) {
  // expected-error@+1 {{'cleave.scatter' op dimension 0 of scatter_indices has 3 elements: should have 4, like dimension 1 of the input}}
  cleave.scatter(%x) at %i with (%u) {index_vector_dim = 1 : i64, input_batching_dims = array<i64: 1>, inserted_window_dims = array<i64: 0>, scatter_dims_to_operand_dims = array<i64: 0>, scatter_indices_batching_dims = array<i64: 0>, update_window_dims = array<i64>} : (tensor<5x4xf32>, tensor<3x1xi64>, tensor<3xf32>) -> tensor<5x4xf32> {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    cleave.return %b : tensor<f32>
  }
  return
}

// -----

func.func @f(%x: tensor<5x4xf32>, %i: tensor<3x1xi64>, %u: tensor<3xf32>) {
  // expected-error@+1 {{'cleave.scatter' op update #0 has type 'tensor<3xf32>': should have rank 2}}
  cleave.scatter(%x) at %i with (%u) {index_vector_dim = 1 : i64, inserted_window_dims = array<i64: 0>, scatter_dims_to_operand_dims = array<i64: 0>, update_window_dims = array<i64: 1>} : (tensor<5x4xf32>, tensor<3x1xi64>, tensor<3xf32>) -> tensor<5x4xf32> {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    cleave.return %b : tensor<f32>
  }
  return
}

// -----

func.func @f(%x: tensor<5x4xf32>, %i: tensor<3x1xi64>, %u: tensor<3x4xf32>) {
  // expected-error@+1 {{'cleave.scatter' op `update_window_dims` has dimension 2, but update #0 has rank 2: should be in 0..1}}
  cleave.scatter(%x) at %i with (%u) {index_vector_dim = 1 : i64, inserted_window_dims = array<i64: 0>, scatter_dims_to_operand_dims = array<i64: 0>, update_window_dims = array<i64: 2>} : (tensor<5x4xf32>, tensor<3x1xi64>, tensor<3x4xf32>) -> tensor<5x4xf32> {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    cleave.return %b : tensor<f32>
  }
  return
}

// -----

func.func @f(%x: tensor<5x4xf32>, %i: tensor<3x1xi64>, %u: tensor<2x4xf32>) {
  // expected-error@+1 {{'cleave.scatter' op dimension 0 of update #0 has 2 elements: should have 3, like scatter_indices}}
  cleave.scatter(%x) at %i with (%u) {index_vector_dim = 1 : i64, inserted_window_dims = array<i64: 0>, scatter_dims_to_operand_dims = array<i64: 0>, update_window_dims = array<i64: 1>} : (tensor<5x4xf32>, tensor<3x1xi64>, tensor<2x4xf32>) -> tensor<5x4xf32> {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    cleave.return %b : tensor<f32>
  }
  return
}

// -----

func.func @f(%x: tensor<5x4xf32>, %i: tensor<3x1xi64>, %u: tensor<3x5xf32>) {
  // expected-error@+1 {{'cleave.scatter' op dimension 1 of update #0 has 5 elements: should have at most 4, like dimension 1 of the input}}
  cleave.scatter(%x) at %i with (%u) {index_vector_dim = 1 : i64, inserted_window_dims = array<i64: 0>, scatter_dims_to_operand_dims = array<i64: 0>, update_window_dims = array<i64: 1>} : (tensor<5x4xf32>, tensor<3x1xi64>, tensor<3x5xf32>) -> tensor<5x4xf32> {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    cleave.return %b : tensor<f32>
  }
  return
}

// -----

func.func @f(%x: tensor<5x4xf32>, %i: tensor<3x1xi64>, %u: tensor<3x4xf64>) {
  // expected-error@+1 {{'cleave.scatter' op update #0 has type 'tensor<3x4xf64>': should be 'tensor<3x4xf32>'}}
  cleave.scatter(%x) at %i with (%u) {index_vector_dim = 1 : i64, inserted_window_dims = array<i64: 0>, scatter_dims_to_operand_dims = array<i64: 0>, update_window_dims = array<i64: 1>} : (tensor<5x4xf32>, tensor<3x1xi64>, tensor<3x4xf64>) -> tensor<5x4xf32> {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    cleave.return %b : tensor<f32>
  }
  return
}

// -----

func.func @f(%x: tensor<5x4xf32>, %i: tensor<3x1xi64>, %u: tensor<3x4xf32>) {
  // expected-error@+1 {{'cleave.scatter' op result #0 has type 'tensor<5x3xf32>': should be 'tensor<5x4xf32>'}}
  cleave.scatter(%x) at %i with (%u) {index_vector_dim = 1 : i64, inserted_window_dims = array<i64: 0>, scatter_dims_to_operand_dims = array<i64: 0>, update_window_dims = array<i64: 1>} : (tensor<5x4xf32>, tensor<3x1xi64>, tensor<3x4xf32>) -> tensor<5x3xf32> {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    cleave.return %b : tensor<f32>
  }
  return
}

// -----

func.func @f(%x: tensor<5x4xf32>, %i: tensor<3x1xi64>, %u: tensor<3x4xf32>, %z: tensor<f32>) {
  // expected-error@+1 {{'cleave.scatter' op body has no arguments: should be 'tensor<f32>', 'tensor<f32>', elements, then updates}}
  cleave.scatter(%x) at %i with (%u) {index_vector_dim = 1 : i64, inserted_window_dims = array<i64: 0>, scatter_dims_to_operand_dims = array<i64: 0>, update_window_dims = array<i64: 1>} : (tensor<5x4xf32>, tensor<3x1xi64>, tensor<3x4xf32>) -> tensor<5x4xf32> {
    %c = cleave.constant dense<1.0> : tensor<f32>
    cleave.return %c : tensor<f32>
  }
  return
}

// -----

func.func @f(%x: tensor<5x4xf32>, %i: tensor<3x1xi64>, %u: tensor<3x4xf32>, %z: tensor<f32>) {
  // expected-error@+1 {{'cleave.scatter' op body has arguments of types 'tensor<f32>', 'tensor<f64>': should be 'tensor<f32>', 'tensor<f32>', elements, then updates}}
  cleave.scatter(%x) at %i with (%u) {index_vector_dim = 1 : i64, inserted_window_dims = array<i64: 0>, scatter_dims_to_operand_dims = array<i64: 0>, update_window_dims = array<i64: 1>} : (tensor<5x4xf32>, tensor<3x1xi64>, tensor<3x4xf32>) -> tensor<5x4xf32> {
  ^bb0(%a: tensor<f32>, %b: tensor<f64>):
    cleave.return %a : tensor<f32>
  }
  return
}

// -----

func.func @f(%x: tensor<5x4xf32>, %i: tensor<3x1xi64>, %u: tensor<3x4xf32>, %z: tensor<f32>) {
  // expected-error@+1 {{'cleave.scatter' op body returns 'tensor<f32>', 'tensor<f32>': should return 'tensor<f32>'}}
  cleave.scatter(%x) at %i with (%u) {index_vector_dim = 1 : i64, inserted_window_dims = array<i64: 0>, scatter_dims_to_operand_dims = array<i64: 0>, update_window_dims = array<i64: 1>} : (tensor<5x4xf32>, tensor<3x1xi64>, tensor<3x4xf32>) -> tensor<5x4xf32> {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    cleave.return %a, %b : tensor<f32>, tensor<f32>
  }
  return
}

// -----

func.func @f(%x: tensor<5x4xf32>, %i: tensor<3x1xi64>, %u: tensor<3x4xf32>, %z: tensor<f32>) {
  // expected-error@+1 {{'cleave.scatter' op body uses a value from outside: should use its arguments and constants}}
  cleave.scatter(%x) at %i with (%u) {index_vector_dim = 1 : i64, inserted_window_dims = array<i64: 0>, scatter_dims_to_operand_dims = array<i64: 0>, update_window_dims = array<i64: 1>} : (tensor<5x4xf32>, tensor<3x1xi64>, tensor<3x4xf32>) -> tensor<5x4xf32> {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    // expected-note@+1 {{the use is here}}
    cleave.return %z : tensor<f32>
  }
  return
}

// -----

func.func @f(%x: tensor<5x4xf32>, %i: tensor<3x1xi64>, %u: tensor<3x4xf32>, %z: tensor<f32>) {
  // expected-error@+1 {{'cleave.scatter' op body has 'cleave.iota': should have operations on scalars (rank 0) without regions}}
  cleave.scatter(%x) at %i with (%u) {index_vector_dim = 1 : i64, inserted_window_dims = array<i64: 0>, scatter_dims_to_operand_dims = array<i64: 0>, update_window_dims = array<i64: 1>} : (tensor<5x4xf32>, tensor<3x1xi64>, tensor<3x4xf32>) -> tensor<5x4xf32> {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    // expected-note@+1 {{the operation is here}}
    %k = cleave.iota dim = 0 : tensor<2xf32>
    cleave.return %a : tensor<f32>
  }
  return
}

// -----

func.func @f(%x: tensor<5xf32>, %y: tensor<5xi32>, %i: tensor<3xi64>, %u: tensor<3xf32>, %v: tensor<3xf32>) {
  // expected-error@+1 {{'cleave.scatter' op update #1 has type 'tensor<3xf32>': should be 'tensor<3xi32>'}}
  cleave.scatter(%x, %y) at %i with (%u, %v) {index_vector_dim = 1 : i64, inserted_window_dims = array<i64: 0>, scatter_dims_to_operand_dims = array<i64: 0>, update_window_dims = array<i64>} : (tensor<5xf32>, tensor<5xi32>, tensor<3xi64>, tensor<3xf32>, tensor<3xf32>) -> (tensor<5xf32>, tensor<5xi32>) {
  ^bb0(%a: tensor<f32>, %b: tensor<i32>, %c: tensor<f32>, %d: tensor<i32>):
    cleave.return %c, %d : tensor<f32>, tensor<i32>
  }
  return
}

// -----

func.func @f(%i: tensor<3xi64>) {
  // expected-error@+1 {{'cleave.scatter' op has no inputs: should have at least 1}}
  "cleave.scatter"(%i) <{index_vector_dim = 1 : i64, inserted_window_dims = array<i64: 0>, scatter_dims_to_operand_dims = array<i64: 0>, update_window_dims = array<i64>}> ({
    "cleave.return"() : () -> ()
  }) : (tensor<3xi64>) -> ()
  return
}

// -----

func.func @f(%x: tensor<5x4xf32>, %y: tensor<5x3xi32>) {
  // expected-error@+1 {{'cleave.sort' op `dimension` has dimension 2, but the input has rank 2: should be in 0..1}}
  cleave.sort(%x) dimension = 2 : (tensor<5x4xf32>) -> tensor<5x4xf32> {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %p = cleave.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    cleave.return %p : tensor<i1>
  }
  return
}

// -----

func.func @f(%x: tensor<5x4xf32>, %y: tensor<5x3xi32>) {
  // expected-error@+1 {{'cleave.sort' op `dimension` has dimension -1, but the input has rank 2: should be in 0..1}}
  cleave.sort(%x) dimension = -1 : (tensor<5x4xf32>) -> tensor<5x4xf32> {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %p = cleave.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    cleave.return %p : tensor<i1>
  }
  return
}

// -----

func.func @f(%x: tensor<5x4xf32>, %y: tensor<5x3xi32>) {
  // expected-error@+1 {{'cleave.sort' op result #0 has type 'tensor<4x5xf32>': should be 'tensor<5x4xf32>'}}
  cleave.sort(%x) dimension = 0 : (tensor<5x4xf32>) -> tensor<4x5xf32> {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %p = cleave.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    cleave.return %p : tensor<i1>
  }
  return
}

// -----

func.func @f(%x: tensor<5x4xf32>, %y: tensor<5x3xi32>) {
  // expected-error@+1 {{'cleave.sort' op input #1 has type 'tensor<5x3xi32>': should be 'tensor<5x4xi32>'}}
  cleave.sort(%x, %y) dimension = 0 : (tensor<5x4xf32>, tensor<5x3xi32>) -> (tensor<5x4xf32>, tensor<5x3xi32>) {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %p = cleave.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    cleave.return %p : tensor<i1>
  }
  return
}

// -----

func.func @f(%x: tensor<5x4xf32>, %y: tensor<5x3xi32>) {
  // expected-error@+1 {{'cleave.sort' op has 2 results: should have 1, one for each input}}
  cleave.sort(%x) dimension = 0 : (tensor<5x4xf32>) -> (tensor<5x4xf32>, tensor<5x4xf32>) {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %p = cleave.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    cleave.return %p : tensor<i1>
  }
  return
}

// -----

func.func @f(%x: tensor<5x4xf32>, %y: tensor<5x3xi32>) {
  // expected-error@+1 {{'cleave.sort' op comparator has arguments of types 'tensor<f32>', 'tensor<f32>', 'tensor<f32>', 'tensor<f32>': should be 'tensor<f32>', 'tensor<f32>', the left and the right element of each input}}
  cleave.sort(%x) dimension = 0 : (tensor<5x4xf32>) -> tensor<5x4xf32> {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<f32>, %d: tensor<f32>):
    %p = cleave.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    cleave.return %p : tensor<i1>
  }
  return
}

// -----

func.func @f(%x: tensor<5x4xf32>, %y: tensor<5x3xi32>) {
  // expected-error@+1 {{'cleave.sort' op comparator returns 'tensor<f32>': should return 'tensor<i1>'}}
  cleave.sort(%x) dimension = 0 : (tensor<5x4xf32>) -> tensor<5x4xf32> {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %p = cleave.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    cleave.return %a : tensor<f32>
  }
  return
}

// -----

func.func @f(%s: tensor<4xui64>) {
  // expected-error@+1 {{'cleave.rng_bit_generator' op initial_state has type 'tensor<4xui64>': should be tensor<2xui64>}}
  cleave.rng_bit_generator three_fry, %s : (tensor<4xui64>) -> (tensor<4xui64>, tensor<4xui32>)
  return
}

// -----

func.func @f(%s: tensor<3xui64>) {
  // expected-error@+1 {{'cleave.rng_bit_generator' op initial_state has type 'tensor<3xui64>': should be tensor<2xui64>}}
  cleave.rng_bit_generator three_fry, %s : (tensor<3xui64>) -> (tensor<3xui64>, tensor<4xui32>)
  return
}

// -----

func.func @f(%s: tensor<2xi64>) {
  // expected-error@+1 {{'cleave.rng_bit_generator' op initial_state has type 'tensor<2xi64>': should be tensor<2xui64> or tensor<3xui64>}}
  cleave.rng_bit_generator philox, %s : (tensor<2xi64>) -> (tensor<2xi64>, tensor<4xui32>)
  return
}

// -----

func.func @f(%s: tensor<2xui64>, %i: tensor<i32>, %j: tensor<i64>) {
  // expected-error@+1 {{'cleave.rng_bit_generator' op output_state has type 'tensor<3xui64>': should be 'tensor<2xui64>'}}
  cleave.rng_bit_generator philox, %s : (tensor<2xui64>) -> (tensor<3xui64>, tensor<4xui32>)
  return
}

// -----

func.func @f(%s: tensor<2xui64>, %i: tensor<i32>, %j: tensor<i64>) {
  // expected-error@+1 {{'cleave.rng_bit_generator' op `full_shape` has 2 entries: should have 1, one for each dimension of the output}}
  cleave.rng_bit_generator philox, %s block at (%i) of [4, 5] : (tensor<2xui64>, tensor<i32>) -> (tensor<2xui64>, tensor<4xui32>)
  return
}

// -----

func.func @f(%s: tensor<2xui64>, %i: tensor<i32>, %j: tensor<i64>) {
  // expected-error@+1 {{'cleave.rng_bit_generator' op `offsets` has 2 entries: should have 1, one for each dimension of the output}}
  cleave.rng_bit_generator philox, %s block at (%i, %i) of [4] : (tensor<2xui64>, tensor<i32>, tensor<i32>) -> (tensor<2xui64>, tensor<4xui32>)
  return
}

// -----

func.func @f(%s: tensor<2xui64>, %i: tensor<i32>, %j: tensor<i64>) {
  // expected-error@+1 {{'cleave.rng_bit_generator' op offset #0 has type 'tensor<i64>': should be 'tensor<i32>'}}
  cleave.rng_bit_generator philox, %s block at (%j) of [4] : (tensor<2xui64>, tensor<i64>) -> (tensor<2xui64>, tensor<4xui32>)
  return
}

// -----

func.func @f(%s: tensor<2xui64>, %i: tensor<i32>, %j: tensor<i64>) {
  // expected-error@+1 {{'cleave.rng_bit_generator' op `full_shape` has a dimension of -4 elements: should not be negative}}
  cleave.rng_bit_generator philox, %s block at (%i) of [-4] : (tensor<2xui64>, tensor<i32>) -> (tensor<2xui64>, tensor<4xui32>)
  return
}

// -----

func.func @f(%s: tensor<2xui64>, %i: tensor<i32>, %j: tensor<i64>) {
  // expected-error@+1 {{'cleave.rng_bit_generator' op has only one of `offsets` and `full_shape`: should have both or none}}
  cleave.rng_bit_generator philox, %s {full_shape = array<i64: 4>} : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4xui32>)
  return
}
