// Slices at starts that are known at run time only, along a dimension that is cut: 16 rows of 8 f32 over x of 4.
//
// RUN: split-file %s %t
//
// Each rank writes what lies in its block of a cache.
// RUN: %python %S/check.py %cleave %t/write.mlir none --mesh x=4 --shard cache=x,- --shard out:0=x,- --random-inputs 1
// RUN: %python %S/check.py %cleave %t/write.mlir none --mesh x=4 --shard cache=x,- --shard out:0=x,- --random-inputs 2
// RUN: %python %S/check.py %cleave %t/write.mlir none --mesh x=2,y=3 --shard cache=x+y,- --shard out:0=x+y,-
// RUN: %python %S/check.py %cleave %t/write.mlir none --mesh x=2,y=3 --shard cache=y,x --shard out:0=y,x
// An update that is cut, too, is gathered: it is the smaller one.
// RUN: %python %S/check.py %cleave %t/write.mlir all_gather:96 \
// RUN:   --mesh x=4 --shard cache=x,- --shard update=x,- --shard out:0=x,-
//
// One row: a sum of what the ranks found, 2 * 3 / 4 of its bytes. Half of the rows: a sum would be as much as all of
// them, which are gathered.
// RUN: %python %S/check.py %cleave %t/read.mlir all_reduce:48 --mesh x=4 --shard cache=x,-
// RUN: %python %S/check.py %cleave %t/read-half.mlir all_gather:384 --mesh x=4 --shard cache=x,-
// RUN: %python %S/check.py %cleave %t/read-half.mlir any --mesh x=2,y=3 --shard cache=x+y,-
// RUN: %cleave explain %t/read.mlir --mesh x=4 --shard cache=x,- | FileCheck %s
// CHECK: all_reduce x 48 {{.*}} dynamic_slice of sharded dimension 0
//
// Wanted in parts, the sum is scattered.
// RUN: %python %S/check.py %cleave %t/read-some.mlir reduce_scatter:96 --mesh x=4 --shard cache=x,- --shard out:0=x,-

//--- write.mlir
func.func @main(%cache: tensor<16x8xf32> {cleave.name = "cache"}, %update: tensor<3x8xf32> {cleave.name = "update"},
                %at: tensor<i64> {cleave.name = "at"}) -> tensor<16x8xf32> {
  %zero = cleave.constant dense<0> : tensor<i64>
  %0 = cleave.dynamic_update_slice %cache, %update, %at, %zero
    : (tensor<16x8xf32>, tensor<3x8xf32>, tensor<i64>, tensor<i64>) -> tensor<16x8xf32>
  return %0 : tensor<16x8xf32>
}

//--- read.mlir
func.func @main(%cache: tensor<16x8xf32> {cleave.name = "cache"}, %at: tensor<i32> {cleave.name = "at"}) -> tensor<1x8xf32> {
  %zero = cleave.constant dense<0> : tensor<i32>
  %0 = cleave.dynamic_slice %cache, %at, %zero, sizes = [1, 8] : (tensor<16x8xf32>, tensor<i32>, tensor<i32>) -> tensor<1x8xf32>
  return %0 : tensor<1x8xf32>
}

//--- read-half.mlir
func.func @main(%cache: tensor<16x8xf32> {cleave.name = "cache"}, %at: tensor<i32> {cleave.name = "at"}) -> tensor<8x8xf32> {
  %zero = cleave.constant dense<0> : tensor<i32>
  %0 = cleave.dynamic_slice %cache, %at, %zero, sizes = [8, 8] : (tensor<16x8xf32>, tensor<i32>, tensor<i32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

//--- read-some.mlir
func.func @main(%cache: tensor<16x8xf32> {cleave.name = "cache"}, %at: tensor<i32> {cleave.name = "at"}) -> tensor<4x8xf32> {
  %zero = cleave.constant dense<0> : tensor<i32>
  %0 = cleave.dynamic_slice %cache, %at, %zero, sizes = [4, 8] : (tensor<16x8xf32>, tensor<i32>, tensor<i32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}
