// RUN: cleave-opt %s -cleave-mask-padding | FileCheck %s

spmd.mesh @m <"x"=2, "y"=3>

// Over one axis: rank i has clamp(7 - 4i, 0, 4) valid rows.
// CHECK-LABEL: func.func @sum(
// CHECK-SAME: %[[A:.*]]: tensor<4x8xf32>
// CHECK: %[[N:.*]] = cleave.constant dense<7>
// CHECK: %[[Z:.*]] = cleave.constant dense<0>
// CHECK: %[[X:.*]] = spmd.axis_index @m ["x"]
// CHECK: %[[B:.*]] = cleave.constant dense<4>
// CHECK: %[[S:.*]] = cleave.multiply %[[X]], %[[B]]
// CHECK: %[[R:.*]] = cleave.subtract %[[N]], %[[S]]
// CHECK: %[[M:.*]] = cleave.constant dense<4>
// CHECK: %[[V:.*]] = cleave.clamp %[[Z]], %[[R]], %[[M]]
// CHECK: %[[I:.*]] = cleave.iota dim = 0 : tensor<4x8xi32>
// CHECK: %[[W:.*]] = cleave.broadcast_in_dim %[[V]]
// CHECK: %[[C:.*]] = cleave.compare LT, %[[I]], %[[W]]
// CHECK: %[[E:.*]] = cleave.constant dense<0.000000e+00> : tensor<f32>
// CHECK: %[[F:.*]] = cleave.broadcast_in_dim %[[E]]
// CHECK: %[[O:.*]] = cleave.select %[[C]], %[[A]], %[[F]]
// CHECK: return %[[O]]
func.func @sum(%a: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = spmd.mask_padding sum %a dim 0 size 7 over @m ["x"] : tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// Over two, level by level.
// CHECK-LABEL: func.func @nested(
// CHECK: %[[X:.*]] = spmd.axis_index @m ["x"]
// CHECK: cleave.constant dense<4>
// CHECK: %[[V:.*]] = cleave.clamp
// CHECK: %[[Y:.*]] = spmd.axis_index @m ["y"]
// CHECK: %[[B:.*]] = cleave.constant dense<2>
// CHECK: %[[S:.*]] = cleave.multiply %[[Y]], %[[B]]
// CHECK: %[[R:.*]] = cleave.subtract %[[V]], %[[S]]
// CHECK: %[[C:.*]] = cleave.clamp %{{.*}}, %[[R]], %{{.*}}
// CHECK: cleave.iota dim = 1 : tensor<8x2xi32>
// CHECK: cleave.broadcast_in_dim %[[C]]
// CHECK: cleave.constant dense<-2147483648> : tensor<i32>
func.func @nested(%a: tensor<8x2xi32>) -> tensor<8x2xi32> {
  %0 = spmd.mask_padding max %a dim 1 size 7 over @m ["x", "y"] : tensor<8x2xi32>
  return %0 : tensor<8x2xi32>
}

// Neutral elements.
// CHECK-LABEL: func.func @neutral(
// CHECK: cleave.constant dense<0.000000e+00> : tensor<f32>
// CHECK: cleave.constant dense<0xFF800000> : tensor<f32>
// CHECK: cleave.constant dense<0x7F800000> : tensor<f32>
// CHECK: cleave.constant dense<1.000000e+00> : tensor<f32>
// CHECK: cleave.constant dense<-128> : tensor<i8>
// CHECK: cleave.constant dense<127> : tensor<i8>
// CHECK: cleave.constant dense<0> : tensor<ui8>
// CHECK: cleave.constant dense<255> : tensor<ui8>
// CHECK: cleave.constant dense<true> : tensor<i1>
// CHECK: cleave.constant dense<false> : tensor<i1>
func.func @neutral(%f: tensor<4xf32>, %i: tensor<4xi8>, %u: tensor<4xui8>, %b: tensor<4xi1>) {
  %0 = spmd.mask_padding sum %f dim 0 size 7 over @m ["x"] : tensor<4xf32>
  %1 = spmd.mask_padding max %f dim 0 size 7 over @m ["x"] : tensor<4xf32>
  %2 = spmd.mask_padding min %f dim 0 size 7 over @m ["x"] : tensor<4xf32>
  %3 = spmd.mask_padding prod %f dim 0 size 7 over @m ["x"] : tensor<4xf32>
  %4 = spmd.mask_padding max %i dim 0 size 7 over @m ["x"] : tensor<4xi8>
  %5 = spmd.mask_padding min %i dim 0 size 7 over @m ["x"] : tensor<4xi8>
  %6 = spmd.mask_padding max %u dim 0 size 7 over @m ["x"] : tensor<4xui8>
  %7 = spmd.mask_padding min %u dim 0 size 7 over @m ["x"] : tensor<4xui8>
  %8 = spmd.mask_padding and %b dim 0 size 7 over @m ["x"] : tensor<4xi1>
  %9 = spmd.mask_padding or %b dim 0 size 7 over @m ["x"] : tensor<4xi1>
  return
}

// What a window holds below and above the dimension is filled: element p is global element
// 4 x - 1 + p, of 7.
// CHECK-LABEL: func.func @halo(
// CHECK: %[[H:.*]] = spmd.halo_exchange %{{.*}} dim 0 size 7 low 1 high 2 over @m ["x"] cause "c" : tensor<4x8xf32> -> tensor<7x8xf32>
// CHECK: %[[X:.*]] = spmd.axis_index @m ["x"]
// CHECK: %[[S:.*]] = cleave.multiply %[[X]], %{{.*}}
// CHECK: %[[ONE:.*]] = cleave.constant dense<1> : tensor<i32>
// CHECK: %[[LOW:.*]] = cleave.subtract %[[ONE]], %[[S]]
// CHECK: cleave.broadcast_in_dim %[[LOW]]
// CHECK: %[[GE:.*]] = cleave.compare GE
// CHECK: %[[EIGHT:.*]] = cleave.constant dense<8> : tensor<i32>
// CHECK: %[[HIGH:.*]] = cleave.subtract %[[EIGHT]], %[[S]]
// CHECK: cleave.broadcast_in_dim %[[HIGH]]
// CHECK: %[[LT:.*]] = cleave.compare LT
// CHECK: %[[IN:.*]] = cleave.and %[[GE]], %[[LT]]
// CHECK: %[[F:.*]] = cleave.constant dense<1.000000e+00> : tensor<7x8xf32>
// CHECK: %[[O:.*]] = cleave.select %[[IN]], %[[H]], %[[F]]
// CHECK: return %[[O]]
func.func @halo(%a: tensor<4x8xf32>) -> tensor<7x8xf32> {
  %0 = spmd.halo_exchange %a dim 0 size 7 low 1 high 2 over @m ["x"] fill 1.0 : f32 cause "c" : tensor<4x8xf32> -> tensor<7x8xf32>
  return %0 : tensor<7x8xf32>
}

// Only above; nothing where no window reaches out.
// CHECK-LABEL: func.func @halo_on_one_side(
// CHECK: spmd.halo_exchange
// CHECK-NOT: cleave.compare GE
// CHECK: cleave.compare LT
// CHECK: cleave.select
// CHECK: %[[B:.*]] = spmd.halo_exchange %{{.*}} low -1 high 0 over @m ["x"] : tensor<4x8xf32> -> tensor<3x8xf32>
// CHECK-NEXT: return %{{.*}}, %[[B]]
func.func @halo_on_one_side(%a: tensor<4x8xf32>) -> (tensor<5x8xf32>, tensor<3x8xf32>) {
  %0 = spmd.halo_exchange %a dim 0 size 8 low 0 high 1 over @m ["x"] fill 1.0 : f32 : tensor<4x8xf32> -> tensor<5x8xf32>
  %1 = spmd.halo_exchange %a dim 0 size 8 low -1 high 0 over @m ["x"] fill 1.0 : f32 : tensor<4x8xf32> -> tensor<3x8xf32>
  return %0, %1 : tensor<5x8xf32>, tensor<3x8xf32>
}
