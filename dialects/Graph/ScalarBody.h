//===- ScalarBody.h - Functions of scalars in regions -----------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reductions, scatters and sorts hold the function that they apply to elements
// in a region of one block, on tensors of rank 0. Of N inputs, the function
// that combines takes N accumulators, then N elements, and yields N results.
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_DIALECTS_GRAPH_SCALARBODY_H
#define CLEAVE_DIALECTS_GRAPH_SCALARBODY_H

#include "dialects/Graph/GraphDialect.h"

namespace cleave::graph {

/// Verifies that the region called `name` is a function of scalars from
/// `arguments` (which are `roles`) to `results` that can become the code of a
/// loop: operations of rank 0 without regions, and calls of such functions.
/// It uses its arguments and constants in it, nothing from above.
llvm::LogicalResult checkScalarBody(mlir::Operation *op, llvm::StringRef name,
                                    mlir::Region &body,
                                    llvm::ArrayRef<mlir::Type> arguments,
                                    const llvm::Twine &roles,
                                    llvm::ArrayRef<mlir::Type> results);

/// The types of the elements of `values`, as tensors of rank 0.
llvm::SmallVector<mlir::Type> scalarTypes(mlir::ValueRange values);

/// The kind of reduction that a combining function is, for all of its N results
/// alike: result i is one known commutative op of accumulator i and element i.
/// On i1, addition and maximum are Or, multiplication and minimum And.
std::optional<ReductionKind> combiningKind(mlir::Region &body);

/// Whether the function yields the elements as they are.
bool yieldsElements(mlir::Region &body);

} // namespace cleave::graph

#endif // CLEAVE_DIALECTS_GRAPH_SCALARBODY_H
