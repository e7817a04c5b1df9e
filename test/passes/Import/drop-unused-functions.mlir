// RUN: cleave-opt %s -cleave-drop-unused-functions -split-input-file | FileCheck %s

// CHECK-LABEL: module @reached
module @reached {
  // CHECK: func.func @main
  func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
    %0 = func.call @called(%a) : (tensor<2xf32>) -> tensor<2xf32>
    return %0 : tensor<2xf32>
  }
  // CHECK: func.func private @called
  func.func private @called(%a: tensor<2xf32>) -> tensor<2xf32> {
    %0 = stablehlo.composite "some.name" %a {decomposition = @made_of} : (tensor<2xf32>) -> tensor<2xf32>
    return %0 : tensor<2xf32>
  }
  // CHECK: func.func @made_of
  func.func @made_of(%a: tensor<2xf32>) -> tensor<2xf32> {
    return %a : tensor<2xf32>
  }
  // CHECK-NOT: func.func @other
  func.func @other(%a: tensor<2xf32>) -> tensor<2xf32> {
    %0 = func.call @behind_it(%a) : (tensor<2xf32>) -> tensor<2xf32>
    %1 = stablehlo.custom_call @something(%0) : (tensor<2xf32>) -> tensor<2xf32>
    return %1 : tensor<2xf32>
  }
  // CHECK-NOT: func.func private @behind_it
  func.func private @behind_it(%a: tensor<2xf32>) -> tensor<2xf32> {
    return %a : tensor<2xf32>
  }
}

// -----

// Without main nothing says which functions are run.
// CHECK-LABEL: module @no_main
module @no_main {
  // CHECK: func.func @a
  func.func @a() {
    return
  }
  // CHECK: func.func @b
  func.func @b() {
    return
  }
}
