// RUN: cleave-opt %s -cleave-partition -split-input-file | FileCheck %s

spmd.mesh @m <"x"=4>
// CHECK-LABEL: func.func @elementwise(
// CHECK-NEXT: %[[C:.*]] = arith.constant dense<2.000000e+00> : tensor<2x16xf32>
// CHECK-NEXT: arith.mulf %arg0, %[[C]] : tensor<2x16xf32>
// CHECK-NEXT: math.tanh
// CHECK-NEXT: arith.cmpf olt, %{{.*}}, %arg1
// CHECK-NEXT: arith.select {{.*}} : tensor<2x16xi1>, tensor<2x16xf32>
// CHECK-NEXT: return
func.func @elementwise(%a: tensor<8x16xf32> {spmd.sharding = #spmd.sharding<@m, [{"x"}, {}]>}, %b: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %c = arith.constant dense<2.0> : tensor<8x16xf32>
  %0 = arith.mulf %a, %c : tensor<8x16xf32>
  %1 = math.tanh %0 : tensor<8x16xf32>
  %2 = arith.cmpf olt, %1, %b : tensor<8x16xf32>
  %3 = arith.select %2, %1, %b : tensor<8x16xi1>, tensor<8x16xf32>
  return %3 : tensor<8x16xf32>
}

// -----

// One branch for all elements.
spmd.mesh @m <"x"=4>
// CHECK-LABEL: func.func @scalars(
// CHECK: %[[P:.*]] = arith.cmpf
// CHECK: %[[S:.*]] = tensor.splat %{{.*}} : tensor<2xf32>
// CHECK: arith.select %[[P]], %arg0, %[[S]] : tensor<2xf32>
func.func @scalars(%a: tensor<8xf32> {spmd.sharding = #spmd.sharding<@m, [{"x"}]>}) -> tensor<8xf32> {
  %one = arith.constant 1.0 : f32
  %two = arith.addf %one, %one : f32
  %p = arith.cmpf olt, %one, %two : f32
  %b = tensor.splat %two : tensor<8xf32>
  %0 = arith.select %p, %a, %b : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// Elements that differ are built whole and cut.
spmd.mesh @m <"x"=2>
// CHECK-LABEL: func.func @constant(
// CHECK-NEXT: %[[C:.*]] = arith.constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]> : tensor<4xf32>
// CHECK-NEXT: %[[S:.*]] = spmd.all_slice %[[C]] dim 0 over @m ["x"]
// CHECK-NEXT: arith.addf %arg0, %[[S]] : tensor<2xf32>
func.func @constant(%a: tensor<4xf32> {spmd.sharding = #spmd.sharding<@m, [{"x"}]>}) -> tensor<4xf32> {
  %c = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %0 = arith.addf %a, %c : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// Sums may pass through what is linear, and must be complete before what is not.
spmd.mesh @m <"x"=2>
// CHECK-LABEL: func.func @linear(
// CHECK-NEXT: %[[D:.*]] = arith.subf %arg0, %arg1
// CHECK-NEXT: %[[R:.*]] = spmd.all_reduce sum %[[D]] over @m ["x"]
// CHECK-NEXT: math.absf %[[R]]
// CHECK-NEXT: return
func.func @linear(%a: tensor<8x8xf32> {spmd.sharding = #spmd.sharding<@m, [{}, {}], partial = [sum "x"]>},
                  %b: tensor<8x8xf32> {spmd.sharding = #spmd.sharding<@m, [{}, {}], partial = [sum "x"]>}) -> tensor<8x8xf32> {
  %0 = arith.subf %a, %b : tensor<8x8xf32>
  %1 = math.absf %0 : tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}

// -----

// The attribute with the shape follows.
spmd.mesh @m <"x"=2, "y"=2>
// CHECK-LABEL: func.func @shapes(
// CHECK-SAME: %arg0: tensor<2x6xf32>
// CHECK-NEXT: %[[E:.*]] = tensor.expand_shape %arg0 {{.*}} output_shape [1, 2, 6] : tensor<2x6xf32> into tensor<1x2x6xf32>
// CHECK-NEXT: tensor.collapse_shape %[[E]] {{.*}} : tensor<1x2x6xf32> into tensor<12xf32>
// CHECK-NEXT: return
func.func @shapes(%a: tensor<8x6xf32> {spmd.sharding = #spmd.sharding<@m, [{"x", "y"}, {}]>}) -> tensor<48xf32> {
  %0 = tensor.expand_shape %a [[0, 1], [2]] output_shape [2, 4, 6] : tensor<8x6xf32> into tensor<2x4x6xf32>
  %1 = tensor.collapse_shape %0 [[0, 1, 2]] : tensor<2x4x6xf32> into tensor<48xf32>
  return %1 : tensor<48xf32>
}
