// RUN: cleave-opt %s -cleave-bucket-collectives=threshold=64 | FileCheck %s

spmd.mesh @m <"x"=2, "y"=4>

// CHECK-LABEL: func.func @independent(
// CHECK-SAME: %[[A:.*]]: tensor<2x3xf32>, %[[B:.*]]: tensor<f32>, %[[C:.*]]: tensor<16xf32>
func.func @independent(%a: tensor<2x3xf32>, %b: tensor<f32>, %big: tensor<16xf32>) -> (tensor<2x3xf32>, tensor<f32>, tensor<16xf32>) {
  // CHECK-DAG: %[[A1:.*]] = cleave.reshape %[[A]] : (tensor<2x3xf32>) -> tensor<6xf32>
  // CHECK-DAG: %[[B1:.*]] = cleave.reshape %[[B]] : (tensor<f32>) -> tensor<1xf32>
  // CHECK: %[[ALL:.*]] = cleave.concatenate %[[A1]], %[[B1]], dim = 0
  // CHECK: %[[SUM:.*]] = spmd.all_reduce sum %[[ALL]] over @m ["x"] cause "a; b" : tensor<7xf32>
  // CHECK: %[[A2:.*]] = cleave.slice %[[SUM]] [0:6]
  // CHECK: %[[A3:.*]] = cleave.reshape %[[A2]] : (tensor<6xf32>) -> tensor<2x3xf32>
  // CHECK: %[[B2:.*]] = cleave.slice %[[SUM]] [6:7]
  // CHECK: %[[B3:.*]] = cleave.reshape %[[B2]] : (tensor<1xf32>) -> tensor<f32>
  %0 = spmd.all_reduce sum %a over @m ["x"] cause "a" : tensor<2x3xf32>
  // A large one is left alone.
  // CHECK: %[[C1:.*]] = spmd.all_reduce sum %[[C]]
  // CHECK: return %[[A3]], %[[B3]], %[[C1]]
  %1 = spmd.all_reduce sum %b over @m ["x"] cause "b" : tensor<f32>
  %2 = spmd.all_reduce sum %big over @m ["x"] : tensor<16xf32>
  return %0, %1, %2 : tensor<2x3xf32>, tensor<f32>, tensor<16xf32>
}

// The third depends on the first two, so it waits for them; the fourth goes with it.
// CHECK-LABEL: func.func @dependent(
// CHECK: spmd.all_reduce sum %{{.*}} over @m ["x"] : tensor<4xf32>
// CHECK: cleave.multiply
// CHECK: spmd.all_reduce sum %{{.*}} over @m ["x"] : tensor<4xf32>
// CHECK-NOT: spmd.all_reduce
// CHECK: return
func.func @dependent(%a: tensor<2xf32>, %b: tensor<2xf32>, %c: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %0 = spmd.all_reduce sum %a over @m ["x"] : tensor<2xf32>
  %1 = spmd.all_reduce sum %b over @m ["x"] : tensor<2xf32>
  %2 = cleave.multiply %0, %1 : tensor<2xf32>
  %3 = spmd.all_reduce sum %2 over @m ["x"] : tensor<2xf32>
  %4 = spmd.all_reduce sum %c over @m ["x"] : tensor<2xf32>
  return %3, %4 : tensor<2xf32>, tensor<2xf32>
}

// Directly one after the other.
// CHECK-LABEL: func.func @chain(
// CHECK-NEXT: spmd.all_reduce
// CHECK-NEXT: spmd.all_reduce
// CHECK-NEXT: return
func.func @chain(%a: tensor<2xf32>) -> tensor<2xf32> {
  %0 = spmd.all_reduce sum %a over @m ["x"] : tensor<2xf32>
  %1 = spmd.all_reduce sum %0 over @m ["x"] : tensor<2xf32>
  return %1 : tensor<2xf32>
}

// A use in a region counts.
// CHECK-LABEL: func.func @region(
// CHECK-NEXT: %[[R:.*]] = spmd.all_reduce
// CHECK-NEXT: cleave.if
// CHECK: cleave.negate %[[R]]
// CHECK: spmd.all_reduce
// CHECK: return
func.func @region(%a: tensor<2xf32>, %b: tensor<2xf32>, %p: tensor<i1>) -> (tensor<2xf32>, tensor<2xf32>) {
  %0 = spmd.all_reduce sum %a over @m ["x"] : tensor<2xf32>
  %1 = cleave.if %p : (tensor<i1>) -> tensor<2xf32> then {
    %2 = cleave.negate %0 : tensor<2xf32>
    cleave.return %2 : tensor<2xf32>
  } else {
    cleave.return %a : tensor<2xf32>
  }
  %3 = spmd.all_reduce sum %b over @m ["x"] : tensor<2xf32>
  return %1, %3 : tensor<2xf32>, tensor<2xf32>
}

// Other axes, reductions and types go separately.
// CHECK-LABEL: func.func @different(
// CHECK-COUNT-4: spmd.all_reduce
// CHECK-NEXT: return
func.func @different(%a: tensor<2xf32>, %b: tensor<2xf16>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf16>) {
  %0 = spmd.all_reduce sum %a over @m ["x"] : tensor<2xf32>
  %1 = spmd.all_reduce sum %a over @m ["y"] : tensor<2xf32>
  %2 = spmd.all_reduce max %a over @m ["x"] : tensor<2xf32>
  %3 = spmd.all_reduce sum %b over @m ["x"] : tensor<2xf16>
  return %0, %1, %2, %3 : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf16>
}
