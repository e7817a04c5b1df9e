// RUN: cleave-opt %s | cleave-opt | FileCheck %s
// RUN: cleave-opt %s --mlir-print-op-generic | cleave-opt | FileCheck %s
// RUN: cleave-opt %s --emit-bytecode | cleave-opt | FileCheck %s

// CHECK-LABEL: func.func @unary_float(
func.func @unary_float(%x: tensor<2x3xf32>, %y: tensor<0x3xbf16>, %z: tensor<f64>) {
  // CHECK: cleave.acos %{{.*}} : tensor<2x3xf32>
  cleave.acos %x : tensor<2x3xf32>
  // CHECK: cleave.acosh %{{.*}} : tensor<2x3xf32>
  cleave.acosh %x : tensor<2x3xf32>
  // CHECK: cleave.asin %{{.*}} : tensor<2x3xf32>
  cleave.asin %x : tensor<2x3xf32>
  // CHECK: cleave.asinh %{{.*}} : tensor<2x3xf32>
  cleave.asinh %x : tensor<2x3xf32>
  // CHECK: cleave.atan %{{.*}} : tensor<2x3xf32>
  cleave.atan %x : tensor<2x3xf32>
  // CHECK: cleave.atanh %{{.*}} : tensor<2x3xf32>
  cleave.atanh %x : tensor<2x3xf32>
  // CHECK: cleave.bessel_i1e %{{.*}} : tensor<2x3xf32>
  cleave.bessel_i1e %x : tensor<2x3xf32>
  // CHECK: cleave.cosh %{{.*}} : tensor<2x3xf32>
  cleave.cosh %x : tensor<2x3xf32>
  // CHECK: cleave.digamma %{{.*}} : tensor<2x3xf32>
  cleave.digamma %x : tensor<2x3xf32>
  // CHECK: cleave.erf_inv %{{.*}} : tensor<2x3xf32>
  cleave.erf_inv %x : tensor<2x3xf32>
  // CHECK: cleave.erfc %{{.*}} : tensor<2x3xf32>
  cleave.erfc %x : tensor<2x3xf32>
  // CHECK: cleave.lgamma %{{.*}} : tensor<2x3xf32>
  cleave.lgamma %x : tensor<2x3xf32>
  // CHECK: cleave.sinh %{{.*}} : tensor<2x3xf32>
  cleave.sinh %x : tensor<2x3xf32>
  // CHECK: cleave.reduce_precision %{{.*}}, exponent_bits = 5, mantissa_bits = 10 : tensor<2x3xf32>
  cleave.reduce_precision %x, exponent_bits = 5, mantissa_bits = 10 : tensor<2x3xf32>
  // CHECK: cleave.cbrt %{{.*}} : tensor<2x3xf32>
  cleave.cbrt %x : tensor<2x3xf32>
  // CHECK: cleave.ceil %{{.*}} : tensor<2x3xf32>
  cleave.ceil %x : tensor<2x3xf32>
  // CHECK: cleave.cosine %{{.*}} : tensor<2x3xf32>
  cleave.cosine %x : tensor<2x3xf32>
  // CHECK: cleave.erf %{{.*}} : tensor<2x3xf32>
  cleave.erf %x : tensor<2x3xf32>
  // CHECK: cleave.exp2 %{{.*}} : tensor<2x3xf32>
  cleave.exp2 %x : tensor<2x3xf32>
  // CHECK: cleave.exponential %{{.*}} : tensor<2x3xf32>
  cleave.exponential %x : tensor<2x3xf32>
  // CHECK: cleave.exponential_minus_one %{{.*}} : tensor<2x3xf32>
  cleave.exponential_minus_one %x : tensor<2x3xf32>
  // CHECK: cleave.floor %{{.*}} : tensor<2x3xf32>
  cleave.floor %x : tensor<2x3xf32>
  // CHECK: cleave.log %{{.*}} : tensor<2x3xf32>
  cleave.log %x : tensor<2x3xf32>
  // CHECK: cleave.log2 %{{.*}} : tensor<2x3xf32>
  cleave.log2 %x : tensor<2x3xf32>
  // CHECK: cleave.log_plus_one %{{.*}} : tensor<2x3xf32>
  cleave.log_plus_one %x : tensor<2x3xf32>
  // CHECK: cleave.logistic %{{.*}} : tensor<2x3xf32>
  cleave.logistic %x : tensor<2x3xf32>
  // CHECK: cleave.round_nearest_afz %{{.*}} : tensor<2x3xf32>
  cleave.round_nearest_afz %x : tensor<2x3xf32>
  // CHECK: cleave.round_nearest_even %{{.*}} : tensor<2x3xf32>
  cleave.round_nearest_even %x : tensor<2x3xf32>
  // CHECK: cleave.rsqrt %{{.*}} : tensor<2x3xf32>
  cleave.rsqrt %x : tensor<2x3xf32>
  // CHECK: cleave.sine %{{.*}} : tensor<2x3xf32>
  cleave.sine %x : tensor<2x3xf32>
  // CHECK: cleave.sqrt %{{.*}} : tensor<2x3xf32>
  cleave.sqrt %x : tensor<2x3xf32>
  // CHECK: cleave.tan %{{.*}} : tensor<2x3xf32>
  cleave.tan %x : tensor<2x3xf32>
  // CHECK: cleave.tanh %{{.*}} : tensor<2x3xf32>
  cleave.tanh %x : tensor<2x3xf32>
  // CHECK: cleave.abs %{{.*}} : tensor<2x3xf32>
  cleave.abs %x : tensor<2x3xf32>
  // CHECK: cleave.negate %{{.*}} : tensor<2x3xf32>
  cleave.negate %x : tensor<2x3xf32>
  // CHECK: cleave.sign %{{.*}} : tensor<2x3xf32>
  cleave.sign %x : tensor<2x3xf32>
  // CHECK: cleave.tanh %{{.*}} : tensor<0x3xbf16>
  cleave.tanh %y : tensor<0x3xbf16>
  // CHECK: cleave.sqrt %{{.*}} : tensor<f64>
  cleave.sqrt %z : tensor<f64>
  // CHECK: cleave.is_finite %{{.*}} : (tensor<2x3xf32>) -> tensor<2x3xi1>
  cleave.is_finite %x : (tensor<2x3xf32>) -> tensor<2x3xi1>
  return
}

