// Three meshes over the same four devices. Those of 4 and of 2 x 2 devices become one mesh: "rows" is its axes "x" and
// "y". The third one has its devices in another order. Values are cut over it all the same; in the region each rank
// stands for the device that has its block in the program.
//
// RUN: %cleave check %s | FileCheck %s
// CHECK: 1 passed, 0 failed, 0 skipped
// RUN: %cleave import %s -o %t.mlir 2>&1 | FileCheck %s --check-prefix=WARNING
// WARNING: several-meshes.mlir:[[#@LINE+5]]:{{.*}} warning: #sdy.mesh<["rows"=4], device_ids=[3, 1, 0, 2]>: no mesh has the axes of this mesh and those of the others on the same devices

module attributes {mhlo.num_partitions = 4 : i32} {
  sdy.mesh @line = <["rows"=4]>
  sdy.mesh @grid = <["x"=2, "y"=2]>
  sdy.mesh @other = <["rows"=4], device_ids=[3, 1, 0, 2]>
  func.func public @main() {
    %0 = stablehlo.constant dense<[[0.0, 1.0], [2.0, 3.0], [4.0, 5.0], [6.0, 7.0]]> : tensor<4x2xf32>
    %1 = sdy.sharding_constraint %0 <@grid, [{"x"}, {"y"}]> : tensor<4x2xf32>
    %2 = stablehlo.negate %1 : tensor<4x2xf32>
    %3 = sdy.sharding_constraint %2 <@line, [{"rows"}, {}]> : tensor<4x2xf32>
    // Blocks 0, 1, 2, 3 are on devices 3, 1, 0, 2; each goes to the next one, and device d adds 10 * d.
    %4 = sdy.manual_computation(%3) in_shardings=[<@other, [{"rows"}, {}]>] out_shardings=[<@other, [{"rows"}, {}]>] manual_axes={"rows"} (%row: tensor<1x2xf32>) {
      %5 = "stablehlo.collective_permute"(%row) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[3, 1], [1, 0], [0, 2], [2, 3]]> : tensor<4x2xi64>}> : (tensor<1x2xf32>) -> tensor<1x2xf32>
      %6 = stablehlo.partition_id : tensor<ui32>
      %7 = stablehlo.convert %6 : (tensor<ui32>) -> tensor<f32>
      %8 = stablehlo.constant dense<10.0> : tensor<f32>
      %9 = stablehlo.multiply %7, %8 : tensor<f32>
      %10 = stablehlo.broadcast_in_dim %9, dims = [] : (tensor<f32>) -> tensor<1x2xf32>
      %11 = stablehlo.add %5, %10 : tensor<1x2xf32>
      sdy.return %11 : tensor<1x2xf32>
    } : (tensor<4x2xf32>) -> tensor<4x2xf32>
    %expected = stablehlo.constant dense<[[24.0, 23.0], [10.0, 9.0], [-2.0, -3.0], [16.0, 15.0]]> : tensor<4x2xf32>
    stablehlo.custom_call @check.expect_eq(%4, %expected) {has_side_effect = true} : (tensor<4x2xf32>, tensor<4x2xf32>) -> ()
    return
  }
}
