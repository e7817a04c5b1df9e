// Barriers of propagation, through which shardings spread all the same.
// RUN: cleave-opt %s -cleave-import-shardy-shardings -split-input-file -verify-diagnostics | FileCheck %s

sdy.mesh @mesh = <["x"=2]>
// CHECK-LABEL: func.func @main(
func.func @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %b: tensor<8xf32>, %s: tensor<f32>) -> (tensor<8xf32>, tensor<f32>) {
  // CHECK-NEXT: %[[A:.*]] = spmd.sharding_constraint %arg0 <@mesh, [{?}]> {cleave.propagation_barrier = "NONE"}
  %0 = sdy.propagation_barrier %a allowed_direction=NONE : tensor<8xf32>
  // CHECK-NEXT: %[[B:.*]] = spmd.sharding_constraint %[[A]] <@mesh, [{?}]> {cleave.propagation_barrier = "FORWARD"}
  %1 = sdy.propagation_barrier %0 allowed_direction=FORWARD : tensor<8xf32>
  // CHECK-NEXT: %[[C:.*]] = spmd.sharding_constraint %arg1 <@mesh, [{?}]> {cleave.propagation_barrier = "BACKWARD"}
  %2 = sdy.propagation_barrier %b allowed_direction=BACKWARD : tensor<8xf32>
  // Nothing is held back by this one, and nothing of a scalar can be cut.
  %3 = sdy.propagation_barrier %2 allowed_direction=BOTH : tensor<8xf32>
  %4 = sdy.propagation_barrier %s allowed_direction=NONE : tensor<f32>
  // CHECK-NEXT: %[[S:.*]] = "stablehlo.add"(%[[B]], %[[C]])
  // CHECK-NEXT: return %[[S]], %arg2
  %5 = stablehlo.add %1, %3 : tensor<8xf32>
  return %5, %4 : tensor<8xf32>, tensor<f32>
}

// -----

// On one device there is nothing to spread.
// CHECK-LABEL: func.func @one_device(
func.func @one_device(%a: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK-NEXT: return %arg0
  %0 = sdy.propagation_barrier %a allowed_direction=NONE : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

func.func @no_direction(%a: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{allowed_direction is "SIDEWAYS"; expected FORWARD, BACKWARD, NONE or BOTH}}
  %0 = "sdy.propagation_barrier"(%a) <{allowed_direction = "SIDEWAYS"}> : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
