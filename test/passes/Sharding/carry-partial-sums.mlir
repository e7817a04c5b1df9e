// Each function is a module: only the entry function is partitioned.
// RUN: split-file %s %t
// RUN: cleave-opt %t/chain.mlir -cleave-propagate-shardings -cleave-carry-partial-sums -cleave-insert-reshards -cleave-verify-shardings | FileCheck %s --check-prefix=CHAIN
// RUN: cleave-opt %t/no-gain.mlir -cleave-propagate-shardings -cleave-carry-partial-sums | FileCheck %s --check-prefix=NOGAIN
// RUN: cleave-opt %t/accumulate.mlir -cleave-propagate-shardings -cleave-carry-partial-sums -cleave-insert-reshards -cleave-verify-shardings | FileCheck %s --check-prefix=LOOP
// RUN: cleave-opt %t/start.mlir -cleave-propagate-shardings -cleave-carry-partial-sums | FileCheck %s --check-prefix=START
// RUN: cleave-opt %t/read.mlir -cleave-propagate-shardings -cleave-carry-partial-sums | FileCheck %s --check-prefix=READ
// RUN: cleave-opt %t/branch.mlir -cleave-propagate-shardings -cleave-carry-partial-sums -cleave-insert-reshards -cleave-verify-shardings | FileCheck %s --check-prefix=BRANCH
// RUN: cleave-opt %t/wanted.mlir -cleave-propagate-shardings -cleave-carry-partial-sums -cleave-insert-reshards -cleave-verify-shardings | FileCheck %s --check-prefix=WANTED
// RUN: cleave-opt %t/two-sums.mlir -cleave-propagate-shardings -cleave-carry-partial-sums -cleave-insert-reshards -cleave-verify-shardings | FileCheck %s --check-prefix=TWO
// RUN: cleave-opt %t/manual.mlir -cleave-propagate-shardings -cleave-carry-partial-sums -cleave-insert-reshards -cleave-verify-shardings | FileCheck %s --check-prefix=MANUAL
// RUN: cleave-opt %t/manual-loop.mlir -cleave-propagate-shardings -cleave-carry-partial-sums -cleave-insert-reshards -cleave-verify-shardings | FileCheck %s --check-prefix=MANUALLOOP
// RUN: cleave-opt %t/manual-maximum.mlir -cleave-propagate-shardings -cleave-carry-partial-sums | FileCheck %s --check-prefix=MAXIMUM
// RUN: not cleave-opt %t/unsharded.mlir -cleave-carry-partial-sums 2>&1 | FileCheck %s --check-prefix=UNSHARDED

