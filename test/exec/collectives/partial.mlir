// Two products whose contracted dimension is cut: each is a sum of its own, unless constraints keep
// them partial until they have been added and transposed. Bytes: 6x8 of f32, 2 * 3/4 of it.
//
// RUN: %python %S/check.py %cleave %s all_reduce:288

spmd.mesh @m <"x"=4>
func.func @main(%x: tensor<6x10xf32> {cleave.name = "x", spmd.sharding = #spmd.sharding<@m, [{}, {"x"}]>},
                %v: tensor<10x8xf32>, %w: tensor<10x8xf32>) -> tensor<8x6xf32> {
  %0 = cleave.linear %x, %v : (tensor<6x10xf32>, tensor<10x8xf32>) -> tensor<6x8xf32>
  %1 = cleave.linear %x, %w : (tensor<6x10xf32>, tensor<10x8xf32>) -> tensor<6x8xf32>
  %2 = cleave.add %0, %1 : tensor<6x8xf32>
  %3 = cleave.transpose %2, dims = [1, 0] : (tensor<6x8xf32>) -> tensor<8x6xf32>
  %4 = spmd.sharding_constraint %3 <@m, [{}, {}], partial = [sum "x"]> : tensor<8x6xf32>
  %5 = cleave.exponential %4 : tensor<8x6xf32>
  return %5 : tensor<8x6xf32>
}
