// The gradient of an embedding: rows of updates are cut over data, the table over model. Each rank adds its own updates
// to its own rows, and one all_reduce over data joins them.
// RUN: %cleave verify %s --random-inputs 1
// RUN: %cleave explain %s | FileCheck %s
// CHECK: all_reduce data 1408 tensor<22x16xf32>
// CHECK: total: 1 collective
sdy.mesh @mesh = <["data"=2, "model"=3]>
func.func @main(%tokens: tensor<400xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}]>},
                %rows: tensor<400x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>})
    -> (tensor<64x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}]>}) {
  %c = stablehlo.constant dense<0.0> : tensor<f32>
  %zero = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<f32>) -> tensor<64x16xf32>
  %index = stablehlo.reshape %tokens : (tensor<400xi32>) -> tensor<400x1xi32>
  %0 = "stablehlo.scatter"(%zero, %index, %rows) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1],
      inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, indices_are_sorted = false, unique_indices = false}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<64x16xf32>, tensor<400x1xi32>, tensor<400x16xf32>) -> tensor<64x16xf32>
  return %0 : tensor<64x16xf32>
}
