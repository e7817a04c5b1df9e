// What a program checks becomes results of the entry function, also from functions that it calls.
// RUN: cleave-opt %s -cleave-convert-stablehlo-to-cleave -split-input-file | FileCheck %s

// CHECK-LABEL: func.func @main
// CHECK-SAME: -> (tensor<2xf32> {jax.result_info = ""},
// CHECK-SAME: tensor<2xf32> {cleave.expect = {index = 0 : i64, kind = "close", max_ulp = 3 : i64, min_ulp = 0 : i64, role = "actual"}, cleave.expect_loc = "{{[^"]*}}checks.mlir:[[# @LINE + 11]]:3", cleave.expect_op = "stablehlo.add"},
// CHECK-SAME: tensor<2xf32> {cleave.expect = {index = 0 : i64, kind = "close", max_ulp = 3 : i64, min_ulp = 0 : i64, role = "expected"}, cleave.expect_loc = "{{[^"]*}}"},
// CHECK-SAME: tensor<2xf32> {cleave.expect = {index = 1 : i64, kind = "eq", role = "actual"}, cleave.expect_loc = "{{[^"]*}}"}, tensor<2xf32> {cleave.expect = {index = 1 : i64, kind = "eq", role = "expected"}, cleave.expect_loc = "{{[^"]*}}"},
// CHECK-SAME: tensor<2xf32> {cleave.expect = {index = 2 : i64, kind = "almost_eq", role = "actual", tolerance = 1.000000e-04 : f64}, cleave.expect_loc = "{{[^"]*}}", cleave.expect_op = "stablehlo.add"}, tensor<2xf32> {{.*}}) {
// CHECK-NEXT: %[[C:.*]] = cleave.constant dense<1.000000e+00>
// CHECK-NEXT: %[[S:.*]] = cleave.add %arg0, %[[C]]
// CHECK-NEXT: %[[D:.*]] = cleave.constant dense<2.000000e+00>
// CHECK-NEXT: return %[[S]], %[[S]], %[[C]], %arg0, %[[C]], %[[S]], %[[D]]
func.func @main(%x: tensor<2xf32>) -> (tensor<2xf32> {jax.result_info = ""}) {
  %0 = stablehlo.constant dense<1.0> : tensor<2xf32>
  %1 = stablehlo.add %x, %0 : tensor<2xf32>
  stablehlo.custom_call @check.expect_close(%1, %0) {has_side_effect = true} : (tensor<2xf32>, tensor<2xf32>) -> ()
  call @callee(%x, %0) : (tensor<2xf32>, tensor<2xf32>) -> ()
  check.expect_almost_eq_const %1, dense<2.0> : tensor<2xf32>
  return %1 : tensor<2xf32>
}
func.func private @callee(%x: tensor<2xf32>, %y: tensor<2xf32>) {
  check.expect_eq %x, %y : tensor<2xf32>
  return
}

// -----

// Complex values are two expectations, integers of 4 bits are checked in 8.
// CHECK-LABEL: func.func @parts
// CHECK-SAME: index = 0 : i64, kind = "close", max_ulp = 7 : i64, min_ulp = 1 : i64, role = "actual"
// CHECK-SAME: index = 1 : i64, kind = "close", max_ulp = 7 : i64, min_ulp = 1 : i64, role = "expected"
// CHECK-SAME: tensor<2xi8> {cleave.expect = {index = 2 : i64, kind = "eq", role = "actual"}
// CHECK: cleave.constant dense<[-8, 7]> : tensor<2xi8>
// CHECK: return %arg0, %arg0, %arg1, %arg1
func.func @parts(%z: tensor<2xcomplex<f32>>, %i: tensor<2xi4>) {
  check.expect_close %z, %z, min_ulp_difference = 1, max_ulp_difference = 7 : tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>
  check.expect_eq_const %i, dense<[-8, 7]> : tensor<2xi4>
  return
}

// -----

// Functions that only check something are checked together.
// CHECK-LABEL: func.func @main
// CHECK-SAME: index = 0 : i64, kind = "eq"
// CHECK-SAME: index = 1 : i64, kind = "eq"
// CHECK-NOT: func.func
func.func @first() {
  %0 = stablehlo.constant dense<1.0> : tensor<2xf32>
  check.expect_eq %0, %0 : tensor<2xf32>
  return
}
func.func @second() {
  %0 = stablehlo.constant dense<2> : tensor<2xi32>
  check.expect_eq %0, %0 : tensor<2xi32>
  return
}
