//===- ScatterDimensions.h - What dimensions of a scatter are - -*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// The dimension numbers of a scatter, turned around: what indexes each
// dimension of the inputs. Names follow the StableHLO specification.
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_DIALECTS_GRAPH_SCATTERDIMENSIONS_H
#define CLEAVE_DIALECTS_GRAPH_SCATTERDIMENSIONS_H

#include "dialects/Graph/GraphDialect.h"

namespace cleave::graph {

/// The index of an input element along one dimension is the sum of what is
/// there: a component of the start index, a dimension of the updates that walks
/// the window, and one that the dimension is batched with.
struct ScatterInputDim {
  int64_t size = 0;
  /// Elements of a window.
  int64_t windowSize = 1;
  /// Component of the start index, or -1.
  int64_t component = -1;
  /// Dimension of the updates, or -1.
  int64_t windowDim = -1;
  int64_t batchDim = -1;

  /// Whether updates cover all of it, whatever the indices say.
  bool isWhole() const { return component < 0 && windowSize == size; }
};

struct ScatterDimensions {
  explicit ScatterDimensions(ScatterOp op);

  /// Whether a dimension of the updates is batched with one of the inputs.
  bool isBatch(int64_t updateDim) const {
    return llvm::any_of(inputDims, [&](const ScatterInputDim &dim) {
      return dim.batchDim == updateDim;
    });
  }

  llvm::SmallVector<ScatterInputDim> inputDims;
  /// Dimensions of the updates that are no window dimensions, and dimensions of
  /// the indices but the index vector; they belong together in this order.
  llvm::SmallVector<int64_t> scatterDims, indexDims;
  /// Of the indices; -1 if there is none.
  int64_t vectorDim = -1;
  int64_t numComponents = 1;
};

/// Whether PTX has an atomic operation that combines two elements of a type:
/// the sum of f32 and f64, and all kinds but products of integers of 32 and 64
/// bits (PTX ISA, `atom`). Maximum and minimum of floats lose NaN there.
bool hasAtomicUpdate(ReductionKind kind, mlir::Type element);

} // namespace cleave::graph

#endif // CLEAVE_DIALECTS_GRAPH_SCATTERDIMENSIONS_H
