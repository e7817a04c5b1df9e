// Floats of 4 and 6 bits were only moved and widened: nothing could be converted to them or computed in them.
// Expected values are those of ml_dtypes.
// RUN: %cleave check %s | FileCheck %s
// RUN: %cleave check %s --mesh x=2 --shard random:1 | FileCheck %s
// RUN: %cleave check %s --mesh x=3 --shard random:2 --math standard | FileCheck %s
// RUN: %cleave check %s --mesh x=2,y=2 --shard random:3 --math wide | FileCheck %s
// CHECK: 8 passed, 0 failed, 0 skipped
// Ties go to the even mantissa, and what is beyond the largest number becomes it.
module @convert_to_f4E2M1FN {
  func.func private @inputs() -> tensor<18xf32> {
    %x = stablehlo.constant dense<[100.0, -100.0, 0x7F800000, 0xFF800000, 0.25, 0.75, 1.25, 1.75, -0.10000000149011612, -0.0, 5.0, 2.5, 0.0625, 0.03125, 28.5, -3.5, 0.30000001192092896, 6.900000095367432]> : tensor<18xf32>
    return %x : tensor<18xf32>
  }
  func.func public @main() {
    %x = call @inputs() : () -> tensor<18xf32>
    %0 = stablehlo.convert %x : (tensor<18xf32>) -> tensor<18xf4E2M1FN>
    check.expect_eq_const %0, dense<[6.0, -6.0, 6.0, -6.0, 0.0, 1.0, 1.0, 2.0, -0.0, -0.0, 4.0, 2.0, 0.0, 0.0, 6.0, -4.0, 0.5, 6.0]> : tensor<18xf4E2M1FN>
    %d = stablehlo.convert %x : (tensor<18xf32>) -> tensor<18xf64>
    %1 = stablehlo.convert %d : (tensor<18xf64>) -> tensor<18xf4E2M1FN>
    check.expect_eq_const %1, dense<[6.0, -6.0, 6.0, -6.0, 0.0, 1.0, 1.0, 2.0, -0.0, -0.0, 4.0, 2.0, 0.0, 0.0, 6.0, -4.0, 0.5, 6.0]> : tensor<18xf4E2M1FN>
    %b = stablehlo.bitcast_convert %0 : (tensor<18xf4E2M1FN>) -> tensor<18xui4>
    check.expect_eq_const %b, dense<[7, 15, 7, 15, 0, 2, 2, 4, 8, 8, 6, 4, 0, 0, 7, 14, 1, 7]> : tensor<18xui4>
    %i = stablehlo.constant dense<[0, 1, -3, 5, 7, -2147483648, 2147483647, 9]> : tensor<8xi32>
    %2 = stablehlo.convert %i : (tensor<8xi32>) -> tensor<8xf4E2M1FN>
    check.expect_eq_const %2, dense<[0.0, 1.0, -3.0, 4.0, 6.0, -6.0, 6.0, 6.0]> : tensor<8xf4E2M1FN>
    return
  }
}
// -----
// Each op rounds once; a sum and a product of matrices in the end.
module @compute_in_f4E2M1FN {
  func.func private @inputs() -> (tensor<8xf4E2M1FN>, tensor<8xf4E2M1FN>) {
    %a = stablehlo.constant dense<[1.0, 1.5, -2.0, 6.0, 0.5, -0.5, 3.0, 4.0]> : tensor<8xf4E2M1FN>
    %b = stablehlo.constant dense<[0.5, 1.5, 6.0, 6.0, -0.5, 1.0, 2.0, -4.0]> : tensor<8xf4E2M1FN>
    return %a, %b : tensor<8xf4E2M1FN>, tensor<8xf4E2M1FN>
  }
  func.func public @main() {
    %i:2 = call @inputs() : () -> (tensor<8xf4E2M1FN>, tensor<8xf4E2M1FN>)
    %0 = stablehlo.add %i#0, %i#1 : tensor<8xf4E2M1FN>
    check.expect_eq_const %0, dense<[1.5, 3.0, 4.0, 6.0, 0.0, 0.5, 4.0, 0.0]> : tensor<8xf4E2M1FN>
    %1 = stablehlo.divide %i#0, %i#1 : tensor<8xf4E2M1FN>
    check.expect_eq_const %1, dense<[2.0, 1.0, -0.5, 1.0, -1.0, -0.5, 1.5, -1.0]> : tensor<8xf4E2M1FN>
    %m = stablehlo.abs %i#0 : tensor<8xf4E2M1FN>
    %2 = stablehlo.sqrt %m : tensor<8xf4E2M1FN>
    check.expect_eq_const %2, dense<[1.0, 1.0, 1.5, 2.0, 0.5, 0.5, 1.5, 2.0]> : tensor<8xf4E2M1FN>
    %3 = stablehlo.maximum %i#0, %i#1 : tensor<8xf4E2M1FN>
    check.expect_eq_const %3, dense<[1.0, 1.5, 6.0, 6.0, 0.5, 1.0, 3.0, 4.0]> : tensor<8xf4E2M1FN>
    %4 = stablehlo.compare LT, %i#0, %i#1, TOTALORDER : (tensor<8xf4E2M1FN>, tensor<8xf4E2M1FN>) -> tensor<8xi1>
    check.expect_eq_const %4, dense<[false, false, true, false, false, true, false, false]> : tensor<8xi1>
    %zero = stablehlo.constant dense<0.0> : tensor<f4E2M1FN>
    %5 = stablehlo.reduce(%i#0 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<8xf4E2M1FN>, tensor<f4E2M1FN>) -> tensor<f4E2M1FN>
    check.expect_eq_const %5, dense<6.0> : tensor<f4E2M1FN>
    %6 = stablehlo.dot_general %i#0, %i#1, contracting_dims = [0] x [0] : (tensor<8xf4E2M1FN>, tensor<8xf4E2M1FN>) -> tensor<f32>
    check.expect_eq_const %6, dense<16.0> : tensor<f32>
    %7 = stablehlo.dot_general %i#0, %i#1, contracting_dims = [0] x [0] : (tensor<8xf4E2M1FN>, tensor<8xf4E2M1FN>) -> tensor<f4E2M1FN>
    check.expect_eq_const %7, dense<6.0> : tensor<f4E2M1FN>
    %8 = stablehlo.iota dim = 0 : tensor<8xf4E2M1FN>
    check.expect_eq_const %8, dense<[0.0, 1.0, 2.0, 3.0, 4.0, 4.0, 6.0, 6.0]> : tensor<8xf4E2M1FN>
    %9:2 = chlo.top_k(%i#1, k = 3) : tensor<8xf4E2M1FN> -> (tensor<3xf4E2M1FN>, tensor<3xi32>)
    check.expect_eq_const %9#0, dense<[6.0, 6.0, 2.0]> : tensor<3xf4E2M1FN>
    return
  }
}
// -----
// Ties go to the even mantissa, and what is beyond the largest number becomes it.
module @convert_to_f6E2M3FN {
  func.func private @inputs() -> tensor<18xf32> {
    %x = stablehlo.constant dense<[100.0, -100.0, 0x7F800000, 0xFF800000, 0.25, 0.75, 1.25, 1.75, -0.10000000149011612, -0.0, 5.0, 2.5, 0.0625, 0.03125, 28.5, -3.5, 0.30000001192092896, 6.900000095367432]> : tensor<18xf32>
    return %x : tensor<18xf32>
  }
  func.func public @main() {
    %x = call @inputs() : () -> tensor<18xf32>
    %0 = stablehlo.convert %x : (tensor<18xf32>) -> tensor<18xf6E2M3FN>
    check.expect_eq_const %0, dense<[7.5, -7.5, 7.5, -7.5, 0.25, 0.75, 1.25, 1.75, -0.125, -0.0, 5.0, 2.5, 0.0, 0.0, 7.5, -3.5, 0.25, 7.0]> : tensor<18xf6E2M3FN>
    %d = stablehlo.convert %x : (tensor<18xf32>) -> tensor<18xf64>
    %1 = stablehlo.convert %d : (tensor<18xf64>) -> tensor<18xf6E2M3FN>
    check.expect_eq_const %1, dense<[7.5, -7.5, 7.5, -7.5, 0.25, 0.75, 1.25, 1.75, -0.125, -0.0, 5.0, 2.5, 0.0, 0.0, 7.5, -3.5, 0.25, 7.0]> : tensor<18xf6E2M3FN>
    %i = stablehlo.constant dense<[0, 1, -3, 5, 7, -2147483648, 2147483647, 9]> : tensor<8xi32>
    %2 = stablehlo.convert %i : (tensor<8xi32>) -> tensor<8xf6E2M3FN>
    check.expect_eq_const %2, dense<[0.0, 1.0, -3.0, 5.0, 7.0, -7.5, 7.5, 7.5]> : tensor<8xf6E2M3FN>
    return
  }
}
// -----
// Each op rounds once; a sum and a product of matrices in the end.
module @compute_in_f6E2M3FN {
  func.func private @inputs() -> (tensor<8xf6E2M3FN>, tensor<8xf6E2M3FN>) {
    %a = stablehlo.constant dense<[1.0, 1.5, -2.0, 6.0, 0.5, -0.5, 3.0, 4.0]> : tensor<8xf6E2M3FN>
    %b = stablehlo.constant dense<[0.5, 1.5, 6.0, 6.0, -0.5, 1.0, 2.0, -4.0]> : tensor<8xf6E2M3FN>
    return %a, %b : tensor<8xf6E2M3FN>, tensor<8xf6E2M3FN>
  }
  func.func public @main() {
    %i:2 = call @inputs() : () -> (tensor<8xf6E2M3FN>, tensor<8xf6E2M3FN>)
    %0 = stablehlo.add %i#0, %i#1 : tensor<8xf6E2M3FN>
    check.expect_eq_const %0, dense<[1.5, 3.0, 4.0, 7.5, 0.0, 0.5, 5.0, 0.0]> : tensor<8xf6E2M3FN>
    %1 = stablehlo.divide %i#0, %i#1 : tensor<8xf6E2M3FN>
    check.expect_eq_const %1, dense<[2.0, 1.0, -0.375, 1.0, -1.0, -0.5, 1.5, -1.0]> : tensor<8xf6E2M3FN>
    %m = stablehlo.abs %i#0 : tensor<8xf6E2M3FN>
    %2 = stablehlo.sqrt %m : tensor<8xf6E2M3FN>
    check.expect_eq_const %2, dense<[1.0, 1.25, 1.375, 2.5, 0.75, 0.75, 1.75, 2.0]> : tensor<8xf6E2M3FN>
    %3 = stablehlo.maximum %i#0, %i#1 : tensor<8xf6E2M3FN>
    check.expect_eq_const %3, dense<[1.0, 1.5, 6.0, 6.0, 0.5, 1.0, 3.0, 4.0]> : tensor<8xf6E2M3FN>
    %4 = stablehlo.compare LT, %i#0, %i#1, TOTALORDER : (tensor<8xf6E2M3FN>, tensor<8xf6E2M3FN>) -> tensor<8xi1>
    check.expect_eq_const %4, dense<[false, false, true, false, false, true, false, false]> : tensor<8xi1>
    %zero = stablehlo.constant dense<0.0> : tensor<f6E2M3FN>
    %5 = stablehlo.reduce(%i#0 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<8xf6E2M3FN>, tensor<f6E2M3FN>) -> tensor<f6E2M3FN>
    check.expect_eq_const %5, dense<7.5> : tensor<f6E2M3FN>
    %6 = stablehlo.dot_general %i#0, %i#1, contracting_dims = [0] x [0] : (tensor<8xf6E2M3FN>, tensor<8xf6E2M3FN>) -> tensor<f32>
    check.expect_eq_const %6, dense<16.0> : tensor<f32>
    %7 = stablehlo.dot_general %i#0, %i#1, contracting_dims = [0] x [0] : (tensor<8xf6E2M3FN>, tensor<8xf6E2M3FN>) -> tensor<f6E2M3FN>
    check.expect_eq_const %7, dense<7.5> : tensor<f6E2M3FN>
    %8 = stablehlo.iota dim = 0 : tensor<8xf6E2M3FN>
    check.expect_eq_const %8, dense<[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]> : tensor<8xf6E2M3FN>
    %9:2 = chlo.top_k(%i#1, k = 3) : tensor<8xf6E2M3FN> -> (tensor<3xf6E2M3FN>, tensor<3xi32>)
    check.expect_eq_const %9#0, dense<[6.0, 6.0, 2.0]> : tensor<3xf6E2M3FN>
    return
  }
}
// -----
// Ties go to the even mantissa, and what is beyond the largest number becomes it.
module @convert_to_f6E3M2FN {
  func.func private @inputs() -> tensor<18xf32> {
    %x = stablehlo.constant dense<[100.0, -100.0, 0x7F800000, 0xFF800000, 0.25, 0.75, 1.25, 1.75, -0.10000000149011612, -0.0, 5.0, 2.5, 0.0625, 0.03125, 28.5, -3.5, 0.30000001192092896, 6.900000095367432]> : tensor<18xf32>
    return %x : tensor<18xf32>
  }
  func.func public @main() {
    %x = call @inputs() : () -> tensor<18xf32>
    %0 = stablehlo.convert %x : (tensor<18xf32>) -> tensor<18xf6E3M2FN>
    check.expect_eq_const %0, dense<[28.0, -28.0, 28.0, -28.0, 0.25, 0.75, 1.25, 1.75, -0.125, -0.0, 5.0, 2.5, 0.0625, 0.0, 28.0, -3.5, 0.3125, 7.0]> : tensor<18xf6E3M2FN>
    %d = stablehlo.convert %x : (tensor<18xf32>) -> tensor<18xf64>
    %1 = stablehlo.convert %d : (tensor<18xf64>) -> tensor<18xf6E3M2FN>
    check.expect_eq_const %1, dense<[28.0, -28.0, 28.0, -28.0, 0.25, 0.75, 1.25, 1.75, -0.125, -0.0, 5.0, 2.5, 0.0625, 0.0, 28.0, -3.5, 0.3125, 7.0]> : tensor<18xf6E3M2FN>
    %i = stablehlo.constant dense<[0, 1, -3, 5, 7, -2147483648, 2147483647, 9]> : tensor<8xi32>
    %2 = stablehlo.convert %i : (tensor<8xi32>) -> tensor<8xf6E3M2FN>
    check.expect_eq_const %2, dense<[0.0, 1.0, -3.0, 5.0, 7.0, -28.0, 28.0, 8.0]> : tensor<8xf6E3M2FN>
    return
  }
}
// -----
// Each op rounds once; a sum and a product of matrices in the end.
module @compute_in_f6E3M2FN {
  func.func private @inputs() -> (tensor<8xf6E3M2FN>, tensor<8xf6E3M2FN>) {
    %a = stablehlo.constant dense<[1.0, 1.5, -2.0, 6.0, 0.5, -0.5, 3.0, 4.0]> : tensor<8xf6E3M2FN>
    %b = stablehlo.constant dense<[0.5, 1.5, 6.0, 6.0, -0.5, 1.0, 2.0, -4.0]> : tensor<8xf6E3M2FN>
    return %a, %b : tensor<8xf6E3M2FN>, tensor<8xf6E3M2FN>
  }
  func.func public @main() {
    %i:2 = call @inputs() : () -> (tensor<8xf6E3M2FN>, tensor<8xf6E3M2FN>)
    %0 = stablehlo.add %i#0, %i#1 : tensor<8xf6E3M2FN>
    check.expect_eq_const %0, dense<[1.5, 3.0, 4.0, 12.0, 0.0, 0.5, 5.0, 0.0]> : tensor<8xf6E3M2FN>
    %1 = stablehlo.divide %i#0, %i#1 : tensor<8xf6E3M2FN>
    check.expect_eq_const %1, dense<[2.0, 1.0, -0.3125, 1.0, -1.0, -0.5, 1.5, -1.0]> : tensor<8xf6E3M2FN>
    %m = stablehlo.abs %i#0 : tensor<8xf6E3M2FN>
    %2 = stablehlo.sqrt %m : tensor<8xf6E3M2FN>
    check.expect_eq_const %2, dense<[1.0, 1.25, 1.5, 2.5, 0.75, 0.75, 1.75, 2.0]> : tensor<8xf6E3M2FN>
    %3 = stablehlo.maximum %i#0, %i#1 : tensor<8xf6E3M2FN>
    check.expect_eq_const %3, dense<[1.0, 1.5, 6.0, 6.0, 0.5, 1.0, 3.0, 4.0]> : tensor<8xf6E3M2FN>
    %4 = stablehlo.compare LT, %i#0, %i#1, TOTALORDER : (tensor<8xf6E3M2FN>, tensor<8xf6E3M2FN>) -> tensor<8xi1>
    check.expect_eq_const %4, dense<[false, false, true, false, false, true, false, false]> : tensor<8xi1>
    %zero = stablehlo.constant dense<0.0> : tensor<f6E3M2FN>
    %5 = stablehlo.reduce(%i#0 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<8xf6E3M2FN>, tensor<f6E3M2FN>) -> tensor<f6E3M2FN>
    check.expect_eq_const %5, dense<14.0> : tensor<f6E3M2FN>
    %6 = stablehlo.dot_general %i#0, %i#1, contracting_dims = [0] x [0] : (tensor<8xf6E3M2FN>, tensor<8xf6E3M2FN>) -> tensor<f32>
    check.expect_eq_const %6, dense<16.0> : tensor<f32>
    %7 = stablehlo.dot_general %i#0, %i#1, contracting_dims = [0] x [0] : (tensor<8xf6E3M2FN>, tensor<8xf6E3M2FN>) -> tensor<f6E3M2FN>
    check.expect_eq_const %7, dense<16.0> : tensor<f6E3M2FN>
    %8 = stablehlo.iota dim = 0 : tensor<8xf6E3M2FN>
    check.expect_eq_const %8, dense<[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]> : tensor<8xf6E3M2FN>
    %9:2 = chlo.top_k(%i#1, k = 3) : tensor<8xf6E3M2FN> -> (tensor<3xf6E3M2FN>, tensor<3xi32>)
    check.expect_eq_const %9#0, dense<[6.0, 6.0, 2.0]> : tensor<3xf6E3M2FN>
    return
  }
}
// -----
// A sum that is rounded inside of the loop that it is: 0.5 is lost beside 4.
module @sum_step_by_step {
  func.func public @main() {
    %x = stablehlo.constant dense<[4.0, 0.5, 0.5, 0.5]> : tensor<4xf4E2M1FN>
    %zero = stablehlo.constant dense<0.0> : tensor<f4E2M1FN>
    %0 = "stablehlo.reduce"(%x, %zero) <{dimensions = array<i64: 0>}> ({
    ^bb0(%a: tensor<f4E2M1FN>, %b: tensor<f4E2M1FN>):
      %s = stablehlo.add %a, %b : tensor<f4E2M1FN>
      %n = stablehlo.negate %s : tensor<f4E2M1FN>
      %p = stablehlo.abs %n : tensor<f4E2M1FN>
      stablehlo.return %p : tensor<f4E2M1FN>
    }) : (tensor<4xf4E2M1FN>, tensor<f4E2M1FN>) -> tensor<f4E2M1FN>
    check.expect_eq_const %0, dense<4.0> : tensor<f4E2M1FN>
    return
  }
}
// -----
// NaN is a zero of the other sign.
module @nan {
  func.func public @main() {
    %x = stablehlo.constant dense<[0x7FC00000, 0xFFC00000]> : tensor<2xf32>
    %0 = stablehlo.convert %x : (tensor<2xf32>) -> tensor<2xf4E2M1FN>
    %1 = stablehlo.bitcast_convert %0 : (tensor<2xf4E2M1FN>) -> tensor<2xui4>
    check.expect_eq_const %1, dense<[8, 0]> : tensor<2xui4>
    return
  }
}
