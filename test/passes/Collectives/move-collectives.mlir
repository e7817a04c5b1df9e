// RUN: cleave-opt %s -cleave-move-collectives | FileCheck %s

spmd.mesh @m <"x"=2, "y"=4>

// CHECK-LABEL: func.func @cancel(
// CHECK-SAME: %[[A:.*]]: tensor<2x8xf32>
// CHECK-NEXT: return %[[A]]
func.func @cancel(%a: tensor<2x8xf32>) -> tensor<2x8xf32> {
  %0 = spmd.all_gather %a dim 0 over @m ["y"] : tensor<2x8xf32> -> tensor<7x8xf32>
  %1 = spmd.all_slice %0 dim 0 over @m ["y"] : tensor<7x8xf32> -> tensor<2x8xf32>
  return %1 : tensor<2x8xf32>
}

// CHECK-LABEL: func.func @other_dimension(
// CHECK-NEXT: spmd.all_gather
// CHECK-NEXT: spmd.all_slice
// CHECK-NEXT: spmd.all_slice
// CHECK-NEXT: return
func.func @other_dimension(%a: tensor<2x8xf32>) -> (tensor<8x2xf32>, tensor<4x8xf32>) {
  %0 = spmd.all_gather %a dim 0 over @m ["y"] : tensor<2x8xf32> -> tensor<8x8xf32>
  %1 = spmd.all_slice %0 dim 1 over @m ["y"] : tensor<8x8xf32> -> tensor<8x2xf32>
  %2 = spmd.all_slice %0 dim 0 over @m ["x"] : tensor<8x8xf32> -> tensor<4x8xf32>
  return %1, %2 : tensor<8x2xf32>, tensor<4x8xf32>
}

// CHECK-LABEL: func.func @add(
// CHECK-SAME: %[[A:.*]]: tensor<8xf32>, %[[B:.*]]: tensor<8xf32>
// CHECK-NEXT: %[[S:.*]] = cleave.add %[[A]], %[[B]]
// CHECK-NEXT: %[[R:.*]] = spmd.all_reduce sum %[[S]] over @m ["y"] cause "a" : tensor<8xf32>
// CHECK-NEXT: return %[[R]]
func.func @add(%a: tensor<8xf32>, %b: tensor<8xf32>) -> tensor<8xf32> {
  %0 = spmd.all_reduce sum %a over @m ["y"] cause "a" : tensor<8xf32>
  %1 = spmd.all_reduce sum %b over @m ["y"] cause "b" : tensor<8xf32>
  %2 = cleave.add %0, %1 : tensor<8xf32>
  return %2 : tensor<8xf32>
}

// Not sums, not over the same axes, used elsewhere, or booleans, whose addition is `or`.
// CHECK-LABEL: func.func @no_add(
// CHECK-COUNT-8: spmd.all_reduce
// CHECK-NOT: spmd.all_reduce
// CHECK: return
func.func @no_add(%a: tensor<8xf32>, %b: tensor<8xf32>, %c: tensor<8xi1>)
    -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xi1>) {
  %0 = spmd.all_reduce max %a over @m ["y"] : tensor<8xf32>
  %1 = spmd.all_reduce max %b over @m ["y"] : tensor<8xf32>
  %2 = cleave.add %0, %1 : tensor<8xf32>
  %3 = spmd.all_reduce sum %a over @m ["y"] : tensor<8xf32>
  %4 = spmd.all_reduce sum %b over @m ["x"] : tensor<8xf32>
  %5 = cleave.add %3, %4 : tensor<8xf32>
  %6 = spmd.all_reduce sum %a over @m ["y"] : tensor<8xf32>
  %7 = spmd.all_reduce sum %b over @m ["y"] : tensor<8xf32>
  %8 = cleave.add %6, %7 : tensor<8xf32>
  %9 = spmd.all_reduce sum %c over @m ["y"] : tensor<8xi1>
  %10 = spmd.all_reduce sum %c over @m ["y"] : tensor<8xi1>
  %11 = cleave.add %9, %10 : tensor<8xi1>
  return %2, %5, %6, %8, %11 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xi1>
}

// CHECK-LABEL: func.func @narrow(
// CHECK-SAME: %[[A:.*]]: tensor<2xf32>
// CHECK-NEXT: %[[C:.*]] = cleave.convert %[[A]] : (tensor<2xf32>) -> tensor<2xbf16>
// CHECK-NEXT: %[[G:.*]] = spmd.all_gather %[[C]] dim 0 over @m ["y"] : tensor<2xbf16> -> tensor<8xbf16>
// CHECK-NEXT: return %[[G]]
func.func @narrow(%a: tensor<2xf32>) -> tensor<8xbf16> {
  %0 = spmd.all_gather %a dim 0 over @m ["y"] : tensor<2xf32> -> tensor<8xf32>
  %1 = cleave.convert %0 : (tensor<8xf32>) -> tensor<8xbf16>
  return %1 : tensor<8xbf16>
}

// CHECK-LABEL: func.func @widen(
// CHECK-NEXT: spmd.all_gather
// CHECK-NEXT: cleave.convert
func.func @widen(%a: tensor<2xf32>) -> tensor<8xf64> {
  %0 = spmd.all_gather %a dim 0 over @m ["y"] : tensor<2xf32> -> tensor<8xf32>
  %1 = cleave.convert %0 : (tensor<8xf32>) -> tensor<8xf64>
  return %1 : tensor<8xf64>
}

// Nothing moves into a loop, where it would be repeated.
// CHECK-LABEL: func.func @loop(
// CHECK-COUNT-2: spmd.all_reduce
// CHECK: spmd.all_gather
// CHECK: cleave.while
// CHECK-NOT: spmd
// CHECK: return
func.func @loop(%a: tensor<8xf32>, %b: tensor<8xf32>, %c: tensor<2xf32>, %d: tensor<8xbf16>, %p: tensor<i1>) -> (tensor<8xf32>, tensor<8xbf16>) {
  %0 = spmd.all_reduce sum %a over @m ["y"] : tensor<8xf32>
  %1 = spmd.all_reduce sum %b over @m ["y"] : tensor<8xf32>
  %2 = spmd.all_gather %c dim 0 over @m ["y"] : tensor<2xf32> -> tensor<8xf32>
  %3:2 = cleave.while(%i = %a, %j = %d) : tensor<8xf32>, tensor<8xbf16>
  cond {
    cleave.return %p : tensor<i1>
  } do {
    %4 = cleave.add %0, %1 : tensor<8xf32>
    %5 = cleave.convert %2 : (tensor<8xf32>) -> tensor<8xbf16>
    cleave.return %4, %5 : tensor<8xf32>, tensor<8xbf16>
  }
  return %3#0, %3#1 : tensor<8xf32>, tensor<8xbf16>
}
