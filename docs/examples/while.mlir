// A loop whose variable is cut in every iteration as it is before the first one: the product of
// cut columns and cut rows is a partial sum, which a reduce_scatter turns back into columns.
//
// RUN: cleave-opt %s -cleave-partition | FileCheck %s
// RUN: %cleave explain %s | FileCheck %s --check-prefix=EXPLAIN
// RUN: %cleave verify %s --random-inputs 1 --counters | FileCheck %s --check-prefix=VERIFY

// CHECK: cleave.while({{.*}}) : tensor<i32>, tensor<8x8xf32>
// CHECK: cleave.linear {{.*}} : (tensor<8x8xf32>, tensor<8x32xf32>) -> tensor<8x32xf32>
// CHECK: spmd.reduce_scatter sum {{.*}} dim 1 over @m ["x"] {{.*}} : tensor<8x32xf32> -> tensor<8x8xf32>
// CHECK: cleave.tanh {{.*}} : tensor<8x8xf32>
// EXPLAIN: reduce_scatter  x       768  tensor<8x32xf32>  each iteration
// EXPLAIN: total: 1 collective, 768 bytes per device, 4 ranks; loops count as one iteration, branches as taken
// VERIFY: collective 0: reduce_scatter {{.*}} count 3  bytes 768
// VERIFY: verified 1 of 1 outputs on 4 ranks

spmd.mesh @m <"x"=4>
func.func @power(%w: tensor<32x32xf32> {cleave.name = "w", spmd.sharding = #spmd.sharding<@m, [{"x"}, {}]>},
                 %v: tensor<8x32xf32> {cleave.name = "v", spmd.sharding = #spmd.sharding<@m, [{}, {"x"}]>})
    -> (tensor<8x32xf32> {cleave.name = "result"}) {
  %zero = cleave.constant dense<0> : tensor<i32>
  %one = cleave.constant dense<1> : tensor<i32>
  %count = cleave.constant dense<3> : tensor<i32>
  %r:2 = cleave.while(%i = %zero, %h = %v) : tensor<i32>, tensor<8x32xf32>
  cond {
    %more = cleave.compare LT, %i, %count : (tensor<i32>, tensor<i32>) -> tensor<i1>
    cleave.return %more : tensor<i1>
  } do {
    %next = cleave.add %i, %one : tensor<i32>
    %p = cleave.linear %h, %w : (tensor<8x32xf32>, tensor<32x32xf32>) -> tensor<8x32xf32>
    %t = cleave.tanh %p : tensor<8x32xf32>
    cleave.return %next, %t : tensor<i32>, tensor<8x32xf32>
  }
  return %r#1 : tensor<8x32xf32>
}