// CHECK-LABEL: func.func @unary_integer(
func.func @unary_integer(%x: tensor<4xi32>, %u: tensor<4xui8>, %b: tensor<2xi1>) {
  // CHECK: cleave.abs %{{.*}} : tensor<4xi32>
  cleave.abs %x : tensor<4xi32>
  // CHECK: cleave.negate %{{.*}} : tensor<4xi32>
  cleave.negate %x : tensor<4xi32>
  // CHECK: cleave.sign %{{.*}} : tensor<4xi32>
  cleave.sign %x : tensor<4xi32>
  // CHECK: cleave.count_leading_zeros %{{.*}} : tensor<4xi32>
  cleave.count_leading_zeros %x : tensor<4xi32>
  // CHECK: cleave.popcnt %{{.*}} : tensor<4xi32>
  cleave.popcnt %x : tensor<4xi32>
  // CHECK: cleave.not %{{.*}} : tensor<4xi32>
  cleave.not %x : tensor<4xi32>
  // CHECK: cleave.popcnt %{{.*}} : tensor<4xui8>
  cleave.popcnt %u : tensor<4xui8>
  // CHECK: cleave.not %{{.*}} : tensor<2xi1>
  cleave.not %b : tensor<2xi1>
  return
}

// CHECK-LABEL: func.func @convert(
func.func @convert(%x: tensor<4xi32>, %h: tensor<4xf16>, %b: tensor<4xi1>) {
  // CHECK: cleave.convert %{{.*}} : (tensor<4xi32>) -> tensor<4xf32>
  cleave.convert %x : (tensor<4xi32>) -> tensor<4xf32>
  // CHECK: cleave.convert %{{.*}} : (tensor<4xf16>) -> tensor<4xui64>
  cleave.convert %h : (tensor<4xf16>) -> tensor<4xui64>
  // CHECK: cleave.convert %{{.*}} : (tensor<4xi1>) -> tensor<4xbf16>
  cleave.convert %b : (tensor<4xi1>) -> tensor<4xbf16>
  return
}

