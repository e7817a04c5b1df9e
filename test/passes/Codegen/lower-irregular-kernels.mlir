// RUN: cleave-opt %s -cleave-lower-irregular-kernels | FileCheck %s
// RUN: cleave-opt %s -cleave-lower-irregular-kernels -cleave-convert-kernels-to-linalg -cleave-fuse-kernel-ops \
// RUN:   -cleave-bufferize-kernels -cleave-vectorize-host-kernels -cleave-lower-vector-math -cleave-lower-kernels-to-llvm \
// RUN:   | FileCheck %s --check-prefix=LLVM

// RUN: cleave-opt %s -cleave-lower-irregular-kernels=scatter-block=1 | FileCheck %s --check-prefix=COLUMNS

// One column each.
// COLUMNS-LABEL: func.func private @rows(
// COLUMNS-SAME: cleave.extent = 300 : i64

// Rows of 300 elements: three blocks of columns, each of which sees all
// indices. Memory holds the bits of a bf16.
// CHECK-LABEL: func.func private @rows(
// CHECK-SAME: %[[X:.*]]: memref<2100xi16>, %[[I:.*]]: memref<20xi32>, %[[U:.*]]: memref<6000xi16>, %[[R:.*]]: memref<2100xi16>, %[[BEGIN:.*]]: index, %[[END:.*]]: index) attributes {cleave.extent = 3 : i64, cleave.kernel, cleave.scalar_loops} {
// CHECK: scf.for %{{.*}} = %[[BEGIN]] to %[[END]]
// The input is copied, row by row.
// CHECK: scf.for
// CHECK: scf.for
// CHECK: memref.load %[[X]]
// CHECK: memref.store %{{.*}}, %[[R]]
// Then each update is added if its index is in bounds.
// CHECK: scf.for
// CHECK: memref.load %[[I]]
// CHECK: %[[INSIDE:.*]] = arith.cmpi ult, %{{.*}}, %c7
// CHECK: scf.if %[[INSIDE]] {
// CHECK: scf.for
// CHECK: memref.load %[[R]]
// CHECK: memref.load %[[U]]
// CHECK: arith.addf %{{.*}}, %{{.*}} : f32
// CHECK: memref.store %{{.*}}, %[[R]]
func.func private @rows(%x: tensor<7x300xbf16>, %i: tensor<20x1xi32>, %u: tensor<20x300xbf16>) -> tensor<7x300xbf16> attributes {cleave.kernel} {
  %r = cleave.scatter(%x) at %i with (%u) {update_window_dims = array<i64: 1>, inserted_window_dims = array<i64: 0>, scatter_dims_to_operand_dims = array<i64: 0>, index_vector_dim = 1} : (tensor<7x300xbf16>, tensor<20x1xi32>, tensor<20x300xbf16>) -> tensor<7x300xbf16> {
  ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
    %s = cleave.add %a, %b : tensor<bf16>
    cleave.return %s : tensor<bf16>
  }
  return %r : tensor<7x300xbf16>
}

// A constant input is no buffer.
// CHECK-LABEL: func.func private @count(
// CHECK-SAME: %[[I:.*]]: memref<9xi64>, %[[R:.*]]: memref<5xi32>, %{{.*}}: index, %{{.*}}: index) attributes {cleave.extent = 1 : i64, cleave.kernel, cleave.scalar_loops} {
func.func private @count(%i: tensor<9xi64>) -> tensor<5xi32> attributes {cleave.kernel} {
  %zero = cleave.constant dense<0> : tensor<5xi32>
  %one = cleave.constant dense<1> : tensor<9xi32>
  %r = cleave.scatter(%zero) at %i with (%one) {update_window_dims = array<i64>, inserted_window_dims = array<i64: 0>, scatter_dims_to_operand_dims = array<i64: 0>, index_vector_dim = 1} : (tensor<5xi32>, tensor<9xi64>, tensor<9xi32>) -> tensor<5xi32> {
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = cleave.add %a, %b : tensor<i32>
    cleave.return %s : tensor<i32>
  }
  return %r : tensor<5xi32>
}

