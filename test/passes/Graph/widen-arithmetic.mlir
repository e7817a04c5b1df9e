// RUN: cleave-opt %s --cleave-widen-arithmetic --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @functions
func.func @functions(%x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: %[[WIDE:.*]] = cleave.convert %arg0 : (tensor<4xf32>) -> tensor<4xf64>
  // CHECK: %[[EXP:.*]] = cleave.exponential %[[WIDE]] : tensor<4xf64>
  // CHECK: %[[ROUNDED:.*]] = cleave.convert %[[EXP]] {cleave.name = "e"} : (tensor<4xf64>) -> tensor<4xf32>
  %0 = cleave.exponential %x {cleave.name = "e"} : tensor<4xf32>
  // CHECK: %[[AGAIN:.*]] = cleave.convert %[[ROUNDED]] : (tensor<4xf32>) -> tensor<4xf64>
  // CHECK: cleave.tanh %[[AGAIN]] : tensor<4xf64>
  // CHECK: cleave.convert
  %1 = cleave.tanh %0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----

// What is exact or correctly rounded stays, and so does f64.
// CHECK-LABEL: func.func @untouched
// CHECK-NOT: cleave.convert
// CHECK: return
func.func @untouched(%x: tensor<4xf32>, %h: tensor<4xf16>, %d: tensor<4xf64>, %i: tensor<4xi32>) {
  %0 = cleave.add %x, %x : tensor<4xf32>
  %1 = cleave.multiply %h, %h : tensor<4xf16>
  %2 = cleave.divide %x, %x : tensor<4xf32>
  %3 = cleave.sqrt %x : tensor<4xf32>
  %4 = cleave.maximum %x, %x : tensor<4xf32>
  %5 = cleave.remainder %x, %x : tensor<4xf32>
  %6 = cleave.negate %x : tensor<4xf32>
  %7 = cleave.compare LT, %x, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %8 = cleave.select %7, %x, %x : tensor<4xi1>, tensor<4xf32>
  %9 = cleave.slice %x [1:3] : (tensor<4xf32>) -> tensor<2xf32>
  %10 = cleave.bitcast_convert %x : (tensor<4xf32>) -> tensor<4xi32>
  %11 = cleave.next_after %x, %x : tensor<4xf32>
  %12 = cleave.reduce_precision %x, exponent_bits = 5, mantissa_bits = 10 : tensor<4xf32>
  %13 = cleave.log %d : tensor<4xf64>
  %14 = cleave.power %i, %i : tensor<4xi32>
  return
}

// -----

// Products accumulate in f64 whatever the type of their operands and result.
// CHECK-LABEL: func.func @products
func.func @products(%a: tensor<4x8xbf16>, %b: tensor<8x2xbf16>) -> (tensor<4x2xf32>, tensor<4x2xbf16>) {
  // CHECK: cleave.dot_general {{.*}} : (tensor<4x8xf64>, tensor<8x2xf64>) -> tensor<4x2xf64>
  // CHECK: cleave.convert {{.*}} : (tensor<4x2xf64>) -> tensor<4x2xf32>
  %0 = cleave.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<4x8xbf16>, tensor<8x2xbf16>) -> tensor<4x2xf32>
  // CHECK: cleave.linear {{.*}} : (tensor<4x8xf64>, tensor<8x2xf64>) -> tensor<4x2xf64>
  // CHECK: cleave.convert {{.*}} : (tensor<4x2xf64>) -> tensor<4x2xbf16>
  %1 = cleave.linear %a, %b : (tensor<4x8xbf16>, tensor<8x2xbf16>) -> tensor<4x2xbf16>
  return %0, %1 : tensor<4x2xf32>, tensor<4x2xbf16>
}

// -----

// The initial value stays a constant.
// CHECK-LABEL: func.func @sum
func.func @sum(%x: tensor<4x8xf16>) -> tensor<4xf16> {
  // CHECK-DAG: %[[WIDE:.*]] = cleave.convert %arg0 : (tensor<4x8xf16>) -> tensor<4x8xf64>
  // CHECK-DAG: %[[ZERO:.*]] = cleave.constant dense<0.000000e+00> : tensor<f64>
  // CHECK: %[[SUM:.*]] = cleave.reduce(%[[WIDE]] init: %[[ZERO]]) applies cleave.add across dimensions = [1]
  // CHECK: cleave.convert %[[SUM]] : (tensor<4xf64>) -> tensor<4xf16>
  %zero = cleave.constant dense<0.0> : tensor<f16>
  %0 = cleave.reduce(%x init: %zero) applies cleave.add across dimensions = [1] : (tensor<4x8xf16>, tensor<f16>) -> tensor<4xf16>
  return %0 : tensor<4xf16>
}

