//===- EvaluateShape.cpp - Reference semantics of data movement -----------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/Evaluate/Evaluator.h"
#include "dialects/Graph/Evaluate/ScalarSemantics.h"
#include "dialects/Graph/GraphDialect.h"
#include <algorithm>

using namespace mlir;
using namespace cleave::graph;

LogicalResult BroadcastInDimOp::evaluate(Evaluator &,
                                         ArrayRef<Literal> operands,
                                         SmallVectorImpl<Literal> &results) {
  auto type = cast<RankedTensorType>(getResult().getType());
  const Literal &operand = operands[0];
  SmallVector<int64_t> from = rowMajorStrides(operand.shape());
  SmallVector<int64_t> strides(type.getRank(), 0);
  for (auto [d, dim] : llvm::enumerate(getDims()))
    if (operand.shape()[d] != 1)
      strides[dim] = from[d];
  results.push_back(operand.strided(type.getShape(), 0, strides));
  return success();
}

LogicalResult ReshapeOp::evaluate(Evaluator &, ArrayRef<Literal> operands,
                                  SmallVectorImpl<Literal> &results) {
  results.push_back(
      operands[0].withType(cast<RankedTensorType>(getResult().getType())));
  return success();
}

LogicalResult TransposeOp::evaluate(Evaluator &, ArrayRef<Literal> operands,
                                    SmallVectorImpl<Literal> &results) {
  results.push_back(operands[0].transposed(getDims()));
  return success();
}

LogicalResult SliceOp::evaluate(Evaluator &, ArrayRef<Literal> operands,
                                SmallVectorImpl<Literal> &results) {
  auto type = cast<RankedTensorType>(getResult().getType());
  results.push_back(
      operands[0].slice(getStart(), type.getShape(), getStrides()));
  return success();
}

LogicalResult ReverseOp::evaluate(Evaluator &, ArrayRef<Literal> operands,
                                  SmallVectorImpl<Literal> &results) {
  const Literal &operand = operands[0];
  SmallVector<int64_t> strides = rowMajorStrides(operand.shape());
  int64_t base = 0;
  for (int64_t dim : getDims()) {
    base += (operand.shape()[dim] - 1) * strides[dim];
    strides[dim] = -strides[dim];
  }
  results.push_back(operand.strided(operand.shape(), base, strides));
  return success();
}

LogicalResult ConcatenateOp::evaluate(Evaluator &, ArrayRef<Literal> operands,
                                      SmallVectorImpl<Literal> &results) {
  Literal result(cast<RankedTensorType>(getResult().getType()));
  SmallVector<int64_t> offsets(result.shape().size(), 0);
  for (const Literal &operand : operands) {
    result.insert(operand, offsets);
    offsets[getDim()] += operand.shape()[getDim()];
  }
  results.push_back(std::move(result));
  return success();
}

/// The indices i in [0, size) with 0 <= low + i * step < limit.
static std::pair<int64_t, int64_t> insideRange(int64_t size, int64_t low,
                                               int64_t step, int64_t limit) {
  int64_t begin = low >= 0 ? 0 : (-low + step - 1) / step;
  int64_t end = limit <= low ? 0 : (limit - low + step - 1) / step;
  begin = std::min(begin, size);
  return {begin, std::max(begin, std::min(end, size))};
}

LogicalResult PadOp::evaluate(Evaluator &, ArrayRef<Literal> operands,
                              SmallVectorImpl<Literal> &results) {
  auto type = cast<RankedTensorType>(getResult().getType());
  const Literal &operand = operands[0];
  SmallVector<int64_t> none(type.getRank(), 0);
  Literal result = operands[1].strided(type.getShape(), 0, none);

  // Negative padding removes elements: only those inside are copied.
  SmallVector<int64_t> offsets, sizes;
  SmallVector<int64_t> strides = rowMajorStrides(type.getShape());
  int64_t base = 0;
  for (int64_t d = 0; d < type.getRank(); ++d) {
    int64_t step = getInterior()[d] + 1;
    auto [begin, end] =
        insideRange(operand.shape()[d], getLow()[d], step, type.getDimSize(d));
    offsets.push_back(begin);
    sizes.push_back(end - begin);
    base += (getLow()[d] + begin * step) * strides[d];
    strides[d] *= step;
  }
  result.insertStrided(operand.slice(offsets, sizes), base, strides);
  results.push_back(std::move(result));
  return success();
}

