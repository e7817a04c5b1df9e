// Along "b", which is not manual, values are whole: a program of one device has nothing that it could send there. Each device along
// it computed the same, with a warning.
//
// RUN: not %cleave verify %s --random-inputs 1 2>&1 | FileCheck %s
// CHECK: collective-over-a-free-axis.mlir:[[#@LINE+5]]:{{.*}} error: acts along axis "b", which is free in the manual computation around it
// CHECK: collective-over-a-free-axis.mlir:[[#@LINE+3]]:{{.*}} note: that is here
sdy.mesh @mesh = <["a"=2, "b"=2]>
func.func public @main(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = sdy.manual_computation(%x) in_shardings=[<@mesh, [{"a", "b"}, {?}]>] out_shardings=[<@mesh, [{"a", ?}, {?}]>] manual_axes={"a"} (%l: tensor<4x8xf32>) {
    %1 = "stablehlo.collective_permute"(%l) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 2]]> : tensor<1x2xi64>}> : (tensor<4x8xf32>) -> tensor<4x8xf32>
    sdy.return %1 : tensor<4x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}
