// RUN: cleave-opt %s --cleave-spread-scatters --split-input-file | FileCheck %s
// RUN: cleave-opt %s --cleave-spread-scatters=free-sums --split-input-file | FileCheck %s --check-prefix=FREE
// RUN: cleave-opt %s --cleave-spread-scatters=min-updates=100 --split-input-file | FileCheck %s --check-prefix=MORE

// Integers of 32 bits are counted by atomic operations. The ones are made in
// the kernel, the zeros before it.
// CHECK-LABEL: func.func @count
// CHECK-DAG: %[[ZERO:.*]] = cleave.constant dense<0> : tensor<5xi32>
// CHECK-DAG: call @scatter_0(%[[ZERO]], %{{.*}}) : (tensor<5xi32>, tensor<9xi64>) -> tensor<5xi32>
// CHECK: func.func private @scatter_0({{.*}}) -> tensor<5xi32> attributes {cleave.kernel, cleave.scatter = "atomic", cleave.updates_in_place}
// CHECK: cleave.constant dense<1> : tensor<9xi32>
func.func @count(%i: tensor<9xi64>) -> tensor<5xi32> {
  %zero = cleave.constant dense<0> : tensor<5xi32>
  %one = cleave.constant dense<1> : tensor<9xi32>
  %r = cleave.scatter(%zero) at %i with (%one) {update_window_dims = array<i64>, inserted_window_dims = array<i64: 0>, scatter_dims_to_operand_dims = array<i64: 0>, index_vector_dim = 1} : (tensor<5xi32>, tensor<9xi64>, tensor<9xi32>) -> tensor<5xi32> {
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = cleave.add %a, %b : tensor<i32>
    cleave.return %s : tensor<i32>
  }
  return %r : tensor<5xi32>
}

// -----

// Floats are sorted, if they are many: 4 * 20 updates of each batch.
// CHECK-LABEL: func.func @sums
// CHECK-SAME: %[[X:.*]]: tensor<3x7x16xf32>, %[[I:.*]]: tensor<4x3x20x1xi32>, %[[U:.*]]: tensor<4x3x20x16xf32>
// CHECK: %[[WIDE:.*]] = cleave.convert %{{.*}} -> tensor<4x3x20xi64>
// CHECK: %[[START:.*]] = cleave.broadcast_in_dim %[[WIDE]], dims = [1, 0, 2] : (tensor<4x3x20xi64>) -> tensor<3x4x20xi64>
// CHECK: cleave.compare GE, %[[START]]
// CHECK: cleave.minimum %[[START]]
// CHECK: %[[PLACE:.*]] = cleave.select
// Seven is the place of all that are out of bounds.
// CHECK: cleave.reshape %[[PLACE]] : (tensor<3x4x20xi64>) -> tensor<3x80xi64>
// CHECK: %[[KEYS:.*]] = cleave.convert %{{.*}} : (tensor<3x80xi64>) -> tensor<3x80xi32>
// CHECK: %[[SORTED:.*]] = cleave.sort(%[[KEYS]]) dimension = 1
// CHECK: %[[NUMBER:.*]] = cleave.remainder %[[SORTED]]
// CHECK: %[[ROW:.*]] = cleave.divide %[[SORTED]]
// CHECK: %[[AT:.*]] = cleave.reshape %[[ROW]] : (tensor<3x80xi32>) -> tensor<3x80x1xi32>
// CHECK: %[[T:.*]] = cleave.transpose %[[U]]
// CHECK: %[[V:.*]] = cleave.reshape %[[T]] : (tensor<3x4x20x16xf32>) -> tensor<3x80x16xf32>
// CHECK: %[[G:.*]] = cleave.gather %[[V]], %[[NUMBER]], offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0]
// CHECK: call @scatter_0(%[[X]], %[[AT]], %[[G]])
// CHECK: func.func private @scatter_0({{.*}}) -> tensor<3x7x16xf32> attributes {cleave.kernel, cleave.scatter = "sorted", cleave.updates_in_place}
// CHECK: cleave.scatter({{.*}}) at {{.*}} with({{.*}}) {index_vector_dim = 2 : i64, input_batching_dims = array<i64: 0>, inserted_window_dims = array<i64: 1>, scatter_dims_to_operand_dims = array<i64: 1>, scatter_indices_batching_dims = array<i64: 0>, update_window_dims = array<i64: 2>}
// FREE-LABEL: func.func @sums
// FREE-NOT: cleave.sort
// FREE: cleave.scatter = "atomic"
// MORE-LABEL: func.func @sums
// MORE-NOT: cleave.sort
// MORE: attributes {cleave.kernel, cleave.updates_in_place}
func.func @sums(%x: tensor<3x7x16xf32>, %i: tensor<4x3x20x1xi32>, %u: tensor<4x3x20x16xf32>) -> tensor<3x7x16xf32> {
  %r = cleave.scatter(%x) at %i with (%u) {update_window_dims = array<i64: 3>, inserted_window_dims = array<i64: 1>, input_batching_dims = array<i64: 0>, scatter_indices_batching_dims = array<i64: 1>, scatter_dims_to_operand_dims = array<i64: 1>, index_vector_dim = 3} : (tensor<3x7x16xf32>, tensor<4x3x20x1xi32>, tensor<4x3x20x16xf32>) -> tensor<3x7x16xf32> {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = cleave.add %a, %b : tensor<f32>
    cleave.return %s : tensor<f32>
  }
  return %r : tensor<3x7x16xf32>
}

