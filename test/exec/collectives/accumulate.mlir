// Gradients of 4 micro-batches are added up in a loop: one all_reduce of 8x16 of f32 after it, not one per iteration.
// RUN: split-file %s %t
// RUN: %python %S/check.py %cleave %t/gradient.mlir all_reduce:768 --mesh data=4 --shard '*.batch=-,data,-'
// Batches of 6 rows over 4 ranks: 2, 2, 2, 0.
// RUN: %python %S/check.py %cleave %t/uneven.mlir all_reduce:768 --mesh data=4 --shard '*.batch=-,data,-'
//
// With the gradient cut over data: one reduce_scatter after the loop, of which each rank keeps 2 rows, as in ZeRO.
// RUN: %python %S/check.py %cleave %t/gradient.mlir reduce_scatter:384 --mesh data=4 --shard '*.batch=-,data,-' --shard out:0=data,-

//--- gradient.mlir
func.func @gradient(%x: tensor<4x8x8xf32> {cleave.name = "x.batch"}, %dy: tensor<4x8x16xf32> {cleave.name = "dy.batch"}) -> tensor<8x16xf32> {
  %i0 = cleave.constant dense<0> : tensor<i32>
  %one = cleave.constant dense<1> : tensor<i32>
  %n = cleave.constant dense<4> : tensor<i32>
  %zero = cleave.constant dense<0.0> : tensor<8x16xf32>
  %0:2 = cleave.while(%i = %i0, %acc = %zero) : tensor<i32>, tensor<8x16xf32>
  cond {
    %1 = cleave.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    cleave.return %1 : tensor<i1>
  } do {
    %c0 = cleave.constant dense<0> : tensor<i32>
    %2 = cleave.add %i, %one : tensor<i32>
    %3 = cleave.dynamic_slice %x, %i, %c0, %c0, sizes = [1, 8, 8] : (tensor<4x8x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x8xf32>
    %4 = cleave.dynamic_slice %dy, %i, %c0, %c0, sizes = [1, 8, 16] : (tensor<4x8x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x16xf32>
    %5 = cleave.dot_general %3, %4, batching_dims = [] x [], contracting_dims = [0, 1] x [0, 1] : (tensor<1x8x8xf32>, tensor<1x8x16xf32>) -> tensor<8x16xf32>
    %6 = cleave.add %acc, %5 : tensor<8x16xf32>
    cleave.return %2, %6 : tensor<i32>, tensor<8x16xf32>
  }
  return %0#1 : tensor<8x16xf32>
}
//--- uneven.mlir
func.func @gradient(%x: tensor<4x6x8xf32> {cleave.name = "x.batch"}, %dy: tensor<4x6x16xf32> {cleave.name = "dy.batch"}) -> tensor<8x16xf32> {
  %i0 = cleave.constant dense<0> : tensor<i32>
  %one = cleave.constant dense<1> : tensor<i32>
  %n = cleave.constant dense<4> : tensor<i32>
  %zero = cleave.constant dense<0.0> : tensor<8x16xf32>
  %0:2 = cleave.while(%i = %i0, %acc = %zero) : tensor<i32>, tensor<8x16xf32>
  cond {
    %1 = cleave.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    cleave.return %1 : tensor<i1>
  } do {
    %c0 = cleave.constant dense<0> : tensor<i32>
    %2 = cleave.add %i, %one : tensor<i32>
    %3 = cleave.dynamic_slice %x, %i, %c0, %c0, sizes = [1, 6, 8] : (tensor<4x6x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x6x8xf32>
    %4 = cleave.dynamic_slice %dy, %i, %c0, %c0, sizes = [1, 6, 16] : (tensor<4x6x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x6x16xf32>
    %5 = cleave.dot_general %3, %4, batching_dims = [] x [], contracting_dims = [0, 1] x [0, 1] : (tensor<1x6x8xf32>, tensor<1x6x16xf32>) -> tensor<8x16xf32>
    %6 = cleave.add %acc, %5 : tensor<8x16xf32>
    cleave.return %2, %6 : tensor<i32>, tensor<8x16xf32>
  }
  return %0#1 : tensor<8x16xf32>
}
