// RUN: cleave-opt %s -split-input-file -verify-diagnostics -cleave-lower-exec-to-llvm=target=cuda:sm_90 | FileCheck %s

// Kernels are launched with what they need to be found, constants are copied to
// the device, and every launch has its place in the source.
// CHECK-DAG: llvm.mlir.global internal constant @cleave_gpu_machine_code("ELF")
// CHECK-DAG: llvm.mlir.global internal constant @cleave_gpu_assembly("PTX\00")
// CHECK-DAG: llvm.mlir.global internal constant @[[NAME:.*]]("double\00")
// CHECK-DAG: llvm.mlir.global external constant @cleave_program_manifest({{.*}}\22target\22:\22cuda:sm_90\22
// CHECK: llvm.func @cleave_program_step(
// CHECK: llvm.mlir.addressof @cleave_constant_1
// CHECK: llvm.call @cleave_rt_gpu_constant(%{{.*}}, %{{.*}}, %{{.*}}, %[[COPY:[0-9]+]])
// CHECK: llvm.load %[[COPY]] :
// CHECK: llvm.mlir.addressof @cleave_gpu_kernel_double
// CHECK: llvm.call @cleave_rt_gpu_launch(
// CHECK-NOT: cleave_rt_launch
// CHECK: llvm.mlir.global internal constant @cleave_gpu_kernel_double
// CHECK-NOT: gpu.binary
gpu.binary @cleave_kernels [#gpu.object<#nvvm.target<chip = "sm_90">, assembly = "PTX">, #gpu.object<#nvvm.target<chip = "sm_90">, bin = "ELF">]
func.func private @double(memref<4xf32>, memref<4xf32>)
  attributes {cleave.gpu_kernel = @cleave_kernels::@double, cleave.blocks = 1 : i64, cleave.threads = 32 : i64}
exec.program @main mesh <"m" ["x"=1]> inputs() outputs(%y: memref<4xf32> = <"y", tensor<4xf32>, [[]]>) arena 0 {
  %c = exec.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32> : memref<4xf32>
  exec.launch @double ins(%c : memref<4xf32>) outs(%y : memref<4xf32>)
}

// -----

// expected-error@+1 {{there is no machine code of the kernels; run cleave-serialize-gpu-kernels first}}
func.func private @double(memref<4xf32>, memref<4xf32>)
  attributes {cleave.gpu_kernel = @cleave_kernels::@double, cleave.blocks = 1 : i64, cleave.threads = 32 : i64}
exec.program @main mesh <"m" ["x"=1]> inputs(%x: memref<4xf32> = <"x", tensor<4xf32>, [[]]>)
    outputs(%y: memref<4xf32> = <"y", tensor<4xf32>, [[]]>) arena 0 {
  exec.launch @double ins(%x : memref<4xf32>) outs(%y : memref<4xf32>)
}

// -----

func.func private @double(memref<4xf32>, memref<4xf32>)
exec.program @main mesh <"m" ["x"=1]> inputs(%x: memref<4xf32> = <"x", tensor<4xf32>, [[]]>)
    outputs(%y: memref<4xf32> = <"y", tensor<4xf32>, [[]]>) arena 0 {
  // expected-error@+1 {{launches double, which is no function of a GPU; run cleave-map-kernels-to-gpu first}}
  exec.launch @double ins(%x : memref<4xf32>) outs(%y : memref<4xf32>)
}
