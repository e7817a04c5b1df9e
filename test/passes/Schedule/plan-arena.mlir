// RUN: cleave-opt %s --pass-pipeline='builtin.module(exec.program(cleave-plan-arena))' | FileCheck %s

func.func private @f(tensor<64xf32>) -> tensor<64xf32>
func.func private @g(tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
func.func private @test(tensor<64xf32>) -> tensor<i1>

// Of a chain, two buffers are in use at a time.

// CHECK-LABEL: exec.program @chain
// CHECK: arena 512 {
// CHECK: exec.buffer at 0
// CHECK: exec.buffer at 256
// CHECK: exec.buffer at 0
exec.program @chain mesh <"m" []> inputs(%x: memref<64xf32> = <"x", tensor<64xf32>, [[]]>)
    outputs(%y: memref<64xf32> = <"y", tensor<64xf32>, [[]]>) {
  %a = exec.buffer : memref<64xf32>
  exec.launch @f ins(%x : memref<64xf32>) outs(%a : memref<64xf32>)
  %b = exec.buffer : memref<64xf32>
  exec.launch @f ins(%a : memref<64xf32>) outs(%b : memref<64xf32>)
  %c = exec.buffer : memref<64xf32>
  exec.launch @f ins(%b : memref<64xf32>) outs(%c : memref<64xf32>)
  exec.launch @f ins(%c : memref<64xf32>) outs(%y : memref<64xf32>)
}

// What runs beside the compute stream is in use until that depends on it, also through a view.

// CHECK-LABEL: exec.program @started
// CHECK: arena 768 {
exec.program @started mesh <"m" []> inputs(%x: memref<64xf32> = <"x", tensor<64xf32>, [[]]>)
    outputs(%y: memref<64xf32> = <"y", tensor<64xf32>, [[]]>) {
  %a = exec.buffer : memref<64xf32>
  exec.launch @f ins(%x : memref<64xf32>) outs(%a : memref<64xf32>)
  %b = exec.buffer : memref<64xf32>
  %av = exec.view %a : memref<64xf32> to memref<8x8xf32>
  %bv = exec.view %b : memref<64xf32> to memref<8x8xf32>
  exec.collective all_reduce(sum) %av into %bv over <[]> on communication : memref<8x8xf32> -> memref<8x8xf32>
  %c = exec.buffer : memref<64xf32>
  exec.launch @f ins(%x : memref<64xf32>) outs(%c : memref<64xf32>)
  exec.launch @g ins(%b, %c : memref<64xf32>, memref<64xf32>) outs(%y : memref<64xf32>)
}

// %a is written before the loop and read in each iteration, so %b and %c may
// not use its bytes, though they come after its last use in program order.
// %d, after the loop, may.

// CHECK-LABEL: exec.program @loop
// CHECK: arena 832 {
// CHECK-NEXT: %[[A:.*]] = exec.buffer at [[A:[0-9]+]] : memref<64xf32>
// CHECK: exec.while
// CHECK: exec.buffer at [[B:[0-9]+]] : memref<64xf32>
// CHECK: exec.buffer at {{[0-9]+}} : memref<64xf32>
// CHECK: }
// CHECK: exec.buffer at {{0|256|512}} : memref<64xf32>
exec.program @loop mesh <"m" []> inputs(%x: memref<64xf32> = <"x", tensor<64xf32>, [[]]>)
    outputs(%y: memref<64xf32> = <"y", tensor<64xf32>, [[]]>) {
  %a = exec.buffer : memref<64xf32>
  exec.launch @f ins(%x : memref<64xf32>) outs(%a : memref<64xf32>)
  %p = exec.buffer : memref<i1>
  exec.while %p : memref<i1> cond {
    exec.launch @test ins(%x : memref<64xf32>) outs(%p : memref<i1>)
  } do {
    exec.launch @f ins(%a : memref<64xf32>) outs(%y : memref<64xf32>)
    %b = exec.buffer : memref<64xf32>
    exec.launch @f ins(%y : memref<64xf32>) outs(%b : memref<64xf32>)
    %c = exec.buffer : memref<64xf32>
    exec.launch @f ins(%b : memref<64xf32>) outs(%c : memref<64xf32>)
    exec.launch @f ins(%c : memref<64xf32>) outs(%y : memref<64xf32>)
  }
  %d = exec.buffer : memref<64xf32>
  exec.launch @f ins(%y : memref<64xf32>) outs(%d : memref<64xf32>)
  exec.launch @f ins(%d : memref<64xf32>) outs(%y : memref<64xf32>)
}

// Without buffers the arena is empty; so are buffers without elements.

// CHECK-LABEL: exec.program @empty
// CHECK: arena 0 {
// CHECK-NEXT: exec.buffer at 0 : memref<0x4xf32>
exec.program @empty mesh <"m" []> inputs() outputs() {
  %a = exec.buffer : memref<0x4xf32>
}
