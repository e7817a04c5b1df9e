// Slices, pads, concatenations and reversals of a dimension that is cut, 16 rows of 8 f32 over x of 4: each rank gets
// the rows for its block that it does not have, no others. Gathering would be 384 bytes.
//
// RUN: split-file %s %t
//
// A row of the neighbour; two of others; none of any; one row for everybody.
// RUN: %python %S/check.py %cleave %t/shifted.mlir window_exchange:32 --mesh x=4 --shard x=x,- --shard out:0=x,-
// RUN: %python %S/check.py %cleave %t/front.mlir window_exchange:64 --mesh x=4 --shard x=x,- --shard out:0=x,-
// RUN: %python %S/check.py %cleave %t/even.mlir none --mesh x=4 --shard x=x,- --shard out:0=x,-
// RUN: %python %S/check.py %cleave %t/row.mlir window_exchange:32 --mesh x=4 --shard x=x,-
// RUN: %cleave explain %t/shifted.mlir --mesh x=4 --shard x=x,- --shard out:0=x,- | FileCheck %s --check-prefix=CAUSE
// CAUSE: window_exchange x 32 {{.*}} slice takes elements 1 to 15 of sharded dimension 0
//
// RUN: %python %S/check.py %cleave %t/pad.mlir window_exchange:64 --mesh x=4 --shard x=x,- --shard out:0=x,-
// RUN: %python %S/check.py %cleave %t/spread.mlir none --mesh x=4 --shard x=x,- --shard out:0=x,-
//
// Of each half at most eight rows; a row that every rank has goes where it belongs without any exchange.
// RUN: %python %S/check.py %cleave %t/halves.mlir window_exchange:256,window_exchange:256 \
// RUN:   --mesh x=4 --shard x=x,- --shard y=x,- --shard out:0=x,-
// RUN: %python %S/check.py %cleave %t/append.mlir none --mesh x=4 --shard x=x,- --shard y=-,- --shard out:0=x,-
//
// RUN: %python %S/check.py %cleave %t/reverse.mlir window_exchange:128 --mesh x=4 --shard x=x,- --shard out:0=x,-
// A part that is wanted whole moves before, and only the columns of the result do.
// RUN: %python %S/check.py %cleave %t/corner.mlir window_exchange:16,all_gather:48 \
// RUN:   --mesh x=4 --shard x=x,- --shard out:0=-,-
// RUN: %python %S/check.py %cleave %t/roll.mlir window_exchange:32,window_exchange:32 \
// RUN:   --mesh x=4 --shard x=x,- --shard out:0=x,-
//
// Uneven, nested and empty blocks, and parts of axes.
// RUN: %python %S/check.py %cleave %t/uneven.mlir any --mesh x=2,y=3 --shard x=x+y,- --shard out:1=x+y,- --shard out:2=y,x
// RUN: %python %S/check.py %cleave %t/uneven.mlir any --mesh x=5 --shard x=x,- --shard out:0=x,- --shard out:3=x,-
// RUN: %python %S/check.py %cleave %t/parts.mlir any

//--- shifted.mlir
func.func @main(%x: tensor<16x8xf32> {cleave.name = "x"}) -> tensor<15x8xf32> {
  %0 = cleave.slice %x [1:16, 0:8] : (tensor<16x8xf32>) -> tensor<15x8xf32>
  return %0 : tensor<15x8xf32>
}

