// The first operation of a step is a collective, of an input that the step then overwrites.
spmd.mesh @m <"x"=2>
func.func @main(%a: tensor<8x16xf32> {cleave.name = "a", cleave.donated, spmd.sharding = #spmd.sharding<@m, [{"x"}, {}]>})
    -> (tensor<8x16xf32> {cleave.name = "next", spmd.sharding = #spmd.sharding<@m, [{"x"}, {}]>},
        tensor<8x16xf32> {cleave.name = "whole", spmd.sharding = #spmd.sharding<@m, [{}, {}]>}) {
  %0 = cleave.add %a, %a : tensor<8x16xf32>
  return %0, %a : tensor<8x16xf32>, tensor<8x16xf32>
}
