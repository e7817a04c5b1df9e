// RUN: cleave-opt %s | cleave-opt | FileCheck %s
// RUN: cleave-opt %s --mlir-print-op-generic | cleave-opt | FileCheck %s
// RUN: cleave-opt %s --emit-bytecode | cleave-opt | FileCheck %s

// CHECK-LABEL: func.func @scatter(
func.func @scatter(%x: tensor<5x4xf32>, %i: tensor<3x1xi64>, %u: tensor<3x4xf32>, %p: tensor<5x4xi1>, %q: tensor<3x4xi1>) {
  // CHECK: cleave.scatter(%{{.*}}) at %{{.*}} with(%{{.*}}) {index_vector_dim = 1 : i64, inserted_window_dims = array<i64: 0>, scatter_dims_to_operand_dims = array<i64: 0>, unique_indices, update_window_dims = array<i64: 1>} : (tensor<5x4xf32>, tensor<3x1xi64>, tensor<3x4xf32>) -> tensor<5x4xf32> {
  cleave.scatter(%x) at %i with (%u) {index_vector_dim = 1 : i64, inserted_window_dims = array<i64: 0>, scatter_dims_to_operand_dims = array<i64: 0>, unique_indices, update_window_dims = array<i64: 1>} : (tensor<5x4xf32>, tensor<3x1xi64>, tensor<3x4xf32>) -> tensor<5x4xf32> {
  // CHECK: ^bb0(%{{.*}}: tensor<f32>, %{{.*}}: tensor<f32>):
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    // CHECK: cleave.add
    %s = cleave.add %a, %b : tensor<f32>
    // CHECK: cleave.return
    cleave.return %s : tensor<f32>
  }
  // Two inputs at once.
  // CHECK: cleave.scatter(%{{.*}}, %{{.*}}) at %{{.*}} with(%{{.*}}, %{{.*}}) {{.*}} -> (tensor<5x4xf32>, tensor<5x4xi1>)
  cleave.scatter(%x, %p) at %i with (%u, %q) {index_vector_dim = 1 : i64, inserted_window_dims = array<i64: 0>, scatter_dims_to_operand_dims = array<i64: 0>, update_window_dims = array<i64: 1>} : (tensor<5x4xf32>, tensor<5x4xi1>, tensor<3x1xi64>, tensor<3x4xf32>, tensor<3x4xi1>) -> (tensor<5x4xf32>, tensor<5x4xi1>) {
  ^bb0(%a: tensor<f32>, %c: tensor<i1>, %b: tensor<f32>, %d: tensor<i1>):
    // CHECK: func.call @square(%{{.*}}) : (tensor<f32>) -> tensor<f32>
    %s = func.call @square(%b) : (tensor<f32>) -> tensor<f32>
    cleave.return %s, %d : tensor<f32>, tensor<i1>
  }
  return
}
func.func private @square(%x: tensor<f32>) -> tensor<f32> {
  %y = cleave.multiply %x, %x : tensor<f32>
  return %y : tensor<f32>
}

// CHECK-LABEL: func.func @batched_scatter(
func.func @batched_scatter(%x: tensor<7x5xf32>, %i: tensor<2x7xi64>, %u: tensor<2x7xf32>) {
  // CHECK: cleave.scatter(%{{.*}}) at %{{.*}} with(%{{.*}}) {index_vector_dim = 2 : i64, input_batching_dims = array<i64: 0>, inserted_window_dims = array<i64: 1>, scatter_dims_to_operand_dims = array<i64: 1>, scatter_indices_batching_dims = array<i64: 1>, update_window_dims = array<i64>}
  cleave.scatter(%x) at %i with (%u) {index_vector_dim = 2 : i64, input_batching_dims = array<i64: 0>, inserted_window_dims = array<i64: 1>, scatter_dims_to_operand_dims = array<i64: 1>, scatter_indices_batching_dims = array<i64: 1>, update_window_dims = array<i64>} : (tensor<7x5xf32>, tensor<2x7xi64>, tensor<2x7xf32>) -> tensor<7x5xf32> {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    cleave.return %b : tensor<f32>
  }
  return
}

// CHECK-LABEL: func.func @sort(
func.func @sort(%k: tensor<4x5xf32>, %v: tensor<4x5xi32>) {
  // CHECK: cleave.sort(%{{.*}}, %{{.*}}) dimension = 1 : (tensor<4x5xf32>, tensor<4x5xi32>) -> (tensor<4x5xf32>, tensor<4x5xi32>) {
  cleave.sort(%k, %v) dimension = 1 : (tensor<4x5xf32>, tensor<4x5xi32>) -> (tensor<4x5xf32>, tensor<4x5xi32>) {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<i32>, %d: tensor<i32>):
    %0 = cleave.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    cleave.return %0 : tensor<i1>
  }
  return
}

// CHECK-LABEL: func.func @random(
func.func @random(%s: tensor<2xui64>, %t: tensor<3xui64>, %i: tensor<i32>) {
  // CHECK: cleave.rng_bit_generator three_fry, %{{.*}} : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4x5xui32>)
  cleave.rng_bit_generator three_fry, %s : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4x5xui32>)
  // CHECK: cleave.rng_bit_generator philox, %{{.*}} : (tensor<3xui64>) -> (tensor<3xui64>, tensor<bf16>)
  cleave.rng_bit_generator philox, %t : (tensor<3xui64>) -> (tensor<3xui64>, tensor<bf16>)
  // CHECK: cleave.rng_bit_generator philox, %{{.*}} block at(%{{.*}}, %{{.*}}) of [4, 5] : (tensor<2xui64>, tensor<i32>, tensor<i32>) -> (tensor<2xui64>, tensor<2x5xi8>)
  cleave.rng_bit_generator philox, %s block at (%i, %i) of [4, 5] : (tensor<2xui64>, tensor<i32>, tensor<i32>) -> (tensor<2xui64>, tensor<2x5xi8>)
  return
}
