// REQUIRES: cuda-toolkit
// RUN: cleave-opt %s --pass-pipeline='builtin.module(cleave-map-kernels-to-gpu,gpu.module(cleave-lower-gpu-kernels-to-nvvm),cleave-serialize-gpu-kernels{chip=sm_80})' | FileCheck %s -DCHIP=sm_80
// RUN: cleave-opt %s --pass-pipeline='builtin.module(cleave-map-kernels-to-gpu,gpu.module(cleave-lower-gpu-kernels-to-nvvm),cleave-serialize-gpu-kernels{chip=sm_90})' | FileCheck %s -DCHIP=sm_90
// RUN: cleave-opt %s --pass-pipeline='builtin.module(cleave-map-kernels-to-gpu,gpu.module(cleave-lower-gpu-kernels-to-nvvm),cleave-serialize-gpu-kernels{chip=sm_100})' | FileCheck %s -DCHIP=sm_100

// What ptxas says of a kernel is noted on its declaration.
// CHECK: func.func private @scale
// CHECK-SAME: cleave.gpu_resources = {registers = {{[1-9][0-9]*}} : i64, shared_bytes = 0 : i64, spill_bytes = 0 : i64, stack_bytes = 0 : i64}
// CHECK: gpu.binary @cleave_kernels
// CHECK-SAME: chip = "[[CHIP]]"
// PTX: accesses of 16 bytes, and the limit of threads by which registers are given out.
// CHECK-SAME: assembly = "
// CHECK-SAME: .target [[CHIP]]
// CHECK-SAME: .maxntid 32
// CHECK-SAME: ld.global{{(.nc)?}}.{{v4.b32|v2.b64}}
// CHECK-SAME: st.global.{{v4.b32|v2.b64}}
// Machine code is an ELF file.
// CHECK-SAME: bin = "\7FELF
#map = affine_map<(d0) -> (d0)>
func.func private @scale(%x: memref<64xf32>, %r: memref<64xf32>) attributes {cleave.kernel} {
  linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%x : memref<64xf32>) outs(%r : memref<64xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %a : f32
    linalg.yield %s : f32
  }
  return
}
