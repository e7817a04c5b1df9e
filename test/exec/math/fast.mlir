// Functions of 3.5 ulps are within four times the bound of one rounding.
// RUN: %cleave verify %s --math fast --random-inputs 1 | FileCheck %s
// RUN: %cleave compile %s --math fast --emit llvm -o - | FileCheck %s --check-prefix=CODE
// CHECK: verified 1 of 1 outputs
// CODE: Sleef_{{.*}}tanhf{{.*}}_u35

func.func @f(%x: tensor<40x100xf32>) -> tensor<40x100xf32> {
  %0 = cleave.tanh %x : tensor<40x100xf32>
  %1 = cleave.sine %0 : tensor<40x100xf32>
  return %1 : tensor<40x100xf32>
}
