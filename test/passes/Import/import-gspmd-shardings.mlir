// RUN: cleave-opt %s -cleave-import-gspmd-shardings -split-input-file -verify-diagnostics | FileCheck %s

// The mesh has the axes of all tile assignments.
module attributes {mhlo.num_partitions = 8 : i32} {
  // CHECK: spmd.mesh @mesh <"d0"=2, "d1"=4>
  // CHECK-LABEL: func.func @main(
  // CHECK-SAME: %arg0: tensor<8x8xf32> {spmd.sharding = #spmd.sharding<@mesh, [{"d0"}, {"d1"}]>}
  // CHECK-SAME: %arg1: tensor<8x8xf32> {spmd.sharding = #spmd.sharding<@mesh, [{"d1"}, {}]>}
  // CHECK-SAME: -> (tensor<8x8xf32> {spmd.sharding = #spmd.sharding<@mesh, [{}, {}]>})
  func.func @main(%x: tensor<8x8xf32> {mhlo.sharding = "{devices=[2,4]<=[8]}"},
                  %y: tensor<8x8xf32> {mhlo.sharding = "{devices=[4,1,2]<=[2,4]T(1,0) last_tile_dim_replicate}"})
      -> (tensor<8x8xf32> {mhlo.sharding = "{replicated}"}) {
    // CHECK: %[[ADD:.*]] = "stablehlo.add"
    // CHECK-NEXT: %[[A:.*]] = spmd.sharding_constraint %[[ADD]] <@mesh, [{"d0", "d1"}, {}]>
    %0 = stablehlo.add %x, %y {mhlo.sharding = "{devices=[8,1]0,1,2,3,4,5,6,7}"} : tensor<8x8xf32>
    // CHECK-NEXT: %[[B:.*]] = spmd.sharding_constraint %[[A]] <@mesh, [{?}, {"d0"}]>
    // CHECK-NEXT: return %[[B]]
    %1 = stablehlo.custom_call @Sharding(%0) {backend_config = "unspecified_dims=[0]", mhlo.sharding = "{devices=[1,2,4]<=[8] last_tile_dim_replicate}"} : (tensor<8x8xf32>) -> tensor<8x8xf32>
    return %1 : tensor<8x8xf32>
  }
}

// -----

// Code on local shapes.
module attributes {mhlo.num_partitions = 2 : i32} {
  // CHECK-LABEL: func.func @manual(
  func.func @manual(%x: tensor<8xf32>) -> tensor<8xf32> {
    %c = stablehlo.constant dense<1.0> : tensor<4xf32>
    %0 = stablehlo.custom_call @Sharding(%x) {mhlo.sharding = "{devices=[2]<=[2]}"} : (tensor<8xf32>) -> tensor<8xf32>
    // CHECK: %[[M:.*]] = spmd.manual_computation(%{{.*}}) in [#spmd.sharding<@mesh, [{"d0"}]>] out [#spmd.sharding<@mesh, [{"d0"}]>]
    // CHECK: ^bb0(%[[L:.*]]: tensor<4xf32>):
    // CHECK: %[[ONE:.*]] = "stablehlo.constant"
    // CHECK: %[[S:.*]] = "stablehlo.add"(%[[L]], %[[ONE]])
    // CHECK: spmd.return %[[S]] : tensor<4xf32>
    %1 = stablehlo.custom_call @SPMDFullToShardShape(%0) {mhlo.sharding = "{manual}"} : (tensor<8xf32>) -> tensor<4xf32>
    %2 = stablehlo.add %1, %c : tensor<4xf32>
    %3 = stablehlo.custom_call @Sharding(%2) {mhlo.sharding = "{manual}"} : (tensor<4xf32>) -> tensor<4xf32>
    %4 = stablehlo.custom_call @SPMDShardToFullShape(%3) {mhlo.sharding = "{devices=[2]<=[2]}"} : (tensor<4xf32>) -> tensor<8xf32>
    // CHECK: return %[[M]]
    return %4 : tensor<8xf32>
  }
}

// -----

// Manual along some devices only: what the body says of the others is not followed, nor what a scalar's sharding says.
module attributes {mhlo.num_partitions = 4 : i32} {
  // CHECK-LABEL: func.func @partly_manual(
  func.func @partly_manual(%x: tensor<8x6xf32>) -> tensor<8x3xf32> {
    %0 = stablehlo.custom_call @Sharding(%x) {mhlo.sharding = "{devices=[1,2,2]<=[4] last_tile_dim_replicate}"} : (tensor<8x6xf32>) -> tensor<8x6xf32>
    // CHECK: spmd.manual_computation(%{{.*}}) in [#spmd.sharding<@mesh, [{}, {"d0"}]>] out [#spmd.sharding<@mesh, [{}, {}]>]
    // expected-warning @+1 {{enters code that is not partitioned along devices which are not manual: each of them computes the same}}
    %1 = stablehlo.custom_call @SPMDFullToShardShape(%0) {mhlo.sharding = "{devices=[1,1,2,2]<=[4] last_tile_dims={manual, replicated}}"} : (tensor<8x6xf32>) -> tensor<8x3xf32>
    // CHECK-NOT: constraint
    %2 = call @body(%1) : (tensor<8x3xf32>) -> tensor<8x3xf32>
    %3 = stablehlo.custom_call @SPMDShardToFullShape(%2) {mhlo.sharding = "{replicated}"} : (tensor<8x3xf32>) -> tensor<8x3xf32>
    return %3 : tensor<8x3xf32>
  }
  // CHECK: func.func private @body
  func.func private @body(%x: tensor<8x3xf32>) -> tensor<8x3xf32> {
    // CHECK-NOT: constraint
    %0 = stablehlo.custom_call @Sharding(%x) {mhlo.sharding = "{devices=[1,1,2,2]<=[4] last_tile_dims={manual, replicated}}"} : (tensor<8x3xf32>) -> tensor<8x3xf32>
    %1 = "stablehlo.all_reduce"(%0) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>, use_global_device_ids}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      // CHECK: stablehlo.add
      // CHECK-NEXT: stablehlo.return
      %s = stablehlo.add %a, %b : tensor<f32>
      %t = stablehlo.custom_call @Sharding(%s) {mhlo.sharding = "{replicated}"} : (tensor<f32>) -> tensor<f32>
      stablehlo.return %t : tensor<f32>
    }) : (tensor<8x3xf32>) -> tensor<8x3xf32>
    return %1 : tensor<8x3xf32>
  }
}

