// A reduction that no collective knows: each rank takes the largest element and
// its place of its block, and only those (8 rows of 4 bytes from three others)
// are gathered.
//
// RUN: %python %S/check.py %cleave %s all_gather:96,all_gather:96 --mesh x=4 --shard logits=-,x
// RUN: %python %S/check.py %cleave %s any --mesh x=3,y=2 --shard logits=-,x+y
// RUN: %python %S/check.py %cleave %s none --mesh x=3 --shard logits=x,-
// RUN: %cleave explain %s --mesh x=4 --shard logits=-,x | FileCheck %s
// CHECK: all_gather  x  {{ *}}96  tensor<8x1x{{.*}} partial results of reduce
// CHECK: all_gather  x  {{ *}}96  tensor<8x1x{{.*}} partial results of reduce

func.func @argmax(%x: tensor<8x1001xf32> {cleave.name = "logits"}) -> tensor<8xi32> {
  %places = cleave.iota dim = 1 : tensor<8x1001xi32>
  %lowest = cleave.constant dense<0xFF800000> : tensor<f32>
  %zero = cleave.constant dense<0> : tensor<i32>
  %value, %place = cleave.reduce(%x init: %lowest), (%places init: %zero) across dimensions = [1]
      : (tensor<8x1001xf32>, tensor<8x1001xi32>, tensor<f32>, tensor<i32>) -> (tensor<8xf32>, tensor<8xi32>)
   reducer(%a: tensor<f32>, %b: tensor<f32>) (%i: tensor<i32>, %j: tensor<i32>) {
    %more = cleave.compare GT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %nan = cleave.compare NE, %a, %a : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %left = cleave.or %more, %nan : tensor<i1>
    %same = cleave.compare EQ, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %before = cleave.compare LT, %i, %j : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %tie = cleave.and %same, %before : tensor<i1>
    %first = cleave.or %left, %tie : tensor<i1>
    %v = cleave.select %left, %a, %b : tensor<i1>, tensor<f32>
    %k = cleave.select %first, %i, %j : tensor<i1>, tensor<i32>
    cleave.return %v, %k : tensor<f32>, tensor<i32>
  }
  return %place : tensor<8xi32>
}
