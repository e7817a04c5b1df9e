// A manual computation over "b" inside of one over "a".
// RUN: %cleave check %s | FileCheck %s
// CHECK: 1 passed, 0 failed, 0 skipped
// RUN: %cleave explain %s | FileCheck %s --check-prefix=EXPLAIN
// What is behind the inner one is computed in parts, too, up to the end of the outer one, whose result is closed to b.
// EXPLAIN: all_gather b {{.*}} tensor<1x2xf32> {{.*}} manual computation ("b" on dim 1 {{.*}} via cleave.add)
sdy.mesh @mesh = <["a"=2, "b"=2]>
func.func @main() {
  %x = stablehlo.constant dense<[[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0]]> : tensor<2x4xf32>
  %0 = sdy.manual_computation(%x) in_shardings=[<@mesh, [{"a"}, {}]>] out_shardings=[<@mesh, [{"a"}, {}]>] manual_axes={"a"} (%row: tensor<1x4xf32>) {
    %1:2 = sdy.manual_computation(%row, %row) in_shardings=[<@mesh, [{}, {"b"}]>, <@mesh, [{}, {}]>] out_shardings=[<@mesh, [{}, {"b"}]>, <@mesh, [{}, {}]>] manual_axes={"b"} (%part: tensor<1x2xf32>, %whole: tensor<1x4xf32>) {
      %sum = "stablehlo.all_reduce"(%part) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, use_global_device_ids}> ({
      ^bb0(%l: tensor<f32>, %r: tensor<f32>):
        %s = stablehlo.add %l, %r : tensor<f32>
        stablehlo.return %s : tensor<f32>
      }) : (tensor<1x2xf32>) -> tensor<1x2xf32>
      %d = stablehlo.subtract %sum, %part : tensor<1x2xf32>
      sdy.return %d, %whole : tensor<1x2xf32>, tensor<1x4xf32>
    } : (tensor<1x4xf32>, tensor<1x4xf32>) -> (tensor<1x4xf32>, tensor<1x4xf32>)
    %2 = stablehlo.add %1#0, %1#1 : tensor<1x4xf32>
    sdy.return %2 : tensor<1x4xf32>
  } : (tensor<2x4xf32>) -> tensor<2x4xf32>
  // Halves swapped, plus the row.
  %expected = stablehlo.constant dense<[[4.0, 6.0, 4.0, 6.0], [12.0, 14.0, 12.0, 14.0]]> : tensor<2x4xf32>
  stablehlo.custom_call @check.expect_eq(%0, %expected) {has_side_effect = true} : (tensor<2x4xf32>, tensor<2x4xf32>) -> ()
  return
}