// -----

// With one partition the strings say nothing.
// CHECK-LABEL: func.func @one_partition(%arg0: tensor<8xf32>) {
func.func @one_partition(%x: tensor<8xf32> {mhlo.sharding = "{replicated}"}) {
  return
}

// -----

module attributes {mhlo.num_partitions = 4 : i32} {
  // expected-error @+1 {{mhlo.sharding is for 2 devices, the module for 4 (mhlo.num_partitions)}}
  func.func @other_number(%x: tensor<8xf32> {mhlo.sharding = "{devices=[2]<=[2]}"}) {
    return
  }
}

// -----

// All in one order that no grid has: that of the mesh's devices.
// CHECK: spmd.mesh @mesh <"d0"=2, "d1"=2, device_ids = [0, 2, 3, 1]>
// CHECK: func.func @odd_order(%arg0: tensor<8x4xf32> {spmd.sharding = #spmd.sharding<@mesh, [{"d0", "d1"}, {}]>}, %arg1: tensor<8x4xf32> {spmd.sharding = #spmd.sharding<@mesh, [{"d0"}, {"d1"}]>})
module attributes {mhlo.num_partitions = 4 : i32} {
  func.func @odd_order(%x: tensor<8x4xf32> {mhlo.sharding = "{devices=[4,1]0,2,3,1}"}, %y: tensor<8x4xf32> {mhlo.sharding = "{devices=[2,2]0,2,3,1}"}) {
    return
  }
}

// -----

// Two orders: the mesh has its devices as they come.
// CHECK: spmd.mesh @mesh <"d0"=4>
// CHECK: func.func @two_orders(%arg0: tensor<8xf32> {spmd.sharding = #spmd.sharding<@mesh, [{"d0"}]>}, %arg1: tensor<8xf32>, %arg2: tensor<8xf32>, %arg3: tensor<8xf32>)
module attributes {mhlo.num_partitions = 4 : i32} {
  // expected-warning @+2 {{mhlo.sharding "{devices=[4]0,2,3,1}" is not followed: the mesh has its devices in another order}}
  // expected-warning @+1 {{mhlo.sharding "{unknown shard_as 1}": values of a group are not made to be cut alike}}
  func.func @two_orders(%x: tensor<8xf32> {mhlo.sharding = "{devices=[4]<=[4]}"}, %y: tensor<8xf32> {mhlo.sharding = "{devices=[4]0,2,3,1}"}, %z: tensor<8xf32> {mhlo.sharding = "{unknown}"}, %w: tensor<8xf32> {mhlo.sharding = "{unknown shard_as 1}"}) {
    return
  }
}

// -----

module attributes {mhlo.num_partitions = 2 : i32} {
  func.func @leaks(%x: tensor<8xf32>) -> tensor<4xf32> {
    %0 = stablehlo.custom_call @Sharding(%x) {mhlo.sharding = "{devices=[2]<=[2]}"} : (tensor<8xf32>) -> tensor<8xf32>
    // expected-error @+1 {{enters code on local shapes that is never left through @SPMDShardToFullShape}}
    %1 = stablehlo.custom_call @SPMDFullToShardShape(%0) {mhlo.sharding = "{manual}"} : (tensor<8xf32>) -> tensor<4xf32>
    return %1 : tensor<4xf32>
  }
}

// -----

// Older programs with a manual region do not say for how many devices they are.
// CHECK: spmd.mesh @mesh <"d0"=2>
// CHECK-LABEL: func.func @no_count(
// CHECK: spmd.manual_computation
module {
  func.func @no_count(%x: tensor<2x4xf32> {mhlo.sharding = "{replicated}"}) -> tensor<2x4xf32> {
    %0 = stablehlo.custom_call @Sharding(%x) {mhlo.sharding = "{devices=[2,1]0,1}"} : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %1 = stablehlo.custom_call @SPMDFullToShardShape(%0) {mhlo.sharding = "{manual}"} : (tensor<2x4xf32>) -> tensor<1x4xf32>
    %2 = "stablehlo.collective_permute"(%1) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>} : (tensor<1x4xf32>) -> tensor<1x4xf32>
    %3 = stablehlo.custom_call @Sharding(%2) {mhlo.sharding = "{manual}"} : (tensor<1x4xf32>) -> tensor<1x4xf32>
    %4 = stablehlo.custom_call @SPMDShardToFullShape(%3) {mhlo.sharding = "{devices=[2,1]0,1}"} : (tensor<1x4xf32>) -> tensor<2x4xf32>
    return %4 : tensor<2x4xf32>
  }
}
