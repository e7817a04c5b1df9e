// Sizes need not divide: 7 rows over 2 ranks are blocks of 4 and 3, 10 terms of
// each sum over 3 ranks are blocks of 4, 4 and 2. What lies beyond is padding, and
// both operands are masked, since padding may hold anything.
//
// RUN: cleave-opt %s '-cleave-partition=mesh=rows=2,inner=3 shard=x=rows,inner;w=inner,-' | FileCheck %s
// RUN: %cleave explain %s --mesh rows=2,inner=3 --shard x=rows,inner --shard w=inner,- | FileCheck %s --check-prefix=EXPLAIN
// RUN: %cleave verify %s --mesh rows=2,inner=3 --shard x=rows,inner --shard w=inner,- --random-inputs 1 \
// RUN:   | FileCheck %s --check-prefix=VERIFY

// CHECK-LABEL: func.func @uneven
// CHECK-SAME: tensor<4x4xf32>
// CHECK-SAME: tensor<4x6xf32>
// CHECK: %[[X:.*]] = cleave.select {{.*}} : tensor<4x4xi1>, tensor<4x4xf32>
// CHECK: %[[W:.*]] = cleave.select {{.*}} : tensor<4x6xi1>, tensor<4x6xf32>
// CHECK: %[[Y:.*]] = cleave.linear %[[X]], %[[W]] : {{.*}} -> tensor<4x6xf32>
// CHECK: spmd.all_reduce sum %[[Y]] over @mesh ["inner"]
// EXPLAIN: all_reduce  inner    128  tensor<4x6xf32>  once
// VERIFY: verified 1 of 1 outputs on 6 ranks

func.func @uneven(%x: tensor<7x10xf32> {cleave.name = "x"},
                  %w: tensor<10x6xf32> {cleave.name = "w"}) -> (tensor<7x6xf32> {cleave.name = "y"}) {
  %y = cleave.linear %x, %w : (tensor<7x10xf32>, tensor<10x6xf32>) -> tensor<7x6xf32>
  return %y : tensor<7x6xf32>
}
