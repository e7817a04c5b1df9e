// What a mismatch looks like. 1e8 swallows the lower digits of x in f32: the difference is within what
// f32 may do, its conversion to an integer is not. `cleave verify` says which output is wrong, and
// which value goes wrong first.
//
// RUN: not %cleave verify %s --mesh rows=2 --shard x=rows,- --random-inputs 1 | FileCheck %s

// CHECK: count   2x3    i32 {{.*}} WRONG
// CHECK: scaled  2x3    f32 {{.*}} ok
// CHECK: count: element [0, 0] is 0, expected -6
// CHECK: first value that diverges: cleave.convert at {{.*}}diverges.mlir:[[#@LINE+10]]:8: {{.*}} element [0, 0] is 0, expected -3
// CHECK: verified 1 of 2 outputs on 2 ranks

func.func @count(%x: tensor<2x3xf32> {cleave.name = "x"})
    -> (tensor<2x3xi32> {cleave.name = "count"}, tensor<2x3xf32> {cleave.name = "scaled"}) {
  %ten = cleave.constant dense<10.0> : tensor<2x3xf32>
  %large = cleave.constant dense<1.0e8> : tensor<2x3xf32>
  %scaled = cleave.multiply %x, %ten : tensor<2x3xf32>
  %a = cleave.add %scaled, %large : tensor<2x3xf32>
  %b = cleave.subtract %a, %large : tensor<2x3xf32>
  %c = cleave.convert %b : (tensor<2x3xf32>) -> tensor<2x3xi32>
  %d = cleave.add %c, %c : tensor<2x3xi32>
  return %d, %scaled : tensor<2x3xi32>, tensor<2x3xf32>
}
