// Shardings of other dimensions than a value has, which were dropped.
// RUN: cleave-opt %s -cleave-import-gspmd-shardings -split-input-file -verify-diagnostics | FileCheck %s

module attributes {mhlo.num_partitions = 4 : i32} {
  // expected-error @+1 {{mhlo.sharding "{devices=[4]<=[4]}" of argument 0 cuts 1 dimension, but 'tensor<8x8xf32>' has 2; expected devices=[...] to list 2 sizes, and one more only with last_tile_dim_replicate or last_tile_dims={...}}}
  func.func @too_few_sizes(%x: tensor<8x8xf32> {mhlo.sharding = "{devices=[4]<=[4]}"}) {
    return
  }
}

// -----

module attributes {mhlo.num_partitions = 4 : i32} {
  // expected-error @+1 {{mhlo.sharding "{devices=[2,1,2]<=[4]}" of result 1 cuts 3 dimensions, but 'tensor<8x8xf32>' has 2}}
  func.func @forgotten_last_tile_dim(%x: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32> {mhlo.sharding = "{devices=[2,1,2]<=[4]}"}) {
    return %x, %x : tensor<8x8xf32>, tensor<8x8xf32>
  }
}

// -----

module attributes {mhlo.num_partitions = 4 : i32} {
  func.func @with_last_tile_dim(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
    // expected-error @+1 {{mhlo.sharding "{devices=[2,2]<=[4] last_tile_dim_replicate}" cuts 1 dimension, but 'tensor<8x8xf32>' has 2; expected devices=[...] to list 2 sizes before that of last_tile_dims}}
    %0 = stablehlo.add %x, %x {mhlo.sharding = "{devices=[2,2]<=[4] last_tile_dim_replicate}"} : tensor<8x8xf32>
    return %0 : tensor<8x8xf32>
  }
}

// -----

module attributes {mhlo.num_partitions = 4 : i32} {
  func.func @call(%x: tensor<8xf32>) -> tensor<8xf32> {
    // expected-error @+1 {{mhlo.sharding "{devices=[2,2]<=[4]}" cuts 2 dimensions, but 'tensor<8xf32>' has 1; expected devices=[...] to list 1 size, and}}
    %0 = stablehlo.custom_call @Sharding(%x) {mhlo.sharding = "{devices=[2,2]<=[4]}"} : (tensor<8xf32>) -> tensor<8xf32>
    return %0 : tensor<8xf32>
  }
}

// -----

module attributes {mhlo.num_partitions = 4 : i32} {
  func.func @open_dimension(%x: tensor<8xf32>) -> tensor<8xf32> {
    // expected-error @+1 {{'1' in backend_config is not a dimension of 'tensor<8xf32>'}}
    %0 = stablehlo.custom_call @Sharding(%x) {backend_config = "unspecified_dims=[1]", mhlo.sharding = "{devices=[4]<=[4]}"} : (tensor<8xf32>) -> tensor<8xf32>
    return %0 : tensor<8xf32>
  }
}

// -----

module attributes {mhlo.num_partitions = 4 : i32} {
  func.func @element_of_results(%x: tensor<8x8xf32>, %y: tensor<8xf32>) -> tensor<8x8xf32> {
    // expected-error @+1 {{mhlo.sharding "{{devices=[4,1]<=[4]}, {devices=[2,2]<=[4]}}" cuts 2 dimensions, but 'tensor<8xf32>' has 1}}
    %0:2 = "stablehlo.optimization_barrier"(%x, %y) {mhlo.sharding = "{{devices=[4,1]<=[4]}, {devices=[2,2]<=[4]}}"} : (tensor<8x8xf32>, tensor<8xf32>) -> (tensor<8x8xf32>, tensor<8xf32>)
    return %0#0 : tensor<8x8xf32>
  }
}

// -----

module attributes {mhlo.num_partitions = 4 : i32} {
  func.func @number_of_results(%x: tensor<8x8xf32>, %y: tensor<8xf32>) -> tensor<8x8xf32> {
    // expected-error @+1 {{mhlo.sharding "{{devices=[4,1]<=[4]}}" has 1 element; expected one for each of 2 values}}
    %0:2 = "stablehlo.optimization_barrier"(%x, %y) {mhlo.sharding = "{{devices=[4,1]<=[4]}}"} : (tensor<8x8xf32>, tensor<8xf32>) -> (tensor<8x8xf32>, tensor<8xf32>)
    return %0#0 : tensor<8x8xf32>
  }
}

// -----

module attributes {mhlo.num_partitions = 4 : i32} {
  // expected-error @+1 {{of argument 0 cuts 2 dimensions, but 'tensor<8xf32>' has 1}}
  func.func @element_of_a_tuple(%x: tuple<tensor<8x8xf32>, tuple<tensor<8xf32>>> {mhlo.sharding = "{{replicated}, {devices=[2,2]<=[4]}}"}) {
    return
  }
}

// -----

// Where each element fits, what is said of a tuple is still not followed.
// CHECK-LABEL: func.func @tuple(%arg0: tuple<tensor<8x8xf32>>, %arg1: tuple<tensor<8x8xf32>>)
module attributes {mhlo.num_partitions = 4 : i32} {
  // expected-warning @+1 {{mhlo.sharding "{{devices=[2,2]<=[4]}}" of a tuple is not heeded: its elements are cut as propagation decides}}
  func.func @tuple(%x: tuple<tensor<8x8xf32>> {mhlo.sharding = "{{devices=[2,2]<=[4]}}"}, %y: tuple<tensor<8x8xf32>> {mhlo.sharding = "{{replicated}}"}) -> tuple<tensor<8x8xf32>> {
    // expected-warning @+1 {{of a tuple is not heeded}}
    %0 = "stablehlo.optimization_barrier"(%x) {mhlo.sharding = "{{devices=[4,1]<=[4]}}"} : (tuple<tensor<8x8xf32>>) -> tuple<tensor<8x8xf32>>
    return %0 : tuple<tensor<8x8xf32>>
  }
}

// -----

// Sizes after those of the dimensions are right where they are for devices that share a tile.
// CHECK-LABEL: func.func @subgroups(
// CHECK-SAME: %arg0: tensor<f32> {spmd.sharding = #spmd.sharding<@mesh, []>}
// CHECK-SAME: %arg1: tensor<8xf32> {spmd.sharding = #spmd.sharding<@mesh, [{"d0"}]>}
// CHECK-SAME: %arg2: tensor<8xf32> {spmd.sharding = #spmd.sharding<@mesh, [{"d0"}], partial = [sum "d1"]>}
module attributes {mhlo.num_partitions = 4 : i32} {
  func.func @subgroups(%x: tensor<f32> {mhlo.sharding = "{devices=[2,2]<=[4] last_tile_dims={replicated, replicated}}"},
                       %y: tensor<8xf32> {mhlo.sharding = "{devices=[2,2]<=[4] last_tile_dim_replicate}"},
                       %z: tensor<8xf32> {mhlo.sharding = "{devices=[2,2]<=[4] last_tile_dims={unreduced}}"}) {
    return
  }
}
