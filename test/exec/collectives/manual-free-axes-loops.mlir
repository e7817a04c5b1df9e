// A loop in a manual computation that runs as often as the position along the manual axis says. What its body sums
// over the free axis meets ranks of one position only, which agree on the number of rounds.
//
// RUN: %cleave verify %s --random-inputs 1 | FileCheck %s
// RUN: sed 's/"y"=2/"y"=3/' %s > %t.3.mlir
// RUN: %cleave verify %t.3.mlir --random-inputs 1 | FileCheck %s
// RUN: %cleave explain %t.3.mlir | FileCheck %s --check-prefix=EXPLAIN
// CHECK: verified 1 of 1 outputs on
// EXPLAIN: all_reduce y {{.*}} each iteration

spmd.mesh @m <"x"=2, "y"=2>
func.func @main(%h: tensor<12x5xf32> {cleave.name = "h"}) -> (tensor<12x5xf32> {cleave.name = "looped"}) {
  %looped = spmd.manual_computation(%h) in [#spmd.sharding<@m, [{"x"}, {?}]>] out [#spmd.sharding<@m, [{"x"}, {?}]>]
      free ["y"] : (tensor<12x5xf32>) -> tensor<12x5xf32> {
  ^bb0(%l: tensor<6x5xf32>):
    %i = spmd.axis_index @m ["x"] : tensor<i32>
    %zero = cleave.constant dense<0> : tensor<i32>
    %n, %v = cleave.while(%k = %zero, %s = %l) : tensor<i32>, tensor<6x5xf32> cond {
      %more = cleave.compare LE, %k, %i : (tensor<i32>, tensor<i32>) -> tensor<i1>
      cleave.return %more : tensor<i1>
    } do {
      %one = cleave.constant dense<1> : tensor<i32>
      %next = cleave.add %k, %one : tensor<i32>
      %t = cleave.softmax %s, dim = 1 : tensor<6x5xf32>
      %c = spmd.sharding_constraint %t <@m, [{}, {"y"}]> : tensor<6x5xf32>
      %d = cleave.subtract %s, %c : tensor<6x5xf32>
      cleave.return %next, %d : tensor<i32>, tensor<6x5xf32>
    }
    spmd.return %v : tensor<6x5xf32>
  }
  return %looped : tensor<12x5xf32>
}
