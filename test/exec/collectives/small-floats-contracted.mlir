// A product of floats of 8 bits whose contracted dimension is cut into uneven blocks: padding is masked with their zero.
// RUN: %cleave verify %s --mesh x=3 --shard a=-,x --shard b=x,- --random-inputs 1 | FileCheck %s
// RUN: %cleave verify %s --mesh x=4 --shard a=-,x --shard b=x,- --random-inputs 1 --guard-pages | FileCheck %s
// CHECK: verified 1 of 1 outputs
func.func @main(%a: tensor<5x35xf8E4M3FNUZ> {cleave.name = "a"}, %b: tensor<35x3xf8E4M3FNUZ> {cleave.name = "b"}) -> tensor<5x3xf32> {
  %0 = cleave.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<5x35xf8E4M3FNUZ>, tensor<35x3xf8E4M3FNUZ>) -> tensor<5x3xf32>
  return %0 : tensor<5x3xf32>
}
