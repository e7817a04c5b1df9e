// chlo.broadcast_*, is_pos_inf, is_neg_inf and dynamic_conv by numbers worked out by hand: no test had any of them.
// RUN: %cleave check %s | FileCheck %s
// RUN: %cleave check %s --mesh x=2,y=2 --shard random:5 | FileCheck %s
// CHECK: 6 passed, 0 failed, 0 skipped

// Shapes are aligned at the last dimension; sizes of 1 become any size, on both sides.
func.func @numbers() {
  %a = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %b = stablehlo.constant dense<[2.0, 4.0, -8.0]> : tensor<3xf32>
  %c = stablehlo.constant dense<[[10.0], [20.0]]> : tensor<2x1xf32>
  %d = stablehlo.constant dense<3.0> : tensor<f32>
  %0 = chlo.broadcast_add %a, %b : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  check.expect_eq_const %0, dense<[[3.0, 6.0, -5.0], [6.0, 9.0, -2.0]]> : tensor<2x3xf32>
  %1 = chlo.broadcast_subtract %b, %c : (tensor<3xf32>, tensor<2x1xf32>) -> tensor<2x3xf32>
  check.expect_eq_const %1, dense<[[-8.0, -6.0, -18.0], [-18.0, -16.0, -28.0]]> : tensor<2x3xf32>
  %2 = chlo.broadcast_multiply %d, %a : (tensor<f32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  check.expect_eq_const %2, dense<[[3.0, 6.0, 9.0], [12.0, 15.0, 18.0]]> : tensor<2x3xf32>
  %3 = chlo.broadcast_divide %a, %b : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  check.expect_eq_const %3, dense<[[0.5, 0.5, -0.375], [2.0, 1.25, -0.75]]> : tensor<2x3xf32>
  %4 = chlo.broadcast_maximum %a, %d : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
  check.expect_eq_const %4, dense<[[3.0, 3.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %5 = chlo.broadcast_minimum %b, %d : (tensor<3xf32>, tensor<f32>) -> tensor<3xf32>
  check.expect_eq_const %5, dense<[2.0, 3.0, -8.0]> : tensor<3xf32>
  // The remainder has the sign of the dividend.
  %6 = chlo.broadcast_remainder %b, %d : (tensor<3xf32>, tensor<f32>) -> tensor<3xf32>
  check.expect_eq_const %6, dense<[2.0, 1.0, -2.0]> : tensor<3xf32>
  %7 = chlo.broadcast_power %b, %d : (tensor<3xf32>, tensor<f32>) -> tensor<3xf32>
  check.expect_almost_eq_const %7, dense<[8.0, 64.0, -512.0]> : tensor<3xf32>
  return
}

// -----

// broadcast_dimensions say which dimensions those of the operand of lower rank are.
func.func @dimensions() {
  %a = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %b = stablehlo.constant dense<[10, 20]> : tensor<2xi32>
  %c = stablehlo.constant dense<[100, 200, 300]> : tensor<3xi32>
  %0 = chlo.broadcast_add %a, %b {broadcast_dimensions = array<i64: 0>} : (tensor<2x3xi32>, tensor<2xi32>) -> tensor<2x3xi32>
  check.expect_eq_const %0, dense<[[11, 12, 13], [24, 25, 26]]> : tensor<2x3xi32>
  %1 = "chlo.broadcast_subtract"(%c, %a) {broadcast_dimensions = array<i64: 1>} : (tensor<3xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
  check.expect_eq_const %1, dense<[[99, 198, 297], [96, 195, 294]]> : tensor<2x3xi32>
  return
}

// -----

func.func @bits() {
  %a = stablehlo.constant dense<[[12, 10], [-8, 7]]> : tensor<2x2xi32>
  %b = stablehlo.constant dense<[6, 3]> : tensor<2xi32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %0 = chlo.broadcast_and %a, %b : (tensor<2x2xi32>, tensor<2xi32>) -> tensor<2x2xi32>
  check.expect_eq_const %0, dense<[[4, 2], [0, 3]]> : tensor<2x2xi32>
  %1 = chlo.broadcast_or %a, %b : (tensor<2x2xi32>, tensor<2xi32>) -> tensor<2x2xi32>
  check.expect_eq_const %1, dense<[[14, 11], [-2, 7]]> : tensor<2x2xi32>
  %2 = chlo.broadcast_xor %a, %b : (tensor<2x2xi32>, tensor<2xi32>) -> tensor<2x2xi32>
  check.expect_eq_const %2, dense<[[10, 9], [-2, 4]]> : tensor<2x2xi32>
  %3 = chlo.broadcast_shift_left %a, %one : (tensor<2x2xi32>, tensor<i32>) -> tensor<2x2xi32>
  check.expect_eq_const %3, dense<[[24, 20], [-16, 14]]> : tensor<2x2xi32>
  %4 = chlo.broadcast_shift_right_arithmetic %a, %one : (tensor<2x2xi32>, tensor<i32>) -> tensor<2x2xi32>
  check.expect_eq_const %4, dense<[[6, 5], [-4, 3]]> : tensor<2x2xi32>
  %5 = chlo.broadcast_shift_right_logical %a, %one : (tensor<2x2xi32>, tensor<i32>) -> tensor<2x2xi32>
  check.expect_eq_const %5, dense<[[6, 5], [2147483644, 3]]> : tensor<2x2xi32>
  return
}

// -----

func.func @functions() {
  %x = stablehlo.constant dense<[[1.0], [-1.0]]> : tensor<2x1xf32>
  %y = stablehlo.constant dense<[1.0, -1.0]> : tensor<2xf32>
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %two = stablehlo.constant dense<2.0> : tensor<f32>
  // In quadrants: pi/4, 3 pi/4 and their negatives.
  %0 = chlo.broadcast_atan2 %x, %y : (tensor<2x1xf32>, tensor<2xf32>) -> tensor<2x2xf32>
  check.expect_almost_eq_const %0, dense<[[0.785398163, 2.35619449], [-0.785398163, -2.35619449]]> : tensor<2x2xf32>
  %1 = chlo.broadcast_complex %x, %y : (tensor<2x1xf32>, tensor<2xf32>) -> tensor<2x2xcomplex<f32>>
  check.expect_eq_const %1, dense<[[(1.0, 1.0), (1.0, -1.0)], [(-1.0, 1.0), (-1.0, -1.0)]]> : tensor<2x2xcomplex<f32>>
  // Towards itself, and down.
  %2 = chlo.broadcast_next_after %one, %y : (tensor<f32>, tensor<2xf32>) -> tensor<2xf32>
  check.expect_eq_const %2, dense<[1.0, 0.999999940395355224609375]> : tensor<2xf32>
  %n = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  // zeta(2, 1) = pi^2 / 6, zeta(2, 2) = that - 1; polygamma(1, x) = zeta(2, x).
  %3 = chlo.broadcast_zeta %two, %n : (tensor<f32>, tensor<2xf32>) -> tensor<2xf32>
  check.expect_almost_eq_const %3, dense<[1.64493407, 0.644934067]> : tensor<2xf32>
  %4 = chlo.broadcast_polygamma %one, %n : (tensor<f32>, tensor<2xf32>) -> tensor<2xf32>
  check.expect_almost_eq_const %4, dense<[1.64493407, 0.644934067]> : tensor<2xf32>
  return
}

// -----

// Of infinities and NaNs, each is only what it is called.
func.func @choices() {
  %x = stablehlo.constant dense<[0x7F800000, 0xFF800000, 0x7FC00000, 3.40282347E+38]> : tensor<4xf32>
  %0 = chlo.is_pos_inf %x : tensor<4xf32> -> tensor<4xi1>
  check.expect_eq_const %0, dense<[true, false, false, false]> : tensor<4xi1>
  %1 = chlo.is_neg_inf %x : tensor<4xf32> -> tensor<4xi1>
  check.expect_eq_const %1, dense<[false, true, false, false]> : tensor<4xi1>
  %2 = chlo.is_inf %x : tensor<4xf32> -> tensor<4xi1>
  check.expect_eq_const %2, dense<[true, true, false, false]> : tensor<4xi1>
  %a = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  %b = stablehlo.constant dense<[1, 4]> : tensor<2xi32>
  %3 = chlo.broadcast_compare %a, %b {comparison_direction = #chlo<comparison_direction EQ>} : (tensor<2x2xi32>, tensor<2xi32>) -> tensor<2x2xi1>
  check.expect_eq_const %3, dense<[[true, false], [false, true]]> : tensor<2x2xi1>
  %4 = chlo.broadcast_compare %a, %b {broadcast_dimensions = array<i64: 0>, comparison_direction = #chlo<comparison_direction GE>} : (tensor<2x2xi32>, tensor<2xi32>) -> tensor<2x2xi1>
  check.expect_eq_const %4, dense<[[true, true], [false, true]]> : tensor<2x2xi1>
  %minus = stablehlo.constant dense<-1> : tensor<i32>
  %5 = chlo.broadcast_select %3, %minus, %b : (tensor<2x2xi1>, tensor<i32>, tensor<2xi32>) -> tensor<2x2xi32>
  check.expect_eq_const %5, dense<[[-1, 4], [1, -1]]> : tensor<2x2xi32>
  %p = stablehlo.constant dense<false> : tensor<i1>
  %6 = chlo.broadcast_select %p, %minus, %b : (tensor<i1>, tensor<i32>, tensor<2xi32>) -> tensor<2xi32>
  check.expect_eq_const %6, dense<[1, 4]> : tensor<2xi32>
  return
}

// -----

// One element of padding in front, none behind, which only an operand says.
func.func @convolution() {
  %x = stablehlo.constant dense<[[[1.0], [2.0], [3.0], [4.0]]]> : tensor<1x4x1xf32>
  %k = stablehlo.constant dense<[[[10.0]], [[1.0]]]> : tensor<2x1x1xf32>
  %p = stablehlo.constant dense<[[1, 0]]> : tensor<1x2xi32>
  %0 = "stablehlo.dynamic_conv"(%x, %k, %p) {dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, window_strides = array<i64: 1>, lhs_dilation = array<i64: 1>, rhs_dilation = array<i64: 1>, window_reversal = array<i1: false>, batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x1xf32>, tensor<2x1x1xf32>, tensor<1x2xi32>) -> tensor<1x4x1xf32>
  check.expect_eq_const %0, dense<[[[1.0], [12.0], [23.0], [34.0]]]> : tensor<1x4x1xf32>
  // Two dimensions: rows are padded behind, columns in front; every second row.
  %y = stablehlo.constant dense<[[[[1.0], [2.0]], [[3.0], [4.0]]]]> : tensor<1x2x2x1xf32>
  %w = stablehlo.constant dense<[[[[1.0]], [[10.0]]], [[[100.0]], [[1000.0]]]]> : tensor<2x2x1x1xf32>
  %q = stablehlo.constant dense<[[0, 2], [1, 0]]> : tensor<2x2xi64>
  %1 = "stablehlo.dynamic_conv"(%y, %w, %q) {dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, window_strides = array<i64: 2, 1>, batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x2x2x1xf32>, tensor<2x2x1x1xf32>, tensor<2x2xi64>) -> tensor<1x2x2x1xf32>
  check.expect_eq_const %1, dense<[[[[3010.0], [4321.0]], [[0.0], [0.0]]]]> : tensor<1x2x2x1xf32>
  return
}
