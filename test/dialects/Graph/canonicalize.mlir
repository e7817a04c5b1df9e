// RUN: cleave-opt %s -canonicalize | FileCheck %s

// CHECK-LABEL: func.func @identities(
// CHECK-SAME:    %[[X:.*]]: tensor<2x3xf32>)
func.func @identities(%x: tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) {
  %0 = cleave.reshape %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %1 = cleave.transpose %x, dims = [0, 1] : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %2 = cleave.convert %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %3 = cleave.broadcast_in_dim %x, dims = [0, 1] : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK-NEXT: return %[[X]], %[[X]], %[[X]], %[[X]]
  return %0, %1, %2, %3 : tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>
}

// A square matrix transposed or broadcast crosswise has the same type.
// CHECK-LABEL: func.func @same_type(
func.func @same_type(%x: tensor<3x3xf32>) -> (tensor<3x3xf32>, tensor<3x3xf32>) {
  // CHECK: cleave.transpose %{{.*}}, dims = [1, 0]
  %0 = cleave.transpose %x, dims = [1, 0] : (tensor<3x3xf32>) -> tensor<3x3xf32>
  // CHECK: cleave.broadcast_in_dim %{{.*}}, dims = [1, 0]
  %1 = cleave.broadcast_in_dim %x, dims = [1, 0] : (tensor<3x3xf32>) -> tensor<3x3xf32>
  return %0, %1 : tensor<3x3xf32>, tensor<3x3xf32>
}

// CHECK-LABEL: func.func @chains(
// CHECK-SAME:    %[[X:.*]]: tensor<2x3x4xf32>)
func.func @chains(%x: tensor<2x3x4xf32>) -> (tensor<6x4xf32>, tensor<2x3x4xf32>, tensor<4x2x3xf32>, tensor<2x3x4xf32>) {
  %0 = cleave.reshape %x : (tensor<2x3x4xf32>) -> tensor<24xf32>
  // CHECK-DAG: %[[FLAT:.*]] = cleave.reshape %[[X]] : (tensor<2x3x4xf32>) -> tensor<6x4xf32>
  %1 = cleave.reshape %0 : (tensor<24xf32>) -> tensor<6x4xf32>
  %2 = cleave.reshape %0 : (tensor<24xf32>) -> tensor<2x3x4xf32>
  %3 = cleave.transpose %x, dims = [1, 2, 0] : (tensor<2x3x4xf32>) -> tensor<3x4x2xf32>
  // CHECK-DAG: %[[TURNED:.*]] = cleave.transpose %[[X]], dims = [2, 0, 1] : (tensor<2x3x4xf32>) -> tensor<4x2x3xf32>
  %4 = cleave.transpose %3, dims = [1, 2, 0] : (tensor<3x4x2xf32>) -> tensor<4x2x3xf32>
  %5 = cleave.transpose %3, dims = [2, 0, 1] : (tensor<3x4x2xf32>) -> tensor<2x3x4xf32>
  // CHECK: return %[[FLAT]], %[[X]], %[[TURNED]], %[[X]]
  return %1, %2, %4, %5 : tensor<6x4xf32>, tensor<2x3x4xf32>, tensor<4x2x3xf32>, tensor<2x3x4xf32>
}

// A size of one may be repeated by the first, the second or none.
// CHECK-LABEL: func.func @chains_of_broadcasts(
// CHECK-SAME:    %[[X:.*]]: tensor<5xf32>, %[[Y:.*]]: tensor<1x4xf32>)
func.func @chains_of_broadcasts(%x: tensor<5xf32>, %y: tensor<1x4xf32>) -> (tensor<2x3x5xf32>, tensor<4x2x7xf32>) {
  // CHECK-DAG: %[[A:.*]] = cleave.broadcast_in_dim %[[X]], dims = [2] : (tensor<5xf32>) -> tensor<2x3x5xf32>
  %0 = cleave.broadcast_in_dim %x, dims = [2] : (tensor<5xf32>) -> tensor<1x1x5xf32>
  %1 = cleave.broadcast_in_dim %0, dims = [0, 1, 2] : (tensor<1x1x5xf32>) -> tensor<2x3x5xf32>
  // CHECK-DAG: %[[B:.*]] = cleave.broadcast_in_dim %[[Y]], dims = [2, 0] : (tensor<1x4xf32>) -> tensor<4x2x7xf32>
  %2 = cleave.broadcast_in_dim %y, dims = [2, 0] : (tensor<1x4xf32>) -> tensor<4x1x1xf32>
  %3 = cleave.broadcast_in_dim %2, dims = [0, 1, 2] : (tensor<4x1x1xf32>) -> tensor<4x2x7xf32>
  // CHECK: return %[[A]], %[[B]]
  return %1, %3 : tensor<2x3x5xf32>, tensor<4x2x7xf32>
}

