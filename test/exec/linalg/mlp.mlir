// A linalg program of another compiler, partitioned, computes what it does serially: exactly, since all sums are of small numbers.
// REQUIRES: mlir-opt
// UNSUPPORTED: sanitizer
// RUN: %python %S/Inputs/run.py %s '"x"=2, "y"=2' '"x"=1, "y"=4' '"x"=3, "y"=2' '"x"=2, "y"=3' | FileCheck %s
// CHECK: "x"=2, "y"=2: 40 numbers agree; {{.*}}reduce
// CHECK: "x"=1, "y"=4: 40 numbers agree; {{.*}}reduce
// 5 rows over 3 ranks, 9 inner columns over 2 and 3: uneven, padding is NaN.
// CHECK: "x"=3, "y"=2: 40 numbers agree; {{.*}}reduce
// CHECK: "x"=2, "y"=3: 40 numbers agree; {{.*}}reduce

spmd.mesh @m <MESH>
func.func @mlp(%x: tensor<5x6xf32> {spmd.sharding = #spmd.sharding<@m, [{"x"}, {}]>},
               %up: tensor<6x9xf32> {spmd.sharding = #spmd.sharding<@m, [{}, {"y"}]>},
               %down: tensor<9x8xf32> {spmd.sharding = #spmd.sharding<@m, [{"y"}, {}]>}) -> tensor<5x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<5x9xf32>
  %f0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<5x9xf32>) -> tensor<5x9xf32>
  %h = linalg.matmul ins(%x, %up : tensor<5x6xf32>, tensor<6x9xf32>) outs(%f0 : tensor<5x9xf32>) -> tensor<5x9xf32>
  %a = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%h : tensor<5x9xf32>) outs(%e0 : tensor<5x9xf32>) {
  ^bb0(%v: f32, %o: f32):
    %m = arith.maximumf %v, %zero : f32
    linalg.yield %m : f32
  } -> tensor<5x9xf32>
  %e1 = tensor.empty() : tensor<5x8xf32>
  %f1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<5x8xf32>) -> tensor<5x8xf32>
  %y = linalg.matmul ins(%a, %down : tensor<5x9xf32>, tensor<9x8xf32>) outs(%f1 : tensor<5x8xf32>) -> tensor<5x8xf32>
  return %y : tensor<5x8xf32>
}
