//===- ScatterKernel.cpp - Scatter as loops -------------------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// A dimension of the updates is *free* if it walks a dimension of the inputs
// whole and in step: as a batch, or as a window that no index moves. Different
// indices along free dimensions touch different elements, so they are the parts
// of the kernel; what they leave runs in row-major order of the updates. If the
// last dimension is free it becomes the innermost loop, cut into blocks.
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/Evaluate/Literal.h"
#include "dialects/Graph/ScatterDimensions.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "passes/Codegen/Kernels/IrregularKernel.h"
#include "passes/Codegen/Kernels/ScalarSemantics.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace cleave::codegen;
using namespace cleave::graph;

namespace {

class ScatterWriter {
public:
  ScatterWriter(IrregularKernel &kernel, ScatterOp op, int64_t innerBlock)
      : k(kernel), op(op), innerBlock(innerBlock), dims(op),
        count(op.getInputs().size()),
        updateShape(k.operand(count + 1).type.getShape()),
        inputShape(k.result(0).type.getShape()),
        updateStrides(rowMajorStrides(updateShape)),
        inputStrides(rowMajorStrides(inputShape)) {}

  LogicalResult run();

private:
  void findFreeDims();
  void enterPart(Value part);
  void copyInputs();
  void applyUpdates();
  void combine(Value place, Value update);
  /// Runs `body` at each step of the innermost loop, or once with null.
  void overInner(llvm::function_ref<void(Value)> body);
  Value startIndex(Value vector, int64_t component, Value &isValid);
  Value addTerm(Value sum, Value index, int64_t stride);

  bool isInner(int64_t inputDim) const {
    return hasInner && inputDim + 1 == static_cast<int64_t>(inputShape.size());
  }

  IrregularKernel &k;
  ScatterOp op;
  int64_t innerBlock;
  ScatterDimensions dims;
  unsigned count;
  ArrayRef<int64_t> updateShape, inputShape;
  SmallVector<int64_t> updateStrides, inputStrides;

  /// Of the updates, with the dimension of the inputs that each walks.
  SmallVector<std::pair<int64_t, int64_t>> freeDims;
  bool hasInner = false;
  int64_t numBlocks = 1, numParts = 1;
  /// Indices of free dimensions in this part, by dimension of the updates.
  SmallVector<Value> updateIndex;
  Value innerBegin, innerEnd;
  LogicalResult status = success();
};

} // namespace

void ScatterWriter::findFreeDims() {
  for (auto [d, dim] : llvm::enumerate(dims.inputDims)) {
    if (dim.batchDim >= 0)
      freeDims.push_back({dim.batchDim, d});
    else if (dim.windowDim >= 0 && dim.isWhole())
      freeDims.push_back({dim.windowDim, d});
  }
  int64_t last = static_cast<int64_t>(updateShape.size()) - 1;
  int64_t lastInput = static_cast<int64_t>(inputShape.size()) - 1;
  // Along a batch, indices are read anew.
  if (!freeDims.empty() && freeDims.back() == std::pair(last, lastInput) &&
      dims.inputDims.back().batchDim < 0) {
    hasInner = true;
    freeDims.pop_back();
    numBlocks = llvm::divideCeil(updateShape[last], innerBlock);
  }
  for (auto [from, to] : freeDims)
    numParts *= updateShape[from];
  numParts *= numBlocks;
}

void ScatterWriter::enterPart(Value part) {
  SmallVector<int64_t> shape;
  for (auto [from, to] : freeDims)
    shape.push_back(updateShape[from]);
  shape.push_back(numBlocks);
  SmallVector<Value> indices = k.delinearize(part, shape);
  updateIndex.assign(updateShape.size(), Value());
  for (auto [dim, index] : llvm::zip(freeDims, indices))
    updateIndex[dim.first] = index;
  if (!hasInner)
    return;
  innerBegin = k.scale(indices.back(), innerBlock);
  innerEnd = k.minimum(k.add(innerBegin, k.index(innerBlock)),
                       k.index(updateShape.back()));
}

void ScatterWriter::overInner(llvm::function_ref<void(Value)> body) {
  if (!hasInner)
    return body(Value());
  k.loop(innerBegin, innerEnd, body);
}

Value ScatterWriter::addTerm(Value sum, Value index, int64_t stride) {
  Value term = k.scale(index, stride);
  return sum ? k.add(sum, term) : term;
}

/// The part's elements of the results start as those of the inputs.
void ScatterWriter::copyInputs() {
  auto isInPlace = [&](unsigned i) { return k.isInPlace(i, i); };
  if (llvm::all_of(llvm::seq(count), isInPlace))
    return;
  auto copyElement = [&](Value place) {
    for (unsigned i = 0; i < count; ++i)
      if (!isInPlace(i))
        k.store(k.result(i), place, k.load(k.operand(i), place));
  };
  // In one part the elements lie one after the other.
  if (numParts == 1)
    return k.loop(k.index(0), k.index(k.result(0).type.getNumElements()),
                  copyElement);
  SmallVector<Value> index(inputShape.size());
  for (auto [from, to] : freeDims)
    index[to] = updateIndex[from];
  SmallVector<int64_t> looped, shape;
  for (auto [d, size] : llvm::enumerate(inputShape))
    if (!index[d] && !isInner(d)) {
      looped.push_back(d);
      shape.push_back(size);
    }
  k.loops(shape, [&](ValueRange indices) {
    for (auto [d, i] : llvm::zip_equal(looped, indices))
      index[d] = i;
    Value place;
    for (auto [i, stride] : llvm::zip_equal(index, inputStrides))
      if (i)
        place = addTerm(place, i, stride);
    overInner([&](Value inner) {
      Value at = inner && place ? k.add(place, inner) : inner ? inner : place;
      copyElement(at);
    });
  });
}

