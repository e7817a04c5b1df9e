// Updates of floats of 8 bits are added one after the other, each sum rounded; with --math wide all at once.
// RUN: %cleave check %s | FileCheck %s
// RUN: %cleave check %s --mesh x=2,y=2 --shard random:3 | FileCheck %s
// RUN: %cleave check %s --mesh x=3 --shard random:1 --math standard | FileCheck %s
// RUN: sed 's/dense<\[16.0, 1.0, 20.0/dense<[18.0, 1.0, 20.0/' %s > %t.mlir
// RUN: %cleave check %t.mlir --math wide | FileCheck %s
// CHECK: 1 passed, 0 failed, 0 skipped

// 16 + 1 is 16, 18 + 1 is 20.
module @updates {
  func.func private @inputs() -> (tensor<4xf8E4M3FN>, tensor<3x1xi32>, tensor<3xf8E4M3FN>) {
    %0 = stablehlo.constant dense<[16.0, 1.0, 18.0, 0.0]> : tensor<4xf8E4M3FN>
    %1 = stablehlo.constant dense<[[0], [2], [0]]> : tensor<3x1xi32>
    %2 = stablehlo.constant dense<1.0> : tensor<3xf8E4M3FN>
    return %0, %1, %2 : tensor<4xf8E4M3FN>, tensor<3x1xi32>, tensor<3xf8E4M3FN>
  }
  func.func public @main() {
    %x, %i, %u = call @inputs() : () -> (tensor<4xf8E4M3FN>, tensor<3x1xi32>, tensor<3xf8E4M3FN>)
    %0 = "stablehlo.scatter"(%x, %i, %u) ({
    ^bb0(%a: tensor<f8E4M3FN>, %b: tensor<f8E4M3FN>):
      %1 = stablehlo.add %a, %b : tensor<f8E4M3FN>
      stablehlo.return %1 : tensor<f8E4M3FN>
    }) {scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} : (tensor<4xf8E4M3FN>, tensor<3x1xi32>, tensor<3xf8E4M3FN>) -> tensor<4xf8E4M3FN>
    check.expect_eq_const %0, dense<[16.0, 1.0, 20.0, 0.0]> : tensor<4xf8E4M3FN>
    return
  }
}
