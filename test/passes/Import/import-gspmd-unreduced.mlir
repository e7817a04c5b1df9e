// Values that are terms of a sum on all devices, which were errors; and text that still is one.
// RUN: cleave-opt %s -cleave-import-gspmd-shardings -split-input-file -verify-diagnostics | FileCheck %s

// The same as tiles of which all devices share the only one.
module attributes {mhlo.num_partitions = 4 : i32} {
  // CHECK: spmd.mesh @mesh <"d0"=2, "d1"=2>
  // CHECK-LABEL: func.func @over_all_axes(
  // CHECK-SAME: -> (tensor<8x6xf32> {spmd.sharding = #spmd.sharding<@mesh, [{}, {}], partial = [sum "d0", sum "d1"]>},
  // CHECK-SAME: tensor<8x6xf32> {spmd.sharding = #spmd.sharding<@mesh, [{}, {}], partial = [sum "d0", sum "d1"]>})
  func.func @over_all_axes(%x: tensor<8x4xf32> {mhlo.sharding = "{devices=[2,2]<=[4]}"}, %y: tensor<4x6xf32>)
      -> (tensor<8x6xf32> {mhlo.sharding = "{unreduced}"}, tensor<8x6xf32> {mhlo.sharding = "{devices=[1,1,4]<=[4] last_tile_dims={unreduced}}"}) {
    // CHECK: %[[DOT:.*]] = "stablehlo.dot_general"
    // CHECK-NEXT: spmd.sharding_constraint %[[DOT]] <@mesh, [{}, {}], partial = [sum "d0", sum "d1"]>
    %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] {mhlo.sharding = "{unreduced}"} : (tensor<8x4xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
    return %0, %0 : tensor<8x6xf32>, tensor<8x6xf32>
  }
}

// -----

// No tiles: the devices are one axis.
module attributes {mhlo.num_partitions = 4 : i32} {
  // CHECK: spmd.mesh @mesh <"d0"=4>
  // CHECK-LABEL: func.func @alone(
  // CHECK-SAME: -> (tensor<f32> {spmd.sharding = #spmd.sharding<@mesh, [], partial = [sum "d0"]>})
  func.func @alone(%x: tensor<f32>) -> (tensor<f32> {mhlo.sharding = "{unreduced}"}) {
    return %x : tensor<f32>
  }
}

// -----

// On one device nothing is left to reduce.
module {
  // CHECK-LABEL: func.func @of_one_device(
  // CHECK-NOT: sharding
  // CHECK: return
  func.func @of_one_device(%x: tensor<8xf32> {mhlo.sharding = "{unreduced}"}) -> tensor<8xf32> {
    return %x : tensor<8xf32>
  }
}

// -----

module attributes {mhlo.num_partitions = 4 : i32} {
  // expected-warning @+1 {{of a tuple is not heeded}}
  func.func @tuple(%x: tuple<tensor<8xf32>, tensor<8xf32>> {mhlo.sharding = "{{replicated}, {unreduced}}"}) {
    return
  }
}

// -----

module attributes {mhlo.num_partitions = 4 : i32} {
  // expected-error @+1 {{mhlo.sharding: a mesh of named axes is not read; expected 'replicated', 'manual', 'maximal', 'unreduced', 'unknown' or 'devices' at column 2 of '{mesh[a=2,b=2], [{a}, {b}]}'}}
  func.func @named_axes(%x: tensor<8x6xf32> {mhlo.sharding = "{mesh[a=2,b=2], [{a}, {b}]}"}) {
    return
  }
}

// -----

// expected-error @+1 {{mhlo.spmd_output_sharding: a mesh of named axes is not read}}
module attributes {mhlo.num_partitions = 4 : i32, mhlo.spmd_output_sharding = "{mesh['a'=4], [{'a'}]}"} {
  func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
    return %x : tensor<8xf32>
  }
}

// -----

module attributes {mhlo.num_partitions = 4 : i32} {
  // expected-error @+1 {{expected 'replicated', 'manual', 'maximal', 'unreduced', 'unknown' or 'devices' at column 2}}
  func.func @no_sharding(%x: tensor<8xf32> {mhlo.sharding = "{unreduce}"}) {
    return
  }
}
