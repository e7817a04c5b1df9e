//===- ScatterDimensions.cpp - What the dimensions of a scatter are -------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/ScatterDimensions.h"
#include "dialects/Graph/GraphBuilders.h"

using namespace mlir;

namespace cleave::graph {

ScatterDimensions::ScatterDimensions(ScatterOp op) {
  RankedTensorType input = typeOf(op.getInputs().front());
  RankedTensorType updates = typeOf(op.getUpdates().front());
  RankedTensorType indices = op.getScatterIndices().getType();
  ArrayRef<int64_t> batching = op.getInputBatchingDims();

  auto indexVectorDim = static_cast<int64_t>(op.getIndexVectorDim());
  if (indexVectorDim < indices.getRank())
    vectorDim = indexVectorDim;
  numComponents = op.getScatterDimsToOperandDims().size();
  for (int64_t d = 0; d < indices.getRank(); ++d)
    if (d != vectorDim)
      indexDims.push_back(d);
  for (int64_t d = 0; d < updates.getRank(); ++d)
    if (!llvm::is_contained(op.getUpdateWindowDims(), d))
      scatterDims.push_back(d);

  const int64_t *window = op.getUpdateWindowDims().begin();
  for (int64_t d = 0; d < input.getRank(); ++d) {
    ScatterInputDim &dim = inputDims.emplace_back();
    dim.size = input.getDimSize(d);
    const int64_t *addressed = llvm::find(op.getScatterDimsToOperandDims(), d);
    if (addressed != op.getScatterDimsToOperandDims().end())
      dim.component = addressed - op.getScatterDimsToOperandDims().begin();
    const int64_t *batched = llvm::find(batching, d);
    if (batched != batching.end()) {
      int64_t indexDim =
          op.getScatterIndicesBatchingDims()[batched - batching.begin()];
      dim.batchDim =
          scatterDims[llvm::find(indexDims, indexDim) - indexDims.begin()];
    } else if (!llvm::is_contained(op.getInsertedWindowDims(), d)) {
      dim.windowDim = *window++;
      dim.windowSize = updates.getDimSize(dim.windowDim);
    }
  }
}

} // namespace cleave::graph

bool cleave::graph::hasAtomicUpdate(ReductionKind kind, Type element) {
  if (element.isF32() || element.isF64())
    return kind == ReductionKind::Sum;
  auto integer = dyn_cast<IntegerType>(element);
  return integer && kind != ReductionKind::Prod &&
         (integer.getWidth() == 32 || integer.getWidth() == 64);
}
