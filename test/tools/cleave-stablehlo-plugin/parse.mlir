// The readers in a host that registers other dialects; the plugin without them knows no StableHLO.
// REQUIRES: plugin, stablehlo-plugin, mlir-opt
// UNSUPPORTED: sanitizer
// RUN: mlir-opt-22 --load-dialect-plugin=%cleave-stablehlo-plugin --load-pass-plugin=%cleave-stablehlo-plugin %s | FileCheck %s
// RUN: not mlir-opt-22 --load-dialect-plugin=%cleave-plugin --load-pass-plugin=%cleave-plugin %s 2>&1 \
// RUN:   | FileCheck %s --check-prefix=CORE

// CORE: error: Dialect `stablehlo' not found for custom op 'stablehlo.add'

// CHECK: jax.buffer_donor = true
func.func @main(%x: tensor<8xf32> {jax.buffer_donor = true}) -> tensor<8xf32> {
  // CHECK: "stablehlo.add"(%arg0, %arg0)
  %0 = stablehlo.add %x, %x : tensor<8xf32>
  // CHECK: arith.addf
  %1 = arith.addf %x, %0 : tensor<8xf32>
  return %1 : tensor<8xf32>
}
