// Whole values that Shardy stores as terms are the same values: once reduced, scattered, added to real terms, or returned.
// RUN: split-file %s %t
// RUN: %cleave verify %t/two.mlir --random-inputs 1 | FileCheck %s --check-prefix=TWO
// TWO: verified 4 of 4 outputs on 2 ranks
// RUN: %cleave verify %t/four.mlir --random-inputs 1 | FileCheck %s --check-prefix=FOUR
// FOUR: verified 5 of 5 outputs on 4 ranks
// RUN: %cleave explain %t/scattered.mlir | FileCheck %s --check-prefix=SCATTERED
// SCATTERED: total: 0 collectives, 0 bytes per device, 4 ranks
// RUN: %cleave verify %t/scattered.mlir --random-inputs 1
// RUN: not %cleave verify %t/manual.mlir --random-inputs 1 2>&1 | FileCheck %s --check-prefix=MANUAL
// MANUAL: manual.mlir:4:8: error: cannot make a value partial over "x"

//--- two.mlir
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %b: tensor<6x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %c: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) -> (tensor<8x6xf32>, tensor<8x6xf32>, tensor<8x8xf32>, tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}], unreduced={"x"}>}) {
  %0 = sdy.sharded_to_unreduced [{"x"}, {}] %a out_sharding=<@mesh, [{}, {}], unreduced={"x"}> : tensor<8x6xf32>
  %1 = sdy.all_reduce {"x"} %0 out_sharding=<@mesh, [{}, {}]> : tensor<8x6xf32>
  %2 = sdy.replicated_to_unreduced {"x"} %1 out_sharding=<@mesh, [{}, {}], unreduced={"x"}> : tensor<8x6xf32>
  %3 = sdy.reduce_scatter [{}, {"x"}] %2 out_sharding=<@mesh, [{}, {"x"}]> : tensor<8x6xf32>
  // The product is made of terms, what is added is not.
  %4 = stablehlo.dot_general %2, %b, contracting_dims = [1] x [0] : (tensor<8x6xf32>, tensor<6x8xf32>) -> tensor<8x8xf32>
  %5 = stablehlo.dot_general %c, %b, contracting_dims = [1] x [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}], unreduced={"x"}>]>} : (tensor<8x6xf32>, tensor<6x8xf32>) -> tensor<8x8xf32>
  %6 = stablehlo.add %4, %5 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}], unreduced={"x"}>]>} : tensor<8x8xf32>
  %7 = sdy.all_reduce {"x"} %6 out_sharding=<@mesh, [{}, {}]> : tensor<8x8xf32>
  return %1, %3, %7, %0 : tensor<8x6xf32>, tensor<8x6xf32>, tensor<8x8xf32>, tensor<8x6xf32>
}

//--- four.mlir
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%a: tensor<7x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %b: tensor<7x6xf32>) -> (tensor<7x6xf32>, tensor<7x6xf32>, tensor<7x6xf32>, tensor<7x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}], unreduced={"x"}>}, tensor<7x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}], unreduced={"x", "y"}>}) {
  %0 = sdy.sharded_to_unreduced [{"x"}, {}] %a out_sharding=<@mesh, [{}, {"y"}], unreduced={"x"}> : tensor<7x6xf32>
  %1 = sdy.all_reduce {"x"} %0 out_sharding=<@mesh, [{}, {"y"}]> : tensor<7x6xf32>
  %2 = sdy.replicated_to_unreduced {"x"} %b out_sharding=<@mesh, [{}, {}], unreduced={"x"}> : tensor<7x6xf32>
  %3 = stablehlo.add %0, %2 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"y"}], unreduced={"x"}>]>} : tensor<7x6xf32>
  %4 = sdy.reduce_scatter [{}, {"x"}] %3 out_sharding=<@mesh, [{}, {"y", "x"}]> : tensor<7x6xf32>
  %5 = sdy.sharded_to_unreduced [{}, {"y"}] %3 out_sharding=<@mesh, [{}, {}], unreduced={"x", "y"}> : tensor<7x6xf32>
  %6 = sdy.sharding_constraint %5 <@mesh, [{}, {}], unreduced={"x", "y"}> : tensor<7x6xf32>
  %7 = stablehlo.negate %5 : tensor<7x6xf32>
  return %1, %4, %7, %3, %6 : tensor<7x6xf32>, tensor<7x6xf32>, tensor<7x6xf32>, tensor<7x6xf32>, tensor<7x6xf32>
}

// Each rank keeps what it has.
//--- scattered.mlir
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%a: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<8x6xf32> {
  %0 = sdy.sharded_to_unreduced [{"x"}, {}] %a out_sharding=<@mesh, [{}, {}], unreduced={"x"}> : tensor<8x6xf32>
  %1 = sdy.reduce_scatter [{"x"}, {}] %0 out_sharding=<@mesh, [{"x"}, {}]> : tensor<8x6xf32>
  return %1 : tensor<8x6xf32>
}

// Code on local shapes computes with its terms: there are none to give it.
//--- manual.mlir
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = sdy.replicated_to_unreduced {"x"} %a out_sharding=<@mesh, [{}], unreduced={"x"}> : tensor<8xf32>
  %1 = sdy.manual_computation(%0) in_shardings=[<@mesh, [{}], unreduced={"x"}>] out_shardings=[<@mesh, [{}]>] manual_axes={"x"} (%l: tensor<8xf32>) {
    %2 = "stablehlo.all_reduce"(%l) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %s = stablehlo.add %p, %q : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<8xf32>) -> tensor<8xf32>
    sdy.return %2 : tensor<8xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}
