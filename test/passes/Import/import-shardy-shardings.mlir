// RUN: cleave-opt %s -cleave-import-shardy-shardings -split-input-file -verify-diagnostics | FileCheck %s

// Arguments, results and ops; open dimensions, priorities, parts of axes,
// replicated and unreduced axes.
// CHECK: spmd.mesh @mesh <"a"=2, "b"=4>
sdy.mesh @mesh = <["a"=2, "b"=4]>
// CHECK-LABEL: func.func @annotations(
// CHECK-SAME: %arg0: tensor<8x8xf32> {spmd.sharding = #spmd.sharding<@mesh, [{"a"}, {?}p1]>}
// CHECK-SAME: -> (tensor<8x8xf32> {spmd.sharding = #spmd.sharding<@mesh, [{}, {"b":(1)2}]>})
func.func @annotations(%x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {?}p1]>})
    -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"b":(1)2}]>}) {
  // CHECK: %[[ADD:.*]] = "stablehlo.add"
  // CHECK-NEXT: %[[C:.*]] = spmd.sharding_constraint %[[ADD]] <@mesh, [{"a", ?}, {}], replicated = ["b"]>
  %0 = stablehlo.add %x, %x {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a", ?}, {}], replicated={"b"}>]>} : tensor<8x8xf32>
  // CHECK-NEXT: %[[D:.*]] = spmd.sharding_constraint %[[C]] <@mesh, [{}, {}], partial = [sum "b"]>
  %1 = sdy.sharding_constraint %0 <@mesh, [{}, {}], unreduced={"b"}> : tensor<8x8xf32>
  // Collectives act on global values: a move to their sharding.
  // CHECK-NEXT: %[[E:.*]] = spmd.sharding_constraint %[[D]] <@mesh, [{"b"}, {}]>
  // CHECK-NEXT: return %[[E]]
  %2 = sdy.all_to_all [{"b"}: 1->0] %1 out_sharding=<@mesh, [{"b"}, {}]> : tensor<8x8xf32>
  return %2 : tensor<8x8xf32>
}

// -----

// Two meshes over the same devices, one of them written in place.
// CHECK: spmd.mesh @one <"x"=2, "d1"=2, "y"=2>
sdy.mesh @one = <["x"=2, "y"=4]>
// CHECK-LABEL: func.func @several_meshes(
// CHECK-SAME: %arg0: tensor<8xf32> {spmd.sharding = #spmd.sharding<@one, [{"d1", "y"}]>}
// CHECK-SAME: %arg1: tensor<8xf32> {spmd.sharding = #spmd.sharding<@one, [{"x", "d1"}]>}
func.func @several_meshes(%x: tensor<8xf32> {sdy.sharding = #sdy.sharding<@one, [{"y"}]>},
                          %y: tensor<8xf32> {sdy.sharding = #sdy.sharding<mesh<["a"=4, "y"=2]>, [{"a"}]>}) {
  return
}

// -----

// What is on one device is whole on all of them.
sdy.mesh @many = <["x"=2]>
sdy.mesh @one = <[], device_ids=[0]>
// CHECK-LABEL: func.func @one_device(
// CHECK-SAME: %arg0: tensor<f32> {spmd.sharding = #spmd.sharding<@many, []>}
func.func @one_device(%x: tensor<f32> {sdy.sharding = #sdy.sharding<@one, []>}) {
  return
}

// -----

// CHECK-LABEL: func.func @manual(
sdy.mesh @mesh = <["a"=2]>
func.func @manual(%x: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK: spmd.manual_computation(%arg0) in [#spmd.sharding<@mesh, [{"a"}]>] out [#spmd.sharding<@mesh, [{"a"}]>]
  // CHECK: ^bb0(%[[L:.*]]: tensor<4xf32>):
  // CHECK: %[[N:.*]] = "stablehlo.negate"
  // CHECK: spmd.return %[[N]] : tensor<4xf32>
  %0 = sdy.manual_computation(%x) in_shardings=[<@mesh, [{"a", ?}]>] out_shardings=[<@mesh, [{"a"}]>] manual_axes={"a"} (%l: tensor<4xf32>) {
    %1 = stablehlo.negate %l : tensor<4xf32>
    sdy.return %1 : tensor<4xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  // CHECK: %[[I:.*]] = spmd.sharding_constraint {{.*}} <@mesh, [{}]>
  // CHECK: "stablehlo.abs"(%[[I]])
  %2 = sdy.named_computation<"f">(%0) in_shardings=[<@mesh, [{}]>] out_shardings=[<@mesh, [{}]>] (%l: tensor<8xf32>) {
    %3 = stablehlo.abs %l : tensor<8xf32>
    sdy.return %3 : tensor<8xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  return %2 : tensor<8xf32>
}

// -----

// Along axes that are not manual the body is partitioned: shardings in it are over these. Regions on
// elements have scalars only, which nothing cuts.
// CHECK-LABEL: func.func @partly_manual(
sdy.mesh @mesh = <["a"=2, "b"=2, "c"=2]>
func.func @partly_manual(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // CHECK: spmd.manual_computation(%arg0) in [#spmd.sharding<@mesh, [{"a", "b"}, {?}p1], replicated = ["c"]>] out [#spmd.sharding<@mesh, [{"a", ?}, {}]>] free ["b", "c"]
  // CHECK-NEXT: ^bb0(%[[L:.*]]: tensor<4x8xf32>):
  %0 = sdy.manual_computation(%x) in_shardings=[<@mesh, [{"a", "b"}, {?}p1], replicated={"c"}>] out_shardings=[<@mesh, [{"a", ?}, {}]>] manual_axes={"a"} (%l: tensor<4x8xf32>) {
    // CHECK-NEXT: %[[N:.*]] = "stablehlo.negate"(%[[L]])
    // CHECK-NEXT: %[[C:.*]] = spmd.sharding_constraint %[[N]] <@mesh, [{"c"}, {?}]>
    // CHECK-NEXT: %[[D:.*]] = spmd.sharding_constraint %[[C]] <@mesh, [{?}, {"b"}]>
    %1 = stablehlo.negate %l {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"c"}, {?}]>]>} : tensor<4x8xf32>
    %2 = sdy.sharding_constraint %1 <@mesh, [{?}, {"b"}]> : tensor<4x8xf32>
    // CHECK-NEXT: "stablehlo.all_reduce"(%[[D]])
    // CHECK-NOT: sharding_constraint
    %3 = "stablehlo.all_reduce"(%2) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 4], [1, 5], [2, 6], [3, 7]]> : tensor<4x2xi64>, use_global_device_ids}> ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %s = stablehlo.add %p, %q : tensor<f32>
      %t = sdy.sharding_constraint %s <@mesh, []> : tensor<f32>
      stablehlo.return %t : tensor<f32>
    }) : (tensor<4x8xf32>) -> tensor<4x8xf32>
    sdy.return %3 : tensor<4x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// -----

// One inside of another takes axes that are free in it, unreduced, too; what neither takes is free in both.
// CHECK-LABEL: func.func @nested(
sdy.mesh @mesh = <["a"=2, "b"=2, "c"=2]>
func.func @nested(%x: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK: spmd.manual_computation(%arg0) in [#spmd.sharding<@mesh, [{"a"}]>] out [#spmd.sharding<@mesh, [{"a"}]>] free ["b", "c"]
  // CHECK-NEXT: ^bb0(%[[L:.*]]: tensor<4xf32>):
  %0 = sdy.manual_computation(%x) in_shardings=[<@mesh, [{"a"}]>] out_shardings=[<@mesh, [{"a"}]>] manual_axes={"a"} (%l: tensor<4xf32>) {
    // CHECK-NEXT: spmd.manual_computation(%[[L]]) in [#spmd.sharding<@mesh, [{"b", "c"}]>] out [#spmd.sharding<@mesh, [{?}], partial = [sum "b"]>] free ["c"]
    // CHECK-NEXT: ^bb0(%{{.*}}: tensor<2xf32>):
    %1 = sdy.manual_computation(%l) in_shardings=[<@mesh, [{"b", "c"}]>] out_shardings=[<@mesh, [{?}], unreduced={"b"}>] manual_axes={"b"} (%m: tensor<2xf32>) {
      // CHECK-NEXT: %[[C:.*]] = "stablehlo.concatenate"
      // CHECK-NEXT: spmd.sharding_constraint %[[C]] <@mesh, [{"c"}]>
      %2 = stablehlo.concatenate %m, %m, dim = 0 : (tensor<2xf32>, tensor<2xf32>) -> tensor<4xf32>
      %3 = sdy.sharding_constraint %2 <@mesh, [{"c"}]> : tensor<4xf32>
      sdy.return %3 : tensor<4xf32>
    } : (tensor<4xf32>) -> tensor<4xf32>
    sdy.return %1 : tensor<4xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

sdy.mesh @mesh = <["a"=2, "b"=2]>
func.func @axis_taken_twice(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-note @+1 {{that is here}}
  %0 = sdy.manual_computation(%x) in_shardings=[<@mesh, [{"a"}]>] out_shardings=[<@mesh, [{"a"}]>] manual_axes={"a"} (%l: tensor<2xf32>) {
    // expected-error @+1 {{is over axis "a", which is not free in the one around it}}
    %1 = sdy.manual_computation(%l) in_shardings=[<@mesh, [{"a"}]>] out_shardings=[<@mesh, [{"a"}]>] manual_axes={"a"} (%m: tensor<1xf32>) {
      sdy.return %m : tensor<1xf32>
    } : (tensor<2xf32>) -> tensor<2xf32>
    sdy.return %1 : tensor<2xf32>
  } : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// No mesh has both, but what is cut into three can be cut over the axis of size three.
// CHECK: spmd.mesh @a <"x"=2, "y"=3>
// CHECK: func.func @other_factors(%arg0: tensor<6xf32> {spmd.sharding = #spmd.sharding<@a, [{"x"}]>}, %arg1: tensor<6xf32> {spmd.sharding = #spmd.sharding<@a, [{"y"}]>})
sdy.mesh @a = <["x"=2, "y"=3]>
// expected-warning @+1 {{no mesh has the axes of this mesh and those of the others on the same devices: values are cut over it as it says, but other devices have the blocks}}
sdy.mesh @b = <["x"=3, "y"=2]>
func.func @other_factors(%x: tensor<6xf32> {sdy.sharding = #sdy.sharding<@a, [{"x"}]>}, %y: tensor<6xf32> {sdy.sharding = #sdy.sharding<@b, [{"x"}]>}) {
  return
}

// -----

// An axis whose devices count 0, 2, 1, 3 is two axes: each block is where it should be.
// CHECK: spmd.mesh @a <"d0"=2, "d1"=2>
// CHECK: func.func @counts_in_two_axes(%arg0: tensor<8xf32> {spmd.sharding = #spmd.sharding<@a, [{"d0", "d1"}]>}, %arg1: tensor<8xf32> {spmd.sharding = #spmd.sharding<@a, [{"d1", "d0"}]>}, %arg2: tensor<8xf32> {spmd.sharding = #spmd.sharding<@a, [{"d0"}]>})
sdy.mesh @a = <["x"=4]>
sdy.mesh @b = <["x"=4], device_ids=[0, 2, 1, 3]>
func.func @counts_in_two_axes(%x: tensor<8xf32> {sdy.sharding = #sdy.sharding<@a, [{"x"}]>}, %y: tensor<8xf32> {sdy.sharding = #sdy.sharding<@b, [{"x"}]>}, %z: tensor<8xf32> {sdy.sharding = #sdy.sharding<@b, [{"x":(2)2}]>}) {
  return
}

// -----

// Ranks are devices where one of the meshes has them in order; in code on local shapes over another one each rank stands
// for the device that has the block there.
// CHECK: spmd.mesh @b <"x"=4>
// CHECK-LABEL: func.func @other_order(
// expected-warning @+1 {{no mesh has the axes of this mesh and those of the others on the same devices: values are cut over it as it says, but other devices have the blocks}}
sdy.mesh @b = <["x"=4], device_ids=[3, 1, 0, 2]>
sdy.mesh @a = <["x"=4]>
func.func @other_order(%x: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK: spmd.manual_computation(%arg0) in [#spmd.sharding<@b, [{"x"}]>] out [#spmd.sharding<@b, [{"x"}]>] {device_ids = array<i64: 3, 1, 0, 2>}
  %0 = sdy.manual_computation(%x) in_shardings=[<@b, [{"x"}]>] out_shardings=[<@b, [{"x"}]>] manual_axes={"x"} (%l: tensor<2xf32>) {
    sdy.return %l : tensor<2xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  // CHECK: spmd.manual_computation({{.*}}) in [#spmd.sharding<@b, [{"x"}]>] out [#spmd.sharding<@b, [{"x"}]>] :
  %1 = sdy.manual_computation(%0) in_shardings=[<@a, [{"x"}]>] out_shardings=[<@a, [{"x"}]>] manual_axes={"x"} (%l: tensor<2xf32>) {
    sdy.return %l : tensor<2xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}

// -----

// Meshes of one order that is not that of the devices' numbers.
// CHECK: spmd.mesh @a <"x"=2, "b"=2, device_ids = [3, 1, 0, 2]>
// CHECK: func.func @same_order(%arg0: tensor<8xf32> {spmd.sharding = #spmd.sharding<@a, [{"x", "b"}]>})
sdy.mesh @a = <["x"=4], device_ids=[3, 1, 0, 2]>
sdy.mesh @b = <["x"=2, "b"=2], device_ids=[3, 1, 0, 2]>
func.func @same_order(%x: tensor<8xf32> {sdy.sharding = #sdy.sharding<@a, [{"x"}]>}) {
  return
}

// -----

sdy.mesh @a = <["x"=2]>
// expected-error @+1 {{meshes of 2 and of 4 devices in one program; all must be over the same devices}}
sdy.mesh @b = <["x"=4]>

// -----

sdy.mesh @a = <["x"=2]>
// expected-error @+1 {{the mesh has no axis "z"; its axes are "x"}}
func.func @unknown_axis(%x: tensor<8xf32> {sdy.sharding = #sdy.sharding<@a, [{"z"}]>}) {
  return
}

// -----

// expected-error @+1 {{there is no mesh @none}}
func.func @unknown_mesh(%x: tensor<8xf32> {sdy.sharding = #sdy.sharding<@none, [{}]>}) {
  return
}

// -----

// What Shardy itself writes between its passes: constants that are not shared, edges, and how shardings came about.
sdy.mesh @mesh = <["a"=2]>
// CHECK-LABEL: func.func @within_shardy(
// CHECK-SAME: %[[X:.*]]: tensor<8xf32>)
func.func @within_shardy(%x: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK: %[[C:.*]] = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<8xf32>}>
  // CHECK: spmd.sharding_constraint %{{.*}} <@mesh, [{"a"}]>
  %0 = sdy.constant {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a"}]>]>} dense<1.000000e+00> : tensor<8xf32>
  // CHECK: %[[E:.*]] = spmd.sharding_constraint %[[X]] <@mesh, [{?}]>
  %1 = sdy.data_flow_edge %x sharding=<@mesh, [{?}]> : tensor<8xf32>
  // CHECK-NEXT: "stablehlo.add"(%[[E]], %{{.*}})
  // CHECK-NOT: sdy.data_flow_edge
  %2 = sdy.data_flow_edge %1 : tensor<8xf32>
  %3 = sdy.func_data_flow_edge %2 : tensor<8xf32>
  %4 = stablehlo.add %3, %0 {sdy.propagation_edges = #sdy.propagation_edges<[{step-1 = [{"a" = operand-1 -> [operand-0, result-0]}]}]>} : tensor<8xf32>
  return %4 : tensor<8xf32>
}
