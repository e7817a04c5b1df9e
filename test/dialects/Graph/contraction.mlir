// RUN: cleave-opt %s | cleave-opt | FileCheck %s
// RUN: cleave-opt %s --mlir-print-op-generic | cleave-opt | FileCheck %s
// RUN: cleave-opt %s --emit-bytecode | cleave-opt | FileCheck %s

// CHECK-LABEL: func.func @dot_general(
func.func @dot_general(%a: tensor<2x3x4xf32>, %b: tensor<2x4x5xf32>, %v: tensor<4xi8>, %h: tensor<3x4xbf16>, %e: tensor<3x0xf32>, %f: tensor<0x2xf32>) {
  // CHECK: cleave.dot_general %{{.*}}, %{{.*}}, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  cleave.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  // CHECK: cleave.dot_general %{{.*}}, %{{.*}}, contracting_dims = [0] x [0] : (tensor<4xi8>, tensor<4xi8>) -> tensor<i32>
  cleave.dot_general %v, %v, contracting_dims = [0] x [0] : (tensor<4xi8>, tensor<4xi8>) -> tensor<i32>
  // CHECK: cleave.dot_general %{{.*}}, %{{.*}}, batching_dims = [0] x [0] : (tensor<4xi8>, tensor<4xi8>) -> tensor<4xi8>
  cleave.dot_general %v, %v, batching_dims = [0] x [0] : (tensor<4xi8>, tensor<4xi8>) -> tensor<4xi8>
  // CHECK: cleave.dot_general %{{.*}}, %{{.*}} : (tensor<4xi8>, tensor<4xi8>) -> tensor<4x4xi8>
  cleave.dot_general %v, %v : (tensor<4xi8>, tensor<4xi8>) -> tensor<4x4xi8>
  // CHECK: cleave.dot_general %{{.*}}, %{{.*}}, contracting_dims = [1] x [1] {cleave.name = "scores"} : (tensor<3x4xbf16>, tensor<3x4xbf16>) -> tensor<3x3xf32>
  cleave.dot_general %h, %h, contracting_dims = [1] x [1] {cleave.name = "scores"} : (tensor<3x4xbf16>, tensor<3x4xbf16>) -> tensor<3x3xf32>
  // CHECK: cleave.dot_general %{{.*}}, %{{.*}}, contracting_dims = [1] x [0] : (tensor<3x0xf32>, tensor<0x2xf32>) -> tensor<3x2xf32>
  cleave.dot_general %e, %f, contracting_dims = [1] x [0] : (tensor<3x0xf32>, tensor<0x2xf32>) -> tensor<3x2xf32>
  return
}

// CHECK-LABEL: func.func @reduce(
func.func @reduce(%x: tensor<2x3xf32>, %z: tensor<f32>, %i: tensor<2x3xi32>, %k: tensor<i32>, %p: tensor<2x3xi1>, %q: tensor<i1>) {
  // CHECK: cleave.reduce(%{{.*}} init: %{{.*}}) applies cleave.add across dimensions = [1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  cleave.reduce(%x init: %z) applies cleave.add across dimensions = [1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  // CHECK: cleave.reduce(%{{.*}} init: %{{.*}}) applies cleave.multiply across dimensions = [1, 0] : (tensor<2x3xf32>, tensor<f32>) -> tensor<f32>
  cleave.reduce(%x init: %z) applies cleave.multiply across dimensions = [1, 0] : (tensor<2x3xf32>, tensor<f32>) -> tensor<f32>
  // CHECK: cleave.reduce(%{{.*}} init: %{{.*}}) applies cleave.maximum across dimensions = [] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
  cleave.reduce(%x init: %z) applies cleave.maximum across dimensions = [] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
  // CHECK: cleave.reduce(%{{.*}} init: %{{.*}}) applies cleave.minimum across dimensions = [0] {cleave.name = "low"} : (tensor<2x3xf32>, tensor<f32>) -> tensor<3xf32>
  cleave.reduce(%x init: %z) applies cleave.minimum across dimensions = [0] {cleave.name = "low"} : (tensor<2x3xf32>, tensor<f32>) -> tensor<3xf32>
  // CHECK: cleave.reduce(%{{.*}} init: %{{.*}}) applies cleave.xor across dimensions = [0] : (tensor<2x3xi32>, tensor<i32>) -> tensor<3xi32>
  cleave.reduce(%i init: %k) applies cleave.xor across dimensions = [0] : (tensor<2x3xi32>, tensor<i32>) -> tensor<3xi32>
  // CHECK: cleave.reduce(%{{.*}} init: %{{.*}}) applies cleave.and across dimensions = [0] : (tensor<2x3xi1>, tensor<i1>) -> tensor<3xi1>
  cleave.reduce(%p init: %q) applies cleave.and across dimensions = [0] : (tensor<2x3xi1>, tensor<i1>) -> tensor<3xi1>
  // CHECK: cleave.reduce(%{{.*}} init: %{{.*}}) applies cleave.or across dimensions = [0] : (tensor<2x3xi1>, tensor<i1>) -> tensor<3xi1>
  cleave.reduce(%p init: %q) applies cleave.or across dimensions = [0] : (tensor<2x3xi1>, tensor<i1>) -> tensor<3xi1>
  return
}

