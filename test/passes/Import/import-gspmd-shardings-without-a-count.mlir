// A module that does not say for how many devices it is: its shardings were dropped, whatever they said.
// RUN: cleave-opt %s -cleave-import-gspmd-shardings -split-input-file -verify-diagnostics | FileCheck %s

// CHECK: spmd.mesh @mesh <"d0"=2, "d1"=4>
// CHECK-LABEL: func.func @from_an_argument(
// CHECK-SAME: %arg0: tensor<8x8xf32> {spmd.sharding = #spmd.sharding<@mesh, [{"d0"}, {"d1"}]>}
// CHECK-SAME: %arg1: tensor<8x8xf32> {spmd.sharding = #spmd.sharding<@mesh, [{}, {}]>}
// CHECK: spmd.sharding_constraint %{{.*}} <@mesh, [{}, {"d0", "d1"}]>
func.func @from_an_argument(%x: tensor<8x8xf32> {mhlo.sharding = "{devices=[2,4]<=[8]}"}, %y: tensor<8x8xf32> {mhlo.sharding = "{replicated}"}) -> tensor<8x8xf32> {
  %0 = stablehlo.add %x, %y : tensor<8x8xf32>
  %1 = stablehlo.custom_call @Sharding(%0) {mhlo.sharding = "{devices=[1,8]<=[8]}"} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}

// -----

// CHECK: spmd.mesh @mesh <"d0"=2>
// CHECK-LABEL: func.func @from_an_element(
// CHECK: spmd.sharding_constraint %{{.*}} <@mesh, [{"d0"}]>
func.func @from_an_element(%x: tensor<8x8xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  %0:2 = "stablehlo.optimization_barrier"(%x, %y) {mhlo.sharding = "{{replicated}, {devices=[2]<=[2]}}"} : (tensor<8x8xf32>, tensor<8xf32>) -> (tensor<8x8xf32>, tensor<8xf32>)
  return %0#1 : tensor<8xf32>
}

// -----

// What says of no tiles is for one device, and any mesh may be chosen.
// CHECK-NOT: spmd.mesh
// CHECK-LABEL: func.func @no_tiles(%arg0: tensor<8xf32>, %arg1: tensor<8xf32>)
func.func @no_tiles(%x: tensor<8xf32> {mhlo.sharding = "{replicated}"}, %y: tensor<8xf32> {mhlo.sharding = "{maximal device=0}"}) {
  return
}

// -----

// expected-error @+2 {{mhlo.sharding is for 4 devices, another one for 8}}
// expected-note @+1 {{such as here}}
func.func @two_counts(%x: tensor<8xf32> {mhlo.sharding = "{devices=[8]<=[8]}"}, %y: tensor<8xf32> {mhlo.sharding = "{devices=[4]<=[4]}"}) {
  return
}

// -----

// One device is said to be all.
module attributes {mhlo.num_partitions = 1 : i32} {
  // expected-error @+1 {{mhlo.sharding is for 4 devices, the module for 1 (mhlo.num_partitions)}}
  func.func @one_partition(%x: tensor<8xf32> {mhlo.sharding = "{devices=[4]<=[4]}"}) {
    return
  }
}

// -----

// expected-error @+1 {{mhlo.sharding: expected a number at column 15 of '{devices=[2,1]garbage}'}}
func.func @garbage(%x: tensor<8x8xf32> {mhlo.sharding = "{devices=[2,1]garbage}"}) {
  return
}

// -----

// expected-error @+1 {{mhlo.sharding: the grid has 4 devices, the tiles need 3}}
func.func @other_grid(%x: tensor<8x8xf32> {mhlo.sharding = "{devices=[3,1]<=[4]}"}) {
  return
}

// -----

module attributes {mhlo.num_partitions = 1 : i32} {
  func.func @one_device_listed_twice(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
    // expected-error @+1 {{mhlo.sharding: expected each device from 0 to 3 once}}
    %0 = stablehlo.negate %x {mhlo.sharding = "{devices=[2,2]0,1,2,2}"} : tensor<8x8xf32>
    return %0 : tensor<8x8xf32>
  }
}

// -----

// Beside Shardy's, which are followed instead.
spmd.mesh @mesh <"x"=2>
// expected-error @+1 {{mhlo.sharding: expected '{' at column 1 of 'junk'}}
func.func @beside_others(%x: tensor<8xf32> {mhlo.sharding = "junk"}) {
  return
}