// -----

// Ranks with the same data would add it in different orders, and then differ.
// FREE-LABEL: func.func @ranks
// FREE: cleave.scatter = "sorted"
spmd.mesh @m <"data"=2>
func.func @ranks(%x: tensor<7xf32>, %i: tensor<80x1xi32>, %u: tensor<80xf32>) -> tensor<7xf32> {
  %r = cleave.scatter(%x) at %i with (%u) {update_window_dims = array<i64>, inserted_window_dims = array<i64: 0>, scatter_dims_to_operand_dims = array<i64: 0>, index_vector_dim = 1} : (tensor<7xf32>, tensor<80x1xi32>, tensor<80xf32>) -> tensor<7xf32> {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = cleave.add %a, %b : tensor<f32>
    cleave.return %s : tensor<f32>
  }
  return %r : tensor<7xf32>
}

// -----

// Of one window, or of indices that differ, no element has two updates, and any
// body will do. Each scatter has zeros of its own.
// CHECK-LABEL: func.func @unique
// CHECK-DAG: %[[A:.*]] = cleave.constant dense<0.000000e+00> : tensor<90x80xbf16>
// CHECK-DAG: %[[B:.*]] = cleave.constant dense<0.000000e+00> : tensor<90x80xbf16>
// CHECK-DAG: call @scatter_0(%[[B]],
// CHECK-DAG: call @scatter_1(%[[A]],
// CHECK: func.func private @scatter_0({{.*}}) -> tensor<90x80xbf16> attributes {cleave.kernel, cleave.scatter = "unique", cleave.updates_in_place}
// CHECK: func.func private @scatter_1({{.*}}) -> tensor<90x80xbf16> attributes {cleave.kernel, cleave.scatter = "unique", cleave.updates_in_place}
func.func @unique(%i: tensor<2xi32>, %u: tensor<70x60xbf16>, %j: tensor<80x2xi32>, %v: tensor<80xbf16>) -> (tensor<90x80xbf16>, tensor<90x80xbf16>) {
  %zero = cleave.constant dense<0.0> : tensor<90x80xbf16>
  %r = cleave.scatter(%zero) at %i with (%u) {update_window_dims = array<i64: 0, 1>, inserted_window_dims = array<i64>, scatter_dims_to_operand_dims = array<i64: 0, 1>, index_vector_dim = 0} : (tensor<90x80xbf16>, tensor<2xi32>, tensor<70x60xbf16>) -> tensor<90x80xbf16> {
  ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
    %s = cleave.subtract %b, %a : tensor<bf16>
    cleave.return %s : tensor<bf16>
  }
  %s = cleave.scatter(%zero) at %j with (%v) {update_window_dims = array<i64>, inserted_window_dims = array<i64: 0, 1>, scatter_dims_to_operand_dims = array<i64: 0, 1>, index_vector_dim = 1, unique_indices} : (tensor<90x80xbf16>, tensor<80x2xi32>, tensor<80xbf16>) -> tensor<90x80xbf16> {
  ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
    cleave.return %b : tensor<bf16>
  }
  return %r, %s : tensor<90x80xbf16>, tensor<90x80xbf16>
}