// -----

// A maximum is exact.
// CHECK-LABEL: func.func @maximum
// CHECK-NOT: f64
// CHECK: return
func.func @maximum(%x: tensor<4x8xf16>, %init: tensor<f16>) -> tensor<4xf16> {
  %0 = cleave.reduce(%x init: %init) applies cleave.maximum across dimensions = [1] : (tensor<4x8xf16>, tensor<f16>) -> tensor<4xf16>
  return %0 : tensor<4xf16>
}

// -----

// Functions of elements work on f64 from end to end, constants included.
// CHECK-LABEL: func.func @pairs
func.func @pairs(%x: tensor<8xf32>, %y: tensor<8xi32>, %a: tensor<f32>, %b: tensor<i32>) -> (tensor<f32>, tensor<i32>) {
  // CHECK: cleave.reduce
  // CHECK: reducer(%[[A:.*]]: tensor<f64>, %[[X:.*]]: tensor<f64>) (%{{.*}}: tensor<i32>, %{{.*}}: tensor<i32>)
  // CHECK: %[[TWO:.*]] = cleave.constant dense<2.000000e+00> : tensor<f64>
  // CHECK: %[[TWICE:.*]] = cleave.multiply %[[X]], %[[TWO]] : tensor<f64>
  // CHECK: cleave.add %[[A]], %[[TWICE]] : tensor<f64>
  // CHECK: cleave.convert {{.*}} : (tensor<f64>) -> tensor<f32>
  %0:2 = cleave.reduce(%x init: %a), (%y init: %b) across dimensions = [0] : (tensor<8xf32>, tensor<8xi32>, tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>)
   reducer(%s: tensor<f32>, %t: tensor<f32>) (%i: tensor<i32>, %j: tensor<i32>) {
    %two = cleave.constant dense<2.0> : tensor<f32>
    %2 = cleave.multiply %t, %two : tensor<f32>
    %3 = cleave.add %s, %2 : tensor<f32>
    %4 = cleave.add %i, %j : tensor<i32>
    cleave.return %3, %4 : tensor<f32>, tensor<i32>
  }
  return %0#0, %0#1 : tensor<f32>, tensor<i32>
}

// -----

// Bodies of loops are ordinary ops.
// CHECK-LABEL: func.func @loop
func.func @loop(%x: tensor<f32>) -> tensor<f32> {
  // CHECK: cleave.while({{.*}}) : tensor<f32>
  // CHECK: cleave.sine {{.*}} : tensor<f64>
  %0 = cleave.while(%i = %x) : tensor<f32> cond {
    %c = cleave.compare LT, %i, %i : (tensor<f32>, tensor<f32>) -> tensor<i1>
    cleave.return %c : tensor<i1>
  } do {
    %s = cleave.sine %i : tensor<f32>
    cleave.return %s : tensor<f32>
  }
  return %0 : tensor<f32>
}

// -----

// What a program communicates itself is summed in f64, too; a maximum is exact.
spmd.mesh @m <"x"=2>

// CHECK-LABEL: func.func @manual
func.func @manual(%x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: spmd.manual_computation
  // CHECK: %[[WIDE:.*]] = cleave.convert %{{.*}} : (tensor<4xf32>) -> tensor<4xf64>
  // CHECK: %[[SUM:.*]] = spmd.all_reduce sum %[[WIDE]] over @m ["x"] : tensor<4xf64>
  // CHECK: cleave.convert %[[SUM]] : (tensor<4xf64>) -> tensor<4xf32>
  // CHECK: spmd.all_reduce max %{{.*}} over @m ["x"] : tensor<4xf32>
  %0 = spmd.manual_computation(%x) in [#spmd.sharding<@m, [{}]>] out [#spmd.sharding<@m, [{}]>] : (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    %1 = spmd.all_reduce sum %a over @m ["x"] : tensor<4xf32>
    %2 = spmd.all_reduce max %1 over @m ["x"] : tensor<4xf32>
    spmd.return %2 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}
