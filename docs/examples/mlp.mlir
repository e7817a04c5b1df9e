// A feed-forward layer, the batch cut over "data", the inner dimension over "model".
//
// RUN: cleave-opt %s -cleave-propagate-shardings -cleave-insert-reshards -cleave-verify-shardings \
// RUN:   -cleave-partition-to-local | FileCheck %s

spmd.mesh @m <"data"=2, "model"=4>

// CHECK-LABEL: func.func @mlp
// CHECK-SAME: tensor<32x512xf32>
// CHECK-SAME: tensor<512x512xf32>
// CHECK-SAME: tensor<512x512xf32>
func.func @mlp(%x: tensor<64x512xf32> {cleave.name = "x", spmd.sharding = #spmd.sharding<@m, [{"data"}, {}]>},
               %up: tensor<512x2048xf32> {cleave.name = "up.weight", spmd.sharding = #spmd.sharding<@m, [{}, {"model"}]>},
               %down: tensor<2048x512xf32> {cleave.name = "down.weight", spmd.sharding = #spmd.sharding<@m, [{"model"}, {}]>})
    -> (tensor<64x512xf32> {cleave.name = "y"}) {
  // CHECK: cleave.linear {{.*}} -> tensor<32x512xf32>
  %h = cleave.linear %x, %up : (tensor<64x512xf32>, tensor<512x2048xf32>) -> tensor<64x2048xf32>
  // CHECK: cleave.gelu {{.*}} : tensor<32x512xf32>
  %a = cleave.gelu %h : tensor<64x2048xf32>
  // CHECK: cleave.linear {{.*}} -> tensor<32x512xf32>
  // CHECK: spmd.all_reduce sum {{.*}} over @m ["model"] {{.*}}: tensor<32x512xf32>
  // CHECK-NOT: spmd.all
  %y = cleave.linear %a, %down : (tensor<64x2048xf32>, tensor<2048x512xf32>) -> tensor<64x512xf32>
  return %y : tensor<64x512xf32>
}
