// RUN: cleave-opt %s -cleave-verify-shardings -split-input-file -verify-diagnostics

// Right: the sum is partial until it is reduced, and bias and residual enter after that.
spmd.mesh @m <"x"=2>
#whole = #spmd.sharding<@m, [{}, {}]>
#partial = #spmd.sharding<@m, [{}, {}], partial = [sum "x"]>
func.func @right(%a: tensor<8x8xf32> {spmd.sharding = #spmd.sharding<@m, [{}, {"x"}]>},
                 %b: tensor<8x8xf32> {spmd.sharding = #spmd.sharding<@m, [{"x"}, {}]>},
                 %r: tensor<8x8xf32> {spmd.sharding = #whole}) -> (tensor<8x8xf32> {spmd.sharding = #whole}) {
  %0 = cleave.linear %a, %b {spmd.shardings = [#partial]} : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  // Linear ops may come before the reduction.
  %1 = cleave.transpose %0, dims = [1, 0] {spmd.shardings = [#partial]} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %2 = cleave.add %1, %0 {spmd.shardings = [#partial]} : tensor<8x8xf32>
  %3 = cleave.multiply %2, %r {spmd.shardings = [#partial]} : tensor<8x8xf32>
  %4 = spmd.reshard %3 <@m, [{}, {}]> {spmd.shardings = [#whole]} : tensor<8x8xf32>
  %5 = cleave.add %4, %r {spmd.shardings = [#whole]} : tensor<8x8xf32>
  return %5 : tensor<8x8xf32>
}

// -----

// A missing reduction: the product claims to be complete.
spmd.mesh @m <"x"=2>
func.func @missing(%a: tensor<8x8xf32> {spmd.sharding = #spmd.sharding<@m, [{}, {"x"}]>},
                   %b: tensor<8x8xf32> {spmd.sharding = #spmd.sharding<@m, [{"x"}, {}]>})
    -> (tensor<8x8xf32> {spmd.sharding = #spmd.sharding<@m, [{}, {}]>}) {
  // expected-error @+1 {{result should be partial over "x", but its sharding is #spmd.sharding<@m, [{}, {}]>}}
  %0 = cleave.linear %a, %b {spmd.shardings = [#spmd.sharding<@m, [{}, {}]>]} : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// -----

// A missing reduction: the partial value is returned as if it were whole.
spmd.mesh @m <"x"=2>
func.func @missing(%a: tensor<8x8xf32> {spmd.sharding = #spmd.sharding<@m, [{}, {"x"}]>},
                   %b: tensor<8x8xf32> {spmd.sharding = #spmd.sharding<@m, [{"x"}, {}]>})
    -> (tensor<8x8xf32> {spmd.sharding = #spmd.sharding<@m, [{}, {}]>}) {
  %0 = cleave.linear %a, %b {spmd.shardings = [#spmd.sharding<@m, [{}, {}], partial = [sum "x"]>]} : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  // expected-error @+1 {{operand 0 is not placed as result 0 says}}
  return %0 : tensor<8x8xf32>
}

// -----

// A doubled reduction: a complete value is taken for a partial one.
spmd.mesh @m <"x"=2>
func.func @doubled(%a: tensor<8x8xf32> {spmd.sharding = #spmd.sharding<@m, [{}, {}]>})
    -> (tensor<8x8xf32> {spmd.sharding = #spmd.sharding<@m, [{}, {}]>}) {
  // expected-error @+1 {{result should be partial over no axis, but its sharding is #spmd.sharding<@m, [{}, {}], partial = [sum "x"]>}}
  %0 = cleave.negate %a {spmd.shardings = [#spmd.sharding<@m, [{}, {}], partial = [sum "x"]>]} : tensor<8x8xf32>
  %1 = spmd.reshard %0 <@m, [{}, {}]> {spmd.shardings = [#spmd.sharding<@m, [{}, {}]>]} : tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}

// -----

// A doubled reduction: what was reduced already is said to be partial still.
spmd.mesh @m <"x"=2>
func.func @doubled(%a: tensor<8x8xf32> {spmd.sharding = #spmd.sharding<@m, [{}, {"x"}]>},
                   %b: tensor<8x8xf32> {spmd.sharding = #spmd.sharding<@m, [{"x"}, {}]>})
    -> (tensor<8x8xf32> {spmd.sharding = #spmd.sharding<@m, [{}, {}]>}) {
  %0 = cleave.linear %a, %b {spmd.shardings = [#spmd.sharding<@m, [{}, {}], partial = [sum "x"]>]} : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  // expected-error @+1 {{result is not placed as the reshard says}}
  %1 = spmd.reshard %0 <@m, [{}, {}]> {spmd.shardings = [#spmd.sharding<@m, [{}, {}], partial = [sum "x"]>]} : tensor<8x8xf32>
  %2 = spmd.reshard %1 <@m, [{}, {}]> {spmd.shardings = [#spmd.sharding<@m, [{}, {}]>]} : tensor<8x8xf32>
  return %2 : tensor<8x8xf32>
}

// -----

// Summed over another axis than the one it is partial over.
spmd.mesh @m <"x"=2, "y"=2>
func.func @other_axis(%a: tensor<8x8xf32> {spmd.sharding = #spmd.sharding<@m, [{}, {"x"}]>},
                      %b: tensor<8x8xf32> {spmd.sharding = #spmd.sharding<@m, [{"x"}, {}]>})
    -> (tensor<8x8xf32> {spmd.sharding = #spmd.sharding<@m, [{}, {}]>}) {
  // expected-error @+1 {{result should be partial over "x", but its sharding is #spmd.sharding<@m, [{}, {}], partial = [sum "y"]>}}
  %0 = cleave.linear %a, %b {spmd.shardings = [#spmd.sharding<@m, [{}, {}], partial = [sum "y"]>]} : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// -----

// Not the reduction that the op leaves open.
spmd.mesh @m <"x"=2>
func.func @other_kind(%a: tensor<8x8xf32> {spmd.sharding = #spmd.sharding<@m, [{}, {"x"}]>},
                      %b: tensor<8x8xf32> {spmd.sharding = #spmd.sharding<@m, [{"x"}, {}]>})
    -> (tensor<8x8xf32> {spmd.sharding = #spmd.sharding<@m, [{}, {}]>}) {
  // expected-error @+1 {{result should be partial over "x", but its sharding is #spmd.sharding<@m, [{}, {}], partial = [max "x"]>}}
  %0 = cleave.linear %a, %b {spmd.shardings = [#spmd.sharding<@m, [{}, {}], partial = [max "x"]>]} : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// -----

// An activation of a partial sum.
spmd.mesh @m <"x"=2>
#partial = #spmd.sharding<@m, [{}, {}], partial = [sum "x"]>
func.func @nonlinear(%a: tensor<8x8xf32> {spmd.sharding = #partial}) -> (tensor<8x8xf32> {spmd.sharding = #partial}) {
  // expected-error @+1 {{operand 0 is a partial result, but the op is not linear in it; reduce it first}}
  %0 = cleave.gelu %a {spmd.shardings = [#partial]} : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// -----

// A residual added on each rank would be counted once per rank.
spmd.mesh @m <"x"=2>
#partial = #spmd.sharding<@m, [{}, {}], partial = [sum "x"]>
func.func @residual(%a: tensor<8x8xf32> {spmd.sharding = #partial}, %r: tensor<8x8xf32> {spmd.sharding = #spmd.sharding<@m, [{}, {}]>})
    -> (tensor<8x8xf32> {spmd.sharding = #partial}) {
  // expected-error @+1 {{operand 0 is a partial result, but the op is not linear in it; reduce it first}}
  %0 = cleave.add %a, %r {spmd.shardings = [#partial]} : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// -----

// The product of two sums is not the sum of the products.
spmd.mesh @m <"x"=2>
#partial = #spmd.sharding<@m, [{}, {}], partial = [sum "x"]>
func.func @product(%a: tensor<8x8xf32> {spmd.sharding = #partial}) -> (tensor<8x8xf32> {spmd.sharding = #partial}) {
  // expected-error @+1 {{operand 0 is a partial result, but the op is not linear in it; reduce it first}}
  %0 = cleave.multiply %a, %a {spmd.shardings = [#partial]} : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// -----

// Partial over different axes.
spmd.mesh @m <"x"=2, "y"=2>
func.func @axes(%a: tensor<8xf32> {spmd.sharding = #spmd.sharding<@m, [{}], partial = [sum "x"]>},
                %b: tensor<8xf32> {spmd.sharding = #spmd.sharding<@m, [{}], partial = [sum "y"]>})
    -> (tensor<8xf32> {spmd.sharding = #spmd.sharding<@m, [{}], partial = [sum "x"]>}) {
  // expected-error @+1 {{operand 0 is a partial result, but the op is not linear in it; reduce it first}}
  %0 = cleave.add %a, %b {spmd.shardings = [#spmd.sharding<@m, [{}], partial = [sum "x"]>]} : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// A partial maximum passes through no sum.
spmd.mesh @m <"x"=2>
#partial = #spmd.sharding<@m, [{}], partial = [max "x"]>
func.func @maximum(%a: tensor<8xf32> {spmd.sharding = #partial}) -> (tensor<8xf32> {spmd.sharding = #partial}) {
  // expected-error @+1 {{operand 0 is a partial result, but the op is not linear in it; reduce it first}}
  %0 = cleave.negate %a {spmd.shardings = [#partial]} : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

spmd.mesh @m <"x"=2>
func.func @made_partial(%a: tensor<8xf32> {spmd.sharding = #spmd.sharding<@m, [{}]>})
    -> (tensor<8xf32> {spmd.sharding = #spmd.sharding<@m, [{}], partial = [sum "x"]>}) {
  // expected-error @+1 {{cannot make a value partial over "x"}}
  %0 = spmd.reshard %a <@m, [{}], partial = [sum "x"]> {spmd.shardings = [#spmd.sharding<@m, [{}], partial = [sum "x"]>]} : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

spmd.mesh @m <"x"=2>
func.func @no_sharding(%a: tensor<8xf32> {spmd.sharding = #spmd.sharding<@m, [{}]>}) -> tensor<8xf32> {
  // expected-error @+1 {{a result has no sharding}}
  %0 = cleave.negate %a : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

spmd.mesh @m <"x"=2>
func.func @no_sharding(%a: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{an operand has no sharding}}
  %0 = cleave.negate %a {spmd.shardings = [#spmd.sharding<@m, [{}]>]} : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

spmd.mesh @m <"x"=2>
func.func @no_sharding(%a: tensor<8xf32> {spmd.sharding = #spmd.sharding<@m, [{}]>}) -> tensor<8xf32> {
  // expected-error @+1 {{operand 0 is not placed as result 0 says}}
  return %a : tensor<8xf32>
}

// -----

spmd.mesh @m <"x"=2>
func.func @disagree(%a: tensor<8xf32> {spmd.sharding = #spmd.sharding<@m, [{"x"}]>}, %b: tensor<8xf32> {spmd.sharding = #spmd.sharding<@m, [{}]>})
    -> (tensor<8xf32> {spmd.sharding = #spmd.sharding<@m, [{"x"}]>}) {
  // expected-error @+1 {{operands or results disagree: {"x"} and {} for one factor}}
  %0 = cleave.add %a, %b {spmd.shardings = [#spmd.sharding<@m, [{"x"}]>]} : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// One axis for rows and columns of a product: each rank would have only the diagonal.
spmd.mesh @m <"x"=2>
func.func @diagonal(%a: tensor<8x8xf32> {spmd.sharding = #spmd.sharding<@m, [{"x"}, {}]>}, %b: tensor<8x8xf32> {spmd.sharding = #spmd.sharding<@m, [{}, {"x"}]>})
    -> (tensor<8xf32> {spmd.sharding = #spmd.sharding<@m, [{}]>}) {
  %z = cleave.constant {spmd.shardings = [#spmd.sharding<@m, []>]} dense<0.0> : tensor<f32>
  // expected-error @+1 {{operands or results disagree: {"x"} and {} for one factor}}
  %0 = cleave.linear %a, %b {spmd.shardings = [#spmd.sharding<@m, [{"x"}, {}]>]} : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = cleave.reduce(%0 init: %z) applies cleave.add across dimensions = [1] {spmd.shardings = [#spmd.sharding<@m, [{}]>]} : (tensor<8x8xf32>, tensor<f32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}

// -----

spmd.mesh @m <"x"=2>
func.func @twice(%a: tensor<8x8xf32> {spmd.sharding = #spmd.sharding<@m, [{"x"}, {}]>}, %b: tensor<8x8xf32> {spmd.sharding = #spmd.sharding<@m, [{}, {}]>})
    -> (tensor<8x8x8xf32> {spmd.sharding = #spmd.sharding<@m, [{}, {}, {}]>}) {
  // expected-error @+1 {{operands or results disagree}}
  %0 = cleave.dot_general %a, %b, batching_dims = [] x [], contracting_dims = [1] x [0] {spmd.shardings = [#spmd.sharding<@m, [{}, {"x"}]>]}
      : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = cleave.broadcast_in_dim %0, dims = [1, 2] {spmd.shardings = [#spmd.sharding<@m, [{}, {}, {}]>]} : (tensor<8x8xf32>) -> tensor<8x8x8xf32>
  return %1 : tensor<8x8x8xf32>
}

// -----

spmd.mesh @m <"x"=2>
func.func @two_dimensions(%a: tensor<8x8xf32> {spmd.sharding = #spmd.sharding<@m, [{"x"}, {}]>},
                          %b: tensor<8x8xf32> {spmd.sharding = #spmd.sharding<@m, [{"x"}, {}]>})
    -> (tensor<8x8xf32> {spmd.sharding = #spmd.sharding<@m, [{"x"}, {}]>}) {
  // expected-error @+1 {{operands or results disagree: {} and {"x"} for one factor}}
  %0 = cleave.linear %a, %b {spmd.shardings = [#spmd.sharding<@m, [{"x"}, {}]>]} : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// -----

spmd.mesh @m <"x"=2>
func.func @whole(%a: tensor<8x8xf32> {spmd.sharding = #spmd.sharding<@m, [{"x"}, {}]>}) -> (tensor<8x8xf32> {spmd.sharding = #spmd.sharding<@m, [{"x"}, {}]>}) {
  // expected-error @+1 {{needs a dimension whole that is cut over "x"}}
  %0 = cleave.cholesky lower %a {spmd.shardings = [#spmd.sharding<@m, [{"x"}, {}]>]} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// -----

// Blocks of 4 over 4 ranks are no blocks of two halves.
spmd.mesh @m <"x"=4>
func.func @factors(%a: tensor<14xf32> {spmd.sharding = #spmd.sharding<@m, [{"x"}]>}) -> (tensor<2x7xf32> {spmd.sharding = #spmd.sharding<@m, [{}, {}]>}) {
  // expected-error @+1 {{sharding #spmd.sharding<@m, [{"x"}]> does not cut along the op's factors}}
  %0 = cleave.reshape %a {spmd.shardings = [#spmd.sharding<@m, [{}, {}]>]} : (tensor<14xf32>) -> tensor<2x7xf32>
  return %0 : tensor<2x7xf32>
}

// -----

spmd.mesh @m <"x"=2>
#cut = #spmd.sharding<@m, [{"x"}]>
func.func @loop(%a: tensor<8xf32> {spmd.sharding = #cut}, %p: tensor<i1> {spmd.sharding = #spmd.sharding<@m, []>}) -> (tensor<8xf32> {spmd.sharding = #cut}) {
  %0 = cleave.while(%i = %a) : tensor<8xf32> attributes {spmd.shardings = [#cut]}
  cond {
    cleave.return %p : tensor<i1>
  } do {
    %1 = spmd.reshard %i <@m, [{}]> {spmd.shardings = [#spmd.sharding<@m, [{}]>]} : tensor<8xf32>
    // expected-error @+1 {{operand 0 is not placed as the variable it becomes}}
    cleave.return %1 : tensor<8xf32>
  }
  return %0 : tensor<8xf32>
}

// -----

// A branch that depends on the rank would leave others waiting in a collective.
spmd.mesh @m <"x"=2>
func.func @predicate(%a: tensor<i1> {spmd.sharding = #spmd.sharding<@m, [], partial = [or "x"]>}, %b: tensor<8xf32> {spmd.sharding = #spmd.sharding<@m, [{}]>})
    -> (tensor<8xf32> {spmd.sharding = #spmd.sharding<@m, [{}]>}) {
  // expected-error @+1 {{operand 0 steers the op and must be complete on every rank}}
  %0 = cleave.if %a {spmd.shardings = [#spmd.sharding<@m, [{}]>]} : (tensor<i1>) -> tensor<8xf32> then {
    cleave.return %b : tensor<8xf32>
  } else {
    cleave.return %b : tensor<8xf32>
  }
  return %0 : tensor<8xf32>
}

// -----

spmd.mesh @m <"x"=2>
#cut = #spmd.sharding<@m, [{"x"}]>
func.func @condition(%a: tensor<8xf32> {spmd.sharding = #cut}, %p: tensor<i1> {spmd.sharding = #spmd.sharding<@m, [], partial = [or "x"]>}) -> (tensor<8xf32> {spmd.sharding = #cut}) {
  %0 = cleave.while(%i = %a) : tensor<8xf32> attributes {spmd.shardings = [#cut]}
  cond {
    // expected-error @+1 {{operand 0 steers the op and must be complete on every rank}}
    cleave.return %p : tensor<i1>
  } do {
    cleave.return %i : tensor<8xf32>
  }
  return %0 : tensor<8xf32>
}

// -----

spmd.mesh @m <"x"=2>
func.func @manual(%a: tensor<8xf32> {spmd.sharding = #spmd.sharding<@m, [{}]>}) -> (tensor<8xf32> {spmd.sharding = #spmd.sharding<@m, [{}]>}) {
  // expected-error @+1 {{operand 0 is not placed as the manual computation says}}
  %0 = spmd.manual_computation(%a) in [#spmd.sharding<@m, [{"x"}]>] out [#spmd.sharding<@m, [{}]>] {spmd.shardings = [#spmd.sharding<@m, [{}]>]}
      : (tensor<8xf32>) -> tensor<8xf32> {
  ^bb0(%0: tensor<4xf32>):
    %1 = cleave.concatenate %0, %0, dim = 0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>
    spmd.return %1 : tensor<8xf32>
  }
  return %0 : tensor<8xf32>
}

// -----

spmd.mesh @m <"x"=2>
func.func @manual() -> (tensor<8xf32> {spmd.sharding = #spmd.sharding<@m, [{}]>}) {
  // expected-error @+1 {{result 0 is not placed as the manual computation says}}
  %0 = spmd.manual_computation() in [] out [#spmd.sharding<@m, [{}], partial = [sum "x"]>] {spmd.shardings = [#spmd.sharding<@m, [{}]>]}
      : () -> tensor<8xf32> {
    %1 = cleave.constant dense<0.0> : tensor<8xf32>
    spmd.return %1 : tensor<8xf32>
  }
  return %0 : tensor<8xf32>
}

// -----

spmd.mesh @m <"x"=2>
func.func @reshard(%a: tensor<8xf32>) -> (tensor<8xf32> {spmd.sharding = #spmd.sharding<@m, [{}]>}) {
  // expected-error @+1 {{an operand has no sharding}}
  %0 = spmd.reshard %a <@m, [{}]> {spmd.shardings = [#spmd.sharding<@m, [{}]>]} : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// In a manual computation with free axes, too.
spmd.mesh @m <"x"=2, "y"=2>
func.func @free_axes(%a: tensor<8xf32> {spmd.sharding = #spmd.sharding<@m, [{"x"}]>}) -> (tensor<8xf32> {spmd.sharding = #spmd.sharding<@m, [{"x"}]>}) {
  %0 = spmd.manual_computation(%a) in [#spmd.sharding<@m, [{"x"}]>] out [#spmd.sharding<@m, [{"x"}]>] free ["y"] {spmd.shardings = [#spmd.sharding<@m, [{"x"}]>]}
      : (tensor<8xf32>) -> tensor<8xf32> {
  ^bb0(%l: tensor<4xf32>):
    // expected-error @+1 {{operands or results disagree}}
    %1 = cleave.negate %l {spmd.shardings = [#spmd.sharding<@m, [{"y"}]>]} : tensor<4xf32>
    spmd.return %1 : tensor<4xf32>
  }
  return %0 : tensor<8xf32>
}

// -----

spmd.mesh @m <"x"=2, "y"=2>
func.func @returned_over_free_axes(%a: tensor<8xf32> {spmd.sharding = #spmd.sharding<@m, [{"x", "y"}]>}) -> (tensor<8xf32> {spmd.sharding = #spmd.sharding<@m, [{"x"}]>}) {
  %0 = spmd.manual_computation(%a) in [#spmd.sharding<@m, [{"x", "y"}]>] out [#spmd.sharding<@m, [{"x"}]>] free ["y"] {spmd.shardings = [#spmd.sharding<@m, [{"x"}]>]}
      : (tensor<8xf32>) -> tensor<8xf32> {
  ^bb0(%l: tensor<4xf32>):
    // expected-error @+1 {{operand 0 is not placed as the manual computation says}}
    spmd.return %l : tensor<4xf32>
  }
  return %0 : tensor<8xf32>
}