// What the short form cannot say keeps its region.
// CHECK-LABEL: func.func @reducer(
func.func @reducer(%x: tensor<2x3xf32>, %z: tensor<f32>, %i: tensor<2x3xi32>, %k: tensor<i32>) {
  // CHECK: cleave.reduce(%{{.*}} init: %{{.*}}) across dimensions = [0] : (tensor<2x3xf32>, tensor<f32>) -> tensor<3xf32>
  cleave.reduce(%x init: %z) across dimensions = [0] : (tensor<2x3xf32>, tensor<f32>) -> tensor<3xf32>
   // CHECK: reducer(%{{.*}}: tensor<f32>, %{{.*}}: tensor<f32>) {
   reducer(%a: tensor<f32>, %e: tensor<f32>) {
    // CHECK: cleave.add %{{.*}}, %{{.*}} : tensor<f32>
    %0 = cleave.add %e, %a : tensor<f32>
    // CHECK: cleave.return %{{.*}} : tensor<f32>
    cleave.return %0 : tensor<f32>
  }
  // CHECK: cleave.reduce(%{{.*}} init: %{{.*}}) across dimensions = [0] : (tensor<2x3xf32>, tensor<f32>) -> tensor<3xf32>
  cleave.reduce(%x init: %z) across dimensions = [0] : (tensor<2x3xf32>, tensor<f32>) -> tensor<3xf32>
   // CHECK: reducer(%{{.*}}: tensor<f32>, %{{.*}}: tensor<f32>) {
   reducer(%a: tensor<f32>, %e: tensor<f32>) {
    // CHECK: cleave.subtract %{{.*}}, %{{.*}} : tensor<f32>
    %0 = cleave.subtract %a, %e : tensor<f32>
    // CHECK: cleave.return %{{.*}} : tensor<f32>
    cleave.return %0 : tensor<f32>
  }
  // CHECK: cleave.reduce(%{{.*}} init: %{{.*}}) across dimensions = [0] : (tensor<2x3xf32>, tensor<f32>) -> tensor<3xf32>
  cleave.reduce(%x init: %z) across dimensions = [0] : (tensor<2x3xf32>, tensor<f32>) -> tensor<3xf32>
   // CHECK: reducer(%{{.*}}: tensor<f32>, %{{.*}}: tensor<f32>) {
   reducer(%a: tensor<f32>, %e: tensor<f32>) {
    // CHECK: cleave.add %{{.*}}, %{{.*}} {cleave.name = "step"} : tensor<f32>
    %0 = cleave.add %a, %e {cleave.name = "step"} : tensor<f32>
    // CHECK: cleave.return %{{.*}} : tensor<f32>
    cleave.return %0 : tensor<f32>
  }
  // CHECK: cleave.reduce(%{{.*}} init: %{{.*}}), (%{{.*}} init: %{{.*}}) across dimensions = [1] {cleave.name = "argmax"} : (tensor<2x3xf32>, tensor<2x3xi32>, tensor<f32>, tensor<i32>) -> (tensor<2xf32>, tensor<2xi32>)
  cleave.reduce(%x init: %z), (%i init: %k) across dimensions = [1] {cleave.name = "argmax"} : (tensor<2x3xf32>, tensor<2x3xi32>, tensor<f32>, tensor<i32>) -> (tensor<2xf32>, tensor<2xi32>)
   // CHECK: reducer(%{{.*}}: tensor<f32>, %{{.*}}: tensor<f32>) (%{{.*}}: tensor<i32>, %{{.*}}: tensor<i32>) {
   reducer(%a: tensor<f32>, %e: tensor<f32>) (%ai: tensor<i32>, %ei: tensor<i32>) {
    // CHECK: cleave.compare GE, %{{.*}}, %{{.*}} : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %0 = cleave.compare GE, %a, %e : (tensor<f32>, tensor<f32>) -> tensor<i1>
    // CHECK: cleave.select %{{.*}}, %{{.*}}, %{{.*}} : tensor<i1>, tensor<f32>
    %1 = cleave.select %0, %a, %e : tensor<i1>, tensor<f32>
    // CHECK: cleave.select %{{.*}}, %{{.*}}, %{{.*}} : tensor<i1>, tensor<i32>
    %2 = cleave.select %0, %ai, %ei : tensor<i1>, tensor<i32>
    // CHECK: cleave.return %{{.*}}, %{{.*}} : tensor<f32>, tensor<i32>
    cleave.return %1, %2 : tensor<f32>, tensor<i32>
  }
  return
}
