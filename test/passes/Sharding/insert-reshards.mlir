// RUN: cleave-opt %s -cleave-propagate-shardings -cleave-insert-reshards -cleave-verify-shardings -split-input-file | FileCheck %s

// Everything agrees: nothing to do.
spmd.mesh @m <"x"=2>
// CHECK-LABEL: func.func @agree(
// CHECK-NOT: spmd.reshard
// CHECK: return
func.func @agree(%a: tensor<8x8xf32> {spmd.sharding = #spmd.sharding<@m, [{"x"}, {}]>}, %b: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = cleave.add %a, %b : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// -----

// A contracted dimension that is cut: the product is partial, then reduced.
spmd.mesh @m <"x"=2>
// CHECK-LABEL: func.func @contracted(
// CHECK: %[[L:.*]] = cleave.linear %arg0, %arg1 {{.*}} spmd.shardings = [#spmd.sharding<@m, [{}, {}], partial = [sum "x"]>]
// CHECK: %[[R:.*]] = spmd.reshard %[[L]] <@m, [{}, {}]> cause "cleave.linear makes [{}, {}] partial sum over \22x\22{{.*}}, wanted is [{}, {}]" {spmd.shardings = [#spmd.sharding<@m, [{}, {}]>]}
// CHECK: return %[[R]]
func.func @contracted(%a: tensor<8x8xf32> {spmd.sharding = #spmd.sharding<@m, [{}, {"x"}]>},
                      %b: tensor<8x8xf32> {spmd.sharding = #spmd.sharding<@m, [{"x"}, {}]>}) -> tensor<8x8xf32> {
  %0 = cleave.linear %a, %b : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// -----

// An annotated operand that the op wants otherwise. Two uses share one reshard.
spmd.mesh @m <"x"=2>
// CHECK-LABEL: func.func @operand(
// CHECK: %[[R:.*]] = spmd.reshard %arg1 <@m, [{}]> cause "cleave.layer_norm needs its operand 1 as [{}] (\22x\22 on dim 0 from argument 'arg1')"
// CHECK: %[[N:.*]] = cleave.layer_norm %arg0, %[[R]], %[[R]]
// CHECK: cleave.layer_norm %[[N]], %[[R]], %[[R]]
// CHECK-NOT: spmd.reshard
// CHECK: return
func.func @operand(%a: tensor<64x64xf32> {spmd.sharding = #spmd.sharding<@m, [{"x"}, {}]>},
                   %b: tensor<64xf32> {spmd.sharding = #spmd.sharding<@m, [{"x"}]>}) -> (tensor<64x64xf32>, tensor<64x64xf32>) {
  %0 = cleave.layer_norm %a, %b, %b, epsilon = 1.0e-5 : (tensor<64x64xf32>, tensor<64xf32>, tensor<64xf32>) -> tensor<64x64xf32>
  %1 = cleave.layer_norm %0, %b, %b, epsilon = 1.0e-5 : (tensor<64x64xf32>, tensor<64xf32>, tensor<64xf32>) -> tensor<64x64xf32>
  return %0, %1 : tensor<64x64xf32>, tensor<64x64xf32>
}

// -----

// A constraint becomes a reshard; a result that is annotated otherwise needs one.
spmd.mesh @m <"x"=2, "y"=2>
// CHECK-LABEL: func.func @constraint(
// CHECK-NOT: spmd.sharding_constraint
// CHECK: %[[C:.*]] = spmd.reshard %arg0 <@m, [{"y"}, {}]> cause "constraint at {{.*}}insert-reshards.mlir:{{[0-9:]+}}"
// CHECK: %[[R:.*]] = spmd.reshard %[[C]] <@m, [{}, {"x"}]> cause "result 0 is [{}, {\22x\22}]"
// CHECK: return %[[R]]
func.func @constraint(%a: tensor<8x8xf32> {spmd.sharding = #spmd.sharding<@m, [{"x"}, {}]>})
    -> (tensor<8x8xf32> {spmd.sharding = #spmd.sharding<@m, [{}, {"x"}]>}) {
  %0 = spmd.sharding_constraint %a <@m, [{"y"}, {}]> : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// -----

// The author's own reshard keeps its place.
spmd.mesh @m <"x"=2, "y"=2>
// CHECK-LABEL: func.func @reshard(
// CHECK: %[[R:.*]] = spmd.reshard %arg0 <@m, [{}, {"y"}]> cause "mine" {{.*}} spmd.shardings = [#spmd.sharding<@m, [{}, {"y"}]>]
// CHECK: return %[[R]]
func.func @reshard(%a: tensor<8x8xf32> {spmd.sharding = #spmd.sharding<@m, [{"x"}, {}]>}) -> tensor<8x8xf32> {
  %0 = spmd.reshard %a <@m, [{}, {"y", ?}]> cause "mine" : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// -----

// A predicate must be whole: every rank takes the same branch.
spmd.mesh @m <"x"=2>
// CHECK-LABEL: func.func @predicate(
// CHECK: %[[P:.*]] = cleave.reduce{{.*}} spmd.shardings = [#spmd.sharding<@m, [], partial = [and "x"]>]
// CHECK: %[[W:.*]] = spmd.reshard %[[P]] <@m, []>
// CHECK: cleave.if %[[W]]
func.func @predicate(%a: tensor<8xi1> {spmd.sharding = #spmd.sharding<@m, [{"x"}]>}, %b: tensor<8xf32>) -> tensor<8xf32> {
  %true = cleave.constant dense<true> : tensor<i1>
  %p = cleave.reduce(%a init: %true) applies cleave.and across dimensions = [0] : (tensor<8xi1>, tensor<i1>) -> tensor<i1>
  %0 = cleave.if %p : (tensor<i1>) -> tensor<8xf32> then {
    cleave.return %b : tensor<8xf32>
  } else {
    %1 = cleave.negate %b : tensor<8xf32>
    cleave.return %1 : tensor<8xf32>
  }
  return %0 : tensor<8xf32>
}

// -----

// What a body yields comes back to the variable's sharding.
spmd.mesh @m <"x"=2>
// CHECK-LABEL: func.func @while(
// CHECK: do {
// CHECK: %[[T:.*]] = cleave.transpose {{.*}} spmd.shardings = [#spmd.sharding<@m, [{}, {"x"}]>]
// CHECK: %[[R:.*]] = spmd.reshard %[[T]] <@m, [{"x"}, {}]> cause "cleave.while carries the variable as [{\22x\22}, {}] (\22x\22 on dim 1 from argument 'arg0' via cleave.transpose)"
// CHECK: cleave.return %{{.*}}, %[[R]]
func.func @while(%a: tensor<8x8xf32> {spmd.sharding = #spmd.sharding<@m, [{"x"}, {}]>}, %w: tensor<8x8xf32> {spmd.sharding = #spmd.sharding<@m, [{}, {}]>},
                 %n: tensor<i32>) -> tensor<8x8xf32> {
  %0:2 = cleave.while(%i = %n, %v = %a) : tensor<i32>, tensor<8x8xf32>
  cond {
    %p = cleave.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    cleave.return %p : tensor<i1>
  } do {
    %t = cleave.transpose %v, dims = [1, 0] : (tensor<8x8xf32>) -> tensor<8x8xf32>
    cleave.return %i, %t : tensor<i32>, tensor<8x8xf32>
  }
  return %0#1 : tensor<8x8xf32>
}

// -----

spmd.mesh @m <"x"=2>
// CHECK-LABEL: func.func @manual(
// CHECK: %[[I:.*]] = spmd.reshard %arg0 <@m, [{}, {"x"}]> cause "manual computation
// CHECK: %[[M:.*]] = spmd.manual_computation(%[[I]])
// CHECK: %[[R:.*]] = spmd.reshard %[[M]] <@m, [{}, {}]>
// CHECK: return %[[R]]
func.func @manual(%x: tensor<8x8xf32> {spmd.sharding = #spmd.sharding<@m, [{"x"}, {}]>})
    -> (tensor<8x8xf32> {spmd.sharding = #spmd.sharding<@m, [{}, {}]>}) {
  %0 = spmd.manual_computation(%x) in [#spmd.sharding<@m, [{}, {"x"}]>] out [#spmd.sharding<@m, [{}, {}], partial = [sum "x"]>]
      : (tensor<8x8xf32>) -> tensor<8x8xf32> {
  ^bb0(%a: tensor<8x4xf32>):
    %1 = cleave.concatenate %a, %a, dim = 1 : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x8xf32>
    spmd.return %1 : tensor<8x8xf32>
  }
  return %0 : tensor<8x8xf32>
}

// -----

// Without a rule: gathered, and cut again.
spmd.mesh @m <"x"=2>
// CHECK-LABEL: func.func @unknown(
// CHECK: %[[G:.*]] = spmd.reshard %arg0 <@m, [{}]> cause "tosa.clamp needs its operand 0 as [{}] (\22x\22 on dim 0 from argument 'arg0')"
// CHECK: %[[C:.*]] = tosa.clamp %[[G]]
// CHECK: spmd.reshard %[[C]] <@m, [{"x"}]>
func.func @unknown(%x: tensor<8xf32> {spmd.sharding = #spmd.sharding<@m, [{"x"}]>}) -> (tensor<8xf32> {spmd.sharding = #spmd.sharding<@m, [{"x"}]>}) {
  %0 = tosa.clamp %x {max_val = 1.0 : f32, min_val = 0.0 : f32} : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// A constant that is annotated otherwise than its use wants it is simply made so.
spmd.mesh @m <"x"=2>
// CHECK-LABEL: func.func @constant(
// CHECK: %[[C:.*]] = cleave.constant {{.*}} spmd.shardings = [#spmd.sharding<@m, [{}, {"x"}]>]} dense<1.000000e+00>
// CHECK-NOT: spmd.reshard
// CHECK: cleave.add %[[C]], %arg0
func.func @constant(%a: tensor<8x8xf32> {spmd.sharding = #spmd.sharding<@m, [{}, {"x"}]>}) -> (tensor<8x8xf32> {spmd.sharding = #spmd.sharding<@m, [{}, {"x"}]>}) {
  %c = cleave.constant {spmd.shardings = [#spmd.sharding<@m, [{"x"}, {}]>]} dense<1.0> : tensor<8x8xf32>
  %0 = cleave.add %c, %a : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// -----

// What a body with free axes returns is brought to where it goes, and a dimension that a collective acts
// along is made whole.
spmd.mesh @m <"x"=2, "y"=2>
// CHECK-LABEL: func.func @free_axes(
// CHECK: spmd.manual_computation(%arg0) in [#spmd.sharding<@m, [{"x"}, {"y"}]>] out [#spmd.sharding<@m, [{}, {}]>] free ["y"]
// CHECK: ^bb0(%[[A:.*]]: tensor<4x8xf32>):
// CHECK: %[[G:.*]] = spmd.all_gather %[[A]] dim 0
// CHECK: %[[R:.*]] = spmd.reshard %[[G]] <@m, [{}, {}]> cause "manual computation
// CHECK: spmd.return %[[R]]
func.func @free_axes(%x: tensor<8x8xf32> {spmd.sharding = #spmd.sharding<@m, [{"x"}, {"y"}]>}) -> tensor<8x8xf32> {
  %0 = spmd.manual_computation(%x) in [#spmd.sharding<@m, [{"x"}, {?}]>] out [#spmd.sharding<@m, [{}, {}]>]
      free ["y"] : (tensor<8x8xf32>) -> tensor<8x8xf32> {
  ^bb0(%a: tensor<4x8xf32>):
    %1 = spmd.all_gather %a dim 0 over @m ["x"] : tensor<4x8xf32> -> tensor<8x8xf32>
    spmd.return %1 : tensor<8x8xf32>
  }
  return %0 : tensor<8x8xf32>
}
