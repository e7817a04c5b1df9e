// Single elements of a matrix whose rows are cut: each rank takes those that it has, and the sum of all is the result.
// RUN: %cleave verify %s --random-inputs 1
// RUN: %cleave explain %s | FileCheck %s
// CHECK: all_reduce x {{[0-9]+}} tensor<11xf32>
// CHECK: total: 1 collective
sdy.mesh @mesh = <["x"=4]>
func.func @main(%x: tensor<13x9xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %at: tensor<11x2xi32>) -> tensor<11xf32> {
  %0 = "stablehlo.gather"(%x, %at) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1],
      index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>, indices_are_sorted = false}>
      : (tensor<13x9xf32>, tensor<11x2xi32>) -> tensor<11xf32>
  return %0 : tensor<11xf32>
}
