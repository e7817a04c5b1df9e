// Two products with rows over "x" are partial sums. Their difference is summed once, and each rank
// receives only the rows that it needs for the result.
//
// RUN: cleave-opt %s -cleave-partition | FileCheck %s
// RUN: %cleave verify %s --random-inputs 1 | FileCheck %s --check-prefix=VERIFY

// CHECK: %[[D:.*]] = cleave.subtract %{{.*}} : tensor<8x64xf32>
// CHECK-NEXT: spmd.reduce_scatter sum %[[D]] dim 0 over @m ["x"] {{.*}} : tensor<8x64xf32> -> tensor<2x64xf32>
// CHECK-NOT: spmd.{{all|reduce}}
// VERIFY: verified 1 of 1 outputs on 4 ranks

spmd.mesh @m <"x"=4>
func.func @difference(%a: tensor<8x32xf32> {spmd.sharding = #spmd.sharding<@m, [{}, {"x"}]>},
                      %b: tensor<8x32xf32> {spmd.sharding = #spmd.sharding<@m, [{}, {"x"}]>},
                      %v: tensor<32x64xf32>, %w: tensor<32x64xf32>)
    -> (tensor<8x64xf32> {spmd.sharding = #spmd.sharding<@m, [{"x"}, {}]>}) {
  %0 = cleave.linear %a, %v : (tensor<8x32xf32>, tensor<32x64xf32>) -> tensor<8x64xf32>
  %1 = cleave.linear %b, %w : (tensor<8x32xf32>, tensor<32x64xf32>) -> tensor<8x64xf32>
  %2 = cleave.subtract %0, %1 : tensor<8x64xf32>
  %3 = spmd.sharding_constraint %2 <@m, [{}, {}]> : tensor<8x64xf32>
  %4 = cleave.tanh %3 : tensor<8x64xf32>
  return %4 : tensor<8x64xf32>
}
