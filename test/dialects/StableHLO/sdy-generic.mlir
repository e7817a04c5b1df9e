// Collectives of Shardy in the generic form, whose attributes have names of their own, and the all_to_all of older versions: neither was read.
// RUN: cleave-opt %s | FileCheck %s
// RUN: cleave-opt %s | cleave-opt | FileCheck %s
// RUN: cleave-opt %s -mlir-print-op-generic | cleave-opt | FileCheck %s
"sdy.mesh"() <{mesh = #sdy.mesh<["x"=2, "y"=4]>, sym_name = "mesh"}> : () -> ()

// CHECK-LABEL: func.func @generic(
func.func @generic(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // CHECK: sdy.all_gather [{}, {"y":(1)2}] %{{.*}} out_sharding = <@mesh, [{"x"}, {}]> : tensor<8x8xf32>
  %0 = "sdy.all_gather"(%x) <{gathering_axes = #sdy<list_of_axis_ref_lists[{}, {"y":(1)2}]>, out_sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}> : (tensor<8x8xf32>) -> tensor<8x8xf32>
  // CHECK: sdy.all_slice [{}, {"y":(2)2}] %{{.*}} out_sharding = <@mesh, [{"x"}, {"y":(2)2}]>
  %1 = "sdy.all_slice"(%0) <{slicing_axes = #sdy<list_of_axis_ref_lists[{}, {"y":(2)2}]>, out_sharding = #sdy.sharding<@mesh, [{"x"}, {"y":(2)2}]>}> : (tensor<8x8xf32>) -> tensor<8x8xf32>
  // CHECK: sdy.all_to_all [{"x"}: 0->1] %{{.*}} out_sharding = <@mesh, [{}, {"y":(1)2, "x"}]>
  %2 = "sdy.all_to_all"(%1) <{params = #sdy<all_to_all_param_list[{"x"}: 0->1]>, out_sharding = #sdy.sharding<@mesh, [{}, {"y":(1)2, "x"}]>}> : (tensor<8x8xf32>) -> tensor<8x8xf32>
  // CHECK: sdy.reduce_scatter [{"y"}, {}] %{{.*}} out_sharding = <@mesh, [{"y"}, {}]>
  %3 = "sdy.reduce_scatter"(%2) <{reduce_scatter_axes = #sdy<list_of_axis_ref_lists[{"y"}, {}]>, out_sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}> : (tensor<8x8xf32>) -> tensor<8x8xf32>
  // CHECK: sdy.all_reduce {"x", "y"} %{{.*}} out_sharding = <@mesh, [{}, {}]>
  %4 = "sdy.all_reduce"(%3) <{reduction_axes = #sdy<axis_ref_list{"x", "y"}>, out_sharding = #sdy.sharding<@mesh, [{}, {}]>}> : (tensor<8x8xf32>) -> tensor<8x8xf32>
  // CHECK: sdy.propagation_barrier %{{.*}} allowed_direction=BACKWARD
  %5 = "sdy.propagation_barrier"(%4) <{allowed_direction = 2 : i32}> : (tensor<8x8xf32>) -> tensor<8x8xf32>
  // CHECK: sdy.manual_computation(%{{.*}}) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x"}
  %6 = "sdy.manual_computation"(%5) <{in_shardings = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>, out_shardings = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>, manual_axes = #sdy<manual_axes{"x"}>}> ({
  ^bb0(%b: tensor<4x8xf32>):
    "sdy.return"(%b) : (tensor<4x8xf32>) -> ()
  }) : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %6 : tensor<8x8xf32>
}

// CHECK-LABEL: func.func @older(
func.func @older(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // CHECK: sdy.all_to_all {"x"} 0->1 %{{.*}} out_sharding = <@mesh, [{}, {"x"}]>
  %0 = sdy.all_to_all {"x"} 0->1 %x out_sharding=<@mesh, [{}, {"x"}]> : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}
