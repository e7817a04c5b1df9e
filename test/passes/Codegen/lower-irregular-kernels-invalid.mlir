// RUN: cleave-opt %s --cleave-lower-irregular-kernels --split-input-file --verify-diagnostics

// expected-error @below {{updates its arguments in place, but `cleave.in_place` does not say which; run cleave-lower-to-exec first}}
func.func private @not_placed(%x: tensor<7x300xf32>, %i: tensor<20x1xi32>, %u: tensor<20x300xf32>) -> tensor<7x300xf32> attributes {cleave.kernel, cleave.updates_in_place} {
  %r = cleave.scatter(%x) at %i with (%u) {update_window_dims = array<i64: 1>, inserted_window_dims = array<i64: 0>, scatter_dims_to_operand_dims = array<i64: 0>, index_vector_dim = 1} : (tensor<7x300xf32>, tensor<20x1xi32>, tensor<20x300xf32>) -> tensor<7x300xf32> {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = cleave.add %a, %b : tensor<f32>
    cleave.return %s : tensor<f32>
  }
  return %r : tensor<7x300xf32>
}

// -----

func.func private @not_in_place(%x: tensor<7x300xf32>, %i: tensor<20x1xi32>, %u: tensor<20x300xf32>) -> tensor<7x300xf32> attributes {cleave.kernel, cleave.scatter = "unique"} {
  // expected-error @below {{does not update its inputs in place, as `cleave.scatter` requires}}
  %r = cleave.scatter(%x) at %i with (%u) {update_window_dims = array<i64: 1>, inserted_window_dims = array<i64: 0>, scatter_dims_to_operand_dims = array<i64: 0>, index_vector_dim = 1} : (tensor<7x300xf32>, tensor<20x1xi32>, tensor<20x300xf32>) -> tensor<7x300xf32> {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = cleave.add %a, %b : tensor<f32>
    cleave.return %s : tensor<f32>
  }
  return %r : tensor<7x300xf32>
}

// -----

func.func private @no_atomic(%x: tensor<7x300xi8>, %i: tensor<20x1xi32>, %u: tensor<20x300xi8>) -> tensor<7x300xi8> attributes {cleave.kernel, cleave.in_place = array<i64: 0>, cleave.updates_in_place, cleave.scatter = "atomic"} {
  // expected-error @below {{has no atomic operation; `cleave.scatter` must not be "atomic"}}
  %r = cleave.scatter(%x) at %i with (%u) {update_window_dims = array<i64: 1>, inserted_window_dims = array<i64: 0>, scatter_dims_to_operand_dims = array<i64: 0>, index_vector_dim = 1} : (tensor<7x300xi8>, tensor<20x1xi32>, tensor<20x300xi8>) -> tensor<7x300xi8> {
  ^bb0(%a: tensor<i8>, %b: tensor<i8>):
    %s = cleave.add %a, %b : tensor<i8>
    cleave.return %s : tensor<i8>
  }
  return %r : tensor<7x300xi8>
}

// -----

func.func private @windows(%x: tensor<7x300xf32>, %i: tensor<20x1xi32>, %u: tensor<20x200xf32>) -> tensor<7x300xf32> attributes {cleave.kernel, cleave.in_place = array<i64: 0>, cleave.updates_in_place, cleave.scatter = "sorted"} {
  // expected-error @below {{has not one dimension of updates and whole windows besides; `cleave.scatter` must not be "sorted"}}
  %r = cleave.scatter(%x) at %i with (%u) {update_window_dims = array<i64: 1>, inserted_window_dims = array<i64: 0>, scatter_dims_to_operand_dims = array<i64: 0>, index_vector_dim = 1} : (tensor<7x300xf32>, tensor<20x1xi32>, tensor<20x200xf32>) -> tensor<7x300xf32> {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = cleave.add %a, %b : tensor<f32>
    cleave.return %s : tensor<f32>
  }
  return %r : tensor<7x300xf32>
}

// -----

func.func private @dims(%x: tensor<7x300xf32>, %i: tensor<4x5x1xi32>, %u: tensor<4x5x300xf32>) -> tensor<7x300xf32> attributes {cleave.kernel, cleave.in_place = array<i64: 0>, cleave.updates_in_place, cleave.scatter = "sorted"} {
  // expected-error @below {{has not one dimension of updates}}
  %r = cleave.scatter(%x) at %i with (%u) {update_window_dims = array<i64: 2>, inserted_window_dims = array<i64: 0>, scatter_dims_to_operand_dims = array<i64: 0>, index_vector_dim = 2} : (tensor<7x300xf32>, tensor<4x5x1xi32>, tensor<4x5x300xf32>) -> tensor<7x300xf32> {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = cleave.add %a, %b : tensor<f32>
    cleave.return %s : tensor<f32>
  }
  return %r : tensor<7x300xf32>
}