// CHECK-LABEL: func.func @bitcast(
func.func @bitcast(%x: tensor<3x4xf16>, %y: tensor<3xf64>, %z: tensor<ui32>) {
  // CHECK: cleave.bitcast_convert %{{.*}} : (tensor<3x4xf16>) -> tensor<3x4xi16>
  cleave.bitcast_convert %x : (tensor<3x4xf16>) -> tensor<3x4xi16>
  // CHECK: cleave.bitcast_convert %{{.*}} : (tensor<3x4xf16>) -> tensor<3xf64>
  cleave.bitcast_convert %x : (tensor<3x4xf16>) -> tensor<3xf64>
  // CHECK: cleave.bitcast_convert %{{.*}} : (tensor<3xf64>) -> tensor<3x2xui32>
  cleave.bitcast_convert %y : (tensor<3xf64>) -> tensor<3x2xui32>
  // CHECK: cleave.bitcast_convert %{{.*}} : (tensor<ui32>) -> tensor<4xi8>
  cleave.bitcast_convert %z : (tensor<ui32>) -> tensor<4xi8>
  return
}

// CHECK-LABEL: func.func @small_floats(
func.func @small_floats(%x: tensor<4xf32>, %p: tensor<i1>) {
  // CHECK: cleave.constant dense<[1.000000e+00, 0xFF, -1.953130e-03, 4.480000e+02]> : tensor<4xf8E4M3FN>
  %c = cleave.constant dense<[1.0, 0xFF, -1.953125e-03, 448.0]> : tensor<4xf8E4M3FN>
  // CHECK: cleave.convert %{{.*}} : (tensor<4xf32>) -> tensor<4xf8E4M3FN>
  %0 = cleave.convert %x : (tensor<4xf32>) -> tensor<4xf8E4M3FN>
  // CHECK: cleave.select %{{.*}} : tensor<i1>, tensor<4xf8E4M3FN>
  %1 = cleave.select %p, %0, %c : tensor<i1>, tensor<4xf8E4M3FN>
  // CHECK: cleave.bitcast_convert %{{.*}} : (tensor<4xf8E4M3FN>) -> tensor<ui32>
  cleave.bitcast_convert %1 : (tensor<4xf8E4M3FN>) -> tensor<ui32>
  // CHECK: cleave.convert %{{.*}} : (tensor<4xf8E4M3FN>) -> tensor<4xf8E8M0FNU>
  cleave.convert %1 : (tensor<4xf8E4M3FN>) -> tensor<4xf8E8M0FNU>
  return
}

