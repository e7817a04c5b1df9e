// RUN: cleave-opt %s | cleave-opt | FileCheck %s
// RUN: cleave-opt %s --mlir-print-op-generic | cleave-opt | FileCheck %s
// RUN: cleave-opt %s --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC
// RUN: cleave-opt %s --emit-bytecode | cleave-opt | FileCheck %s

// CHECK: spmd.mesh @m <"x"=2, "y"=4>
// GENERIC: "spmd.mesh"() <{shape = #spmd.mesh_shape<"x"=2, "y"=4>, sym_name = "m"}> : () -> ()
spmd.mesh @m <"x"=2, "y"=4>
// CHECK: spmd.mesh @one <>
spmd.mesh @one <>
// CHECK: spmd.mesh @ids <"a\22b"=2, "y"=2, device_ids = [3, 1, 0, 2]> {note = "x"}
spmd.mesh @ids <"a\22b"=2, "y"=2, device_ids = [3, 1, 0, 2]> {note = "x"}

// CHECK-LABEL: func.func @signature(
// CHECK-SAME: tensor<8x8xf32> {spmd.origins = "somewhere", spmd.sharding = #spmd.sharding<@m, [{"x", "y"}, {}]>}
// CHECK-SAME: tensor<8x8xf32> {spmd.sharding = #spmd.sharding<@m, [{?}, {"y":(2)2, ?}p3]>}
// CHECK-SAME: tensor<f32> {spmd.sharding = #spmd.sharding<@m, []>}
// CHECK-SAME: tensor<4x8xf32> {spmd.global_type = tensor<8x8xf32>, spmd.sharding = #spmd.sharding<@m, [{"x"}, {}]>}
// CHECK-SAME: tensor<8xf32> {spmd.sharding = #spmd.sharding<@m, [{}p0], partial = [sum "x", max "y":(1)2]>}
func.func @signature(
    %a: tensor<8x8xf32> {spmd.origins = "somewhere", spmd.sharding = #spmd.sharding<@m, [{"x", "y"}, {}]>},
    %b: tensor<8x8xf32> {spmd.sharding = #spmd.sharding<@m, [{?}, {"y":(2)2, ?}p3]>},
    %c: tensor<f32> {spmd.sharding = #spmd.sharding<@m, []>},
    %d: tensor<4x8xf32> {spmd.global_type = tensor<8x8xf32>, spmd.sharding = #spmd.sharding<@m, [{"x"}, {}]>})
    -> (tensor<8xf32> {spmd.sharding = #spmd.sharding<@m, [{}p0], partial = [sum "x", max "y":(1)2]>}) {
  // CHECK: cleave.constant {spmd.origins = ["a"], spmd.shardings = [#spmd.sharding<@m, [{"x"}]>]} dense<0.000000e+00> : tensor<8xf32>
  %0 = cleave.constant {spmd.origins = ["a"], spmd.shardings = [#spmd.sharding<@m, [{"x"}]>]} dense<0.0> : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// CHECK-LABEL: func.func @attributes(
// CHECK-SAME: axes = #spmd.axes<["x", "y":(2)2]>, axis = #spmd.axis<"y":(1)2>, dim = #spmd.dim<{"x", ?}p1>, groups = #spmd.groups<{{\[\[}}0, 2], [], [1]]>, kinds = [#spmd.partial<sum "x">, #spmd.partial<max "x">, #spmd.partial<min "x">, #spmd.partial<prod "x">, #spmd.partial<and "x">, #spmd.partial<or "x">], shape = #spmd.mesh_shape<"x"=2, device_ids = [1, 0]>
func.func @attributes() attributes {
    axes = #spmd.axes<["x", "y":(2)2]>, axis = #spmd.axis<"y":(1)2>, dim = #spmd.dim<{"x", ?}p1>,
    groups = #spmd.groups<[[0, 2], [], [1]]>,
    kinds = [#spmd.partial<sum "x">, #spmd.partial<max "x">, #spmd.partial<min "x">, #spmd.partial<prod "x">,
             #spmd.partial<and "x">, #spmd.partial<or "x">],
    shape = #spmd.mesh_shape<"x"=2, device_ids = [1, 0]>} {
  return
}

// CHECK-LABEL: func.func @global(
// GENERIC-LABEL: sym_name = "global"
func.func @global(%x: tensor<8x8xf32>) {
  // CHECK: spmd.sharding_constraint %{{.*}} <@m, [{"x"}, {"y", ?}]> : tensor<8x8xf32>
  // GENERIC: "spmd.sharding_constraint"(%{{.*}}) <{sharding = #spmd.sharding<@m, [{"x"}, {"y", ?}]>}> : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %0 = spmd.sharding_constraint %x <@m, [{"x"}, {"y", ?}]> : tensor<8x8xf32>
  // CHECK: spmd.reshard %{{.*}} <@m, [{}, {}]> : tensor<8x8xf32>
  %1 = spmd.reshard %x <@m, [{}, {}]> : tensor<8x8xf32>
  // CHECK: spmd.reshard %{{.*}} <@m, [{}, {}]> cause "because" {spmd.shardings = [unit]} : tensor<8x8xf32>
  // GENERIC: "spmd.reshard"(%{{.*}}) <{cause = "because", sharding = #spmd.sharding<@m, [{}, {}]>}> {spmd.shardings = [unit]}
  %2 = spmd.reshard %x <@m, [{}, {}]> cause "because" {spmd.shardings = [unit]} : tensor<8x8xf32>
  // CHECK: spmd.manual_computation(%{{.*}}, %{{.*}}) in [#spmd.sharding<@m, [{"x"}, {}]>, #spmd.sharding<@m, [{}, {}]>] out [#spmd.sharding<@m, [{"x"}, {}]>] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32> {
  %3 = spmd.manual_computation(%0, %1) in [#spmd.sharding<@m, [{"x"}, {}]>, #spmd.sharding<@m, [{}, {}]>]
      out [#spmd.sharding<@m, [{"x"}, {}]>] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32> {
  // CHECK: ^bb0(%{{.*}}: tensor<4x8xf32>, %{{.*}}: tensor<8x8xf32>):
  ^bb0(%a: tensor<4x8xf32>, %b: tensor<8x8xf32>):
    %n = cleave.negate %a : tensor<4x8xf32>
    // CHECK: spmd.return %{{.*}} : tensor<4x8xf32>
    spmd.return %n : tensor<4x8xf32>
  }
  // CHECK: spmd.manual_computation(%{{.*}}) in [#spmd.sharding<@m, [{?}, {"x"}]>] out [#spmd.sharding<@m, [{}, {"x"}]>] free ["x"] {note} : (tensor<8x8xf32>) -> tensor<8x8xf32> {
  %4 = spmd.manual_computation(%0) in [#spmd.sharding<@m, [{?}, {"x"}]>] out [#spmd.sharding<@m, [{}, {"x"}]>] free ["x"] {note}
      : (tensor<8x8xf32>) -> tensor<8x8xf32> {
  // CHECK: ^bb0(%{{.*}}: tensor<8x8xf32>):
  ^bb0(%a: tensor<8x8xf32>):
    // CHECK: spmd.sharding_constraint %{{.*}} <@m, [{"x"}, {}]>
    %c = spmd.sharding_constraint %a <@m, [{"x"}, {}]> : tensor<8x8xf32>
    spmd.return %c : tensor<8x8xf32>
  }
  // CHECK: spmd.manual_computation() in [] out [] {note} : () -> () {
  // CHECK-NEXT: spmd.return
  spmd.manual_computation() in [] out [] {note} : () -> () {
    spmd.return
  }
  return
}

// CHECK-LABEL: func.func @local(
// GENERIC-LABEL: sym_name = "local"
func.func @local(%x: tensor<4x8xf32>, %i: tensor<7xi1>) {
  // CHECK: spmd.all_gather %{{.*}} dim 1 over @m ["y"] : tensor<4x8xf32> -> tensor<4x32xf32>
  // GENERIC: "spmd.all_gather"(%{{.*}}) <{dim = 1 : i64, groups = #spmd.axes<["y"]>, mesh = @m}> : (tensor<4x8xf32>) -> tensor<4x32xf32>
  %0 = spmd.all_gather %x dim 1 over @m ["y"] : tensor<4x8xf32> -> tensor<4x32xf32>
  // CHECK: spmd.all_gather %{{.*}} dim 0 over @m ["x", "y":(2)2] cause "c" {a = 1 : i32} : tensor<4x8xf32> -> tensor<13x8xf32>
  %1 = spmd.all_gather %x dim 0 over @m ["x", "y":(2)2] cause "c" {a = 1 : i32} : tensor<4x8xf32> -> tensor<13x8xf32>
  // CHECK: spmd.all_slice %{{.*}} dim 0 over @m ["y":(1)2] : tensor<7xi1> -> tensor<4xi1>
  // GENERIC: "spmd.all_slice"(%{{.*}}) <{dim = 0 : i64, groups = #spmd.axes<["y":(1)2]>, mesh = @m}>
  %2 = spmd.all_slice %i dim 0 over @m ["y":(1)2] : tensor<7xi1> -> tensor<4xi1>
  // CHECK: spmd.all_slice %{{.*}} dim 1 over @m ["y"] cause "c" : tensor<4x8xf32> -> tensor<4x2xf32>
  %3 = spmd.all_slice %x dim 1 over @m ["y"] cause "c" : tensor<4x8xf32> -> tensor<4x2xf32>
  // CHECK: spmd.all_reduce sum %{{.*}} over @m ["y", "x"] : tensor<4x8xf32>
  // GENERIC: "spmd.all_reduce"(%{{.*}}) <{groups = #spmd.axes<["y", "x"]>, mesh = @m, reduction = 0 : i32}> : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %4 = spmd.all_reduce sum %x over @m ["y", "x"] : tensor<4x8xf32>
  // CHECK: spmd.all_reduce or %{{.*}} over @m [] cause "c" : tensor<7xi1>
  %5 = spmd.all_reduce or %i over @m [] cause "c" : tensor<7xi1>
  // CHECK: spmd.reduce_scatter max %{{.*}} dim 0 over @m ["x"] : tensor<4x8xf32> -> tensor<2x8xf32>
  // GENERIC: "spmd.reduce_scatter"(%{{.*}}) <{dim = 0 : i64, groups = #spmd.axes<["x"]>, mesh = @m, reduction = 1 : i32}>
  %6 = spmd.reduce_scatter max %x dim 0 over @m ["x"] : tensor<4x8xf32> -> tensor<2x8xf32>
  // CHECK: spmd.reduce_scatter and %{{.*}} dim 0 over @m ["x"] cause "c" : tensor<7xi1> -> tensor<4xi1>
  %7 = spmd.reduce_scatter and %i dim 0 over @m ["x"] cause "c" : tensor<7xi1> -> tensor<4xi1>
  // CHECK: spmd.all_to_all %{{.*}} split 0 concat 1 over @m ["x"] : tensor<4x8xf32> -> tensor<2x15xf32>
  // GENERIC: "spmd.all_to_all"(%{{.*}}) <{concat_dim = 1 : i64, groups = #spmd.axes<["x"]>, mesh = @m, split_dim = 0 : i64}>
  %8 = spmd.all_to_all %x split 0 concat 1 over @m ["x"] : tensor<4x8xf32> -> tensor<2x15xf32>
  // CHECK: spmd.collective_permute %{{.*}} over @m pairs [0, 1, 1, 0, 0, 2] cause "c" : tensor<4x8xf32>
  // GENERIC: "spmd.collective_permute"(%{{.*}}) <{cause = "c", mesh = @m, pairs = array<i64: 0, 1, 1, 0, 0, 2>}>
  %9 = spmd.collective_permute %x over @m pairs [0, 1, 1, 0, 0, 2] cause "c" : tensor<4x8xf32>
  // CHECK: spmd.collective_permute %{{.*}} over @m pairs [] : tensor<4x8xf32>
  %10 = spmd.collective_permute %x over @m pairs [] : tensor<4x8xf32>
  // CHECK: spmd.broadcast %{{.*}} from 3 over @m ["y"] cause "c" : tensor<4x8xf32>
  // GENERIC: "spmd.broadcast"(%{{.*}}) <{cause = "c", groups = #spmd.axes<["y"]>, mesh = @m, root = 3 : i64}>
  %b = spmd.broadcast %x from 3 over @m ["y"] cause "c" : tensor<4x8xf32>
  // CHECK: spmd.all_reduce sum %{{.*}} over @m groups {{\[\[}}0, 7], [3], [1, 2, 4]] cause "c" {a} : tensor<4x8xf32>
  // GENERIC: "spmd.all_reduce"(%{{.*}}) <{cause = "c", groups = #spmd.groups<{{\[\[}}0, 7], [3], [1, 2, 4]]>, mesh = @m, reduction = 0 : i32}>
  %g0 = spmd.all_reduce sum %x over @m groups [[0, 7], [3], [1, 2, 4]] cause "c" {a} : tensor<4x8xf32>
  // CHECK: spmd.all_gather %{{.*}} dim 1 over @m groups {{\[\[}}4, 0], [1, 6]] : tensor<4x8xf32> -> tensor<4x15xf32>
  %g1 = spmd.all_gather %x dim 1 over @m groups [[4, 0], [1, 6]] : tensor<4x8xf32> -> tensor<4x15xf32>
  // CHECK: spmd.all_to_all %{{.*}} split 0 concat 1 over @m groups {{\[\[}}2, 1, 0, 5]] : tensor<4x8xf32> -> tensor<1x32xf32>
  %g2 = spmd.all_to_all %x split 0 concat 1 over @m groups [[2, 1, 0, 5]] : tensor<4x8xf32> -> tensor<1x32xf32>
  // CHECK: spmd.halo_exchange %{{.*}} dim 0 size 7 low 1 high 2 over @m ["x"] fill 0.000000e+00 : f32 : tensor<4x8xf32> -> tensor<7x8xf32>
  // GENERIC: "spmd.halo_exchange"(%{{.*}}) <{axes = #spmd.axes<["x"]>, dim = 0 : i64, fill = 0.000000e+00 : f32, high = 2 : i64, low = 1 : i64, mesh = @m, size = 7 : i64}>
  %halo0 = spmd.halo_exchange %x dim 0 size 7 low 1 high 2 over @m ["x"] fill 0.0 : f32 : tensor<4x8xf32> -> tensor<7x8xf32>
  // CHECK: spmd.halo_exchange %{{.*}} dim 0 size 14 low -1 high 0 over @m ["x"] cause "c" {a} : tensor<7xi1> -> tensor<6xi1>
  %halo1 = spmd.halo_exchange %i dim 0 size 14 low -1 high 0 over @m ["x"] cause "c" {a} : tensor<7xi1> -> tensor<6xi1>
  // CHECK: spmd.window_exchange %{{.*}} dim 0 blocks [0, 4, 0, 4, 3, 0] windows [-1, 2, 1, 0, 0, 0] over @m ["x"] cause "c" {a} : tensor<4x8xf32> -> tensor<3x8xf32>
  // GENERIC: "spmd.window_exchange"(%{{.*}}) <{axes = #spmd.axes<["x"]>, blocks = array<i64: 0, 4, 0, 4, 3, 0>, cause = "c", dim = 0 : i64, mesh = @m, windows = array<i64: -1, 2, 1, 0, 0, 0>}>
  %windows = spmd.window_exchange %x dim 0 blocks [0, 4, 0, 4, 3, 0] windows [-1, 2, 1, 0, 0, 0] over @m ["x"] cause "c" {a} : tensor<4x8xf32> -> tensor<3x8xf32>
  // CHECK: spmd.axis_index @m ["x", "y":(2)2] {a} : tensor<i32>
  // GENERIC: "spmd.axis_index"() <{axes = #spmd.axes<["x", "y":(2)2]>, mesh = @m}> {a} : () -> tensor<i32>
  %11 = spmd.axis_index @m ["x", "y":(2)2] {a} : tensor<i32>
  // CHECK: spmd.mask_padding sum %{{.*}} dim 0 size 7 over @m ["x"] : tensor<4x8xf32>
  // GENERIC: "spmd.mask_padding"(%{{.*}}) <{axes = #spmd.axes<["x"]>, dim = 0 : i64, mesh = @m, reduction = 0 : i32, size = 7 : i64}>
  %12 = spmd.mask_padding sum %x dim 0 size 7 over @m ["x"] : tensor<4x8xf32>
  return
}
