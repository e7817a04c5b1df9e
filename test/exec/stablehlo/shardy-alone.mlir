// A program with a constant of Shardy and no op of StableHLO: StableHLO's dialect was not there.
// RUN: %cleave verify %s --random-inputs 1 | FileCheck %s
// CHECK: out0 8x8 f32 {{.*}} ok
// CHECK: out1 8x8 f32 {{.*}} ok
// CHECK: verified 2 of 2 outputs on 8 ranks
"sdy.mesh"() <{mesh = #sdy.mesh<["x"=2, "y"=4]>, sym_name = "mesh"}> : () -> ()
func.func @main(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %c = sdy.constant dense<1.0> : tensor<8x8xf32>
  %0 = "sdy.all_gather"(%arg0) <{gathering_axes = #sdy<list_of_axis_ref_lists[{"x"}, {}]>, out_sharding = #sdy.sharding<@mesh, [{}, {}]>}> : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = "sdy.all_slice"(%0) <{slicing_axes = #sdy<list_of_axis_ref_lists[{}, {"y":(2)2}]>, out_sharding = #sdy.sharding<@mesh, [{}, {"y":(2)2}]>}> : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %2 = sdy.all_to_all {"y":(2)2} 1->0 %1 out_sharding=<@mesh, [{"y":(2)2}, {}]> : tensor<8x8xf32>
  %3 = "sdy.propagation_barrier"(%2) <{allowed_direction = 0 : i32}> : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %3, %c : tensor<8x8xf32>, tensor<8x8xf32>
}
