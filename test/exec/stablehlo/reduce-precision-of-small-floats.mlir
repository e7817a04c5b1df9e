// Floats of 8 bits could not be rounded to fewer bits. With as many bits of exponent as the type has, its range stays.
// RUN: %cleave check %s | FileCheck %s
// RUN: %cleave check %s --mesh x=3 --shard random:1 | FileCheck %s
// CHECK: 3 passed, 0 failed, 0 skipped
module @fewer_bits_of_mantissa {
  func.func @main() {
    %x = stablehlo.constant dense<[1.25, 1.5, -1.75, 0.3125, 40960.0, 57344.0]> : tensor<6xf8E5M2>
    %0 = stablehlo.reduce_precision %x, format = e5m1 : tensor<6xf8E5M2>
    check.expect_eq_const %0, dense<[1.0, 1.5, -2.0, 0.25, 32768.0, 0x7C]> : tensor<6xf8E5M2>
    return
  }
}
// -----
module @fewer_bits_of_exponent {
  func.func @main() {
    %x = stablehlo.constant dense<[1.25, 16.0, -0.03125, 14.0]> : tensor<4xf8E5M2>
    %0 = stablehlo.reduce_precision %x, format = e4m1 : tensor<4xf8E5M2>
    check.expect_eq_const %0, dense<[1.0, 16.0, -0.03125, 16.0]> : tensor<4xf8E5M2>
    %y = stablehlo.constant dense<[256.0, -320.0, 0.001953125, 192.0]> : tensor<4xf8E5M2>
    %1 = stablehlo.reduce_precision %y, format = e4m2 : tensor<4xf8E5M2>
    check.expect_eq_const %1, dense<[0x7C, 0xFC, 0.0, 192.0]> : tensor<4xf8E5M2>
    return
  }
}
// -----
module @as_many_bits {
  func.func @main() {
    %x = stablehlo.constant dense<[448.0, -0.0, 0x7F]> : tensor<3xf8E4M3FN>
    %0 = stablehlo.reduce_precision %x, format = e4m3 : tensor<3xf8E4M3FN>
    check.expect_eq %0, %x : tensor<3xf8E4M3FN>
    return
  }
}
