// Exported by JAX 0.10.2: a `jax.shard_map` over one axis of two (`axis_names={"x"}`), whose body has a constraint over the
// other one. Shards of the weights spread over "y" into the body; nothing is computed twice.
//
// RUN: %cleave verify %s --random-inputs 1 2>&1 | FileCheck %s --implicit-check-not=warning
// CHECK: verified 1 of 1 outputs on 4 ranks
// RUN: %cleave explain %s | FileCheck %s --check-prefix=EXPLAIN
// EXPLAIN-DAG: all_reduce x {{.*}} tensor<4x5xf32> once
// EXPLAIN-DAG: collective_permute {{.*}} tensor<4x5xf32>
module @jit_f attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=2, "y"=2]> {stablehlo.mesh = {axes = [{name = "x", size = 2 : i64}, {name = "y", size = 2 : i64}]}}
  func.func public @main(%arg0: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %arg1: tensor<6x10xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>}) -> (tensor<8x6xf32> {jax.result_info = "result"}) {
    %0 = sdy.manual_computation(%arg0, %arg1) in_shardings=[<@mesh, [{"x", ?}, {?}]>, <@mesh, [{?}, {?}]>] out_shardings=[<@mesh, [{"x", ?}, {?}]>] manual_axes={"x"} (%arg2: tensor<4x6xf32>, %arg3: tensor<6x10xf32>) {
      %1 = stablehlo.dot_general %arg2, %arg3, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x6xf32>, tensor<6x10xf32>) -> tensor<4x10xf32>
      %2 = sdy.sharding_constraint %1 <@mesh, [{?}, {?}]> : tensor<4x10xf32>
      %3 = stablehlo.tanh %2 : tensor<4x10xf32>
      %4 = sdy.sharding_constraint %3 <@mesh, [{?}, {?}]> : tensor<4x10xf32>
      %5 = sdy.sharding_constraint %4 <@mesh, [{}, {"y"}]> : tensor<4x10xf32>
      %6 = sdy.manual_computation() in_shardings=[] out_shardings=[<@mesh, []>] manual_axes={"y"} () {
        %c = stablehlo.constant dense<2> : tensor<ui32>
        %c_0 = stablehlo.constant dense<2> : tensor<ui32>
        %23 = stablehlo.partition_id : tensor<ui32>
        %24 = stablehlo.divide %23, %c : tensor<ui32>
        %25 = stablehlo.remainder %24, %c_0 : tensor<ui32>
        %26 = stablehlo.convert %25 : (tensor<ui32>) -> tensor<i32>
        sdy.return %26 : tensor<i32>
      } : () -> tensor<i32>
      %7 = "stablehlo.all_reduce"(%5) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>, use_global_device_ids}> ({
      ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
        %23 = stablehlo.add %arg4, %arg5 : tensor<f32>
        %24 = sdy.sharding_constraint %23 <@mesh, []> : tensor<f32>
        stablehlo.return %24 : tensor<f32>
      }) : (tensor<4x10xf32>) -> tensor<4x10xf32>
      %8 = "stablehlo.collective_permute"(%5) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 2], [2, 0], [1, 3], [3, 1]]> : tensor<4x2xi64>}> : (tensor<4x10xf32>) -> tensor<4x10xf32>
      %9 = stablehlo.add %7, %8 : tensor<4x10xf32>
      %10 = sdy.sharding_constraint %9 <@mesh, [{?}, {?}]> : tensor<4x10xf32>
      %11 = stablehlo.subtract %5, %10 : tensor<4x10xf32>
      %12 = sdy.sharding_constraint %11 <@mesh, [{?}, {?}]> : tensor<4x10xf32>
      %13 = stablehlo.transpose %arg3, dims = [1, 0] : (tensor<6x10xf32>) -> tensor<10x6xf32>
      %14 = sdy.sharding_constraint %13 <@mesh, [{?}, {?}]> : tensor<10x6xf32>
      %15 = stablehlo.dot_general %12, %14, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x10xf32>, tensor<10x6xf32>) -> tensor<4x6xf32>
      %16 = sdy.sharding_constraint %15 <@mesh, [{?}, {?}]> : tensor<4x6xf32>
      %17 = stablehlo.convert %6 : (tensor<i32>) -> tensor<f32>
      %18 = sdy.sharding_constraint %17 <@mesh, []> : tensor<f32>
      %19 = stablehlo.broadcast_in_dim %18, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
      %20 = sdy.sharding_constraint %19 <@mesh, [{?}, {?}]> : tensor<4x6xf32>
      %21 = stablehlo.add %16, %20 : tensor<4x6xf32>
      %22 = sdy.sharding_constraint %21 <@mesh, [{?}, {?}]> : tensor<4x6xf32>
      sdy.return %22 : tensor<4x6xf32>
    } : (tensor<8x6xf32>, tensor<6x10xf32>) -> tensor<8x6xf32>
    return %0 : tensor<8x6xf32>
  }
}
