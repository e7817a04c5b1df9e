// RUN: cleave-opt %s | cleave-opt | FileCheck %s
// RUN: cleave-opt %s --mlir-print-op-generic | cleave-opt | FileCheck %s
// RUN: cleave-opt %s --emit-bytecode | cleave-opt | FileCheck %s

// CHECK-LABEL: func.func @while(
func.func @while(%init: tensor<i32>, %x: tensor<4xf32>, %p: tensor<i1>) {
  // CHECK: cleave.constant dense<1> : tensor<i32>
  %one = cleave.constant dense<1> : tensor<i32>
  // CHECK: cleave.while(%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}) : tensor<i32>, tensor<4xf32>
  cleave.while(%i = %init, %sum = %x) : tensor<i32>, tensor<4xf32>
  // CHECK: cond {
  cond {
    // CHECK: cleave.compare LT, %{{.*}}, %{{.*}} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %0 = cleave.compare LT, %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i1>
    // CHECK: cleave.return %{{.*}} : tensor<i1>
    cleave.return %0 : tensor<i1>
  // CHECK: } do {
  } do {
    // CHECK: cleave.add %{{.*}}, %{{.*}} : tensor<i32>
    %0 = cleave.add %i, %one : tensor<i32>
    // CHECK: cleave.add %{{.*}}, %{{.*}} : tensor<4xf32>
    %1 = cleave.add %sum, %x : tensor<4xf32>
    // CHECK: cleave.return %{{.*}}, %{{.*}} : tensor<i32>, tensor<4xf32>
    cleave.return %0, %1 : tensor<i32>, tensor<4xf32>
  }
  // CHECK: cleave.while(%{{.*}} = %{{.*}}) : tensor<i32> attributes {cleave.name = "loop"}
  cleave.while(%i = %init) : tensor<i32> attributes {cleave.name = "loop"}
  // CHECK: cond {
  cond {
    // CHECK: cleave.return %{{.*}} : tensor<i1>
    cleave.return %p : tensor<i1>
  // CHECK: } do {
  } do {
    // CHECK: cleave.return %{{.*}} : tensor<i32>
    cleave.return %i : tensor<i32>
  }
  // CHECK: cleave.while()
  cleave.while()
  // CHECK: cond {
  cond {
    // CHECK: cleave.return %{{.*}} : tensor<i1>
    cleave.return %p : tensor<i1>
  // CHECK: } do {
  } do {
    // CHECK: cleave.return
    cleave.return
  }
  return
}

// CHECK-LABEL: func.func @if(
func.func @if(%p: tensor<i1>, %x: tensor<4xf32>) {
  // CHECK: cleave.if %{{.*}} {cleave.name = "choice"} : (tensor<i1>) -> tensor<4xf32> then {
  cleave.if %p {cleave.name = "choice"} : (tensor<i1>) -> tensor<4xf32> then {
    // CHECK: cleave.negate %{{.*}} : tensor<4xf32>
    %0 = cleave.negate %x : tensor<4xf32>
    // CHECK: cleave.return %{{.*}} : tensor<4xf32>
    cleave.return %0 : tensor<4xf32>
  // CHECK: } else {
  } else {
    // CHECK: cleave.return %{{.*}} : tensor<4xf32>
    cleave.return %x : tensor<4xf32>
  }
  // CHECK: cleave.if %{{.*}} : (tensor<i1>) -> () then {
  cleave.if %p : (tensor<i1>) -> () then {
    // CHECK: cleave.return
    cleave.return
  // CHECK: } else {
  } else {
    // CHECK: cleave.return
    cleave.return
  }
  return
}
