// RUN: cleave-differential --file %s
// A slice without elements read outside of its operand as far as index maps
// tell, which was an error.

spmd.mesh @mesh <"x"=2>
func.func @main(%x: tensor<2x1x3xui8>, %y: tensor<4x0xf16> {spmd.sharding = #spmd.sharding<@mesh, [{"x"}, {}]>},
                %start: tensor<i64>) -> (tensor<2x0x3xui8>, tensor<4x0xf16>) {
  %0 = cleave.slice %x [0:2, 0:0:3, 0:3] : (tensor<2x1x3xui8>) -> tensor<2x0x3xui8>
  %1 = cleave.dynamic_slice %y, %start, %start, sizes = [4, 0] : (tensor<4x0xf16>, tensor<i64>, tensor<i64>) -> tensor<4x0xf16>
  return %0, %1 : tensor<2x0x3xui8>, tensor<4x0xf16>
}
