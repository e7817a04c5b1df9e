// Rows are permuted at random and sorted on the rank that has them: random bits come from the counter, the sort runs
// along a whole dimension.
// RUN: %cleave verify %s --random-inputs 1
// RUN: %cleave explain %s | FileCheck %s
// CHECK: total: 0 collectives
sdy.mesh @mesh = <["data"=4]>
func.func @main(%x: tensor<10x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}, %key: tensor<2xui64>)
    -> (tensor<10x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>},
        tensor<10x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}) {
  %state, %bits = stablehlo.rng_bit_generator %key, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<10x32xui32>)
  %permuted:2 = "stablehlo.sort"(%bits, %x) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<ui32>, %b: tensor<ui32>, %c: tensor<f32>, %d: tensor<f32>):
    %less = stablehlo.compare LT, %a, %b, UNSIGNED : (tensor<ui32>, tensor<ui32>) -> tensor<i1>
    stablehlo.return %less : tensor<i1>
  }) : (tensor<10x32xui32>, tensor<10x32xf32>) -> (tensor<10x32xui32>, tensor<10x32xf32>)
  %sorted = "stablehlo.sort"(%x) <{dimension = 1 : i64, is_stable = false}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %less = stablehlo.compare LT, %a, %b, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %less : tensor<i1>
  }) : (tensor<10x32xf32>) -> tensor<10x32xf32>
  return %permuted#1, %sorted : tensor<10x32xf32>, tensor<10x32xf32>
}