// CHECK-LABEL: func.func @binary(
func.func @binary(%x: tensor<2x3xf32>, %i: tensor<4xi8>, %b: tensor<i1>) {
  // CHECK: cleave.add %{{.*}}, %{{.*}} : tensor<2x3xf32>
  cleave.add %x, %x : tensor<2x3xf32>
  // CHECK: cleave.next_after %{{.*}}, %{{.*}} : tensor<2x3xf32>
  cleave.next_after %x, %x : tensor<2x3xf32>
  // CHECK: cleave.polygamma %{{.*}}, %{{.*}} : tensor<2x3xf32>
  cleave.polygamma %x, %x : tensor<2x3xf32>
  // CHECK: cleave.zeta %{{.*}}, %{{.*}} : tensor<2x3xf32>
  cleave.zeta %x, %x : tensor<2x3xf32>
  // CHECK: cleave.atan2 %{{.*}}, %{{.*}} : tensor<2x3xf32>
  cleave.atan2 %x, %x : tensor<2x3xf32>
  // CHECK: cleave.divide %{{.*}}, %{{.*}} : tensor<2x3xf32>
  cleave.divide %x, %x : tensor<2x3xf32>
  // CHECK: cleave.maximum %{{.*}}, %{{.*}} : tensor<2x3xf32>
  cleave.maximum %x, %x : tensor<2x3xf32>
  // CHECK: cleave.minimum %{{.*}}, %{{.*}} : tensor<2x3xf32>
  cleave.minimum %x, %x : tensor<2x3xf32>
  // CHECK: cleave.multiply %{{.*}}, %{{.*}} : tensor<2x3xf32>
  cleave.multiply %x, %x : tensor<2x3xf32>
  // CHECK: cleave.power %{{.*}}, %{{.*}} : tensor<2x3xf32>
  cleave.power %x, %x : tensor<2x3xf32>
  // CHECK: cleave.remainder %{{.*}}, %{{.*}} : tensor<2x3xf32>
  cleave.remainder %x, %x : tensor<2x3xf32>
  // CHECK: cleave.subtract %{{.*}}, %{{.*}} : tensor<2x3xf32>
  cleave.subtract %x, %x : tensor<2x3xf32>
  // CHECK: cleave.and %{{.*}}, %{{.*}} : tensor<4xi8>
  cleave.and %i, %i : tensor<4xi8>
  // CHECK: cleave.or %{{.*}}, %{{.*}} : tensor<4xi8>
  cleave.or %i, %i : tensor<4xi8>
  // CHECK: cleave.xor %{{.*}}, %{{.*}} : tensor<4xi8>
  cleave.xor %i, %i : tensor<4xi8>
  // CHECK: cleave.shift_left %{{.*}}, %{{.*}} : tensor<4xi8>
  cleave.shift_left %i, %i : tensor<4xi8>
  // CHECK: cleave.shift_right_arithmetic %{{.*}}, %{{.*}} : tensor<4xi8>
  cleave.shift_right_arithmetic %i, %i : tensor<4xi8>
  // CHECK: cleave.shift_right_logical %{{.*}}, %{{.*}} : tensor<4xi8>
  cleave.shift_right_logical %i, %i : tensor<4xi8>
  // CHECK: cleave.add %{{.*}}, %{{.*}} : tensor<i1>
  cleave.add %b, %b : tensor<i1>
  // CHECK: cleave.add %{{.*}}, %{{.*}} {cleave.name = "sum"} : tensor<2x3xf32>
  cleave.add %x, %x {cleave.name = "sum"} : tensor<2x3xf32>
  return
}

// CHECK-LABEL: func.func @compare(
func.func @compare(%x: tensor<2x3xf32>, %i: tensor<ui8>) {
  // CHECK: cleave.compare EQ, %{{.*}}, %{{.*}} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
  cleave.compare EQ, %x, %x : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
  // CHECK: cleave.compare NE, %{{.*}}, %{{.*}} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
  cleave.compare NE, %x, %x : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
  // CHECK: cleave.compare GE, %{{.*}}, %{{.*}} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
  cleave.compare GE, %x, %x : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
  // CHECK: cleave.compare GT, %{{.*}}, %{{.*}} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
  cleave.compare GT, %x, %x : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
  // CHECK: cleave.compare LE, %{{.*}}, %{{.*}} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
  cleave.compare LE, %x, %x : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
  // CHECK: cleave.compare LT, %{{.*}}, %{{.*}} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
  cleave.compare LT, %x, %x : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
  // CHECK: cleave.compare LT, %{{.*}}, %{{.*}} : (tensor<ui8>, tensor<ui8>) -> tensor<i1>
  cleave.compare LT, %i, %i : (tensor<ui8>, tensor<ui8>) -> tensor<i1>
  return
}

// CHECK-LABEL: func.func @choose(
func.func @choose(%p: tensor<2x3xi1>, %q: tensor<i1>, %x: tensor<2x3xf32>, %s: tensor<f32>) {
  // CHECK: cleave.select %{{.*}}, %{{.*}}, %{{.*}} : tensor<2x3xi1>, tensor<2x3xf32>
  cleave.select %p, %x, %x : tensor<2x3xi1>, tensor<2x3xf32>
  // CHECK: cleave.select %{{.*}}, %{{.*}}, %{{.*}} : tensor<i1>, tensor<2x3xf32>
  cleave.select %q, %x, %x : tensor<i1>, tensor<2x3xf32>
  // CHECK: cleave.clamp %{{.*}}, %{{.*}}, %{{.*}} : (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  cleave.clamp %x, %x, %x : (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: cleave.clamp %{{.*}}, %{{.*}}, %{{.*}} : (tensor<f32>, tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
  cleave.clamp %s, %x, %s : (tensor<f32>, tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
  return
}
