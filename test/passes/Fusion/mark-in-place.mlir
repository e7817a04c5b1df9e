// RUN: cleave-opt %s --cleave-mark-in-place | FileCheck %s

// What only updates its first operand.
// CHECK: @update(%{{.*}}: tensor<8x4xf32> {cleave.updated_by = 0 : i64}, %{{.*}}: tensor<1x4xf32>, %{{.*}}: tensor<i32>)
func.func private @update(%x: tensor<8x4xf32>, %u: tensor<1x4xf32>, %i: tensor<i32>) -> tensor<8x4xf32> attributes {cleave.kernel} {
  %c = cleave.constant dense<0> : tensor<i32>
  %0 = cleave.dynamic_update_slice %x, %u, %i, %c : (tensor<8x4xf32>, tensor<1x4xf32>, tensor<i32>, tensor<i32>) -> tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}

// CHECK: @update_with_itself(%{{.*}}: tensor<4xi32>, %{{.*}}: tensor<i32>)
func.func private @update_with_itself(%x: tensor<4xi32>, %i: tensor<i32>) -> tensor<4xi32> attributes {cleave.kernel} {
  %0 = cleave.dynamic_update_slice %x, %x, %i : (tensor<4xi32>, tensor<4xi32>, tensor<i32>) -> tensor<4xi32>
  return %0 : tensor<4xi32>
}

// CHECK: @scatter(%{{.*}}: tensor<5xf32> {cleave.updated_by = 0 : i64}, %{{.*}}: tensor<5xf32> {cleave.updated_by = 1 : i64}, %{{.*}}: tensor<2x1xi32>, %{{.*}}: tensor<2xf32>)
func.func private @scatter(%x: tensor<5xf32>, %y: tensor<5xf32>, %i: tensor<2x1xi32>, %u: tensor<2xf32>) -> (tensor<5xf32>, tensor<5xf32>) attributes {cleave.kernel} {
  %0:2 = cleave.scatter(%x, %y) at %i with (%u, %u) {update_window_dims = array<i64>, inserted_window_dims = array<i64: 0>, scatter_dims_to_operand_dims = array<i64: 0>, index_vector_dim = 1 : i64} : (tensor<5xf32>, tensor<5xf32>, tensor<2x1xi32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<5xf32>, tensor<5xf32>) {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<f32>, %d: tensor<f32>):
    %1 = cleave.add %a, %c : tensor<f32>
    %2 = cleave.multiply %b, %d : tensor<f32>
    cleave.return %1, %2 : tensor<f32>, tensor<f32>
  }
  return %0#0, %0#1 : tensor<5xf32>, tensor<5xf32>
}

// %x and %y are read where the result is written, %b and %r at other indices.
// CHECK: @elementwise(%{{.*}}: tensor<2x3xf32> {cleave.overwritten_by = 0 : i64}, %{{.*}}: tensor<2x3xf32> {cleave.overwritten_by = 0 : i64}, %{{.*}}: tensor<3xf32>, %{{.*}}: tensor<2x3xf32>)
func.func private @elementwise(%x: tensor<2x3xf32>, %y: tensor<2x3xf32>, %b: tensor<3xf32>, %r: tensor<2x3xf32>) -> tensor<2x3xf32> attributes {cleave.kernel} {
  %0 = cleave.broadcast_in_dim %b, dims = [1] : (tensor<3xf32>) -> tensor<2x3xf32>
  %1 = cleave.reverse %r, dims = [0] : tensor<2x3xf32>
  %2 = cleave.add %x, %0 : tensor<2x3xf32>
  %3 = cleave.multiply %2, %y : tensor<2x3xf32>
  %4 = cleave.add %3, %1 : tensor<2x3xf32>
  return %4 : tensor<2x3xf32>
}

// An element of a row is needed after others of the row are written.
// CHECK: @rows(%{{.*}}: tensor<2x3xf32>) -> tensor<2x3xf32>
func.func private @rows(%x: tensor<2x3xf32>) -> tensor<2x3xf32> attributes {cleave.kernel} {
  %init = cleave.constant dense<0.0> : tensor<f32>
  %0 = cleave.reduce(%x init: %init) applies cleave.add across dimensions = [1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  %1 = cleave.broadcast_in_dim %0, dims = [0] : (tensor<2xf32>) -> tensor<2x3xf32>
  %2 = cleave.divide %x, %1 : tensor<2x3xf32>
  return %2 : tensor<2x3xf32>
}

// The first result may be written before the second one reads the argument.
// CHECK: @two(%{{.*}}: tensor<4xf32>, %{{.*}}: tensor<4xf32> {cleave.overwritten_by = 1 : i64})
func.func private @two(%x: tensor<4xf32>, %y: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) attributes {cleave.kernel} {
  %0 = cleave.exponential %x : tensor<4xf32>
  %1 = cleave.add %x, %y : tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// An intermediate value that is returned as well, or another type.
// CHECK: @other(%{{.*}}: tensor<4xf32>, %{{.*}}: tensor<4xi32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
func.func private @other(%x: tensor<4xf32>, %i: tensor<4xi32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) attributes {cleave.kernel} {
  %0 = cleave.exponential %x : tensor<4xf32>
  %1 = cleave.negate %0 : tensor<4xf32>
  %2 = cleave.convert %i : (tensor<4xi32>) -> tensor<4xf32>
  return %0, %1, %2 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}
