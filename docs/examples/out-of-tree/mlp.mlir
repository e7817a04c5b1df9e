spmd.mesh @m <"data"=2, "model"=4>
func.func @mlp(%x: tensor<64x512xf32> {spmd.sharding = #spmd.sharding<@m, [{"data"}, {}]>},
               %up: tensor<2048x512xf32> {spmd.sharding = #spmd.sharding<@m, [{"model"}, {}]>},
               %down: tensor<512x2048xf32> {spmd.sharding = #spmd.sharding<@m, [{}, {"model"}]>}) -> tensor<64x512xf32> {
  %h = toy.matmul %x, %up : (tensor<64x512xf32>, tensor<2048x512xf32>) -> tensor<64x2048xf32>
  %a = cleave.gelu %h : tensor<64x2048xf32>
  %y = toy.matmul %a, %down : (tensor<64x2048xf32>, tensor<512x2048xf32>) -> tensor<64x512xf32>
  return %y : tensor<64x512xf32>
}
