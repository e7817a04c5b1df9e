// Complex functions of infinite numbers, and of those whose absolute value overflows: NaN, infinities and wrong angles came out.
// RUN: %cleave check %s | FileCheck %s
// RUN: %cleave check %s --mesh x=2 --shard random:1 | FileCheck %s
// CHECK: 4 passed, 0 failed, 0 skipped
func.func @infinite() {
  // Both parts are infinite, in all four quadrants.
  %z = stablehlo.constant dense<[(0x7F800000, 0x7F800000), (0x7F800000, 0xFF800000), (0xFF800000, 0x7F800000), (0xFF800000, 0xFF800000)]> : tensor<4xcomplex<f32>>
  %0 = chlo.asin %z : tensor<4xcomplex<f32>> -> tensor<4xcomplex<f32>>
  %e0 = stablehlo.constant dense<[(0.785398185, 0x7F800000), (0.785398185, 0xFF800000), (-0.785398185, 0x7F800000), (-0.785398185, 0xFF800000)]> : tensor<4xcomplex<f32>>
  check.expect_close %0, %e0 : tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>
  %1 = chlo.acos %z : tensor<4xcomplex<f32>> -> tensor<4xcomplex<f32>>
  %e1 = stablehlo.constant dense<[(0.785398185, 0xFF800000), (0.785398185, 0x7F800000), (2.3561945, 0xFF800000), (2.3561945, 0x7F800000)]> : tensor<4xcomplex<f32>>
  check.expect_close %1, %e1 : tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>
  %2 = chlo.asinh %z : tensor<4xcomplex<f32>> -> tensor<4xcomplex<f32>>
  %e2 = stablehlo.constant dense<[(0x7F800000, 0.785398185), (0x7F800000, -0.785398185), (0xFF800000, 0.785398185), (0xFF800000, -0.785398185)]> : tensor<4xcomplex<f32>>
  check.expect_close %2, %e2 : tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>
  %3 = chlo.acosh %z : tensor<4xcomplex<f32>> -> tensor<4xcomplex<f32>>
  %e3 = stablehlo.constant dense<[(0x7F800000, 0.785398185), (0x7F800000, -0.785398185), (0x7F800000, 2.3561945), (0x7F800000, -2.3561945)]> : tensor<4xcomplex<f32>>
  check.expect_close %3, %e3 : tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>
  return
}
// -----
func.func @logarithms() {
  // The largest number in both parts: |z| is beyond all numbers, log |z| is not.
  %z = stablehlo.constant dense<[(1.7976931348623157E+308, 1.7976931348623157E+308), (-1.7976931348623157E+308, 1.0)]> : tensor<2xcomplex<f64>>
  %0 = stablehlo.log %z : tensor<2xcomplex<f64>>
  %e0 = stablehlo.constant dense<[(710.12928648366392, 0.78539816339744828), (709.78271289338397, 3.1415926535897931)]> : tensor<2xcomplex<f64>>
  check.expect_close %0, %e0 : tensor<2xcomplex<f64>>, tensor<2xcomplex<f64>>
  %1 = stablehlo.log_plus_one %z : tensor<2xcomplex<f64>>
  check.expect_close %1, %e0 : tensor<2xcomplex<f64>>, tensor<2xcomplex<f64>>
  %2 = chlo.asinh %z : tensor<2xcomplex<f64>> -> tensor<2xcomplex<f64>>
  %e2 = stablehlo.constant dense<[(710.82243366422392, 0.78539816339744828), (-710.47586007394386, 5.562684646268003E-309)]> : tensor<2xcomplex<f64>>
  check.expect_close %2, %e2 : tensor<2xcomplex<f64>>, tensor<2xcomplex<f64>>
  return
}
// -----
func.func @arcs() {
  %z = stablehlo.constant dense<[(1.7976931348623157E+308, 1.7976931348623157E+308), (1.0E+308, 1.0)]> : tensor<2xcomplex<f64>>
  %0 = chlo.atanh %z : tensor<2xcomplex<f64>> -> tensor<2xcomplex<f64>>
  %e0 = stablehlo.constant dense<[(2.781342323134002E-309, 1.5707963267948966), (1.0E-308, 1.5707963267948966)]> : tensor<2xcomplex<f64>>
  check.expect_close %0, %e0 : tensor<2xcomplex<f64>>, tensor<2xcomplex<f64>>
  return
}
// -----
func.func @square() {
  // Parts that cancel, that are equal and too large, that overflow.
  %z = stablehlo.constant dense<[(1.00000012, 1.0), (3.0E+38, -3.0E+38), (3.0E+38, 1.0E+38), (0xFF800000, 2.0)]> : tensor<4xcomplex<f32>>
  %0 = chlo.square %z : tensor<4xcomplex<f32>> -> tensor<4xcomplex<f32>>
  %e0 = stablehlo.constant dense<[(2.38418593E-7, 2.00000024), (0.0, 0xFF800000), (0x7F800000, 0x7F800000), (0x7F800000, 0xFF800000)]> : tensor<4xcomplex<f32>>
  check.expect_close %0, %e0 : tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>
  return
}