// A part for each row; inputs, results, workspace.
// CHECK-LABEL: func.func private @sort(
// CHECK-SAME: %{{.*}}: memref<200xf32>, %{{.*}}: memref<200xi8>, %{{.*}}: memref<200xf32>, %{{.*}}: memref<200xi8>, %{{.*}}: memref<200xf32>, %{{.*}}: memref<200xi8>, %{{.*}}: index, %{{.*}}: index) attributes {cleave.extent = 4 : i64, cleave.kernel, cleave.scalar_loops} {
func.func private @sort(%k: tensor<4x50xf32>, %v: tensor<4x50xi1>) -> (tensor<4x50xf32>, tensor<4x50xi1>) attributes {cleave.kernel, cleave.workspace = [tensor<4x50xf32>, tensor<4x50xi1>]} {
  %r:2 = cleave.sort(%k, %v) dimension = 1 : (tensor<4x50xf32>, tensor<4x50xi1>) -> (tensor<4x50xf32>, tensor<4x50xi1>) {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<i1>, %d: tensor<i1>):
    // CHECK: arith.cmpf olt
    %0 = cleave.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    cleave.return %0 : tensor<i1>
  }
  return %r#0, %r#1 : tensor<4x50xf32>, tensor<4x50xi1>
}

// CHECK-LABEL: func.func private @random(
// CHECK-SAME: %{{.*}}: memref<2xi64>, %{{.*}}: memref<2xi64>, %{{.*}}: memref<9000xi32>, %{{.*}}: index, %{{.*}}: index) attributes {cleave.extent = 6 : i64, cleave.kernel, cleave.scalar_loops} {
func.func private @random(%s: tensor<2xui64>) -> (tensor<2xui64>, tensor<2x4500xui32>) attributes {cleave.kernel} {
  %r:2 = cleave.rng_bit_generator philox, %s : (tensor<2xui64>) -> (tensor<2xui64>, tensor<2x4500xui32>)
  return %r#0, %r#1 : tensor<2xui64>, tensor<2x4500xui32>
}

// Other kernels are left for the passes on tensors.
// CHECK-LABEL: func.func private @other(
// CHECK: cleave.add
func.func private @other(%x: tensor<4xf32>) -> tensor<4xf32> attributes {cleave.kernel} {
  %r = cleave.add %x, %x : tensor<4xf32>
  return %r : tensor<4xf32>
}

// LLVM: llvm.func @rows(%{{.*}}: !llvm.ptr, %{{.*}}: i64, %{{.*}}: i64) attributes {cleave.extent = 3 : i64, cleave.kernel, passthrough = ["cleave-scalar-loops"]}
// LLVM: llvm.func @other(%{{.*}}: !llvm.ptr, %{{.*}}: i64, %{{.*}}: i64) attributes {cleave.extent = 1 : i64, cleave.kernel}

// In place, the input is the result's buffer and is not copied.
// CHECK-LABEL: func.func private @in_place(
// CHECK-SAME: %[[I:.*]]: memref<20xi32>, %[[U:.*]]: memref<140xf32>, %[[R:.*]]: memref<70xf32>, %{{.*}}: index, %{{.*}}: index)
// CHECK-NOT: memref.store
// CHECK: memref.load %[[I]]
// CHECK: memref.load %[[R]]
// CHECK: memref.load %[[U]]
// CHECK: memref.store %{{.*}}, %[[R]]
// CHECK-NOT: memref.store
// CHECK: return
func.func private @in_place(%x: tensor<10x7xf32>, %i: tensor<20x1xi32>, %u: tensor<20x7xf32>) -> tensor<10x7xf32> attributes {cleave.kernel, cleave.in_place = array<i64: 0>} {
  %r = cleave.scatter(%x) at %i with (%u) {update_window_dims = array<i64: 1>, inserted_window_dims = array<i64: 0>, scatter_dims_to_operand_dims = array<i64: 0>, index_vector_dim = 1} : (tensor<10x7xf32>, tensor<20x1xi32>, tensor<20x7xf32>) -> tensor<10x7xf32> {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = cleave.add %a, %b : tensor<f32>
    cleave.return %s : tensor<f32>
  }
  return %r : tensor<10x7xf32>
}

