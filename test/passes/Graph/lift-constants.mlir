// RUN: cleave-opt %s -split-input-file -cleave-lift-constants | FileCheck %s
// RUN: cleave-opt %s -split-input-file -cleave-lift-constants=min-elements=4 | FileCheck %s --check-prefix=LARGE

// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<2xf32> {cleave.name = "constant"},
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<2xf32> {cleave.name = "inputs", cleave.value = dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>},
// CHECK-SAME: %[[B:[a-z0-9]+]]: tensor<2xf32> {cleave.name = "inputs_1", cleave.value = dense<3.000000e+00> : tensor<2xf32>},
// CHECK-SAME: %[[C:[a-z0-9]+]]: tensor<3xi32> {cleave.name = "constant_1", cleave.value = dense<[1, 2, 3]> : tensor<3xi32>})
// CHECK-NEXT: %[[ONE:.+]] = cleave.constant dense<1> : tensor<3xi32>
// CHECK-NEXT: %[[F:.+]] = call @f(%[[X]])
// CHECK-NEXT: cleave.add %[[A]], %[[B]]
// CHECK-NEXT: cleave.add %[[C]], %[[ONE]]
// CHECK-NOT: @inputs

// Only what a function of constants returns is lifted at any size.
// LARGE-LABEL: func.func @main(
// LARGE-SAME: cleave.name = "inputs"
// LARGE-SAME: cleave.name = "inputs_1"
// LARGE-NOT: cleave.value = dense<[1, 2, 3]>
// LARGE: cleave.constant dense<[1, 2, 3]>
func.func @main(%x: tensor<2xf32> {cleave.name = "constant"}) -> (tensor<2xf32>, tensor<3xi32>, tensor<2xf32>) {
  %in:3 = call @inputs() : () -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>)
  %c = cleave.constant dense<[1, 2, 3]> : tensor<3xi32>
  %one = cleave.constant dense<1> : tensor<3xi32>
  %f = call @f(%x) : (tensor<2xf32>) -> tensor<2xf32>
  %s = cleave.add %in#0, %in#1 : tensor<2xf32>
  %t = cleave.add %c, %one : tensor<3xi32>
  return %s, %t, %f : tensor<2xf32>, tensor<3xi32>, tensor<2xf32>
}
func.func private @inputs() -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
  %a = cleave.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %b = cleave.constant dense<3.0> : tensor<2xf32>
  %c = cleave.constant dense<[5.0, 6.0]> : tensor<2xf32>
  return %a, %b, %c : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
}
// CHECK: func.func private @f
func.func private @f(%x: tensor<2xf32>) -> tensor<2xf32> {
  return %x : tensor<2xf32>
}

// -----

// A function that computes something is no constant, and one that is called
// twice gives two arguments.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<i32> {cleave.name = "k", {{.*}}}, %[[B:[a-z0-9]+]]: tensor<i32> {cleave.name = "k_1", {{.*}}})
// CHECK-NEXT: %[[S:.+]] = call @sum()
// CHECK-NEXT: return %[[A]], %[[B]], %[[S]]
func.func @main() -> (tensor<i32>, tensor<i32>, tensor<2xi32>) {
  %a = call @k() : () -> tensor<i32>
  %b = call @k() : () -> tensor<i32>
  %s = call @sum() : () -> tensor<2xi32>
  return %a, %b, %s : tensor<i32>, tensor<i32>, tensor<2xi32>
}
func.func private @k() -> tensor<i32> {
  %k = cleave.constant dense<7> : tensor<i32>
  return %k : tensor<i32>
}
func.func private @sum() -> tensor<2xi32> {
  %k = cleave.constant dense<[1, 2]> : tensor<2xi32>
  %s = cleave.add %k, %k : tensor<2xi32>
  return %s : tensor<2xi32>
}

// -----

// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<2xi32> {cleave.name = "inputs", cleave.value = dense<7> : tensor<2xi32>})
// CHECK-NEXT: %[[B:.+]] = cleave.constant dense<7>
// CHECK-NEXT: return %[[A]], %[[B]]
func.func @main() -> (tensor<2xi32>, tensor<2xi32>) {
  %a = cleave.constant {cleave.input = "inputs"} dense<7> : tensor<2xi32>
  %b = cleave.constant dense<7> : tensor<2xi32>
  return %a, %b : tensor<2xi32>, tensor<2xi32>
}
