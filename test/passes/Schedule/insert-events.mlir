// RUN: cleave-opt %s --pass-pipeline='builtin.module(exec.program(cleave-insert-events))' | FileCheck %s
// RUN: cleave-opt %s --pass-pipeline='builtin.module(exec.program(cleave-insert-events,cleave-insert-events))' | FileCheck %s

func.func private @f(tensor<4xf32>) -> tensor<4xf32>
func.func private @g(tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
func.func private @test(tensor<4xf32>) -> tensor<i1>

// Launches of @f do not need the sum.

// CHECK-LABEL: exec.program @beside
// CHECK: exec.launch @f
// CHECK-NEXT: exec.record 0 on compute
// CHECK-NEXT: exec.wait 0 on communication
// CHECK-NEXT: exec.collective all_reduce(sum) {{.*}} on communication :
// CHECK-NEXT: exec.record 1 on communication
// CHECK-NEXT: exec.launch @f
// CHECK-NEXT: exec.wait 1 on compute
// CHECK-NEXT: exec.launch @g
// CHECK-NEXT: }
exec.program @beside mesh <"m" ["x"=2]> inputs(%x: memref<4xf32> = <"x", tensor<4xf32>, [[]]>)
    outputs(%y: memref<4xf32> = <"y", tensor<4xf32>, [[]]>) {
  %a = exec.buffer : memref<4xf32>
  %b = exec.buffer : memref<4xf32>
  %c = exec.buffer : memref<4xf32>
  exec.launch @f ins(%x : memref<4xf32>) outs(%a : memref<4xf32>)
  exec.collective all_reduce(sum) %a into %b over <["x":(1)2]> on communication : memref<4xf32> -> memref<4xf32>
  exec.launch @f ins(%x : memref<4xf32>) outs(%c : memref<4xf32>)
  exec.launch @g ins(%b, %c : memref<4xf32>, memref<4xf32>) outs(%y : memref<4xf32>)
}

// The end of the program reads %y; the collective reads an input. An all_slice communicates with nobody.

// CHECK-LABEL: exec.program @output
// CHECK: exec.collective all_reduce(sum) {{.*}} on communication :
// CHECK-NEXT: exec.record 0 on communication
// CHECK-NEXT: exec.collective all_slice {{.*}} dim = 0 :
// CHECK-NEXT: exec.wait 0 on compute
// CHECK-NEXT: }
exec.program @output mesh <"m" ["x"=2]> inputs(%x: memref<4xf32> = <"x", tensor<4xf32>, [[]]>)
    outputs(%y: memref<4xf32> = <"y", tensor<4xf32>, [[]]>, %z: memref<2xf32> = <"z", tensor<4xf32>, [["x":(1)2]]>) {
  exec.collective all_reduce(sum) %x into %y over <["x":(1)2]> on communication : memref<4xf32> -> memref<4xf32>
  exec.collective all_slice %x into %z over <["x":(1)2]> dim = 0 : memref<4xf32> -> memref<2xf32>
}

// The sum of one iteration is awaited in the next one, or after the loop.

// CHECK-LABEL: exec.program @carried
// CHECK: exec.while
// CHECK-NEXT: exec.launch @test
// CHECK-NEXT: } do {
// CHECK: exec.launch @f
// CHECK-NEXT: exec.wait [[G:[0-9]+]] on compute
// CHECK-NEXT: exec.launch @g
// CHECK-NEXT: exec.record [[B:[0-9]+]] on compute
// CHECK-NEXT: exec.wait [[B]] on communication
// CHECK-NEXT: exec.collective all_reduce(sum) {{.*}} on communication
// CHECK-NEXT: exec.record [[G]] on communication
// CHECK-NEXT: }
// CHECK-NEXT: exec.wait [[G]] on compute
// CHECK-NEXT: exec.launch @f
exec.program @carried mesh <"m" ["x"=2]> inputs(%x: memref<4xf32> = <"x", tensor<4xf32>, [[]]>)
    outputs(%y: memref<4xf32> = <"y", tensor<4xf32>, [[]]>) {
  %g = exec.buffer : memref<4xf32>
  %p = exec.buffer : memref<i1>
  exec.launch @f ins(%x : memref<4xf32>) outs(%g : memref<4xf32>)
  exec.while %p : memref<i1> cond {
    exec.launch @test ins(%x : memref<4xf32>) outs(%p : memref<i1>)
  } do {
    %a = exec.buffer : memref<4xf32>
    %b = exec.buffer : memref<4xf32>
    exec.launch @f ins(%x : memref<4xf32>) outs(%a : memref<4xf32>)
    exec.launch @g ins(%a, %g : memref<4xf32>, memref<4xf32>) outs(%b : memref<4xf32>)
    exec.collective all_reduce(sum) %b into %g over <["x":(1)2]> on communication : memref<4xf32> -> memref<4xf32>
  }
  exec.launch @f ins(%g : memref<4xf32>) outs(%y : memref<4xf32>)
}

// The host reads the condition on the compute stream; after that, all that came before is complete.

// CHECK-LABEL: exec.program @condition
// CHECK: exec.while
// CHECK-NEXT: exec.launch @test
// CHECK-NEXT: exec.record [[Q:[0-9]+]] on compute
// CHECK-NEXT: exec.wait [[Q]] on communication
// CHECK-NEXT: exec.collective all_reduce(or) {{.*}} on communication
// CHECK-NEXT: exec.record [[P:[0-9]+]] on communication
// CHECK-NEXT: exec.launch @f
// CHECK-NEXT: exec.wait [[P]] on compute
// CHECK-NEXT: } do {
// CHECK-NEXT: exec.launch @f
// CHECK-NEXT: }
// CHECK-NEXT: }
exec.program @condition mesh <"m" ["x"=2]> inputs(%x: memref<4xf32> = <"x", tensor<4xf32>, [[]]>)
    outputs(%y: memref<4xf32> = <"y", tensor<4xf32>, [[]]>, %z: memref<4xf32> = <"z", tensor<4xf32>, [[]]>) {
  %p = exec.buffer : memref<i1>
  %q = exec.buffer : memref<i1>
  exec.while %p : memref<i1> cond {
    exec.launch @test ins(%x : memref<4xf32>) outs(%q : memref<i1>)
    exec.collective all_reduce(or) %q into %p over <["x":(1)2]> on communication : memref<i1> -> memref<i1>
    exec.launch @f ins(%x : memref<4xf32>) outs(%y : memref<4xf32>)
  } do {
    exec.launch @f ins(%x : memref<4xf32>) outs(%z : memref<4xf32>)
  }
}

// %c has the bytes of %a, so @f must not write it while the collective reads them; %d has others.

// CHECK-LABEL: exec.program @bytes
// CHECK: exec.collective all_reduce(sum) {{.*}} on communication
// CHECK-NEXT: exec.record [[R:[0-9]+]] on communication
// CHECK-NEXT: exec.launch @f
// CHECK-NEXT: exec.wait [[R]] on compute
// CHECK-NEXT: exec.launch @f
// CHECK-NEXT: exec.launch @g
// CHECK-NEXT: exec.launch @g
// CHECK-NEXT: }
exec.program @bytes mesh <"m" ["x"=2]> inputs(%x: memref<4xf32> = <"x", tensor<4xf32>, [[]]>)
    outputs(%y: memref<4xf32> = <"y", tensor<4xf32>, [[]]>) arena 256 {
  %a = exec.buffer at 0 : memref<4xf32>
  %b = exec.buffer at 64 : memref<4xf32>
  %c = exec.buffer at 0 : memref<16xf32>
  %d = exec.buffer at 128 : memref<4xf32>
  exec.launch @f ins(%x : memref<4xf32>) outs(%a : memref<4xf32>)
  exec.collective all_reduce(sum) %a into %b over <["x":(1)2]> on communication : memref<4xf32> -> memref<4xf32>
  exec.launch @f ins(%x : memref<4xf32>) outs(%d : memref<4xf32>)
  exec.launch @f ins(%x : memref<4xf32>) outs(%c : memref<16xf32>)
  exec.launch @g ins(%c, %d : memref<16xf32>, memref<4xf32>) outs(%y : memref<4xf32>)
  exec.launch @g ins(%b, %d : memref<4xf32>, memref<4xf32>) outs(%y : memref<4xf32>)
}
