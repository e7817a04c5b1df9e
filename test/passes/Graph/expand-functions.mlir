// RUN: cleave-opt %s -cleave-expand-functions | FileCheck %s

// CHECK-LABEL: func.func @f(
// CHECK-SAME: %[[X:.*]]: tensor<3xf32>
// CHECK: %[[HALF:.*]] = cleave.constant dense<-0.693147{{.*}}> : tensor<3xf32>
// CHECK: %[[MINUS:.*]] = cleave.negate %[[X]]
// CHECK: cleave.add %[[X]], %[[HALF]]
// CHECK: cleave.exponential
// CHECK: cleave.add %[[MINUS]], %[[HALF]]
// CHECK: cleave.exponential
// CHECK: cleave.add {{.*}} {cleave.name = "c"}
// CHECK: cleave.exponential_minus_one %[[X]]
// CHECK: cleave.select
// CHECK-NOT: cleave.{{sinh|cosh}}
func.func @f(%x: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>) {
  %0 = cleave.cosh %x {cleave.name = "c"} : tensor<3xf32>
  %1 = cleave.sinh %x : tensor<3xf32>
  return %0, %1 : tensor<3xf32>, tensor<3xf32>
}
