// Sums that are carried from one iteration to the next, and one that a branch starts.
//
// RUN: %cleave verify %s --random-inputs 1 --check-streams | FileCheck %s
// CHECK: verified 2 of 2 outputs on 2 ranks

spmd.mesh @m <"x"=2>
func.func @carried(%a: tensor<64x128xf32> {cleave.name = "a", spmd.sharding = #spmd.sharding<@m, [{}, {"x"}]>},
                   %b: tensor<128x64xf32> {cleave.name = "b", spmd.sharding = #spmd.sharding<@m, [{"x"}, {}]>},
                   %c: tensor<64x64xf32> {cleave.name = "c"}, %flag: tensor<i32> {cleave.name = "flag"})
    -> (tensor<64x64xf32> {cleave.name = "r"}, tensor<64x64xf32> {cleave.name = "s"}) {
  %zero = cleave.constant dense<0> : tensor<i32>
  %one = cleave.constant dense<1> : tensor<i32>
  %count = cleave.constant dense<4> : tensor<i32>
  %r:3 = cleave.while(%i = %zero, %g = %c, %h = %c) : tensor<i32>, tensor<64x64xf32>, tensor<64x64xf32>
  cond {
    %more = cleave.compare LT, %i, %count : (tensor<i32>, tensor<i32>) -> tensor<i1>
    cleave.return %more : tensor<i1>
  } do {
    %next = cleave.add %i, %one : tensor<i32>
    %p = cleave.linear %h, %c : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %t = cleave.tanh %p : tensor<64x64xf32>
    %u = cleave.add %t, %g : tensor<64x64xf32>
    %v = cleave.tanh %u : tensor<64x64xf32>
    %bu = cleave.concatenate %v, %v, dim = 1 : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x128xf32>
    %e = cleave.multiply %bu, %a : tensor<64x128xf32>
    %sum = cleave.linear %e, %b : (tensor<64x128xf32>, tensor<128x64xf32>) -> tensor<64x64xf32>
    %w = cleave.tanh %sum : tensor<64x64xf32>
    cleave.return %next, %w, %v : tensor<i32>, tensor<64x64xf32>, tensor<64x64xf32>
  }
  // Random integers are below 8.
  %taken = cleave.compare LT, %flag, %count : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %q = cleave.if %taken : (tensor<i1>) -> tensor<64x64xf32> then {
    %y = cleave.linear %a, %b : (tensor<64x128xf32>, tensor<128x64xf32>) -> tensor<64x64xf32>
    cleave.return %y : tensor<64x64xf32>
  } else {
    cleave.return %c : tensor<64x64xf32>
  }
  %k = cleave.linear %r#2, %c : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %z = cleave.add %k, %q : tensor<64x64xf32>
  return %r#1, %z : tensor<64x64xf32>, tensor<64x64xf32>
}
