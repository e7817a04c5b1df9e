// RUN: cleave-opt %s | cleave-opt | FileCheck %s
// RUN: cleave-opt %s --mlir-print-op-generic | cleave-opt | FileCheck %s
// RUN: cleave-opt %s --emit-bytecode | cleave-opt | FileCheck %s

// CHECK-LABEL: func.func @linear(
func.func @linear(%x: tensor<2x5x8xf32>, %w: tensor<8x6xf32>, %b: tensor<6xf32>, %heads: tensor<5x8x3x2xf32>, %c: tensor<3x2xf32>) {
  // CHECK: cleave.linear %{{.*}}, %{{.*}} : (tensor<2x5x8xf32>, tensor<8x6xf32>) -> tensor<2x5x6xf32>
  cleave.linear %x, %w : (tensor<2x5x8xf32>, tensor<8x6xf32>) -> tensor<2x5x6xf32>
  // CHECK: cleave.linear %{{.*}}, %{{.*}} bias %{{.*}} {cleave.name = "up"} : (tensor<2x5x8xf32>, tensor<8x6xf32>, tensor<6xf32>) -> tensor<2x5x6xf32>
  cleave.linear %x, %w bias %b {cleave.name = "up"} : (tensor<2x5x8xf32>, tensor<8x6xf32>, tensor<6xf32>) -> tensor<2x5x6xf32>
  // CHECK: cleave.linear %{{.*}}, %{{.*}} bias %{{.*}} contracting = 2 : (tensor<2x5x8xf32>, tensor<5x8x3x2xf32>, tensor<3x2xf32>) -> tensor<2x3x2xf32>
  cleave.linear %x, %heads bias %c contracting = 2 : (tensor<2x5x8xf32>, tensor<5x8x3x2xf32>, tensor<3x2xf32>) -> tensor<2x3x2xf32>
  return
}

