// The first process of each group gets the sum, the others zeros; of other computations, too.
// RUN: %cleave check %s | FileCheck %s
// CHECK: 2 passed, 0 failed, 0 skipped
module @two_groups {
  func.func @sum(%x: tensor<2xi64>) -> tensor<2xi64> {
    %0 = "stablehlo.collective_reduce"(%x) ({
    ^bb0(%a: tensor<i64>, %b: tensor<i64>):
      %s = stablehlo.add %a, %b : tensor<i64>
      stablehlo.return %s : tensor<i64>
    }) {replica_groups = dense<[[2, 0], [1, 3]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 0, type = 0>} : (tensor<2xi64>) -> tensor<2xi64>
    return %0 : tensor<2xi64>
  }
  func.func @main() {
    %a = stablehlo.constant dense<[1, 2]> : tensor<2xi64>
    %b = stablehlo.constant dense<[3, 4]> : tensor<2xi64>
    %c = stablehlo.constant dense<[50, 60]> : tensor<2xi64>
    %d = stablehlo.constant dense<[700, 800]> : tensor<2xi64>
    %0:4 = "interpreter.run_parallel"(%a, %b, %c, %d) {programs = [[@sum], [@sum], [@sum], [@sum]]} : (tensor<2xi64>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> (tensor<2xi64>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>)
    check.expect_eq_const %0#0, dense<0> : tensor<2xi64>
    check.expect_eq_const %0#1, dense<[703, 804]> : tensor<2xi64>
    check.expect_eq_const %0#2, dense<[51, 62]> : tensor<2xi64>
    check.expect_eq_const %0#3, dense<0> : tensor<2xi64>
    return
  }
}
// -----
module @of_floats {
  func.func @any(%x: tensor<2xf32>) -> tensor<2xf32> {
    %0 = "stablehlo.collective_reduce"(%x) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %s = stablehlo.subtract %a, %b : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2xf32>) -> tensor<2xf32>
    return %0 : tensor<2xf32>
  }
  func.func @main() {
    %a = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
    %b = stablehlo.constant dense<[0.5, 4.0]> : tensor<2xf32>
    // The names of programs as strings, as older programs have them.
    %0:2 = "interpreter.run_parallel"(%a, %b) {programs = [["any"], ["any"]]} : (tensor<2xf32>, tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)
    check.expect_eq_const %0#0, dense<[0.5, -2.0]> : tensor<2xf32>
    check.expect_eq_const %0#1, dense<0.0> : tensor<2xf32>
    return
  }
}
