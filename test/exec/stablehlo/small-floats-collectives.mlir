// Collectives of floats of 8 bits: moved as they are, reduced in f32 and rounded once.
// RUN: %cleave check %s | FileCheck %s
// CHECK: 2 passed, 0 failed, 0 skipped
module @moved {
  func.func @program(%x: tensor<2xf8E4M3FN>) -> (tensor<4xf8E4M3FN>, tensor<2xf8E4M3FN>, tensor<2xf8E4M3FN>) {
    %0 = "stablehlo.all_gather"(%x) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2xf8E4M3FN>) -> tensor<4xf8E4M3FN>
    %1 = "stablehlo.all_to_all"(%x) {split_dimension = 0 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2xf8E4M3FN>) -> tensor<2xf8E4M3FN>
    %2 = "stablehlo.collective_permute"(%x) {source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>} : (tensor<2xf8E4M3FN>) -> tensor<2xf8E4M3FN>
    return %0, %1, %2 : tensor<4xf8E4M3FN>, tensor<2xf8E4M3FN>, tensor<2xf8E4M3FN>
  }
  func.func @main() {
    %a = stablehlo.constant dense<[1.0, 0xFF]> : tensor<2xf8E4M3FN>
    %b = stablehlo.constant dense<[448.0, -2.0]> : tensor<2xf8E4M3FN>
    %0:6 = "interpreter.run_parallel"(%a, %b) {programs = [[@program], [@program]]} : (tensor<2xf8E4M3FN>, tensor<2xf8E4M3FN>) -> (tensor<4xf8E4M3FN>, tensor<2xf8E4M3FN>, tensor<2xf8E4M3FN>, tensor<4xf8E4M3FN>, tensor<2xf8E4M3FN>, tensor<2xf8E4M3FN>)
    check.expect_eq_const %0#0, dense<[1.0, 0xFF, 448.0, -2.0]> : tensor<4xf8E4M3FN>
    check.expect_eq_const %0#3, dense<[1.0, 0xFF, 448.0, -2.0]> : tensor<4xf8E4M3FN>
    check.expect_eq_const %0#1, dense<[1.0, 448.0]> : tensor<2xf8E4M3FN>
    check.expect_eq_const %0#4, dense<[0xFF, -2.0]> : tensor<2xf8E4M3FN>
    check.expect_eq_const %0#2, dense<[448.0, -2.0]> : tensor<2xf8E4M3FN>
    check.expect_eq_const %0#5, dense<[1.0, 0xFF]> : tensor<2xf8E4M3FN>
    return
  }
}
// -----
// 16 + 0.75 + 0.75 is 17.5, and 18; in 8 bits it would be 16. The other computation rounds: 16 * 1.125 is 18, and
// 18 * 1.125 = 20.25 is 20.
module @reduced {
  func.func @program(%x: tensor<2xf8E4M3FN>, %y: tensor<f8E4M3FN>) -> (tensor<2xf8E4M3FN>, tensor<2xf8E4M3FN>, tensor<f8E4M3FN>) {
    %0 = "stablehlo.all_reduce"(%x) ({
    ^bb0(%a: tensor<f8E4M3FN>, %b: tensor<f8E4M3FN>):
      %s = stablehlo.add %a, %b : tensor<f8E4M3FN>
      stablehlo.return %s : tensor<f8E4M3FN>
    }) {replica_groups = dense<[[0, 1, 2]]> : tensor<1x3xi64>} : (tensor<2xf8E4M3FN>) -> tensor<2xf8E4M3FN>
    %1 = "stablehlo.all_reduce"(%x) ({
    ^bb0(%a: tensor<f8E4M3FN>, %b: tensor<f8E4M3FN>):
      %s = stablehlo.minimum %a, %b : tensor<f8E4M3FN>
      stablehlo.return %s : tensor<f8E4M3FN>
    }) {replica_groups = dense<[[0, 1, 2]]> : tensor<1x3xi64>} : (tensor<2xf8E4M3FN>) -> tensor<2xf8E4M3FN>
    %2 = "stablehlo.all_reduce"(%y) ({
    ^bb0(%a: tensor<f8E4M3FN>, %b: tensor<f8E4M3FN>):
      %c = stablehlo.constant dense<1.125> : tensor<f8E4M3FN>
      %s = stablehlo.multiply %a, %c : tensor<f8E4M3FN>
      stablehlo.return %s : tensor<f8E4M3FN>
    }) {replica_groups = dense<[[0, 1, 2]]> : tensor<1x3xi64>} : (tensor<f8E4M3FN>) -> tensor<f8E4M3FN>
    return %0, %1, %2 : tensor<2xf8E4M3FN>, tensor<2xf8E4M3FN>, tensor<f8E4M3FN>
  }
  func.func @main() {
    %a = stablehlo.constant dense<[16.0, 1.0]> : tensor<2xf8E4M3FN>
    %b = stablehlo.constant dense<[0.75, -4.0]> : tensor<2xf8E4M3FN>
    %c = stablehlo.constant dense<[0.75, 2.0]> : tensor<2xf8E4M3FN>
    %y = stablehlo.constant dense<16.0> : tensor<f8E4M3FN>
    %0:9 = "interpreter.run_parallel"(%a, %y, %b, %y, %c, %y) {programs = [[@program], [@program], [@program]]} : (tensor<2xf8E4M3FN>, tensor<f8E4M3FN>, tensor<2xf8E4M3FN>, tensor<f8E4M3FN>, tensor<2xf8E4M3FN>, tensor<f8E4M3FN>) -> (tensor<2xf8E4M3FN>, tensor<2xf8E4M3FN>, tensor<f8E4M3FN>, tensor<2xf8E4M3FN>, tensor<2xf8E4M3FN>, tensor<f8E4M3FN>, tensor<2xf8E4M3FN>, tensor<2xf8E4M3FN>, tensor<f8E4M3FN>)
    check.expect_eq_const %0#0, dense<[18.0, -1.0]> : tensor<2xf8E4M3FN>
    check.expect_eq_const %0#3, dense<[18.0, -1.0]> : tensor<2xf8E4M3FN>
    check.expect_eq_const %0#1, dense<[0.75, -4.0]> : tensor<2xf8E4M3FN>
    check.expect_eq_const %0#2, dense<20.0> : tensor<f8E4M3FN>
    return
  }
}
