// A manual computation of which one axis only is manual: along the other its body is partitioned. Its
// author's collectives move blocks over that axis. Sizes divide on 2 x 2 ranks for some values, on 2 x 3 for none.
//
// RUN: %python %S/check.py %cleave %s any
// RUN: sed 's/"y"=2/"y"=3/' %s > %t.3.mlir
// RUN: %python %S/check.py %cleave %t.3.mlir any
// RUN: sed 's/"x"=2, "y"=2/"y"=3, "x"=2/' %s > %t.swapped.mlir
// RUN: %python %S/check.py %cleave %t.swapped.mlir any
//
// The sum over x is of a third of the columns, that over y of a sum of terms.
// RUN: %cleave explain %t.3.mlir | FileCheck %s
// CHECK: all_reduce x 48 tensor<6x2xf32> once {{.*}} written in the model
// CHECK: all_reduce y {{.*}} cleave.dot_general makes [{}, {}] partial sum over "y" ("y" on dim 1 from argument 'w' via spmd.all_reduce)

spmd.mesh @m <"x"=2, "y"=2>
func.func @main(%a: tensor<12x7xf32> {cleave.name = "a", spmd.sharding = #spmd.sharding<@m, [{"x"}, {}]>},
                %w: tensor<7x5xf32> {cleave.name = "w", spmd.sharding = #spmd.sharding<@m, [{}, {"y"}]>},
                %b: tensor<7x10xf32> {cleave.name = "b", spmd.sharding = #spmd.sharding<@m, [{"x", "y"}, {}]>})
    -> (tensor<12x5xf32> {cleave.name = "h"}, tensor<6x7xf32> {cleave.name = "p"}, tensor<7x10xf32> {cleave.name = "r"},
        tensor<7x10xf32> {cleave.name = "softmax"}, tensor<10xf32> {cleave.name = "sums"}) {
  // Columns over y, from the weights; the product by the transposed weights is made of terms.
  %h, %p = spmd.manual_computation(%a, %w) in [#spmd.sharding<@m, [{"x", ?}, {?}]>, #spmd.sharding<@m, [{?}, {?}]>]
      out [#spmd.sharding<@m, [{"x", ?}, {?}]>, #spmd.sharding<@m, [{?}, {?}]>] free ["y"]
      : (tensor<12x7xf32>, tensor<7x5xf32>) -> (tensor<12x5xf32>, tensor<6x7xf32>) {
  ^bb0(%l: tensor<6x7xf32>, %u: tensor<7x5xf32>):
    %0 = cleave.dot_general %l, %u, contracting_dims = [1] x [0] : (tensor<6x7xf32>, tensor<7x5xf32>) -> tensor<6x5xf32>
    %1 = cleave.tanh %0 : tensor<6x5xf32>
    %2 = spmd.all_reduce sum %1 over @m ["x"] : tensor<6x5xf32>
    %3 = cleave.subtract %1, %2 : tensor<6x5xf32>
    %4 = cleave.dot_general %2, %u, contracting_dims = [1] x [1] : (tensor<6x5xf32>, tensor<7x5xf32>) -> tensor<6x7xf32>
    spmd.return %3, %4 : tensor<6x5xf32>, tensor<6x7xf32>
  }
  // Rows in blocks of 4 and 3 over x, which y cuts again. In the body they are gathered over both.
  %r, %softmax, %sums = spmd.manual_computation(%b) in [#spmd.sharding<@m, [{"x", "y"}, {}]>]
      out [#spmd.sharding<@m, [{"x", "y"}, {}]>, #spmd.sharding<@m, [{"x"}, {"y"}]>, #spmd.sharding<@m, [{"y"}]>] free ["y"]
      : (tensor<7x10xf32>) -> (tensor<7x10xf32>, tensor<7x10xf32>, tensor<10xf32>) {
  ^bb0(%l: tensor<4x10xf32>):
    %0 = spmd.all_gather %l dim 0 over @m ["x"] : tensor<4x10xf32> -> tensor<7x10xf32>
    %1 = cleave.reverse %0, dims = [0] : tensor<7x10xf32>
    %2 = spmd.all_slice %1 dim 0 over @m ["x"] : tensor<7x10xf32> -> tensor<4x10xf32>
    %3 = spmd.sharding_constraint %l <@m, [{}, {"y"}]> : tensor<4x10xf32>
    %4 = cleave.softmax %3, dim = 1 : tensor<4x10xf32>
    %5 = spmd.mask_padding sum %3 dim 0 size 7 over @m ["x"] : tensor<4x10xf32>
    %z = cleave.constant dense<0.0> : tensor<f32>
    %6 = cleave.reduce(%5 init: %z) applies cleave.add across dimensions = [0] : (tensor<4x10xf32>, tensor<f32>) -> tensor<10xf32>
    %7 = spmd.all_reduce sum %6 over @m ["x"] : tensor<10xf32>
    spmd.return %2, %4, %7 : tensor<4x10xf32>, tensor<4x10xf32>, tensor<10xf32>
  }
  return %h, %p, %r, %softmax, %sums
      : tensor<12x5xf32>, tensor<6x7xf32>, tensor<7x10xf32>, tensor<7x10xf32>, tensor<10xf32>
}
