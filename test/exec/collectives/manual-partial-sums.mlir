// Sums over the free axis of a manual computation wait in its body as they do around it: until the author's
// reduce_scatter or all_slice has left a part of the terms, behind other collectives, too, and until a loop ends. They
// were reduced at once. Sizes are uneven on 2 x 3 ranks.
//
// RUN: %python %S/check.py %cleave %s any
// RUN: sed 's/"x"=2, "y"=2/"x"=2, "y"=3/' %s > %t.3.mlir
// RUN: %python %S/check.py %cleave %t.3.mlir any
// RUN: sed 's/"x"=2, "y"=2/"y"=2, "x"=2/' %s > %t.swapped.mlir
// RUN: %python %S/check.py %cleave %t.swapped.mlir any
//
// All three sums at once: of 4 x 6 terms twice, which is half of the products, and of 5 x 6 once, not in each of the loop's
// iterations. The reduce_scatter has gone before the product, where it is of less.
// RUN: %cleave explain %s | FileCheck %s
// CHECK: reduce_scatter x 80 tensor<8x5xf32> once {{.*}} written in the model
// CHECK: all_reduce y 312 tensor<78xf32> once {{.*}} spmd.reduce_scatter carries [{}, {}] partial sum over "y" ("y" on dim {{.*}} from argument 'a'{{.*}}; spmd.all_slice carries [{}, {}] partial sum over "y" {{.*}}; cleave.while carries [{}, {}] partial sum over "y"
// CHECK: total: 4 collectives, 680 bytes per device

spmd.mesh @m <"x"=2, "y"=2>
func.func @main(%a: tensor<16x10xf32> {cleave.name = "a", spmd.sharding = #spmd.sharding<@m, [{"x"}, {"y"}]>},
                %w: tensor<10x6xf32> {cleave.name = "w"}, %d: tensor<10x5xf32> {cleave.name = "d"})
    -> (tensor<8x6xf32> {cleave.name = "scattered"}, tensor<8x6xf32> {cleave.name = "moved"}, tensor<10x6xf32> {cleave.name = "looped"}) {
  %s, %g, %l = spmd.manual_computation(%a, %w, %d) in [#spmd.sharding<@m, [{"x"}, {?}]>, #spmd.sharding<@m, [{?}, {}]>, #spmd.sharding<@m, [{?}, {}]>]
      out [#spmd.sharding<@m, [{"x"}, {}]>, #spmd.sharding<@m, [{"x"}, {}]>, #spmd.sharding<@m, [{"x"}, {}]>] free ["y"]
      : (tensor<16x10xf32>, tensor<10x6xf32>, tensor<10x5xf32>) -> (tensor<8x6xf32>, tensor<8x6xf32>, tensor<10x6xf32>) {
  ^bb0(%b: tensor<8x10xf32>, %v: tensor<10x6xf32>, %e: tensor<10x5xf32>):
    %0 = cleave.dot_general %b, %v, contracting_dims = [1] x [0] : (tensor<8x10xf32>, tensor<10x6xf32>) -> tensor<8x6xf32>
    %1 = spmd.reduce_scatter sum %0 dim 0 over @m ["x"] : tensor<8x6xf32> -> tensor<4x6xf32>
    %u = cleave.exponential %v : tensor<10x6xf32>
    %p = cleave.dot_general %b, %u, contracting_dims = [1] x [0] : (tensor<8x10xf32>, tensor<10x6xf32>) -> tensor<8x6xf32>
    %q = spmd.broadcast %p from 1 over @m ["x"] : tensor<8x6xf32>
    %2 = cleave.negate %q : tensor<8x6xf32>
    %3 = spmd.all_to_all %2 split 0 concat 1 over @m ["x"] : tensor<8x6xf32> -> tensor<4x12xf32>
    %4 = spmd.all_slice %3 dim 1 over @m ["x"] : tensor<4x12xf32> -> tensor<4x6xf32>
    %i0 = cleave.constant dense<0> : tensor<i32>
    %one = cleave.constant dense<1> : tensor<i32>
    %n = cleave.constant dense<3> : tensor<i32>
    %zero = cleave.constant dense<0.0> : tensor<5x6xf32>
    %5:2 = cleave.while(%i = %i0, %sum = %zero) : tensor<i32>, tensor<5x6xf32>
    cond {
      %c = cleave.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      cleave.return %c : tensor<i1>
    } do {
      %next = cleave.add %i, %one : tensor<i32>
      %t = cleave.dot_general %e, %v, contracting_dims = [0] x [0] : (tensor<10x5xf32>, tensor<10x6xf32>) -> tensor<5x6xf32>
      %added = cleave.add %sum, %t : tensor<5x6xf32>
      cleave.return %next, %added : tensor<i32>, tensor<5x6xf32>
    }
    spmd.return %1, %4, %5#1 : tensor<4x6xf32>, tensor<4x6xf32>, tensor<5x6xf32>
  }
  return %s, %g, %l : tensor<8x6xf32>, tensor<8x6xf32>, tensor<10x6xf32>
}
