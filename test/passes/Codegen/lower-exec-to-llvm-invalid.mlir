// RUN: cleave-opt %s --cleave-lower-exec-to-llvm --split-input-file --verify-diagnostics

exec.program @main mesh <"m" []> inputs(%x: memref<4xf32> = <"x", tensor<4xf32>, [[]]>) outputs() {
  // expected-error @+1 {{buffer has no place in the arena; run cleave-plan-arena first}}
  %a = exec.buffer : memref<4xf32>
  exec.copy %x into %a : memref<4xf32> -> memref<4xf32>
}

// -----

exec.program @main mesh <"m" []> inputs(%x: memref<4xf32> = <"x", tensor<4xf32>, [[]]>) outputs() {
  // expected-error @+1 {{launches f, which is not lowered; run cleave-lower-kernels-to-llvm first}}
  exec.launch @f ins(%x : memref<4xf32>) outs()
}
func.func private @f(tensor<4xf32>)

// -----

exec.program @main mesh <"m" []> inputs(%x: memref<4xf32> = <"x", tensor<4xf32>, [[]]>) outputs() {
  // expected-error @+1 {{launches f, which has no cleave.extent}}
  exec.launch @f ins(%x : memref<4xf32>) outs()
}
llvm.func @f(%buffers: !llvm.ptr, %begin: i64, %end: i64) {
  llvm.return
}

// -----

exec.program @a mesh <"m" []> inputs() outputs() {
}
// expected-error @+1 {{an object holds one program}}
exec.program @b mesh <"m" []> inputs() outputs() {
}

// -----

exec.program @main mesh <"m" []> inputs() outputs() {
}
// expected-error @+1 {{has the name of a part of every program, cleave_program_step}}
llvm.func @cleave_program_step() {
  llvm.return
}

// -----

exec.program @main mesh <"m" []> inputs() outputs(%y: memref<4xf32> = <"y", tensor<4xf32>, [[]]>) {
  // expected-error @+1 {{has no data: the text of the program leaves out that of 'missing'; export it without eliding large constants and resources}}
  %c = exec.constant dense_resource<missing> : tensor<4xf32> : memref<4xf32>
  exec.copy %c into %y : memref<4xf32> -> memref<4xf32>
}

// -----

exec.program @main mesh <"m" []> inputs() outputs(%y: memref<4xf32> = <"y", tensor<4xf32>, [[]]>) {
  // expected-error @+1 {{has 4 bytes of data in 'short', but 'memref<4xf32>' needs 16}}
  %c = exec.constant dense_resource<short> : tensor<4xf32> : memref<4xf32>
  exec.copy %c into %y : memref<4xf32> -> memref<4xf32>
}
{-# dialect_resources: { builtin: { short: "0x040000000000803F" } } #-}
