// RUN: cleave-opt %s '-cleave-partition=mesh=x=4 shard=x=-,x' | FileCheck %s

// The function of a reduction uses a constant from outside. A reduction in parts
// is two ops, and both use the rank's constant, not the one of the whole model.

// CHECK-LABEL: func.func @limited_maximum
// CHECK: %[[LIMIT:.*]] = cleave.constant dense<9.000000e+00> : tensor<f32>
// CHECK: cleave.reduce({{.*}}) across dimensions = [1] : (tensor<8x5xf32>, tensor<f32>) -> tensor<8xf32>
// CHECK: cleave.minimum %{{.*}}, %[[LIMIT]]
// CHECK: spmd.all_gather
// CHECK: cleave.reduce({{.*}}) across dimensions = [1] : (tensor<8x4xf32>, tensor<f32>) -> tensor<8xf32>
// CHECK: cleave.minimum %{{.*}}, %[[LIMIT]]
// CHECK-NOT: cleave.constant dense<9.0
func.func @limited_maximum(%x: tensor<8x20xf32> {cleave.name = "x"}) -> tensor<8xf32> {
  %limit = cleave.constant dense<9.0> : tensor<f32>
  %lowest = cleave.constant dense<0xFF800000> : tensor<f32>
  %r = cleave.reduce(%x init: %lowest) across dimensions = [1] : (tensor<8x20xf32>, tensor<f32>) -> tensor<8xf32>
   reducer(%a: tensor<f32>, %b: tensor<f32>) {
    %m = cleave.maximum %a, %b : tensor<f32>
    %s = cleave.minimum %m, %limit : tensor<f32>
    cleave.return %s : tensor<f32>
  }
  return %r : tensor<8xf32>
}