// For the threads of a GPU: each makes one update, here of memory that others
// may update at the same time.
// CHECK-LABEL: func.func private @atomic(
// CHECK-SAME: %[[I:.*]]: memref<20xi32>, %[[U:.*]]: memref<6000xi32>, %[[R:.*]]: memref<2100xi32>, %{{.*}}: index, %{{.*}}: index) attributes {cleave.extent = 6000 : i64, cleave.kernel, cleave.scalar_loops} {
// CHECK: scf.for
// CHECK-NOT: scf.for
// CHECK: memref.load %[[I]]
// CHECK: scf.if
// CHECK: %[[V:.*]] = memref.load %[[U]]
// CHECK: memref.atomic_rmw maxu %[[V]], %[[R]]
func.func private @atomic(%x: tensor<7x300xui32>, %i: tensor<20x1xi32>, %u: tensor<20x300xui32>) -> tensor<7x300xui32> attributes {cleave.kernel, cleave.in_place = array<i64: 0>, cleave.updates_in_place, cleave.scatter = "atomic"} {
  %r = cleave.scatter(%x) at %i with (%u) {update_window_dims = array<i64: 1>, inserted_window_dims = array<i64: 0>, scatter_dims_to_operand_dims = array<i64: 0>, index_vector_dim = 1} : (tensor<7x300xui32>, tensor<20x1xi32>, tensor<20x300xui32>) -> tensor<7x300xui32> {
  ^bb0(%a: tensor<ui32>, %b: tensor<ui32>):
    %s = cleave.maximum %a, %b : tensor<ui32>
    cleave.return %s : tensor<ui32>
  }
  return %r : tensor<7x300xui32>
}

// No update has an element of another one: any body, without waiting.
// CHECK-LABEL: func.func private @unique(
// CHECK-SAME: cleave.extent = 6000 : i64
// CHECK: scf.for
// CHECK-NOT: scf.for
// CHECK-NOT: memref.atomic_rmw
// CHECK: arith.mulf
// CHECK: memref.store
func.func private @unique(%x: tensor<7x300xf32>, %i: tensor<20x1xi32>, %u: tensor<20x300xf32>) -> tensor<7x300xf32> attributes {cleave.kernel, cleave.in_place = array<i64: 0>, cleave.updates_in_place, cleave.scatter = "unique"} {
  %r = cleave.scatter(%x) at %i with (%u) {update_window_dims = array<i64: 1>, inserted_window_dims = array<i64: 0>, scatter_dims_to_operand_dims = array<i64: 0>, index_vector_dim = 1, unique_indices} : (tensor<7x300xf32>, tensor<20x1xi32>, tensor<20x300xf32>) -> tensor<7x300xf32> {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = cleave.multiply %a, %b : tensor<f32>
    cleave.return %s : tensor<f32>
  }
  return %r : tensor<7x300xf32>
}

// The first of sorted updates of an element makes those that follow it.
// CHECK-LABEL: func.func private @sorted(
// CHECK-SAME: %[[I:.*]]: memref<20xi32>, %[[U:.*]]: memref<6000xf32>, %[[R:.*]]: memref<2100xf32>
// CHECK-SAME: cleave.extent = 6000 : i64
// CHECK: scf.if
// CHECK: %[[E:.*]] = memref.load %[[R]]
// CHECK: %[[W:.*]]:2 = scf.while (%{{.*}} = %{{.*}}, %{{.*}} = %[[E]]) : (index, f32) -> (index, f32)
// CHECK: memref.load %[[I]]
// CHECK: memref.load %[[I]]
// CHECK: scf.condition
// CHECK: memref.load %[[U]]
// CHECK: arith.addf
// CHECK: scf.yield
// CHECK: memref.store %[[W]]#1, %[[R]]
func.func private @sorted(%x: tensor<7x300xf32>, %i: tensor<20x1xi32>, %u: tensor<20x300xf32>) -> tensor<7x300xf32> attributes {cleave.kernel, cleave.in_place = array<i64: 0>, cleave.updates_in_place, cleave.scatter = "sorted"} {
  %r = cleave.scatter(%x) at %i with (%u) {update_window_dims = array<i64: 1>, inserted_window_dims = array<i64: 0>, scatter_dims_to_operand_dims = array<i64: 0>, index_vector_dim = 1} : (tensor<7x300xf32>, tensor<20x1xi32>, tensor<20x300xf32>) -> tensor<7x300xf32> {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = cleave.add %a, %b : tensor<f32>
    cleave.return %s : tensor<f32>
  }
  return %r : tensor<7x300xf32>
}
