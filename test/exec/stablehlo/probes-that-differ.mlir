// A probe in a loop that has seen something else, or has not run so often, is a failure; one where Cleave cannot follow is skipped by name.
// RUN: not %cleave check %s | FileCheck %s
// CHECK: FAIL {{.*}}#1: eq at {{.*}}:23:3: element [1] is 4, expected 5
// CHECK-NEXT: FAIL {{.*}}#2: eq at {{.*}}:43:3: element [] is false, expected true
// CHECK-NEXT: SKIP {{.*}}#3: probe 'p' in a region of 'stablehlo.map', which is checked, is not supported
// CHECK-NEXT: 0 passed, 2 failed, 1 skipped
func.func @other_value() {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %x = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %0:2 = stablehlo.while(%i = %zero, %v = %x) : tensor<i32>, tensor<2xi32>
  cond {
    %p = stablehlo.compare LT, %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %j = stablehlo.add %i, %one : tensor<i32>
    %w = stablehlo.add %v, %v : tensor<2xi32>
    %s = interpreter.probe %w, probe_id = "w" : tensor<2xi32>
    stablehlo.return %j, %s : tensor<i32>, tensor<2xi32>
  }
  %e = stablehlo.constant dense<[2, 5]> : tensor<2xi32>
  // The first time.
  check.expect_serialized_eq %e, probe_id = "w" : tensor<2xi32>
  return
}
// -----
func.func @once() {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %x = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %0:2 = stablehlo.while(%i = %zero, %v = %x) : tensor<i32>, tensor<2xi32>
  cond {
    %p = stablehlo.compare LT, %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %j = stablehlo.add %i, %one : tensor<i32>
    %w = stablehlo.add %v, %v : tensor<2xi32>
    %s = interpreter.probe %w, probe_id = "w" : tensor<2xi32>
    stablehlo.return %j, %s : tensor<i32>, tensor<2xi32>
  }
  check.expect_serialized_eq %0#1, probe_id = "w" : tensor<2xi32>
  // There is no second time.
  check.expect_serialized_eq %0#1, probe_id = "w", iter = 1 : tensor<2xi32>
  return
}
// -----
func.func @map() {
  %x = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %0 = "stablehlo.map"(%x) ({
  ^bb0(%a: tensor<i32>):
    %1 = interpreter.probe %a, probe_id = "p" : tensor<i32>
    stablehlo.return %1 : tensor<i32>
  }) {dimensions = array<i64: 0>} : (tensor<2xi32>) -> tensor<2xi32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  check.expect_serialized_eq %one, probe_id = "p" : tensor<i32>
  return
}
