// Floats of 8 bits are moved as they are. Arithmetic is on f32 between conversions, products are of them.
// RUN: cleave-opt %s -cleave-convert-stablehlo-to-cleave -split-input-file | FileCheck %s

// CHECK-LABEL: func.func @moved
// CHECK-NOT: convert
func.func @moved(%x: tensor<2x3xf8E4M3FN>, %p: tensor<3x2xi1>) -> tensor<3x2xf8E4M3FN> {
  // CHECK: cleave.constant dense<{{.*}}> : tensor<3x2xf8E4M3FN>
  %c = stablehlo.constant dense<[[448.0, -1.953125e-03], [1.0, 0x7F], [2.0, -3.0]]> : tensor<3x2xf8E4M3FN>
  // CHECK: cleave.transpose %{{.*}} : (tensor<2x3xf8E4M3FN>) -> tensor<3x2xf8E4M3FN>
  %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<2x3xf8E4M3FN>) -> tensor<3x2xf8E4M3FN>
  // CHECK: cleave.select %{{.*}} : tensor<3x2xi1>, tensor<3x2xf8E4M3FN>
  %1 = stablehlo.select %p, %0, %c : tensor<3x2xi1>, tensor<3x2xf8E4M3FN>
  // CHECK: return
  return %1 : tensor<3x2xf8E4M3FN>
}

// -----

// CHECK-LABEL: func.func @arithmetic
// CHECK-SAME: (%[[X:.*]]: tensor<4xf8E5M2>)
func.func @arithmetic(%x: tensor<4xf8E5M2>) -> tensor<4xi1> {
  // CHECK: %[[A:.*]] = cleave.convert %[[X]] : (tensor<4xf8E5M2>) -> tensor<4xf32>
  // CHECK: %[[B:.*]] = cleave.convert %[[X]] : (tensor<4xf8E5M2>) -> tensor<4xf32>
  // CHECK: %[[S:.*]] = cleave.add %[[A]], %[[B]] : tensor<4xf32>
  // CHECK: %[[R:.*]] = cleave.convert %[[S]] : (tensor<4xf32>) -> tensor<4xf8E5M2>
  %0 = stablehlo.add %x, %x : tensor<4xf8E5M2>
  // CHECK: %[[E:.*]] = cleave.exponential
  // CHECK: %[[F:.*]] = cleave.convert %[[E]] : (tensor<4xf32>) -> tensor<4xf8E5M2>
  %1 = stablehlo.exponential %0 : tensor<4xf8E5M2>
  // CHECK: cleave.compare LT, %{{.*}}, %{{.*}} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %2 = stablehlo.compare LT, %1, %x, FLOAT : (tensor<4xf8E5M2>, tensor<4xf8E5M2>) -> tensor<4xi1>
  return %2 : tensor<4xi1>
}

// -----

// CHECK-LABEL: func.func @products
func.func @products(%a: tensor<2x3xf8E4M3FN>, %b: tensor<3x2xf8E4M3FN>, %c: tensor<3x2xf8E5M2>, %s: tensor<2x3xf8E8M0FNU>, %t: tensor<3x2xf8E8M0FNU>)
    -> (tensor<2x2xf32>, tensor<2x2xbf16>, tensor<2x2xf8E4M3FN>, tensor<2x2xf16>, tensor<2x2xf32>, tensor<2x2xbf16>) {
  // CHECK: cleave.dot_general %arg0, %arg1, contracting_dims = [1] x [0] : (tensor<2x3xf8E4M3FN>, tensor<3x2xf8E4M3FN>) -> tensor<2x2xf32>
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<2x3xf8E4M3FN>, tensor<3x2xf8E4M3FN>) -> tensor<2x2xf32>
  // CHECK: cleave.dot_general %arg0, %arg1, {{.*}} -> tensor<2x2xbf16>
  %1 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<2x3xf8E4M3FN>, tensor<3x2xf8E4M3FN>) -> tensor<2x2xbf16>
  // CHECK: %[[P:.*]] = cleave.dot_general %arg0, %arg1, {{.*}} -> tensor<2x2xf32>
  // CHECK: cleave.convert %[[P]] : (tensor<2x2xf32>) -> tensor<2x2xf8E4M3FN>
  %2 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<2x3xf8E4M3FN>, tensor<3x2xf8E4M3FN>) -> tensor<2x2xf8E4M3FN>
  // CHECK: %[[Q:.*]] = cleave.dot_general %arg0, %arg1, {{.*}} -> tensor<2x2xf32>
  // CHECK: cleave.convert %[[Q]] : (tensor<2x2xf32>) -> tensor<2x2xf16>
  %3 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<2x3xf8E4M3FN>, tensor<3x2xf8E4M3FN>) -> tensor<2x2xf16>
  // Two types: in that of the result.
  // CHECK: cleave.convert %arg0 : (tensor<2x3xf8E4M3FN>) -> tensor<2x3xf32>
  // CHECK: cleave.convert %arg2 : (tensor<3x2xf8E5M2>) -> tensor<3x2xf32>
  // CHECK: cleave.dot_general {{.*}} : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>
  %4 = stablehlo.dot_general %a, %c, contracting_dims = [1] x [0] : (tensor<2x3xf8E4M3FN>, tensor<3x2xf8E5M2>) -> tensor<2x2xf32>
  // Without zero, padding could not be masked.
  // CHECK: cleave.dot_general {{.*}} : (tensor<2x3xbf16>, tensor<3x2xbf16>) -> tensor<2x2xbf16>
  %5 = stablehlo.dot_general %s, %t, contracting_dims = [1] x [0] : (tensor<2x3xf8E8M0FNU>, tensor<3x2xf8E8M0FNU>) -> tensor<2x2xbf16>
  return %0, %1, %2, %3, %4, %5 : tensor<2x2xf32>, tensor<2x2xbf16>, tensor<2x2xf8E4M3FN>, tensor<2x2xf16>, tensor<2x2xf32>, tensor<2x2xbf16>
}

