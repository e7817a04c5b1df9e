// Computations with branches select; those with loops or tensors of their own become loops over elements.
// RUN: cleave-opt %s -cleave-convert-stablehlo-to-cleave -split-input-file | FileCheck %s

// CHECK-LABEL: func.func @branch
// CHECK: cleave.reduce
// CHECK: %[[P:.*]] = cleave.compare GT
// CHECK: %[[N:.*]] = cleave.negate
// CHECK: %[[S:.*]] = cleave.select %[[P]], %[[N]], %{{.*}} :
// CHECK: cleave.return %[[S]]
// CHECK-NOT: cleave.if
func.func @branch(%x: tensor<4x3xf32>) -> tensor<4xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = "stablehlo.reduce"(%x, %zero) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.compare GT, %b, %a : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %2 = "stablehlo.if"(%1) ({
      %3 = stablehlo.negate %b : tensor<f32>
      stablehlo.return %3 : tensor<f32>
    }, {
      stablehlo.return %a : tensor<f32>
    }) : (tensor<i1>) -> tensor<f32>
    stablehlo.return %2 : tensor<f32>
  }) {dimensions = array<i64: 1>} : (tensor<4x3xf32>, tensor<f32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// A branch with a loop, which may not end where it is not taken, stays a branch in a loop over 12 elements.
// CHECK-LABEL: func.func @loop
// CHECK-NOT: cleave.reduce
// CHECK: cleave.while
// CHECK: cleave.constant dense<12> : tensor<i64>
// CHECK: cleave.compare LT
// CHECK: cleave.dynamic_slice
// CHECK: cleave.if
// CHECK: cleave.while
// CHECK: cleave.dynamic_update_slice
func.func @loop(%x: tensor<4x3xi32>) -> tensor<4xi32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0 = "stablehlo.reduce"(%x, %zero) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %1 = stablehlo.compare GT, %b, %zero : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %2 = "stablehlo.if"(%1) ({
      %3 = stablehlo.while(%v = %b) : tensor<i32>
      cond {
        %p = stablehlo.compare NE, %v, %zero : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %p : tensor<i1>
      } do {
        %one = stablehlo.constant dense<1> : tensor<i32>
        %w = stablehlo.subtract %v, %one : tensor<i32>
        stablehlo.return %w : tensor<i32>
      }
      stablehlo.return %3 : tensor<i32>
    }, {
      stablehlo.return %a : tensor<i32>
    }) : (tensor<i1>) -> tensor<i32>
    stablehlo.return %2 : tensor<i32>
  }) {dimensions = array<i64: 1>} : (tensor<4x3xi32>, tensor<i32>) -> tensor<4xi32>
  return %0 : tensor<4xi32>
}

// -----

// The loop around a probe carries how often it has run, what it has seen the second time, and whether it has.
// CHECK-LABEL: func.func @probe
// CHECK: cleave.while(%{{.*}}, %[[COUNT:.*]] = %{{.*}}, %[[SEEN:.*]] = %{{.*}}, %[[HAS:.*]] = %{{.*}}) : tensor<i32>, tensor<i64>, tensor<i32>, tensor<i1>
// CHECK: %[[DOUBLE:.*]] = cleave.add
// CHECK: %[[NOW:.*]] = cleave.compare EQ, %[[COUNT]]
// CHECK: %[[S:.*]] = cleave.select %[[NOW]], %[[DOUBLE]], %[[SEEN]]
// CHECK: %[[H:.*]] = cleave.select %[[NOW]], %[[NOW]], %[[HAS]]
// CHECK: %[[C:.*]] = cleave.add %[[COUNT]]
// CHECK: cleave.return %[[DOUBLE]], %[[C]], %[[S]], %[[H]]
func.func @probe() {
  %one = stablehlo.constant dense<1> : tensor<i32>
  %nine = stablehlo.constant dense<9> : tensor<i32>
  %0 = stablehlo.while(%v = %one) : tensor<i32>
  cond {
    %p = stablehlo.compare LT, %v, %nine : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %w = stablehlo.add %v, %v : tensor<i32>
    %s = interpreter.probe %w, probe_id = "w" : tensor<i32>
    stablehlo.return %s : tensor<i32>
  }
  check.expect_serialized_eq %0, probe_id = "w", iter = 1 : tensor<i32>
  return
}
