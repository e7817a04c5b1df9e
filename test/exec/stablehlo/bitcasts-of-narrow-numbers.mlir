// Bits of numbers of less than 8 bits and of complex ones: not even i4 could become ui4.
// RUN: %cleave check %s | FileCheck %s
// RUN: %cleave check %s --mesh x=2 --shard random:1 | FileCheck %s
// RUN: %cleave check %s --mesh x=3 --shard random:2 | FileCheck %s
// RUN: %cleave check %s --mesh x=2,y=2 --shard random:3 | FileCheck %s
// CHECK: 13 passed, 0 failed, 0 skipped
module @ui8_and_ui4 {
  func.func private @inputs() -> (tensor<3xui8>, tensor<3x2xui4>) {
    %a = stablehlo.constant dense<[90, 240, 129]> : tensor<3xui8>
    %b = stablehlo.constant dense<[[10, 5], [0, 15], [1, 8]]> : tensor<3x2xui4>
    return %a, %b : tensor<3xui8>, tensor<3x2xui4>
  }
  func.func public @main() {
    %i:2 = call @inputs() : () -> (tensor<3xui8>, tensor<3x2xui4>)
    %0 = stablehlo.bitcast_convert %i#0 : (tensor<3xui8>) -> tensor<3x2xui4>
    check.expect_eq %0, %i#1 : tensor<3x2xui4>
    %1 = stablehlo.bitcast_convert %i#1 : (tensor<3x2xui4>) -> tensor<3xui8>
    check.expect_eq %1, %i#0 : tensor<3xui8>
    return
  }
}
// -----
module @i8_and_i4 {
  func.func private @inputs() -> (tensor<3xi8>, tensor<3x2xi4>) {
    %a = stablehlo.constant dense<[90, -16, -127]> : tensor<3xi8>
    %b = stablehlo.constant dense<[[-6, 5], [0, -1], [1, -8]]> : tensor<3x2xi4>
    return %a, %b : tensor<3xi8>, tensor<3x2xi4>
  }
  func.func public @main() {
    %i:2 = call @inputs() : () -> (tensor<3xi8>, tensor<3x2xi4>)
    %0 = stablehlo.bitcast_convert %i#0 : (tensor<3xi8>) -> tensor<3x2xi4>
    check.expect_eq %0, %i#1 : tensor<3x2xi4>
    %1 = stablehlo.bitcast_convert %i#1 : (tensor<3x2xi4>) -> tensor<3xi8>
    check.expect_eq %1, %i#0 : tensor<3xi8>
    return
  }
}
// -----
module @ui8_and_i2 {
  func.func private @inputs() -> (tensor<3xui8>, tensor<3x4xi2>) {
    %a = stablehlo.constant dense<[90, 240, 129]> : tensor<3xui8>
    %b = stablehlo.constant dense<[[-2, -2, 1, 1], [0, 0, -1, -1], [1, 0, 0, -2]]> : tensor<3x4xi2>
    return %a, %b : tensor<3xui8>, tensor<3x4xi2>
  }
  func.func public @main() {
    %i:2 = call @inputs() : () -> (tensor<3xui8>, tensor<3x4xi2>)
    %0 = stablehlo.bitcast_convert %i#0 : (tensor<3xui8>) -> tensor<3x4xi2>
    check.expect_eq %0, %i#1 : tensor<3x4xi2>
    %1 = stablehlo.bitcast_convert %i#1 : (tensor<3x4xi2>) -> tensor<3xui8>
    check.expect_eq %1, %i#0 : tensor<3xui8>
    return
  }
}
// -----
module @ui8_and_bits {
  func.func private @inputs() -> (tensor<3xui8>, tensor<3x8xi1>) {
    %a = stablehlo.constant dense<[90, 240, 129]> : tensor<3xui8>
    %b = stablehlo.constant dense<[[false, true, false, true, true, false, true, false], [false, false, false, false, true, true, true, true], [true, false, false, false, false, false, false, true]]> : tensor<3x8xi1>
    return %a, %b : tensor<3xui8>, tensor<3x8xi1>
  }
  func.func public @main() {
    %i:2 = call @inputs() : () -> (tensor<3xui8>, tensor<3x8xi1>)
    %0 = stablehlo.bitcast_convert %i#0 : (tensor<3xui8>) -> tensor<3x8xi1>
    check.expect_eq %0, %i#1 : tensor<3x8xi1>
    %1 = stablehlo.bitcast_convert %i#1 : (tensor<3x8xi1>) -> tensor<3xui8>
    check.expect_eq %1, %i#0 : tensor<3xui8>
    return
  }
}
// -----
module @ui64_and_ui4 {
  func.func private @inputs() -> (tensor<3xui64>, tensor<3x16xui4>) {
    %a = stablehlo.constant dense<[81985529216486895, 18364758544493064720, 9223372036854775809]> : tensor<3xui64>
    %b = stablehlo.constant dense<[[15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0], [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15], [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 8]]> : tensor<3x16xui4>
    return %a, %b : tensor<3xui64>, tensor<3x16xui4>
  }
  func.func public @main() {
    %i:2 = call @inputs() : () -> (tensor<3xui64>, tensor<3x16xui4>)
    %0 = stablehlo.bitcast_convert %i#0 : (tensor<3xui64>) -> tensor<3x16xui4>
    check.expect_eq %0, %i#1 : tensor<3x16xui4>
    %1 = stablehlo.bitcast_convert %i#1 : (tensor<3x16xui4>) -> tensor<3xui64>
    check.expect_eq %1, %i#0 : tensor<3xui64>
    return
  }
}
// -----
module @i4_and_ui4 {
  func.func private @inputs() -> (tensor<4xi4>, tensor<4xui4>) {
    %a = stablehlo.constant dense<[-1, -8, 7, 0]> : tensor<4xi4>
    %b = stablehlo.constant dense<[15, 8, 7, 0]> : tensor<4xui4>
    return %a, %b : tensor<4xi4>, tensor<4xui4>
  }
  func.func public @main() {
    %i:2 = call @inputs() : () -> (tensor<4xi4>, tensor<4xui4>)
    %0 = stablehlo.bitcast_convert %i#0 : (tensor<4xi4>) -> tensor<4xui4>
    check.expect_eq %0, %i#1 : tensor<4xui4>
    %1 = stablehlo.bitcast_convert %i#1 : (tensor<4xui4>) -> tensor<4xi4>
    check.expect_eq %1, %i#0 : tensor<4xi4>
    return
  }
}
// -----
module @i4_and_ui2 {
  func.func private @inputs() -> (tensor<4xi4>, tensor<4x2xui2>) {
    %a = stablehlo.constant dense<[-1, -8, 6, 0]> : tensor<4xi4>
    %b = stablehlo.constant dense<[[3, 3], [0, 2], [2, 1], [0, 0]]> : tensor<4x2xui2>
    return %a, %b : tensor<4xi4>, tensor<4x2xui2>
  }
  func.func public @main() {
    %i:2 = call @inputs() : () -> (tensor<4xi4>, tensor<4x2xui2>)
    %0 = stablehlo.bitcast_convert %i#0 : (tensor<4xi4>) -> tensor<4x2xui2>
    check.expect_eq %0, %i#1 : tensor<4x2xui2>
    %1 = stablehlo.bitcast_convert %i#1 : (tensor<4x2xui2>) -> tensor<4xi4>
    check.expect_eq %1, %i#0 : tensor<4xi4>
    return
  }
}
// -----
module @i2_and_ui2 {
  func.func private @inputs() -> (tensor<4xi2>, tensor<4xui2>) {
    %a = stablehlo.constant dense<[-1, -2, 1, 0]> : tensor<4xi2>
    %b = stablehlo.constant dense<[3, 2, 1, 0]> : tensor<4xui2>
    return %a, %b : tensor<4xi2>, tensor<4xui2>
  }
  func.func public @main() {
    %i:2 = call @inputs() : () -> (tensor<4xi2>, tensor<4xui2>)
    %0 = stablehlo.bitcast_convert %i#0 : (tensor<4xi2>) -> tensor<4xui2>
    check.expect_eq %0, %i#1 : tensor<4xui2>
    %1 = stablehlo.bitcast_convert %i#1 : (tensor<4xui2>) -> tensor<4xi2>
    check.expect_eq %1, %i#0 : tensor<4xi2>
    return
  }
}
// -----
module @f32_and_ui4 {
  func.func private @inputs() -> (tensor<3xf32>, tensor<3x8xui4>) {
    %a = stablehlo.constant dense<[1.0, -2.5, 0.10000000149011612]> : tensor<3xf32>
    %b = stablehlo.constant dense<[[0, 0, 0, 0, 0, 8, 15, 3], [0, 0, 0, 0, 0, 2, 0, 12], [13, 12, 12, 12, 12, 12, 13, 3]]> : tensor<3x8xui4>
    return %a, %b : tensor<3xf32>, tensor<3x8xui4>
  }
  func.func public @main() {
    %i:2 = call @inputs() : () -> (tensor<3xf32>, tensor<3x8xui4>)
    %0 = stablehlo.bitcast_convert %i#0 : (tensor<3xf32>) -> tensor<3x8xui4>
    check.expect_eq %0, %i#1 : tensor<3x8xui4>
    %1 = stablehlo.bitcast_convert %i#1 : (tensor<3x8xui4>) -> tensor<3xf32>
    check.expect_eq %1, %i#0 : tensor<3xf32>
    return
  }
}
// -----
module @f16_and_bits {
  func.func private @inputs() -> (tensor<3xf16>, tensor<3x16xi1>) {
    %a = stablehlo.constant dense<[1.0, -2.5, 0.125]> : tensor<3xf16>
    %b = stablehlo.constant dense<[[false, false, false, false, false, false, false, false, false, false, true, true, true, true, false, false], [false, false, false, false, false, false, false, false, true, false, false, false, false, false, true, true], [false, false, false, false, false, false, false, false, false, false, false, false, true, true, false, false]]> : tensor<3x16xi1>
    return %a, %b : tensor<3xf16>, tensor<3x16xi1>
  }
  func.func public @main() {
    %i:2 = call @inputs() : () -> (tensor<3xf16>, tensor<3x16xi1>)
    %0 = stablehlo.bitcast_convert %i#0 : (tensor<3xf16>) -> tensor<3x16xi1>
    check.expect_eq %0, %i#1 : tensor<3x16xi1>
    %1 = stablehlo.bitcast_convert %i#1 : (tensor<3x16xi1>) -> tensor<3xf16>
    check.expect_eq %1, %i#0 : tensor<3xf16>
    return
  }
}
// -----
module @f4_and_ui4 {
  func.func private @inputs() -> (tensor<16xf4E2M1FN>, tensor<16xui4>) {
    %a = stablehlo.constant dense<[0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0, -0.0, -0.5, -1.0, -1.5, -2.0, -3.0, -4.0, -6.0]> : tensor<16xf4E2M1FN>
    %b = stablehlo.constant dense<[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]> : tensor<16xui4>
    return %a, %b : tensor<16xf4E2M1FN>, tensor<16xui4>
  }
  func.func public @main() {
    %i:2 = call @inputs() : () -> (tensor<16xf4E2M1FN>, tensor<16xui4>)
    %0 = stablehlo.bitcast_convert %i#0 : (tensor<16xf4E2M1FN>) -> tensor<16xui4>
    check.expect_eq %0, %i#1 : tensor<16xui4>
    %1 = stablehlo.bitcast_convert %i#1 : (tensor<16xui4>) -> tensor<16xf4E2M1FN>
    check.expect_eq %1, %i#0 : tensor<16xf4E2M1FN>
    return
  }
}
// -----
module @ui8_and_f4 {
  func.func private @inputs() -> (tensor<3xui8>, tensor<3x2xf4E2M1FN>) {
    %a = stablehlo.constant dense<[90, 240, 129]> : tensor<3xui8>
    %b = stablehlo.constant dense<[[-1.0, 3.0], [0.0, -6.0], [0.5, -0.0]]> : tensor<3x2xf4E2M1FN>
    return %a, %b : tensor<3xui8>, tensor<3x2xf4E2M1FN>
  }
  func.func public @main() {
    %i:2 = call @inputs() : () -> (tensor<3xui8>, tensor<3x2xf4E2M1FN>)
    %0 = stablehlo.bitcast_convert %i#0 : (tensor<3xui8>) -> tensor<3x2xf4E2M1FN>
    check.expect_eq %0, %i#1 : tensor<3x2xf4E2M1FN>
    %1 = stablehlo.bitcast_convert %i#1 : (tensor<3x2xf4E2M1FN>) -> tensor<3xui8>
    check.expect_eq %1, %i#0 : tensor<3xui8>
    return
  }
}
// -----
module @complex {
  func.func private @inputs() -> (tensor<2xcomplex<f64>>, tensor<2x2xcomplex<f32>>) {
    %a = stablehlo.constant dense<[(0x3FF0000000000000, 0x4000000000000000), (0xBFB999999999999A, 0x54CB6E83B85F253B)]> : tensor<2xcomplex<f64>>
    %b = stablehlo.constant dense<[[(0x00000000, 0x3FF00000), (0x00000000, 0x40000000)], [(0x9999999A, 0xBFB99999), (0xB85F253B, 0x54CB6E83)]]> : tensor<2x2xcomplex<f32>>
    return %a, %b : tensor<2xcomplex<f64>>, tensor<2x2xcomplex<f32>>
  }
  func.func public @main() {
    %i:2 = call @inputs() : () -> (tensor<2xcomplex<f64>>, tensor<2x2xcomplex<f32>>)
    %0 = stablehlo.bitcast_convert %i#0 : (tensor<2xcomplex<f64>>) -> tensor<2x2xcomplex<f32>>
    check.expect_eq %0, %i#1 : tensor<2x2xcomplex<f32>>
    %1 = stablehlo.bitcast_convert %i#1 : (tensor<2x2xcomplex<f32>>) -> tensor<2xcomplex<f64>>
    check.expect_eq %1, %i#0 : tensor<2xcomplex<f64>>
    return
  }
}
