// RUN: cleave-opt %s -cleave-propagate-shardings -cleave-insert-reshards -cleave-verify-shardings -cleave-partition-to-local -split-input-file | FileCheck %s

// Local types; the global type and the sharding stay on the signature.
spmd.mesh @m <"x"=2, "y"=4>
func.func @elementwise(%a: tensor<8x8xf32> {cleave.name = "a", spmd.sharding = #spmd.sharding<@m, [{"x"}, {"y"}]>}) -> tensor<8x8xf32> {
  %0 = cleave.negate %a {cleave.name = "n"} : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// -----

spmd.mesh @m <"x"=4>
func.func @all_reduce(%a: tensor<8x16xf32> {spmd.sharding = #spmd.sharding<@m, [{}, {"x"}]>},
                      %b: tensor<16x8xf32> {spmd.sharding = #spmd.sharding<@m, [{"x"}, {}]>})
    -> (tensor<8x8xf32> {spmd.sharding = #spmd.sharding<@m, [{}, {}]>}) {
  %0 = cleave.linear %a, %b : (tensor<8x16xf32>, tensor<16x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// -----

spmd.mesh @m <"x"=4>
func.func @reduce_scatter(%a: tensor<8x16xf32> {spmd.sharding = #spmd.sharding<@m, [{}, {"x"}]>},
                          %b: tensor<16x8xf32> {spmd.sharding = #spmd.sharding<@m, [{"x"}, {}]>})
    -> (tensor<8x8xf32> {spmd.sharding = #spmd.sharding<@m, [{"x"}, {}]>}) {
  %0 = cleave.linear %a, %b : (tensor<8x16xf32>, tensor<16x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// -----

spmd.mesh @m <"x"=4>
func.func @all_gather(%a: tensor<7x8xf32> {spmd.sharding = #spmd.sharding<@m, [{"x"}, {}]>})
    -> (tensor<7x8xf32> {spmd.sharding = #spmd.sharding<@m, [{}, {}]>}) {
  return %a : tensor<7x8xf32>
}

// -----

spmd.mesh @m <"x"=4>
func.func @all_slice(%a: tensor<7x8xf32> {spmd.sharding = #spmd.sharding<@m, [{}, {}]>})
    -> (tensor<7x8xf32> {spmd.sharding = #spmd.sharding<@m, [{"x"}, {}]>}) {
  return %a : tensor<7x8xf32>
}

// -----

spmd.mesh @m <"x"=4>
func.func @all_to_all(%a: tensor<8x16xf32> {spmd.sharding = #spmd.sharding<@m, [{"x"}, {}]>})
    -> (tensor<8x16xf32> {spmd.sharding = #spmd.sharding<@m, [{}, {"x"}]>}) {
  return %a : tensor<8x16xf32>
}

// -----

// Ranks 1 and 2 swap: the blocks are numbered by y first.
spmd.mesh @m <"x"=2, "y"=2>
func.func @collective_permute(%a: tensor<8xf32> {spmd.sharding = #spmd.sharding<@m, [{"x", "y"}]>})
    -> (tensor<8xf32> {spmd.sharding = #spmd.sharding<@m, [{"y", "x"}]>}) {
  return %a : tensor<8xf32>
}

// -----

// Blocks nest: 7 over x is 4, that over y is 2. Gathering y alone gives exactly the blocks over x.
spmd.mesh @m <"x"=2, "y"=3>
func.func @nested(%a: tensor<7xf32> {spmd.sharding = #spmd.sharding<@m, [{"x", "y"}]>})
    -> (tensor<7xf32> {spmd.sharding = #spmd.sharding<@m, [{"x"}]>}) {
  return %a : tensor<7xf32>
}

// -----

// The padding of a contracted dimension must not count. One operand's zeros would do, were the other's finite.
spmd.mesh @m <"x"=4>
func.func @masked(%a: tensor<8x7xf32> {spmd.sharding = #spmd.sharding<@m, [{}, {"x"}]>},
                  %b: tensor<7x8xf32> {spmd.sharding = #spmd.sharding<@m, [{"x"}, {}]>})
    -> (tensor<8x8xf32> {spmd.sharding = #spmd.sharding<@m, [{}, {}]>}) {
  %0 = cleave.linear %a, %b : (tensor<8x7xf32>, tensor<7x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// -----

// Each reduction has its own neutral element, and its own all_reduce.
spmd.mesh @m <"x"=4>
func.func @maximum(%a: tensor<7x8xf32> {spmd.sharding = #spmd.sharding<@m, [{"x"}, {}]>})
    -> (tensor<8xf32> {spmd.sharding = #spmd.sharding<@m, [{}]>}) {
  %low = cleave.constant dense<0xFF800000> : tensor<f32>
  %0 = cleave.reduce(%a init: %low) applies cleave.maximum across dimensions = [0] : (tensor<7x8xf32>, tensor<f32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// Offsets of a block depend on the rank.
spmd.mesh @m <"x"=4>
func.func @iota() -> (tensor<10xi32> {spmd.sharding = #spmd.sharding<@m, [{"x"}]>}) {
  %0 = cleave.iota dim = 0 : tensor<10xi32>
  return %0 : tensor<10xi32>
}

// -----

spmd.mesh @m <"x"=2>
func.func @while(%a: tensor<8x8xf32> {spmd.sharding = #spmd.sharding<@m, [{"x"}, {}]>}, %w: tensor<8x8xf32> {spmd.sharding = #spmd.sharding<@m, [{}, {}]>},
                 %n: tensor<i32>) -> tensor<8x8xf32> {
  %0:2 = cleave.while(%i = %n, %v = %a) : tensor<i32>, tensor<8x8xf32> attributes {cleave.name = "loop"}
  cond {
    %p = cleave.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    cleave.return %p : tensor<i1>
  } do {
    %t = cleave.linear %v, %w : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    cleave.return %i, %t : tensor<i32>, tensor<8x8xf32>
  }
  return %0#1 : tensor<8x8xf32>
}

// -----

// The branches' values come to one placement, inside the branches.
spmd.mesh @m <"x"=2>
func.func @if(%a: tensor<8xf32> {spmd.sharding = #spmd.sharding<@m, [{"x"}]>}, %b: tensor<8xf32> {spmd.sharding = #spmd.sharding<@m, [{}]>}, %p: tensor<i1>)
    -> (tensor<8xf32> {spmd.sharding = #spmd.sharding<@m, [{"x"}]>}) {
  %0 = cleave.if %p : (tensor<i1>) -> tensor<8xf32> then {
    cleave.return %a : tensor<8xf32>
  } else {
    cleave.return %b : tensor<8xf32>
  }
  return %0 : tensor<8xf32>
}

// -----

spmd.mesh @m <"x"=2>
func.func @manual(%x: tensor<8x8xf32> {spmd.sharding = #spmd.sharding<@m, [{}, {"x"}]>})
    -> (tensor<8x8xf32> {spmd.sharding = #spmd.sharding<@m, [{}, {}]>}) {
  %0 = spmd.manual_computation(%x) in [#spmd.sharding<@m, [{}, {"x"}]>] out [#spmd.sharding<@m, [{}, {}], partial = [sum "x"]>]
      : (tensor<8x8xf32>) -> tensor<8x8xf32> {
  ^bb0(%a: tensor<8x4xf32>):
    %1 = cleave.concatenate %a, %a, dim = 1 {cleave.name = "c"} : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x8xf32>
    spmd.return %1 : tensor<8x8xf32>
  }
  return %0 : tensor<8x8xf32>
}

// -----

// An op without a rule, between a gather and a slice.
spmd.mesh @m <"x"=2>
func.func @unknown(%x: tensor<8xf32> {spmd.sharding = #spmd.sharding<@m, [{"x"}]>}) -> (tensor<8xf32> {spmd.sharding = #spmd.sharding<@m, [{"x"}]>}) {
  %0 = tosa.clamp %x {max_val = 1.0 : f32, min_val = 0.0 : f32} : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// A shape that is smaller than the mesh: the last ranks hold nothing but padding.
spmd.mesh @m <"x"=8>
func.func @empty(%a: tensor<3xf32> {spmd.sharding = #spmd.sharding<@m, [{"x"}]>}) -> (tensor<f32> {spmd.sharding = #spmd.sharding<@m, []>}) {
  %zero = cleave.constant dense<0.0> : tensor<f32>
  %0 = cleave.reduce(%a init: %zero) applies cleave.add across dimensions = [0] : (tensor<3xf32>, tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
