// Whole values that are stored as terms: there was "no sum" where a program says that they are unreduced.
// RUN: cleave-opt %s -cleave-import-shardy-shardings -split-input-file | FileCheck %s

sdy.mesh @mesh = <["x"=2, "y"=2]>
// CHECK-LABEL: func.func @copies(
// CHECK-SAME: -> (tensor<8x8xf32> {spmd.sharding = #spmd.sharding<@mesh, [{}, {"y"}]>}, tensor<8x8xf32> {spmd.sharding = #spmd.sharding<@mesh, [{}, {}], partial = [sum "x"]>})
func.func @copies(%x: tensor<8x8xf32>, %y: tensor<8x8xf32>) -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}], unreduced={"x"}>}, tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}], unreduced={"x"}>}) {
  // CHECK-NOT: unreduced
  %0 = sdy.replicated_to_unreduced {"x"} %x out_sharding=<@mesh, [{}, {"y"}], unreduced={"x"}> : tensor<8x8xf32>
  // Sharding follows from the next use.
  // CHECK-NEXT: %[[N:.*]] = "stablehlo.negate"(%arg0)
  // CHECK-NEXT: %[[A:.*]] = spmd.sharding_constraint %[[N]] <@mesh, [{}, {"y"}]>
  %1 = stablehlo.negate %0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"y"}], unreduced={"x"}>]>} : tensor<8x8xf32>
  // Over another axis there are terms, or there is an error later.
  // CHECK-NEXT: %[[B:.*]] = spmd.sharding_constraint %[[A]] <@mesh, [{}, {}], partial = [sum "y"]>
  %2 = sdy.sharding_constraint %1 <@mesh, [{}, {}], unreduced={"x", "y"}> : tensor<8x8xf32>
  // CHECK-NEXT: %[[C:.*]] = spmd.sharding_constraint %[[B]] <@mesh, [{"x"}, {}]>
  %3 = sdy.reduce_scatter [{"x"}, {}] %2 out_sharding=<@mesh, [{"x"}, {}]> : tensor<8x8xf32>
  // What was reduced is unreduced no longer; neither is what does not come from such a value.
  // CHECK-NEXT: %[[D:.*]] = spmd.sharding_constraint %[[C]] <@mesh, [{}, {}], partial = [sum "x"]>
  %4 = sdy.sharding_constraint %3 <@mesh, [{}, {}], unreduced={"x"}> : tensor<8x8xf32>
  // CHECK-NEXT: %[[E:.*]] = spmd.sharding_constraint %arg1 <@mesh, [{}, {}], partial = [sum "x"]>
  %5 = sdy.sharding_constraint %y <@mesh, [{}, {}], unreduced={"x"}> : tensor<8x8xf32>
  // CHECK-NEXT: return %[[B]], %[[E]]
  %6 = sdy.sharded_to_unreduced [{"x"}, {}] %2 out_sharding=<@mesh, [{}, {"y"}], unreduced={"x"}> : tensor<8x8xf32>
  return %6, %5 : tensor<8x8xf32>, tensor<8x8xf32>
}
