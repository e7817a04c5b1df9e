// Every collective, written by hand, on sizes that do not divide: 7 rows over 2 x 3 ranks are
// blocks of 2, 2, 0 and 2, 1, 0. The reference evaluates the ranks side by side.
//
// RUN: %python %S/check.py %cleave %s all_gather:80,all_gather:80,all_reduce:34,reduce_scatter:80,all_gather:160,all_to_all:16,all_gather:32,all_to_all:36,collective_permute:40,all_reduce:107

spmd.mesh @m <"x"=2, "y"=3>
func.func @main(%x: tensor<7x5xf32> {cleave.name = "x", spmd.sharding = #spmd.sharding<@m, [{"x", "y"}, {}]>},
                %c: tensor<7x5xf32> {cleave.name = "c"})
    -> (tensor<7x5xf32> {cleave.name = "gathered"}, tensor<5xf32> {cleave.name = "sums"},
        tensor<7x5xi32> {cleave.name = "scattered"}, tensor<7x5xf32> {cleave.name = "moved"},
        tensor<12x5xf32> {cleave.name = "permuted"}, tensor<7x5xf32> {cleave.name = "terms"}) {
  // Nested blocks are gathered from the inside and cut from the outside.
  %gathered = spmd.manual_computation(%x) in [#spmd.sharding<@m, [{"x", "y"}, {}]>]
      out [#spmd.sharding<@m, [{"x", "y"}, {}]>] : (tensor<7x5xf32>) -> tensor<7x5xf32> {
  ^bb0(%a: tensor<2x5xf32>):
    %0 = spmd.all_gather %a dim 0 over @m ["y"] : tensor<2x5xf32> -> tensor<4x5xf32>
    %1 = spmd.all_gather %0 dim 0 over @m ["x"] : tensor<4x5xf32> -> tensor<7x5xf32>
    %2 = cleave.reverse %1, dims = [0] : tensor<7x5xf32>
    %3 = spmd.all_slice %2 dim 0 over @m ["x"] : tensor<7x5xf32> -> tensor<4x5xf32>
    %4 = spmd.all_slice %3 dim 0 over @m ["y"] : tensor<4x5xf32> -> tensor<2x5xf32>
    spmd.return %4 : tensor<2x5xf32>
  }
  %sums = spmd.manual_computation(%x) in [#spmd.sharding<@m, [{"x", "y"}, {}]>]
      out [#spmd.sharding<@m, [{}]>] : (tensor<7x5xf32>) -> tensor<5xf32> {
  ^bb0(%a: tensor<2x5xf32>):
    %0 = spmd.mask_padding sum %a dim 0 size 7 over @m ["x", "y"] : tensor<2x5xf32>
    %z = cleave.constant dense<0.0> : tensor<f32>
    %1 = cleave.reduce(%0 init: %z) applies cleave.add across dimensions = [0] : (tensor<2x5xf32>, tensor<f32>) -> tensor<5xf32>
    %2 = spmd.all_reduce sum %1 over @m ["y", "x"] : tensor<5xf32>
    spmd.return %2 : tensor<5xf32>
  }
  // Each rank has its own values; of their maximum it keeps a block of 4 or 3 rows.
  %scattered = spmd.manual_computation() in [] out [#spmd.sharding<@m, [{"x"}, {}]>] : () -> tensor<7x5xi32> {
    %i = spmd.axis_index @m ["y", "x"] : tensor<i32>
    %b = cleave.broadcast_in_dim %i, dims = [] : (tensor<i32>) -> tensor<7x5xi32>
    %n = cleave.iota dim = 1 : tensor<7x5xi32>
    %p = cleave.multiply %b, %n : tensor<7x5xi32>
    %0 = spmd.reduce_scatter max %p dim 0 over @m ["x"] : tensor<7x5xi32> -> tensor<4x5xi32>
    %1 = spmd.all_gather %0 dim 0 over @m ["y":(1)3] : tensor<4x5xi32> -> tensor<12x5xi32>
    %2 = cleave.slice %1 [0:4, 0:5] : (tensor<12x5xi32>) -> tensor<4x5xi32>
    spmd.return %2 : tensor<4x5xi32>
  }
  %moved = spmd.manual_computation(%x) in [#spmd.sharding<@m, [{}, {"y"}]>]
      out [#spmd.sharding<@m, [{"y"}, {}]>] : (tensor<7x5xf32>) -> tensor<7x5xf32> {
  ^bb0(%a: tensor<7x2xf32>):
    %0 = spmd.all_to_all %a split 0 concat 1 over @m ["y"] : tensor<7x2xf32> -> tensor<3x5xf32>
    spmd.return %0 : tensor<3x5xf32>
  }
  // Ranks 4 and 5 get zeros.
  %permuted = spmd.manual_computation(%x) in [#spmd.sharding<@m, [{"x", "y"}, {}]>]
      out [#spmd.sharding<@m, [{"x", "y"}, {}]>] : (tensor<7x5xf32>) -> tensor<12x5xf32> {
  ^bb0(%a: tensor<2x5xf32>):
    %0 = spmd.mask_padding max %a dim 0 size 7 over @m ["x", "y"] : tensor<2x5xf32>
    %1 = spmd.collective_permute %0 over @m pairs [0, 1, 1, 0, 2, 2, 5, 3] : tensor<2x5xf32>
    spmd.return %1 : tensor<2x5xf32>
  }
  // A term per rank along y; the sum is made outside.
  %terms = spmd.manual_computation(%x, %c) in [#spmd.sharding<@m, [{"x"}, {}]>, #spmd.sharding<@m, [{"x"}, {}]>]
      out [#spmd.sharding<@m, [{"x"}, {}], partial = [sum "y"]>] : (tensor<7x5xf32>, tensor<7x5xf32>) -> tensor<7x5xf32> {
  ^bb0(%a: tensor<4x5xf32>, %b: tensor<4x5xf32>):
    %0 = cleave.multiply %a, %b : tensor<4x5xf32>
    spmd.return %0 : tensor<4x5xf32>
  }
  return %gathered, %sums, %scattered, %moved, %permuted, %terms
      : tensor<7x5xf32>, tensor<5xf32>, tensor<7x5xi32>, tensor<7x5xf32>, tensor<12x5xf32>, tensor<7x5xf32>
}
