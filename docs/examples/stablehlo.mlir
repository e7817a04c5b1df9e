// A layer as JAX exports it; the arguments' names are in their locations.
//
// RUN: cleave-opt %s --cleave-phase-import | FileCheck %s
// RUN: %cleave verify %s --mesh data=3,model=2 --shard "params\['w'\]=-,model" --shard x=data,- --random-inputs 1

// CHECK-LABEL: func.func public @main
module @jit_layer attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<6x8xf32> loc("params['w']"), %arg1: tensor<8xf32> loc("params['b']"),
                         %arg2: tensor<4x6xf32> loc("x")) -> (tensor<4x8xf32> {jax.result_info = "result"}) {
    // CHECK-NEXT: cleave.dot_general %arg2, %arg0
    %0 = stablehlo.dot_general %arg2, %arg0, contracting_dims = [1] x [0] : (tensor<4x6xf32>, tensor<6x8xf32>) -> tensor<4x8xf32>
    // CHECK-NEXT: cleave.broadcast_in_dim %arg1, dims = [1]
    %1 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<8xf32>) -> tensor<4x8xf32>
    // CHECK-NEXT: cleave.add
    %2 = stablehlo.add %0, %1 : tensor<4x8xf32>
    // CHECK-NEXT: cleave.constant dense<0.000000e+00>
    // CHECK-NEXT: cleave.broadcast_in_dim
    // CHECK-NEXT: cleave.maximum
    // CHECK-NEXT: return
    %3 = call @relu(%2) : (tensor<4x8xf32>) -> tensor<4x8xf32>
    return %3 : tensor<4x8xf32>
  }
  func.func private @relu(%arg0: tensor<4x8xf32>) -> tensor<4x8xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<4x8xf32>
    return %1 : tensor<4x8xf32>
  }
}
