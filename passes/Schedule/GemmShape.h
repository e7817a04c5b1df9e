//===- GemmShape.h - dot_general as a strided matrix product ----*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_PASSES_SCHEDULE_GEMMSHAPE_H
#define CLEAVE_PASSES_SCHEDULE_GEMMSHAPE_H

#include "dialects/Graph/GraphDialect.h"

namespace cleave {

/// The sizes and strides of exec.gemm.
struct GemmShape {
  llvm::SmallVector<int64_t> batch;
  int64_t m = 1, n = 1, k = 1;
  /// Of the batch dimensions, then of the row and column index.
  llvm::SmallVector<int64_t> a, b, out;
};

/// Reads a dot_general on dense operands as a strided matrix product. Adjacent
/// dimensions are collapsed; free dimensions that do not collapse become batch
/// dimensions along which the other operand does not move. Fails, with a
/// diagnostic, if the contracted dimensions do not collapse into one.
llvm::FailureOr<GemmShape> readGemmShape(graph::DotGeneralOp dot);

} // namespace cleave

#endif // CLEAVE_PASSES_SCHEDULE_GEMMSHAPE_H
