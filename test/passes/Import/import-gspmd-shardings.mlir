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

// Manual along some devices only: along the others, in functions that the region calls, too, it is partitioned. What a
// scalar's sharding says is not followed. Dimensions may be left to the partitioner on the way in and out.
module attributes {mhlo.num_partitions = 4 : i32} {
  // CHECK-LABEL: func.func @partly_manual(
  func.func @partly_manual(%x: tensor<8x6xf32>) -> tensor<8x3xf32> {
    %0 = stablehlo.custom_call @Sharding(%x) {backend_config = "unspecified_dims=[0]", mhlo.sharding = "{devices=[1,2,2]<=[4] last_tile_dim_replicate}"} : (tensor<8x6xf32>) -> tensor<8x6xf32>
    // CHECK: spmd.manual_computation(%{{.*}}) in [#spmd.sharding<@mesh, [{?}, {"d0"}]>] out [#spmd.sharding<@mesh, [{}, {}]>] free ["d1"]
    %1 = stablehlo.custom_call @SPMDFullToShardShape(%0) {mhlo.sharding = "{devices=[1,1,2,2]<=[4] last_tile_dims={manual, replicated}}"} : (tensor<8x6xf32>) -> tensor<8x3xf32>
    // CHECK-NOT: constraint
    %2 = call @body(%1) : (tensor<8x3xf32>) -> tensor<8x3xf32>
    %3 = stablehlo.custom_call @SPMDShardToFullShape(%2) {mhlo.sharding = "{replicated}"} : (tensor<8x3xf32>) -> tensor<8x3xf32>
    return %3 : tensor<8x3xf32>
  }
  // CHECK: func.func private @body
  func.func private @body(%x: tensor<8x3xf32>) -> tensor<8x3xf32> {
    // CHECK-NEXT: spmd.sharding_constraint %arg0 <@mesh, [{"d1"}, {?}]>
    // CHECK-NOT: constraint
    %0 = stablehlo.custom_call @Sharding(%x) {backend_config = "unspecified_dims=[1]", mhlo.sharding = "{devices=[2,1,2]<=[2,2]T(1,0) last_tile_dims={manual}}"} : (tensor<8x3xf32>) -> tensor<8x3xf32>
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

// Two orders: the mesh has its devices as they come, and cuts alike what is on other ones.
// CHECK: spmd.mesh @mesh <"d0"=4>
// CHECK: func.func @two_orders(%arg0: tensor<8xf32> {spmd.sharding = #spmd.sharding<@mesh, [{"d0"}]>}, %arg1: tensor<8xf32> {spmd.sharding = #spmd.sharding<@mesh, [{"d0"}]>}, %arg2: tensor<8xf32>, %arg3: tensor<8xf32>)
module attributes {mhlo.num_partitions = 4 : i32} {
  // expected-warning @+2 {{mhlo.sharding "{devices=[4]0,2,3,1}": no mesh has these tiles and those of the other shardings on the same devices: values are cut as it says, but other devices have the blocks}}
  // expected-warning @+1 {{mhlo.sharding "{unknown shard_as 1}": values of a group are made to be cut alike in @Sharding calls only}}
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

// A region inside of another takes what is not manual there. One without inputs, as of a device's number, is only left.
module attributes {mhlo.num_partitions = 4 : i32} {
  // CHECK-LABEL: func.func @nested(
  func.func @nested(%x: tensor<8x6xf32>) -> tensor<8x6xf32> {
    // CHECK: %[[M:.*]] = spmd.manual_computation(%{{.*}}) in [#spmd.sharding<@mesh, [{"d0", ?}, {?}]>] out [#spmd.sharding<@mesh, [{"d0", ?}, {?}]>] free ["d1"]
    // CHECK-NEXT: ^bb0(%[[L:.*]]: tensor<4x6xf32>):
    %0 = stablehlo.custom_call @Sharding(%x) {backend_config = "unspecified_dims=[0,1]", mhlo.sharding = "{devices=[2,1,2]<=[4] last_tile_dim_replicate}"} : (tensor<8x6xf32>) -> tensor<8x6xf32>
    %1 = stablehlo.custom_call @SPMDFullToShardShape(%0) {backend_config = "unspecified_dims=[0,1]", mhlo.sharding = "{devices=[1,1,2,2]<=[4] last_tile_dims={manual, replicated}}"} : (tensor<8x6xf32>) -> tensor<4x6xf32>
    // CHECK: %[[N:.*]] = spmd.manual_computation() in [] out [#spmd.sharding<@mesh, []>]
    // CHECK-NEXT: %[[I:.*]] = func.call @number()
    // CHECK-NEXT: spmd.return %[[I]]
    %2 = func.call @number() : () -> tensor<i32>
    %3 = stablehlo.custom_call @Sharding(%2) {mhlo.sharding = "{manual}"} : (tensor<i32>) -> tensor<i32>
    %4 = stablehlo.custom_call @SPMDShardToFullShape(%3) {mhlo.sharding = "{devices=[2,2]<=[4] last_tile_dims={manual, replicated}}"} : (tensor<i32>) -> tensor<i32>
    // CHECK: spmd.manual_computation(%{{.*}}) in [#spmd.sharding<@mesh, [{}, {"d1"}]>] out [#spmd.sharding<@mesh, [{}, {"d1"}]>] :
    // CHECK-NEXT: ^bb0(%{{.*}}: tensor<4x3xf32>):
    %5 = stablehlo.custom_call @Sharding(%1) {mhlo.sharding = "{devices=[1,2,2]<=[2,2]T(1,0) last_tile_dims={manual}}"} : (tensor<4x6xf32>) -> tensor<4x6xf32>
    %6 = stablehlo.custom_call @SPMDFullToShardShape(%5) {mhlo.sharding = "{manual}"} : (tensor<4x6xf32>) -> tensor<4x3xf32>
    %7 = stablehlo.custom_call @Sharding(%6) {mhlo.sharding = "{manual}"} : (tensor<4x3xf32>) -> tensor<4x3xf32>
    %8 = stablehlo.custom_call @SPMDShardToFullShape(%7) {mhlo.sharding = "{devices=[1,2,2]<=[2,2]T(1,0) last_tile_dims={manual}}"} : (tensor<4x3xf32>) -> tensor<4x6xf32>
    %9 = stablehlo.convert %4 : (tensor<i32>) -> tensor<f32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %11 = stablehlo.add %8, %10 : tensor<4x6xf32>
    %12 = stablehlo.custom_call @Sharding(%11) {backend_config = "unspecified_dims=[0,1]", mhlo.sharding = "{devices=[1,1,2,2]<=[4] last_tile_dims={manual, replicated}}"} : (tensor<4x6xf32>) -> tensor<4x6xf32>
    %13 = stablehlo.custom_call @SPMDShardToFullShape(%12) {backend_config = "unspecified_dims=[0,1]", mhlo.sharding = "{devices=[2,1,2]<=[4] last_tile_dim_replicate}"} : (tensor<4x6xf32>) -> tensor<8x6xf32>
    return %13 : tensor<8x6xf32>
  }
  func.func private @number() -> tensor<i32> {
    %0 = stablehlo.constant dense<7> : tensor<i32>
    return %0 : tensor<i32>
  }
}

// -----

// Over devices in another order each rank stands for the one that has the block in the program.
module attributes {mhlo.num_partitions = 4 : i32} {
  // CHECK-LABEL: func.func @manual_in_other_order(
  func.func @manual_in_other_order(%x: tensor<8xf32> {mhlo.sharding = "{devices=[4]<=[4]}"}) -> tensor<8xf32> {
    // expected-warning @+1 {{on the same devices: values are cut as it says, but other devices have the blocks}}
    %0 = stablehlo.custom_call @Sharding(%x) {mhlo.sharding = "{devices=[4]3,1,0,2}"} : (tensor<8xf32>) -> tensor<8xf32>
    // CHECK: spmd.manual_computation({{.*}}) in [#spmd.sharding<@mesh, [{"d0"}]>] out [#spmd.sharding<@mesh, [{"d0"}]>] {device_ids = array<i64: 3, 1, 0, 2>}
    %1 = stablehlo.custom_call @SPMDFullToShardShape(%0) {mhlo.sharding = "{manual}"} : (tensor<8xf32>) -> tensor<2xf32>
    %2 = stablehlo.custom_call @Sharding(%1) {mhlo.sharding = "{manual}"} : (tensor<2xf32>) -> tensor<2xf32>
    %3 = stablehlo.custom_call @SPMDShardToFullShape(%2) {mhlo.sharding = "{devices=[4]3,1,0,2}"} : (tensor<2xf32>) -> tensor<8xf32>
    return %3 : tensor<8xf32>
  }
}

// -----

module attributes {mhlo.num_partitions = 4 : i32} {
  func.func @two_orders_in_a_region(%x: tensor<8xf32>) -> tensor<8xf32> {
    %0 = stablehlo.custom_call @Sharding(%x) {mhlo.sharding = "{devices=[4]<=[4]}"} : (tensor<8xf32>) -> tensor<8xf32>
    %1 = stablehlo.custom_call @SPMDFullToShardShape(%0) {mhlo.sharding = "{manual}"} : (tensor<8xf32>) -> tensor<2xf32>
    %2 = stablehlo.custom_call @Sharding(%1) {mhlo.sharding = "{manual}"} : (tensor<2xf32>) -> tensor<2xf32>
    // expected-warning @+2 {{other devices have the blocks}}
    // expected-error @+1 {{lists devices in an order that cannot be combined with that of other values of its region}}
    %3 = stablehlo.custom_call @SPMDShardToFullShape(%2) {mhlo.sharding = "{devices=[4]3,1,0,2}"} : (tensor<2xf32>) -> tensor<8xf32>
    return %3 : tensor<8xf32>
  }
}

// -----

module attributes {mhlo.num_partitions = 4 : i32} {
  func.func @other_manual_devices(%x: tensor<8xf32>) -> tensor<8xf32> {
    %0 = stablehlo.custom_call @Sharding(%x) {mhlo.sharding = "{devices=[2,2]<=[4] last_tile_dim_replicate}"} : (tensor<8xf32>) -> tensor<8xf32>
    // expected-note @+1 {{such as this}}
    %1 = stablehlo.custom_call @SPMDFullToShardShape(%0) {mhlo.sharding = "{devices=[1,2,2]<=[4] last_tile_dims={manual, replicated}}"} : (tensor<8xf32>) -> tensor<4xf32>
    %2 = stablehlo.custom_call @Sharding(%1) {mhlo.sharding = "{devices=[1,2,2]<=[2,2]T(1,0) last_tile_dims={manual, replicated}}"} : (tensor<4xf32>) -> tensor<4xf32>
    // expected-error @+1 {{is manual along other devices than the rest of its region}}
    %3 = stablehlo.custom_call @SPMDShardToFullShape(%2) {mhlo.sharding = "{devices=[2,2]<=[4] last_tile_dim_replicate}"} : (tensor<4xf32>) -> tensor<8xf32>
    return %3 : tensor<8xf32>
  }
}

// -----

module attributes {mhlo.num_partitions = 2 : i32} {
  func.func @uneven_blocks(%x: tensor<7xf32>) -> tensor<7xf32> {
    %0 = stablehlo.custom_call @Sharding(%x) {mhlo.sharding = "{devices=[2]<=[2]}"} : (tensor<7xf32>) -> tensor<7xf32>
    // expected-error @+1 {{cuts dimension 0, of size 7, into 2 blocks that are not equal}}
    %1 = stablehlo.custom_call @SPMDFullToShardShape(%0) {mhlo.sharding = "{manual}"} : (tensor<7xf32>) -> tensor<4xf32>
    %2 = stablehlo.custom_call @SPMDShardToFullShape(%1) {mhlo.sharding = "{devices=[2]<=[2]}"} : (tensor<4xf32>) -> tensor<7xf32>
    return %2 : tensor<7xf32>
  }
}

// -----

// What counts in both orders is read in that of its region.
module attributes {mhlo.num_partitions = 6 : i32} {
  // CHECK-LABEL: func.func @line_in_a_grid(
  // CHECK-SAME: %arg1: tensor<6xf32> {spmd.sharding = #spmd.sharding<@mesh, [{"d0", "d1"}]>}
  func.func @line_in_a_grid(%x: tensor<2x3xf32> {mhlo.sharding = "{devices=[2,3]<=[6]}"}, %y: tensor<6xf32> {mhlo.sharding = "{devices=[6]<=[6]}"}) -> tensor<6xf32> {
    %0 = stablehlo.custom_call @Sharding(%y) {mhlo.sharding = "{devices=[6]<=[6]}"} : (tensor<6xf32>) -> tensor<6xf32>
    // CHECK: spmd.manual_computation({{.*}}) in [#spmd.sharding<@mesh, [{"d1", "d0"}]>] out [#spmd.sharding<@mesh, [{"d1"}]>] {device_ids = array<i64: 0, 2, 4, 1, 3, 5>}
    %1 = stablehlo.custom_call @SPMDFullToShardShape(%0) {mhlo.sharding = "{manual}"} : (tensor<6xf32>) -> tensor<1xf32>
    %2 = stablehlo.concatenate %1, %1, dim = 0 : (tensor<1xf32>, tensor<1xf32>) -> tensor<2xf32>
    %3 = stablehlo.custom_call @Sharding(%2) {mhlo.sharding = "{manual}"} : (tensor<2xf32>) -> tensor<2xf32>
    // expected-warning @+1 {{other devices have the blocks}}
    %4 = stablehlo.custom_call @SPMDShardToFullShape(%3) {mhlo.sharding = "{devices=[3,2]<=[6] last_tile_dim_replicate}"} : (tensor<2xf32>) -> tensor<6xf32>
    return %4 : tensor<6xf32>
  }
}

// -----

// On one device local values are the global ones.
module attributes {mhlo.num_partitions = 1 : i32} {
  // CHECK-LABEL: func.func @one_device(%arg0: tensor<8xf32>)
  func.func @one_device(%x: tensor<8xf32>) -> tensor<8xf32> {
    // CHECK-NEXT: return %arg0
    %0 = stablehlo.custom_call @Sharding(%x) {mhlo.sharding = "{devices=[1]<=[1]}"} : (tensor<8xf32>) -> tensor<8xf32>
    %1 = stablehlo.custom_call @SPMDFullToShardShape(%0) {mhlo.sharding = "{manual}"} : (tensor<8xf32>) -> tensor<8xf32>
    %2 = stablehlo.custom_call @SPMDShardToFullShape(%1) {mhlo.sharding = "{devices=[1]<=[1]}"} : (tensor<8xf32>) -> tensor<8xf32>
    return %2 : tensor<8xf32>
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

// -----

// Values to be cut alike.
module attributes {mhlo.num_partitions = 4 : i32} {
  // CHECK-LABEL: func.func @alike(
  func.func @alike(%x: tensor<8xf32> {mhlo.sharding = "{devices=[4]<=[4]}"}, %y: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
    // CHECK-NEXT: %[[X:.*]] = spmd.sharding_constraint %arg0 <@mesh, [{?}]> {cleave.sharding_group = 2 : i64}
    %0 = stablehlo.custom_call @Sharding(%x) {mhlo.sharding = "{unknown shard_as 2}"} : (tensor<8xf32>) -> tensor<8xf32>
    // CHECK-NEXT: %[[R:.*]] = spmd.sharding_constraint %arg1 <@mesh, [{}]>
    // CHECK-NEXT: %[[Y:.*]] = spmd.sharding_constraint %[[R]] <@mesh, [{?}]> {cleave.sharding_group = 2 : i64}
    %1 = stablehlo.custom_call @Sharding(%y) {mhlo.sharding = "{replicated shard_like 2}"} : (tensor<8xf32>) -> tensor<8xf32>
    // CHECK-NEXT: return %[[X]], %[[Y]]
    return %0, %1 : tensor<8xf32>, tensor<8xf32>
  }
}
