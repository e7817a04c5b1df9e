// Calls and composites are inlined; locations say from where, and names of arguments stay.
// RUN: cleave-opt %s -cleave-convert-stablehlo-to-cleave -split-input-file -mlir-print-debuginfo -mlir-print-local-scope | FileCheck %s

// CHECK-LABEL: func.func @main
// CHECK-SAME: %arg0: tensor<f32> loc("params['w1']")
// CHECK-NEXT: cleave.multiply %arg0, %arg0 : tensor<f32> loc(callsite("square":1:1 at "main":2:2))
// CHECK-NEXT: cleave.add {{.*}} loc(callsite(callsite("add":3:3 at "twice":4:4) at "main":5:5))
// CHECK-NEXT: return
// CHECK-NOT: func.func
module {
  func.func @main(%x: tensor<f32> loc("params['w1']")) -> tensor<f32> {
    %0 = call @square(%x) : (tensor<f32>) -> tensor<f32> loc("main":2:2)
    %1 = stablehlo.composite "my.twice" %0 {decomposition = @twice, version = 1 : i32} : (tensor<f32>) -> tensor<f32> loc("main":5:5)
    return %1 : tensor<f32>
  }
  func.func private @square(%x: tensor<f32>) -> tensor<f32> {
    %0 = stablehlo.multiply %x, %x : tensor<f32> loc("square":1:1)
    return %0 : tensor<f32>
  }
  func.func private @twice(%x: tensor<f32>) -> tensor<f32> {
    %0 = call @add(%x, %x) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc("twice":4:4)
    return %0 : tensor<f32>
  }
  func.func private @add(%x: tensor<f32>, %y: tensor<f32>) -> tensor<f32> {
    %0 = stablehlo.add %x, %y : tensor<f32> loc("add":3:3)
    return %0 : tensor<f32>
  }
}

// -----

// Without a main the public function that no other calls is the entry.
// CHECK-NOT: @callee
// CHECK-LABEL: func.func @caller
// CHECK-NOT: @callee
func.func @callee(%x: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.negate %x : tensor<f32>
  return %0 : tensor<f32>
}
func.func @caller(%x: tensor<f32>) -> tensor<f32> {
  // CHECK: cleave.negate
  %0 = call @callee(%x) : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

// Functions of chlo that were written as calls for consumers without chlo; the decomposition is not needed.
// CHECK-LABEL: func.func @main
// CHECK-NEXT: cleave.erf %arg0 {mhlo.attributes = {}, mhlo.version = 1 : i64} : tensor<2x3xf32>
// CHECK-NEXT: cleave.lgamma
// CHECK: cleave.sort({{.*}}) dimension = 1
// CHECK-NOT: func.func
func.func @main(%x: tensor<2x3xf32>) -> (tensor<2x2xf32>, tensor<2x2xi32>) {
  %0 = stablehlo.custom_call @mhlo.erf(%x) {mhlo.attributes = {}, mhlo.version = 1 : i64} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %1 = stablehlo.composite "chlo.lgamma" %0 {decomposition = @lgamma} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %2:2 = stablehlo.custom_call @mhlo.topk(%1) {mhlo.attributes = {k = 2 : i64, largest = true}} : (tensor<2x3xf32>) -> (tensor<2x2xf32>, tensor<2x2xi32>)
  return %2#0, %2#1 : tensor<2x2xf32>, tensor<2x2xi32>
}
func.func private @lgamma(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  return %x : tensor<2x3xf32>
}

// -----

// Where a value is kept, and in which layout, is not for the program to say.
// CHECK-LABEL: func.func @main
// CHECK-NEXT: return %arg0 : tensor<4xf32>
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.custom_call @annotate_device_placement(%x) {has_side_effect = true, mhlo.frontend_attributes = {_xla_buffer_placement = "pinned_host"}} : (tensor<4xf32>) -> tensor<4xf32>
  %1 = stablehlo.custom_call @LayoutConstraint(%0) {operand_layouts = [dense<0> : tensor<1xindex>], result_layouts = [dense<0> : tensor<1xindex>]} : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
