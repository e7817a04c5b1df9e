// Complex functions of infinite numbers, and of those whose absolute value overflows: NaN, infinities and wrong angles came out.
// RUN: %cleave check %s | FileCheck %s
// RUN: %cleave check %s --mesh x=2 --shard random:1 | FileCheck %s
// CHECK: 14 passed, 0 failed, 0 skipped
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
// -----
func.func @tanh_and_tan() {
  // Away from the axes, the parts of tanh and tan were off by up to 5 units; 2y may overflow where tanh does not.
  %z0 = stablehlo.constant dense<[(-4.390595025018388, 1.583189996747865), (-0.1, 1.0), (3.0, 1.7E+308), (354.7, 0.7)]> : tensor<4xcomplex<f64>>
  %0 = stablehlo.tanh %z0 : tensor<4xcomplex<f64>>
  %e0 = stablehlo.constant dense<[(-1.0003071431471582, -7.615991337765147E-06), (-0.33338195377045127, 1.505658942700604), (0.9985455000410357, -0.0047355763158134605), (1.0, 1.607529710498692E-308)]> : tensor<4xcomplex<f64>>
  check.expect_close %0, %e0 : tensor<4xcomplex<f64>>, tensor<4xcomplex<f64>>
  %z1 = stablehlo.constant dense<[(-1.0000235760961322, -1.0140521846265216E-06), (-1.0, 0.1), (1.7E+308, 3.0)]> : tensor<3xcomplex<f64>>
  %1 = stablehlo.tan %z1 : tensor<3xcomplex<f64>>
  %e1 = stablehlo.constant dense<[(-1.557488487975888, -3.4739099481957366E-06), (-1.505658942700604, 0.33338195377045127), (-0.0047355763158134605, 0.9985455000410357)]> : tensor<3xcomplex<f64>>
  check.expect_close %1, %e1 : tensor<3xcomplex<f64>>, tensor<3xcomplex<f64>>
  return
}
// -----
func.func @atanh_at_one() {
  // At 1, atanh was infinite for a tiny imaginary part, whose square underflows; so was atan at i.
  %z0 = stablehlo.constant dense<[(1.0, 5.0E-324), (-1.0, 1.4916681462400413E-154), (1.0, -1.0E-300)]> : tensor<3xcomplex<f64>>
  %0 = chlo.atanh %z0 : tensor<3xcomplex<f64>> -> tensor<3xcomplex<f64>>
  %e0 = stablehlo.constant dense<[(372.5666095509706, 0.7853981633974483), (-177.445678223346, 0.7853981633974483), (345.73433753938684, -0.7853981633974483)]> : tensor<3xcomplex<f64>>
  check.expect_close %0, %e0 : tensor<3xcomplex<f64>>, tensor<3xcomplex<f64>>
  %z1 = stablehlo.constant dense<[(5.0E-324, 1.0), (-1.5E-154, -1.0)]> : tensor<2xcomplex<f64>>
  %1 = chlo.atan %z1 : tensor<2xcomplex<f64>> -> tensor<2xcomplex<f64>>
  %e1 = stablehlo.constant dense<[(0.7853981633974483, 372.5666095509706), (-0.7853981633974483, -177.44289319676741)]> : tensor<2xcomplex<f64>>
  check.expect_close %1, %e1 : tensor<2xcomplex<f64>>, tensor<2xcomplex<f64>>
  return
}
// -----
func.func @range_of_powers() {
  // e^x is beyond all numbers, e^x times a small sine or half of it is not.
  %z0 = stablehlo.constant dense<[(744.5, -1.5E-323), (1000.0, 1.5E-154), (1430.0, 5.0E-324)]> : tensor<3xcomplex<f64>>
  %0 = stablehlo.exponential %z0 : tensor<3xcomplex<f64>>
  %e0 = stablehlo.constant dense<[(0x7FF0000000000000, -3.1852805416213936), (0x7FF0000000000000, 2.9551066710255706E+280), (0x7FF0000000000000, 5.43117477420859E+297)]> : tensor<3xcomplex<f64>>
  check.expect_close %0, %e0 : tensor<3xcomplex<f64>>, tensor<3xcomplex<f64>>
  %z1 = stablehlo.constant dense<[(710.2, 1.5707963267948966), (1000.0, 1.5E-154)]> : tensor<2xcomplex<f64>>
  %1 = stablehlo.exponential_minus_one %z1 : tensor<2xcomplex<f64>>
  %e1 = stablehlo.constant dense<[(1.6707901403524174E+292, 0x7FF0000000000000), (0x7FF0000000000000, 2.9551066710255706E+280)]> : tensor<2xcomplex<f64>>
  check.expect_close %1, %e1 : tensor<2xcomplex<f64>>, tensor<2xcomplex<f64>>
  %z2 = stablehlo.constant dense<[(-710.6, 1.0), (744.5, 1.0E-17)]> : tensor<2xcomplex<f64>>
  %2 = chlo.cosh %z2 : tensor<2xcomplex<f64>> -> tensor<2xcomplex<f64>>
  %e2 = stablehlo.constant dense<[(1.0996783268346717E+308, -1.712647520847896E+308), (0x7FF0000000000000, 1.0745132650668348E+306)]> : tensor<2xcomplex<f64>>
  check.expect_close %2, %e2 : tensor<2xcomplex<f64>>, tensor<2xcomplex<f64>>
  %z3 = stablehlo.constant dense<[(710.6, 1.9), (-744.5, 1.0E-17)]> : tensor<2xcomplex<f64>>
  %3 = chlo.sinh %z3 : tensor<2xcomplex<f64>> -> tensor<2xcomplex<f64>>
  %e3 = stablehlo.constant dense<[(-6.579918799353155E+307, 0x7FF0000000000000), (0xFFF0000000000000, 1.0745132650668348E+306)]> : tensor<2xcomplex<f64>>
  check.expect_close %3, %e3 : tensor<2xcomplex<f64>>, tensor<2xcomplex<f64>>
  return
}
// -----
func.func @size_beyond_range() {
  // |z| is beyond all numbers, or so small that it has few digits.
  %z0 = stablehlo.constant dense<[(1.7976931348623157E+308, 1.7976931348623157E+308), (5.0E-324, 5.0E-324), (-1.5E-323, 5.0E-324)]> : tensor<3xcomplex<f64>>
  %0 = stablehlo.sign %z0 : tensor<3xcomplex<f64>>
  %e0 = stablehlo.constant dense<[(0.7071067811865476, 0.7071067811865476), (0.7071067811865476, 0.7071067811865476), (-0.9486832980505138, 0.31622776601683794)]> : tensor<3xcomplex<f64>>
  check.expect_close %0, %e0 : tensor<3xcomplex<f64>>, tensor<3xcomplex<f64>>
  %z1 = stablehlo.constant dense<[(1.7976931348623157E+308, 1.7976931348623157E+308), (5.0E-324, -1.5E-323), (-0.001, 1.5E-323), (-9.0E+307, 1.0)]> : tensor<4xcomplex<f64>>
  %1 = stablehlo.rsqrt %z1 : tensor<4xcomplex<f64>>
  %e1 = stablehlo.constant dense<[(5.79428785879352E-155, -2.4000726154060372E-155), (2.0523820030744283E+161, 1.4792732517931553E+161), (2.34355E-319, -31.622776601683793), (0.0, -1.0540925533894598E-154)]> : tensor<4xcomplex<f64>>
  check.expect_close %1, %e1 : tensor<4xcomplex<f64>>, tensor<4xcomplex<f64>>
  %z2 = stablehlo.constant dense<[(-4.4942328371557893E+307, -2.5358358486080702E-154), (9.078350331054693E+307, 2.5E-154)]> : tensor<2xcomplex<f64>>
  %2 = stablehlo.sqrt %z2 : tensor<2xcomplex<f64>>
  %e2 = stablehlo.constant dense<[(1.8913127797311214E-308, -6.703903964971298E+153), (9.528037747120177E+153, 1.311917556558599E-308)]> : tensor<2xcomplex<f64>>
  check.expect_close %2, %e2 : tensor<2xcomplex<f64>>, tensor<2xcomplex<f64>>
  %z3 = stablehlo.constant dense<[(1.7976931348623157E+308, -9.078350331054693E+307), (5.0E-324, 5.0E-324), (2.6069051687239504E+95, 8.271679420433888E-233), (1.7976931348623157E+308, 1.1)]> : tensor<4xcomplex<f64>>
  %3 = stablehlo.cbrt %z3 : tensor<4xcomplex<f64>>
  %e3 = stablehlo.constant dense<[(5.790499777231409E+102, -9.100049025983737E+101), (1.846617709968535E-108, 4.947997241150782E-109), (6.388149595054547E+31, 6.756507828262723E-297), (5.643803094122362E+102, 1.1511388833352585E-206)]> : tensor<4xcomplex<f64>>
  check.expect_close %3, %e3 : tensor<4xcomplex<f64>>, tensor<4xcomplex<f64>>
  return
}
// -----
func.func @cancelling_logarithm() {
  // |1 + z| is 1 but for digits beyond those of its parts.
  %z0 = stablehlo.constant dense<[(-0.9999999999999999, 1.0), (-2.144767273172912E-18, 2.0711191531019706E-09), (-1.0259625863896773, -0.9996629152409119)]> : tensor<3xcomplex<f64>>
  %0 = stablehlo.log_plus_one %z0 : tensor<3xcomplex<f64>>
  %e0 = stablehlo.constant dense<[(6.162975822039155E-33, 1.5707963267948966), (-5.499425773210233E-35, 2.0711191531019706E-09), (2.004390604466867E-17, -1.5967618307753606)]> : tensor<3xcomplex<f64>>
  check.expect_close %0, %e0 : tensor<3xcomplex<f64>>, tensor<3xcomplex<f64>>
  return
}
// -----
func.func @poles_of_logistic() {
  // Next to a pole the real part stays 1/2.
  %z0 = stablehlo.constant dense<[(0.0, 100000.0), (6.661338147750939E-17, 3.141592653589793), (-1.0E-12, 9.42477796076938)]> : tensor<3xcomplex<f64>>
  %0 = stablehlo.logistic %z0 : tensor<3xcomplex<f64>>
  %e0 = stablehlo.constant dense<[(0.5, 27.964028454932592), (3427506338745751.5, 6301263460434658.0), (-999999865021.1378, 367393990.15396017)]> : tensor<3xcomplex<f64>>
  check.expect_close %0, %e0 : tensor<3xcomplex<f64>>, tensor<3xcomplex<f64>>
  return
}
// -----
func.func @cancelling_quotients() {
  // Parts of quotients that cancel, and parts of very different size by a real number.
  %z = stablehlo.constant dense<[(0.000761138038235218, -0.0004319856629361248), (0.8249304242797194, 0.5652330181280504), (7.03329906312084E+236, 2.2425287492698477E-293), (1.0E+300, 1.0E+300), (1.0E-310, 2.0E-310), (1.0E+308, 1.0E+308)]> : tensor<6xcomplex<f64>>
  %w = stablehlo.constant dense<[(-0.4935534874096471, -0.8697166173392147), (0.8241225898463734, 0.5664114731552772), (-19.9, 0.0), (3.0E+300, 1.0E-300), (3.0E-310, -1.0E-310), (1.0E-10, 1.0E+308)]> : tensor<6xcomplex<f64>>
  %0 = stablehlo.divide %z, %w : tensor<6xcomplex<f64>>
  %e = stablehlo.constant dense<[(4.2776249477133165E-08, 0.0008751806455429052), (0.9999982641573574, -0.001428758100488357), (-3.5343211372466534E+235, -1.126898868979823E-294), (0.3333333333333333, 0.3333333333333333), (0.1, 0.7), (1.0, -1.0)]> : tensor<6xcomplex<f64>>
  check.expect_close %0, %e : tensor<6xcomplex<f64>>, tensor<6xcomplex<f64>>
  return
}
// -----
func.func @signs_of_zeros() {
  // cosh(-1 + 0i) has an imaginary part of -0, so has the quotient -0 / 2; e^-inf keeps the signs of its angle. 1 / x tells.
  %z = stablehlo.constant dense<[(-1.0, 0.0), (1.0, 0.0), (-1.0, -0.0)]> : tensor<3xcomplex<f64>>
  %one = stablehlo.constant dense<1.0> : tensor<3xf64>
  %0 = chlo.cosh %z : tensor<3xcomplex<f64>> -> tensor<3xcomplex<f64>>
  %1 = stablehlo.imag %0 : (tensor<3xcomplex<f64>>) -> tensor<3xf64>
  %2 = stablehlo.divide %one, %1 : tensor<3xf64>
  check.expect_eq_const %2, dense<[0xFFF0000000000000, 0x7FF0000000000000, 0x7FF0000000000000]> : tensor<3xf64>
  %w = stablehlo.constant dense<[(0xFFF0000000000000, 2.0), (0xFFF0000000000000, -1.0), (0xFFF0000000000000, 0.5)]> : tensor<3xcomplex<f64>>
  %3 = stablehlo.exponential %w : tensor<3xcomplex<f64>>
  %4 = stablehlo.real %3 : (tensor<3xcomplex<f64>>) -> tensor<3xf64>
  %5 = stablehlo.divide %one, %4 : tensor<3xf64>
  check.expect_eq_const %5, dense<[0xFFF0000000000000, 0x7FF0000000000000, 0x7FF0000000000000]> : tensor<3xf64>
  %6 = stablehlo.imag %3 : (tensor<3xcomplex<f64>>) -> tensor<3xf64>
  %7 = stablehlo.divide %one, %6 : tensor<3xf64>
  check.expect_eq_const %7, dense<[0x7FF0000000000000, 0xFFF0000000000000, 0x7FF0000000000000]> : tensor<3xf64>
  %two = stablehlo.constant dense<(2.0, 0.0)> : tensor<3xcomplex<f64>>
  %v = stablehlo.constant dense<[(1.0, -0.0), (1.0, 0.0), (-0.0, 3.0)]> : tensor<3xcomplex<f64>>
  %8 = stablehlo.divide %v, %two : tensor<3xcomplex<f64>>
  %9 = stablehlo.imag %8 : (tensor<3xcomplex<f64>>) -> tensor<3xf64>
  %10 = stablehlo.divide %one, %9 : tensor<3xf64>
  %e10 = stablehlo.constant dense<[0xFFF0000000000000, 0x7FF0000000000000, 0.6666666666666666]> : tensor<3xf64>
  check.expect_close %10, %e10 : tensor<3xf64>, tensor<3xf64>
  return
}
// -----
func.func @annex_g() {
  // What a lost part leaves known: ISO C, Annex G.
  %z = stablehlo.constant dense<[(0.0, 0x7FF0000000000000), (0x7FF0000000000000, 0x7FF8000000000000), (0x7FF8000000000000, 0.0), (0x7FF0000000000000, 0x7FF0000000000000), (-1.0E+5, 0x7FF0000000000000)]> : tensor<5xcomplex<f64>>
  %0 = stablehlo.tanh %z : tensor<5xcomplex<f64>>
  %e0 = stablehlo.constant dense<[(0.0, 0x7FF8000000000000), (1.0, 0.0), (0x7FF8000000000000, 0.0), (1.0, 0.0), (0x7FF8000000000000, 0x7FF8000000000000)]> : tensor<5xcomplex<f64>>
  check.expect_close %0, %e0 : tensor<5xcomplex<f64>>, tensor<5xcomplex<f64>>
  %1 = stablehlo.exponential %z : tensor<5xcomplex<f64>>
  %e1 = stablehlo.constant dense<[(0x7FF8000000000000, 0x7FF8000000000000), (0x7FF0000000000000, 0x7FF8000000000000), (0x7FF8000000000000, 0.0), (0x7FF0000000000000, 0x7FF8000000000000), (0x7FF8000000000000, 0x7FF8000000000000)]> : tensor<5xcomplex<f64>>
  check.expect_close %1, %e1 : tensor<5xcomplex<f64>>, tensor<5xcomplex<f64>>
  %2 = stablehlo.sqrt %z : tensor<5xcomplex<f64>>
  %e2 = stablehlo.constant dense<[(0x7FF0000000000000, 0x7FF0000000000000), (0x7FF0000000000000, 0x7FF8000000000000), (0x7FF8000000000000, 0x7FF8000000000000), (0x7FF0000000000000, 0x7FF0000000000000), (0x7FF0000000000000, 0x7FF0000000000000)]> : tensor<5xcomplex<f64>>
  check.expect_close %2, %e2 : tensor<5xcomplex<f64>>, tensor<5xcomplex<f64>>
  %w = stablehlo.constant dense<[(0.0, 0x7FF8000000000000), (-0.0, 0x7FF8000000000000)]> : tensor<2xcomplex<f64>>
  %3 = chlo.acos %w : tensor<2xcomplex<f64>> -> tensor<2xcomplex<f64>>
  %e3 = stablehlo.constant dense<[(1.5707963267948966, 0x7FF8000000000000), (1.5707963267948966, 0x7FF8000000000000)]> : tensor<2xcomplex<f64>>
  check.expect_close %3, %e3 : tensor<2xcomplex<f64>>, tensor<2xcomplex<f64>>
  %4 = chlo.asin %w : tensor<2xcomplex<f64>> -> tensor<2xcomplex<f64>>
  %e4 = stablehlo.constant dense<[(0.0, 0x7FF8000000000000), (0.0, 0x7FF8000000000000)]> : tensor<2xcomplex<f64>>
  check.expect_close %4, %e4 : tensor<2xcomplex<f64>>, tensor<2xcomplex<f64>>
  return
}
// -----
func.func @powers_on_the_axes() {
  // Whole powers of real and imaginary numbers are real or imaginary: the other part was what rounding an angle left.
  %z = stablehlo.constant dense<[(-1320.77258, 0.0), (0.0, 1.69543113E-4), (0.0, -2.0), (-4.0, 0.0), (-4.0, -0.0), (0.0, 3.0)]> : tensor<6xcomplex<f32>>
  %w = stablehlo.constant dense<[(3.0, 0.0), (-3.0, 0.0), (4.0, 0.0), (0.5, 0.0), (0.5, 0.0), (1.0, 0.0)]> : tensor<6xcomplex<f32>>
  %0 = stablehlo.power %z, %w : tensor<6xcomplex<f32>>
  %e = stablehlo.constant dense<[(-2.304008704E+09, 0.0), (0.0, 2.051915776E+11), (16.0, 0.0), (0.0, 2.0), (0.0, -2.0), (0.0, 3.0)]> : tensor<6xcomplex<f32>>
  check.expect_close %0, %e : tensor<6xcomplex<f32>>, tensor<6xcomplex<f32>>
  return
}
