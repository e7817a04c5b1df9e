// A weight that is cut like the batch (as with fully sharded data parallelism) is gathered once, before the loop that reads it, not in
// each of its 3 iterations: 7 rows of 7 over two ranks, 4 and 3, of which one receives 4 * 7 * 4 bytes; also if the loop is not run at all.
// RUN: split-file %s %t
// RUN: %python %S/check.py %cleave %t/captured.mlir all_gather:112 --mesh x=2 --shard 'h=x,-' --shard 'w=x,-' --shard 'out:0=x,-'
// RUN: %python %S/check.py %cleave %t/carried.mlir all_gather:112 --mesh x=2 --shard 'h=x,-' --shard 'w=x,-' --shard 'out:0=x,-'
// RUN: %python %S/check.py %cleave %t/never.mlir all_gather:112 --mesh x=2 --shard 'h=x,-' --shard 'w=x,-' --shard 'out:0=x,-'

//--- captured.mlir
func.func @main(%h: tensor<64x7xf32> {cleave.name = "h"}, %w: tensor<7x7xf32> {cleave.name = "w"}) -> tensor<64x7xf32> {
  %i0 = cleave.constant dense<0> : tensor<i32>
  %0:2 = cleave.while(%i = %i0, %v = %h) : tensor<i32>, tensor<64x7xf32>
  cond {
    %n = cleave.constant dense<3> : tensor<i32>
    %p = cleave.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    cleave.return %p : tensor<i1>
  } do {
    %one = cleave.constant dense<1> : tensor<i32>
    %y = cleave.linear %v, %w : (tensor<64x7xf32>, tensor<7x7xf32>) -> tensor<64x7xf32>
    %t = cleave.tanh %y : tensor<64x7xf32>
    %j = cleave.add %i, %one : tensor<i32>
    cleave.return %j, %t : tensor<i32>, tensor<64x7xf32>
  }
  return %0#1 : tensor<64x7xf32>
}
//--- carried.mlir
func.func @main(%h: tensor<64x7xf32> {cleave.name = "h"}, %w: tensor<7x7xf32> {cleave.name = "w"}) -> tensor<64x7xf32> {
  %i0 = cleave.constant dense<0> : tensor<i32>
  %0:3 = cleave.while(%i = %i0, %u = %w, %v = %h) : tensor<i32>, tensor<7x7xf32>, tensor<64x7xf32>
  cond {
    %n = cleave.constant dense<3> : tensor<i32>
    %p = cleave.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    cleave.return %p : tensor<i1>
  } do {
    %one = cleave.constant dense<1> : tensor<i32>
    %y = cleave.linear %v, %u : (tensor<64x7xf32>, tensor<7x7xf32>) -> tensor<64x7xf32>
    %t = cleave.tanh %y : tensor<64x7xf32>
    %j = cleave.add %i, %one : tensor<i32>
    cleave.return %j, %u, %t : tensor<i32>, tensor<7x7xf32>, tensor<64x7xf32>
  }
  return %0#2 : tensor<64x7xf32>
}
//--- never.mlir
func.func @main(%h: tensor<64x7xf32> {cleave.name = "h"}, %w: tensor<7x7xf32> {cleave.name = "w"}) -> tensor<64x7xf32> {
  %i0 = cleave.constant dense<3> : tensor<i32>
  %0:2 = cleave.while(%i = %i0, %v = %h) : tensor<i32>, tensor<64x7xf32>
  cond {
    %n = cleave.constant dense<3> : tensor<i32>
    %p = cleave.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    cleave.return %p : tensor<i1>
  } do {
    %one = cleave.constant dense<1> : tensor<i32>
    %y = cleave.linear %v, %w : (tensor<64x7xf32>, tensor<7x7xf32>) -> tensor<64x7xf32>
    %t = cleave.tanh %y : tensor<64x7xf32>
    %j = cleave.add %i, %one : tensor<i32>
    cleave.return %j, %t : tensor<i32>, tensor<64x7xf32>
  }
  return %0#1 : tensor<64x7xf32>
}
