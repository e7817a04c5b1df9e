// Members of a group, which were left to be cut differently.
// RUN: cleave-opt %s -cleave-import-shardy-shardings -split-input-file -verify-diagnostics | FileCheck %s

sdy.mesh @mesh = <["x"=2]>
// CHECK-LABEL: func.func @members(
func.func @members(%a: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %s: tensor<f32>) -> tensor<8x4xf32> {
  // CHECK-NEXT: %[[A:.*]] = spmd.sharding_constraint %arg0 <@mesh, [{?}, {?}]> {cleave.sharding_group = 3 : i64}
  sdy.sharding_group %a group_id=3 : tensor<8x4xf32>
  // CHECK-NEXT: %[[N:.*]] = "stablehlo.negate"(%[[A]])
  // CHECK-NEXT: %[[C:.*]] = spmd.sharding_constraint %[[N]] <@mesh, [{}, {}]>
  // CHECK-NEXT: %[[B:.*]] = spmd.sharding_constraint %[[C]] <@mesh, [{?}, {?}]> {cleave.sharding_group = 3 : i64}
  %0 = stablehlo.negate %a {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}]>]>} : tensor<8x4xf32>
  // CHECK-NEXT: %[[D:.*]] = "stablehlo.add"(%[[B]], %[[A]])
  %1 = stablehlo.add %0, %a : tensor<8x4xf32>
  sdy.sharding_group %0 group_id=3 : tensor<8x4xf32>
  // Nothing of a scalar can be cut.
  // Nothing of a scalar can be cut.
  sdy.sharding_group %s group_id=9223372036854775807 : tensor<f32>
  // CHECK-NEXT: return %[[D]]
  return %1 : tensor<8x4xf32>
}

// -----

sdy.mesh @mesh = <["x"=2]>
func.func @other_shape(%a: tensor<8x4xf32>, %b: tensor<4x8xf32>) {
  // expected-note @+1 {{such as 'tensor<8x4xf32>'}}
  sdy.sharding_group %a group_id=0 : tensor<8x4xf32>
  // expected-error @+1 {{has 'tensor<4x8xf32>' in group 0; expected the shape of its other members}}
  sdy.sharding_group %b group_id=0 : tensor<4x8xf32>
  return
}
