// RUN: cleave-opt %s -pass-pipeline='builtin.module(func.func(cleave-drop-dead-ops))' | FileCheck %s

// CHECK-LABEL: func.func @dead
func.func @dead(%x: tensor<4xf32>, %n: tensor<i32>) -> tensor<4xf32> {
  // CHECK-NEXT: %[[Y:.*]] = cleave.negate
  // CHECK-NEXT: return %[[Y]]
  %zero = cleave.constant dense<0.0> : tensor<f32>
  %sum = cleave.reduce(%x init: %zero) applies cleave.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  %root = cleave.sqrt %sum : tensor<f32>
  %y = cleave.negate %x : tensor<4xf32>
  return %y : tensor<4xf32>
}

// In a body, too.
// CHECK-LABEL: func.func @loop
func.func @loop(%n: tensor<i32>) -> tensor<i32> {
  // CHECK: do {
  // CHECK-NEXT: cleave.add
  // CHECK-NEXT: cleave.return
  %0 = cleave.while(%i = %n) : tensor<i32>
  cond {
    %ten = cleave.constant dense<10> : tensor<i32>
    %p = cleave.compare LT, %i, %ten : (tensor<i32>, tensor<i32>) -> tensor<i1>
    cleave.return %p : tensor<i1>
  } do {
    %next = cleave.add %i, %i : tensor<i32>
    %unused = cleave.multiply %next, %next : tensor<i32>
    cleave.return %next : tensor<i32>
  }
  return %0 : tensor<i32>
}
