// RUN: cleave-opt %s -cleave-hoist-collectives -split-input-file | FileCheck %s
// RUN: cleave-opt %s -cleave-hoist-collectives=max-growth=127 -split-input-file | FileCheck %s --check-prefix=LIMIT

// The gathered weight has 128 bytes more than its piece, and that of the chain as well; a sum has none.
// LIMIT-LABEL: func.func @captured(
// LIMIT-NOT: spmd.
// LIMIT: cleave.while
// LIMIT-LABEL: func.func @chain(
// LIMIT-NOT: spmd.
// LIMIT: cleave.while
// LIMIT-LABEL: func.func @nested(
// LIMIT: spmd.all_gather %arg1 {{.*}} cause "weight"
// LIMIT: cleave.while
// LIMIT-LABEL: func.func @condition(
// LIMIT: spmd.all_reduce
// LIMIT: cleave.while

// A weight that the loop only reads is gathered before it; what it carries is gathered inside.
spmd.mesh @m <"x"=2>
// CHECK-LABEL: func.func @captured(
// CHECK: %[[W:.*]] = spmd.all_gather %arg1
// CHECK: cleave.while
// CHECK: do {
// CHECK-NEXT: %[[H:.*]] = spmd.all_gather %{{.*}} dim 0
// CHECK-NEXT: cleave.linear %[[H]], %[[W]]
func.func @captured(%n: tensor<i1>, %w: tensor<4x8xf32>, %h: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0:2 = cleave.while(%p = %n, %v = %h) : tensor<i1>, tensor<4x8xf32>
  cond {
    cleave.return %p : tensor<i1>
  } do {
    %g = spmd.all_gather %w dim 0 over @m ["x"] cause "weight" : tensor<4x8xf32> -> tensor<8x8xf32>
    %a = spmd.all_gather %v dim 0 over @m ["x"] cause "carried" : tensor<4x8xf32> -> tensor<8x8xf32>
    %y = cleave.linear %a, %g : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %s = spmd.all_slice %y dim 0 over @m ["x"] : tensor<8x8xf32> -> tensor<4x8xf32>
    %q = cleave.compare NE, %p, %p : (tensor<i1>, tensor<i1>) -> tensor<i1>
    cleave.return %q, %s : tensor<i1>, tensor<4x8xf32>
  }
  return %0#1 : tensor<4x8xf32>
}

// -----

