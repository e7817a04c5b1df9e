// A host that has a dialect stablehlo of its own: the plugin adds none, both work side by side, and the import pass
// does not touch what it has not read.
// REQUIRES: plugin, mlir-opt
// UNSUPPORTED: sanitizer
// RUN: split-file %s %t
// RUN: mlir-opt-22 --irdl-file=%t/host.mlir --load-dialect-plugin=%cleave-plugin --load-pass-plugin=%cleave-plugin \
// RUN:   --pass-pipeline='builtin.module(cleave-inline-calls)' %t/model.mlir | FileCheck %s
// RUN: not mlir-opt-22 --irdl-file=%t/host.mlir --load-dialect-plugin=%cleave-plugin --load-pass-plugin=%cleave-plugin \
// RUN:   --pass-pipeline='builtin.module(cleave-convert-stablehlo-to-cleave)' %t/model.mlir 2>&1 \
// RUN:   | FileCheck %s --check-prefix=ERROR

// CHECK: %[[S:.*]] = "stablehlo.add"(%arg0, %arg0)
// CHECK: cleave.negate %[[S]]
// ERROR: model.mlir:2:8: error: 'stablehlo.add' was not read by Cleave's dialects; load them instead of others of these names

//--- host.mlir
irdl.dialect @stablehlo {
  irdl.operation @add {
    %0 = irdl.any
    irdl.operands(lhs: %0, rhs: %0)
    irdl.results(result: %0)
  }
}
//--- model.mlir
func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = "stablehlo.add"(%x, %x) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %1 = cleave.negate %0 : tensor<8xf32>
  return %1 : tensor<8xf32>
}
