// A `jax.shard_map` as exporters of 2025 kept it, in text and calls that HLO knows: each device gives its rows to the next one.
// RUN: %cleave check %s | FileCheck %s
// CHECK: 1 passed, 0 failed, 0 skipped
module @shift attributes {mhlo.frontend_attributes = {xla.sdy.meshes = "{mesh = #sdy.mesh<[\\\22i\\\22=3]>}"}, mhlo.num_partitions = 3 : i32, mhlo.num_replicas = 1 : i32} {
  func.func private @inputs() -> tensor<6x2xi32> {
    %0 = stablehlo.constant dense<[[0, 1], [2, 3], [4, 5], [6, 7], [8, 9], [10, 11]]> : tensor<6x2xi32>
    return %0 : tensor<6x2xi32>
  }
  func.func public @main() {
    %x = call @inputs() : () -> tensor<6x2xi32>
    %0 = stablehlo.custom_call @Sharding(%x) {mhlo.frontend_attributes = {xla.sdy.sharding = "#sdy.sharding_per_value<[<@mesh, [{\\\22i\\\22}, {}]>]>"}, mhlo.sharding = "{devices=[3,1]<=[3]}"} : (tensor<6x2xi32>) -> tensor<6x2xi32>
    %1 = stablehlo.custom_call @xla.sdy.GlobalToLocalShape(%0) : (tensor<6x2xi32>) -> tensor<2x2xi32>
    %2 = call @xla.sdy.manual_computation_body(%1) {mhlo.frontend_attributes = {xla.sdy.in_shardings = "#sdy.sharding_per_value<[<@mesh, [{\\\22i\\\22}, {}]>]>", xla.sdy.manual_axes = "#sdy<manual_axes{\\\22i\\\22}>", xla.sdy.out_shardings = "#sdy.sharding_per_value<[<@mesh, [{\\\22i\\\22}, {}]>]>"}} : (tensor<2x2xi32>) -> tensor<2x2xi32>
    %3 = stablehlo.custom_call @xla.sdy.LocalToGlobalShape(%2) : (tensor<2x2xi32>) -> tensor<6x2xi32>
    check.expect_eq_const %3, dense<[[8, 9], [10, 11], [0, 1], [2, 3], [4, 5], [6, 7]]> : tensor<6x2xi32>
    return
  }
  func.func @xla.sdy.manual_computation_body(%x: tensor<2x2xi32>) -> tensor<2x2xi32> {
    %0 = "stablehlo.collective_permute"(%x) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, source_target_pairs = dense<[[0, 1], [1, 2], [2, 0]]> : tensor<3x2xi64>}> : (tensor<2x2xi32>) -> tensor<2x2xi32>
    return %0 : tensor<2x2xi32>
  }
}
