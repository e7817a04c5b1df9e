// RUN: cleave-opt %s -cleave-order-sums -cleave-propagate-shardings -cleave-carry-partial-sums -cleave-insert-reshards -cleave-verify-shardings -split-input-file | FileCheck %s

// Each rank sums up rows, whole: an all_to_all instead of partial sums.
spmd.mesh @m <"x"=2>
// CHECK-LABEL: func.func @product(
// CHECK: %[[A:.*]] = spmd.reshard %arg0 <@m, [{"x"}, {}]>
// CHECK: %[[B:.*]] = spmd.reshard %arg1 <@m, [{}, {}]>
// CHECK: cleave.dot_general %[[A]], %[[B]]{{.*}} spmd.shardings = [#spmd.sharding<@m, [{"x"}, {}]>]
// CHECK-NOT: partial
func.func @product(%a: tensor<8x8xf32> {spmd.sharding = #spmd.sharding<@m, [{}, {"x"}]>},
                   %b: tensor<8x8xf32> {spmd.sharding = #spmd.sharding<@m, [{"x"}, {}]>})
    -> (tensor<8x8xf32> {spmd.sharding = #spmd.sharding<@m, [{"x"}, {}]>}) {
  %0 = cleave.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// -----

// Integers and maxima are exact in any order.
spmd.mesh @m <"x"=2>
// CHECK-LABEL: func.func @exact(
// CHECK: cleave.reduce(%arg0{{.*}} partial = [sum "x"]
// CHECK: cleave.reduce(%arg1{{.*}} partial = [max "x"]
func.func @exact(%a: tensor<8xi32> {spmd.sharding = #spmd.sharding<@m, [{"x"}]>},
                 %b: tensor<8xf32> {spmd.sharding = #spmd.sharding<@m, [{"x"}]>}) -> (tensor<i32>, tensor<f32>) {
  %zero = cleave.constant dense<0> : tensor<i32>
  %least = cleave.constant dense<0xFF800000> : tensor<f32>
  %0 = cleave.reduce(%a init: %zero) applies cleave.add across dimensions = [0] : (tensor<8xi32>, tensor<i32>) -> tensor<i32>
  %1 = cleave.reduce(%b init: %least) applies cleave.maximum across dimensions = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
  return %0, %1 : tensor<i32>, tensor<f32>
}

// -----

// The largest element and its place: chosen, not computed. A sum of exponentials is computed.
spmd.mesh @m <"x"=2>
// CHECK-LABEL: func.func @functions(
// CHECK: cleave.reduce(%arg0 init: {{.*}}), (%arg1 init:
// CHECK: %[[WHOLE:.*]] = spmd.reshard %arg0 <@m, [{}]>
// CHECK: cleave.reduce(%[[WHOLE]] init:
func.func @functions(%a: tensor<8xf32> {spmd.sharding = #spmd.sharding<@m, [{"x"}]>},
                     %i: tensor<8xi32> {spmd.sharding = #spmd.sharding<@m, [{"x"}]>}) -> (tensor<i32>, tensor<f32>) {
  %zero = cleave.constant dense<0> : tensor<i32>
  %least = cleave.constant dense<0xFF800000> : tensor<f32>
  %0:2 = cleave.reduce(%a init: %least), (%i init: %zero) across dimensions = [0]
      : (tensor<8xf32>, tensor<8xi32>, tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>)
   reducer(%p: tensor<f32>, %q: tensor<f32>) (%m: tensor<i32>, %n: tensor<i32>) {
    %more = cleave.compare GE, %p, %q : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %v = cleave.select %more, %p, %q : tensor<i1>, tensor<f32>
    %k = cleave.select %more, %m, %n : tensor<i1>, tensor<i32>
    cleave.return %v, %k : tensor<f32>, tensor<i32>
  }
  %1 = cleave.reduce(%a init: %least) across dimensions = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
   reducer(%p: tensor<f32>, %q: tensor<f32>) {
    %larger = cleave.maximum %p, %q : tensor<f32>
    %d = cleave.subtract %p, %q : tensor<f32>
    %abs = cleave.abs %d : tensor<f32>
    %minus = cleave.negate %abs : tensor<f32>
    %e = cleave.exponential %minus : tensor<f32>
    %l = cleave.log_plus_one %e : tensor<f32>
    %s = cleave.add %larger, %l : tensor<f32>
    cleave.return %s : tensor<f32>
  }
  return %0#1, %1 : tensor<i32>, tensor<f32>
}

// -----

// A scan along the cut dimension; windows that only overlap stay cut.
spmd.mesh @m <"x"=2>
// CHECK-LABEL: func.func @windows(
// CHECK: %[[WHOLE:.*]] = spmd.reshard %arg0 <@m, [{}]>
// CHECK: cleave.reduce_window(%[[WHOLE]])
// CHECK: cleave.reduce_window(%arg0)
func.func @windows(%a: tensor<8xf32> {spmd.sharding = #spmd.sharding<@m, [{"x"}]>})
    -> (tensor<8xf32>, tensor<8xf32> {spmd.sharding = #spmd.sharding<@m, [{"x"}]>}) {
  %zero = cleave.constant dense<0.0> : tensor<f32>
  %0 = cleave.reduce_window(%a) init(%zero) {window_dimensions = array<i64: 8>, window_strides = array<i64: 1>, base_dilations = array<i64: 1>, window_dilations = array<i64: 1>, padding = array<i64: 7, 0>} : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32> {
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %s = cleave.add %p, %q : tensor<f32>
    cleave.return %s : tensor<f32>
  }
  %1 = cleave.reduce_window(%a) init(%zero) {window_dimensions = array<i64: 3>, window_strides = array<i64: 1>, base_dilations = array<i64: 1>, window_dilations = array<i64: 1>, padding = array<i64: 1, 1>} : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32> {
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %s = cleave.add %p, %q : tensor<f32>
    cleave.return %s : tensor<f32>
  }
  return %0, %1 : tensor<8xf32>, tensor<8xf32>
}

// -----

// What an annotation wants in parts is made in parts.
spmd.mesh @m <"x"=2>
// CHECK-LABEL: func.func @declared(
// CHECK: cleave.reduce(%arg0{{.*}} partial = [sum "x"]
func.func @declared(%a: tensor<8x4xf32> {spmd.sharding = #spmd.sharding<@m, [{"x"}, {}]>})
    -> (tensor<4xf32> {spmd.sharding = #spmd.sharding<@m, [{}], partial = [sum "x"]>}) {
  %zero = cleave.constant dense<0.0> : tensor<f32>
  %0 = cleave.reduce(%a init: %zero) applies cleave.add across dimensions = [0] : (tensor<8x4xf32>, tensor<f32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
