//===- Verification.h - Checks that several verifiers share -----*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_DIALECTS_GRAPH_VERIFY_VERIFICATION_H
#define CLEAVE_DIALECTS_GRAPH_VERIFY_VERIFICATION_H

#include "dialects/Graph/GraphDialect.h"

namespace cleave::graph {

/// `dims`, the attribute called `name`, are distinct dimensions of `what`,
/// which has `rank` of them.
llvm::LogicalResult checkDims(mlir::Operation *op, llvm::StringRef name,
                              llvm::ArrayRef<int64_t> dims, int64_t rank,
                              const llvm::Twine &what);
/// One dimension of `what`.
llvm::LogicalResult checkDim(mlir::Operation *op, llvm::StringRef name,
                             int64_t dim, int64_t rank,
                             const llvm::Twine &what);
/// `dims` ascend.
llvm::LogicalResult checkSorted(mlir::Operation *op, llvm::StringRef name,
                                llvm::ArrayRef<int64_t> dims);
/// The attribute called `name` has `expected` entries, one per `what`.
llvm::LogicalResult checkCount(mlir::Operation *op, llvm::StringRef name,
                               int64_t count, int64_t expected,
                               const llvm::Twine &what);
/// The operand or result called `name` has this type.
llvm::LogicalResult checkType(mlir::Operation *op, llvm::StringRef name,
                              mlir::Type actual, mlir::Type expected);
llvm::LogicalResult checkShape(mlir::Operation *op, llvm::StringRef name,
                               mlir::RankedTensorType actual,
                               llvm::ArrayRef<int64_t> expected);
llvm::LogicalResult checkElement(mlir::Operation *op, llvm::StringRef name,
                                 mlir::RankedTensorType actual,
                                 mlir::Type expected);
llvm::LogicalResult checkRank(mlir::Operation *op, llvm::StringRef name,
                              mlir::RankedTensorType actual, int64_t expected);

/// `dim` of the operand called `name` has `expected` elements.
llvm::LogicalResult checkSize(mlir::Operation *op, llvm::StringRef name,
                              mlir::RankedTensorType type, int64_t dim,
                              int64_t expected, const llvm::Twine &why);

/// The operands of a product have one element type; the result has it too, or a
/// wider one of its kind.
llvm::LogicalResult checkProductElements(mlir::Operation *op,
                                         mlir::RankedTensorType lhs,
                                         mlir::RankedTensorType rhs,
                                         mlir::RankedTensorType result);

/// There are inputs, and as many results.
llvm::LogicalResult checkResultPerInput(mlir::Operation *op,
                                        mlir::ValueRange inputs);
/// Inputs of a reduction have one shape, `inits` are scalars of their types,
/// and `reducer` makes accumulators from accumulators and elements. There are
/// as many results, of which nothing else is said.
llvm::LogicalResult checkReduction(mlir::Operation *op, mlir::ValueRange inputs,
                                   mlir::ValueRange inits,
                                   mlir::Region &reducer);

/// A region called `name` ends with a return of `types`.
llvm::LogicalResult checkYield(mlir::Operation *op, llvm::StringRef name,
                               mlir::Region &region, mlir::TypeRange types);

} // namespace cleave::graph

#endif // CLEAVE_DIALECTS_GRAPH_VERIFY_VERIFICATION_H
