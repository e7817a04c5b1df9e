// RUN: cleave-opt %s -cleave-annotate-shardings='mesh=data=2,model=4 shard=out:1=data,-;*.weight=-,data+model;input=data,-;arg3=;hidden=data,model' | FileCheck %s

// CHECK: spmd.mesh @[[MESH:mesh_[0-9]+]] <"data"=2, "model"=4>
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %arg0: tensor<8x8xf32> {spmd.sharding = #spmd.sharding<@[[MESH]], [{"data"}, {}]>}
// CHECK-SAME: %arg1: tensor<8x8xf32> {cleave.name = "a.weight", spmd.sharding = #spmd.sharding<@[[MESH]], [{}, {"data", "model"}]>}
// CHECK-SAME: %arg2: tensor<8x8xf32> {cleave.name = "b.weight", spmd.sharding = #spmd.sharding<@[[MESH]], [{}, {"data", "model"}]>}
// CHECK-SAME: %arg3: tensor<f32> {spmd.sharding = #spmd.sharding<@[[MESH]], []>}
// CHECK-SAME: -> (tensor<8x8xf32>, tensor<8x8xf32> {spmd.sharding = #spmd.sharding<@[[MESH]], [{"data"}, {}]>})
func.func @main(%input: tensor<8x8xf32> loc("input"), %a: tensor<8x8xf32> {cleave.name = "a.weight"},
                %b: tensor<8x8xf32> {cleave.name = "b.weight"}, %s: tensor<f32>) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  // CHECK: %[[H:.*]] = cleave.add %arg0, %arg1 {cleave.name = "hidden"}
  // CHECK: %[[C:.*]] = spmd.sharding_constraint %[[H]] <@[[MESH]], [{"data"}, {"model"}]> : tensor<8x8xf32>
  // CHECK: cleave.add %[[C]], %arg2
  %0 = cleave.add %input, %a {cleave.name = "hidden"} : tensor<8x8xf32>
  %1 = cleave.add %0, %b : tensor<8x8xf32>
  // CHECK: return %{{.*}}, %[[C]]
  return %1, %0 : tensor<8x8xf32>, tensor<8x8xf32>
}

// The mesh's name is taken.
func.func private @mesh() {
  return
}
