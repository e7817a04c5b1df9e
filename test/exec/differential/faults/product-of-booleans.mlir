// RUN: cleave-differential --file %s
// The matrix library has no product of i1.

spmd.mesh @mesh <"x"=2>
func.func @main(%x: tensor<5x7xi1> {spmd.sharding = #spmd.sharding<@mesh, [{}, {"x"}]>}, %y: tensor<7x4xi1>)
    -> (tensor<5x4xi1>, tensor<5x4xi8>) {
  %0 = cleave.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<5x7xi1>, tensor<7x4xi1>) -> tensor<5x4xi1>
  %1 = cleave.convert %0 : (tensor<5x4xi1>) -> tensor<5x4xi8>
  return %0, %1 : tensor<5x4xi1>, tensor<5x4xi8>
}