// The product is summed where the least of it is left: after it was scaled, transposed and reduced over its rows. The
// sum over columns, which the user wants, too, is another use.
// CHAIN: cleave.linear {{.*}} partial = [sum "x"]
// CHAIN: cleave.multiply {{.*}} partial = [sum "x"]
// CHAIN: cleave.transpose {{.*}} partial = [sum "x"]
// CHAIN: %[[R:.*]] = cleave.reduce{{.*}} partial = [sum "x"]
// CHAIN-NEXT: %[[S:.*]] = spmd.reshard %[[R]] <@m, [{}]> cause "cleave.reduce carries [{}] partial sum over \22x\22 (\22x\22 on dim 1 from argument 'arg0'), wanted is [{}]"
// CHAIN: cleave.tanh %[[S]]
// CHAIN-NOT: spmd.reshard
//--- chain.mlir
spmd.mesh @m <"x"=4>
func.func @main(%a: tensor<8x16xf32> {spmd.sharding = #spmd.sharding<@m, [{}, {"x"}]>}, %b: tensor<16x32xf32>, %s: tensor<8x32xf32>) -> tensor<8xf32> {
  %z = cleave.constant dense<0.0> : tensor<f32>
  %0 = cleave.linear %a, %b : (tensor<8x16xf32>, tensor<16x32xf32>) -> tensor<8x32xf32>
  %1 = cleave.multiply %s, %0 : tensor<8x32xf32>
  %2 = cleave.transpose %1, dims = [1, 0] : (tensor<8x32xf32>) -> tensor<32x8xf32>
  %3 = cleave.reduce(%2 init: %z) applies cleave.add across dimensions = [0] : (tensor<32x8xf32>, tensor<f32>) -> tensor<8xf32>
  %4 = cleave.tanh %3 : tensor<8xf32>
  return %4 : tensor<8xf32>
}

// Nothing is smaller further down, and what is not linear needs the sum.
// NOGAIN-NOT: partial
// NOGAIN-NOT: spmd.reshard
//--- no-gain.mlir
spmd.mesh @m <"x"=4>
func.func @main(%a: tensor<8x16xf32> {spmd.sharding = #spmd.sharding<@m, [{}, {"x"}]>}, %b: tensor<16x32xf32>) -> tensor<8x32xf32> {
  %0 = cleave.linear %a, %b : (tensor<8x16xf32>, tensor<16x32xf32>) -> tensor<8x32xf32>
  %1 = cleave.negate %0 : tensor<8x32xf32>
  %2 = cleave.tanh %1 : tensor<8x32xf32>
  return %2 : tensor<8x32xf32>
}

// Gradients of micro-batches, whose rows are cut: one sum after the loop instead of one in each iteration. The counter
// steers the loop and stays as it is.
// LOOP: %[[ZERO:.*]] = cleave.constant {{.*}}partial = [sum "x"]>]} dense<0.000000e+00> : tensor<8x8xf32>
// LOOP: %[[W:.*]]:2 = cleave.while(%{{.*}} = %{{.*}}, %[[ACC:.*]] = %[[ZERO]]) {{.*}} [#spmd.sharding<@m, []>, #spmd.sharding<@m, [{}, {}], partial = [sum "x"]>]
// LOOP: %[[G:.*]] = cleave.dot_general {{.*}} partial = [sum "x"]
// LOOP-NOT: spmd.reshard
// LOOP: %[[N:.*]] = cleave.add %[[ACC]], %[[G]] {{.*}} partial = [sum "x"]
// LOOP: cleave.return %{{.*}}, %[[N]]
// LOOP: spmd.reshard %[[W]]#1 <@m, [{}, {}]> cause "cleave.while carries [{}, {}] partial sum over \22x\22 (\22x\22 on dim 0 from argument 'arg0'), wanted is [{}, {}]"
//--- accumulate.mlir
spmd.mesh @m <"x"=4>
func.func @main(%x: tensor<64x8xf32> {spmd.sharding = #spmd.sharding<@m, [{"x"}, {}]>}, %dy: tensor<64x8xf32>) -> tensor<8x8xf32> {
  %i0 = cleave.constant dense<0> : tensor<i32>
  %one = cleave.constant dense<1> : tensor<i32>
  %n = cleave.constant dense<3> : tensor<i32>
  %zero = cleave.constant dense<0.0> : tensor<8x8xf32>
  %0:2 = cleave.while(%i = %i0, %acc = %zero) : tensor<i32>, tensor<8x8xf32>
  cond {
    %1 = cleave.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    cleave.return %1 : tensor<i1>
  } do {
    %2 = cleave.add %i, %one : tensor<i32>
    %3 = cleave.dot_general %x, %dy, batching_dims = [] x [], contracting_dims = [0] x [0] : (tensor<64x8xf32>, tensor<64x8xf32>) -> tensor<8x8xf32>
    %4 = cleave.add %acc, %3 : tensor<8x8xf32>
    cleave.return %2, %4 : tensor<i32>, tensor<8x8xf32>
  }
  return %0#1 : tensor<8x8xf32>
}

// A start that is not zero would be counted by every rank.
// START-NOT: partial =
// START: cleave.while
// START-NOT: partial =
//--- start.mlir
spmd.mesh @m <"x"=4>
func.func @main(%x: tensor<64x8xf32> {spmd.sharding = #spmd.sharding<@m, [{"x"}, {}]>}, %dy: tensor<64x8xf32>, %start: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %i0 = cleave.constant dense<0> : tensor<i32>
  %one = cleave.constant dense<1> : tensor<i32>
  %n = cleave.constant dense<3> : tensor<i32>
  %0:2 = cleave.while(%i = %i0, %acc = %start) : tensor<i32>, tensor<8x8xf32>
  cond {
    %1 = cleave.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    cleave.return %1 : tensor<i1>
  } do {
    %2 = cleave.add %i, %one : tensor<i32>
    %3 = cleave.dot_general %x, %dy, batching_dims = [] x [], contracting_dims = [0] x [0] : (tensor<64x8xf32>, tensor<64x8xf32>) -> tensor<8x8xf32>
    %4 = cleave.add %acc, %3 : tensor<8x8xf32>
    cleave.return %2, %4 : tensor<i32>, tensor<8x8xf32>
  }
  return %0#1 : tensor<8x8xf32>
}

// A variable that is read complete in each iteration: the sum may as well be complete.
// READ-NOT: partial =
//--- read.mlir
spmd.mesh @m <"x"=4>
func.func @main(%x: tensor<64x8xf32> {spmd.sharding = #spmd.sharding<@m, [{"x"}, {}]>}, %dy: tensor<64x8xf32>) -> tensor<8x8xf32> {
  %i0 = cleave.constant dense<0> : tensor<i32>
  %one = cleave.constant dense<1> : tensor<i32>
  %n = cleave.constant dense<3> : tensor<i32>
  %zero = cleave.constant dense<0.0> : tensor<8x8xf32>
  %0:3 = cleave.while(%i = %i0, %acc = %zero, %t = %zero) : tensor<i32>, tensor<8x8xf32>, tensor<8x8xf32>
  cond {
    %1 = cleave.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    cleave.return %1 : tensor<i1>
  } do {
    %2 = cleave.add %i, %one : tensor<i32>
    %3 = cleave.dot_general %x, %dy, batching_dims = [] x [], contracting_dims = [0] x [0] : (tensor<64x8xf32>, tensor<64x8xf32>) -> tensor<8x8xf32>
    %4 = cleave.add %acc, %3 : tensor<8x8xf32>
    %5 = cleave.tanh %acc : tensor<8x8xf32>
    cleave.return %2, %4, %5 : tensor<i32>, tensor<8x8xf32>, tensor<8x8xf32>
  }
  %6 = cleave.add %0#1, %0#2 : tensor<8x8xf32>
  return %6 : tensor<8x8xf32>
}

// Both branches give partial sums, of which one row is used.
// BRANCH: %[[I:.*]] = cleave.if {{.*}} partial = [sum "x"]
// BRANCH-NOT: spmd.reshard
// BRANCH: %[[S:.*]] = cleave.slice %[[I]] {{.*}} partial = [sum "x"]
// BRANCH-NEXT: spmd.reshard %[[S]]
//--- branch.mlir
spmd.mesh @m <"x"=4>
func.func @main(%p: tensor<i1>, %a: tensor<8x16xf32> {spmd.sharding = #spmd.sharding<@m, [{}, {"x"}]>}, %b: tensor<16x32xf32>, %c: tensor<16x32xf32>) -> tensor<1x32xf32> {
  %0 = cleave.if %p : (tensor<i1>) -> tensor<8x32xf32> then {
    %2 = cleave.linear %a, %b : (tensor<8x16xf32>, tensor<16x32xf32>) -> tensor<8x32xf32>
    cleave.return %2 : tensor<8x32xf32>
  } else {
    %3 = cleave.linear %a, %c : (tensor<8x16xf32>, tensor<16x32xf32>) -> tensor<8x32xf32>
    %4 = cleave.negate %3 : tensor<8x32xf32>
    cleave.return %4 : tensor<8x32xf32>
  }
  %1 = cleave.slice %0 [2:3, 0:32] : (tensor<8x32xf32>) -> tensor<1x32xf32>
  return %1 : tensor<1x32xf32>
}

// An annotation asks for a partial result.
// WANTED: %[[L:.*]] = cleave.linear {{.*}} partial = [sum "x"]
// WANTED: %[[R:.*]] = spmd.reshard %[[L]] <@m, [{}, {}], partial = [sum "x"]>
// WANTED: %[[N:.*]] = cleave.negate %[[R]] {{.*}} partial = [sum "x"]
// WANTED: return %[[N]]
//--- wanted.mlir
spmd.mesh @m <"x"=4>
func.func @main(%a: tensor<8x16xf32> {spmd.sharding = #spmd.sharding<@m, [{}, {"x"}]>}, %b: tensor<16x32xf32>)
    -> (tensor<8x32xf32> {spmd.sharding = #spmd.sharding<@m, [{}, {}], partial = [sum "x"]>}) {
  %0 = cleave.linear %a, %b : (tensor<8x16xf32>, tensor<16x32xf32>) -> tensor<8x32xf32>
  %1 = spmd.sharding_constraint %0 <@m, [{}, {}], partial = [sum "x"]> : tensor<8x32xf32>
  %2 = cleave.negate %1 : tensor<8x32xf32>
  return %2 : tensor<8x32xf32>
}

// Terms over one axis meet, those over another one do not; where one of them is needed complete, it is, once.
// TWO: %[[A:.*]] = cleave.linear %arg0, {{.*}} partial = [sum "x"]
// TWO: %[[B:.*]] = cleave.linear %arg0, {{.*}} partial = [sum "x"]
// TWO: %[[C:.*]] = cleave.linear %arg1, {{.*}} partial = [sum "y"]
// TWO: %[[CR:.*]] = spmd.reshard %[[C]] <@m, [{}, {}]>
// TWO: %[[S:.*]] = cleave.subtract %[[A]], %[[B]] {{.*}} partial = [sum "x"]
// TWO: %[[R:.*]] = spmd.reshard %[[S]] <@m, [{}, {}]>
// TWO: cleave.add %[[R]], %[[CR]]
// TWO-NOT: spmd.reshard
//--- two-sums.mlir
spmd.mesh @m <"x"=2, "y"=2>
func.func @main(%a: tensor<8x16xf32> {spmd.sharding = #spmd.sharding<@m, [{}, {"x"}]>}, %c: tensor<8x16xf32> {spmd.sharding = #spmd.sharding<@m, [{}, {"y"}]>},
    %v: tensor<16x32xf32>, %w: tensor<16x32xf32>, %u: tensor<16x32xf32>) -> tensor<8x32xf32> {
  %0 = cleave.linear %a, %v : (tensor<8x16xf32>, tensor<16x32xf32>) -> tensor<8x32xf32>
  %1 = cleave.linear %a, %w : (tensor<8x16xf32>, tensor<16x32xf32>) -> tensor<8x32xf32>
  %2 = cleave.linear %c, %u : (tensor<8x16xf32>, tensor<16x32xf32>) -> tensor<8x32xf32>
  %3 = cleave.subtract %0, %1 : tensor<8x32xf32>
  %4 = cleave.add %3, %2 : tensor<8x32xf32>
  return %4 : tensor<8x32xf32>
}

// In the body of a manual computation terms over a free axis go through the author's sum over the manual one, which leaves
// a fourth of them.
// MANUAL: cleave.dot_general {{.*}} partial = [sum "y"]
// MANUAL-NEXT: %[[S:.*]] = spmd.reduce_scatter sum {{.*}} partial = [sum "y"]
// MANUAL-NEXT: spmd.reshard %[[S]] <@m, [{}, {}]> cause "spmd.reduce_scatter carries [{}, {}] partial sum over \22y\22 (\22y\22 on dim 1 from argument 'arg0'), wanted is [{}, {}]"
// MANUAL-NOT: spmd.reshard
//--- manual.mlir
spmd.mesh @m <"x"=4, "y"=2>
func.func @main(%a: tensor<32x16xf32> {spmd.sharding = #spmd.sharding<@m, [{"x"}, {"y"}]>}, %b: tensor<16x32xf32>) -> tensor<8x32xf32> {
  %0 = spmd.manual_computation(%a, %b) in [#spmd.sharding<@m, [{"x"}, {?}]>, #spmd.sharding<@m, [{?}, {?}]>] out [#spmd.sharding<@m, [{"x"}, {}]>] free ["y"]
      : (tensor<32x16xf32>, tensor<16x32xf32>) -> tensor<8x32xf32> {
  ^bb0(%l: tensor<8x16xf32>, %w: tensor<16x32xf32>):
    %1 = cleave.dot_general %l, %w, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x32xf32>) -> tensor<8x32xf32>
    %2 = spmd.reduce_scatter sum %1 dim 0 over @m ["x"] : tensor<8x32xf32> -> tensor<2x32xf32>
    spmd.return %2 : tensor<2x32xf32>
  }
  return %0 : tensor<8x32xf32>
}

// A loop in such a body: one sum after it.
// MANUALLOOP: %[[W:.*]]:2 = cleave.while{{.*}} [#spmd.sharding<@m, []>, #spmd.sharding<@m, [{}, {}], partial = [sum "y"]>]
// MANUALLOOP-NOT: spmd.reshard
// MANUALLOOP: %[[R:.*]] = spmd.reshard %[[W]]#1 <@m, [{}, {}]>
// MANUALLOOP: spmd.return %[[R]]
//--- manual-loop.mlir
spmd.mesh @m <"x"=2, "y"=2>
func.func @main(%x: tensor<64x8xf32> {spmd.sharding = #spmd.sharding<@m, [{"x", "y"}, {}]>}, %dy: tensor<64x8xf32>) -> tensor<16x8xf32> {
  %r = spmd.manual_computation(%x, %dy) in [#spmd.sharding<@m, [{"x", ?}, {}]>, #spmd.sharding<@m, [{"x", ?}, {}]>] out [#spmd.sharding<@m, [{"x"}, {}]>] free ["y"]
      : (tensor<64x8xf32>, tensor<64x8xf32>) -> tensor<16x8xf32> {
  ^bb0(%l: tensor<32x8xf32>, %d: tensor<32x8xf32>):
    %i0 = cleave.constant dense<0> : tensor<i32>
    %one = cleave.constant dense<1> : tensor<i32>
    %n = cleave.constant dense<3> : tensor<i32>
    %zero = cleave.constant dense<0.0> : tensor<8x8xf32>
    %0:2 = cleave.while(%i = %i0, %acc = %zero) : tensor<i32>, tensor<8x8xf32>
    cond {
      %1 = cleave.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      cleave.return %1 : tensor<i1>
    } do {
      %2 = cleave.add %i, %one : tensor<i32>
      %3 = cleave.dot_general %l, %d, batching_dims = [] x [], contracting_dims = [0] x [0] : (tensor<32x8xf32>, tensor<32x8xf32>) -> tensor<8x8xf32>
      %4 = cleave.add %acc, %3 : tensor<8x8xf32>
      cleave.return %2, %4 : tensor<i32>, tensor<8x8xf32>
    }
    spmd.return %0#1 : tensor<8x8xf32>
  }
  return %r : tensor<16x8xf32>
}

// A maximum needs the sum.
// MAXIMUM-NOT: partial =
//--- manual-maximum.mlir
spmd.mesh @m <"x"=4, "y"=2>
func.func @main(%a: tensor<32x16xf32> {spmd.sharding = #spmd.sharding<@m, [{"x"}, {"y"}]>}, %b: tensor<16x32xf32>) -> tensor<8x32xf32> {
  %0 = spmd.manual_computation(%a, %b) in [#spmd.sharding<@m, [{"x"}, {?}]>, #spmd.sharding<@m, [{?}, {?}]>] out [#spmd.sharding<@m, [{"x"}, {}]>] free ["y"]
      : (tensor<32x16xf32>, tensor<16x32xf32>) -> tensor<8x32xf32> {
  ^bb0(%l: tensor<8x16xf32>, %w: tensor<16x32xf32>):
    %1 = cleave.dot_general %l, %w, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x32xf32>) -> tensor<8x32xf32>
    %2 = spmd.reduce_scatter max %1 dim 0 over @m ["x"] : tensor<8x32xf32> -> tensor<2x32xf32>
    spmd.return %2 : tensor<2x32xf32>
  }
  return %0 : tensor<8x32xf32>
}

// UNSHARDED: error: argument 0 has no sharding; run cleave-propagate-shardings first
//--- unsharded.mlir
spmd.mesh @m <"x"=4>
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  return %a : tensor<8xf32>
}
