// Arguments and results behind complex ones keep their numbers.
// RUN: %cleave run %s --random-inputs 1 | FileCheck %s
// CHECK: out0.real:
// CHECK-NEXT: out0.imag:
// CHECK-NEXT: out1:
// CHECK-NEXT: out2.0:
// CHECK-NEXT: out2.1:
// CHECK-NEXT: out3:
// RUN: %cleave compile %s -o %t.mlir --emit ir --mesh x=2 --shard out:2=x --shard arg1=x
// RUN: FileCheck %s --check-prefix=IR < %t.mlir
// IR: inputs({{.*}}<"arg1", tensor<4xf32>, {{\[\["x"}}
// IR: outputs({{.*}}<"out2.0", tensor<4xf32>, {{\[\["x".*}}<"out2.1", tensor<4xf32>, {{\[\["x"}}
func.func @main(%z: tensor<4xcomplex<f32>>, %x: tensor<4xf32>)
    -> (tensor<4xcomplex<f32>>, tensor<4xf32>, tuple<tensor<4xf32>, tensor<4xf32>>, tensor<4xf32>) {
  %0 = stablehlo.real %z : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
  %1 = stablehlo.add %0, %x : tensor<4xf32>
  %2 = stablehlo.tuple %0, %x : tuple<tensor<4xf32>, tensor<4xf32>>
  return %z, %x, %2, %1 : tensor<4xcomplex<f32>>, tensor<4xf32>, tuple<tensor<4xf32>, tensor<4xf32>>, tensor<4xf32>
}
