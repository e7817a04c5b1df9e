// What is before a barrier and what is behind it, each way.
// RUN: cleave-opt %s -cleave-propagate-shardings | FileCheck %s
spmd.mesh @m <"x"=2>
// CHECK-LABEL: func.func @barriers(
// CHECK-SAME: %arg1: tensor<8xf32> {spmd.origins = "{{[^"]*}}", spmd.sharding = #spmd.sharding<@m, [{}]>}
// CHECK-SAME: %arg2: tensor<8xf32> {spmd.origins = "{{[^"]*}}", spmd.sharding = #spmd.sharding<@m, [{"x"}]>}
// CHECK-SAME: %arg3: tensor<8xf32> {spmd.origins = "{{[^"]*}}", spmd.sharding = #spmd.sharding<@m, [{}]>}
func.func @barriers(%a: tensor<8xf32> {spmd.sharding = #spmd.sharding<@m, [{"x"}]>}, %b: tensor<8xf32>, %c: tensor<8xf32>, %d: tensor<8xf32>)
    -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32> {spmd.sharding = #spmd.sharding<@m, [{"x"}]>}, tensor<8xf32> {spmd.sharding = #spmd.sharding<@m, [{"x"}]>}, tensor<8xf32> {spmd.sharding = #spmd.sharding<@m, [{"x"}]>}) {
  // CHECK: cleave.negate {{.*}}spmd.shardings = [#spmd.sharding<@m, [{"x"}]>]
  %0 = spmd.sharding_constraint %a <@m, [{?}]> {cleave.propagation_barrier = "FORWARD"} : tensor<8xf32>
  %1 = cleave.negate %0 : tensor<8xf32>
  // CHECK: cleave.exponential {{.*}}spmd.shardings = [#spmd.sharding<@m, [{}]>]
  %2 = spmd.sharding_constraint %a <@m, [{?}]> {cleave.propagation_barrier = "NONE"} : tensor<8xf32>
  %3 = cleave.exponential %2 : tensor<8xf32>
  %4 = spmd.sharding_constraint %b <@m, [{?}]> {cleave.propagation_barrier = "FORWARD"} : tensor<8xf32>
  %5 = spmd.sharding_constraint %c <@m, [{?}]> {cleave.propagation_barrier = "BACKWARD"} : tensor<8xf32>
  %6 = spmd.sharding_constraint %d <@m, [{?}]> {cleave.propagation_barrier = "NONE"} : tensor<8xf32>
  return %1, %3, %4, %5, %6 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}