//--- front.mlir
func.func @main(%x: tensor<16x8xf32> {cleave.name = "x"}) -> tensor<8x8xf32> {
  %0 = cleave.slice %x [0:8, 0:8] : (tensor<16x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

//--- even.mlir
func.func @main(%x: tensor<16x8xf32> {cleave.name = "x"}) -> tensor<8x8xf32> {
  %0 = cleave.slice %x [0:16:2, 0:8] : (tensor<16x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

//--- corner.mlir
func.func @main(%x: tensor<16x8xf32> {cleave.name = "x"}) -> tensor<8x2xf32> {
  %0 = cleave.slice %x [0:8, 2:4] : (tensor<16x8xf32>) -> tensor<8x2xf32>
  return %0 : tensor<8x2xf32>
}

//--- row.mlir
func.func @main(%x: tensor<16x8xf32> {cleave.name = "x"}) -> tensor<1x8xf32> {
  %0 = cleave.slice %x [5:6, 0:8] : (tensor<16x8xf32>) -> tensor<1x8xf32>
  return %0 : tensor<1x8xf32>
}

//--- pad.mlir
func.func @main(%x: tensor<16x8xf32> {cleave.name = "x"}) -> tensor<16x8xf32> {
  %zero = cleave.constant dense<0.5> : tensor<f32>
  %0 = cleave.pad %x, %zero, low = [2, 0], high = [-2, 0], interior = [0, 0] : (tensor<16x8xf32>, tensor<f32>) -> tensor<16x8xf32>
  return %0 : tensor<16x8xf32>
}

//--- spread.mlir
func.func @main(%x: tensor<16x8xf32> {cleave.name = "x"}) -> tensor<32x8xf32> {
  %zero = cleave.constant dense<0.5> : tensor<f32>
  %0 = cleave.pad %x, %zero, low = [0, 0], high = [1, 0], interior = [1, 0] : (tensor<16x8xf32>, tensor<f32>) -> tensor<32x8xf32>
  return %0 : tensor<32x8xf32>
}

//--- halves.mlir
func.func @main(%x: tensor<16x8xf32> {cleave.name = "x"}, %y: tensor<16x8xf32> {cleave.name = "y"}) -> tensor<32x8xf32> {
  %0 = cleave.concatenate %x, %y, dim = 0 : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<32x8xf32>
  return %0 : tensor<32x8xf32>
}

//--- append.mlir
func.func @main(%x: tensor<15x8xf32> {cleave.name = "x"}, %y: tensor<1x8xf32> {cleave.name = "y"}) -> tensor<16x8xf32> {
  %0 = cleave.concatenate %x, %y, dim = 0 : (tensor<15x8xf32>, tensor<1x8xf32>) -> tensor<16x8xf32>
  return %0 : tensor<16x8xf32>
}

//--- reverse.mlir
func.func @main(%x: tensor<16x8xf32> {cleave.name = "x"}) -> tensor<16x8xf32> {
  %0 = cleave.reverse %x, dims = [0, 1] : tensor<16x8xf32>
  return %0 : tensor<16x8xf32>
}

//--- roll.mlir
func.func @main(%x: tensor<16x8xf32> {cleave.name = "x"}) -> tensor<16x8xf32> {
  %0 = cleave.slice %x [15:16, 0:8] : (tensor<16x8xf32>) -> tensor<1x8xf32>
  %1 = cleave.slice %x [0:15, 0:8] : (tensor<16x8xf32>) -> tensor<15x8xf32>
  %2 = cleave.concatenate %0, %1, dim = 0 : (tensor<1x8xf32>, tensor<15x8xf32>) -> tensor<16x8xf32>
  return %2 : tensor<16x8xf32>
}

//--- uneven.mlir
func.func @main(%x: tensor<7x5xf32> {cleave.name = "x"})
    -> (tensor<3x5xf32>, tensor<11x5xf32>, tensor<7x5xf32>, tensor<14x5xf32>) {
  %zero = cleave.constant dense<0.5> : tensor<f32>
  %0 = cleave.slice %x [1:7:2, 0:5] : (tensor<7x5xf32>) -> tensor<3x5xf32>
  %1 = cleave.pad %x, %zero, low = [-1, 0], high = [-1, 0], interior = [1, 0] : (tensor<7x5xf32>, tensor<f32>) -> tensor<11x5xf32>
  %2 = cleave.reverse %x, dims = [0, 1] : tensor<7x5xf32>
  %3 = cleave.concatenate %2, %x, dim = 0 : (tensor<7x5xf32>, tensor<7x5xf32>) -> tensor<14x5xf32>
  return %0, %1, %2, %3 : tensor<3x5xf32>, tensor<11x5xf32>, tensor<7x5xf32>, tensor<14x5xf32>
}

//--- parts.mlir
// 4 rows are cut alike over x and over its parts, 5 are not.
spmd.mesh @m <"x"=4>
func.func @main(%x: tensor<5x3xf32> {cleave.name = "x", spmd.sharding = #spmd.sharding<@m, [{"x":(1)2, "x":(2)2}, {}]>},
                %y: tensor<5x3xf32> {cleave.name = "y", spmd.sharding = #spmd.sharding<@m, [{"x"}, {}]>})
    -> (tensor<4x3xf32> {cleave.name = "parts", spmd.sharding = #spmd.sharding<@m, [{"x":(1)2, "x":(2)2}, {}]>},
        tensor<4x3xf32> {cleave.name = "whole", spmd.sharding = #spmd.sharding<@m, [{"x"}, {}]>}) {
  %0 = cleave.slice %x [1:5, 0:3] : (tensor<5x3xf32>) -> tensor<4x3xf32>
  %1 = cleave.slice %y [1:5, 0:3] : (tensor<5x3xf32>) -> tensor<4x3xf32>
  return %0, %1 : tensor<4x3xf32>, tensor<4x3xf32>
}
