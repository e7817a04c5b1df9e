// Rows that are cut: their maximum and their sum are found by all ranks together. Exponentials are not exact.
// REQUIRES: mlir-opt
// UNSUPPORTED: sanitizer
// RUN: %python %S/Inputs/run.py %s '"x"=2' '"x"=4' '"x"=3' --tolerance 1e-6 | FileCheck %s
// CHECK: "x"=2: 49 numbers agree; {{.*}}all_reduce
// CHECK: "x"=4: 49 numbers agree; {{.*}}all_reduce
// CHECK: "x"=3: 49 numbers agree; {{.*}}all_reduce

#row = affine_map<(i, j) -> (i)>
#all = affine_map<(i, j) -> (i, j)>
spmd.mesh @m <MESH>
func.func @softmax(%x: tensor<4x10xf32> {spmd.sharding = #spmd.sharding<@m, [{}, {"x"}]>},
                   %w: tensor<10x1xi32> {spmd.sharding = #spmd.sharding<@m, [{"x"}, {}]>}) -> (tensor<4x10xf32>, tensor<9xi32>) {
  %lowest = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<4xf32>
  %e1 = tensor.empty() : tensor<4x10xf32>
  %f0 = linalg.fill ins(%lowest : f32) outs(%e0 : tensor<4xf32>) -> tensor<4xf32>
  %m = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x10xf32>) outs(%f0 : tensor<4xf32>) {
  ^bb0(%v: f32, %o: f32):
    %0 = arith.maximumf %v, %o : f32
    linalg.yield %0 : f32
  } -> tensor<4xf32>
  %e = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel"]}
      ins(%x, %m : tensor<4x10xf32>, tensor<4xf32>) outs(%e1 : tensor<4x10xf32>) {
  ^bb0(%v: f32, %most: f32, %o: f32):
    %0 = arith.subf %v, %most : f32
    %1 = math.exp %0 : f32
    linalg.yield %1 : f32
  } -> tensor<4x10xf32>
  %f1 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<4xf32>) -> tensor<4xf32>
  %s = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "reduction"]}
      ins(%e : tensor<4x10xf32>) outs(%f1 : tensor<4xf32>) {
  ^bb0(%v: f32, %o: f32):
    %0 = arith.addf %v, %o : f32
    linalg.yield %0 : f32
  } -> tensor<4xf32>
  %y = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel"]}
      ins(%e, %s : tensor<4x10xf32>, tensor<4xf32>) outs(%e1 : tensor<4x10xf32>) {
  ^bb0(%v: f32, %sum: f32, %o: f32):
    %0 = arith.divf %v, %sum : f32
    linalg.yield %0 : f32
  } -> tensor<4x10xf32>
  %ei = tensor.empty() : tensor<9xi32>
  %none = arith.constant 0 : i32
  %fi = linalg.fill ins(%none : i32) outs(%ei : tensor<9xi32>) -> tensor<9xi32>
  %c = arith.constant dense<[[1, 2, 3, 4, 5, 6, 7, 8, 9]]> : tensor<1x9xi32>
  %i = linalg.generic {indexing_maps = [affine_map<(j, k, l) -> (k, l)>, affine_map<(j, k, l) -> (l, j)>, affine_map<(j, k, l) -> (j)>],
      iterator_types = ["parallel", "reduction", "reduction"]}
      ins(%w, %c : tensor<10x1xi32>, tensor<1x9xi32>) outs(%fi : tensor<9xi32>) {
  ^bb0(%v: i32, %f: i32, %o: i32):
    %0 = arith.muli %v, %f : i32
    %1 = arith.addi %0, %o : i32
    linalg.yield %1 : i32
  } -> tensor<9xi32>
  return %y, %i : tensor<4x10xf32>, tensor<9xi32>
}
