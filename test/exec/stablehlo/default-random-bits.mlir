// DEFAULT random bits are those of XLA on processors: PHILOX.
// RUN: %cleave check %s | FileCheck %s
// CHECK: 1 passed, 0 failed, 0 skipped
func.func @main() {
  %key = stablehlo.constant dense<[4294967301, 21474836480]> : tensor<2xui64>
  %state, %bits = stablehlo.rng_bit_generator %key, algorithm = DEFAULT : (tensor<2xui64>) -> (tensor<2xui64>, tensor<ui32>)
  %next = stablehlo.constant dense<[4294967301, 21474836481]> : tensor<2xui64>
  %expected = stablehlo.constant dense<1477273416> : tensor<ui32>
  stablehlo.custom_call @check.expect_eq(%state, %next) {has_side_effect = true} : (tensor<2xui64>, tensor<2xui64>) -> ()
  stablehlo.custom_call @check.expect_eq(%bits, %expected) {has_side_effect = true} : (tensor<ui32>, tensor<ui32>) -> ()
  return
}
