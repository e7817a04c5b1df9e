// RUN: cleave-opt %s -cleave-import-shardy-shardings -cleave-convert-stablehlo-to-cleave -split-input-file -verify-diagnostics | FileCheck %s

// Groups that lie along axes of the mesh become axes; others are listed as they are.
sdy.mesh @mesh = <["a"=2, "b"=2]>
// CHECK-LABEL: func.func @groups(
func.func @groups(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = sdy.manual_computation(%x) in_shardings=[<@mesh, [{"a", "b"}]>] out_shardings=[<@mesh, [{"a", "b"}]>] manual_axes={"a", "b"} (%l: tensor<2xf32>) {
    // CHECK: %[[A:.*]] = spmd.all_reduce sum %{{.*}} over @mesh ["b"] cause "stablehlo.all_reduce in the program" : tensor<2xf32>
    %1 = "stablehlo.all_reduce"(%l) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, use_global_device_ids}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %s = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<2xf32>) -> tensor<2xf32>
    // CHECK: %[[B:.*]] = spmd.all_reduce max %[[A]] over @mesh groups {{\[\[}}0, 3], [1, 2]] cause "stablehlo.all_reduce in the program" : tensor<2xf32>
    %2 = "stablehlo.all_reduce"(%1) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, replica_groups = dense<[[0, 3], [1, 2]]> : tensor<2x2xi64>, use_global_device_ids}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %s = stablehlo.maximum %a, %b : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<2xf32>) -> tensor<2xf32>
    // A short row ends with -1; rank 1 is in no group.
    // CHECK: %[[C:.*]] = spmd.broadcast %[[B]] from 0 over @mesh groups {{\[\[}}3, 0], [2]] cause "stablehlo.collective_broadcast in the program" : tensor<2xf32>
    %3 = "stablehlo.collective_broadcast"(%2) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, replica_groups = dense<[[3, 0], [2, -1]]> : tensor<2x2xi64>}> : (tensor<2xf32>) -> tensor<2xf32>
    // CHECK: %[[D:.*]] = spmd.broadcast %[[C]] from 0 over @mesh ["a"]
    %4 = "stablehlo.collective_broadcast"(%3) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>}> : (tensor<2xf32>) -> tensor<2xf32>
    // CHECK: spmd.all_gather %[[D]] dim 0 over @mesh groups {{\[\[}}2, 1], [3, 0]]
    %5 = "stablehlo.all_gather"(%4) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, replica_groups = dense<[[2, 1], [3, 0]]> : tensor<2x2xi64>, use_global_device_ids}> : (tensor<2xf32>) -> tensor<4xf32>
    %6 = stablehlo.slice %5 [0:2] : (tensor<4xf32>) -> tensor<2xf32>
    sdy.return %6 : tensor<2xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// What is listed for each position of a free axis is over manual ones.
sdy.mesh @mesh = <["a"=2, "b"=2]>
// CHECK-LABEL: func.func @free_axes(
func.func @free_axes(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // CHECK: spmd.manual_computation{{.*}} free ["b"]
  %0 = sdy.manual_computation(%x) in_shardings=[<@mesh, [{"a", ?}, {?}]>] out_shardings=[<@mesh, [{"a", ?}, {?}]>] manual_axes={"a"} (%l: tensor<4x8xf32>) {
    // CHECK: spmd.sharding_constraint {{.*}} <@mesh, [{}, {"b"}]>
    %1 = sdy.sharding_constraint %l <@mesh, [{}, {"b"}]> : tensor<4x8xf32>
    // CHECK: spmd.collective_permute
    %2 = "stablehlo.collective_permute"(%1) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>}> : (tensor<4x8xf32>) -> tensor<4x8xf32>
    sdy.return %2 : tensor<4x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// -----

// Over devices in an order of their own: groups, pairs and numbers are of devices, and become those of ranks.
// expected-warning @+1 {{other devices have the blocks}}
sdy.mesh @b = <["x"=4], device_ids=[3, 1, 0, 2]>
sdy.mesh @a = <["x"=4]>
// CHECK-LABEL: func.func @other_order(
func.func @other_order(%x: tensor<8xui32>) -> tensor<8xui32> {
  // CHECK: spmd.manual_computation(%arg0) in [#spmd.sharding<@b, [{"x"}]>] out [#spmd.sharding<@b, [{"x"}]>] :
  %0 = sdy.manual_computation(%x) in_shardings=[<@b, [{"x"}]>] out_shardings=[<@b, [{"x"}]>] manual_axes={"x"} (%l: tensor<2xui32>) {
    // CHECK: spmd.collective_permute {{.*}} over @b pairs [0, 1, 1, 2]
    %1 = "stablehlo.collective_permute"(%l) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[3, 1], [1, 0]]> : tensor<2x2xi64>}> : (tensor<2xui32>) -> tensor<2xui32>
    // CHECK: %[[T:.*]] = cleave.constant dense<[3, 1, 0, 2]> : tensor<4xi32>
    // CHECK: %[[I:.*]] = spmd.axis_index @b ["x"]
    // CHECK: cleave.dynamic_slice %[[T]]
    %2 = stablehlo.partition_id : tensor<ui32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<ui32>) -> tensor<2xui32>
    %4 = stablehlo.add %1, %3 : tensor<2xui32>
    sdy.return %4 : tensor<2xui32>
  } : (tensor<8xui32>) -> tensor<8xui32>
  return %0 : tensor<8xui32>
}

// -----

// expected-warning @+1 {{other devices have the blocks}}
sdy.mesh @b = <["x"=2, "y"=2], device_ids=[3, 1, 0, 2]>
sdy.mesh @a = <["x"=2, "y"=2]>
func.func @two_orders(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-note @+1 {{that is here}}
  %0 = sdy.manual_computation(%x) in_shardings=[<@b, [{"x"}]>] out_shardings=[<@b, [{"x"}]>] manual_axes={"x"} (%l: tensor<4xf32>) {
    // expected-error @+1 {{a manual computation over devices in another order than the one around it has them}}
    %1 = sdy.manual_computation(%l) in_shardings=[<@a, [{"y"}]>] out_shardings=[<@a, [{"y"}]>] manual_axes={"y"} (%m: tensor<2xf32>) {
      %2 = stablehlo.negate %m : tensor<2xf32>
      sdy.return %2 : tensor<2xf32>
    } : (tensor<4xf32>) -> tensor<4xf32>
    sdy.return %1 : tensor<4xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
