// RUN: cleave-opt %s --pass-pipeline='builtin.module(exec.program(cleave-plan-arena{guard-pages=true}))' | FileCheck %s

func.func private @f(tensor<64xf32>) -> tensor<64xf32>
func.func private @test(tensor<64xf32>) -> tensor<i1>

// Every buffer on a page of its own, at its end; what loops use is in use until their end.

// CHECK-LABEL: exec.program @loop
// CHECK: exec.guard_page_bytes = 4096
// CHECK: exec.buffer at 7936 {exec.live = array<i64: 0, 5>} : memref<64xf32>
// CHECK: exec.buffer at 16320 {exec.live = array<i64: 1, 5>} : memref<i1>
// CHECK: exec.launch @f {{.*}} {exec.position = 0 : i64}
// CHECK: exec.while
// CHECK: exec.launch @test {{.*}} {exec.position = 2 : i64}
// CHECK: exec.launch @f {{.*}} {exec.position = 4 : i64}
// CHECK: } {exec.position = 1 : i64}
exec.program @loop mesh <"m" []> inputs(%x: memref<64xf32> = <"x", tensor<64xf32>, [[]]>)
    outputs(%y: memref<64xf32> = <"y", tensor<64xf32>, [[]]>) {
  %a = exec.buffer : memref<64xf32>
  %more = exec.buffer : memref<i1>
  exec.launch @f ins(%x : memref<64xf32>) outs(%a : memref<64xf32>)
  exec.while %more : memref<i1> cond {
    exec.launch @test ins(%a : memref<64xf32>) outs(%more : memref<i1>)
  } do {
    exec.launch @f ins(%a : memref<64xf32>) outs(%y : memref<64xf32>)
  }
}
