//===- LoopsOverElements.h - Computations as loops --------------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_PASSES_IMPORT_REWRITES_LOOPSOVERELEMENTS_H
#define CLEAVE_PASSES_IMPORT_REWRITES_LOOPSOVERELEMENTS_H

#include "passes/Import/Rewrites/SourceBuilder.h"

namespace cleave::reader {

/// Replaces a map, reduce, reduce_window, sort, scatter or select_and_scatter
/// by loops that apply its computations to one element after the other, in
/// row-major order. Other ops and malformed ones stay.
void loopOverElements(mlir::Operation *op);

/// The integers of a list in an attribute of an op, or in a field of a record;
/// `absent` where there is none. False where it is something else.
bool readList(mlir::Attribute attribute, llvm::ArrayRef<int64_t> absent,
              llvm::SmallVectorImpl<int64_t> &values);

/// Whether a computation takes scalars of these element types and returns
/// scalars of those.
bool isFromTo(mlir::Region &computation, llvm::ArrayRef<mlir::Type> arguments,
              llvm::ArrayRef<mlir::Type> results);

/// Loops for scatters; false, without a change, where the op is malformed.
bool loopOverUpdates(stablehlo::ScatterOp op);
bool loopOverSelections(stablehlo::SelectAndScatterOp op);

} // namespace cleave::reader

#endif // CLEAVE_PASSES_IMPORT_REWRITES_LOOPSOVERELEMENTS_H
