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
