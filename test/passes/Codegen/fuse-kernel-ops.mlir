// RUN: cleave-opt %s --cleave-convert-kernels-to-linalg --cleave-fuse-kernel-ops | FileCheck %s

// The exponential has two users and is expensive: it is computed once. The
// subtraction before it has one user, the division after it is its own op.
// CHECK-LABEL: func private @normalize
// CHECK: %[[E:.*]] = linalg.generic
// CHECK: arith.subf
// CHECK-NEXT: math.exp
// CHECK: %[[S:.*]] = linalg.generic {{.*}} ins(%[[E]],
// CHECK: arith.addf
// CHECK: linalg.generic {{.*}} ins(%[[E]], %[[S]]
// CHECK: arith.divf
// CHECK-NOT: linalg.generic
func.func private @normalize(%x: tensor<8x16xf32>, %y: tensor<8x16xf32>) -> tensor<8x16xf32> attributes {cleave.kernel} {
  %zero = cleave.constant dense<0.0> : tensor<f32>
  %d = cleave.subtract %x, %y : tensor<8x16xf32>
  %e = cleave.exponential %d : tensor<8x16xf32>
  %s = cleave.reduce(%e init: %zero) applies cleave.add across dimensions = [1] : (tensor<8x16xf32>, tensor<f32>) -> tensor<8xf32>
  %b = cleave.broadcast_in_dim %s, dims = [0] : (tensor<8xf32>) -> tensor<8x16xf32>
  %r = cleave.divide %e, %b : tensor<8x16xf32>
  return %r : tensor<8x16xf32>
}

// Both users of the tangent become one op, which then has it to itself.
// CHECK-LABEL: func private @diamond
// CHECK: linalg.generic
// CHECK: math.tanh
// CHECK-NOT: math.tanh
// CHECK: arith.mulf
// CHECK: arith.addf
// CHECK-NOT: linalg.generic
func.func private @diamond(%x: tensor<64xf32>) -> tensor<64xf32> attributes {cleave.kernel} {
  %t = cleave.tanh %x : tensor<64xf32>
  %a = cleave.multiply %t, %t : tensor<64xf32>
  %r = cleave.add %t, %a : tensor<64xf32>
  return %r : tensor<64xf32>
}
