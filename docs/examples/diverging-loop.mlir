// A loop that goes on until its own shard has converged: ranks leave it at different times, and the all_reduce inside
// waits for those that are gone. Reducing `%largest` over "x" first would make the ranks agree.
//
// RUN: not cleave-opt %s -cleave-partition 2>&1 | FileCheck %s
// CHECK: diverging-loop.mlir:16:10: error: the condition may differ between ranks along "x", but a collective inside needs all of them; reduce or gather it over that axis first
// CHECK: diverging-loop.mlir:24:15: note: the collective is all_reduce
// CHECK: diverging-loop.mlir:10:5: note: each of them has its own shard of this argument
spmd.mesh @m <"x"=4>
func.func @relax(
    %x: tensor<8xf32> {cleave.name = "x", spmd.sharding = #spmd.sharding<@m, [{"x"}]>}) -> tensor<8xf32> {
  %y = spmd.manual_computation(%x) in [#spmd.sharding<@m, [{"x"}]>] out [#spmd.sharding<@m, [{"x"}]>]
      : (tensor<8xf32>) -> tensor<8xf32> {
  ^bb0(%local: tensor<2xf32>):
    %zero = cleave.constant dense<0.0> : tensor<f32>
    %limit = cleave.constant dense<0.1> : tensor<f32>
    %r = cleave.while(%v = %local) : tensor<2xf32>
     cond {
      %size = cleave.abs %v : tensor<2xf32>
      %largest = cleave.reduce(%size init: %zero) applies cleave.maximum across dimensions = [0]
        : (tensor<2xf32>, tensor<f32>) -> tensor<f32>
      %more = cleave.compare GT, %largest, %limit : (tensor<f32>, tensor<f32>) -> tensor<i1>
      cleave.return %more : tensor<i1>
    } do {
      %mean = spmd.all_reduce sum %v over @m ["x"] : tensor<2xf32>
      %quarter = cleave.constant dense<0.25> : tensor<2xf32>
      %next = cleave.multiply %mean, %quarter : tensor<2xf32>
      %change = cleave.subtract %v, %next : tensor<2xf32>
      cleave.return %change : tensor<2xf32>
    }
    spmd.return %r : tensor<2xf32>
  }
  return %y : tensor<8xf32>
}
