// Values that take over buffers, in loops and around them: verified with the
// arena and padding full of NaN before each of several steps.
// RUN: split-file %s %t
// RUN: %cleave verify %t/swap.mlir --random-inputs 1 --poison-padding
// RUN: %cleave verify %t/swap.mlir --random-inputs 1 --mesh x=3 --shard a=x,-
// RUN: %cleave verify %t/old-values.mlir --random-inputs 2 --poison-padding
// RUN: %cleave verify %t/old-values.mlir --random-inputs 2 --mesh x=2 --shard a=-,x
// RUN: %cleave verify %t/nested.mlir --random-inputs 3 --poison-padding
// RUN: %cleave verify %t/donated.mlir --random-inputs 4 --poison-padding
// RUN: %cleave verify %t/donated.mlir --random-inputs 4 --mesh x=2 --shard a=x,- --shard out:0=x,-
// RUN: %cleave verify %t/donated.mlir --random-inputs 4 --mesh x=2 --shard a=x,- --shard out:0=-,x
//
// Steps start from the same inputs, although they are overwritten.
// RUN: %cleave run %t/donated.mlir --random-inputs 4 --output-dir %t/once
// RUN: %cleave run %t/donated.mlir --random-inputs 4 --output-dir %t/often --time 3
// RUN: diff -r %t/once %t/often

//--- swap.mlir
// Variables change places in each iteration, and one of them is updated.
func.func @main(%a: tensor<7x5xf32> {cleave.name = "a"}, %b: tensor<7x5xf32>) -> (tensor<7x5xf32>, tensor<7x5xf32>) {
  %zero = cleave.constant dense<0> : tensor<i32>
  %one = cleave.constant dense<1> : tensor<i32>
  %n = cleave.constant dense<5> : tensor<i32>
  %r:3 = cleave.while(%i = %zero, %x = %a, %y = %b) : tensor<i32>, tensor<7x5xf32>, tensor<7x5xf32> cond {
    %p = cleave.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    cleave.return %p : tensor<i1>
  } do {
    %j = cleave.add %i, %one : tensor<i32>
    %row = cleave.dynamic_slice %x, %i, %zero, sizes = [1, 5] : (tensor<7x5xf32>, tensor<i32>, tensor<i32>) -> tensor<1x5xf32>
    %z = cleave.dynamic_update_slice %y, %row, %j, %zero : (tensor<7x5xf32>, tensor<1x5xf32>, tensor<i32>, tensor<i32>) -> tensor<7x5xf32>
    cleave.return %j, %z, %x : tensor<i32>, tensor<7x5xf32>, tensor<7x5xf32>
  }
  return %r#1, %r#2 : tensor<7x5xf32>, tensor<7x5xf32>
}

//--- old-values.mlir
// Old values are read after their update was made, at other indices, by a
// second update, and after the loop.
func.func @main(%a: tensor<6x6xf32> {cleave.name = "a"}, %u: tensor<2x3xf32>) -> (tensor<6x6xf32>, tensor<6x6xf32>, tensor<6x6xf32>) {
  %zero = cleave.constant dense<0> : tensor<i32>
  %one = cleave.constant dense<1> : tensor<i32>
  %n = cleave.constant dense<4> : tensor<i32>
  %start = cleave.negate %a : tensor<6x6xf32>
  %r:3 = cleave.while(%i = %zero, %x = %start, %y = %start) : tensor<i32>, tensor<6x6xf32>, tensor<6x6xf32> cond {
    %p = cleave.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    cleave.return %p : tensor<i1>
  } do {
    %j = cleave.add %i, %one : tensor<i32>
    %x1 = cleave.dynamic_update_slice %x, %u, %i, %j : (tensor<6x6xf32>, tensor<2x3xf32>, tensor<i32>, tensor<i32>) -> tensor<6x6xf32>
    %t = cleave.transpose %x, dims = [1, 0] : (tensor<6x6xf32>) -> tensor<6x6xf32>
    %x2 = cleave.add %x1, %t : tensor<6x6xf32>
    %y1 = cleave.dynamic_update_slice %y, %u, %j, %i : (tensor<6x6xf32>, tensor<2x3xf32>, tensor<i32>, tensor<i32>) -> tensor<6x6xf32>
    %v = cleave.dynamic_slice %y1, %i, %i, sizes = [2, 3] : (tensor<6x6xf32>, tensor<i32>, tensor<i32>) -> tensor<2x3xf32>
    %y2 = cleave.dynamic_update_slice %y1, %v, %zero, %zero : (tensor<6x6xf32>, tensor<2x3xf32>, tensor<i32>, tensor<i32>) -> tensor<6x6xf32>
    %y3 = cleave.maximum %y2, %x1 : tensor<6x6xf32>
    cleave.return %j, %x2, %y3 : tensor<i32>, tensor<6x6xf32>, tensor<6x6xf32>
  }
  return %r#1, %r#2, %start : tensor<6x6xf32>, tensor<6x6xf32>, tensor<6x6xf32>
}