// A variable that the loop passes on as it is, and a chain: the transpose is made before the loop, too, and stays in the loop
// for the op that uses it otherwise. The slice of layer %i stays, and with it the gather.
spmd.mesh @m <"x"=2>
// CHECK-LABEL: func.func @chain(
// CHECK: %[[T:.*]] = cleave.transpose %arg1
// CHECK: %[[G:.*]] = spmd.all_gather %[[T]]
// CHECK: %[[R:.*]] = spmd.all_reduce sum %[[G]]
// CHECK-NEXT: cleave.while
// CHECK: do {
// CHECK: cleave.transpose
// CHECK: cleave.dynamic_slice
// CHECK: spmd.all_gather
// CHECK-NOT: spmd.
// CHECK: cleave.add %{{.*}}, %[[R]]
// CHECK: cleave.return
func.func @chain(%i0: tensor<i32>, %w: tensor<8x4xf32>, %layers: tensor<3x4x8xf32>, %h: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0:3 = cleave.while(%i = %i0, %u = %w, %v = %h) : tensor<i32>, tensor<8x4xf32>, tensor<8x8xf32>
  cond {
    %three = cleave.constant dense<3> : tensor<i32>
    %p = cleave.compare LT, %i, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
    cleave.return %p : tensor<i1>
  } do {
    %one = cleave.constant dense<1> : tensor<i32>
    %c0 = cleave.constant dense<0> : tensor<i32>
    %t = cleave.transpose %u, dims = [1, 0] : (tensor<8x4xf32>) -> tensor<4x8xf32>
    %g = spmd.all_gather %t dim 0 over @m ["x"] cause "weight" : tensor<4x8xf32> -> tensor<8x8xf32>
    %r = spmd.all_reduce sum %g over @m ["x"] cause "sum" : tensor<8x8xf32>
    %l = cleave.dynamic_slice %layers, %i, %c0, %c0, sizes = [1, 4, 8] : (tensor<3x4x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x8xf32>
    %lg = spmd.all_gather %l dim 1 over @m ["x"] cause "layer" : tensor<1x4x8xf32> -> tensor<1x8x8xf32>
    %lr = cleave.reshape %lg : (tensor<1x8x8xf32>) -> tensor<8x8xf32>
    %tt = cleave.concatenate %t, %t, dim = 0 : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>
    %a = cleave.add %v, %lr : tensor<8x8xf32>
    %b = cleave.add %a, %r : tensor<8x8xf32>
    %c = cleave.add %b, %tt : tensor<8x8xf32>
    %j = cleave.add %i, %one : tensor<i32>
    cleave.return %j, %u, %c : tensor<i32>, tensor<8x4xf32>, tensor<8x8xf32>
  }
  return %0#2 : tensor<8x8xf32>
}

// -----

// Out of both loops; what the outer one changes leaves the inner one only. In a branch nothing moves.
spmd.mesh @m <"x"=2>
// CHECK-LABEL: func.func @nested(
// CHECK: %[[W:.*]] = spmd.all_gather %arg1 {{.*}} cause "weight"
// CHECK: cleave.while
// CHECK: do {
// CHECK: %[[V:.*]] = spmd.all_gather %{{.*}} cause "outer"
// CHECK: cleave.while
// CHECK: do {
// CHECK-NOT: spmd.
// CHECK: cleave.add %{{.*}}, %[[W]]
// CHECK: cleave.add %{{.*}}, %[[V]]
// CHECK: cleave.if
// CHECK: spmd.all_gather %arg1 {{.*}} cause "rare"
func.func @nested(%n: tensor<i1>, %w: tensor<4xf32>, %h: tensor<4xf32>, %x: tensor<8xf32>) -> tensor<8xf32> {
  %0:3 = cleave.while(%p = %n, %v = %h, %y = %x) : tensor<i1>, tensor<4xf32>, tensor<8xf32>
  cond {
    cleave.return %p : tensor<i1>
  } do {
    %1:2 = cleave.while(%q = %p, %z = %y) : tensor<i1>, tensor<8xf32>
    cond {
      cleave.return %q : tensor<i1>
    } do {
      %g = spmd.all_gather %w dim 0 over @m ["x"] cause "weight" : tensor<4xf32> -> tensor<8xf32>
      %o = spmd.all_gather %v dim 0 over @m ["x"] cause "outer" : tensor<4xf32> -> tensor<8xf32>
      %a = cleave.add %z, %g : tensor<8xf32>
      %b = cleave.add %a, %o : tensor<8xf32>
      %c = cleave.if %q : (tensor<i1>) -> tensor<8xf32> then {
        %r = spmd.all_gather %w dim 0 over @m ["x"] cause "rare" : tensor<4xf32> -> tensor<8xf32>
        cleave.return %r : tensor<8xf32>
      } else {
        cleave.return %b : tensor<8xf32>
      }
      cleave.return %q, %c : tensor<i1>, tensor<8xf32>
    }
    %s = spmd.all_slice %1#1 dim 0 over @m ["x"] : tensor<8xf32> -> tensor<4xf32>
    cleave.return %1#0, %s, %1#1 : tensor<i1>, tensor<4xf32>, tensor<8xf32>
  }
  return %0#2 : tensor<8xf32>
}

// -----

// In the condition, which is evaluated at least once.
spmd.mesh @m <"x"=2>
// CHECK-LABEL: func.func @condition(
// CHECK: %[[L:.*]] = spmd.all_reduce sum %arg1
// CHECK: cleave.while
// CHECK-NEXT: cond
// CHECK-NEXT: cleave.compare LT, %{{.*}}, %[[L]]
func.func @condition(%i0: tensor<i32>, %limit: tensor<i32>) -> tensor<i32> {
  %0 = cleave.while(%i = %i0) : tensor<i32>
  cond {
    %l = spmd.all_reduce sum %limit over @m ["x"] cause "limit" : tensor<i32>
    %p = cleave.compare LT, %i, %l : (tensor<i32>, tensor<i32>) -> tensor<i1>
    cleave.return %p : tensor<i1>
  } do {
    %one = cleave.constant dense<1> : tensor<i32>
    %j = cleave.add %i, %one : tensor<i32>
    cleave.return %j : tensor<i32>
  }
  return %0 : tensor<i32>
}

// -----

// What leaves the body is copied after what left the condition is dead; a copy that lay where a dead op had been was
// taken for that op.
// CHECK-LABEL: func.func @condition_and_body(
// CHECK: spmd.all_slice %{{.*}} dim 0 over @m ["x"] : tensor<3xi32> -> tensor<2xi32>
// CHECK: %[[S:.*]] = spmd.all_slice %{{.*}} dim 0 over @m ["x"] : tensor<4xf32> -> tensor<2xf32>
// CHECK: %[[N:.*]] = cleave.negate %[[S]] : tensor<2xf32>
// CHECK: spmd.all_gather %[[N]]
// CHECK: cleave.while
spmd.mesh @m <"x"=2>
func.func @condition_and_body(%h: tensor<4xf32>, %j: tensor<2xi32>) -> (tensor<4xf32>, tensor<2xi32>) {
  %zero = cleave.constant dense<0> : tensor<i32>
  %0:2 = cleave.while(%v = %h, %i = %j) : tensor<4xf32>, tensor<2xi32>
  cond {
    %c = cleave.constant dense<1> : tensor<i32>
    %b = cleave.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %s = spmd.all_slice %b dim 0 over @m ["x"] : tensor<3xi32> -> tensor<2xi32>
    %t = cleave.add %i, %s : tensor<2xi32>
    %sum = cleave.reduce(%t init: %zero) applies cleave.add across dimensions = [0] : (tensor<2xi32>, tensor<i32>) -> tensor<i32>
    %p = cleave.compare LT, %sum, %zero : (tensor<i32>, tensor<i32>) -> tensor<i1>
    cleave.return %p : tensor<i1>
  } do {
    %c = cleave.constant dense<1.0> : tensor<f32>
    %b = cleave.broadcast_in_dim %c, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %s = spmd.all_slice %b dim 0 over @m ["x"] : tensor<4xf32> -> tensor<2xf32>
    %n = cleave.negate %s : tensor<2xf32>
    %g = spmd.all_gather %n dim 0 over @m ["x"] : tensor<2xf32> -> tensor<4xf32>
    %t = cleave.add %v, %g : tensor<4xf32>
    %d = cleave.add %i, %i : tensor<2xi32>
    cleave.return %t, %d : tensor<4xf32>, tensor<2xi32>
  }
  return %0#0, %0#1 : tensor<4xf32>, tensor<2xi32>
}
