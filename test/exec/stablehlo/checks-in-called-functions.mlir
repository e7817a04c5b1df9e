// A public function that main calls checks as a part of main; the program was skipped. One that is not called checks nothing.
// RUN: %cleave check %s | FileCheck %s
// CHECK: PASS {{.*}}: 2 expectations
func.func @main() {
  %x = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  call @once(%x) : (tensor<2xi32>) -> ()
  call @once(%x) : (tensor<2xi32>) -> ()
  return
}
func.func @once(%x: tensor<2xi32>) {
  check.expect_eq_const %x, dense<[1, 2]> : tensor<2xi32>
  return
}
func.func @never() {
  %x = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  check.expect_eq_const %x, dense<[3, 4]> : tensor<2xi32>
  return
}
