// What a probe in a loop or branch has seen each time: `iter` counts from 0. Such programs were skipped.
// RUN: %cleave check %s | FileCheck %s
// RUN: %cleave check %s --mesh x=2,y=2 --shard random:1 | FileCheck %s
// RUN: %cleave check %s --mesh x=3 --shard random:2 | FileCheck %s
// CHECK: 7 passed, 0 failed, 0 skipped
module @while {
  func.func private @inputs() -> tensor<5xi64> {
    %x = stablehlo.constant dense<[1, 2, 3, 4, 5]> : tensor<5xi64>
    return %x : tensor<5xi64>
  }
  func.func @main() {
    %x = call @inputs() : () -> tensor<5xi64>
    %zero = stablehlo.constant dense<0> : tensor<i64>
    %one = stablehlo.constant dense<1> : tensor<i64>
    %three = stablehlo.constant dense<3> : tensor<i64>
    %0:2 = stablehlo.while(%i = %zero, %v = %x) : tensor<i64>, tensor<5xi64>
    cond {
      %p = stablehlo.compare LT, %i, %three : (tensor<i64>, tensor<i64>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %j = stablehlo.add %i, %one : tensor<i64>
      %w = stablehlo.add %v, %v : tensor<5xi64>
      %s = interpreter.probe %w, probe_id = "w" : tensor<5xi64>
      stablehlo.return %j, %s : tensor<i64>, tensor<5xi64>
    }
    %e0 = stablehlo.constant dense<[2, 4, 6, 8, 10]> : tensor<5xi64>
    %e1 = stablehlo.constant dense<[4, 8, 12, 16, 20]> : tensor<5xi64>
    check.expect_serialized_eq %e0, probe_id = "w" : tensor<5xi64>
    check.expect_serialized_eq %e1, probe_id = "w", iter = 1 : tensor<5xi64>
    check.expect_serialized_eq %0#1, probe_id = "w", iter = 2 : tensor<5xi64>
    return
  }
}
// -----
module @condition {
  func.func private @inputs() -> tensor<4xf32> {
    %x = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
    return %x : tensor<4xf32>
  }
  func.func @main() {
    %x = call @inputs() : () -> tensor<4xf32>
    %limit = stablehlo.constant dense<10.0> : tensor<f32>
    %none = stablehlo.constant dense<0.0> : tensor<f32>
    // The condition is computed once more than the body.
    %0 = stablehlo.while(%v = %x) : tensor<4xf32>
    cond {
      %s = stablehlo.reduce(%v init: %none) applies stablehlo.maximum across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
      %t = interpreter.probe %s, probe_id = "largest" : tensor<f32>
      %p = stablehlo.compare LT, %t, %limit : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %w = stablehlo.add %v, %v : tensor<4xf32>
      stablehlo.return %w : tensor<4xf32>
    }
    check.expect_eq_const %0, dense<[4.0, 8.0, 12.0, 16.0]> : tensor<4xf32>
    %four = stablehlo.constant dense<4.0> : tensor<f32>
    %eight = stablehlo.constant dense<8.0> : tensor<f32>
    %sixteen = stablehlo.constant dense<16.0> : tensor<f32>
    check.expect_serialized_eq %four, probe_id = "largest" : tensor<f32>
    check.expect_serialized_eq %eight, probe_id = "largest", iter = 1 : tensor<f32>
    check.expect_serialized_eq %sixteen, probe_id = "largest", iter = 2 : tensor<f32>
    return
  }
}
// -----
// Branches that are not taken see nothing; the probe before the loop counts.
module @branches {
  func.func private @inputs() -> tensor<3xi32> {
    %x = stablehlo.constant dense<[1, 1, 1]> : tensor<3xi32>
    return %x : tensor<3xi32>
  }
  func.func @main() {
    %x = call @inputs() : () -> tensor<3xi32>
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %two = stablehlo.constant dense<2> : tensor<i32>
    %four = stablehlo.constant dense<4> : tensor<i32>
    %y = interpreter.probe %x, probe_id = "odd" : tensor<3xi32>
    %0:2 = stablehlo.while(%i = %zero, %v = %y) : tensor<i32>, tensor<3xi32>
    cond {
      %p = stablehlo.compare LT, %i, %four : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %j = stablehlo.add %i, %one : tensor<i32>
      %r = stablehlo.remainder %i, %two : tensor<i32>
      %w = "stablehlo.case"(%r) ({
        %a = stablehlo.add %v, %y : tensor<3xi32>
        stablehlo.return %a : tensor<3xi32>
      }, {
        %a = stablehlo.multiply %v, %v : tensor<3xi32>
        %b = interpreter.probe %a, probe_id = "odd" : tensor<3xi32>
        stablehlo.return %b : tensor<3xi32>
      }) : (tensor<i32>) -> tensor<3xi32>
      stablehlo.return %j, %w : tensor<i32>, tensor<3xi32>
    }
    // 1, 2, 4, 5, 25
    %e1 = stablehlo.constant dense<4> : tensor<3xi32>
    %e2 = stablehlo.constant dense<25> : tensor<3xi32>
    check.expect_serialized_eq %x, probe_id = "odd" : tensor<3xi32>
    check.expect_serialized_eq %e1, probe_id = "odd", iter = 1 : tensor<3xi32>
    check.expect_serialized_eq %e2, probe_id = "odd", iter = 2 : tensor<3xi32>
    return
  }
}
// -----
// A loop in a loop, and another probe in a function that is called there.
module @nested {
  func.func private @inputs() -> tensor<2x2xcomplex<f32>> {
    %x = stablehlo.constant dense<[[(1.0, 0.0), (0.0, 1.0)], [(2.0, 1.0), (1.0, 1.0)]]> : tensor<2x2xcomplex<f32>>
    return %x : tensor<2x2xcomplex<f32>>
  }
  func.func private @see(%x: tensor<2x2xcomplex<f32>>) -> tensor<2x2xcomplex<f32>> {
    %0 = stablehlo.add %x, %x : tensor<2x2xcomplex<f32>>
    %1 = interpreter.probe %0, probe_id = "twice" : tensor<2x2xcomplex<f32>>
    return %1 : tensor<2x2xcomplex<f32>>
  }
  func.func @main() {
    %x = call @inputs() : () -> tensor<2x2xcomplex<f32>>
    %zero = stablehlo.constant dense<0> : tensor<i64>
    %one = stablehlo.constant dense<1> : tensor<i64>
    %two = stablehlo.constant dense<2> : tensor<i64>
    %0:2 = stablehlo.while(%i = %zero, %v = %x) : tensor<i64>, tensor<2x2xcomplex<f32>>
    cond {
      %p = stablehlo.compare LT, %i, %two : (tensor<i64>, tensor<i64>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %1:2 = stablehlo.while(%k = %zero, %w = %v) : tensor<i64>, tensor<2x2xcomplex<f32>>
      cond {
        %p = stablehlo.compare LT, %k, %two : (tensor<i64>, tensor<i64>) -> tensor<i1>
        stablehlo.return %p : tensor<i1>
      } do {
        %l = stablehlo.add %k, %one : tensor<i64>
        %m = interpreter.probe %l, probe_id = "inner" : tensor<i64>
        %u = func.call @see(%w) : (tensor<2x2xcomplex<f32>>) -> tensor<2x2xcomplex<f32>>
        stablehlo.return %m, %u : tensor<i64>, tensor<2x2xcomplex<f32>>
      }
      %j = stablehlo.add %i, %one : tensor<i64>
      stablehlo.return %j, %1#1 : tensor<i64>, tensor<2x2xcomplex<f32>>
    }
    %e2 = stablehlo.constant dense<[[(8.0, 0.0), (0.0, 8.0)], [(16.0, 8.0), (8.0, 8.0)]]> : tensor<2x2xcomplex<f32>>
    check.expect_serialized_eq %e2, probe_id = "twice", iter = 2 : tensor<2x2xcomplex<f32>>
    check.expect_serialized_eq %0#1, probe_id = "twice", iter = 3 : tensor<2x2xcomplex<f32>>
    check.expect_serialized_eq %one, probe_id = "inner", iter = 2 : tensor<i64>
    check.expect_serialized_eq %two, probe_id = "inner", iter = 3 : tensor<i64>
    return
  }
}
// -----
// Functions that only check something, one of them with a branch.
func.func @first() {
  %yes = stablehlo.constant dense<true> : tensor<i1>
  %x = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  %0 = "stablehlo.if"(%yes) ({
    %1 = stablehlo.not %x : tensor<2xi1>
    %2 = interpreter.probe %1, probe_id = "not" : tensor<2xi1>
    stablehlo.return %2 : tensor<2xi1>
  }, {
    stablehlo.return %x : tensor<2xi1>
  }) : (tensor<i1>) -> tensor<2xi1>
  check.expect_serialized_eq %0, probe_id = "not" : tensor<2xi1>
  return
}
func.func @second() {
  %x = stablehlo.constant dense<[1.5, 2.5]> : tensor<2xf16>
  %0 = interpreter.probe %x, probe_id = "other" : tensor<2xf16>
  check.expect_serialized_eq %x, probe_id = "other" : tensor<2xf16>
  return
}
// -----
// Different types under one name.
func.func @types() {
  %x = stablehlo.constant dense<[1, 2, 3]> : tensor<3xui8>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0 = "stablehlo.case"(%zero) ({
    %1 = interpreter.probe %zero, probe_id = "p" : tensor<i32>
    %2 = interpreter.probe %x, probe_id = "p" : tensor<3xui8>
    stablehlo.return %2 : tensor<3xui8>
  }) : (tensor<i32>) -> tensor<3xui8>
  check.expect_serialized_eq %zero, probe_id = "p" : tensor<i32>
  check.expect_serialized_eq %0, probe_id = "p", iter = 1 : tensor<3xui8>
  return
}
// -----
// A loop that carries nothing but its condition's value.
func.func @flag() {
  %yes = stablehlo.constant dense<true> : tensor<i1>
  %0 = stablehlo.while(%go = %yes) : tensor<i1>
  cond {
    stablehlo.return %go : tensor<i1>
  } do {
    %1 = interpreter.probe %go, probe_id = "go" : tensor<i1>
    %2 = stablehlo.not %1 : tensor<i1>
    stablehlo.return %2 : tensor<i1>
  }
  check.expect_serialized_eq %yes, probe_id = "go" : tensor<i1>
  return
}
