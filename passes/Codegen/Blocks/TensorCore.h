//===- TensorCore.h - Products of a warp on tensor cores ------ -*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// mma.sync of the PTX ISA: the 32 lanes of a warp multiply matrices whose
// elements are spread over their registers ("Matrix fragments for mma.m16n8k8"
// and "... mma.m16n8k16"). With g = lane / 4 and t = lane % 4, c has 16 rows
// and 8 columns: registers 0 and 1 are at row g, columns 2t and 2t + 1, and
// registers 2 and 3 the same of row g + 8.
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_PASSES_CODEGEN_BLOCKS_TENSORCORE_H
#define CLEAVE_PASSES_CODEGEN_BLOCKS_TENSORCORE_H

#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace cleave::codegen {

/// What the registers of a and b, 32 bits each, hold: two numbers of 16 bits,
/// the first one in the low half, or one of 32 bits as floatToTf32 rounds it.
enum class MatrixElement { F16, BF16, TF32 };

/// c + a * b, where a has 4 registers and b has 2; sums are f32.
///
/// 16 bits, a 16 x 16, b 16 x 8: register i of a has row g + 8 (i % 2), columns
/// 2t + 8 (i / 2) and the next; register i of b rows 2t + 8i and the next,
/// column g.
///
/// TF32, a 16 x 8, b 8 x 8: register i of a has row g + 8 (i % 2), column
/// t + 4 (i / 2); register i of b row t + 4i, column g.
llvm::SmallVector<mlir::Value>
multiplyMatrices(mlir::ImplicitLocOpBuilder &builder, MatrixElement element,
                 mlir::ValueRange a, mlir::ValueRange b, mlir::ValueRange c);

/// Depth of a product: columns of a, rows of b.
inline int64_t matrixDepth(MatrixElement element) {
  return element == MatrixElement::TF32 ? 8 : 16;
}

/// The bits of an f32 number rounded to 10 bits after the point.
mlir::Value floatToTf32(mlir::ImplicitLocOpBuilder &builder, mlir::Value value);

/// Two f32 numbers rounded to 16 bits each, in one register.
mlir::Value packHalves(mlir::ImplicitLocOpBuilder &builder,
                       MatrixElement element, mlir::Value low,
                       mlir::Value high);

} // namespace cleave::codegen

#endif // CLEAVE_PASSES_CODEGEN_BLOCKS_TENSORCORE_H
