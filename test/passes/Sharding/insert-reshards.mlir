// RUN: cleave-opt %s -cleave-propagate-shardings -cleave-insert-reshards -cleave-verify-shardings -split-input-file | FileCheck %s

// Everything agrees: nothing to do.
spmd.mesh @m <"x"=2>
func.func @agree(%a: tensor<8x8xf32> {spmd.sharding = #spmd.sharding<@m, [{"x"}, {}]>}, %b: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = cleave.add %a, %b : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// -----

// A contracted dimension that is cut: the product is partial, then reduced.
spmd.mesh @m <"x"=2>
func.func @contracted(%a: tensor<8x8xf32> {spmd.sharding = #spmd.sharding<@m, [{}, {"x"}]>},
                      %b: tensor<8x8xf32> {spmd.sharding = #spmd.sharding<@m, [{"x"}, {}]>}) -> tensor<8x8xf32> {
  %0 = cleave.linear %a, %b : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// -----

// An annotated operand that the op wants otherwise. Two uses share one reshard.
spmd.mesh @m <"x"=2>
func.func @operand(%a: tensor<64x64xf32> {spmd.sharding = #spmd.sharding<@m, [{"x"}, {}]>},
                   %b: tensor<64xf32> {spmd.sharding = #spmd.sharding<@m, [{"x"}]>}) -> (tensor<64x64xf32>, tensor<64x64xf32>) {
  %0 = cleave.layer_norm %a, %b, %b, epsilon = 1.0e-5 : (tensor<64x64xf32>, tensor<64xf32>, tensor<64xf32>) -> tensor<64x64xf32>
  %1 = cleave.layer_norm %0, %b, %b, epsilon = 1.0e-5 : (tensor<64x64xf32>, tensor<64xf32>, tensor<64xf32>) -> tensor<64x64xf32>
  return %0, %1 : tensor<64x64xf32>, tensor<64x64xf32>
}

// -----

// A constraint becomes a reshard; a result that is annotated otherwise needs one.
spmd.mesh @m <"x"=2, "y"=2>
func.func @constraint(%a: tensor<8x8xf32> {spmd.sharding = #spmd.sharding<@m, [{"x"}, {}]>})
    -> (tensor<8x8xf32> {spmd.sharding = #spmd.sharding<@m, [{}, {"x"}]>}) {
  %0 = spmd.sharding_constraint %a <@m, [{"y"}, {}]> : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// -----

// The author's own reshard keeps its place.
spmd.mesh @m <"x"=2, "y"=2>
func.func @reshard(%a: tensor<8x8xf32> {spmd.sharding = #spmd.sharding<@m, [{"x"}, {}]>}) -> tensor<8x8xf32> {
  %0 = spmd.reshard %a <@m, [{}, {"y", ?}]> cause "mine" : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// -----

// A predicate must be whole: every rank takes the same branch.
spmd.mesh @m <"x"=2>
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
func.func @unknown(%x: tensor<8xf32> {spmd.sharding = #spmd.sharding<@m, [{"x"}]>}) -> (tensor<8xf32> {spmd.sharding = #spmd.sharding<@m, [{"x"}]>}) {
  %0 = tosa.clamp %x {max_val = 1.0 : f32, min_val = 0.0 : f32} : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
