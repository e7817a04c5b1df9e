// RUN: cleave-opt %s --pass-pipeline='builtin.module(exec.program(cleave-overlap-collectives))' | FileCheck %s

func.func private @f(tensor<4xf32>) -> tensor<4xf32>
func.func private @g(tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
func.func private @test(tensor<4xf32>) -> tensor<i1>

// The collective starts where there is %a; @f, which needs no sum, fills the time until @g may start.

// CHECK-LABEL: exec.program @beside
// CHECK-COUNT-3: exec.buffer
// CHECK-NEXT: exec.launch @f ins(%{{.*}}) outs(%[[A:.*]] : memref<4xf32>)
// CHECK-NEXT: exec.collective all_reduce(sum) %[[A]] into %[[B:.*]] over {{.*}} on communication
// CHECK-NEXT: exec.launch @f ins(%{{.*}}) outs(%[[C:.*]] : memref<4xf32>)
// CHECK-NEXT: exec.launch @g ins(%[[C]]
// CHECK-NEXT: exec.launch @g ins(%[[B]]
// CHECK-NEXT: }
exec.program @beside mesh <"m" ["x"=2]> inputs(%x: memref<4xf32> = <"x", tensor<4xf32>, [[]]>)
    outputs(%y: memref<4xf32> = <"y", tensor<4xf32>, [[]]>, %z: memref<4xf32> = <"z", tensor<4xf32>, [[]]>) {
  %a = exec.buffer : memref<4xf32>
  exec.launch @f ins(%x : memref<4xf32>) outs(%a : memref<4xf32>)
  %b = exec.buffer : memref<4xf32>
  exec.collective all_reduce(sum) %a into %b over <["x":(1)2]> : memref<4xf32> -> memref<4xf32>
  exec.launch @g ins(%b, %b : memref<4xf32>, memref<4xf32>) outs(%y : memref<4xf32>)
  %c = exec.buffer : memref<4xf32>
  exec.launch @f ins(%x : memref<4xf32>) outs(%c : memref<4xf32>)
  exec.launch @g ins(%c, %c : memref<4xf32>, memref<4xf32>) outs(%z : memref<4xf32>)
}

// Nothing to do meanwhile: one stream.

// CHECK-LABEL: exec.program @chain
// CHECK-NOT: communication
exec.program @chain mesh <"m" ["x"=2]> inputs(%x: memref<4xf32> = <"x", tensor<4xf32>, [[]]>)
    outputs(%y: memref<4xf32> = <"y", tensor<4xf32>, [[]]>) {
  %a = exec.buffer : memref<4xf32>
  %b = exec.buffer : memref<4xf32>
  exec.launch @f ins(%x : memref<4xf32>) outs(%a : memref<4xf32>)
  exec.collective all_reduce(sum) %a into %b over <["x":(1)2]> : memref<4xf32> -> memref<4xf32>
  exec.launch @f ins(%b : memref<4xf32>) outs(%y : memref<4xf32>)
}

// Gathering the second weight early would take twice the memory: the order stays.

// CHECK-LABEL: exec.program @memory
// CHECK: exec.collective all_gather
// CHECK: exec.launch @g
// CHECK: exec.collective all_gather
// CHECK: exec.launch @g
exec.program @memory mesh <"m" ["x"=2]>
    inputs(%v: memref<524288xf32> = <"v", tensor<1048576xf32>, [["x":(1)2]]>, %w: memref<524288xf32> = <"w", tensor<1048576xf32>, [["x":(1)2]]>,
           %x: memref<4xf32> = <"x", tensor<4xf32>, [[]]>)
    outputs(%y: memref<4xf32> = <"y", tensor<4xf32>, [[]]>) {
  %a = exec.buffer : memref<1048576xf32>
  %b = exec.buffer : memref<1048576xf32>
  %c = exec.buffer : memref<4xf32>
  exec.collective all_gather %v into %a over <["x":(1)2]> dim = 0 : memref<524288xf32> -> memref<1048576xf32>
  exec.launch @g ins(%x, %a : memref<4xf32>, memref<1048576xf32>) outs(%c : memref<4xf32>)
  exec.collective all_gather %w into %b over <["x":(1)2]> dim = 0 : memref<524288xf32> -> memref<1048576xf32>
  exec.launch @g ins(%c, %b : memref<4xf32>, memref<1048576xf32>) outs(%y : memref<4xf32>)
}

// Bodies are ordered on their own. The loop is moved as a whole, and not past what it depends on.

// CHECK-LABEL: exec.program @loop
// CHECK: exec.collective all_reduce(sum) {{.*}} on communication
// CHECK-NEXT: exec.while
// CHECK: } do {
// CHECK: exec.launch @f ins(%{{.*}}) outs(%[[A:.*]] : memref<4xf32>)
// CHECK-NEXT: exec.collective all_reduce(sum) %[[A]] into %[[B:.*]] over {{.*}} on communication
// CHECK-NEXT: exec.launch @f ins(%{{.*}}) outs(%[[C:.*]] : memref<4xf32>)
// CHECK-NEXT: exec.launch @g ins(%[[C]]
// CHECK-NEXT: exec.launch @g ins(%[[B]]
// CHECK-NEXT: }
// CHECK-NEXT: exec.launch @f
exec.program @loop mesh <"m" ["x"=2]> inputs(%x: memref<4xf32> = <"x", tensor<4xf32>, [[]]>)
    outputs(%y: memref<4xf32> = <"y", tensor<4xf32>, [[]]>, %z: memref<4xf32> = <"z", tensor<4xf32>, [[]]>,
            %v: memref<4xf32> = <"v", tensor<4xf32>, [[]]>) {
  %s = exec.buffer : memref<4xf32>
  %p = exec.buffer : memref<i1>
  exec.collective all_reduce(sum) %x into %s over <["x":(1)2]> : memref<4xf32> -> memref<4xf32>
  exec.launch @f ins(%s : memref<4xf32>) outs(%v : memref<4xf32>)
  exec.while %p : memref<i1> cond {
    exec.launch @test ins(%x : memref<4xf32>) outs(%p : memref<i1>)
  } do {
    %a = exec.buffer : memref<4xf32>
    %b = exec.buffer : memref<4xf32>
    %c = exec.buffer : memref<4xf32>
    exec.launch @f ins(%x : memref<4xf32>) outs(%a : memref<4xf32>)
    exec.collective all_reduce(sum) %a into %b over <["x":(1)2]> : memref<4xf32> -> memref<4xf32>
    exec.launch @g ins(%b, %b : memref<4xf32>, memref<4xf32>) outs(%y : memref<4xf32>)
    exec.launch @f ins(%x : memref<4xf32>) outs(%c : memref<4xf32>)
    exec.launch @g ins(%c, %c : memref<4xf32>, memref<4xf32>) outs(%z : memref<4xf32>)
  }
}
