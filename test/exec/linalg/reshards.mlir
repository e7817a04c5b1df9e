// Values that change their sharding between ops: slices, gathers and exchanges; arith and math ops on whole tensors.
// REQUIRES: mlir-opt
// UNSUPPORTED: sanitizer
// RUN: %python %S/Inputs/run.py %s '"x"=2, "y"=2' '"x"=4, "y"=1' '"x"=3, "y"=2' | FileCheck %s
// CHECK: "x"=2, "y"=2: 168 numbers agree; {{.*}}all_to_all
// CHECK: "x"=4, "y"=1: 168 numbers agree;
// CHECK: "x"=3, "y"=2: 168 numbers agree;

spmd.mesh @m <MESH>
func.func @reshards(%a: tensor<3x7x4xf32> {spmd.sharding = #spmd.sharding<@m, [{}, {"x"}, {"y"}]>},
                    %b: tensor<3x4x8xf32> {spmd.sharding = #spmd.sharding<@m, [{}, {"y"}, {"x"}]>})
    -> (tensor<3x7x8xf32> {spmd.sharding = #spmd.sharding<@m, [{}, {}, {"x"}]>}) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3x7x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<3x7x8xf32>) -> tensor<3x7x8xf32>
  %n = arith.negf %a : tensor<3x7x4xf32>
  %s = arith.subf %a, %n : tensor<3x7x4xf32>
  %p = linalg.batch_matmul ins(%s, %b : tensor<3x7x4xf32>, tensor<3x4x8xf32>) outs(%f : tensor<3x7x8xf32>) -> tensor<3x7x8xf32>
  %q = math.absf %p : tensor<3x7x8xf32>
  %c = spmd.sharding_constraint %q <@m, [{}, {"x"}, {}]> : tensor<3x7x8xf32>
  %r = arith.addf %c, %p : tensor<3x7x8xf32>
  return %r : tensor<3x7x8xf32>
}