// CHECK-LABEL: func.func @normalise(
func.func @normalise(%x: tensor<2x8xf32>, %g: tensor<8xf32>, %b: tensor<8xf32>) {
  // CHECK: cleave.layer_norm %{{.*}}, %{{.*}}, %{{.*}}, epsilon = 1.000000e-05 : (tensor<2x8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<2x8xf32>
  cleave.layer_norm %x, %g, %b, epsilon = 1.000000e-05 : (tensor<2x8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<2x8xf32>
  // CHECK: cleave.rms_norm %{{.*}}, %{{.*}}, epsilon = 0.000000e+00 : (tensor<2x8xf32>, tensor<8xf32>) -> tensor<2x8xf32>
  cleave.rms_norm %x, %g, epsilon = 0.000000e+00 : (tensor<2x8xf32>, tensor<8xf32>) -> tensor<2x8xf32>
  // CHECK: cleave.softmax %{{.*}}, dim = 1 : tensor<2x8xf32>
  cleave.softmax %x, dim = 1 : tensor<2x8xf32>
  return
}

// CHECK-LABEL: func.func @activations(
func.func @activations(%x: tensor<2x8xf16>) {
  // CHECK: cleave.gelu %{{.*}} : tensor<2x8xf16>
  cleave.gelu %x : tensor<2x8xf16>
  // CHECK: cleave.gelu %{{.*}} form = tanh : tensor<2x8xf16>
  cleave.gelu %x form = tanh : tensor<2x8xf16>
  // CHECK: cleave.silu %{{.*}} : tensor<2x8xf16>
  cleave.silu %x : tensor<2x8xf16>
  // CHECK: cleave.relu %{{.*}} : tensor<2x8xf16>
  cleave.relu %x : tensor<2x8xf16>
  return
}

// CHECK-LABEL: func.func @attention(
func.func @attention(%q: tensor<2x5x4x8xf32>, %k: tensor<2x7x2x8xf32>, %v: tensor<2x7x2x3xf32>, %m: tensor<1x4x1x7xf32>,
                     %seen: tensor<1x1x5x7xi1>) {
  // CHECK: cleave.attention %{{.*}}, %{{.*}}, %{{.*}} mask %{{.*}} fill = -1.000000e+09 : (tensor<2x5x4x8xf32>, tensor<2x7x2x8xf32>, tensor<2x7x2x3xf32>, tensor<1x1x5x7xi1>) -> tensor<2x5x4x3xf32>
  cleave.attention %q, %k, %v mask %seen fill = -1.0e9 : (tensor<2x5x4x8xf32>, tensor<2x7x2x8xf32>, tensor<2x7x2x3xf32>, tensor<1x1x5x7xi1>) -> tensor<2x5x4x3xf32>
  // CHECK: cleave.attention %{{.*}}, %{{.*}}, %{{.*}} : (tensor<2x5x4x8xf32>, tensor<2x7x2x8xf32>, tensor<2x7x2x3xf32>) -> tensor<2x5x4x3xf32>
  cleave.attention %q, %k, %v : (tensor<2x5x4x8xf32>, tensor<2x7x2x8xf32>, tensor<2x7x2x3xf32>) -> tensor<2x5x4x3xf32>
  // CHECK: cleave.attention %{{.*}}, %{{.*}}, %{{.*}} mask %{{.*}} : (tensor<2x5x4x8xf32>, tensor<2x7x2x8xf32>, tensor<2x7x2x3xf32>, tensor<1x4x1x7xf32>) -> tensor<2x5x4x3xf32>
  cleave.attention %q, %k, %v mask %m : (tensor<2x5x4x8xf32>, tensor<2x7x2x8xf32>, tensor<2x7x2x3xf32>, tensor<1x4x1x7xf32>) -> tensor<2x5x4x3xf32>
  // CHECK: cleave.attention %{{.*}}, %{{.*}}, %{{.*}} mask %{{.*}} causal scale = 5.000000e-01 {cleave.name = "self"} : (tensor<2x5x4x8xf32>, tensor<2x7x2x8xf32>, tensor<2x7x2x3xf32>, tensor<1x4x1x7xf32>) -> tensor<2x5x4x3xf32>
  cleave.attention %q, %k, %v mask %m causal scale = 5.000000e-01 {cleave.name = "self"} : (tensor<2x5x4x8xf32>, tensor<2x7x2x8xf32>, tensor<2x7x2x3xf32>, tensor<1x4x1x7xf32>) -> tensor<2x5x4x3xf32>
  return
}

// CHECK-LABEL: func.func @positions(
func.func @positions(%x: tensor<2x5x4x8xf32>, %p: tensor<5xi32>, %bp: tensor<2x5xui32>) {
  // CHECK: cleave.rotary_embedding %{{.*}}, %{{.*}} : (tensor<2x5x4x8xf32>, tensor<5xi32>) -> tensor<2x5x4x8xf32>
  cleave.rotary_embedding %x, %p : (tensor<2x5x4x8xf32>, tensor<5xi32>) -> tensor<2x5x4x8xf32>
  // CHECK: cleave.rotary_embedding %{{.*}}, %{{.*}} base = 5.000000e+05 : (tensor<2x5x4x8xf32>, tensor<2x5xui32>) -> tensor<2x5x4x8xf32>
  cleave.rotary_embedding %x, %bp base = 5.000000e+05 : (tensor<2x5x4x8xf32>, tensor<2x5xui32>) -> tensor<2x5x4x8xf32>
  return
}

// CHECK-LABEL: func.func @lookup(
func.func @lookup(%table: tensor<9x4xbf16>, %ids: tensor<2x3xi32>, %id: tensor<i8>, %logits: tensor<2x3x9xf32>) {
  // CHECK: cleave.embedding %{{.*}}, %{{.*}} : (tensor<9x4xbf16>, tensor<2x3xi32>) -> tensor<2x3x4xbf16>
  cleave.embedding %table, %ids : (tensor<9x4xbf16>, tensor<2x3xi32>) -> tensor<2x3x4xbf16>
  // CHECK: cleave.embedding %{{.*}}, %{{.*}} : (tensor<9x4xbf16>, tensor<i8>) -> tensor<4xbf16>
  cleave.embedding %table, %id : (tensor<9x4xbf16>, tensor<i8>) -> tensor<4xbf16>
  // CHECK: cleave.cross_entropy %{{.*}}, %{{.*}} : (tensor<2x3x9xf32>, tensor<2x3xi32>) -> tensor<2x3xf32>
  cleave.cross_entropy %logits, %ids : (tensor<2x3x9xf32>, tensor<2x3xi32>) -> tensor<2x3xf32>
  return
}
