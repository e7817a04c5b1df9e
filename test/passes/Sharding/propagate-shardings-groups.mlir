// RUN: cleave-opt %s -cleave-propagate-shardings -split-input-file | FileCheck %s

// What is known of one member is true of all, of whatever type, and spreads from them; another group is another one.
spmd.mesh @m <"x"=2, "y"=2>
// CHECK-LABEL: func.func @spreads(
// CHECK-SAME: %arg0: tensor<8x8xf32> {spmd.origins = "{{[^"]*}}", spmd.sharding = #spmd.sharding<@m, [{"x"}, {}]>}
// CHECK-SAME: %arg1: tensor<8x8xi32> {spmd.origins = "{{[^"]*}}", spmd.sharding = #spmd.sharding<@m, [{"x"}, {}]>}
// CHECK-SAME: %arg2: tensor<8x8xf32> {spmd.origins = "{{[^"]*}}", spmd.sharding = #spmd.sharding<@m, [{}, {}]>}
func.func @spreads(%a: tensor<8x8xf32> {spmd.sharding = #spmd.sharding<@m, [{"x"}, {}]>}, %b: tensor<8x8xi32>, %c: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xi32>, tensor<8x8xf32>) {
  %0 = spmd.sharding_constraint %a <@m, [{?}, {?}]> {cleave.sharding_group = 0} : tensor<8x8xf32>
  %1 = spmd.sharding_constraint %b <@m, [{?}, {?}]> {cleave.sharding_group = 0} : tensor<8x8xi32>
  %2 = spmd.sharding_constraint %c <@m, [{?}, {?}]> {cleave.sharding_group = 1} : tensor<8x8xf32>
  // CHECK: cleave.negate {{.*}}spmd.shardings = [#spmd.sharding<@m, [{"x"}, {}]>]
  %3 = cleave.negate %1 : tensor<8x8xi32>
  return %0, %3, %2 : tensor<8x8xf32>, tensor<8x8xi32>, tensor<8x8xf32>
}

// -----

// Where annotations disagree, members agree: one of them is moved.
spmd.mesh @m <"x"=2, "y"=2>
// CHECK-LABEL: func.func @disagree(
func.func @disagree(%a: tensor<8x8xf32> {spmd.sharding = #spmd.sharding<@m, [{"x"}, {}]>}, %b: tensor<8x8xf32> {spmd.sharding = #spmd.sharding<@m, [{"y"}, {}]>}) -> tensor<8x8xf32> {
  // CHECK: spmd.sharding_constraint %arg0 {{.*}}spmd.shardings = [#spmd.sharding<@m, [[CUT:.*]]>]
  %0 = spmd.sharding_constraint %a <@m, [{?}, {?}]> {cleave.sharding_group = 0} : tensor<8x8xf32>
  // CHECK: spmd.sharding_constraint %arg1 {{.*}}spmd.shardings = [#spmd.sharding<@m, [[CUT]]>]
  %1 = spmd.sharding_constraint %b <@m, [{?}, {?}]> {cleave.sharding_group = 0} : tensor<8x8xf32>
  %2 = cleave.add %0, %1 : tensor<8x8xf32>
  return %2 : tensor<8x8xf32>
}

// -----

// Not of another shape, as parts of it may be.
spmd.mesh @m <"x"=2>
// CHECK-LABEL: func.func @other_shape(
// CHECK-SAME: %arg1: tensor<4xf32> {spmd.origins = "{{[^"]*}}", spmd.sharding = #spmd.sharding<@m, [{}]>}
func.func @other_shape(%a: tensor<8xf32> {spmd.sharding = #spmd.sharding<@m, [{"x"}]>}, %b: tensor<4xf32>) -> (tensor<8xf32>, tensor<4xf32>) {
  %0 = spmd.sharding_constraint %a <@m, [{?}]> {cleave.sharding_group = 0} : tensor<8xf32>
  %1 = spmd.sharding_constraint %b <@m, [{?}]> {cleave.sharding_group = 0} : tensor<4xf32>
  return %0, %1 : tensor<8xf32>, tensor<4xf32>
}