//--- nested.mlir
// A cache of layers, carried by a loop over tokens around one over layers.
func.func @main(%cache: tensor<3x8x4xf32>, %token: tensor<4xf32>) -> (tensor<3x8x4xf32>, tensor<4xf32>) {
  %zero = cleave.constant dense<0> : tensor<i32>
  %one = cleave.constant dense<1> : tensor<i32>
  %layers = cleave.constant dense<3> : tensor<i32>
  %tokens = cleave.constant dense<8> : tensor<i32>
  %r:3 = cleave.while(%i = %zero, %c = %cache, %t = %token) : tensor<i32>, tensor<3x8x4xf32>, tensor<4xf32> cond {
    %p = cleave.compare LT, %i, %tokens : (tensor<i32>, tensor<i32>) -> tensor<i1>
    cleave.return %p : tensor<i1>
  } do {
    %s:3 = cleave.while(%l = %zero, %d = %c, %h = %t) : tensor<i32>, tensor<3x8x4xf32>, tensor<4xf32> cond {
      %p = cleave.compare LT, %l, %layers : (tensor<i32>, tensor<i32>) -> tensor<i1>
      cleave.return %p : tensor<i1>
    } do {
      %k = cleave.reshape %h : (tensor<4xf32>) -> tensor<1x1x4xf32>
      %d1 = cleave.dynamic_update_slice %d, %k, %l, %i, %zero : (tensor<3x8x4xf32>, tensor<1x1x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x8x4xf32>
      %all = cleave.dynamic_slice %d1, %l, %zero, %zero, sizes = [1, 8, 4] : (tensor<3x8x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x4xf32>
      %none = cleave.constant dense<-1.0e9> : tensor<f32>
      %most = cleave.reduce(%all init: %none) applies cleave.maximum across dimensions = [0, 1] : (tensor<1x8x4xf32>, tensor<f32>) -> tensor<4xf32>
      %h1 = cleave.subtract %h, %most : tensor<4xf32>
      %l1 = cleave.add %l, %one : tensor<i32>
      cleave.return %l1, %d1, %h1 : tensor<i32>, tensor<3x8x4xf32>, tensor<4xf32>
    }
    %t1 = cleave.tanh %s#2 : tensor<4xf32>
    %j = cleave.add %i, %one : tensor<i32>
    cleave.return %j, %s#1, %t1 : tensor<i32>, tensor<3x8x4xf32>, tensor<4xf32>
  }
  return %r#1, %r#2 : tensor<3x8x4xf32>, tensor<4xf32>
}

//--- donated.mlir
// The outputs change places with the inputs they share; the old values are
// returned as well.
func.func @main(%a: tensor<6x5xf32> {cleave.name = "a", cleave.donated = 0}, %b: tensor<6x5xf32> {cleave.donated = 1}, %s: tensor<6x5xf32> {cleave.donated})
    -> (tensor<6x5xf32>, tensor<6x5xf32>, tensor<6x5xf32>, tensor<6x5xf32>) {
  %zero = cleave.constant dense<1> : tensor<i32>
  %c = cleave.add %b, %s : tensor<6x5xf32>
  %u = cleave.slice %a [0:2, 0:3] : (tensor<6x5xf32>) -> tensor<2x3xf32>
  %d = cleave.dynamic_update_slice %s, %u, %zero, %zero : (tensor<6x5xf32>, tensor<2x3xf32>, tensor<i32>, tensor<i32>) -> tensor<6x5xf32>
  %e = cleave.reverse %d, dims = [0] : tensor<6x5xf32>
  return %c, %a, %b, %e : tensor<6x5xf32>, tensor<6x5xf32>, tensor<6x5xf32>, tensor<6x5xf32>
}
