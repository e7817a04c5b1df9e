// RUN: cleave-opt %s -cleave-form-reduce-scatters | FileCheck %s

spmd.mesh @m <"x"=2, "y"=4>

// CHECK-LABEL: func.func @same_axes(
// CHECK-SAME: %[[A:.*]]: tensor<8x8xf32>
// CHECK-NEXT: %[[R:.*]] = spmd.reduce_scatter sum %[[A]] dim 1 over @m ["y"] cause "why" : tensor<8x8xf32> -> tensor<8x2xf32>
// CHECK-NEXT: return %[[R]]
func.func @same_axes(%a: tensor<8x8xf32>) -> tensor<8x2xf32> {
  %0 = spmd.all_reduce sum %a over @m ["y"] cause "why" : tensor<8x8xf32>
  %1 = spmd.all_slice %0 dim 1 over @m ["y"] cause "slice" : tensor<8x8xf32> -> tensor<8x2xf32>
  return %1 : tensor<8x2xf32>
}

// Uneven, and another reduction.
// CHECK-LABEL: func.func @uneven(
// CHECK-NEXT: spmd.reduce_scatter max %{{.*}} dim 0 over @m ["x", "y"] : tensor<9xf32> -> tensor<2xf32>
// CHECK-NEXT: return
func.func @uneven(%a: tensor<9xf32>) -> tensor<2xf32> {
  %0 = spmd.all_reduce max %a over @m ["y", "x"] : tensor<9xf32>
  %1 = spmd.all_slice %0 dim 0 over @m ["x", "y"] : tensor<9xf32> -> tensor<2xf32>
  return %1 : tensor<2xf32>
}

// A subset of the axes is scattered first, so that the rest reduces less.
// CHECK-LABEL: func.func @subset(
// CHECK-NEXT: %[[R:.*]] = spmd.reduce_scatter sum %{{.*}} dim 0 over @m ["y"] : tensor<8xf32> -> tensor<2xf32>
// CHECK-NEXT: spmd.all_reduce sum %[[R]] over @m ["x"] : tensor<2xf32>
// CHECK-NEXT: return
func.func @subset(%a: tensor<8xf32>) -> tensor<2xf32> {
  %0 = spmd.all_reduce sum %a over @m ["x", "y"] : tensor<8xf32>
  %1 = spmd.all_slice %0 dim 0 over @m ["y"] : tensor<8xf32> -> tensor<2xf32>
  return %1 : tensor<2xf32>
}

// Two slices, one after the other, take an axis each.
// CHECK-LABEL: func.func @two_dimensions(
// CHECK-NEXT: %[[R:.*]] = spmd.reduce_scatter sum %{{.*}} dim 0 over @m ["x"] : tensor<8x8xf32> -> tensor<4x8xf32>
// CHECK-NEXT: spmd.reduce_scatter sum %[[R]] dim 1 over @m ["y"] : tensor<4x8xf32> -> tensor<4x2xf32>
// CHECK-NEXT: return
func.func @two_dimensions(%a: tensor<8x8xf32>) -> tensor<4x2xf32> {
  %0 = spmd.all_reduce sum %a over @m ["x", "y"] : tensor<8x8xf32>
  %1 = spmd.all_slice %0 dim 0 over @m ["x"] : tensor<8x8xf32> -> tensor<4x8xf32>
  %2 = spmd.all_slice %1 dim 1 over @m ["y"] : tensor<4x8xf32> -> tensor<4x2xf32>
  return %2 : tensor<4x2xf32>
}

// Another use needs the whole sum.
// CHECK-LABEL: func.func @used_twice(
// CHECK-NOT: reduce_scatter
// CHECK: return
func.func @used_twice(%a: tensor<8xf32>) -> (tensor<8xf32>, tensor<2xf32>) {
  %0 = spmd.all_reduce sum %a over @m ["y"] : tensor<8xf32>
  %1 = spmd.all_slice %0 dim 0 over @m ["y"] : tensor<8xf32> -> tensor<2xf32>
  return %0, %1 : tensor<8xf32>, tensor<2xf32>
}

// Cut over an axis that is not reduced.
// CHECK-LABEL: func.func @other_axes(
// CHECK-NOT: reduce_scatter
// CHECK: return
func.func @other_axes(%a: tensor<8xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = spmd.all_reduce sum %a over @m ["y"] : tensor<8xf32>
  %1 = spmd.all_slice %0 dim 0 over @m ["x"] : tensor<8xf32> -> tensor<4xf32>
  // A part of an axis is not the axis.
  %2 = spmd.all_reduce sum %a over @m ["y"] : tensor<8xf32>
  %3 = spmd.all_slice %2 dim 0 over @m ["y":(1)2] : tensor<8xf32> -> tensor<4xf32>
  return %1, %3 : tensor<4xf32>, tensor<4xf32>
}

// In the loop the sum would be repeated.
// CHECK-LABEL: func.func @in_a_loop(
// CHECK-NOT: reduce_scatter
// CHECK: return
func.func @in_a_loop(%a: tensor<8xf32>, %b: tensor<2xf32>, %p: tensor<i1>) -> tensor<2xf32> {
  %0 = spmd.all_reduce sum %a over @m ["y"] : tensor<8xf32>
  %1 = cleave.while(%i = %b) : tensor<2xf32>
  cond {
    cleave.return %p : tensor<i1>
  } do {
    %2 = spmd.all_slice %0 dim 0 over @m ["y"] : tensor<8xf32> -> tensor<2xf32>
    cleave.return %2 : tensor<2xf32>
  }
  return %1 : tensor<2xf32>
}
