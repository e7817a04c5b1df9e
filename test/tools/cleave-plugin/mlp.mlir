// A linalg program of another compiler, partitioned in a stock mlir-opt: the collectives are those of Cleave's own ops.
// REQUIRES: plugin, mlir-opt
// UNSUPPORTED: sanitizer
// RUN: split-file %s %t
// RUN: mlir-opt-22 --load-dialect-plugin=%cleave-plugin --load-pass-plugin=%cleave-plugin \
// RUN:   --pass-pipeline='builtin.module(cleave-partition)' %t/linalg.mlir > %t/linalg.out
// RUN: mlir-opt-22 --load-dialect-plugin=%cleave-plugin --load-pass-plugin=%cleave-plugin \
// RUN:   --pass-pipeline='builtin.module(cleave-partition)' %t/cleave.mlir > %t/cleave.out
// RUN: FileCheck %s < %t/linalg.out
// RUN: FileCheck %s < %t/cleave.out
// RUN: FileCheck %s --check-prefix=LINALG < %t/linalg.out

// CHECK: func.func @mlp(%arg0: tensor<32x512xf32> {{.*}}, %arg1: tensor<512x512xf32> {{.*}}, %arg2: tensor<512x512xf32>
// CHECK-NOT: {{= spmd\.}}
// CHECK: %[[Y:.*]] = {{linalg.matmul|cleave.linear}} {{.*}} -> tensor<32x512xf32>
// CHECK: %[[Y2:.*]] = {{linalg.matmul|cleave.linear}} {{.*}} -> tensor<32x512xf32>
// CHECK-NEXT: %[[R:.*]] = spmd.all_reduce sum %[[Y2]] over @m ["model"] {{.*}} : tensor<32x512xf32>
// CHECK-NOT: {{= spmd\.}}
// CHECK: return %[[R]]

// LINALG-COUNT-3: tensor.empty() : tensor<32x512xf32>

//--- linalg.mlir
spmd.mesh @m <"data"=2, "model"=4>
func.func @mlp(%x: tensor<64x512xf32> {spmd.sharding = #spmd.sharding<@m, [{"data"}, {}]>},
               %up: tensor<512x2048xf32> {spmd.sharding = #spmd.sharding<@m, [{}, {"model"}]>},
               %down: tensor<2048x512xf32> {spmd.sharding = #spmd.sharding<@m, [{"model"}, {}]>}) -> tensor<64x512xf32> {
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<64x2048xf32>
  %f0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<64x2048xf32>) -> tensor<64x2048xf32>
  %h = linalg.matmul ins(%x, %up : tensor<64x512xf32>, tensor<512x2048xf32>) outs(%f0 : tensor<64x2048xf32>) -> tensor<64x2048xf32>
  %a = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%h : tensor<64x2048xf32>) outs(%e0 : tensor<64x2048xf32>) {
  ^bb0(%v: f32, %o: f32):
    %m = arith.maximumf %v, %zero : f32
    linalg.yield %m : f32
  } -> tensor<64x2048xf32>
  %e1 = tensor.empty() : tensor<64x512xf32>
  %f1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<64x512xf32>) -> tensor<64x512xf32>
  %y = linalg.matmul ins(%a, %down : tensor<64x2048xf32>, tensor<2048x512xf32>) outs(%f1 : tensor<64x512xf32>) -> tensor<64x512xf32>
  return %y : tensor<64x512xf32>
}

//--- cleave.mlir
spmd.mesh @m <"data"=2, "model"=4>
func.func @mlp(%x: tensor<64x512xf32> {spmd.sharding = #spmd.sharding<@m, [{"data"}, {}]>},
               %up: tensor<512x2048xf32> {spmd.sharding = #spmd.sharding<@m, [{}, {"model"}]>},
               %down: tensor<2048x512xf32> {spmd.sharding = #spmd.sharding<@m, [{"model"}, {}]>}) -> tensor<64x512xf32> {
  %h = cleave.linear %x, %up : (tensor<64x512xf32>, tensor<512x2048xf32>) -> tensor<64x2048xf32>
  %a = cleave.relu %h : tensor<64x2048xf32>
  %y = cleave.linear %a, %down : (tensor<64x2048xf32>, tensor<2048x512xf32>) -> tensor<64x512xf32>
  return %y : tensor<64x512xf32>
}
