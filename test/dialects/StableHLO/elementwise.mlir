// Operands and one type, or a function type; the generic form that is printed parses back.
// RUN: cleave-opt %s | FileCheck %s
// RUN: cleave-opt %s | cleave-opt | FileCheck %s
// RUN: cleave-opt %s --emit-bytecode | cleave-opt | FileCheck %s

// CHECK-LABEL: func.func @unary
func.func @unary(%f: tensor<2xf32>, %i: tensor<2xi32>, %c: tensor<2xcomplex<f32>>) {
  // CHECK: "stablehlo.abs"(%arg0) : (tensor<2xf32>) -> tensor<2xf32>
  %0 = stablehlo.abs %f : tensor<2xf32>
  // CHECK: "stablehlo.abs"(%arg2) : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
  %1 = stablehlo.abs %c : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
  // CHECK: "stablehlo.convert"(%arg1) : (tensor<2xi32>) -> tensor<2xf64>
  %2 = stablehlo.convert %i : (tensor<2xi32>) -> tensor<2xf64>
  // CHECK: "stablehlo.is_finite"(%arg0) : (tensor<2xf32>) -> tensor<2xi1>
  %3 = stablehlo.is_finite %f : (tensor<2xf32>) -> tensor<2xi1>
  // CHECK: "stablehlo.real"(%arg2) : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
  %4 = stablehlo.real %c : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
  // CHECK: "stablehlo.imag"(%arg0) : (tensor<2xf32>) -> tensor<2xf32>
  %5 = stablehlo.imag %f : tensor<2xf32>
  // CHECK: "stablehlo.negate"(%arg1) {mhlo.frontend_attributes = {a = "b"}} : (tensor<2xi32>) -> tensor<2xi32>
  %6 = stablehlo.negate %i {mhlo.frontend_attributes = {a = "b"}} : tensor<2xi32>
  // CHECK: "stablehlo.exponential"(%arg0) <{result_accuracy = #stablehlo.result_accuracy<mode = #stablehlo<result_accuracy_mode TOLERANCE>, ulps = 10 : i64>}>
  %7 = stablehlo.exponential %f {result_accuracy = #stablehlo.result_accuracy<ulps = 10, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : tensor<2xf32>
  // CHECK: "stablehlo.exponential"(%arg0) <{result_accuracy = #stablehlo.result_accuracy<atol = 0.000000e+00 : f64, mode = #stablehlo<result_accuracy_mode HIGHEST>>}>
  %8 = "stablehlo.exponential"(%f) {result_accuracy = #stablehlo.result_accuracy<atol = 0.000000e+00, mode = <HIGHEST>>} : (tensor<2xf32>) -> tensor<2xf32>
  // CHECK: "stablehlo.exp2"(%arg0) <{result_accuracy = #stablehlo.result_accuracy<mode = #stablehlo<result_accuracy_mode TOLERANCE>, ulps = 10 : i64>}>
  %e2 = stablehlo.exp2 %f {result_accuracy = #stablehlo.result_accuracy<ulps = 10, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : tensor<2xf32>
  // CHECK: "stablehlo.log2"(%arg2) : (tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>>
  %l2 = "stablehlo.log2"(%c) : (tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>>
  // CHECK: "stablehlo.reduce_precision"(%arg0) <{exponent_bits = 5 : i32, mantissa_bits = 10 : i32}>
  %9 = stablehlo.reduce_precision %f, format = e5m10 : tensor<2xf32>
  // CHECK: "stablehlo.bitcast_convert"(%arg0) : (tensor<2xf32>) -> tensor<2x4xi8>
  %10 = stablehlo.bitcast_convert %f : (tensor<2xf32>) -> tensor<2x4xi8>
  // CHECK: "stablehlo.uniform_quantize"(%arg0) : (tensor<2xf32>) -> tensor<2x!quant.uniform<i8:f32, 3.400000e+01:16>>
  %11 = stablehlo.uniform_quantize %f : (tensor<2xf32>) -> tensor<2x!quant.uniform<i8:f32, 34.0:16>>
  return
}

// CHECK-LABEL: func.func @several
func.func @several(%f: tensor<2xf32>, %p: tensor<2xi1>, %s: tensor<i1>, %d: tensor<?xf32, #stablehlo.bounds<5>>) {
  // CHECK: "stablehlo.add"(%arg0, %arg0) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %0 = stablehlo.add %f, %f : tensor<2xf32>
  // CHECK: "stablehlo.add"(%arg0, %arg3) : (tensor<2xf32>, tensor<?xf32, #stablehlo.type_extensions<bounds = [5]>>) -> tensor<2xf32>
  %1 = stablehlo.add %f, %d : (tensor<2xf32>, tensor<?xf32, #stablehlo.type_extensions<bounds = [5]>>) -> tensor<2xf32>
  // CHECK: "stablehlo.compare"(%arg0, %arg0) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
  %2 = stablehlo.compare LT, %f, %f : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
  // CHECK: compare_type = #stablehlo<comparison_type TOTALORDER>, comparison_direction = #stablehlo<comparison_direction EQ>
  %3 = stablehlo.compare  EQ, %f, %f,  TOTALORDER : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
  // CHECK: comparison_direction = #stablehlo<comparison_direction NE>
  %4 = "stablehlo.compare"(%f, %f) {comparison_direction = #stablehlo.comparison_direction<NE>} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
  // CHECK: "stablehlo.select"(%arg1, %arg0, %arg0) : (tensor<2xi1>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %5 = stablehlo.select %p, %f, %f : tensor<2xi1>, tensor<2xf32>
  // CHECK: "stablehlo.select"(%arg2, %arg0, %arg0) : (tensor<i1>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %6 = stablehlo.select %s, %f, %f : (tensor<i1>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  // CHECK: "stablehlo.clamp"(%arg0, %arg0, %arg0)
  %7 = stablehlo.clamp %f, %f, %f : tensor<2xf32>
  // CHECK: "stablehlo.complex"(%arg0, %arg0) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xcomplex<f32>>
  %8 = stablehlo.complex %f, %f : tensor<2xcomplex<f32>>
  // CHECK: "stablehlo.map"(%arg0) <{dimensions = array<i64: 0>}> ({
  %9 = "stablehlo.map"(%f) ({
  ^bb0(%x: tensor<f32>):
    // CHECK: "stablehlo.return"(%{{.*}}) : (tensor<f32>) -> ()
    stablehlo.return %x : tensor<f32>
  }) {dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<2xf32>
  return
}
