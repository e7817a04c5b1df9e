// Ops that exporters wrote before there were others for them, and collectives by any computation.
// RUN: %cleave check %s | FileCheck %s
// CHECK: 7 passed, 0 failed, 0 skipped
module @einsum {
  func.func @main() {
    %a = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
    %b = stablehlo.constant dense<[[[1.0, 0.0]], [[0.0, 1.0]], [[1.0, 1.0]]]> : tensor<3x1x2xf32>
    // j is contracted, m summed, the result turned around.
    %0 = "stablehlo.einsum"(%a, %b) {einsum_config = "ij,jmk->ki"} : (tensor<2x3xf32>, tensor<3x1x2xf32>) -> tensor<2x2xf32>
    check.expect_eq_const %0, dense<[[4.0, 10.0], [5.0, 11.0]]> : tensor<2x2xf32>
    return
  }
}
// -----
module @batches {
  func.func @main() {
    %a = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
    %b = stablehlo.constant dense<[[5, 6], [7, 8]]> : tensor<2x2xi32>
    %0 = "stablehlo.einsum"(%a, %b) {einsum_config = "bi,bj->jbi"} : (tensor<2x2xi32>, tensor<2x2xi32>) -> tensor<2x2x2xi32>
    check.expect_eq_const %0, dense<[[[5, 10], [21, 28]], [[6, 12], [24, 32]]]> : tensor<2x2x2xi32>
    return
  }
}
// -----
module @unary {
  func.func @main() {
    %a = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
    %0 = "stablehlo.unary_einsum"(%a) {einsum_config = "ij->i"} : (tensor<2x3xf32>) -> tensor<2xf32>
    check.expect_eq_const %0, dense<[6.0, 15.0]> : tensor<2xf32>
    %1 = "stablehlo.unary_einsum"(%a) {einsum_config = "ij->ji"} : (tensor<2x3xf32>) -> tensor<3x2xf32>
    check.expect_eq_const %1, dense<[[1.0, 4.0], [2.0, 5.0], [3.0, 6.0]]> : tensor<3x2xf32>
    return
  }
}
// -----
module @index_select {
  func.func @main() {
    %a = stablehlo.constant dense<[[[1, 2], [3, 4], [5, 6]], [[7, 8], [9, 10], [11, 12]]]> : tensor<2x3x2xi32>
    %i = stablehlo.constant dense<[[2], [0]]> : tensor<2x1xi32>
    %0 = "stablehlo.torch_index_select"(%a, %i) {dim = 1 : i64, batch_dims = 1 : i64} : (tensor<2x3x2xi32>, tensor<2x1xi32>) -> tensor<2x1x2xi32>
    check.expect_eq_const %0, dense<[[[5, 6]], [[7, 8]]]> : tensor<2x1x2xi32>
    %1 = "stablehlo.torch_index_select"(%a, %i) {dim = 1 : i64, batch_dims = 0 : i64} : (tensor<2x3x2xi32>, tensor<2x1xi32>) -> tensor<2x2x1x2xi32>
    check.expect_eq_const %1, dense<[[[[5, 6]], [[1, 2]]], [[[11, 12]], [[7, 8]]]]> : tensor<2x2x1x2xi32>
    return
  }
}
// -----
module @any_computation {
  func.func @reductions(%x: tensor<4xi64>) -> (tensor<4xi64>, tensor<2xi64>) {
    %0 = "stablehlo.all_reduce"(%x) ({
    ^bb0(%a: tensor<i64>, %b: tensor<i64>):
      %s = stablehlo.xor %a, %b : tensor<i64>
      stablehlo.return %s : tensor<i64>
    }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4xi64>) -> tensor<4xi64>
    %1 = "stablehlo.reduce_scatter"(%x) ({
    ^bb0(%a: tensor<i64>, %b: tensor<i64>):
      %one = stablehlo.constant dense<1> : tensor<i64>
      %s = stablehlo.add %a, %b : tensor<i64>
      %t = stablehlo.add %s, %one : tensor<i64>
      stablehlo.return %t : tensor<i64>
    }) {scatter_dimension = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4xi64>) -> tensor<2xi64>
    return %0, %1 : tensor<4xi64>, tensor<2xi64>
  }
  func.func @main() {
    %a = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi64>
    %b = stablehlo.constant dense<[5, 6, 7, 8]> : tensor<4xi64>
    %0:4 = "interpreter.run_parallel"(%a, %b) {programs = [[@reductions], [@reductions]]} : (tensor<4xi64>, tensor<4xi64>) -> (tensor<4xi64>, tensor<2xi64>, tensor<4xi64>, tensor<2xi64>)
    check.expect_eq_const %0#0, dense<[4, 4, 4, 12]> : tensor<4xi64>
    check.expect_eq_const %0#1, dense<[7, 9]> : tensor<2xi64>
    check.expect_eq_const %0#2, dense<[4, 4, 4, 12]> : tensor<4xi64>
    check.expect_eq_const %0#3, dense<[11, 13]> : tensor<2xi64>
    return
  }
}
// -----
module @infeed {
  func.func @twice(%token: !stablehlo.token) -> (tensor<2xi64>, !stablehlo.token) {
    %0:2 = "stablehlo.infeed"(%token) {infeed_config = "", layout = [[0]]} : (!stablehlo.token) -> (tensor<2xi64>, !stablehlo.token)
    %1:2 = "stablehlo.infeed"(%0#1) {infeed_config = "", layout = [[0]]} : (!stablehlo.token) -> (tensor<2xi64>, !stablehlo.token)
    %2 = stablehlo.subtract %1#0, %0#0 : tensor<2xi64>
    return %2, %1#1 : tensor<2xi64>, !stablehlo.token
  }
  func.func @first() -> tensor<2xi64> {
    %0 = stablehlo.constant dense<[1, 2]> : tensor<2xi64>
    return %0 : tensor<2xi64>
  }
  func.func @second() -> tensor<2xi64> {
    %0 = stablehlo.constant dense<[5, 7]> : tensor<2xi64>
    return %0 : tensor<2xi64>
  }
  func.func @main() {
    %token = stablehlo.after_all : !stablehlo.token
    %0:2 = "interpreter.run_parallel"(%token) {infeed = [@first, @second], programs = [[@twice]]} : (!stablehlo.token) -> (tensor<2xi64>, !stablehlo.token)
    check.expect_eq_const %0#0, dense<[4, 5]> : tensor<2xi64>
    return
  }
}
// -----
// Functions by their names as strings, and not private.
module @named_infeed {
  func.func public @once(%token: !stablehlo.token) -> (tensor<2xi64>, !stablehlo.token) {
    %0:2 = "stablehlo.infeed"(%token) : (!stablehlo.token) -> (tensor<2xi64>, !stablehlo.token)
    return %0#0, %0#1 : tensor<2xi64>, !stablehlo.token
  }
  func.func public @queue() -> tensor<2xi64> {
    %0 = stablehlo.constant dense<[1, 2]> : tensor<2xi64>
    return %0 : tensor<2xi64>
  }
  func.func public @main() {
    %token = stablehlo.after_all : !stablehlo.token
    %0:2 = "interpreter.run_parallel"(%token) {infeed = ["queue"], programs = [["once"]]} : (!stablehlo.token) -> (tensor<2xi64>, !stablehlo.token)
    check.expect_eq_const %0#0, dense<[1, 2]> : tensor<2xi64>
    return
  }
}
