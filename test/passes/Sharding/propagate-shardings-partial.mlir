// RUN: cleave-opt %s -cleave-propagate-shardings -verify-diagnostics -split-input-file

// Constraints that are partial where nothing is made of terms.

spmd.mesh @m <"x"=2>
func.func @not_linear(%x: tensor<4x8xf32> {spmd.sharding = #spmd.sharding<@m, [{}, {"x"}]>}, %w: tensor<8x4xf32>) -> tensor<4x4xf32> {
  %0 = cleave.linear %x, %w : (tensor<4x8xf32>, tensor<8x4xf32>) -> tensor<4x4xf32>
  // expected-note@+1 {{'cleave.exponential' gives the whole value: only what reduces (sum) a dimension that is cut over "x", or is linear in operands that are partial, leaves it unreduced}}
  %1 = cleave.exponential %0 : tensor<4x4xf32>
  // expected-error@+1 {{is partial over "x", but its operand is not made of terms}}
  %2 = spmd.sharding_constraint %1 <@m, [{}, {}], partial = [sum "x"]> : tensor<4x4xf32>
  return %2 : tensor<4x4xf32>
}

// -----

// One of the addends only.
spmd.mesh @m <"x"=2>
// expected-note@+1 {{an argument that is not partial has the whole value}}
func.func @one_addend(%x: tensor<4x8xf32> {spmd.sharding = #spmd.sharding<@m, [{}, {"x"}]>}, %w: tensor<8x4xf32>, %b: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = cleave.linear %x, %w : (tensor<4x8xf32>, tensor<8x4xf32>) -> tensor<4x4xf32>
  %1 = cleave.add %0, %b : tensor<4x4xf32>
  // expected-error@+1 {{is partial over "x", but its operand is not made of terms}}
  %2 = spmd.sharding_constraint %1 <@m, [{}, {}], partial = [sum "x"]> : tensor<4x4xf32>
  return %2 : tensor<4x4xf32>
}

// -----

// The contracted dimension is cut over another axis, and the sum is no maximum.
spmd.mesh @m <"x"=2, "y"=2>
// expected-note@+1 {{an argument that is not partial has the whole value: only what reduces (sum) a dimension that is cut over "y"}}
func.func @other_axis(%x: tensor<4x8xf32> {spmd.sharding = #spmd.sharding<@m, [{}, {"x"}]>}, %w: tensor<8x4xf32>) -> tensor<4x4xf32> {
  %0 = cleave.linear %x, %w : (tensor<4x8xf32>, tensor<8x4xf32>) -> tensor<4x4xf32>
  // expected-error@+1 {{is partial over "y", but its operand is not made of terms}}
  %1 = spmd.sharding_constraint %0 <@m, [{}, {}], partial = [sum "y"]> : tensor<4x4xf32>
  return %1 : tensor<4x4xf32>
}

// -----

spmd.mesh @m <"x"=2, "y"=2>
func.func @other_kind(%x: tensor<4x8xf32> {spmd.sharding = #spmd.sharding<@m, [{}, {"x"}]>}, %w: tensor<8x4xf32>) -> tensor<4x4xf32> {
  // expected-note@+1 {{'cleave.linear' gives the whole value: only what reduces (max)}}
  %0 = cleave.linear %x, %w : (tensor<4x8xf32>, tensor<8x4xf32>) -> tensor<4x4xf32>
  // expected-error@+1 {{is partial over "x", but its operand is not made of terms}}
  %1 = spmd.sharding_constraint %0 <@m, [{}, {}], partial = [max "x"]> : tensor<4x4xf32>
  return %1 : tensor<4x4xf32>
}

// -----

// A loop variable is whole.
spmd.mesh @m <"x"=2>
func.func @loop(%x: tensor<4xf32>, %n: tensor<i32>) -> tensor<4xf32> {
  %limit = cleave.constant dense<3> : tensor<i32>
  // expected-note@+1 {{'cleave.while' gives the whole value}}
  %k, %r = cleave.while(%i = %n, %v = %x) : tensor<i32>, tensor<4xf32>
   cond {
    %more = cleave.compare LT, %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    cleave.return %more : tensor<i1>
  } do {
    %next = cleave.add %i, %i : tensor<i32>
    cleave.return %next, %v : tensor<i32>, tensor<4xf32>
  }
  // expected-error@+1 {{is partial over "x", but its operand is not made of terms}}
  %0 = spmd.sharding_constraint %r <@m, [{}], partial = [sum "x"]> : tensor<4xf32>
  return %0 : tensor<4xf32>
}
