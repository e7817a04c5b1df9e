// Collectives over listed groups, broadcasts and halo exchanges, written by hand. Groups have any order,
// may leave ranks out and, for all_reduce and broadcast, differ in size. 7 rows over 2 x 3 ranks are
// blocks of 2, 2, 0 and 2, 1, 0, whose halos reach over several of them.
//
// Bytes: all_gather of one other row of 5; the largest group of all_reduce has 3 ranks; of the windows
// of 3 + 2 + 1 and 9 rows the ranks lack at most 6 rows (one that has none) and 5.
//
// RUN: %python %S/check.py %cleave %s all_gather:20,all_reduce:54,broadcast:40,reduce_scatter:40,all_to_all:20,broadcast:40,halo_exchange:120,halo_exchange:100,collective_permute:80
// RUN: %cleave explain %s | FileCheck %s
// CHECK: all_reduce {{.*}}{{\[\[}}0, 5, 3], [1, 2]]

spmd.mesh @m <"x"=2, "y"=3>
func.func @main(%x: tensor<7x5xf32> {cleave.name = "x", spmd.sharding = #spmd.sharding<@m, [{"x", "y"}, {}]>},
                %n: tensor<12x10xi32> {cleave.name = "n", spmd.sharding = #spmd.sharding<@m, [{"x", "y"}, {}]>})
    -> (tensor<12x5xf32> {cleave.name = "gathered"}, tensor<12x5xf32> {cleave.name = "summed"},
        tensor<12x5xi32> {cleave.name = "moved"}, tensor<12x10xi32> {cleave.name = "told"},
        tensor<36x5xf32> {cleave.name = "window"}, tensor<54x5xf32> {cleave.name = "wide"}, tensor<12x10xi32> {cleave.name = "sent"}) {
  %gathered, %summed = spmd.manual_computation(%x) in [#spmd.sharding<@m, [{"x", "y"}, {}]>]
      out [#spmd.sharding<@m, [{"x", "y"}, {}]>, #spmd.sharding<@m, [{"x", "y"}, {}]>]
      : (tensor<7x5xf32>) -> (tensor<12x5xf32>, tensor<12x5xf32>) {
  ^bb0(%a: tensor<2x5xf32>):
    %m = spmd.mask_padding sum %a dim 0 size 7 over @m ["x", "y"] : tensor<2x5xf32>
    %row = cleave.slice %m [0:1, 0:5] : (tensor<2x5xf32>) -> tensor<1x5xf32>
    %0 = spmd.all_gather %row dim 0 over @m groups [[4, 0], [1, 2]] : tensor<1x5xf32> -> tensor<2x5xf32>
    %1 = spmd.all_reduce sum %m over @m groups [[0, 5, 3], [1, 2]] : tensor<2x5xf32>
    %2 = spmd.broadcast %1 from 1 over @m groups [[3, 1], [0, 2, 4, 5]] : tensor<2x5xf32>
    spmd.return %0, %2 : tensor<2x5xf32>, tensor<2x5xf32>
  }
  %moved, %told, %sent = spmd.manual_computation(%n) in [#spmd.sharding<@m, [{"x", "y"}, {}]>]
      out [#spmd.sharding<@m, [{"x", "y"}, {}]>, #spmd.sharding<@m, [{"x", "y"}, {}]>, #spmd.sharding<@m, [{"x", "y"}, {}]>]
      : (tensor<12x10xi32>) -> (tensor<12x5xi32>, tensor<12x10xi32>, tensor<12x10xi32>) {
  ^bb0(%a: tensor<2x10xi32>):
    %0 = spmd.reduce_scatter max %a dim 1 over @m groups [[5, 1], [0, 3]] : tensor<2x10xi32> -> tensor<2x5xi32>
    %1 = cleave.reshape %0 : (tensor<2x5xi32>) -> tensor<2x5x1xi32>
    %2 = spmd.all_to_all %1 split 0 concat 2 over @m groups [[0, 1], [5, 2], [4, 3]] : tensor<2x5x1xi32> -> tensor<1x5x2xi32>
    %3 = cleave.reshape %2 : (tensor<1x5x2xi32>) -> tensor<2x5xi32>
    %4 = cleave.slice %a [0:2, 0:5] : (tensor<2x10xi32>) -> tensor<2x5xi32>
    %5 = spmd.broadcast %4 from 2 over @m ["y"] : tensor<2x5xi32>
    %6 = cleave.concatenate %4, %5, dim = 1 : (tensor<2x5xi32>, tensor<2x5xi32>) -> tensor<2x10xi32>
    // A send with its receive: rank 4 gets what rank 1 has.
    %7 = spmd.collective_permute %a over @m pairs [1, 4] : tensor<2x10xi32>
    spmd.return %3, %6, %7 : tensor<2x5xi32>, tensor<2x10xi32>, tensor<2x10xi32>
  }
  %window, %wide = spmd.manual_computation(%x) in [#spmd.sharding<@m, [{"x", "y"}, {}]>]
      out [#spmd.sharding<@m, [{"x", "y"}, {}]>, #spmd.sharding<@m, [{"x", "y"}, {}]>]
      : (tensor<7x5xf32>) -> (tensor<36x5xf32>, tensor<54x5xf32>) {
  ^bb0(%a: tensor<2x5xf32>):
    %0 = spmd.halo_exchange %a dim 0 size 7 low 3 high 1 over @m ["x", "y"] fill 0.0 : f32 : tensor<2x5xf32> -> tensor<6x5xf32>
    %1 = spmd.halo_exchange %a dim 0 size 7 low -1 high 8 over @m ["x", "y"] fill 7.0 : f32 : tensor<2x5xf32> -> tensor<9x5xf32>
    spmd.return %0, %1 : tensor<6x5xf32>, tensor<9x5xf32>
  }
  return %gathered, %summed, %moved, %told, %window, %wide, %sent
      : tensor<12x5xf32>, tensor<12x5xf32>, tensor<12x5xi32>, tensor<12x10xi32>, tensor<36x5xf32>, tensor<54x5xf32>, tensor<12x10xi32>
}
