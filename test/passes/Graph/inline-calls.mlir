// RUN: cleave-opt %s -cleave-inline-calls -split-input-file | FileCheck %s

// A call in a called function, twice, and one in a loop.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:.*]]: tensor<4xf32>, %[[P:.*]]: tensor<i1>
// CHECK-NOT: call
// CHECK: %[[A:.*]] = cleave.negate %[[X]]
// CHECK: %[[B:.*]] = cleave.add %[[A]], %[[X]]
// CHECK: %[[C:.*]] = cleave.negate %[[B]]
// CHECK: %[[D:.*]] = cleave.add %[[C]], %[[B]]
// CHECK: %[[W:.*]] = cleave.while(%[[I:.*]] = %[[D]])
// CHECK: do {
// CHECK: %[[E:.*]] = cleave.negate %[[I]]
// CHECK: cleave.return %[[E]]
// CHECK: return %[[W]], %[[D]], %[[B]]
// CHECK-NOT: func.func
func.func @main(%x: tensor<4xf32>, %p: tensor<i1>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %0 = call @outer(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1:2 = call @swap(%0, %x) : (tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  %2 = call @outer(%1#1) : (tensor<4xf32>) -> tensor<4xf32>
  %3 = cleave.while(%i = %2) : tensor<4xf32>
  cond {
    cleave.return %p : tensor<i1>
  } do {
    %4 = func.call @inner(%i) : (tensor<4xf32>) -> tensor<4xf32>
    cleave.return %4 : tensor<4xf32>
  }
  return %3, %2, %0 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}
func.func private @outer(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @inner(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = cleave.add %0, %x : tensor<4xf32>
  return %1 : tensor<4xf32>
}
func.func private @inner(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = cleave.negate %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
// Returns its arguments, so that nothing is left of it.
func.func private @swap(%x: tensor<4xf32>, %y: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  return %y, %x : tensor<4xf32>, tensor<4xf32>
}
func.func private @uncalled(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @inner(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// Another public function stays, with what it calls.
// CHECK-LABEL: func.func @main(
// CHECK-NEXT: cleave.negate
// CHECK-LABEL: func.func @other(
// CHECK-NEXT: call @inner
// CHECK-LABEL: func.func private @inner(
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @inner(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func @other(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @inner(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @inner(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = cleave.negate %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// The only public function is the entry, whatever its name. What is inlined
// remembers from where it was called.
// RUN: cleave-opt %s -cleave-inline-calls -split-input-file -mlir-print-debuginfo | FileCheck %s --check-prefix=LOC
// LOC-LABEL: func.func @forward(
// LOC: cleave.negate %{{.*}} : tensor<4xf32> loc(#[[LOC:.*]])
// LOC: #[[LOC]] = loc(callsite(#{{.*}} at #{{.*}}))
func.func private @inner(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = cleave.negate %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func @forward(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @inner(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// In the function of a reduction, too.
// CHECK-LABEL: func.func @main(
// CHECK-NOT: call
func.func @main(%x: tensor<4xf32>, %z: tensor<f32>) -> tensor<f32> {
  %r = cleave.reduce(%x init: %z) across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
   reducer(%a: tensor<f32>, %b: tensor<f32>) {
    // CHECK: cleave.add
    %c = func.call @add(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    cleave.return %c : tensor<f32>
  }
  return %r : tensor<f32>
}
func.func private @add(%a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {
  %c = cleave.add %a, %b : tensor<f32>
  return %c : tensor<f32>
}
