// Loops and branches in a manual computation: those around a collective run alike on the ranks of
// its groups, others as often as each rank likes.
//
// RUN: %cleave verify %s --random-inputs 1 | FileCheck %s
// CHECK: verified 3 of 3 outputs on 6 ranks

spmd.mesh @m <"x"=2, "y"=3>
func.func @main(%x: tensor<7x4xf32>) -> (tensor<7x4xf32>, tensor<6x3xi32>, tensor<7x4xf32>) {
  // Doubles and averages until the largest element anywhere is at least 100.
  %grown = spmd.manual_computation(%x) in [#spmd.sharding<@m, [{"x", "y"}, {}]>]
      out [#spmd.sharding<@m, [{"x", "y"}, {}]>] : (tensor<7x4xf32>) -> tensor<7x4xf32> {
  ^bb0(%a: tensor<2x4xf32>):
    %limit = cleave.constant dense<100.0> : tensor<f32>
    %least = cleave.constant dense<0xFF800000> : tensor<f32>
    %masked = spmd.mask_padding sum %a dim 0 size 7 over @m ["x", "y"] : tensor<2x4xf32>
    %r = cleave.while(%v = %masked) : tensor<2x4xf32>
     cond {
      %own = cleave.reduce(%v init: %least) applies cleave.maximum across dimensions = [0, 1] : (tensor<2x4xf32>, tensor<f32>) -> tensor<f32>
      %all = spmd.all_reduce max %own over @m ["x", "y"] : tensor<f32>
      %more = cleave.compare LT, %all, %limit : (tensor<f32>, tensor<f32>) -> tensor<i1>
      cleave.return %more : tensor<i1>
    } do {
      %sum = spmd.all_reduce sum %v over @m ["y"] : tensor<2x4xf32>
      %next = cleave.add %v, %sum : tensor<2x4xf32>
      %double = cleave.add %next, %v : tensor<2x4xf32>
      cleave.return %double : tensor<2x4xf32>
    }
    spmd.return %r : tensor<2x4xf32>
  }
  // Rank r along y counts to r, with a sum over x in each round.
  %counted = spmd.manual_computation() in [] out [#spmd.sharding<@m, [{"x"}, {"y"}]>] : () -> tensor<6x3xi32> {
    %zero3 = cleave.constant dense<0> : tensor<i32>
    %one = cleave.constant dense<1> : tensor<i32>
    %i = spmd.axis_index @m ["y"] : tensor<i32>
    %start = cleave.constant dense<1> : tensor<3x1xi32>
    %n, %r = cleave.while(%k = %zero3, %v = %start) : tensor<i32>, tensor<3x1xi32>
     cond {
      %more = cleave.compare LT, %k, %i : (tensor<i32>, tensor<i32>) -> tensor<i1>
      cleave.return %more : tensor<i1>
    } do {
      %next = cleave.add %k, %one : tensor<i32>
      %sum = spmd.all_reduce sum %v over @m ["x"] : tensor<3x1xi32>
      cleave.return %next, %sum : tensor<i32>, tensor<3x1xi32>
    }
    spmd.return %r : tensor<3x1xi32>
  }
  // A branch per rank, without collectives.
  %chosen = spmd.manual_computation(%x) in [#spmd.sharding<@m, [{"y"}, {"x"}]>]
      out [#spmd.sharding<@m, [{"y"}, {"x"}]>] : (tensor<7x4xf32>) -> tensor<7x4xf32> {
  ^bb0(%a: tensor<3x2xf32>):
    %i = spmd.axis_index @m ["x", "y"] : tensor<i32>
    %two = cleave.constant dense<2> : tensor<i32>
    %small = cleave.compare LT, %i, %two : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %r = cleave.if %small : (tensor<i1>) -> tensor<3x2xf32> then {
      %n = cleave.negate %a : tensor<3x2xf32>
      cleave.return %n : tensor<3x2xf32>
    } else {
      %e = cleave.exponential %a : tensor<3x2xf32>
      cleave.return %e : tensor<3x2xf32>
    }
    spmd.return %r : tensor<3x2xf32>
  }
  return %grown, %counted, %chosen : tensor<7x4xf32>, tensor<6x3xi32>, tensor<7x4xf32>
}
