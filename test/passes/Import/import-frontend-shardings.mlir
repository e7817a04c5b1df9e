// RUN: cleave-opt %s -cleave-import-shardy-shardings -split-input-file -verify-diagnostics | FileCheck %s

// Text in frontend attributes, where programs that went through HLO have their shardings.
// CHECK: spmd.mesh @mesh <"a"=2, "b"=4>
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %arg0: tensor<8x8xf32> {mhlo.frontend_attributes = {{.*}}, spmd.sharding = #spmd.sharding<@mesh, [{"a"}p1, {?}]>}
// CHECK-SAME: %arg1: tensor<8x8xf32> {{{.*}}spmd.sharding = #spmd.sharding<@mesh, [{}, {}]>}
// CHECK-SAME: -> (tensor<8x8xf32> {{{.*}}spmd.sharding = #spmd.sharding<@mesh, [{"b"}, {}]>})
module attributes {mhlo.frontend_attributes = {xla.sdy.meshes = "{mesh = #sdy.mesh<[\22a\22=2, \22b\22=4]>}"}} {
  func.func @main(%x: tensor<8x8xf32> {mhlo.frontend_attributes = {xla.sdy.sharding = "#sdy.sharding<@mesh, [{\22a\22}p1, {?}]>"}},
                  %y: tensor<8x8xf32> {mhlo.frontend_attributes = {xla.sdy.sharding = "#sdy.sharding<@mesh, [{\22a\22}, {}]>"}, sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>})
      -> (tensor<8x8xf32> {mhlo.frontend_attributes = {xla.sdy.sharding = "#sdy.sharding<@mesh, [{\22b\22}, {}]>"}}) {
    // CHECK: %[[ADD:.*]] = "stablehlo.add"
    // CHECK-NEXT: spmd.sharding_constraint %[[ADD]] <@mesh, [{"b", ?}, {}]>
    %0 = stablehlo.add %x, %y {mhlo.frontend_attributes = {xla.sdy.sharding = "#sdy.sharding_per_value<[<@mesh, [{\22b\22, ?}, {}]>]>"}} : tensor<8x8xf32>
    // CHECK: %[[CALL:.*]] = "stablehlo.custom_call"
    // CHECK-NEXT: spmd.sharding_constraint %[[CALL]] <@mesh, [{"a"}, {}]>
    %1 = stablehlo.custom_call @xla.sdy.FuncResultSharding(%0) {mhlo.frontend_attributes = {xla.sdy.sharding = "#sdy.sharding_per_value<[<@mesh, [{\22a\22}, {}]>]>"}} : (tensor<8x8xf32>) -> tensor<8x8xf32>
    return %1 : tensor<8x8xf32>
  }
}

// -----

// Older programs have text within the text.
// CHECK: spmd.mesh @mesh <"a"=8>
// CHECK: %arg0: tensor<8xf32> {{{.*}}spmd.sharding = #spmd.sharding<@mesh, [{"a"}]>}
module attributes {mhlo.frontend_attributes = {xla.sdy.meshes = "{mesh = \22#sdy.mesh<[\\22a\\22=8]>\22}"}} {
  func.func @main(%x: tensor<8xf32> {mhlo.frontend_attributes = {xla.sdy.sharding = "#sdy.sharding<@mesh, [{\22a\22}]>"}}) {
    return
  }
}

// -----

// Text that HLO has printed has a backslash before each quote, which nothing could read.
// CHECK: spmd.mesh @mesh <"a"=2>
// CHECK: %arg0: tensor<8x4xf32> {{{.*}}spmd.sharding = #spmd.sharding<@mesh, [{"a"}, {?}]>}
module attributes {mhlo.frontend_attributes = {xla.sdy.meshes = "{mesh = #sdy.mesh<[\\\22a\\\22=2]>}"}} {
  func.func @main(%x: tensor<8x4xf32> {mhlo.frontend_attributes = {xla.sdy.sharding = "#sdy.sharding<@mesh, [{\\\22a\\\22}, {?}]>"}}) {
    // CHECK: spmd.sharding_constraint %{{.*}} <@mesh, [{}, {"a"}]>
    %0 = stablehlo.negate %x {mhlo.frontend_attributes = {xla.sdy.sharding = "#sdy.sharding_per_value<[<@mesh, [{}, {\\\22a\\\22}]>]>"}} : tensor<8x4xf32>
    return
  }
}

// -----

// A computation on local shapes, which HLO has as a function of its own, and one inside of it.
// CHECK: spmd.mesh @mesh <"a"=2, "b"=2>
// CHECK-LABEL: func.func public @through_hlo(
// CHECK: %[[M:.*]] = spmd.manual_computation(%arg0) in [#spmd.sharding<@mesh, [{"a"}, {}]>] out [#spmd.sharding<@mesh, [{"a"}, {}]>] free ["b"]
// CHECK-NEXT: ^bb0(%[[X:.*]]: tensor<4x8xf32>):
// CHECK: %[[N:.*]] = "stablehlo.negate"(%[[X]])
// CHECK: %[[I:.*]] = spmd.manual_computation(%[[N]]) in [#spmd.sharding<@mesh, [{}, {"b"}]>] out [#spmd.sharding<@mesh, [{}, {"b"}]>]
// CHECK-NEXT: ^bb0(%[[Y:.*]]: tensor<4x4xf32>):
// CHECK: "stablehlo.abs"(%[[Y]])
// CHECK: spmd.return %[[I]]
// CHECK: return %[[M]]
// CHECK-NOT: func.func
module attributes {mhlo.frontend_attributes = {xla.sdy.meshes = "{mesh = #sdy.mesh<[\22a\22=2, \22b\22=2]>}"}} {
  func.func public @through_hlo(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
    %0 = stablehlo.custom_call @xla.sdy.GlobalToLocalShape(%x) : (tensor<8x8xf32>) -> tensor<4x8xf32>
    %1 = call @xla.sdy.manual_computation_body(%0) {mhlo.frontend_attributes = {xla.sdy.in_shardings = "#sdy.sharding_per_value<[<@mesh, [{\\\22a\\\22}, {}]>]>", xla.sdy.manual_axes = "#sdy<manual_axes{\\\22a\\\22}>", xla.sdy.out_shardings = "#sdy.sharding_per_value<[<@mesh, [{\\\22a\\\22}, {}]>]>"}} : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %2 = stablehlo.custom_call @xla.sdy.LocalToGlobalShape(%1) : (tensor<4x8xf32>) -> tensor<8x8xf32>
    return %2 : tensor<8x8xf32>
  }
  func.func @xla.sdy.manual_computation_body(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
    %0 = stablehlo.negate %x : tensor<4x8xf32>
    // Newer programs have the text on the custom calls.
    %1 = stablehlo.custom_call @xla.sdy.GlobalToLocalShape(%0) {has_side_effect = true, mhlo.frontend_attributes = {xla.sdy.in_shardings = "#sdy.sharding_per_value<[<@mesh, [{}, {\22b\22}]>]>", xla.sdy.manual_axes = "#sdy<manual_axes{\22b\22}>"}} : (tensor<4x8xf32>) -> tensor<4x4xf32>
    %2 = call @xla.sdy.manual_computation_body_0(%1) : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %3 = stablehlo.custom_call @xla.sdy.LocalToGlobalShape(%2) {has_side_effect = true, mhlo.frontend_attributes = {xla.sdy.out_shardings = "#sdy.sharding_per_value<[<@mesh, [{}, {\22b\22}]>]>"}} : (tensor<4x4xf32>) -> tensor<4x8xf32>
    return %3 : tensor<4x8xf32>
  }
  func.func @xla.sdy.manual_computation_body_0(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
    %0 = stablehlo.abs %x : tensor<4x4xf32>
    return %0 : tensor<4x4xf32>
  }
}

// -----

module {
  func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
    // expected-error@below {{needs the results of one @xla.sdy.GlobalToLocalShape}}
    %0 = call @xla.sdy.manual_computation_body(%x) : (tensor<4xf32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
  func.func @xla.sdy.manual_computation_body(%x: tensor<4xf32>) -> tensor<4xf32> {
    return %x : tensor<4xf32>
  }
}

// -----

module {
  func.func @main(%x: tensor<8xf32>) -> tensor<4xf32> {
    %0 = stablehlo.custom_call @xla.sdy.GlobalToLocalShape(%x) : (tensor<8xf32>) -> tensor<4xf32>
    // expected-error@below {{must give its results to one @xla.sdy.LocalToGlobalShape}}
    %1 = call @xla.sdy.manual_computation_body(%0) : (tensor<4xf32>) -> tensor<4xf32>
    return %1 : tensor<4xf32>
  }
  func.func @xla.sdy.manual_computation_body(%x: tensor<4xf32>) -> tensor<4xf32> {
    return %x : tensor<4xf32>
  }
}

// -----

module {
  func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
    %0 = stablehlo.custom_call @xla.sdy.GlobalToLocalShape(%x) : (tensor<8xf32>) -> tensor<4xf32>
    // expected-error@below {{needs xla.sdy.in_shardings}}
    %1 = call @xla.sdy.manual_computation_body(%0) : (tensor<4xf32>) -> tensor<4xf32>
    %2 = stablehlo.custom_call @xla.sdy.LocalToGlobalShape(%1) : (tensor<4xf32>) -> tensor<8xf32>
    return %2 : tensor<8xf32>
  }
  func.func @xla.sdy.manual_computation_body(%x: tensor<4xf32>) -> tensor<4xf32> {
    return %x : tensor<4xf32>
  }
}

// -----

// A mesh of the module is not taken for another one of its name; the same may stand in both places.
module attributes {mhlo.frontend_attributes = {xla.sdy.meshes = "{mesh = #sdy.mesh<[\22a\22=2]>, twice = #sdy.mesh<[\22a\22=8]>}"}} {
  // expected-error@below {{has the name of another mesh in xla.sdy.meshes}}
  sdy.mesh @mesh = <["a"=4]>
  sdy.mesh @twice = <["a"=8]>
}

// -----

module attributes {mhlo.frontend_attributes = {xla.sdy.meshes = "{main = #sdy.mesh<[\22a\22=2]>}"}} {
  // expected-error@below {{has the name of another mesh in xla.sdy.meshes}}
  func.func @main() {
    return
  }
}

// -----

// expected-error@below {{cannot read xla.sdy.meshes: "{mesh = 8"}}
module attributes {mhlo.frontend_attributes = {xla.sdy.meshes = "{mesh = 8"}} {
}

// -----

module {
  // expected-error@below {{cannot read xla.sdy.sharding: "sharded"}}
  func.func @main(%x: tensor<8xf32> {mhlo.frontend_attributes = {xla.sdy.sharding = "sharded"}}) {
    return
  }
}

// -----

module {
  func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
    // expected-error@below {{cannot read xla.sdy.sharding: "#sdy.sharding<@mesh, [{}]>"}}
    %0 = stablehlo.add %x, %x {mhlo.frontend_attributes = {xla.sdy.sharding = "#sdy.sharding<@mesh, [{}]>"}} : tensor<8xf32>
    return %0 : tensor<8xf32>
  }
}
