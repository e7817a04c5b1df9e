// What conversion makes of other ops, by numbers worked out by hand.
// RUN: %cleave check %s
// RUN: %cleave check %s --mesh x=2,y=2 --shard random:3

func.func @mulhi() {
  %a = stablehlo.constant dense<[64, -64, -64, 127]> : tensor<4xi8>
  %b = stablehlo.constant dense<[4, 4, -4, 127]> : tensor<4xi8>
  %0 = chlo.mulhi %a, %b : tensor<4xi8>, tensor<4xi8> -> tensor<4xi8>
  check.expect_eq_const %0, dense<[1, -1, 1, 63]> : tensor<4xi8>
  %c = stablehlo.constant dense<[1152921504606846976, -1152921504606846976, -1, 9223372036854775807]> : tensor<4xi64>
  %d = stablehlo.constant dense<[16, 16, 1, 9223372036854775807]> : tensor<4xi64>
  %1 = chlo.mulhi %c, %d : tensor<4xi64>, tensor<4xi64> -> tensor<4xi64>
  check.expect_eq_const %1, dense<[1, -1, -1, 4611686018427387903]> : tensor<4xi64>
  %e = stablehlo.constant dense<[17293822569102704640, 18446744073709551615]> : tensor<2xui64>
  %f = stablehlo.constant dense<[16, 18446744073709551615]> : tensor<2xui64>
  %2 = chlo.mulhi %e, %f : tensor<2xui64>, tensor<2xui64> -> tensor<2xui64>
  check.expect_eq_const %2, dense<[15, 18446744073709551614]> : tensor<2xui64>
  return
}

// -----

func.func @scan() {
  %x = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %z = stablehlo.constant dense<[0, 10]> : tensor<2xi32>
  %0:2 = chlo.scan(%x) inits(%z) dimension=1 {
  ^bb0(%a: tensor<2xi32>, %b: tensor<2xi32>):
    %s = stablehlo.add %a, %b : tensor<2xi32>
    stablehlo.return %s, %s : tensor<2xi32>, tensor<2xi32>
  } : (tensor<2x3xi32>, tensor<2xi32>) -> (tensor<2x3xi32>, tensor<2xi32>)
  check.expect_eq_const %0#0, dense<[[1, 3, 6], [14, 19, 25]]> : tensor<2x3xi32>
  check.expect_eq_const %0#1, dense<[6, 25]> : tensor<2xi32>
  %1:2 = chlo.scan(%x) inits(%z) dimension=1 attributes {is_reverse = true} {
  ^bb0(%a: tensor<2xi32>, %b: tensor<2xi32>):
    %s = stablehlo.add %a, %b : tensor<2xi32>
    stablehlo.return %b, %s : tensor<2xi32>, tensor<2xi32>
  } : (tensor<2x3xi32>, tensor<2xi32>) -> (tensor<2x3xi32>, tensor<2xi32>)
  check.expect_eq_const %1#0, dense<[[5, 3, 0], [21, 16, 10]]> : tensor<2x3xi32>
  check.expect_eq_const %1#1, dense<[6, 25]> : tensor<2xi32>
  return
}

// -----

// Groups of 1, 0 and 3 rows; rows 4 and later are in none.
func.func @ragged_dot() {
  %lhs = stablehlo.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0], [7.0, 8.0], [9.0, 10.0]]> : tensor<5x2xf32>
  %rhs = stablehlo.constant dense<[[[1.0], [1.0]], [[100.0], [100.0]], [[1.0], [-1.0]]]> : tensor<3x2x1xf32>
  %sizes = stablehlo.constant dense<[1, 0, 3]> : tensor<3xi32>
  %0 = "chlo.ragged_dot"(%lhs, %rhs, %sizes) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}> : (tensor<5x2xf32>, tensor<3x2x1xf32>, tensor<3xi32>) -> tensor<5x1xf32>
  check.expect_eq_const %0, dense<[[3.0], [-1.0], [-1.0], [-1.0], [0.0]]> : tensor<5x1xf32>
  // The contracted dimension is ragged: one product for each group.
  %m = stablehlo.constant dense<[[1.0, 2.0, 3.0, 4.0, 5.0]]> : tensor<1x5xf32>
  %1 = "chlo.ragged_dot"(%m, %lhs, %sizes) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0], lhs_ragged_dimensions = [1]>}> : (tensor<1x5xf32>, tensor<5x2xf32>, tensor<3xi32>) -> tensor<3x1x2xf32>
  check.expect_eq_const %1, dense<[[[1.0, 2.0]], [[0.0, 0.0]], [[49.0, 58.0]]]> : tensor<3x1x2xf32>
  return
}

// -----

