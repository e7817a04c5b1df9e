// RUN: cleave-opt %s -cleave-import-shardy-shardings -split-input-file -verify-diagnostics | FileCheck %s

// Groups named by axes of a mesh: one written in place, one of Shardy, and one that a function stands for.
sdy.mesh @declared = <["x"=2, "y"=2], device_ids=[0, 2, 1, 3]>
func.func private @stands_for_a_mesh() attributes {stablehlo.mesh = {axes = [{name = "x", size = 2 : i64}, {name = "y", size = 4 : i64}]}}
// CHECK-LABEL: func.func @main(
func.func @main(%x: tensor<4xf32>) {
  // CHECK: replica_groups = dense<{{\[\[}}0, 2], [1, 3]]> : tensor<2x2xi64>
  %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = #stablehlo.mesh<axes = [#stablehlo.mesh_axis<name = "x", size = 2>, #stablehlo.mesh_axis<name = "y", size = 2>]>, axes = [#stablehlo.axis_ref<name = "x">]>}> : (tensor<4xf32>) -> tensor<8xf32>
  // CHECK: replica_groups = dense<{{\[\[}}0, 1], [2, 3]]> : tensor<2x2xi64>
  %1 = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @declared, axes = [#stablehlo.axis_ref<name = "x">]>}> : (tensor<4xf32>) -> tensor<8xf32>
  // CHECK: replica_groups = dense<{{\[\[}}0, 2], [1, 3], [4, 6], [5, 7]]> : tensor<4x2xi64>
  %2 = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @stands_for_a_mesh, axes = [#stablehlo.axis_ref<name = "y", sub_axis_info = (1)2>]>}> : (tensor<4xf32>) -> tensor<8xf32>
  // The order of the axes is that of the members, and the names may be Shardy's.
  // CHECK: replica_groups = dense<{{\[\[}}0, 4, 1, 5], [2, 6, 3, 7]]> : tensor<2x4xi64>
  %3 = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @stands_for_a_mesh, axes = [#sdy<axis_ref<"y":(2)2>>, #stablehlo.axis_ref<name = "x">]>}> : (tensor<4xf32>) -> tensor<16xf32>
  // The short form of the axes, and a mesh of one process.
  // CHECK: replica_groups = dense<{{\[\[}}1, 0]]> : tensor<1x2xi64>
  %4 = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = #stablehlo.mesh<axes=[<name = "i", size = 1>, <name = "j", size = 2>], device_ids=dense<[1, 0]> : tensor<2xi64>>, axes = [#stablehlo.axis_ref<name = "i">, #stablehlo.axis_ref<name = "j">]>}> : (tensor<4xf32>) -> tensor<8xf32>
  // CHECK: replica_groups = dense<0> : tensor<1x1xi64>
  %5 = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = #stablehlo.mesh<axes = []>, axes = []>}> : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @no_mesh(%x: tensor<4xf32>) {
  // expected-error @below {{replica_groups name no mesh: @mesh}}
  %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh, axes = [#stablehlo.axis_ref<name = "x">]>}> : (tensor<4xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @no_axis(%x: tensor<4xf32>) {
  // expected-error @below {{replica_groups name an axis that their mesh has not: #stablehlo.axis_ref<name = "z">}}
  %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = #stablehlo.mesh<axes = [<name = "x", size = 2>]>, axes = [#stablehlo.axis_ref<name = "z">]>}> : (tensor<4xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @no_part(%x: tensor<4xf32>) {
  // expected-error @below {{replica_groups name a part of an axis of size 6 that does not divide it: #stablehlo.axis_ref<name = "x", sub_axis_info = (4)2>}}
  %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = #stablehlo.mesh<axes = [<name = "x", size = 6>]>, axes = [#stablehlo.axis_ref<name = "x", sub_axis_info = (4)2>]>}> : (tensor<4xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @twice(%x: tensor<4xf32>) {
  // expected-error @below {{replica_groups name a part of an axis twice}}
  %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = #stablehlo.mesh<axes = [<name = "x", size = 4>]>, axes = [#stablehlo.axis_ref<name = "x">, #stablehlo.axis_ref<name = "x", sub_axis_info = (1)2>]>}> : (tensor<4xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @sizes(%x: tensor<4xf32>) {
  // expected-error @below {{replica_groups name a mesh with an axis of size 0; expected 1 to 1048576 processes}}
  %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = #stablehlo.mesh<axes = [<name = "x", size = 0>]>, axes = []>}> : (tensor<4xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @device_ids(%x: tensor<4xf32>) {
  // expected-error @below {{replica_groups name a mesh of 4 places with 2 device_ids}}
  %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = #stablehlo.mesh<axes = [<name = "x", size = 4>], device_ids = dense<[0, 1]> : tensor<2xi64>>, axes = []>}> : (tensor<4xf32>) -> tensor<8xf32>
  return
}
