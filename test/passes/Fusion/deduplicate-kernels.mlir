// RUN: cleave-opt %s --cleave-deduplicate-kernels | FileCheck %s

// CHECK-LABEL: func @main
// CHECK-NEXT: %[[A:.*]] = call @kernel_0(%{{.*}})
// CHECK-NEXT: %[[B:.*]] = call @kernel_0(%[[A]])
// CHECK-NEXT: call @kernel_2(%[[B]])
func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = call @kernel_0(%x) : (tensor<8xf32>) -> tensor<8xf32>
  %1 = call @kernel_1(%0) : (tensor<8xf32>) -> tensor<8xf32>
  %2 = call @kernel_2(%1) : (tensor<8xf32>) -> tensor<8xf32>
  return %2 : tensor<8xf32>
}

// CHECK: func private @kernel_0
func.func private @kernel_0(%a: tensor<8xf32>) -> tensor<8xf32> attributes {cleave.kernel} {
  %c = cleave.constant dense<1.0> : tensor<8xf32>
  %0 = cleave.add %a, %c : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// CHECK-NOT: @kernel_1
func.func private @kernel_1(%b: tensor<8xf32>) -> tensor<8xf32> attributes {cleave.kernel} {
  %one = cleave.constant dense<1.0> : tensor<8xf32>
  %0 = cleave.add %b, %one : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// Another constant makes another kernel.
// CHECK: func private @kernel_2
func.func private @kernel_2(%a: tensor<8xf32>) -> tensor<8xf32> attributes {cleave.kernel} {
  %c = cleave.constant dense<2.0> : tensor<8xf32>
  %0 = cleave.add %a, %c : tensor<8xf32>
  return %0 : tensor<8xf32>
}
