// RUN: cleave-opt %s --cleave-convert-kernels-to-linalg=fuse-products --split-input-file | FileCheck %s
// RUN: cleave-opt %s --cleave-convert-kernels-to-linalg --split-input-file | FileCheck %s --check-prefix=PLAIN

// A product that only a sum uses is not rounded before it; of two, the first.
// CHECK-LABEL: func private @sum
// CHECK: arith.mulf
// CHECK: %[[FMA:.*]] = math.fma %[[A:.*]], %[[B:.*]], %{{.*}} : f32
// CHECK-NOT: linalg.generic
// PLAIN-LABEL: func private @sum
// PLAIN-NOT: math.fma
func.func private @sum(%a: tensor<8xf32>, %b: tensor<8xf32>) -> tensor<8xf32> attributes {cleave.kernel} {
  %c = cleave.constant dense<0.5> : tensor<8xf32>
  %p = cleave.multiply %a, %c : tensor<8xf32>
  %q = cleave.multiply %b, %b : tensor<8xf32>
  %r = cleave.add %p, %q : tensor<8xf32>
  return %r : tensor<8xf32>
}

// -----

// CHECK-LABEL: func private @differences
// CHECK: ^bb0(%[[A:.*]]: f64, %[[B:.*]]: f64, %[[C:.*]]: f64, %{{.*}}: f64):
// CHECK: %[[N:.*]] = arith.negf %[[C]]
// CHECK: math.fma %[[A]], %[[B]], %[[N]] : f64
// CHECK: ^bb0(%[[C:.*]]: f64, %[[A:.*]]: f64, %[[B:.*]]: f64, %{{.*}}: f64):
// CHECK: %[[N:.*]] = arith.negf %[[A]]
// CHECK: math.fma %[[N]], %[[B]], %[[C]] : f64
func.func private @differences(%a: tensor<8xf64>, %b: tensor<8xf64>, %c: tensor<8xf64>) -> (tensor<8xf64>, tensor<8xf64>) attributes {cleave.kernel} {
  %p = cleave.multiply %a, %b : tensor<8xf64>
  %x = cleave.subtract %p, %c : tensor<8xf64>
  %q = cleave.multiply %a, %b : tensor<8xf64>
  %y = cleave.subtract %c, %q : tensor<8xf64>
  return %x, %y : tensor<8xf64>, tensor<8xf64>
}

// -----

// A product that is used elsewhere has one value, and narrow floats are rounded
// by each op.
// CHECK-LABEL: func private @used_twice
// CHECK-NOT: math.fma
// CHECK-LABEL: func private @half
// CHECK-NOT: math.fma
func.func private @used_twice(%a: tensor<8xf32>, %b: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) attributes {cleave.kernel} {
  %p = cleave.multiply %a, %b : tensor<8xf32>
  %r = cleave.add %p, %a : tensor<8xf32>
  return %p, %r : tensor<8xf32>, tensor<8xf32>
}
func.func private @half(%a: tensor<8xbf16>, %b: tensor<8xbf16>) -> tensor<8xbf16> attributes {cleave.kernel} {
  %p = cleave.multiply %a, %b : tensor<8xbf16>
  %r = cleave.add %p, %a : tensor<8xbf16>
  return %r : tensor<8xbf16>
}