// -----

// Sums are made in f32 and rounded once; a function that does more rounds in between.
// CHECK-LABEL: func.func @reductions
func.func @reductions(%x: tensor<4x8xf8E4M3>) -> (tensor<4xf8E4M3>, tensor<4xf8E4M3>) {
  %z = stablehlo.constant dense<0.0> : tensor<f8E4M3>
  // CHECK: %[[R:.*]] = cleave.reduce(%{{.*}} init: %{{.*}}) applies cleave.add across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  // CHECK: cleave.convert %[[R]] : (tensor<4xf32>) -> tensor<4xf8E4M3>
  %0 = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [1] : (tensor<4x8xf8E4M3>, tensor<f8E4M3>) -> tensor<4xf8E4M3>
  // CHECK: cleave.reduce
  // CHECK-SAME: (tensor<4x8xf8E4M3>, tensor<f8E4M3>) -> tensor<4xf8E4M3>
  // CHECK: cleave.multiply %{{.*}} : tensor<f32>
  // CHECK: cleave.convert %{{.*}} : (tensor<f32>) -> tensor<f8E4M3>
  // CHECK: cleave.add %{{.*}} : tensor<f32>
  // CHECK: cleave.convert %{{.*}} : (tensor<f32>) -> tensor<f8E4M3>
  %1 = stablehlo.reduce(%x init: %z) across dimensions = [1] : (tensor<4x8xf8E4M3>, tensor<f8E4M3>) -> tensor<4xf8E4M3>
    reducer(%a: tensor<f8E4M3>, %b: tensor<f8E4M3>) {
      %s = stablehlo.multiply %b, %b : tensor<f8E4M3>
      %t = stablehlo.add %a, %s : tensor<f8E4M3>
      stablehlo.return %t : tensor<f8E4M3>
    }
  return %0, %1 : tensor<4xf8E4M3>, tensor<4xf8E4M3>
}

// -----

// CHECK-LABEL: func.func @others
func.func @others(%x: tensor<8xf8E5M2FNUZ>) -> (tensor<8xui8>, tensor<8xf8E5M2FNUZ>, tensor<8xi8>, tensor<8xf8E5M2FNUZ>) {
  // CHECK: cleave.bitcast_convert %arg0 : (tensor<8xf8E5M2FNUZ>) -> tensor<8xui8>
  %0 = stablehlo.bitcast_convert %x : (tensor<8xf8E5M2FNUZ>) -> tensor<8xui8>
  // CHECK: %[[I:.*]] = cleave.iota dim = 0 : tensor<8xi64>
  // CHECK: cleave.convert %[[I]] : (tensor<8xi64>) -> tensor<8xf8E5M2FNUZ>
  %1 = stablehlo.iota dim = 0 : tensor<8xf8E5M2FNUZ>
  // CHECK: %[[W:.*]] = cleave.convert %arg0 : (tensor<8xf8E5M2FNUZ>) -> tensor<8xf32>
  // CHECK: cleave.clamp %{{.*}}, %[[W]], %{{.*}} : (tensor<f32>, tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  %2 = stablehlo.convert %x : (tensor<8xf8E5M2FNUZ>) -> tensor<8xi4>
  %3 = stablehlo.convert %2 : (tensor<8xi4>) -> tensor<8xi8>
  // More bits than the type has change nothing.
  // CHECK-NOT: reduce_precision
  %4 = stablehlo.reduce_precision %x, format = e5m2 : tensor<8xf8E5M2FNUZ>
  return %0, %1, %3, %4 : tensor<8xui8>, tensor<8xf8E5M2FNUZ>, tensor<8xi8>, tensor<8xf8E5M2FNUZ>
}
