// The gradient of a weight, added up over micro-batches whose rows are cut over "data": the accumulator
// starts from zero and stays a partial sum; one all_reduce after the loop completes it.
//
// RUN: cleave-opt %s -cleave-partition | FileCheck %s
// RUN: %cleave explain %s | FileCheck %s --check-prefix=EXPLAIN
// RUN: %cleave verify %s --random-inputs 1 --counters | FileCheck %s --check-prefix=VERIFY

// CHECK: cleave.while
// CHECK-NOT: spmd.
// CHECK: spmd.all_reduce sum {{.*}} over @m ["data"] {{.*}} : tensor<8x16xf32>
// CHECK-NOT: spmd.
// CHECK: return
// EXPLAIN: all_reduce  data    768  tensor<8x16xf32>  once
// VERIFY: collective 0: all_reduce {{.*}} count 1  bytes 768
// VERIFY: verified 1 of 1 outputs on 4 ranks

spmd.mesh @m <"data"=4>
func.func @gradient(%x: tensor<3x32x8xf32> {cleave.name = "x", spmd.sharding = #spmd.sharding<@m, [{}, {"data"}, {}]>},
                    %dy: tensor<3x32x16xf32> {cleave.name = "dy"}) -> (tensor<8x16xf32> {cleave.name = "dw"}) {
  %zero = cleave.constant dense<0> : tensor<i32>
  %one = cleave.constant dense<1> : tensor<i32>
  %count = cleave.constant dense<3> : tensor<i32>
  %start = cleave.constant dense<0.0> : tensor<8x16xf32>
  %r:2 = cleave.while(%i = %zero, %dw = %start) : tensor<i32>, tensor<8x16xf32>
  cond {
    %more = cleave.compare LT, %i, %count : (tensor<i32>, tensor<i32>) -> tensor<i1>
    cleave.return %more : tensor<i1>
  } do {
    %next = cleave.add %i, %one : tensor<i32>
    %xi = cleave.dynamic_slice %x, %i, %zero, %zero, sizes = [1, 32, 8]
      : (tensor<3x32x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x32x8xf32>
    %dyi = cleave.dynamic_slice %dy, %i, %zero, %zero, sizes = [1, 32, 16]
      : (tensor<3x32x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x32x16xf32>
    %g = cleave.dot_general %xi, %dyi, batching_dims = [] x [], contracting_dims = [0, 1] x [0, 1]
      : (tensor<1x32x8xf32>, tensor<1x32x16xf32>) -> tensor<8x16xf32>
    %sum = cleave.add %dw, %g : tensor<8x16xf32>
    cleave.return %next, %sum : tensor<i32>, tensor<8x16xf32>
  }
  return %r#1 : tensor<8x16xf32>
}
