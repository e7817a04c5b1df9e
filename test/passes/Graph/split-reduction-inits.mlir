// RUN: cleave-opt %s -cleave-split-reduction-inits -split-input-file | FileCheck %s

// CHECK-LABEL: func.func @sum(
// CHECK-SAME: %[[X:.*]]: tensor<4x6xf32>, %[[INIT:.*]]: tensor<f32>)
// CHECK: %[[ZERO:.*]] = cleave.constant dense<0.000000e+00> : tensor<f32>
// CHECK: %[[S:.*]] = cleave.reduce(%[[X]] init: %[[ZERO]]) applies cleave.add across dimensions = [1]
// CHECK: %[[B:.*]] = cleave.broadcast_in_dim %[[INIT]], dims = []
// CHECK: %[[R:.*]] = cleave.add %[[S]], %[[B]] {cleave.name = "total"}
// CHECK: return %[[R]]
func.func @sum(%x: tensor<4x6xf32>, %init: tensor<f32>) -> tensor<4xf32> {
  %r = cleave.reduce(%x init: %init) applies cleave.add across dimensions = [1] {cleave.name = "total"} : (tensor<4x6xf32>, tensor<f32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @product(
// CHECK: cleave.reduce({{.*}}) applies cleave.multiply
// CHECK: cleave.multiply
func.func @product(%x: tensor<6xi32>) -> tensor<i32> {
  %c = cleave.constant dense<3> : tensor<i32>
  %r = cleave.reduce(%x init: %c) applies cleave.multiply across dimensions = [0] : (tensor<6xi32>, tensor<i32>) -> tensor<i32>
  return %r : tensor<i32>
}

// -----

// A neutral initial value, and kinds that do not count it, stay.
// CHECK-LABEL: func.func @neutral(
// CHECK: cleave.reduce(%{{.*}} init: %{{.*}}) applies cleave.add
// CHECK: cleave.reduce(%{{.*}} init: %arg1) applies cleave.maximum
// CHECK-NOT: cleave.broadcast_in_dim
func.func @neutral(%x: tensor<6xf32>, %init: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  %c = cleave.constant dense<0.0> : tensor<f32>
  %r = cleave.reduce(%x init: %c) applies cleave.add across dimensions = [0] : (tensor<6xf32>, tensor<f32>) -> tensor<f32>
  %m = cleave.reduce(%x init: %init) applies cleave.maximum across dimensions = [0] : (tensor<6xf32>, tensor<f32>) -> tensor<f32>
  return %r, %m : tensor<f32>, tensor<f32>
}

// -----

// A constraint on the scalar does not make it count.
// CHECK-LABEL: func.func @hidden(
// CHECK: %[[ZERO:.*]] = cleave.constant dense<0.000000e+00> : tensor<f32>
// CHECK: %[[S:.*]] = cleave.reduce(%arg0 init: %{{.*}}) applies cleave.add
// CHECK-NOT: cleave.add
// CHECK: return %[[S]]
spmd.mesh @mesh <"x"=2>
func.func @hidden(%x: tensor<6xf32>) -> tensor<f32> {
  %c = cleave.constant dense<0.0> : tensor<f32>
  %z = spmd.sharding_constraint %c <@mesh, []> : tensor<f32>
  %r = cleave.reduce(%x init: %z) applies cleave.add across dimensions = [0] : (tensor<6xf32>, tensor<f32>) -> tensor<f32>
  return %r : tensor<f32>
}

// -----

// A zero that a copy hides makes windows a scan nevertheless, before they are cut.
// CHECK-LABEL: func.func @hidden_zero(
// CHECK: %[[ZERO:.*]] = cleave.constant dense<0.000000e+00> : tensor<f32>
// CHECK: cleave.reduce_window(%{{.*}}) init(%[[ZERO]])
func.func @hidden_zero(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c = cleave.constant dense<0.0> : tensor<f16>
  %b = cleave.broadcast_in_dim %c, dims = [] : (tensor<f16>) -> tensor<f16>
  %zero = cleave.convert %b : (tensor<f16>) -> tensor<f32>
  %r = cleave.reduce_window(%x) init(%zero) {base_dilations = array<i64: 1>, padding = array<i64: 0, 3>, window_dilations = array<i64: 1>, window_dimensions = array<i64: 4>, window_strides = array<i64: 1>} : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<f32>, %e: tensor<f32>):
    %s = cleave.add %a, %e : tensor<f32>
    cleave.return %s : tensor<f32>
  }
  return %r : tensor<4xf32>
}