/// Starts of a block of `sizes` in a tensor of `shape`, from scalar operands.
static SmallVector<int64_t> clampedStarts(ArrayRef<Literal> starts,
                                          ArrayRef<int64_t> shape,
                                          ArrayRef<int64_t> sizes) {
  SmallVector<int64_t> result;
  for (auto [d, start] : llvm::enumerate(starts))
    result.push_back(clampIndex(start.ints().front(), start.elementType(),
                                shape[d] - sizes[d]));
  return result;
}

LogicalResult DynamicSliceOp::evaluate(Evaluator &, ArrayRef<Literal> operands,
                                       SmallVectorImpl<Literal> &results) {
  const Literal &operand = operands[0];
  results.push_back(operand.slice(
      clampedStarts(operands.drop_front(), operand.shape(), getSizes()),
      getSizes()));
  return success();
}

LogicalResult
DynamicUpdateSliceOp::evaluate(Evaluator &, ArrayRef<Literal> operands,
                               SmallVectorImpl<Literal> &results) {
  Literal result = operands[0];
  const Literal &update = operands[1];
  result.insert(update, clampedStarts(operands.drop_front(2), result.shape(),
                                      update.shape()));
  results.push_back(std::move(result));
  return success();
}

LogicalResult GatherOp::evaluate(Evaluator &, ArrayRef<Literal> operands,
                                 SmallVectorImpl<Literal> &results) {
  const Literal &operand = operands[0], &starts = operands[1];
  auto type = cast<RankedTensorType>(getResult().getType());
  Literal result(type);
  if (result.size() == 0) {
    results.push_back(std::move(result));
    return success();
  }

  // Names follow the specification. Each index of the result consists of a
  // batch index, which selects a slice, and an offset index within the slice.
  SmallVector<int64_t> batchDims;
  for (int64_t d = 0; d < type.getRank(); ++d)
    if (!llvm::is_contained(getOffsetDims(), d))
      batchDims.push_back(d);
  SmallVector<int64_t> sliceDims;
  for (int64_t d = 0; d < static_cast<int64_t>(operand.shape().size()); ++d)
    if (!llvm::is_contained(getCollapsedSliceDims(), d) &&
        !llvm::is_contained(getOperandBatchingDims(), d))
      sliceDims.push_back(d);
  auto vectorDim = static_cast<int64_t>(getIndexVectorDim());

  SmallVector<int64_t> operandStrides = rowMajorStrides(operand.shape());
  SmallVector<int64_t> startStrides = rowMajorStrides(starts.shape());
  // Dimensions of start_indices without the index vector, in order.
  SmallVector<int64_t> startDims;
  for (int64_t d = 0; d < static_cast<int64_t>(starts.shape().size()); ++d)
    if (d != vectorDim)
      startDims.push_back(d);
  int64_t vectorStride = vectorDim < static_cast<int64_t>(startStrides.size())
                             ? startStrides[vectorDim]
                             : 0;

  auto placeOf = [&](ArrayRef<int64_t> index) {
    int64_t start = 0;
    for (auto [i, d] : llvm::enumerate(batchDims))
      start += index[d] * startStrides[startDims[i]];
    int64_t place = 0;
    for (auto [i, d] : llvm::enumerate(getStartIndexMap())) {
      int64_t begin = clampIndex(starts.ints()[start + i * vectorStride],
                                 starts.elementType(),
                                 operand.shape()[d] - getSliceSizes()[d]);
      place += begin * operandStrides[d];
    }
    for (auto [d, startDim] : llvm::zip_equal(getOperandBatchingDims(),
                                              getStartIndicesBatchingDims())) {
      // Batch dimensions of the result are those of start_indices in order.
      int64_t i = startDim - (startDim > vectorDim ? 1 : 0);
      place += index[batchDims[i]] * operandStrides[d];
    }
    for (auto [d, offsetDim] : llvm::zip_equal(sliceDims, getOffsetDims()))
      place += index[offsetDim] * operandStrides[d];
    return place;
  };

  SmallVector<int64_t> index(type.getRank(), 0);
  int64_t here = 0;
  do {
    if (result.isFloat())
      result.mutableFloats()[here++] = operand.floats()[placeOf(index)];
    else
      result.mutableInts()[here++] = operand.ints()[placeOf(index)];
  } while (nextIndex(index, type.getShape()));
  results.push_back(std::move(result));
  return success();
}
