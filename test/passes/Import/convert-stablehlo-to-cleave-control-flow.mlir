// RUN: cleave-opt %s -cleave-convert-stablehlo-to-cleave -split-input-file | FileCheck %s

// Branches of a case are nested; the last one is for every other index. Tokens and tuples are gone.
// CHECK-LABEL: func.func @control
// CHECK-SAME: (%[[N:.*]]: tensor<i32>, %[[X:.*]]: tensor<f32> {cleave.name = "pair.0"}, %[[Y:.*]]: tensor<f32> {cleave.name = "pair.1"}) -> (tensor<f32> {cleave.name = "out0.0"}, tensor<f32> {cleave.name = "out0.1", cleave.number = 0 : i64})
func.func @control(%n: tensor<i32>, %pair: tuple<tensor<f32>, tensor<f32>> {cleave.name = "pair"}, %t: !stablehlo.token) -> tuple<tensor<f32>, tensor<f32>> {
  %x = stablehlo.get_tuple_element %pair[0] : (tuple<tensor<f32>, tensor<f32>>) -> tensor<f32>
  %y = stablehlo.get_tuple_element %pair[1] : (tuple<tensor<f32>, tensor<f32>>) -> tensor<f32>
  %t2 = stablehlo.after_all %t, %t : !stablehlo.token
  // CHECK: %[[C0:.*]] = cleave.constant dense<0> : tensor<i32>
  // CHECK: %[[IS0:.*]] = cleave.compare EQ, %[[N]], %[[C0]]
  // CHECK: %[[R:.*]] = cleave.if %[[IS0]] : (tensor<i1>) -> tensor<f32> then {
  // CHECK:   cleave.negate %[[X]]
  // CHECK: } else {
  // CHECK:   %[[C1:.*]] = cleave.constant dense<1> : tensor<i32>
  // CHECK:   %[[IS1:.*]] = cleave.compare EQ, %[[N]], %[[C1]]
  // CHECK:   %[[I:.*]] = cleave.if %[[IS1]] : (tensor<i1>) -> tensor<f32> then {
  // CHECK:     cleave.return %[[X]] : tensor<f32>
  // CHECK:   } else {
  // CHECK:     cleave.return %[[Y]] : tensor<f32>
  // CHECK:   }
  // CHECK:   cleave.return %[[I]]
  // CHECK: }
  %0:2 = "stablehlo.case"(%n) ({
    %m = stablehlo.negate %x : tensor<f32>
    stablehlo.return %m, %t2 : tensor<f32>, !stablehlo.token
  }, {
    stablehlo.return %x, %t2 : tensor<f32>, !stablehlo.token
  }, {
    stablehlo.return %y, %t2 : tensor<f32>, !stablehlo.token
  }) : (tensor<i32>) -> (tensor<f32>, !stablehlo.token)
  // CHECK: %[[W:.*]] = cleave.while(%[[V:.*]] = %[[R]]) : tensor<f32>
  // CHECK: cleave.compare LT, %[[V]], %[[Y]]
  %1:2 = stablehlo.while(%v = %0#0, %u = %0#1) : tensor<f32>, !stablehlo.token
  cond {
    %c = stablehlo.compare LT, %v, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %a = stablehlo.add %v, %x : tensor<f32>
    stablehlo.return %a, %u : tensor<f32>, !stablehlo.token
  }
  %2:2 = stablehlo.optimization_barrier %1#0, %y : tensor<f32>, tensor<f32>
  %3 = stablehlo.tuple %2#0, %2#1 : tuple<tensor<f32>, tensor<f32>>
  // CHECK: return %[[W]], %[[Y]] : tensor<f32>, tensor<f32>
  return %3 : tuple<tensor<f32>, tensor<f32>>
}

// -----

// The body of a map is applied to whole tensors.
// CHECK-LABEL: func.func @map
func.func @map(%x: tensor<2x3xf32>, %y: tensor<2x3xf32>) -> tensor<2x3xi1> {
  // CHECK: %[[C:.*]] = cleave.constant dense<2.000000e+00> : tensor<f32>
  // CHECK: %[[B:.*]] = cleave.broadcast_in_dim %[[C]], dims = [] : (tensor<f32>) -> tensor<2x3xf32>
  // CHECK: %[[M:.*]] = cleave.multiply %arg0, %[[B]] : tensor<2x3xf32>
  // CHECK: cleave.compare GT, %[[M]], %arg1 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
  %0 = "stablehlo.map"(%x, %y) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %two = stablehlo.constant dense<2.0> : tensor<f32>
    %m = stablehlo.multiply %a, %two : tensor<f32>
    %c = stablehlo.compare GT, %m, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) {dimensions = array<i64: 0, 1>} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
  return %0 : tensor<2x3xi1>
}
