//===- CompositeVerifiers.cpp - Rules of the composites -------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/GraphBuilders.h"
#include "dialects/Graph/Verify/Verification.h"
#include <cmath>

using namespace mlir;

namespace cleave::graph {

LogicalResult LinearOp::verify() {
  RankedTensorType input = getInput().getType(), weight = getWeight().getType();
  int64_t count = getContracting();
  int64_t most = std::min(input.getRank(), weight.getRank());
  if (most < 1)
    return emitOpError() << "input and weight have types " << input << " and "
                         << weight << ": should have rank 1 or more";
  if (count < 1 || count > most)
    return emitOpError() << "`contracting` is " << count << ": should be in 1.."
                         << most;
  if (failed(checkElement(*this, "weight", weight, input.getElementType())))
    return failure();
  int64_t leading = input.getRank() - count;
  for (int64_t i = 0; i < count; ++i)
    if (failed(checkSize(*this, "weight", weight, i,
                         input.getDimSize(leading + i),
                         "like dimension " + Twine(leading + i) + " of input")))
      return failure();
  ArrayRef<int64_t> trailing = weight.getShape().drop_front(count);
  SmallVector<int64_t> shape(input.getShape().take_front(leading));
  llvm::append_range(shape, trailing);
  if (getBias() && failed(checkType(*this, "bias", getBias().getType(),
                                    withShape(input, trailing))))
    return failure();
  return checkType(*this, "result", getType(), withShape(input, shape));
}

//===----------------------------------------------------------------------===//
// Normalisation
//===----------------------------------------------------------------------===//

static LogicalResult checkEpsilon(Operation *op, const APFloat &epsilon) {
  if (epsilon.isFinite() && (!epsilon.isNegative() || epsilon.isZero()))
    return success();
  return op->emitOpError() << "`epsilon` is " << epsilon.convertToDouble()
                           << ": should be finite and not negative";
}

/// `vector` matches the last dimension of `input`.
static LogicalResult checkLastDim(Operation *op, StringRef name,
                                  RankedTensorType vector,
                                  RankedTensorType input) {
  if (input.getRank() == 0)
    return op->emitOpError()
           << "input has type " << input << ": should have rank 1 or more";
  return checkType(op, name, vector,
                   withShape(input, input.getShape().take_back()));
}

LogicalResult LayerNormOp::verify() {
  RankedTensorType input = getInput().getType();
  if (failed(checkLastDim(*this, "scale", getScale().getType(), input)) ||
      failed(checkLastDim(*this, "bias", getBias().getType(), input)))
    return failure();
  return checkEpsilon(*this, getEpsilon());
}

LogicalResult RmsNormOp::verify() {
  if (failed(checkLastDim(*this, "scale", getScale().getType(),
                          getInput().getType())))
    return failure();
  return checkEpsilon(*this, getEpsilon());
}

LogicalResult SoftmaxOp::verify() {
  return checkDim(*this, "dim", getDim(), getType().getRank(), "the input");
}

//===----------------------------------------------------------------------===//
// Attention
//===----------------------------------------------------------------------===//

bool AttentionOp::hasSelectingMask() {
  return getMask() && getMask().getType().getElementType().isInteger(1);
}

double AttentionOp::getHiddenScore() {
  return getFill() ? getFill()->convertToDouble() : -HUGE_VAL;
}

LogicalResult AttentionOp::verify() {
  RankedTensorType query = getQuery().getType(), key = getKey().getType(),
                   value = getValue().getType();
  for (auto [name, type] :
       {std::pair("query", query), {"key", key}, {"value", value}})
    if (failed(checkRank(*this, name, type, 4)) ||
        failed(checkElement(*this, name, type, query.getElementType())))
      return failure();
  int64_t batch = query.getDimSize(0), s = query.getDimSize(1),
          heads = query.getDimSize(2), d = query.getDimSize(3);
  int64_t t = key.getDimSize(1), groups = key.getDimSize(2);
  if (failed(checkShape(*this, "key", key, {batch, t, groups, d})) ||
      failed(checkShape(*this, "value", value,
                        {batch, t, groups, value.getDimSize(3)})))
    return failure();
  if (groups == 0 || heads % groups != 0)
    return emitOpError() << "query has " << heads << " heads and key " << groups
                         << " groups: heads should be a multiple of groups";
  if (getMask()) {
    RankedTensorType mask = getMask().getType();
    SmallVector<int64_t> full = {batch, heads, s, t};
    if (failed(checkRank(*this, "mask", mask, 4)) ||
        (!hasSelectingMask() &&
         failed(checkElement(*this, "mask", mask, query.getElementType()))))
      return failure();
    if (failed(checkSize(*this, "mask", mask, 3, t, "like dimension 1 of key")))
      return failure();
    for (int64_t i = 0; i < 3; ++i)
      if (mask.getDimSize(i) != 1 && mask.getDimSize(i) != full[i])
        return emitOpError()
               << "dimension " << i << " of mask has " << mask.getDimSize(i)
               << " elements: should have 1 or " << full[i];
  }
  if (getScale() && !getScale()->isFinite())
    return emitOpError() << "`scale` is " << getScale()->convertToDouble()
                         << ": should be finite";
  if (getFill() && !hasSelectingMask())
    return emitOpError("has a `fill`, for which it should have a mask of i1");
  if (getFill() && getCausal())
    return emitOpError("has a `fill`, with which it should not be `causal`");
  return checkType(*this, "result", getType(),
                   withShape(query, {batch, s, heads, value.getDimSize(3)}));
}

LogicalResult RotaryEmbeddingOp::verify() {
  RankedTensorType input = getInput().getType(),
                   positions = getPositions().getType();
  if (failed(checkRank(*this, "input", input, 4)))
    return failure();
  if (input.getDimSize(3) % 2)
    return emitOpError() << "dimension 3 of input has " << input.getDimSize(3)
                         << " elements: should have an even number";
  ArrayRef<int64_t> full = input.getShape().take_front(2);
  if (positions.getShape() != full && positions.getShape() != full.drop_front())
    return emitOpError() << "positions has type " << positions << ": should be "
                         << withShape(positions, full.drop_front()) << " or "
                         << withShape(positions, full);
  if (!getBase().isFinite() || getBase().isNegative() || getBase().isZero())
    return emitOpError() << "`base` is " << getBase().convertToDouble()
                         << ": should be finite and positive";
  return success();
}

//===----------------------------------------------------------------------===//
// Look-ups
//===----------------------------------------------------------------------===//

/// There is something to find, unless nothing is looked up.
static LogicalResult checkNotEmpty(Operation *op, StringRef name,
                                   int64_t choices, RankedTensorType indices) {
  if (choices > 0 || indices.getNumElements() == 0)
    return success();
  return op->emitOpError() << name << " is empty: should have at least 1";
}

LogicalResult EmbeddingOp::verify() {
  RankedTensorType table = getTable().getType(), ids = getIds().getType();
  if (failed(checkRank(*this, "table", table, 2)) ||
      failed(checkNotEmpty(*this, "dimension 0 of table", table.getDimSize(0),
                           ids)))
    return failure();
  SmallVector<int64_t> shape(ids.getShape());
  shape.push_back(table.getDimSize(1));
  return checkType(*this, "result", getType(), withShape(table, shape));
}

LogicalResult CrossEntropyOp::verify() {
  RankedTensorType logits = getLogits().getType(),
                   labels = getLabels().getType();
  if (logits.getRank() == 0)
    return emitOpError() << "logits has type " << logits
                         << ": should have rank 1 or more";
  ArrayRef<int64_t> rows = logits.getShape().drop_back();
  if (failed(checkShape(*this, "labels", labels, rows)) ||
      failed(checkNotEmpty(*this, "last dimension of logits",
                           logits.getShape().back(), labels)))
    return failure();
  return checkType(*this, "result", getType(), withShape(logits, rows));
}

} // namespace cleave::graph
