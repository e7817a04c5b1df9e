// Bits of integers of 2 and 4 bits: an arithmetic shift of unsigned ones repeats the highest bit, and two leading zeros are -2 in i2.
// RUN: %cleave check %s | FileCheck %s
// RUN: %cleave check %s --mesh x=2 --shard random:1 | FileCheck %s
// CHECK: 3 passed, 0 failed, 0 skipped
func.func @shift_ui4() {
  %x = stablehlo.constant dense<[0, 7, 8, 10, 15]> : tensor<5xui4>
  %n = stablehlo.constant dense<[1, 1, 1, 2, 9]> : tensor<5xui4>
  %0 = stablehlo.shift_right_arithmetic %x, %n : tensor<5xui4>
  check.expect_eq_const %0, dense<[0, 3, 12, 14, 15]> : tensor<5xui4>
  return
}
// -----
func.func @shift_ui2() {
  %x = stablehlo.constant dense<[0, 1, 2, 3]> : tensor<4xui2>
  %n = stablehlo.constant dense<1> : tensor<4xui2>
  %0 = stablehlo.shift_right_arithmetic %x, %n : tensor<4xui2>
  check.expect_eq_const %0, dense<[0, 0, 3, 3]> : tensor<4xui2>
  %1 = stablehlo.shift_right_logical %x, %n : tensor<4xui2>
  check.expect_eq_const %1, dense<[0, 0, 1, 1]> : tensor<4xui2>
  return
}
// -----
func.func @leading_zeros() {
  %x = stablehlo.constant dense<[-2, -1, 0, 1]> : tensor<4xi2>
  %0 = stablehlo.count_leading_zeros %x : tensor<4xi2>
  check.expect_eq_const %0, dense<[0, 0, -2, 1]> : tensor<4xi2>
  return
}
