// An operation of no dialect crashed the check of annotations.
// RUN: cleave-opt %s -allow-unregistered-dialect -cleave-import-shardy-shardings | FileCheck %s

sdy.mesh @mesh = <["x"=2]>
// CHECK-LABEL: func.func @main
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK-NEXT: "0x01"(%arg0)
  %0 = "0x01"(%a) : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
