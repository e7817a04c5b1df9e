//===- NormDecompositions.cpp - Softmax and norms in primitives -----------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/GraphBuilders.h"

using namespace mlir;

namespace cleave::graph {

FailureOr<SmallVector<Value>> SoftmaxOp::decompose(OpBuilder &builder) {
  Location loc = getLoc();
  int64_t dim = getDim();
  Type element = getType().getElementType();
  Value x = convertElement(builder, loc, getInput(), accumulationType(element));
  SmallVector<int64_t> rows = dimRange(getType().getRank());
  rows.erase(rows.begin() + dim);
  auto spread = [&](Value value) {
    return broadcastTo(builder, loc, value, getType().getShape(), rows);
  };
  Value max = reduce(builder, loc, x, dim, ReductionKind::Max);
  Value shifted = SubtractOp::create(builder, loc, x, spread(max));
  Value exps = ExpOp::create(builder, loc, shifted);
  Value sum = reduce(builder, loc, exps, dim, ReductionKind::Sum);
  Value result = DivOp::create(builder, loc, exps, spread(sum));
  return SmallVector<Value>{convertElement(builder, loc, result, element)};
}

namespace {
/// Rows of the last dimension of a tensor, in the type in which they are
/// summed.
struct Rows {
  Rows(OpBuilder &builder, Location loc, Value input)
      : builder(builder), loc(loc) {
    RankedTensorType type = typeOf(input);
    values = convertElement(builder, loc, input,
                            accumulationType(type.getElementType()));
    last = type.getRank() - 1;
  }

  RankedTensorType type() { return typeOf(values); }

  /// One number per row.
  Value mean(Value elements) {
    Value sum = reduce(builder, loc, elements, last, ReductionKind::Sum);
    Value count =
        splat(builder, loc, typeOf(sum), typeOf(elements).getDimSize(last));
    return DivOp::create(builder, loc, sum, count);
  }
  /// Mean of squares, epsilon added, as the reciprocal of the root.
  Value reciprocalRoot(Value elements, double epsilon) {
    Value square = MulOp::create(builder, loc, elements, elements);
    Value moment = mean(square);
    Value sum = AddOp::create(builder, loc, moment,
                              splat(builder, loc, typeOf(moment), epsilon));
    return RsqrtOp::create(builder, loc, sum);
  }
  Value spreadRows(Value perRow) {
    return broadcastTo(builder, loc, perRow, type().getShape(), dimRange(last));
  }
  Value spreadColumns(Value perColumn) {
    Value wide =
        convertElement(builder, loc, perColumn, type().getElementType());
    return broadcastTo(builder, loc, wide, type().getShape(), last);
  }

  OpBuilder &builder;
  Location loc;
  Value values;
  int64_t last;
};
} // namespace

FailureOr<SmallVector<Value>> LayerNormOp::decompose(OpBuilder &builder) {
  Location loc = getLoc();
  Rows rows(builder, loc, getInput());
  // Two passes: the squares of centred values do not cancel.
  Value mean = rows.spreadRows(rows.mean(rows.values));
  Value centred = SubtractOp::create(builder, loc, rows.values, mean);
  Value factor = rows.spreadRows(
      rows.reciprocalRoot(centred, getEpsilon().convertToDouble()));
  Value normal = MulOp::create(builder, loc, centred, factor);
  Value scaled =
      MulOp::create(builder, loc, normal, rows.spreadColumns(getScale()));
  Value result =
      AddOp::create(builder, loc, scaled, rows.spreadColumns(getBias()));
  return SmallVector<Value>{
      convertElement(builder, loc, result, getType().getElementType())};
}

FailureOr<SmallVector<Value>> RmsNormOp::decompose(OpBuilder &builder) {
  Location loc = getLoc();
  Rows rows(builder, loc, getInput());
  Value factor = rows.spreadRows(
      rows.reciprocalRoot(rows.values, getEpsilon().convertToDouble()));
  Value normal = MulOp::create(builder, loc, rows.values, factor);
  Value result =
      MulOp::create(builder, loc, normal, rows.spreadColumns(getScale()));
  return SmallVector<Value>{
      convertElement(builder, loc, result, getType().getElementType())};
}

} // namespace cleave::graph
