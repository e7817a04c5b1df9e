// RUN: cleave-opt %s -cleave-lower-exec-to-llvm='target=cuda:sm_90 products=bf16' | FileCheck %s
// RUN: not cleave-opt %s -cleave-lower-exec-to-llvm='target=cuda:sm_90 products=f8' 2>&1 | FileCheck %s --check-prefix=WRONG

// The runtime gets to know what operands of products are rounded to.
// CHECK: @cleave_program_manifest({{.*}}\22products\22:\22bf16\22
// WRONG: error: option products: expected tf32, bf16 or f16, got 'f8'
exec.program @main mesh <"m" ["x"=1]> inputs(%x: memref<4xf32> = <"x", tensor<4xf32>, [[]]>)
    outputs(%y: memref<4xf32> = <"y", tensor<4xf32>, [[]]>) arena 0 {
  exec.copy %x into %y : memref<4xf32> -> memref<4xf32>
}
