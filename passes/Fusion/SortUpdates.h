//===- SortUpdates.h - Updates of one element side by side ------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_PASSES_FUSION_SORTUPDATES_H
#define CLEAVE_PASSES_FUSION_SORTUPDATES_H

#include "dialects/Graph/ScatterDimensions.h"

namespace cleave::fusion {

/// The dimensions of a scatter by their part in finding an element. Along
/// batches and whole windows updates meet only elements of the same index; what
/// is left of the updates is *placed* in what is left of the inputs.
struct ScatterParts {
  explicit ScatterParts(graph::ScatterOp op);

  graph::ScatterDimensions dims;
  /// Dimensions of the updates, those of batches and windows in the order of
  /// the dimensions of the inputs that they walk.
  llvm::SmallVector<int64_t> batches, placed, windows;
  /// Dimensions of the inputs.
  llvm::SmallVector<int64_t> batchedInput, placedInput;
  /// Of one batch and one element of the windows: updates, and places for them.
  int64_t numUpdates = 1, numPlaces = 1;
};

/// Whether the place and the number of an update fit one integer.
bool canSortUpdates(const ScatterParts &parts);

/// Replaces a scatter by one with the same result whose updates of one element
/// are neighbours, in the order in which they are combined. It has one
/// dimension of updates that is no batch and no whole window.
graph::ScatterOp sortUpdates(graph::ScatterOp op, const ScatterParts &parts);

} // namespace cleave::fusion

#endif // CLEAVE_PASSES_FUSION_SORTUPDATES_H
