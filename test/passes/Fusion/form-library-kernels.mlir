// RUN: cleave-opt %s --cleave-form-kernels | FileCheck %s
// A library call is a kernel of its own, with all results, whatever is around it.

// CHECK-LABEL: func.func @spectrum
// CHECK: %[[SCALED:.*]] = call @kernel_0(%arg0)
// CHECK: %[[FFT:.*]]:2 = call @kernel_1(%[[SCALED]])
// CHECK: call @kernel_2(%[[FFT]]#0)
func.func @spectrum(%x: tensor<3x8xf32>) -> tensor<3x5xf32> {
  %0 = cleave.negate %x : tensor<3x8xf32>
  %1:2 = cleave.fft RFFT %0, length = [8] : (tensor<3x8xf32>) -> (tensor<3x5xf32>, tensor<3x5xf32>)
  %2 = cleave.abs %1#0 : tensor<3x5xf32>
  return %2 : tensor<3x5xf32>
}

// An operand that appears twice is two arguments; a constant becomes a tensor.
// CHECK-LABEL: func.func @twice
// CHECK: %[[ONES:.*]] = call @kernel_3()
// CHECK: call @kernel_4(%arg0, %arg0)
// CHECK: call @kernel_5(%arg0, %[[ONES]])
func.func @twice(%a: tensor<3x3xf32>) -> (tensor<3x3xf32>, tensor<3x3xf32>) {
  %ones = cleave.constant dense<1.0> : tensor<3x3xf32>
  %0 = cleave.triangular_solve no_transpose left lower (%a) (%a) : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
  %1 = cleave.triangular_solve no_transpose left lower (%a) (%ones) : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
  return %0, %1 : tensor<3x3xf32>, tensor<3x3xf32>
}

// A constant from outside of a loop stayed in the kernel besides, which then was refused.
// CHECK-LABEL: func.func @in_a_loop
// CHECK: %[[ONES:.*]] = call @[[FILL:kernel_[0-9]+]]()
// CHECK: cleave.while
// CHECK: func.call @[[SOLVE:kernel_[0-9]+]](%{{.*}}, %[[ONES]])
func.func @in_a_loop(%n: tensor<i32>, %a: tensor<3x3xf32>) -> tensor<3x3xf32> {
  %ones = cleave.constant dense<1.0> : tensor<3x3xf32>
  %0:2 = cleave.while(%i = %n, %x = %a) : tensor<i32>, tensor<3x3xf32>
  cond {
    %zero = cleave.constant dense<0> : tensor<i32>
    %1 = cleave.compare LT, %i, %zero : (tensor<i32>, tensor<i32>) -> tensor<i1>
    cleave.return %1 : tensor<i1>
  } do {
    %1 = cleave.triangular_solve no_transpose left lower (%x) (%ones) : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
    cleave.return %i, %1 : tensor<i32>, tensor<3x3xf32>
  }
  return %0#1 : tensor<3x3xf32>
}

// CHECK: func.func private @kernel_1(%[[X:.*]]: tensor<3x8xf32>) -> (tensor<3x5xf32>, tensor<3x5xf32>) attributes {cleave.kernel}
// CHECK-NEXT: %[[R:.*]]:2 = cleave.fft RFFT %[[X]]
// CHECK-NEXT: return %[[R]]#0, %[[R]]#1
// CHECK: func.func private @[[SOLVE]](%[[A:.*]]: tensor<3x3xf32>, %[[B:.*]]: tensor<3x3xf32>)
// CHECK-NEXT: %{{.*}} = cleave.triangular_solve no_transpose left lower(%[[A]]) (%[[B]])
// CHECK: func.func private @[[FILL]]()