/// The component of a start index. Unsigned ones beyond the dimension are out
/// of bounds before anything is added that could wrap.
Value ScatterWriter::startIndex(Value vector, int64_t component,
                                Value &isValid) {
  ImplicitLocOpBuilder &b = k.b;
  const KernelBuffer &indices = k.operand(count);
  SmallVector<int64_t> strides = rowMajorStrides(indices.type.getShape());
  Value at = vector;
  if (dims.vectorDim >= 0)
    at = k.add(at, k.index(component * strides[dims.vectorDim]));
  Value loaded = k.load(indices, at);
  if (!indices.type.getElementType().isUnsignedInteger())
    return arith::IndexCastOp::create(b, b.getIndexType(), loaded);
  Value start = arith::IndexCastUIOp::create(b, b.getIndexType(), loaded);
  Value positive =
      arith::CmpIOp::create(b, arith::CmpIPredicate::sge, start, k.index(0));
  isValid = isValid ? arith::AndIOp::create(b, isValid, positive) : positive;
  return start;
}

/// Combines one element of each result with its update.
void ScatterWriter::combine(Value place, Value update) {
  SmallVector<Value> arguments;
  for (unsigned i = 0; i < count; ++i)
    arguments.push_back(k.load(k.result(i), place));
  for (unsigned i = 0; i < count; ++i)
    arguments.push_back(k.load(k.operand(count + 1 + i), update));
  FailureOr<SmallVector<Value>> combined =
      buildScalarBody(k.b, op.getBody().front(), arguments);
  if (failed(combined)) {
    status = failure();
    return;
  }
  for (unsigned i = 0; i < count; ++i)
    k.store(k.result(i), place, (*combined)[i]);
}

void ScatterWriter::applyUpdates() {
  ImplicitLocOpBuilder &b = k.b;
  SmallVector<int64_t> looped, shape;
  int64_t numLoopDims = static_cast<int64_t>(updateShape.size()) - hasInner;
  for (int64_t d = 0; d < numLoopDims; ++d)
    if (!updateIndex[d]) {
      looped.push_back(d);
      shape.push_back(updateShape[d]);
    }
  SmallVector<int64_t> indexStrides =
      rowMajorStrides(k.operand(count).type.getShape());
  k.loops(shape, [&](ValueRange indices) {
    SmallVector<Value> at = updateIndex;
    for (auto [d, i] : llvm::zip_equal(looped, indices))
      at[d] = i;
    Value vector = k.index(0), update = k.index(0), place = k.index(0);
    for (auto [to, from] : llvm::zip_equal(dims.indexDims, dims.scatterDims))
      vector = addTerm(vector, at[from], indexStrides[to]);
    for (int64_t d = 0; d < numLoopDims; ++d)
      update = addTerm(update, at[d], updateStrides[d]);
    Value isInside;
    for (auto [d, dim] : llvm::enumerate(dims.inputDims)) {
      if (isInner(d))
        continue;
      Value index;
      if (dim.component >= 0)
        index = startIndex(vector, dim.component, isInside);
      for (int64_t from : {dim.windowDim, dim.batchDim})
        if (from >= 0)
          index = addTerm(index, at[from], 1);
      if (!index)
        index = k.index(0);
      if (dim.component >= 0) {
        // As unsigned numbers, negative ones are too large.
        Value fits = arith::CmpIOp::create(b, arith::CmpIPredicate::ult, index,
                                           k.index(dim.size));
        isInside = isInside ? arith::AndIOp::create(b, isInside, fits) : fits;
      }
      place = addTerm(place, index, inputStrides[d]);
    }
    auto apply = [&] {
      overInner([&](Value inner) {
        if (inner)
          combine(k.add(place, inner), k.add(update, inner));
        else
          combine(place, update);
      });
    };
    if (isInside)
      k.ifTrue(isInside, apply);
    else
      apply();
  });
}

LogicalResult ScatterWriter::run() {
  bool isEmpty = k.result(0).type.getNumElements() == 0;
  if (!isEmpty) {
    findFreeDims();
    k.loopOverParts([&](Value part) {
      enterPart(part);
      copyInputs();
      if (!llvm::is_contained(updateShape, 0))
        applyUpdates();
    });
  }
  k.finish(isEmpty ? 0 : numParts);
  return status;
}

LogicalResult cleave::codegen::writeScatter(IrregularKernel &kernel,
                                            ScatterOp op, int64_t innerBlock) {
  return ScatterWriter(kernel, op, innerBlock).run();
}
