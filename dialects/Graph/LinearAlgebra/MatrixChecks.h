//===- MatrixChecks.h - What ops on batches of matrices share ---*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Matrices are in the last two dimensions of tensors, behind those of the
// batch. A complex tensor is two: real and imaginary parts.
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_DIALECTS_GRAPH_LINEARALGEBRA_MATRIXCHECKS_H
#define CLEAVE_DIALECTS_GRAPH_LINEARALGEBRA_MATRIXCHECKS_H

#include "dialects/Graph/GraphDialect.h"

namespace cleave::graph {

inline int64_t productOf(llvm::ArrayRef<int64_t> sizes) {
  int64_t result = 1;
  for (int64_t size : sizes)
    result *= size;
  return result;
}

/// 1 for real numbers, 2 for real and imaginary parts.
inline unsigned partsOf(mlir::ValueRange values) {
  return values.size() == 2 ? 2 : 1;
}

/// `values` are `count` tensors of `type`: one, or real and imaginary parts.
llvm::LogicalResult checkParts(mlir::Operation *op, llvm::StringRef name,
                               mlir::ValueRange values,
                               mlir::RankedTensorType type, unsigned count);
/// There are at least two dimensions.
llvm::LogicalResult checkMatrices(mlir::Operation *op, llvm::StringRef name,
                                  mlir::RankedTensorType type);
llvm::LogicalResult checkSquare(mlir::Operation *op, llvm::StringRef name,
                                mlir::RankedTensorType type);

} // namespace cleave::graph

#endif // CLEAVE_DIALECTS_GRAPH_LINEARALGEBRA_MATRIXCHECKS_H
