// Computations of reductions, maps, sorts and scatters with branches, loops, tensors and reductions of their own: they were refused as if the program were wrong.
// RUN: %cleave check %s | FileCheck %s
// RUN: %cleave check %s --mesh x=2,y=2 --shard random:1 | FileCheck %s
// RUN: %cleave check %s --mesh x=3 --shard random:3 | FileCheck %s
// CHECK: 16 passed, 0 failed, 0 skipped
module @reduce_if {
  func.func private @inputs() -> tensor<2x3xf32> {
    %x = stablehlo.constant dense<[[1.0, 5.0, 2.0], [-3.0, 4.0, 0.5]]> : tensor<2x3xf32>
    return %x : tensor<2x3xf32>
  }
  func.func @main() {
    %x = call @inputs() : () -> tensor<2x3xf32>
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %0 = "stablehlo.reduce"(%x, %zero) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %1 = stablehlo.compare GT, %b, %a : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %2 = "stablehlo.if"(%1) ({
        %3 = stablehlo.add %b, %b : tensor<f32>
        stablehlo.return %3 : tensor<f32>
      }, {
        stablehlo.return %a : tensor<f32>
      }) : (tensor<i1>) -> tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) {dimensions = array<i64: 1>} : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
    check.expect_eq_const %0, dense<[10.0, 8.0]> : tensor<2xf32>
    return
  }
}
// -----
module @reduce_case {
  func.func private @inputs() -> tensor<5xi32> {
    %x = stablehlo.constant dense<[0, 1, 2, 7, -4]> : tensor<5xi32>
    return %x : tensor<5xi32>
  }
  func.func @main() {
    %x = call @inputs() : () -> tensor<5xi32>
    %zero = stablehlo.constant dense<0> : tensor<i32>
    // 10 for each 0, 200 for each 1, 3000 for all else.
    %0 = "stablehlo.reduce"(%x, %zero) ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      %1 = "stablehlo.case"(%b) ({
        %2 = stablehlo.constant dense<10> : tensor<i32>
        stablehlo.return %2 : tensor<i32>
      }, {
        %2 = stablehlo.constant dense<200> : tensor<i32>
        stablehlo.return %2 : tensor<i32>
      }, {
        %2 = stablehlo.constant dense<3000> : tensor<i32>
        stablehlo.return %2 : tensor<i32>
      }) : (tensor<i32>) -> tensor<i32>
      %3 = stablehlo.add %a, %1 : tensor<i32>
      stablehlo.return %3 : tensor<i32>
    }) {dimensions = array<i64: 0>} : (tensor<5xi32>, tensor<i32>) -> tensor<i32>
    check.expect_eq_const %0, dense<9210> : tensor<i32>
    return
  }
}
// -----
module @reduce_while {
  func.func private @inputs() -> tensor<2x3xi32> {
    %x = stablehlo.constant dense<[[1, 5, 2], [3, 4, 6]]> : tensor<2x3xi32>
    return %x : tensor<2x3xi32>
  }
  func.func @main() {
    %x = call @inputs() : () -> tensor<2x3xi32>
    %zero = stablehlo.constant dense<100> : tensor<i32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    // Adds by counting; the other result is what came last.
    %0:2 = "stablehlo.reduce"(%x, %x, %zero, %one) ({
    ^bb0(%a: tensor<i32>, %c: tensor<i32>, %b: tensor<i32>, %d: tensor<i32>):
      %none = stablehlo.constant dense<0> : tensor<i32>
      %1:2 = stablehlo.while(%s = %a, %n = %b) : tensor<i32>, tensor<i32>
      cond {
        %p = stablehlo.compare GT, %n, %none : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %p : tensor<i1>
      } do {
        %t = stablehlo.add %s, %one : tensor<i32>
        %m = stablehlo.subtract %n, %one : tensor<i32>
        stablehlo.return %t, %m : tensor<i32>, tensor<i32>
      }
      stablehlo.return %1#0, %d : tensor<i32>, tensor<i32>
    }) {dimensions = array<i64: 1>} : (tensor<2x3xi32>, tensor<2x3xi32>, tensor<i32>, tensor<i32>) -> (tensor<2xi32>, tensor<2xi32>)
    check.expect_eq_const %0#0, dense<[108, 113]> : tensor<2xi32>
    check.expect_eq_const %0#1, dense<[2, 6]> : tensor<2xi32>
    return
  }
}
// -----
module @reduce_of_a_reduce {
  func.func private @inputs() -> tensor<2x3xi32> {
    %x = stablehlo.constant dense<[[1, 5, 2], [3, 4, 6]]> : tensor<2x3xi32>
    return %x : tensor<2x3xi32>
  }
  func.func @main() {
    %x = call @inputs() : () -> tensor<2x3xi32>
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %0 = "stablehlo.reduce"(%x, %zero) ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      %1 = stablehlo.reshape %a : (tensor<i32>) -> tensor<1xi32>
      %2 = stablehlo.reshape %b : (tensor<i32>) -> tensor<1xi32>
      %3 = stablehlo.concatenate %1, %2, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
      %none = stablehlo.constant dense<0> : tensor<i32>
      %4 = stablehlo.reduce(%3 init: %none) applies stablehlo.add across dimensions = [0] : (tensor<2xi32>, tensor<i32>) -> tensor<i32>
      stablehlo.return %4 : tensor<i32>
    }) {dimensions = array<i64: 0>} : (tensor<2x3xi32>, tensor<i32>) -> tensor<3xi32>
    check.expect_eq_const %0, dense<[4, 9, 8]> : tensor<3xi32>
    return
  }
}
// -----
module @tensor_from_outside {
  func.func private @inputs() -> (tensor<4xi64>, tensor<3xf32>) {
    %x = stablehlo.constant dense<[0, 2, 1, 2]> : tensor<4xi64>
    %t = stablehlo.constant dense<[0.5, 1.5, 2.0]> : tensor<3xf32>
    return %x, %t : tensor<4xi64>, tensor<3xf32>
  }
  func.func @main() {
    %x, %t = call @inputs() : () -> (tensor<4xi64>, tensor<3xf32>)
    // Each element looks itself up.
    %0 = "stablehlo.map"(%x) ({
    ^bb0(%a: tensor<i64>):
      %1 = stablehlo.dynamic_slice %t, %a, sizes = [1] : (tensor<3xf32>, tensor<i64>) -> tensor<1xf32>
      %2 = stablehlo.reshape %1 : (tensor<1xf32>) -> tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) {dimensions = array<i64: 0>} : (tensor<4xi64>) -> tensor<4xf32>
    check.expect_eq_const %0, dense<[0.5, 2.0, 1.5, 2.0]> : tensor<4xf32>
    return
  }
}
// -----
module @map {
  func.func private @inputs() -> tensor<3xi32> {
    %x = stablehlo.constant dense<[1, 5, 2]> : tensor<3xi32>
    return %x : tensor<3xi32>
  }
  // 1 + ... + x
  func.func private @sum(%x: tensor<i32>) -> tensor<i32> {
    %none = stablehlo.constant dense<0> : tensor<i32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %1:2 = stablehlo.while(%s = %none, %n = %x) : tensor<i32>, tensor<i32>
    cond {
      %p = stablehlo.compare GT, %n, %none : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %t = stablehlo.add %s, %n : tensor<i32>
      %m = stablehlo.subtract %n, %one : tensor<i32>
      stablehlo.return %t, %m : tensor<i32>, tensor<i32>
    }
    return %1#0 : tensor<i32>
  }
  func.func @main() {
    %x = call @inputs() : () -> tensor<3xi32>
    %0 = "stablehlo.map"(%x) ({
    ^bb0(%a: tensor<i32>):
      %1 = func.call @sum(%a) : (tensor<i32>) -> tensor<i32>
      stablehlo.return %1 : tensor<i32>
    }) {dimensions = array<i64: 0>} : (tensor<3xi32>) -> tensor<3xi32>
    check.expect_eq_const %0, dense<[1, 15, 3]> : tensor<3xi32>
    %2 = "stablehlo.map"(%x) ({
    ^bb0(%a: tensor<i32>):
      %3 = stablehlo.constant dense<3> : tensor<i32>
      %4 = stablehlo.compare LT, %a, %3 : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %5 = "stablehlo.if"(%4) ({
        stablehlo.return %3 : tensor<i32>
      }, {
        stablehlo.return %a : tensor<i32>
      }) : (tensor<i1>) -> tensor<i32>
      stablehlo.return %5 : tensor<i32>
    }) {dimensions = array<i64: 0>} : (tensor<3xi32>) -> tensor<3xi32>
    check.expect_eq_const %2, dense<[3, 5, 3]> : tensor<3xi32>
    return
  }
}
// -----
module @products_and_slices_of_scalars {
  func.func private @inputs() -> tensor<3xf32> {
    %x = stablehlo.constant dense<[2.0, 3.0, 0.5]> : tensor<3xf32>
    return %x : tensor<3xf32>
  }
  func.func @main() {
    %x = call @inputs() : () -> tensor<3xf32>
    %one = stablehlo.constant dense<1.0> : tensor<f32>
    %0 = "stablehlo.reduce"(%x, %one) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %1 = stablehlo.slice %a [] : (tensor<f32>) -> tensor<f32>
      %2 = stablehlo.dot_general %1, %b, contracting_dims = [] x [] : (tensor<f32>, tensor<f32>) -> tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) {dimensions = array<i64: 0>} : (tensor<3xf32>, tensor<f32>) -> tensor<f32>
    check.expect_eq_const %0, dense<3.0> : tensor<f32>
    return
  }
}
// -----
module @complex_and_wider_sums {
  func.func private @inputs() -> (tensor<3xcomplex<f32>>, tensor<3xf32>) {
    %z = stablehlo.constant dense<[(1.0, 2.0), (3.0, -1.0), (0.5, 0.5)]> : tensor<3xcomplex<f32>>
    %x = stablehlo.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
    return %z, %x : tensor<3xcomplex<f32>>, tensor<3xf32>
  }
  func.func @main() {
    %z, %x = call @inputs() : () -> (tensor<3xcomplex<f32>>, tensor<3xf32>)
    %none = stablehlo.constant dense<(0.0, 0.0)> : tensor<complex<f32>>
    %0 = "stablehlo.reduce"(%z, %none) ({
    ^bb0(%a: tensor<complex<f32>>, %b: tensor<complex<f32>>):
      %1 = stablehlo.broadcast_in_dim %b, dims = [] : (tensor<complex<f32>>) -> tensor<2xcomplex<f32>>
      %2 = stablehlo.reduce(%1 init: %a) applies stablehlo.add across dimensions = [0] : (tensor<2xcomplex<f32>>, tensor<complex<f32>>) -> tensor<complex<f32>>
      stablehlo.return %2 : tensor<complex<f32>>
    }) {dimensions = array<i64: 0>} : (tensor<3xcomplex<f32>>, tensor<complex<f32>>) -> tensor<complex<f32>>
    check.expect_eq_const %0, dense<(9.0, 3.0)> : tensor<complex<f32>>
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %3 = "stablehlo.reduce"(%x, %zero) ({
    ^bb0(%a: tensor<f64>, %b: tensor<f64>):
      %4 = stablehlo.dot_general %b, %b, contracting_dims = [] x [] : (tensor<f64>, tensor<f64>) -> tensor<f64>
      %5 = stablehlo.add %a, %4 : tensor<f64>
      stablehlo.return %5 : tensor<f64>
    }) {dimensions = array<i64: 0>} : (tensor<3xf32>, tensor<f32>) -> tensor<f64>
    check.expect_eq_const %3, dense<14.0> : tensor<f64>
    return
  }
}
// -----
module @nothing_to_reduce {
  func.func private @inputs() -> tensor<0x3xi32> {
    %x = stablehlo.constant dense<> : tensor<0x3xi32>
    return %x : tensor<0x3xi32>
  }
  func.func @main() {
    %x = call @inputs() : () -> tensor<0x3xi32>
    %seven = stablehlo.constant dense<7> : tensor<i32>
    %0 = "stablehlo.reduce"(%x, %seven) ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      %1 = stablehlo.slice %a [] : (tensor<i32>) -> tensor<i32>
      stablehlo.return %1 : tensor<i32>
    }) {dimensions = array<i64: 0>} : (tensor<0x3xi32>, tensor<i32>) -> tensor<3xi32>
    check.expect_eq_const %0, dense<7> : tensor<3xi32>
    return
  }
}
// -----
module @reduce_window {
  func.func private @inputs() -> tensor<5xi32> {
    %x = stablehlo.constant dense<[5, 1, 8, 3, 2]> : tensor<5xi32>
    return %x : tensor<5xi32>
  }
  func.func @main() {
    %x = call @inputs() : () -> tensor<5xi32>
    %zero = stablehlo.constant dense<1> : tensor<i32>

    %0 = "stablehlo.reduce_window"(%x, %zero) ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      %1 = stablehlo.dot_general %a, %b, contracting_dims = [] x [] : (tensor<i32>, tensor<i32>) -> tensor<i32>
      stablehlo.return %1 : tensor<i32>
    }) {window_dimensions = array<i64: 3>, window_strides = array<i64: 3>, base_dilations = array<i64: 2>,
        window_dilations = array<i64: 2>, padding = dense<[[1, 1]]> : tensor<1x2xi64>}
      : (tensor<5xi32>, tensor<i32>) -> tensor<3xi32>
    // 1 5 1 1 1 8 1 3 1 2 1 from 0, 3 and 6, two apart.
    check.expect_eq_const %0, dense<[1, 24, 1]> : tensor<3xi32>
    return
  }
}
// -----
module @sort_by_a_branch {
  func.func private @inputs() -> tensor<6xi32> {
    %x = stablehlo.constant dense<[5, -1, 8, 3, -2, 9]> : tensor<6xi32>
    return %x : tensor<6xi32>
  }
  func.func @main() {
    %x = call @inputs() : () -> tensor<6xi32>
    // By magnitude.
    %0 = "stablehlo.sort"(%x) ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      %zero = stablehlo.constant dense<0> : tensor<i32>
      %1 = stablehlo.compare LT, %a, %zero : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %2 = "stablehlo.if"(%1) ({
        %3 = stablehlo.negate %a : tensor<i32>
        stablehlo.return %3 : tensor<i32>
      }, {
        stablehlo.return %a : tensor<i32>
      }) : (tensor<i1>) -> tensor<i32>
      %4 = stablehlo.abs %b : tensor<i32>
      %5 = stablehlo.compare LT, %2, %4 : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %5 : tensor<i1>
    }) {dimension = 0 : i64, is_stable = true} : (tensor<6xi32>) -> tensor<6xi32>
    check.expect_eq_const %0, dense<[-1, -2, 3, 5, 8, 9]> : tensor<6xi32>
    return
  }
}
// -----
module @sort_by_a_loop {
  func.func private @inputs() -> (tensor<2x5xi32>, tensor<2x5xf32>) {
    %x = stablehlo.constant dense<[[8, 7, 3, 1, 12], [5, 16, 6, 2, 4]]> : tensor<2x5xi32>
    %y = stablehlo.constant dense<[[0.0, 1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0, 9.0]]> : tensor<2x5xf32>
    return %x, %y : tensor<2x5xi32>, tensor<2x5xf32>
  }
  func.func @main() {
    %x, %y = call @inputs() : () -> (tensor<2x5xi32>, tensor<2x5xf32>)
    // By the number of bits, so that equal ones keep their order.
    %0:2 = "stablehlo.sort"(%x, %y) ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>, %c: tensor<f32>, %d: tensor<f32>):
      %zero = stablehlo.constant dense<0> : tensor<i32>
      %one = stablehlo.constant dense<1> : tensor<i32>
      %1:3 = stablehlo.while(%l = %a, %r = %b, %less = %zero) : tensor<i32>, tensor<i32>, tensor<i32>
      cond {
        %2 = stablehlo.maximum %l, %r : tensor<i32>
        %p = stablehlo.compare GT, %2, %zero : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %p : tensor<i1>
      } do {
        %2 = stablehlo.compare EQ, %l, %zero : (tensor<i32>, tensor<i32>) -> tensor<i1>
        %3 = stablehlo.convert %2 : (tensor<i1>) -> tensor<i32>
        %4 = stablehlo.shift_right_logical %l, %one : tensor<i32>
        %5 = stablehlo.shift_right_logical %r, %one : tensor<i32>
        stablehlo.return %4, %5, %3 : tensor<i32>, tensor<i32>, tensor<i32>
      }
      %6 = stablehlo.compare NE, %1#2, %zero : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %6 : tensor<i1>
    }) {dimension = 1 : i64, is_stable = true} : (tensor<2x5xi32>, tensor<2x5xf32>) -> (tensor<2x5xi32>, tensor<2x5xf32>)
    check.expect_eq_const %0#0, dense<[[1, 3, 7, 8, 12], [2, 5, 6, 4, 16]]> : tensor<2x5xi32>
    check.expect_eq_const %0#1, dense<[[3.0, 2.0, 1.0, 0.0, 4.0], [8.0, 5.0, 7.0, 9.0, 6.0]]> : tensor<2x5xf32>
    return
  }
}
// -----
module @scatter {
  func.func private @inputs() -> (tensor<4x2xi32>, tensor<3x1xi64>, tensor<3x2xi32>) {
    %x = stablehlo.constant dense<[[1, 2], [3, 4], [5, 6], [7, 8]]> : tensor<4x2xi32>
    %i = stablehlo.constant dense<[[2], [0], [9]]> : tensor<3x1xi64>
    %u = stablehlo.constant dense<[[10, 20], [30, 40], [50, 60]]> : tensor<3x2xi32>
    return %x, %i, %u : tensor<4x2xi32>, tensor<3x1xi64>, tensor<3x2xi32>
  }
  func.func @main() {
    %x, %i, %u = call @inputs() : () -> (tensor<4x2xi32>, tensor<3x1xi64>, tensor<3x2xi32>)
    // The last index is out of bounds.
    %0 = "stablehlo.scatter"(%x, %i, %u) ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      %1 = stablehlo.dot_general %a, %b, contracting_dims = [] x [] : (tensor<i32>, tensor<i32>) -> tensor<i32>
      stablehlo.return %1 : tensor<i32>
    }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0],
        scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}
      : (tensor<4x2xi32>, tensor<3x1xi64>, tensor<3x2xi32>) -> tensor<4x2xi32>
    check.expect_eq_const %0, dense<[[30, 80], [3, 4], [50, 120], [7, 8]]> : tensor<4x2xi32>
    return
  }
}
// -----
module @scatter_in_batches {
  func.func private @inputs() -> (tensor<2x4xi32>, tensor<3x2xi32>, tensor<3x2xi32>) {
    %x = stablehlo.constant dense<[[1, 2, 3, 4], [5, 6, 7, 8]]> : tensor<2x4xi32>
    %i = stablehlo.constant dense<[[1, 3], [1, -1], [0, 2]]> : tensor<3x2xi32>
    %u = stablehlo.constant dense<[[10, 20], [30, 40], [50, 60]]> : tensor<3x2xi32>
    return %x, %i, %u : tensor<2x4xi32>, tensor<3x2xi32>, tensor<3x2xi32>
  }
  func.func @main() {
    %x, %i, %u = call @inputs() : () -> (tensor<2x4xi32>, tensor<3x2xi32>, tensor<3x2xi32>)
    %0 = "stablehlo.scatter"(%x, %i, %u) ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      %1 = stablehlo.slice %b [] : (tensor<i32>) -> tensor<i32>
      %2 = stablehlo.add %a, %1 : tensor<i32>
      stablehlo.return %2 : tensor<i32>
    }) {scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1], input_batching_dims = [0],
        scatter_indices_batching_dims = [1], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>}
      : (tensor<2x4xi32>, tensor<3x2xi32>, tensor<3x2xi32>) -> tensor<2x4xi32>
    check.expect_eq_const %0, dense<[[51, 42, 3, 4], [5, 6, 67, 28]]> : tensor<2x4xi32>
    return
  }
}
// -----
module @select_and_scatter_by_branches {
  func.func private @inputs() -> (tensor<1x6xi32>, tensor<1x3xi32>) {
    %x = stablehlo.constant dense<[[3, 9, 4, 4, 1, 0]]> : tensor<1x6xi32>
    %s = stablehlo.constant dense<[[10, 20, 30]]> : tensor<1x3xi32>
    return %x, %s : tensor<1x6xi32>, tensor<1x3xi32>
  }
  func.func @main() {
    %x, %s = call @inputs() : () -> (tensor<1x6xi32>, tensor<1x3xi32>)
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %0 = "stablehlo.select_and_scatter"(%x, %s, %zero) ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      %1 = stablehlo.compare GE, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %2 = "stablehlo.if"(%1) ({
        %3 = stablehlo.constant dense<true> : tensor<i1>
        stablehlo.return %3 : tensor<i1>
      }, {
        %3 = stablehlo.constant dense<false> : tensor<i1>
        stablehlo.return %3 : tensor<i1>
      }) : (tensor<i1>) -> tensor<i1>
      stablehlo.return %2 : tensor<i1>
    }, {
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      %1 = stablehlo.add %a, %b : tensor<i32>
      stablehlo.return %1 : tensor<i32>
    }) {window_dimensions = array<i64: 1, 2>, window_strides = array<i64: 1, 2>}
      : (tensor<1x6xi32>, tensor<1x3xi32>, tensor<i32>) -> tensor<1x6xi32>
    check.expect_eq_const %0, dense<[[0, 10, 20, 0, 30, 0]]> : tensor<1x6xi32>
    return
  }
}
// -----
module @select_and_scatter_by_products {
  func.func private @inputs() -> (tensor<6xi32>, tensor<4xi32>) {
    %x = stablehlo.constant dense<[3, -9, -4, -4, 1, 0]> : tensor<6xi32>
    %s = stablehlo.constant dense<[10, 20, 30, 40]> : tensor<4xi32>
    return %x, %s : tensor<6xi32>, tensor<4xi32>
  }
  func.func @main() {
    %x, %s = call @inputs() : () -> (tensor<6xi32>, tensor<4xi32>)
    %five = stablehlo.constant dense<5> : tensor<i32>
    // Windows, of which padding is never selected: (-, 3), (-9, -4), (-4, 1), (0, -).
    %0 = "stablehlo.select_and_scatter"(%x, %s, %five) ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      %1 = stablehlo.dot_general %a, %a, contracting_dims = [] x [] : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %2 = stablehlo.dot_general %b, %b, contracting_dims = [] x [] : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %3 = stablehlo.compare GE, %1, %2 : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %3 : tensor<i1>
    }, {
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      %1 = stablehlo.add %a, %b : tensor<i32>
      stablehlo.return %1 : tensor<i32>
    }) {window_dimensions = array<i64: 2>, window_strides = array<i64: 2>, padding = dense<[[1, 1]]> : tensor<1x2xi64>}
      : (tensor<6xi32>, tensor<4xi32>, tensor<i32>) -> tensor<6xi32>
    check.expect_eq_const %0, dense<[15, 25, 5, 35, 5, 45]> : tensor<6xi32>
    return
  }
}
