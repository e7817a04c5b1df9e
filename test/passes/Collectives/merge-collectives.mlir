// RUN: cleave-opt %s -cleave-merge-collectives | FileCheck %s

spmd.mesh @m <"x"=2, "y"=4>

// Whatever their causes, and in chains.
// CHECK-LABEL: func.func @equal(
// CHECK-NEXT: %[[G:.*]] = spmd.all_gather %{{.*}} dim 0 over @m ["y"] cause "first"
// CHECK-NEXT: %[[S:.*]] = spmd.all_slice %[[G]]
// CHECK-NEXT: return %[[G]], %[[S]], %[[S]]
func.func @equal(%a: tensor<2xf32>) -> (tensor<8xf32>, tensor<4xf32>, tensor<4xf32>) {
  %0 = spmd.all_gather %a dim 0 over @m ["y"] cause "first" : tensor<2xf32> -> tensor<8xf32>
  %1 = spmd.all_gather %a dim 0 over @m ["y"] cause "second" : tensor<2xf32> -> tensor<8xf32>
  %2 = spmd.all_slice %0 dim 0 over @m ["x"] : tensor<8xf32> -> tensor<4xf32>
  %3 = spmd.all_slice %1 dim 0 over @m ["x"] : tensor<8xf32> -> tensor<4xf32>
  return %0, %2, %3 : tensor<8xf32>, tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: func.func @different(
// CHECK-COUNT-7: spmd.all_
// CHECK-NEXT: return
func.func @different(%a: tensor<2x2xf32>, %b: tensor<2x2xf32>)
    -> (tensor<8x2xf32>, tensor<7x2xf32>, tensor<2x8xf32>, tensor<8x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>) {
  %0 = spmd.all_gather %a dim 0 over @m ["y"] : tensor<2x2xf32> -> tensor<8x2xf32>
  %1 = spmd.all_gather %a dim 0 over @m ["y"] : tensor<2x2xf32> -> tensor<7x2xf32>
  %2 = spmd.all_gather %a dim 1 over @m ["y"] : tensor<2x2xf32> -> tensor<2x8xf32>
  %3 = spmd.all_gather %b dim 0 over @m ["y"] : tensor<2x2xf32> -> tensor<8x2xf32>
  %4 = spmd.all_reduce sum %a over @m ["y"] : tensor<2x2xf32>
  %5 = spmd.all_reduce max %a over @m ["y"] : tensor<2x2xf32>
  %6 = spmd.all_reduce sum %a over @m ["x"] : tensor<2x2xf32>
  return %0, %1, %2, %3, %4, %5, %6 : tensor<8x2xf32>, tensor<7x2xf32>, tensor<2x8xf32>, tensor<8x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>
}

// Branches keep their own: only one of them runs.
// CHECK-LABEL: func.func @branches(
// CHECK: then
// CHECK: spmd.all_reduce
// CHECK-NOT: spmd.all_reduce
// CHECK: else
// CHECK: spmd.all_reduce
func.func @branches(%a: tensor<2xf32>, %p: tensor<i1>) -> tensor<2xf32> {
  %0 = cleave.if %p : (tensor<i1>) -> tensor<2xf32> then {
    %1 = spmd.all_reduce sum %a over @m ["y"] : tensor<2xf32>
    %2 = spmd.all_reduce sum %a over @m ["y"] : tensor<2xf32>
    %3 = cleave.multiply %1, %2 : tensor<2xf32>
    cleave.return %3 : tensor<2xf32>
  } else {
    %1 = spmd.all_reduce sum %a over @m ["y"] : tensor<2xf32>
    cleave.return %1 : tensor<2xf32>
  }
  return %0 : tensor<2xf32>
}