// -----

// PTX has no atomic operation on 8 bits, and none that multiplies. Few updates
// are made by one thread per column.
// CHECK-LABEL: func.func @narrow
// CHECK: cleave.sort
// CHECK: cleave.sort
// CHECK-NOT: cleave.sort
// CHECK: @scatter_0({{.*}}) -> tensor<9xi8> attributes {{.*}}"sorted"
// CHECK: @scatter_1({{.*}}) -> tensor<9xi32> attributes {{.*}}"sorted"
// CHECK: @scatter_2({{.*}}) -> tensor<9xi8> attributes {cleave.kernel, cleave.updates_in_place}
func.func @narrow(%x: tensor<9xi8>, %y: tensor<9xi32>, %i: tensor<80xi32>, %u: tensor<80xi8>, %v: tensor<80xi32>, %j: tensor<64xi32>, %w: tensor<64xi8>) -> (tensor<9xi8>, tensor<9xi32>, tensor<9xi8>) {
  %r = cleave.scatter(%x) at %i with (%u) {update_window_dims = array<i64>, inserted_window_dims = array<i64: 0>, scatter_dims_to_operand_dims = array<i64: 0>, index_vector_dim = 1} : (tensor<9xi8>, tensor<80xi32>, tensor<80xi8>) -> tensor<9xi8> {
  ^bb0(%a: tensor<i8>, %b: tensor<i8>):
    %s = cleave.add %a, %b : tensor<i8>
    cleave.return %s : tensor<i8>
  }
  %q = cleave.scatter(%y) at %i with (%v) {update_window_dims = array<i64>, inserted_window_dims = array<i64: 0>, scatter_dims_to_operand_dims = array<i64: 0>, index_vector_dim = 1} : (tensor<9xi32>, tensor<80xi32>, tensor<80xi32>) -> tensor<9xi32> {
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = cleave.multiply %a, %b : tensor<i32>
    cleave.return %s : tensor<i32>
  }
  %t = cleave.scatter(%x) at %j with (%w) {update_window_dims = array<i64>, inserted_window_dims = array<i64: 0>, scatter_dims_to_operand_dims = array<i64: 0>, index_vector_dim = 1} : (tensor<9xi8>, tensor<64xi32>, tensor<64xi8>) -> tensor<9xi8> {
  ^bb0(%a: tensor<i8>, %b: tensor<i8>):
    %s = cleave.add %a, %b : tensor<i8>
    cleave.return %s : tensor<i8>
  }
  return %r, %q, %t : tensor<9xi8>, tensor<9xi32>, tensor<9xi8>
}

// -----

// Nothing to update: left to other passes.
// CHECK-LABEL: func.func @nothing
// CHECK: cleave.scatter
// CHECK-NOT: private
func.func @nothing(%x: tensor<5xi32>, %i: tensor<0xi32>, %u: tensor<0xi32>) -> tensor<5xi32> {
  %r = cleave.scatter(%x) at %i with (%u) {update_window_dims = array<i64>, inserted_window_dims = array<i64: 0>, scatter_dims_to_operand_dims = array<i64: 0>, index_vector_dim = 1} : (tensor<5xi32>, tensor<0xi32>, tensor<0xi32>) -> tensor<5xi32> {
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    cleave.return %b : tensor<i32>
  }
  return %r : tensor<5xi32>
}

// -----

// A constant of the body that another pass has moved out of it.
// CHECK-LABEL: func.func @moved_constant
// CHECK: func.func private @scatter_0
// CHECK-NEXT: %[[THREE:.*]] = cleave.constant dense<3>
// CHECK: cleave.add %{{.*}}, %[[THREE]]
func.func @moved_constant(%x: tensor<5xi32>, %i: tensor<1xi32>, %u: tensor<1xi32>) -> tensor<5xi32> {
  %three = cleave.constant dense<3> : tensor<i32>
  %r = cleave.scatter(%x) at %i with (%u) {update_window_dims = array<i64>, inserted_window_dims = array<i64: 0>, scatter_dims_to_operand_dims = array<i64: 0>, index_vector_dim = 1} : (tensor<5xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<5xi32> {
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = cleave.add %b, %three : tensor<i32>
    cleave.return %s : tensor<i32>
  }
  return %r : tensor<5xi32>
}
