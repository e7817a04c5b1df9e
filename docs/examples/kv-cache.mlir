// A cache of 64 rows, of which a loop writes one in each iteration. The cache is donated: the loop works where
// the caller has it, copies nothing, and the result is in the same memory.
//
// RUN: %cleave compile %s -o - --emit ir | FileCheck %s
// RUN: %cleave verify %s --mesh model=2 --shard cache=-,model --random-inputs 1 | FileCheck %s --check-prefix=VERIFY
// RUN: %cleave run %s --random-inputs 1 --time 3 --poison-padding | FileCheck %s --check-prefix=TIME
//
// CHECK: exec.program @decode
// CHECK-NEXT: inputs(%[[CACHE:[a-z0-9]*]]: memref<64x8xf32>
// CHECK-NEXT: outputs({{.*}} donated [0] shared [0, -1]
// CHECK-NOT: exec.copy %[[CACHE]]
// CHECK: exec.launch @kernel_{{[0-9]+}}_in_place_0 {{.*}} outs(%[[CACHE]] : memref<64x8xf32>) updated [0]
// CHECK-NOT: exec.copy {{.*}} memref<64x8xf32>
// CHECK: func.func
// VERIFY: verified 2 of 2 outputs on 2 ranks
// TIME: of 3

func.func @decode(%cache: tensor<64x8xf32> {cleave.name = "cache", cleave.donated = 0}, %x: tensor<1x8xf32>)
    -> (tensor<64x8xf32>, tensor<1x8xf32>) {
  %zero = cleave.constant dense<0> : tensor<i32>
  %one = cleave.constant dense<1> : tensor<i32>
  %n = cleave.constant dense<40> : tensor<i32>
  %r:3 = cleave.while(%c = %cache, %i = %zero, %s = %x) : tensor<64x8xf32>, tensor<i32>, tensor<1x8xf32> cond {
    %p = cleave.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    cleave.return %p : tensor<i1>
  } do {
    %old = cleave.dynamic_slice %c, %i, %zero, sizes = [1, 8] : (tensor<64x8xf32>, tensor<i32>, tensor<i32>) -> tensor<1x8xf32>
    %new = cleave.subtract %old, %s : tensor<1x8xf32>
    %next = cleave.dynamic_update_slice %c, %new, %i, %zero : (tensor<64x8xf32>, tensor<1x8xf32>, tensor<i32>, tensor<i32>) -> tensor<64x8xf32>
    %j = cleave.add %i, %one : tensor<i32>
    %t = cleave.tanh %new : tensor<1x8xf32>
    cleave.return %next, %j, %t : tensor<64x8xf32>, tensor<i32>, tensor<1x8xf32>
  }
  return %r#0, %r#2 : tensor<64x8xf32>, tensor<1x8xf32>
}