// CHECK-LABEL: func.func @splats(
func.func @splats() -> (tensor<2x3xf32>, tensor<6xf32>, tensor<3x2xf32>, tensor<2x3xbf16>, tensor<f64>, tensor<f32>, tensor<f32>) {
  %scalar = cleave.constant dense<1.5> : tensor<f32>
  %signed = cleave.constant dense<-2> : tensor<i8>
  %unsigned = cleave.constant dense<254> : tensor<ui8>
  %true = cleave.constant dense<true> : tensor<i1>
  // CHECK-DAG: %[[M:.*]] = cleave.constant dense<1.500000e+00> : tensor<2x3xf32>
  %0 = cleave.broadcast_in_dim %scalar, dims = [] : (tensor<f32>) -> tensor<2x3xf32>
  // CHECK-DAG: %[[R:.*]] = cleave.constant dense<1.500000e+00> : tensor<6xf32>
  %1 = cleave.reshape %0 : (tensor<2x3xf32>) -> tensor<6xf32>
  // CHECK-DAG: %[[T:.*]] = cleave.constant dense<1.500000e+00> : tensor<3x2xf32>
  %2 = cleave.transpose %0, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  // CHECK-DAG: %[[H:.*]] = cleave.constant dense<1.500000e+00> : tensor<2x3xbf16>
  %3 = cleave.convert %0 : (tensor<2x3xf32>) -> tensor<2x3xbf16>
  // CHECK-DAG: %[[S:.*]] = cleave.constant dense<-2.000000e+00> : tensor<f64>
  %4 = cleave.convert %signed : (tensor<i8>) -> tensor<f64>
  // CHECK-DAG: %[[U:.*]] = cleave.constant dense<2.540000e+02> : tensor<f32>
  %5 = cleave.convert %unsigned : (tensor<ui8>) -> tensor<f32>
  // CHECK-DAG: %[[ONE:.*]] = cleave.constant dense<1.000000e+00> : tensor<f32>
  %6 = cleave.convert %true : (tensor<i1>) -> tensor<f32>
  // CHECK: return %[[M]], %[[R]], %[[T]], %[[H]], %[[S]], %[[U]], %[[ONE]]
  return %0, %1, %2, %3, %4, %5, %6 : tensor<2x3xf32>, tensor<6xf32>, tensor<3x2xf32>, tensor<2x3xbf16>, tensor<f64>, tensor<f32>, tensor<f32>
}

// Data is not copied, and an empty splat has no value.
// CHECK-LABEL: func.func @kept(
func.func @kept() -> (tensor<2x1xf32>, tensor<1x2xi32>, tensor<0xf32>) {
  %data = cleave.constant dense<[1.0, 2.0]> : tensor<2xf32>
  // CHECK: cleave.reshape
  %0 = cleave.reshape %data : (tensor<2xf32>) -> tensor<2x1xf32>
  %row = cleave.constant dense<[[1.5, 2.5]]> : tensor<1x2xf32>
  // CHECK: cleave.convert
  %1 = cleave.convert %row : (tensor<1x2xf32>) -> tensor<1x2xi32>
  %scalar = cleave.constant dense<1.0> : tensor<f32>
  // CHECK: cleave.broadcast_in_dim
  %2 = cleave.broadcast_in_dim %scalar, dims = [] : (tensor<f32>) -> tensor<0xf32>
  return %0, %1, %2 : tensor<2x1xf32>, tensor<1x2xi32>, tensor<0xf32>
}

// An annotated value stays.
// CHECK-LABEL: func.func @annotated(
func.func @annotated(%x: tensor<6xf32>) -> (tensor<6xf32>, tensor<2x3xf32>) {
  // CHECK: %[[NAMED:.*]] = cleave.reshape %{{.*}} {cleave.name = "hidden"}
  %0 = cleave.reshape %x {cleave.name = "hidden"} : (tensor<6xf32>) -> tensor<6xf32>
  // CHECK: cleave.reshape %[[NAMED]]
  %1 = cleave.reshape %0 : (tensor<6xf32>) -> tensor<2x3xf32>
  return %0, %1 : tensor<6xf32>, tensor<2x3xf32>
}

// CHECK-LABEL: func.func @unused(
func.func @unused(%x: tensor<6xf32>, %z: tensor<f32>, %p: tensor<i1>) {
  // CHECK-NEXT: return
  %0 = cleave.reduce(%x init: %z) applies cleave.add across dimensions = [0] : (tensor<6xf32>, tensor<f32>) -> tensor<f32>
  %1 = cleave.gelu %x : tensor<6xf32>
  %2 = cleave.if %p : (tensor<i1>) -> tensor<f32> then {
    cleave.return %0 : tensor<f32>
  } else {
    cleave.return %z : tensor<f32>
  }
  return
}

// A value that was rounded is not what it was before.
// CHECK-LABEL: func.func @rounding(
func.func @rounding(%x: tensor<6xf64>) -> tensor<6xf64> {
  // CHECK: %[[NARROW:.*]] = cleave.convert %{{.*}} : (tensor<6xf64>) -> tensor<6xf32>
  // CHECK: %[[WIDE:.*]] = cleave.convert %[[NARROW]] : (tensor<6xf32>) -> tensor<6xf64>
  // CHECK: return %[[WIDE]]
  %0 = cleave.convert %x : (tensor<6xf64>) -> tensor<6xf32>
  %1 = cleave.convert %0 : (tensor<6xf32>) -> tensor<6xf64>
  return %1 : tensor<6xf64>
}
