// Each pass is there under its own name, with its options, and so are the pipelines; errors are diagnostics.
// REQUIRES: plugin, mlir-opt
// UNSUPPORTED: sanitizer
// RUN: mlir-opt-22 --load-dialect-plugin=%cleave-plugin --load-pass-plugin=%cleave-plugin \
// RUN:   --pass-pipeline='builtin.module(cleave-annotate-shardings{mesh=x=2 shard=arg0=x}, cleave-propagate-shardings, cleave-insert-reshards, cleave-verify-shardings, cleave-partition-to-local)' %s \
// RUN:   | FileCheck %s
// RUN: mlir-opt-22 --load-dialect-plugin=%cleave-plugin --load-pass-plugin=%cleave-plugin \
// RUN:   --pass-pipeline='builtin.module(cleave-partition{mesh=x=2 shard=arg0=x})' %s | FileCheck %s
// RUN: not mlir-opt-22 --load-dialect-plugin=%cleave-plugin --load-pass-plugin=%cleave-plugin \
// RUN:   --pass-pipeline='builtin.module(cleave-partition{mesh=x=2 shard=arg7=x})' %s 2>&1 | FileCheck %s --check-prefix=ERROR

// CHECK: func.func @main(%arg0: tensor<4xf32>
// CHECK: arith.addf %arg0, %arg0 : tensor<4xf32>
// ERROR: passes.mlir:[[@LINE+1]]:1: error: shard 'arg7=x': 'arg7' matches no argument, result (out:N) or named value
func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = arith.addf %x, %x : tensor<8xf32>
  return %0 : tensor<8xf32>
}