// With a batch, which comes behind the group in the result.
func.func @ragged_dot_batch() {
  %lhs = stablehlo.constant dense<[[[1.0, 2.0, 3.0]], [[4.0, 5.0, 6.0]]]> : tensor<2x1x3xf32>
  %rhs = stablehlo.constant dense<[[[1.0], [1.0], [1.0]], [[2.0], [2.0], [2.0]]]> : tensor<2x3x1xf32>
  %sizes = stablehlo.constant dense<[1, 2]> : tensor<2xi64>
  %0 = "chlo.ragged_dot"(%lhs, %rhs, %sizes) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [2]>}> : (tensor<2x1x3xf32>, tensor<2x3x1xf32>, tensor<2xi64>) -> tensor<2x2x1x1xf32>
  check.expect_eq_const %0, dense<[[[[1.0]], [[8.0]]], [[[5.0]], [[22.0]]]]> : tensor<2x2x1x1xf32>
  return
}

// -----

// The biased variance of 1, 3 is 1, of 2, 6 is 4.
func.func @batch_norm() {
  %x = stablehlo.constant dense<[[1.0, 2.0], [3.0, 6.0]]> : tensor<2x2xf32>
  %s = stablehlo.constant dense<[2.0, 4.0]> : tensor<2xf32>
  %o = stablehlo.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %e0 = stablehlo.constant dense<[[8.0, 16.0], [12.0, 24.0]]> : tensor<2x2xf32>
  %0:3 = "stablehlo.batch_norm_training"(%x, %s, %o) <{epsilon = 0.0 : f32, feature_index = 1 : i64}> : (tensor<2x2xf32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<2x2xf32>, tensor<2xf32>, tensor<2xf32>)
  check.expect_close %0#0, %e0 : tensor<2x2xf32>, tensor<2x2xf32>
  check.expect_eq_const %0#1, dense<[2.0, 4.0]> : tensor<2xf32>
  check.expect_eq_const %0#2, dense<[1.0, 4.0]> : tensor<2xf32>
  %1 = "stablehlo.batch_norm_inference"(%x, %s, %o, %0#1, %0#2) <{epsilon = 0.0 : f32, feature_index = 1 : i64}> : (tensor<2x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x2xf32>
  check.expect_close %1, %e0 : tensor<2x2xf32>, tensor<2x2xf32>
  %g = stablehlo.constant dense<[[1.0, 1.0], [2.0, 5.0]]> : tensor<2x2xf32>
  // With two rows the gradient of the normalised values cancels.
  %2:3 = "stablehlo.batch_norm_grad"(%x, %s, %0#1, %0#2, %g) <{epsilon = 0.0 : f32, feature_index = 1 : i64}> : (tensor<2x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2xf32>, tensor<2xf32>)
  check.expect_almost_eq_const %2#0, dense<0.0> : tensor<2x2xf32>
  check.expect_almost_eq_const %2#1, dense<[1.0, 4.0]> : tensor<2xf32>
  check.expect_eq_const %2#2, dense<[3.0, 6.0]> : tensor<2xf32>
  return
}

// -----

// The first of equal elements is selected; a window of padding alone adds nothing.
func.func @select_and_scatter() {
  %x = stablehlo.constant dense<[5, 5, 1, 2]> : tensor<4xi32>
  %s = stablehlo.constant dense<[10, 20, 40]> : tensor<3xi32>
  %z = stablehlo.constant dense<100> : tensor<i32>
  %0 = "stablehlo.select_and_scatter"(%x, %s, %z) <{window_dimensions = array<i64: 2>, window_strides = array<i64: 2>, padding = dense<[[0, 2]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %c = stablehlo.compare GE, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }, {
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %c = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %c : tensor<i32>
  }) : (tensor<4xi32>, tensor<3xi32>, tensor<i32>) -> tensor<4xi32>
  check.expect_eq_const %0, dense<[110, 100, 100, 120]> : tensor<4xi32>
  return
}

// -----

// NaN is the largest in total order, -0 is below +0, equal values keep their order.
func.func @top_k() {
  %x = stablehlo.constant dense<[[1.0, 0x7FC00000, -0.0, 0.0], [2.0, 3.0, 3.0, 0xFF800000]]> : tensor<2x4xf32>
  %0:2 = chlo.top_k(%x, k = 3) : tensor<2x4xf32> -> (tensor<2x3xf32>, tensor<2x3xi32>)
  check.expect_eq_const %0#1, dense<[[1, 0, 3], [1, 2, 0]]> : tensor<2x3xi32>
  return
}

// -----

func.func @narrow() {
  %a = stablehlo.constant dense<[7, -8, 3, -1]> : tensor<4xi4>
  %b = stablehlo.constant dense<[1, -1, 2, 5]> : tensor<4xi4>
  %0 = stablehlo.add %a, %b : tensor<4xi4>
  check.expect_eq_const %0, dense<[-8, 7, 5, 4]> : tensor<4xi4>
  %1 = stablehlo.divide %a, %b : tensor<4xi4>
  check.expect_eq_const %1, dense<[7, -8, 1, 0]> : tensor<4xi4>
  %2 = stablehlo.shift_right_logical %a, %b : tensor<4xi4>
  check.expect_eq_const %2, dense<[3, 0, 0, 0]> : tensor<4xi4>
  %3 = stablehlo.popcnt %a : tensor<4xi4>
  check.expect_eq_const %3, dense<[3, 1, 2, 4]> : tensor<4xi4>
  %4 = stablehlo.count_leading_zeros %a : tensor<4xi4>
  check.expect_eq_const %4, dense<[1, 0, 2, 0]> : tensor<4xi4>
  %f = stablehlo.constant dense<[100.0, -100.0, 2.9, -2.9]> : tensor<4xf32>
  %5 = stablehlo.convert %f : (tensor<4xf32>) -> tensor<4xi4>
  check.expect_eq_const %5, dense<[7, -8, 2, -2]> : tensor<4xi4>
  return
}

// -----

// -NaN < -inf < -0 < +0 < inf < NaN.
func.func @total_order() {
  %a = stablehlo.constant dense<[0xFE00, 0xFC00, 0x8000, 0x0000, 0x7C00]> : tensor<5xf16>
  %b = stablehlo.constant dense<[0xFC00, 0x8000, 0x0000, 0x7C00, 0x7E00]> : tensor<5xf16>
  %0 = stablehlo.compare LT, %a, %b, TOTALORDER : (tensor<5xf16>, tensor<5xf16>) -> tensor<5xi1>
  check.expect_eq_const %0, dense<true> : tensor<5xi1>
  %1 = stablehlo.compare EQ, %b, %b, TOTALORDER : (tensor<5xf16>, tensor<5xf16>) -> tensor<5xi1>
  check.expect_eq_const %1, dense<true> : tensor<5xi1>
  return
}

// -----

func.func @probe() {
  %x = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %0 = interpreter.probe %x, probe_id = "p" : tensor<2xi32>
  %1 = stablehlo.add %0, %x : tensor<2xi32>
  %2 = interpreter.probe %1, probe_id = "p" : tensor<2xi32>
  check.expect_serialized_eq %x, probe_id = "p" : tensor<2xi32>
  check.expect_serialized_eq %2, probe_id = "p", iter = 1 : tensor<2xi32>
  return
}

// -----

func.func @case() {
  %x = stablehlo.constant dense<[0, 1, 2, 3, -1]> : tensor<5xi32>
  %0 = stablehlo.slice %x [3:4] : (tensor<5xi32>) -> tensor<1xi32>
  %1 = stablehlo.reshape %0 : (tensor<1xi32>) -> tensor<i32>
  %2 = stablehlo.slice %x [4:5] : (tensor<5xi32>) -> tensor<1xi32>
  %3 = stablehlo.reshape %2 : (tensor<1xi32>) -> tensor<i32>
  %ten = stablehlo.constant dense<10> : tensor<i32>
  %twenty = stablehlo.constant dense<20> : tensor<i32>
  %thirty = stablehlo.constant dense<30> : tensor<i32>
  %4 = "stablehlo.case"(%1) ({ stablehlo.return %ten : tensor<i32> }, { stablehlo.return %twenty : tensor<i32> }, { stablehlo.return %thirty : tensor<i32> }) : (tensor<i32>) -> tensor<i32>
  check.expect_eq_const %4, dense<30> : tensor<i32>
  %5 = "stablehlo.case"(%3) ({ stablehlo.return %ten : tensor<i32> }, { stablehlo.return %twenty : tensor<i32> }, { stablehlo.return %thirty : tensor<i32> }) : (tensor<i32>) -> tensor<i32>
  check.expect_eq_const %5, dense<30> : tensor<i32>
  return
}

// -----

func.func @clamp_of_truth_values() {
  %low = stablehlo.constant dense<[true, false, false]> : tensor<3xi1>
  %x = stablehlo.constant dense<[false, true, true]> : tensor<3xi1>
  %high = stablehlo.constant dense<[true, false, true]> : tensor<3xi1>
  %0 = stablehlo.clamp %low, %x, %high : tensor<3xi1>
  check.expect_eq_const %0, dense<[true, false, true]> : tensor<3xi1>
  %true = stablehlo.constant dense<true> : tensor<i1>
  %1 = stablehlo.clamp %true, %x, %true : (tensor<i1>, tensor<3xi1>, tensor<i1>) -> tensor<3xi1>
  check.expect_eq_const %1, dense<true> : tensor<3xi1>
  return
}
