// A sum over ranks and a chain of products that does not need it: the sum runs beside the chain. With
// --no-overlap it comes first.
//
// RUN: %cleave compile %s -o - --emit ir | FileCheck %s
// RUN: %cleave compile %s -o - --emit ir --no-overlap | FileCheck %s --check-prefix=TURNS
// RUN: %cleave verify %s --random-inputs 1 --check-streams --counters | FileCheck %s --check-prefix=VERIFY

// CHECK: exec.gemm
// CHECK: exec.record 0 on compute
// CHECK: exec.wait 0 on communication
// CHECK-NEXT: exec.collective all_reduce(sum) {{.*}} on communication
// CHECK: exec.record 1 on communication
// CHECK-NOT: exec.wait
// CHECK-COUNT-3: exec.gemm
// CHECK: exec.wait 1 on compute
// CHECK-NEXT: exec.launch
// TURNS: exec.collective all_reduce(sum)
// TURNS-NOT: communication
// VERIFY: collective 0: all_reduce {{.*}} count 1  bytes 65536
// VERIFY: verified 1 of 1 outputs on 2 ranks

spmd.mesh @m <"model"=2>
func.func @overlap(%x: tensor<128x512xf32> {cleave.name = "x", spmd.sharding = #spmd.sharding<@m, [{}, {"model"}]>},
                   %w: tensor<512x128xf32> {cleave.name = "w", spmd.sharding = #spmd.sharding<@m, [{"model"}, {}]>},
                   %h: tensor<128x128xf32> {cleave.name = "h"}, %v: tensor<128x128xf32> {cleave.name = "v"})
    -> (tensor<128x128xf32> {cleave.name = "y"}) {
  %s = cleave.linear %x, %w : (tensor<128x512xf32>, tensor<512x128xf32>) -> tensor<128x128xf32>
  %h1 = cleave.linear %h, %v : (tensor<128x128xf32>, tensor<128x128xf32>) -> tensor<128x128xf32>
  %h2 = cleave.linear %h1, %v : (tensor<128x128xf32>, tensor<128x128xf32>) -> tensor<128x128xf32>
  %h3 = cleave.linear %h2, %v : (tensor<128x128xf32>, tensor<128x128xf32>) -> tensor<128x128xf32>
  %y = cleave.multiply %s, %h3 : tensor<128x128xf32>
  return %y : tensor<128x128xf32>
}
