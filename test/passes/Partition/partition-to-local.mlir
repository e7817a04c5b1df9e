// RUN: cleave-opt %s -cleave-propagate-shardings -cleave-insert-reshards -cleave-verify-shardings -cleave-partition-to-local -split-input-file | FileCheck %s

// Local types; the global type and the sharding stay on the signature.
spmd.mesh @m <"x"=2, "y"=4>
// CHECK-LABEL: func.func @elementwise(
// CHECK-SAME: %arg0: tensor<4x2xf32> {cleave.name = "a", spmd.global_type = tensor<8x8xf32>, spmd.sharding = #spmd.sharding<@m, [{"x"}, {"y"}]>}
// CHECK-SAME: -> (tensor<4x2xf32> {spmd.global_type = tensor<8x8xf32>, spmd.sharding = #spmd.sharding<@m, [{"x"}, {"y"}]>})
// CHECK-NEXT: cleave.negate %arg0 {cleave.name = "n"} : tensor<4x2xf32>
// CHECK-NEXT: return %
func.func @elementwise(%a: tensor<8x8xf32> {cleave.name = "a", spmd.sharding = #spmd.sharding<@m, [{"x"}, {"y"}]>}) -> tensor<8x8xf32> {
  %0 = cleave.negate %a {cleave.name = "n"} : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// -----

spmd.mesh @m <"x"=4>
// CHECK-LABEL: func.func @all_reduce(
// CHECK-NEXT: %[[L:.*]] = cleave.linear %arg0, %arg1 : (tensor<8x4xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>
// CHECK-NEXT: spmd.all_reduce sum %[[L]] over @m ["x"] cause {{.*}} : tensor<8x8xf32>
// CHECK-NEXT: return %
func.func @all_reduce(%a: tensor<8x16xf32> {spmd.sharding = #spmd.sharding<@m, [{}, {"x"}]>},
                      %b: tensor<16x8xf32> {spmd.sharding = #spmd.sharding<@m, [{"x"}, {}]>})
    -> (tensor<8x8xf32> {spmd.sharding = #spmd.sharding<@m, [{}, {}]>}) {
  %0 = cleave.linear %a, %b : (tensor<8x16xf32>, tensor<16x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// -----

spmd.mesh @m <"x"=4>
// CHECK-LABEL: func.func @reduce_scatter(
// CHECK-NEXT: %[[L:.*]] = cleave.linear
// CHECK-NEXT: spmd.reduce_scatter sum %[[L]] dim 0 over @m ["x"] cause {{.*}} : tensor<8x8xf32> -> tensor<2x8xf32>
// CHECK-NEXT: return %
func.func @reduce_scatter(%a: tensor<8x16xf32> {spmd.sharding = #spmd.sharding<@m, [{}, {"x"}]>},
                          %b: tensor<16x8xf32> {spmd.sharding = #spmd.sharding<@m, [{"x"}, {}]>})
    -> (tensor<8x8xf32> {spmd.sharding = #spmd.sharding<@m, [{"x"}, {}]>}) {
  %0 = cleave.linear %a, %b : (tensor<8x16xf32>, tensor<16x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// -----

spmd.mesh @m <"x"=4>
// CHECK-LABEL: func.func @all_gather(
// CHECK-NEXT: spmd.all_gather %arg0 dim 0 over @m ["x"] cause {{.*}} : tensor<2x8xf32> -> tensor<7x8xf32>
// CHECK-NEXT: return %
func.func @all_gather(%a: tensor<7x8xf32> {spmd.sharding = #spmd.sharding<@m, [{"x"}, {}]>})
    -> (tensor<7x8xf32> {spmd.sharding = #spmd.sharding<@m, [{}, {}]>}) {
  return %a : tensor<7x8xf32>
}

// -----

spmd.mesh @m <"x"=4>
// CHECK-LABEL: func.func @all_slice(
// CHECK-NEXT: spmd.all_slice %arg0 dim 0 over @m ["x"] cause {{.*}} : tensor<7x8xf32> -> tensor<2x8xf32>
// CHECK-NEXT: return %
func.func @all_slice(%a: tensor<7x8xf32> {spmd.sharding = #spmd.sharding<@m, [{}, {}]>})
    -> (tensor<7x8xf32> {spmd.sharding = #spmd.sharding<@m, [{"x"}, {}]>}) {
  return %a : tensor<7x8xf32>
}

// -----

spmd.mesh @m <"x"=4>
// CHECK-LABEL: func.func @all_to_all(
// CHECK-NEXT: spmd.all_to_all %arg0 split 1 concat 0 over @m ["x"] cause {{.*}} : tensor<2x16xf32> -> tensor<8x4xf32>
// CHECK-NEXT: return %
func.func @all_to_all(%a: tensor<8x16xf32> {spmd.sharding = #spmd.sharding<@m, [{"x"}, {}]>})
    -> (tensor<8x16xf32> {spmd.sharding = #spmd.sharding<@m, [{}, {"x"}]>}) {
  return %a : tensor<8x16xf32>
}

// -----

// Ranks 1 and 2 swap: the blocks are numbered by y first.
spmd.mesh @m <"x"=2, "y"=2>
// CHECK-LABEL: func.func @collective_permute(
// CHECK-NEXT: spmd.collective_permute %arg0 over @m pairs [0, 0, 2, 1, 1, 2, 3, 3] cause {{.*}} : tensor<2xf32>
// CHECK-NEXT: return %
func.func @collective_permute(%a: tensor<8xf32> {spmd.sharding = #spmd.sharding<@m, [{"x", "y"}]>})
    -> (tensor<8xf32> {spmd.sharding = #spmd.sharding<@m, [{"y", "x"}]>}) {
  return %a : tensor<8xf32>
}

// -----

// Blocks nest: 7 over x is 4, that over y is 2. Gathering y alone gives exactly the blocks over x.
spmd.mesh @m <"x"=2, "y"=3>
// CHECK-LABEL: func.func @nested(
// CHECK-NEXT: spmd.all_gather %arg0 dim 0 over @m ["y"] cause {{.*}} : tensor<2xf32> -> tensor<4xf32>
// CHECK-NEXT: return %
func.func @nested(%a: tensor<7xf32> {spmd.sharding = #spmd.sharding<@m, [{"x", "y"}]>})
    -> (tensor<7xf32> {spmd.sharding = #spmd.sharding<@m, [{"x"}]>}) {
  return %a : tensor<7xf32>
}

// -----

// The padding of a contracted dimension must not count. One operand's zeros would do, were the other's finite.
spmd.mesh @m <"x"=4>
// CHECK-LABEL: func.func @masked(
// CHECK-NEXT: %[[A:.*]] = spmd.mask_padding sum %arg0 dim 1 size 7 over @m ["x"] : tensor<8x2xf32>
// CHECK-NEXT: %[[B:.*]] = spmd.mask_padding sum %arg1 dim 0 size 7 over @m ["x"] : tensor<2x8xf32>
// CHECK-NEXT: %[[L:.*]] = cleave.linear %[[A]], %[[B]]
// CHECK-NEXT: spmd.all_reduce sum %[[L]]
func.func @masked(%a: tensor<8x7xf32> {spmd.sharding = #spmd.sharding<@m, [{}, {"x"}]>},
                  %b: tensor<7x8xf32> {spmd.sharding = #spmd.sharding<@m, [{"x"}, {}]>})
    -> (tensor<8x8xf32> {spmd.sharding = #spmd.sharding<@m, [{}, {}]>}) {
  %0 = cleave.linear %a, %b : (tensor<8x7xf32>, tensor<7x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// -----

// Each reduction has its own neutral element, and its own all_reduce.
spmd.mesh @m <"x"=4>
// CHECK-LABEL: func.func @maximum(
// CHECK: %[[A:.*]] = spmd.mask_padding max %arg0 dim 0 size 7 over @m ["x"] : tensor<2x8xf32>
// CHECK-NEXT: %[[R:.*]] = cleave.reduce(%[[A]] init: %{{.*}}) applies cleave.maximum
// CHECK-NEXT: spmd.all_reduce max %[[R]] over @m ["x"]
func.func @maximum(%a: tensor<7x8xf32> {spmd.sharding = #spmd.sharding<@m, [{"x"}, {}]>})
    -> (tensor<8xf32> {spmd.sharding = #spmd.sharding<@m, [{}]>}) {
  %low = cleave.constant dense<0xFF800000> : tensor<f32>
  %0 = cleave.reduce(%a init: %low) applies cleave.maximum across dimensions = [0] : (tensor<7x8xf32>, tensor<f32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// Offsets of a block depend on the rank.
spmd.mesh @m <"x"=4>
// CHECK-LABEL: func.func @iota(
// CHECK: %[[I:.*]] = cleave.iota dim = 0 : tensor<3xi32>
// CHECK: %[[X:.*]] = spmd.axis_index @m ["x"]
// CHECK: %[[C:.*]] = cleave.constant dense<3>
// CHECK: %[[O:.*]] = cleave.multiply %[[X]], %[[C]]
// CHECK: %[[B:.*]] = cleave.broadcast_in_dim %[[O]]
// CHECK: cleave.add %[[I]], %[[B]] : tensor<3xi32>
func.func @iota() -> (tensor<10xi32> {spmd.sharding = #spmd.sharding<@m, [{"x"}]>}) {
  %0 = cleave.iota dim = 0 : tensor<10xi32>
  return %0 : tensor<10xi32>
}

// -----

spmd.mesh @m <"x"=2>
// CHECK-LABEL: func.func @while(
// CHECK: cleave.while(%{{.*}} = %arg2, %{{.*}} = %arg0) : tensor<i32>, tensor<4x8xf32> attributes {cleave.name = "loop"}
// CHECK: cleave.compare LT, %{{.*}}, %arg2
// CHECK: cleave.linear %{{.*}}, %arg1 : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
// CHECK-NEXT: cleave.return
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
// CHECK-LABEL: func.func @if(
// CHECK: cleave.if %arg2 : (tensor<i1>) -> tensor<4xf32> then {
// CHECK-NEXT: cleave.return %arg0 : tensor<4xf32>
// CHECK-NEXT: } else {
// CHECK-NEXT: %[[S:.*]] = spmd.all_slice %arg1 dim 0 over @m ["x"]
// CHECK-NEXT: cleave.return %[[S]] : tensor<4xf32>
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
// CHECK-LABEL: func.func @manual(
// CHECK-NEXT: %[[C:.*]] = cleave.concatenate %arg0, %arg0, dim = 1 {cleave.name = "c"} : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x8xf32>
// CHECK-NEXT: spmd.all_reduce sum %[[C]] over @m ["x"]
// CHECK-NEXT: return %
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

// A collective that the model has itself.
spmd.mesh @m <"x"=2>
// CHECK-LABEL: func.func @written_in_the_model(
// CHECK-NEXT: spmd.all_reduce sum %arg0 over @m ["x"] cause "written in the model"
func.func @written_in_the_model(%x: tensor<8xf32> {spmd.sharding = #spmd.sharding<@m, [{"x"}]>})
    -> (tensor<4xf32> {spmd.sharding = #spmd.sharding<@m, [{}]>}) {
  %0 = spmd.manual_computation(%x) in [#spmd.sharding<@m, [{"x"}]>] out [#spmd.sharding<@m, [{}]>]
      : (tensor<8xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    %1 = spmd.all_reduce sum %a over @m ["x"] : tensor<4xf32>
    spmd.return %1 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// -----

// An op without a rule, between a gather and a slice.
spmd.mesh @m <"x"=2>
// CHECK-LABEL: func.func @unknown(
// CHECK-NEXT: %[[G:.*]] = spmd.all_gather %arg0
// CHECK-NEXT: %[[C:.*]] = tosa.clamp %[[G]] {max_val = 1.000000e+00 : f32, min_val = 0.000000e+00 : f32} : (tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT: spmd.all_slice %[[C]]
// CHECK-NEXT: return %
func.func @unknown(%x: tensor<8xf32> {spmd.sharding = #spmd.sharding<@m, [{"x"}]>}) -> (tensor<8xf32> {spmd.sharding = #spmd.sharding<@m, [{"x"}]>}) {
  %0 = tosa.clamp %x {max_val = 1.0 : f32, min_val = 0.0 : f32} : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// A shape that is smaller than the mesh: the last ranks hold nothing but padding.
spmd.mesh @m <"x"=8>
// CHECK-LABEL: func.func @empty(
// CHECK-SAME: %arg0: tensor<1xf32>
// CHECK: spmd.mask_padding sum %arg0 dim 0 size 3 over @m ["x"] : tensor<1xf32>
// CHECK: cleave.reduce
// CHECK: spmd.all_reduce sum %{{.*}} : tensor<f32>
func.func @empty(%a: tensor<3xf32> {spmd.sharding = #spmd.sharding<@m, [{"x"}]>}) -> (tensor<f32> {spmd.sharding = #spmd.sharding<@m, []>}) {
  %zero = cleave.constant dense<0.0> : tensor<f32>
  %0 = cleave.reduce(%a init: %zero) applies cleave.add across dimensions = [0] : (tensor<3xf32>, tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

// Free axes cut the values of a manual computation, too, and each dimension after its manual axes: nothing
// moves at the border. What its author wrote acts on the smaller blocks.
spmd.mesh @m <"x"=2, "y"=3>
// CHECK-LABEL: func.func @free_axes(
// CHECK-NEXT: %[[G:.*]] = spmd.all_gather %arg0 dim 0 over @m ["x"] cause "written in the model" : tensor<4x3xf32> -> tensor<7x3xf32>
// CHECK-NEXT: %[[N:.*]] = cleave.negate %[[G]] : tensor<7x3xf32>
// CHECK-NEXT: %[[A:.*]] = spmd.all_to_all %[[N]] split 0 concat 1 over @m ["y"] cause {{.*}} : tensor<7x3xf32> -> tensor<3x8xf32>
// CHECK-NEXT: return %[[A]] : tensor<3x8xf32>
func.func @free_axes(%x: tensor<7x8xf32> {spmd.sharding = #spmd.sharding<@m, [{"x"}, {"y"}]>})
    -> (tensor<7x8xf32> {spmd.sharding = #spmd.sharding<@m, [{"y"}, {}]>}) {
  %0 = spmd.manual_computation(%x) in [#spmd.sharding<@m, [{"x"}, {?}]>] out [#spmd.sharding<@m, [{"y"}, {}]>]
      free ["y"] : (tensor<7x8xf32>) -> tensor<7x8xf32> {
  ^bb0(%a: tensor<4x8xf32>):
    %1 = spmd.all_gather %a dim 0 over @m ["x"] : tensor<4x8xf32> -> tensor<7x8xf32>
    %2 = spmd.sharding_constraint %1 <@m, [{}, {"y"}]> : tensor<7x8xf32>
    %3 = cleave.negate %2 : tensor<7x8xf32>
    spmd.return %3 : tensor<7x8xf32>
  }
  return %0 : tensor<7x8xf32>
}

// -----

// A dimension that a collective gathers is whole on each rank; the order of blocks would be another one.
spmd.mesh @m <"x"=2, "y"=2>
// CHECK-LABEL: func.func @gathered_dimension(
// CHECK-NEXT: %[[Y:.*]] = spmd.all_gather %arg0 dim 0 over @m ["y"] {{.*}} : tensor<2xf32> -> tensor<4xf32>
// CHECK-NEXT: %[[X:.*]] = spmd.all_gather %[[Y]] dim 0 over @m ["x"] cause "written in the model" : tensor<4xf32> -> tensor<8xf32>
// CHECK-NEXT: return %[[X]]
func.func @gathered_dimension(%x: tensor<8xf32> {spmd.sharding = #spmd.sharding<@m, [{"x", "y"}]>})
    -> (tensor<8xf32> {spmd.sharding = #spmd.sharding<@m, [{}]>}) {
  %0 = spmd.manual_computation(%x) in [#spmd.sharding<@m, [{"x", ?}]>] out [#spmd.sharding<@m, [{}]>]
      free ["y"] : (tensor<8xf32>) -> tensor<8xf32> {
  ^bb0(%a: tensor<4xf32>):
    %1 = spmd.all_gather %a dim 0 over @m ["x"] : tensor<4xf32> -> tensor<8xf32>
    spmd.return %1 : tensor<8xf32>
  }
  return %0 : tensor<8xf32>
}

// -----

// Updates of each rank are in their own places still; but in blocks that are
// padded, those out of bounds may meet behind the last element.
spmd.mesh @m <"x"=2>
// CHECK-LABEL: func.func @unique_in_blocks
// CHECK: cleave.scatter{{.*}}unique_indices
// CHECK-SAME: (tensor<4xf32>, tensor<6x1xi32>, tensor<6xf32>) -> tensor<4xf32>
// CHECK: cleave.scatter
// CHECK-NOT: unique_indices
// CHECK-SAME: (tensor<4xf32>, tensor<6x1xi32>, tensor<6xf32>) -> tensor<4xf32>
func.func @unique_in_blocks(%x: tensor<8xf32> {spmd.sharding = #spmd.sharding<@m, [{"x"}]>}, %y: tensor<7xf32> {spmd.sharding = #spmd.sharding<@m, [{"x"}]>},
                            %i: tensor<6x1xi32> {spmd.sharding = #spmd.sharding<@m, [{}, {}]>}, %u: tensor<6xf32> {spmd.sharding = #spmd.sharding<@m, [{}]>})
    -> (tensor<8xf32> {spmd.sharding = #spmd.sharding<@m, [{"x"}]>}, tensor<7xf32> {spmd.sharding = #spmd.sharding<@m, [{"x"}]>}) {
  %0 = cleave.scatter(%x) at %i with (%u) {update_window_dims = array<i64>, inserted_window_dims = array<i64: 0>, scatter_dims_to_operand_dims = array<i64: 0>, index_vector_dim = 1, unique_indices} : (tensor<8xf32>, tensor<6x1xi32>, tensor<6xf32>) -> tensor<8xf32> {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    cleave.return %b : tensor<f32>
  }
  %1 = cleave.scatter(%y) at %i with (%u) {update_window_dims = array<i64>, inserted_window_dims = array<i64: 0>, scatter_dims_to_operand_dims = array<i64: 0>, index_vector_dim = 1, unique_indices} : (tensor<7xf32>, tensor<6x1xi32>, tensor<6xf32>) -> tensor<7xf32> {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    cleave.return %b : tensor<f32>
  }
  return %0, %1 : tensor<8xf32>, tensor<7xf32>
}
