// Computations that use scalars from outside, which are no constants. The last field of a record may be followed by a comma.
// RUN: %cleave check %s | FileCheck %s
// RUN: %cleave check %s --mesh x=3 --shard random:3 | FileCheck %s
// CHECK: 6 passed, 0 failed, 0 skipped
module @sort {
  func.func private @inputs() -> (tensor<6xi32>, tensor<i32>) {
    %x = stablehlo.constant dense<[5, 1, 8, 3, 2, 9]> : tensor<6xi32>
    %m = stablehlo.constant dense<4> : tensor<i32>
    return %x, %m : tensor<6xi32>, tensor<i32>
  }
  func.func @main() {
    %x, %m = call @inputs() : () -> (tensor<6xi32>, tensor<i32>)
    // By the distance from m.
    %0 = "stablehlo.sort"(%x) ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      %1 = stablehlo.subtract %a, %m : tensor<i32>
      %2 = stablehlo.subtract %b, %m : tensor<i32>
      %3 = stablehlo.abs %1 : tensor<i32>
      %4 = stablehlo.abs %2 : tensor<i32>
      %5 = stablehlo.compare LT, %3, %4 : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %5 : tensor<i1>
    }) {dimension = 0 : i64, is_stable = true} : (tensor<6xi32>) -> tensor<6xi32>
    check.expect_eq_const %0, dense<[5, 3, 2, 1, 8, 9]> : tensor<6xi32>
    return
  }
}
// -----
module @reduce {
  func.func private @inputs() -> (tensor<2x3xi32>, tensor<i32>, tensor<i32>) {
    %x = stablehlo.constant dense<[[5, 1, 8], [3, 2, 9]]> : tensor<2x3xi32>
    %m = stablehlo.constant dense<10> : tensor<i32>
    %n = stablehlo.constant dense<1> : tensor<i32>
    return %x, %m, %n : tensor<2x3xi32>, tensor<i32>, tensor<i32>
  }
  func.func @main() {
    %x, %m, %n = call @inputs() : () -> (tensor<2x3xi32>, tensor<i32>, tensor<i32>)
    %zero = stablehlo.constant dense<0> : tensor<i32>
    // Sums that never exceed m; n is at least what it adds.
    %0 = "stablehlo.reduce"(%x, %zero) ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      %1 = stablehlo.add %a, %b : tensor<i32>
      %2 = stablehlo.minimum %1, %m : tensor<i32>
      %3 = stablehlo.maximum %2, %n : tensor<i32>
      stablehlo.return %3 : tensor<i32>
    }) {dimensions = array<i64: 0>} : (tensor<2x3xi32>, tensor<i32>) -> tensor<3xi32>
    check.expect_eq_const %0, dense<[8, 3, 10]> : tensor<3xi32>
    return
  }
}
// -----
module @reduce_window {
  func.func private @inputs() -> (tensor<5xi32>, tensor<i32>) {
    %x = stablehlo.constant dense<[5, 1, 8, 3, 2]> : tensor<5xi32>
    %m = stablehlo.constant dense<9> : tensor<i32>
    return %x, %m : tensor<5xi32>, tensor<i32>
  }
  func.func @main() {
    %x, %m = call @inputs() : () -> (tensor<5xi32>, tensor<i32>)
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %0 = "stablehlo.reduce_window"(%x, %zero) ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      %1 = stablehlo.add %a, %b : tensor<i32>
      %2 = stablehlo.minimum %1, %m : tensor<i32>
      stablehlo.return %2 : tensor<i32>
    }) {window_dimensions = array<i64: 2>, padding = dense<[[1, 0]]> : tensor<1x2xi64>} : (tensor<5xi32>, tensor<i32>) -> tensor<5xi32>
    check.expect_eq_const %0, dense<[5, 6, 9, 9, 5]> : tensor<5xi32>
    return
  }
}
// -----
module @scatter {
  func.func private @inputs() -> (tensor<4xi32>, tensor<3x1xi32>, tensor<3xi32>, tensor<i32>) {
    %x = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
    %i = stablehlo.constant dense<[[2], [0], [2]]> : tensor<3x1xi32>
    %u = stablehlo.constant dense<[5, 6, 7]> : tensor<3xi32>
    %m = stablehlo.constant dense<100> : tensor<i32>
    return %x, %i, %u, %m : tensor<4xi32>, tensor<3x1xi32>, tensor<3xi32>, tensor<i32>
  }
  func.func @main() {
    %x, %i, %u, %m = call @inputs() : () -> (tensor<4xi32>, tensor<3x1xi32>, tensor<3xi32>, tensor<i32>)
    %0 = "stablehlo.scatter"(%x, %i, %u) ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      %1 = stablehlo.multiply %b, %m : tensor<i32>
      %2 = stablehlo.add %a, %1 : tensor<i32>
      stablehlo.return %2 : tensor<i32>
    }) {scatter_dimension_numbers = #stablehlo.scatter<
          inserted_window_dims = [0],
          scatter_dims_to_operand_dims = [0],
          index_vector_dim = 1,
        >} : (tensor<4xi32>, tensor<3x1xi32>, tensor<3xi32>) -> tensor<4xi32>
    check.expect_eq_const %0, dense<[601, 2, 1203, 4]> : tensor<4xi32>
    return
  }
}
// -----
module @map {
  func.func private @inputs() -> (tensor<4xf32>, tensor<f32>) {
    %x = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
    %m = stablehlo.constant dense<0.5> : tensor<f32>
    return %x, %m : tensor<4xf32>, tensor<f32>
  }
  func.func @main() {
    %x, %m = call @inputs() : () -> (tensor<4xf32>, tensor<f32>)
    %0 = "stablehlo.map"(%x) ({
    ^bb0(%a: tensor<f32>):
      %1 = stablehlo.multiply %a, %m : tensor<f32>
      stablehlo.return %1 : tensor<f32>
    }) {dimensions = array<i64: 0>} : (tensor<4xf32>) -> tensor<4xf32>
    check.expect_eq_const %0, dense<[0.5, 1.0, 1.5, 2.0]> : tensor<4xf32>
    return
  }
}
// -----
// Two of other types than the elements.
module @types {
  func.func private @inputs() -> (tensor<6xf32>, tensor<i1>, tensor<i32>) {
    %x = stablehlo.constant dense<[1.0, 5.0, 3.0, 2.0, 7.0, 4.0]> : tensor<6xf32>
    %k = stablehlo.constant dense<true> : tensor<i1>
    %n = stablehlo.constant dense<6> : tensor<i32>
    return %x, %k, %n : tensor<6xf32>, tensor<i1>, tensor<i32>
  }
  func.func @main() {
    %x, %k, %n = call @inputs() : () -> (tensor<6xf32>, tensor<i1>, tensor<i32>)
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %0 = "stablehlo.reduce"(%x, %zero) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %1 = stablehlo.maximum %a, %b : tensor<f32>
      %2 = stablehlo.convert %n : (tensor<i32>) -> tensor<f32>
      %3 = stablehlo.minimum %1, %2 : tensor<f32>
      %4 = stablehlo.select %k, %3, %a : tensor<i1>, tensor<f32>
      stablehlo.return %4 : tensor<f32>
    }) {dimensions = array<i64: 0>} : (tensor<6xf32>, tensor<f32>) -> tensor<f32>
    check.expect_eq_const %0, dense<6.0> : tensor<f32>
    return
  }
}
