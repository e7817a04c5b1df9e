// RUN: cleave-opt %s -cleave-propagate-shardings -split-input-file | FileCheck %s

// Elementwise, forwards and backwards; a scalar operand is whole.
spmd.mesh @m <"x"=2, "y"=4>
// CHECK-LABEL: func.func @elementwise(
// CHECK-SAME: %arg0: tensor<8x8xf32> {spmd.origins = "\22x\22 on dim 0 from argument 'arg0'; \22y\22 on dim 1 from result 0 via cleave.add", spmd.sharding = #spmd.sharding<@m, [{"x"}, {"y"}]>}
// CHECK-SAME: %arg1: tensor<8x8xf32> {spmd.origins = "\22x\22 on dim 0 from argument 'arg0' via cleave.add; \22y\22 on dim 1 from result 0 via cleave.add", spmd.sharding = #spmd.sharding<@m, [{"x"}, {"y"}]>}
// CHECK-SAME: %arg2: tensor<f32> {spmd.origins = "", spmd.sharding = #spmd.sharding<@m, []>}
// CHECK-SAME: -> (tensor<8x8xf32> {spmd.sharding = #spmd.sharding<@m, [{"x"}, {"y"}]>})
// CHECK: cleave.add {{.*}} {spmd.origins = ["\22x\22 on dim 0 from argument 'arg0' via cleave.add; \22y\22 on dim 1 from result 0 via cleave.clamp"], spmd.shardings = [#spmd.sharding<@m, [{"x"}, {"y"}]>]}
// CHECK: cleave.clamp {{.*}} spmd.shardings = [#spmd.sharding<@m, [{"x"}, {"y"}]>]
func.func @elementwise(%a: tensor<8x8xf32> {spmd.sharding = #spmd.sharding<@m, [{"x"}, {?}]>}, %b: tensor<8x8xf32>, %s: tensor<f32>)
    -> (tensor<8x8xf32> {spmd.sharding = #spmd.sharding<@m, [{?}, {"y"}]>}) {
  %0 = cleave.add %a, %b : tensor<8x8xf32>
  %1 = cleave.clamp %s, %0, %s : (tensor<f32>, tensor<8x8xf32>, tensor<f32>) -> tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}

// -----

// A contracted dimension leaves no trace in the result; rows and columns do.
spmd.mesh @m <"x"=2, "y"=4>
// CHECK-LABEL: func.func @linear(
// CHECK-SAME: %arg1: tensor<8x16xf32> {spmd.origins = "\22y\22 on dim 0 from argument 'arg0' via cleave.linear", spmd.sharding = #spmd.sharding<@m, [{"y"}, {}]>}
// CHECK: cleave.linear {{.*}} spmd.shardings = [#spmd.sharding<@m, [{"x"}, {}, {}]>]
func.func @linear(%x: tensor<2x6x8xf32> {spmd.sharding = #spmd.sharding<@m, [{"x"}, {}, {"y"}]>}, %w: tensor<8x16xf32>)
    -> tensor<2x6x16xf32> {
  %0 = cleave.linear %x, %w : (tensor<2x6x8xf32>, tensor<8x16xf32>) -> tensor<2x6x16xf32>
  return %0 : tensor<2x6x16xf32>
}

// -----

// Through a transpose, dimensions change places.
spmd.mesh @m <"x"=2, "y"=4>
// CHECK-LABEL: func.func @transpose(
// CHECK: cleave.transpose {{.*}} spmd.shardings = [#spmd.sharding<@m, [{"y"}, {"x"}, {}]>]
func.func @transpose(%x: tensor<4x6x8xf32> {spmd.sharding = #spmd.sharding<@m, [{"x"}, {}, {"y"}]>}) -> tensor<8x4x6xf32> {
  %0 = cleave.transpose %x, dims = [2, 0, 1] : (tensor<4x6x8xf32>) -> tensor<8x4x6xf32>
  return %0 : tensor<8x4x6xf32>
}

// -----

// A reshape splits an axis where the dimension splits.
spmd.mesh @m <"x"=8>
// CHECK-LABEL: func.func @split(
// CHECK-SAME: -> (tensor<2x8xf32> {spmd.sharding = #spmd.sharding<@m, [{"x":(1)2}, {"x":(2)4}]>})
// CHECK: cleave.reshape {{.*}} {spmd.origins = ["\22x\22:(1)2 on dim 0 from argument 'arg0' via cleave.reshape; \22x\22:(2)4 on dim 1 from argument 'arg0' via cleave.reshape"], spmd.shardings = [#spmd.sharding<@m, [{"x":(1)2}, {"x":(2)4}]>]}
func.func @split(%x: tensor<16xf32> {spmd.sharding = #spmd.sharding<@m, [{"x"}]>}) -> tensor<2x8xf32> {
  %0 = cleave.reshape %x : (tensor<16xf32>) -> tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}

// -----

// Backwards, the parts become the axis again.
spmd.mesh @m <"x"=8>
// CHECK-LABEL: func.func @merge(
// CHECK: cleave.reshape {{.*}} spmd.shardings = [#spmd.sharding<@m, [{"x"}]>]
func.func @merge(%x: tensor<2x8xf32> {spmd.sharding = #spmd.sharding<@m, [{"x":(1)2}, {"x":(2)4}]>}) -> tensor<16xf32> {
  %0 = cleave.reshape %x : (tensor<2x8xf32>) -> tensor<16xf32>
  return %0 : tensor<16xf32>
}

// -----

// Where the minor part is cut but not the major one, blocks would not be contiguous.
spmd.mesh @m <"x"=2>
// CHECK-LABEL: func.func @minor(
// CHECK: cleave.reshape {{.*}} spmd.shardings = [#spmd.sharding<@m, [{}]>]
func.func @minor(%x: tensor<4x8xf32> {spmd.sharding = #spmd.sharding<@m, [{}, {"x"}]>}) -> tensor<32xf32> {
  %0 = cleave.reshape %x : (tensor<4x8xf32>) -> tensor<32xf32>
  return %0 : tensor<32xf32>
}

// -----

// A variable of a loop has one sharding wherever it appears.
spmd.mesh @m <"x"=2, "y"=4>
// CHECK-LABEL: func.func @while(
// CHECK: cleave.while{{.*}} spmd.shardings = [#spmd.sharding<@m, [{"x"}, {}]>]
// CHECK: cleave.negate {{.*}} spmd.shardings = [#spmd.sharding<@m, [{"x"}, {}]>]
func.func @while(%x: tensor<8x8xf32> {spmd.sharding = #spmd.sharding<@m, [{"x"}, {}]>}, %p: tensor<i1>) -> tensor<8x8xf32> {
  %0 = cleave.while(%i = %x) : tensor<8x8xf32>
  cond {
    cleave.return %p : tensor<i1>
  } do {
    %1 = cleave.negate %i : tensor<8x8xf32>
    cleave.return %1 : tensor<8x8xf32>
  }
  return %0 : tensor<8x8xf32>
}

// -----

// What only the body annotates reaches the initial value.
spmd.mesh @m <"x"=2, "y"=4>
// CHECK-LABEL: func.func @from_the_body(
// CHECK-SAME: %arg0: tensor<8x8xf32> {spmd.origins = "\22y\22 on dim 1 from constraint at {{.*}}propagate-shardings.mlir:{{[0-9:]+}} via cleave.while", spmd.sharding = #spmd.sharding<@m, [{}, {"y"}]>}
// CHECK: cleave.while{{.*}} spmd.shardings = [#spmd.sharding<@m, [{}, {"y"}]>]
func.func @from_the_body(%x: tensor<8x8xf32>, %p: tensor<i1>) -> tensor<8x8xf32> {
  %0 = cleave.while(%i = %x) : tensor<8x8xf32>
  cond {
    cleave.return %p : tensor<i1>
  } do {
    %1 = spmd.sharding_constraint %i <@m, [{}, {"y"}]> : tensor<8x8xf32>
    cleave.return %1 : tensor<8x8xf32>
  }
  return %0 : tensor<8x8xf32>
}

// -----

spmd.mesh @m <"x"=2, "y"=4>
// CHECK-LABEL: func.func @if(
// CHECK-SAME: %arg1: tensor<8x8xf32> {{{.*}} spmd.sharding = #spmd.sharding<@m, [{"x"}, {}]>}, %arg2
// CHECK: cleave.if {{.*}} spmd.shardings = [#spmd.sharding<@m, [{"x"}, {}]>]
func.func @if(%x: tensor<8x8xf32> {spmd.sharding = #spmd.sharding<@m, [{"x"}, {}]>}, %y: tensor<8x8xf32>, %p: tensor<i1>) -> tensor<8x8xf32> {
  %0 = cleave.if %p : (tensor<i1>) -> tensor<8x8xf32> then {
    %1 = cleave.negate %x : tensor<8x8xf32>
    cleave.return %1 : tensor<8x8xf32>
  } else {
    cleave.return %y : tensor<8x8xf32>
  }
  return %0 : tensor<8x8xf32>
}

// -----

// An annotated loop variable.
spmd.mesh @m <"x"=2, "y"=4>
// CHECK-LABEL: func.func @annotated(
// CHECK-SAME: %arg0: tensor<8x8xf32> {spmd.origins = "\22x\22 on dim 0 from annotation at {{.*}} via cleave.while", spmd.sharding = #spmd.sharding<@m, [{"x"}, {}]>}
// CHECK-SAME: -> (tensor<8x8xf32> {spmd.sharding = #spmd.sharding<@m, [{"x"}, {}]>})
func.func @annotated(%x: tensor<8x8xf32>, %p: tensor<i1>) -> tensor<8x8xf32> {
  %0 = cleave.while(%i = %x) : tensor<8x8xf32> attributes {spmd.shardings = [#spmd.sharding<@m, [{"x"}, {}]>]}
  cond {
    cleave.return %p : tensor<i1>
  } do {
    cleave.return %i : tensor<8x8xf32>
  }
  return %0 : tensor<8x8xf32>
}

// -----

// A closed dimension keeps what it has; an open one takes more.
spmd.mesh @m <"x"=2, "y"=4>
// CHECK-LABEL: func.func @closed(
// CHECK-SAME: %arg1: tensor<8x8xf32> {spmd.origins = "\22y\22 on dim 1 from argument 'arg0' via cleave.add", spmd.sharding = #spmd.sharding<@m, [{}, {"y"}]>}
// CHECK: cleave.add {{.*}} spmd.shardings = [#spmd.sharding<@m, [{"x"}, {"y"}]>]
func.func @closed(%a: tensor<8x8xf32> {spmd.sharding = #spmd.sharding<@m, [{"x"}, {"y"}]>},
                  %b: tensor<8x8xf32> {spmd.sharding = #spmd.sharding<@m, [{}, {?}]>}) -> tensor<8x8xf32> {
  %0 = cleave.add %a, %b : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// -----

// The lower number wins: b's axis is propagated first.
spmd.mesh @m <"x"=2, "y"=2>
// CHECK-LABEL: func.func @priority(
// CHECK-SAME: %arg0: tensor<8x8xf32> {{{.*}} spmd.sharding = #spmd.sharding<@m, [{"x"}, {}]>}, %arg1: tensor<8x8xf32> {{{.*}} spmd.sharding = #spmd.sharding<@m, [{"y"}, {}]>}
// CHECK: cleave.add {{.*}} {spmd.origins = ["\22y\22 on dim 0 from argument 'arg1' via cleave.add"], spmd.shardings = [#spmd.sharding<@m, [{"y"}, {}]>]}
func.func @priority(%a: tensor<8x8xf32> {spmd.sharding = #spmd.sharding<@m, [{"x"}p1, {}]>},
                    %b: tensor<8x8xf32> {spmd.sharding = #spmd.sharding<@m, [{"y"}p0, {}]>}) -> tensor<8x8xf32> {
  %0 = cleave.add %a, %b : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// -----

// Constraints, annotated results of ops and reshards of the author count.
spmd.mesh @m <"x"=2, "y"=4>
// CHECK-LABEL: func.func @inner(
// CHECK-SAME: %arg0: tensor<8x8xf32> {{{.*}} spmd.sharding = #spmd.sharding<@m, [{"x"}, {"y"}]>}
// CHECK: cleave.negate {{.*}} spmd.shardings = [#spmd.sharding<@m, [{"x"}, {"y"}]>]
// CHECK: spmd.sharding_constraint {{.*}} spmd.shardings = [#spmd.sharding<@m, [{"x"}, {"y"}]>]
// CHECK: spmd.reshard {{.*}} {spmd.origins = ["\22y\22 on dim 0 from reshard at {{[^"]*}}"], spmd.shardings = [#spmd.sharding<@m, [{"y"}, {}]>]}
// CHECK: cleave.negate {{.*}} spmd.shardings = [#spmd.sharding<@m, [{"y"}, {}]>]
func.func @inner(%a: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = cleave.negate %a {spmd.shardings = [#spmd.sharding<@m, [{"x"}, {?}]>]} : tensor<8x8xf32>
  %1 = spmd.sharding_constraint %0 <@m, [{?}, {"y"}]> : tensor<8x8xf32>
  %2 = spmd.reshard %1 <@m, [{"y"}, {}]> : tensor<8x8xf32>
  %3 = cleave.negate %2 : tensor<8x8xf32>
  return %3 : tensor<8x8xf32>
}

// -----

// A manual computation takes and returns what it says.
spmd.mesh @m <"x"=2, "y"=4>
// CHECK-LABEL: func.func @manual(
// CHECK-SAME: %arg0: tensor<8x8xf32> {spmd.origins = "\22x\22 on dim 0 from manual computation at {{.*}} via spmd.manual_computation", spmd.sharding = #spmd.sharding<@m, [{"x"}, {}]>}
// CHECK: spmd.manual_computation{{.*}} spmd.shardings = [#spmd.sharding<@m, [{}, {"y"}]>]
// CHECK: spmd.all_gather
// CHECK-NOT: spmd.shardings
// CHECK: spmd.return
// CHECK: cleave.negate {{.*}} spmd.shardings = [#spmd.sharding<@m, [{}, {"y"}]>]
func.func @manual(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = spmd.manual_computation(%x) in [#spmd.sharding<@m, [{"x"}, {}]>] out [#spmd.sharding<@m, [{}, {"y"}]>]
      : (tensor<8x8xf32>) -> tensor<8x8xf32> {
  ^bb0(%a: tensor<4x8xf32>):
    %1 = spmd.all_gather %a dim 0 over @m ["x"] : tensor<4x8xf32> -> tensor<8x8xf32>
    %2 = spmd.all_slice %1 dim 1 over @m ["y"] : tensor<8x8xf32> -> tensor<8x2xf32>
    spmd.return %2 : tensor<8x2xf32>
  }
  %1 = cleave.negate %0 : tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}

// -----

// A constraint that is partial keeps the sum unreduced, back through what is linear in it.
spmd.mesh @m <"x"=2, "y"=4>
// CHECK-LABEL: func.func @partial_constraint(
// CHECK: cleave.linear {{.*}} spmd.shardings = [#spmd.sharding<@m, [{"y"}, {}], partial = [sum "x"]>]
// CHECK: cleave.linear {{.*}} spmd.shardings = [#spmd.sharding<@m, [{"y"}, {}], partial = [sum "x"]>]
// CHECK: cleave.add {{.*}} spmd.shardings = [#spmd.sharding<@m, [{"y"}, {}], partial = [sum "x"]>]
// CHECK: cleave.transpose {{.*}} spmd.shardings = [#spmd.sharding<@m, [{}, {"y"}], partial = [sum "x"]>]
// CHECK: cleave.exponential {{.*}} spmd.shardings = [#spmd.sharding<@m, [{}, {"y"}]>]
func.func @partial_constraint(%x: tensor<8x8xf32> {spmd.sharding = #spmd.sharding<@m, [{"y"}, {"x"}]>}, %v: tensor<8x4xf32>, %w: tensor<8x4xf32>)
    -> tensor<4x8xf32> {
  %0 = cleave.linear %x, %v : (tensor<8x8xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
  %1 = cleave.linear %x, %w : (tensor<8x8xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
  %2 = cleave.add %0, %1 : tensor<8x4xf32>
  %3 = cleave.transpose %2, dims = [1, 0] : (tensor<8x4xf32>) -> tensor<4x8xf32>
  %4 = spmd.sharding_constraint %3 <@m, [{}, {"y"}], partial = [sum "x"]> : tensor<4x8xf32>
  %5 = cleave.exponential %4 : tensor<4x8xf32>
  return %5 : tensor<4x8xf32>
}

// -----

// A maximum over a cut dimension stays one of each rank.
spmd.mesh @m <"x"=2>
// CHECK-LABEL: func.func @partial_maximum(
// CHECK: cleave.reduce{{.*}} spmd.shardings = [#spmd.sharding<@m, [{}], partial = [max "x"]>]
func.func @partial_maximum(%x: tensor<8x4xf32> {spmd.sharding = #spmd.sharding<@m, [{"x"}, {}]>}) -> tensor<4xf32> {
  %least = cleave.constant dense<0xFF800000> : tensor<f32>
  %0 = cleave.reduce(%x init: %least) applies cleave.maximum across dimensions = [0] : (tensor<8x4xf32>, tensor<f32>) -> tensor<4xf32>
  %1 = spmd.sharding_constraint %0 <@m, [{}], partial = [max "x"]> : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----

// A result that is not annotated is whole, also where its value is partial.
spmd.mesh @m <"x"=2, "y"=4>
// CHECK-LABEL: func.func @partial_value_returned(
// CHECK-SAME: -> (tensor<8xf32> {spmd.sharding = #spmd.sharding<@m, [{"x"}]>})
// CHECK: spmd.manual_computation{{.*}} spmd.shardings = [#spmd.sharding<@m, [{"x"}], partial = [sum "y"]>]
func.func @partial_value_returned(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = spmd.manual_computation(%x) in [#spmd.sharding<@m, [{"x"}]>] out [#spmd.sharding<@m, [{"x"}], partial = [sum "y"]>]
      : (tensor<8xf32>) -> tensor<8xf32> {
  ^bb0(%a: tensor<4xf32>):
    spmd.return %a : tensor<4xf32>
  }
  return %0 : tensor<8xf32>
}

// -----

// Each use of a constant has its own.
spmd.mesh @m <"x"=2, "y"=4>
// CHECK-LABEL: func.func @constants(
// CHECK: %[[A:.*]] = cleave.constant {{.*}} spmd.shardings = [#spmd.sharding<@m, [{"x"}]>]
// CHECK: %[[B:.*]] = cleave.constant {{.*}} spmd.shardings = [#spmd.sharding<@m, [{"y"}]>]
// CHECK: cleave.add %arg0, %[[A]]
// CHECK: cleave.add %arg1, %[[B]]
func.func @constants(%a: tensor<8xf32> {spmd.sharding = #spmd.sharding<@m, [{"x"}]>},
                     %b: tensor<8xf32> {spmd.sharding = #spmd.sharding<@m, [{"y"}]>}) -> (tensor<8xf32>, tensor<8xf32>) {
  %c = cleave.constant dense<1.0> : tensor<8xf32>
  %0 = cleave.add %a, %c : tensor<8xf32>
  %1 = cleave.add %b, %c : tensor<8xf32>
  return %0, %1 : tensor<8xf32>, tensor<8xf32>
}

// -----

// An uneven dimension is cut like any other; axes of size 1 are left out.
spmd.mesh @m <"x"=2, "y"=4, "one"=1>
// CHECK-LABEL: func.func @uneven(
// CHECK-SAME: %arg0: tensor<7x3xf32> {{{.*}} spmd.sharding = #spmd.sharding<@m, [{"x", "y"}, {}]>}
// CHECK: cleave.negate {{.*}} spmd.shardings = [#spmd.sharding<@m, [{"x", "y"}, {}]>]
func.func @uneven(%a: tensor<7x3xf32> {spmd.sharding = #spmd.sharding<@m, [{"one", "x", "y"}, {}]>}) -> tensor<7x3xf32> {
  %0 = cleave.negate %a : tensor<7x3xf32>
  return %0 : tensor<7x3xf32>
}

// -----

// A replicated axis is kept off the open dimensions of its value; others may
// still cut them.
spmd.mesh @m <"x"=2, "y"=4>
// CHECK-LABEL: func.func @replicated(
// CHECK: cleave.negate {{.*}} spmd.shardings = [#spmd.sharding<@m, [{"x"}, {"y"}]>]
// CHECK: spmd.sharding_constraint {{.*}} spmd.shardings = [#spmd.sharding<@m, [{}, {"y"}]>]
func.func @replicated(%a: tensor<8x8xf32> {spmd.sharding = #spmd.sharding<@m, [{"x"}, {"y"}]>}) -> tensor<8x8xf32> {
  %0 = cleave.negate %a : tensor<8x8xf32>
  %1 = spmd.sharding_constraint %0 <@m, [{?}, {?}], replicated = ["x"]> : tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}

// -----

// Along free axes shardings spread into the body of a manual computation, within it and out of it; the
// axes that are manual stay in front, and no dimension gets another of them.
spmd.mesh @m <"x"=2, "y"=3, "z"=2>
// CHECK-LABEL: func.func @free_axes(
// CHECK-SAME: -> (tensor<10x7xf32> {spmd.sharding = #spmd.sharding<@m, [{"x"}, {"y"}]>})
// CHECK: %[[M:.*]] = spmd.manual_computation(%arg0, %arg1) in [#spmd.sharding<@m, [{"x"}, {}]>, #spmd.sharding<@m, [{}, {"y"}]>] out [#spmd.sharding<@m, [{"x"}, {"y"}]>] free ["y"]
// CHECK-SAME: spmd.origins = ["\22x\22 on dim 0 from manual computation at {{.*}}; \22y\22 on dim 1 from argument 'arg1' via spmd.manual_computation"]
// CHECK: cleave.dot_general {{.*}} spmd.shardings = [#spmd.sharding<@m, [{}, {"y"}]>]
// CHECK: spmd.all_reduce {{.*}} spmd.shardings = [#spmd.sharding<@m, [{}, {"y"}]>]
// CHECK: cleave.negate %[[M]] {{.*}} spmd.shardings = [#spmd.sharding<@m, [{"x"}, {"y"}]>]
func.func @free_axes(%a: tensor<10x7xf32> {spmd.sharding = #spmd.sharding<@m, [{"x"}, {"z"}]>},
                     %w: tensor<7x7xf32> {spmd.sharding = #spmd.sharding<@m, [{"z"}, {"y"}]>}) -> tensor<10x7xf32> {
  %0 = spmd.manual_computation(%a, %w) in [#spmd.sharding<@m, [{"x", ?}, {?}]>, #spmd.sharding<@m, [{?}, {?}]>]
      out [#spmd.sharding<@m, [{"x", ?}, {?}]>] free ["y"] : (tensor<10x7xf32>, tensor<7x7xf32>) -> tensor<10x7xf32> {
  ^bb0(%l: tensor<5x7xf32>, %u: tensor<7x7xf32>):
    %1 = cleave.dot_general %l, %u, contracting_dims = [1] x [0] : (tensor<5x7xf32>, tensor<7x7xf32>) -> tensor<5x7xf32>
    %2 = spmd.all_reduce sum %1 over @m ["z"] : tensor<5x7xf32>
    spmd.return %2 : tensor<5x7xf32>
  }
  %3 = cleave.negate %0 : tensor<10x7xf32>
  return %3 : tensor<10x7xf32>
}

// -----

// A dimension that is cut over a manual axis is cut further, from inside and from outside.
spmd.mesh @m <"x"=2, "y"=3>
// CHECK-LABEL: func.func @manual_first(
// CHECK-SAME: %arg0: tensor<7xf32> {{{.*}}spmd.sharding = #spmd.sharding<@m, [{"x", "y"}]>}
// CHECK: spmd.manual_computation(%arg0) in [#spmd.sharding<@m, [{"x", "y"}]>] out [#spmd.sharding<@m, [{"x", "y"}]>] free ["y"]
// CHECK: spmd.sharding_constraint {{.*}} spmd.shardings = [#spmd.sharding<@m, [{"y"}]>]
func.func @manual_first(%a: tensor<7xf32>) -> tensor<7xf32> {
  %0 = spmd.manual_computation(%a) in [#spmd.sharding<@m, [{"x", "y"}]>] out [#spmd.sharding<@m, [{"x", ?}]>]
      free ["y"] : (tensor<7xf32>) -> tensor<7xf32> {
  ^bb0(%l: tensor<4xf32>):
    %1 = spmd.sharding_constraint %l <@m, [{"y"}]> : tensor<4xf32>
    spmd.return %1 : tensor<4xf32>
  }
  return %0 : tensor<7xf32>
}
