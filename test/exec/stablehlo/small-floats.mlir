// Floats of 8 bits: rounded once, moved bit by bit, on one rank and on several.
// RUN: %cleave check %s | FileCheck %s
// RUN: %cleave check %s --mesh x=2 --shard random:1 | FileCheck %s
// RUN: %cleave check %s --mesh x=3 --shard random:2 | FileCheck %s
// RUN: %cleave check %s --mesh x=2,y=2 --shard random:3 | FileCheck %s
// RUN: %cleave check %s --mesh x=2,y=2 --shard random:4 --math standard | FileCheck %s
// RUN: %cleave check %s --mesh x=4 --shard random:5 --math wide | FileCheck %s
// CHECK: 10 passed, 0 failed, 0 skipped

// Ties go to the even mantissa. Beyond 464 there is only NaN; f8E5M2 has infinities.
module @ties {
  func.func private @inputs() -> tensor<9xf32> {
    %0 = stablehlo.constant dense<[17.0, 19.0, 464.0, 464.01, 9.765625e-04, 2.9296875e-03, -1.0e-30, 0x7FC00000, 65000.0]> : tensor<9xf32>
    return %0 : tensor<9xf32>
  }
  func.func public @main() {
    %x = call @inputs() : () -> tensor<9xf32>
    %0 = stablehlo.convert %x : (tensor<9xf32>) -> tensor<9xf8E4M3FN>
    %1 = stablehlo.bitcast_convert %0 : (tensor<9xf8E4M3FN>) -> tensor<9xui8>
    check.expect_eq_const %1, dense<[88, 90, 126, 127, 0, 2, 128, 127, 127]> : tensor<9xui8>
    %2 = stablehlo.convert %x : (tensor<9xf32>) -> tensor<9xf8E5M2>
    check.expect_eq_const %2, dense<[16.0, 20.0, 448.0, 448.0, 9.765625e-04, 2.9296875e-03, 0.0, 0x7E, 0x7C]> : tensor<9xf8E5M2>
    %3 = stablehlo.convert %x : (tensor<9xf32>) -> tensor<9xf8E4M3FNUZ>
    %4 = stablehlo.bitcast_convert %3 : (tensor<9xf8E4M3FNUZ>) -> tensor<9xui8>
    check.expect_eq_const %4, dense<[96, 98, 128, 128, 1, 3, 0, 128, 128]> : tensor<9xui8>
    return
  }
}
// -----
// Each op rounds its result: 1.125 + 1.125 * 1.125 is 1.125 + 1.25 there, and then 2.5.
module @arithmetic {
  func.func private @inputs() -> tensor<4xf8E4M3FN> {
    %0 = stablehlo.constant dense<[1.125, -0.4375, 448.0, 0.0]> : tensor<4xf8E4M3FN>
    return %0 : tensor<4xf8E4M3FN>
  }
  func.func public @main() {
    %x = call @inputs() : () -> tensor<4xf8E4M3FN>
    %0 = stablehlo.multiply %x, %x : tensor<4xf8E4M3FN>
    check.expect_eq_const %0, dense<[1.25, 0.1875, 0x7F, 0.0]> : tensor<4xf8E4M3FN>
    %1 = stablehlo.add %0, %x : tensor<4xf8E4M3FN>
    check.expect_eq_const %1, dense<[2.5, -0.25, 0x7F, 0.0]> : tensor<4xf8E4M3FN>
    %2 = stablehlo.compare GT, %x, %0, FLOAT : (tensor<4xf8E4M3FN>, tensor<4xf8E4M3FN>) -> tensor<4xi1>
    check.expect_eq_const %2, dense<false> : tensor<4xi1>
    %3 = stablehlo.is_finite %1 : (tensor<4xf8E4M3FN>) -> tensor<4xi1>
    check.expect_eq_const %3, dense<[true, true, false, true]> : tensor<4xi1>
    return
  }
}
// -----
// A sum is made in f32 and rounded once: in 8 bits, 16 + 0.5 would stay 16 sixteen times.
module @sums {
  func.func private @inputs() -> tensor<2x17xf8E4M3> {
    %0 = stablehlo.constant dense<[[16.0, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5],
                                   [1.0, -1.0, 2.0, -2.0, 3.0, -3.0, 4.0, -4.0, 5.0, -5.0, 6.0, -6.0, 7.0, -7.0, 8.0, -8.0, 9.0]]> : tensor<2x17xf8E4M3>
    return %0 : tensor<2x17xf8E4M3>
  }
  func.func public @main() {
    %x = call @inputs() : () -> tensor<2x17xf8E4M3>
    %z = stablehlo.constant dense<0.0> : tensor<f8E4M3>
    %0 = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [1] : (tensor<2x17xf8E4M3>, tensor<f8E4M3>) -> tensor<2xf8E4M3>
    check.expect_eq_const %0, dense<[24.0, 9.0]> : tensor<2xf8E4M3>
    %l = stablehlo.constant dense<0xF8> : tensor<f8E4M3>
    %1 = stablehlo.reduce(%x init: %l) applies stablehlo.maximum across dimensions = [0] : (tensor<2x17xf8E4M3>, tensor<f8E4M3>) -> tensor<17xf8E4M3>
    check.expect_eq_const %1, dense<[16.0, 0.5, 2.0, 0.5, 3.0, 0.5, 4.0, 0.5, 5.0, 0.5, 6.0, 0.5, 7.0, 0.5, 8.0, 0.5, 9.0]> : tensor<17xf8E4M3>
    return
  }
}
// -----
module @products {
  func.func private @inputs() -> (tensor<3x5xf8E4M3FN>, tensor<5x4xf8E4M3FN>) {
    %0 = stablehlo.constant dense<[[1.0, 2.0, 3.0, 4.0, 5.0], [0.5, -1.5, 2.5, 0.0, 1.0], [-8.0, 8.0, 16.0, -16.0, 448.0]]> : tensor<3x5xf8E4M3FN>
    %1 = stablehlo.constant dense<[[1.0, 0.0, -1.0, 2.0], [0.0, 1.0, 1.0, 2.0], [1.0, 1.0, 0.0, 2.0], [2.0, -1.0, 1.0, 2.0], [1.0, 1.0, 1.0, 2.0]]> : tensor<5x4xf8E4M3FN>
    return %0, %1 : tensor<3x5xf8E4M3FN>, tensor<5x4xf8E4M3FN>
  }
  func.func public @main() {
    %a, %b = call @inputs() : () -> (tensor<3x5xf8E4M3FN>, tensor<5x4xf8E4M3FN>)
    %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<3x5xf8E4M3FN>, tensor<5x4xf8E4M3FN>) -> tensor<3x4xf32>
    check.expect_eq_const %0, dense<[[17.0, 6.0, 10.0, 30.0], [4.0, 2.0, -1.0, 5.0], [424.0, 488.0, 448.0, 896.0]]> : tensor<3x4xf32>
    %1 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<3x5xf8E4M3FN>, tensor<5x4xf8E4M3FN>) -> tensor<3x4xf8E4M3FN>
    check.expect_eq_const %1, dense<[[16.0, 6.0, 10.0, 30.0], [4.0, 2.0, -1.0, 5.0], [416.0, 0x7F, 448.0, 0x7F]]> : tensor<3x4xf8E4M3FN>
    %c = stablehlo.convert %b : (tensor<5x4xf8E4M3FN>) -> tensor<5x4xf8E5M2>
    %2 = stablehlo.dot_general %a, %c, contracting_dims = [1] x [0] : (tensor<3x5xf8E4M3FN>, tensor<5x4xf8E5M2>) -> tensor<3x4xbf16>
    check.expect_eq_const %2, dense<[[17.0, 6.0, 10.0, 30.0], [4.0, 2.0, -1.0, 5.0], [424.0, 488.0, 448.0, 896.0]]> : tensor<3x4xbf16>
    return
  }
}
// -----
// Blocks of powers of two, as the scales of microscaled products are.
module @scales {
  func.func private @inputs() -> tensor<2x3xf32> {
    %0 = stablehlo.constant dense<[[1.0, 3.0, 0.3], [0.0, -2.0, 1.0e-44]]> : tensor<2x3xf32>
    return %0 : tensor<2x3xf32>
  }
  func.func public @main() {
    %x = call @inputs() : () -> tensor<2x3xf32>
    %0 = stablehlo.convert %x : (tensor<2x3xf32>) -> tensor<2x3xf8E8M0FNU>
    %1 = stablehlo.bitcast_convert %0 : (tensor<2x3xf8E8M0FNU>) -> tensor<2x3xui8>
    check.expect_eq_const %1, dense<[[127, 129, 125], [255, 255, 0]]> : tensor<2x3xui8>
    %2 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<2x3xf8E8M0FNU>) -> tensor<2x3x2xf8E8M0FNU>
    %3 = stablehlo.reshape %2 : (tensor<2x3x2xf8E8M0FNU>) -> tensor<2x6xf8E8M0FNU>
    %4 = stablehlo.convert %3 : (tensor<2x6xf8E8M0FNU>) -> tensor<2x6xbf16>
    check.expect_eq_const %4, dense<[[1.0, 1.0, 4.0, 4.0, 0.25, 0.25], [0x7FC0, 0x7FC0, 0x7FC0, 0x7FC0, 5.877472e-39, 5.877472e-39]]> : tensor<2x6xbf16>
    return
  }
}
// -----
// Rows of a table that may be cut: bits of NaN and of -0 survive.
module @lookups {
  func.func private @inputs() -> (tensor<6x2xui8>, tensor<4x1xi32>) {
    %0 = stablehlo.constant dense<[[0, 128], [1, 129], [126, 127], [254, 255], [64, 192], [124, 252]]> : tensor<6x2xui8>
    %1 = stablehlo.constant dense<[[3], [0], [5], [2]]> : tensor<4x1xi32>
    return %0, %1 : tensor<6x2xui8>, tensor<4x1xi32>
  }
  func.func public @main() {
    %u, %i = call @inputs() : () -> (tensor<6x2xui8>, tensor<4x1xi32>)
    %x = stablehlo.bitcast_convert %u : (tensor<6x2xui8>) -> tensor<6x2xf8E5M2>
    %0 = "stablehlo.gather"(%x, %i) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 2>} : (tensor<6x2xf8E5M2>, tensor<4x1xi32>) -> tensor<4x2xf8E5M2>
    %1 = stablehlo.bitcast_convert %0 : (tensor<4x2xf8E5M2>) -> tensor<4x2xui8>
    check.expect_eq_const %1, dense<[[254, 255], [0, 128], [124, 252], [126, 127]]> : tensor<4x2xui8>
    %c2 = stablehlo.constant dense<2> : tensor<i32>
    %c0 = stablehlo.constant dense<0> : tensor<i32>
    %y = stablehlo.bitcast_convert %u : (tensor<6x2xui8>) -> tensor<6x2xf8E4M3FNUZ>
    %2 = stablehlo.dynamic_slice %y, %c2, %c0, sizes = [3, 2] : (tensor<6x2xf8E4M3FNUZ>, tensor<i32>, tensor<i32>) -> tensor<3x2xf8E4M3FNUZ>
    %3 = stablehlo.bitcast_convert %2 : (tensor<3x2xf8E4M3FNUZ>) -> tensor<3x2xui8>
    check.expect_eq_const %3, dense<[[126, 127], [254, 255], [64, 192]]> : tensor<3x2xui8>
    return
  }
}
// -----
module @movement {
  func.func private @inputs() -> tensor<3x5xf8E5M2> {
    %0 = stablehlo.constant dense<[[1.0, 2.0, 3.0, 4.0, 5.0], [-1.0, -2.0, -3.0, -4.0, -5.0], [8.0, 10.0, 12.0, 14.0, 16.0]]> : tensor<3x5xf8E5M2>
    return %0 : tensor<3x5xf8E5M2>
  }
  func.func public @main() {
    %x = call @inputs() : () -> tensor<3x5xf8E5M2>
    %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<3x5xf8E5M2>) -> tensor<5x3xf8E5M2>
    %1 = stablehlo.slice %0 [1:4, 0:3:2] : (tensor<5x3xf8E5M2>) -> tensor<3x2xf8E5M2>
    check.expect_eq_const %1, dense<[[2.0, 10.0], [3.0, 12.0], [4.0, 14.0]]> : tensor<3x2xf8E5M2>
    %p = stablehlo.constant dense<0.5> : tensor<f8E5M2>
    %2 = stablehlo.pad %1, %p, low = [0, 1], high = [1, 0], interior = [0, 0] : (tensor<3x2xf8E5M2>, tensor<f8E5M2>) -> tensor<4x3xf8E5M2>
    check.expect_eq_const %2, dense<[[0.5, 2.0, 10.0], [0.5, 3.0, 12.0], [0.5, 4.0, 14.0], [0.5, 0.5, 0.5]]> : tensor<4x3xf8E5M2>
    %3 = stablehlo.concatenate %0, %2, dim = 0 : (tensor<5x3xf8E5M2>, tensor<4x3xf8E5M2>) -> tensor<9x3xf8E5M2>
    %4 = stablehlo.reverse %3, dims = [0] : tensor<9x3xf8E5M2>
    %5 = stablehlo.slice %4 [3:6, 0:3] : (tensor<9x3xf8E5M2>) -> tensor<3x3xf8E5M2>
    check.expect_eq_const %5, dense<[[0.5, 2.0, 10.0], [5.0, -5.0, 16.0], [4.0, -4.0, 14.0]]> : tensor<3x3xf8E5M2>
    return
  }
}
// -----
// As JAX sorts and searches them.
module @orders {
  func.func private @inputs() -> (tensor<2x4xf8E4M3FN>, tensor<2x4xi32>) {
    %0 = stablehlo.constant dense<[[3.0, -1.0, 0x7F, 2.0], [0.5, 448.0, -448.0, 0.5]]> : tensor<2x4xf8E4M3FN>
    %1 = stablehlo.iota dim = 1 : tensor<2x4xi32>
    return %0, %1 : tensor<2x4xf8E4M3FN>, tensor<2x4xi32>
  }
  func.func public @main() {
    %x, %i = call @inputs() : () -> (tensor<2x4xf8E4M3FN>, tensor<2x4xi32>)
    %0:2 = "stablehlo.sort"(%x, %i) ({
    ^bb0(%a: tensor<f8E4M3FN>, %b: tensor<f8E4M3FN>, %c: tensor<i32>, %d: tensor<i32>):
      %1 = stablehlo.compare LT, %a, %b, TOTALORDER : (tensor<f8E4M3FN>, tensor<f8E4M3FN>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    }) {dimension = 1 : i64, is_stable = true} : (tensor<2x4xf8E4M3FN>, tensor<2x4xi32>) -> (tensor<2x4xf8E4M3FN>, tensor<2x4xi32>)
    check.expect_eq_const %0#0, dense<[[-1.0, 2.0, 3.0, 0x7F], [-448.0, 0.5, 0.5, 448.0]]> : tensor<2x4xf8E4M3FN>
    check.expect_eq_const %0#1, dense<[[1, 3, 0, 2], [2, 0, 3, 1]]> : tensor<2x4xi32>
    %l = stablehlo.constant dense<-448.0> : tensor<f8E4M3FN>
    %z = stablehlo.constant dense<0> : tensor<i32>
    %2:2 = stablehlo.reduce(%x init: %l), (%i init: %z) across dimensions = [1] : (tensor<2x4xf8E4M3FN>, tensor<2x4xi32>, tensor<f8E4M3FN>, tensor<i32>) -> (tensor<2xf8E4M3FN>, tensor<2xi32>)
      reducer(%a: tensor<f8E4M3FN>, %c: tensor<f8E4M3FN>) (%b: tensor<i32>, %d: tensor<i32>) {
        %3 = stablehlo.compare GT, %a, %c, FLOAT : (tensor<f8E4M3FN>, tensor<f8E4M3FN>) -> tensor<i1>
        %4 = stablehlo.compare NE, %a, %a, FLOAT : (tensor<f8E4M3FN>, tensor<f8E4M3FN>) -> tensor<i1>
        %5 = stablehlo.or %3, %4 : tensor<i1>
        %6 = stablehlo.compare EQ, %a, %c, FLOAT : (tensor<f8E4M3FN>, tensor<f8E4M3FN>) -> tensor<i1>
        %7 = stablehlo.compare LT, %b, %d, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
        %8 = stablehlo.and %6, %7 : tensor<i1>
        %9 = stablehlo.or %5, %8 : tensor<i1>
        %10 = stablehlo.select %5, %a, %c : tensor<i1>, tensor<f8E4M3FN>
        %11 = stablehlo.select %9, %b, %d : tensor<i1>, tensor<i32>
        stablehlo.return %10, %11 : tensor<f8E4M3FN>, tensor<i32>
      }
    check.expect_eq_const %2#0, dense<[0x7F, 448.0]> : tensor<2xf8E4M3FN>
    check.expect_eq_const %2#1, dense<[2, 1]> : tensor<2xi32>
    return
  }
}
// -----
// A cache of 8 bits that a loop fills.
module @loop {
  func.func private @inputs() -> tensor<4x3xf32> {
    %0 = stablehlo.constant dense<[[1.0, 1.1, 1.2], [2.0, 2.2, 2.4], [3.0, 3.3, 3.6], [4.0, 4.4, 4.8]]> : tensor<4x3xf32>
    return %0 : tensor<4x3xf32>
  }
  func.func public @main() {
    %x = call @inputs() : () -> tensor<4x3xf32>
    %z = stablehlo.constant dense<0> : tensor<i32>
    %e = stablehlo.constant dense<0.0> : tensor<4x3xf8E3M4>
    %0:2 = stablehlo.while(%i = %z, %c = %e) : tensor<i32>, tensor<4x3xf8E3M4>
     cond {
      %n = stablehlo.constant dense<4> : tensor<i32>
      %1 = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %o = stablehlo.constant dense<1> : tensor<i32>
      %1 = stablehlo.dynamic_slice %x, %i, %z, sizes = [1, 3] : (tensor<4x3xf32>, tensor<i32>, tensor<i32>) -> tensor<1x3xf32>
      %2 = stablehlo.convert %1 : (tensor<1x3xf32>) -> tensor<1x3xf8E3M4>
      %3 = stablehlo.dynamic_update_slice %c, %2, %i, %z : (tensor<4x3xf8E3M4>, tensor<1x3xf8E3M4>, tensor<i32>, tensor<i32>) -> tensor<4x3xf8E3M4>
      %4 = stablehlo.add %i, %o : tensor<i32>
      stablehlo.return %4, %3 : tensor<i32>, tensor<4x3xf8E3M4>
    }
    check.expect_eq_const %0#1, dense<[[1.0, 1.125, 1.1875], [2.0, 2.25, 2.375], [3.0, 3.25, 3.625], [4.0, 4.5, 4.75]]> : tensor<4x3xf8E3M4>
    return
  }
}
// -----
module @convolution {
  func.func private @inputs() -> (tensor<1x5x2xf8E5M2>, tensor<3x2x4xf8E5M2>) {
    %0 = stablehlo.constant dense<[[[1.0, 2.0], [3.0, 4.0], [-1.0, -2.0], [0.5, 0.25], [8.0, 0.0]]]> : tensor<1x5x2xf8E5M2>
    %1 = stablehlo.constant dense<1.0> : tensor<3x2x4xf8E5M2>
    return %0, %1 : tensor<1x5x2xf8E5M2>, tensor<3x2x4xf8E5M2>
  }
  func.func public @main() {
    %x, %k = call @inputs() : () -> (tensor<1x5x2xf8E5M2>, tensor<3x2x4xf8E5M2>)
    %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {pad = [[1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x5x2xf8E5M2>, tensor<3x2x4xf8E5M2>) -> tensor<1x5x4xf32>
    check.expect_eq_const %0, dense<[[[10.0, 10.0, 10.0, 10.0], [7.0, 7.0, 7.0, 7.0], [4.75, 4.75, 4.75, 4.75], [5.75, 5.75, 5.75, 5.75], [8.75, 8.75, 8.75, 8.75]]]> : tensor<1x5x4xf32>
    return
  }
}
