// A barrier of propagation changes no values; that it is not followed is said.
// RUN: cleave-opt %s -cleave-import-shardy-shardings -verify-diagnostics | FileCheck %s

sdy.mesh @mesh = <["x"=2]>
// CHECK-LABEL: func.func @main(
func.func @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %b: tensor<8xf32>) -> tensor<8xf32> {
  // expected-warning @+1 {{is not heeded: shardings may spread through it}}
  %0 = sdy.propagation_barrier %a allowed_direction=NONE : tensor<8xf32>
  // expected-warning @+1 {{is not heeded: shardings may spread through it}}
  %1 = sdy.propagation_barrier %0 allowed_direction=FORWARD : tensor<8xf32>
  // expected-warning @+1 {{is not heeded: shardings may spread through it}}
  %2 = sdy.propagation_barrier %b allowed_direction=BACKWARD : tensor<8xf32>
  // Nothing is held back by this one.
  %3 = sdy.propagation_barrier %2 allowed_direction=BOTH : tensor<8xf32>
  // CHECK-NEXT: %[[S:.*]] = "stablehlo.add"(%arg0, %arg1)
  // CHECK-NEXT: return %[[S]]
  %4 = stablehlo.add %1, %3 : tensor<8xf32>
  return %4 : tensor<8xf32>
}
