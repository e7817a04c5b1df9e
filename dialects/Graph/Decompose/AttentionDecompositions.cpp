//===- AttentionDecompositions.cpp - Attention in primitives --------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/GraphBuilders.h"
#include <cmath>
#include <limits>

using namespace mlir;

namespace cleave::graph {

//===----------------------------------------------------------------------===//
// Attention
//===----------------------------------------------------------------------===//

/// The mask [batch, heads, s, t], any but t possibly 1, in the layout of the
/// scores: [batch, groups, s, r, t], its elements as they are.
static Value arrangeMask(OpBuilder &builder, Location loc, Value mask,
                         RankedTensorType scores) {
  ArrayRef<int64_t> from = typeOf(mask).getShape();
  bool shared = from[1] == 1;
  int64_t groups = shared ? 1 : scores.getDimSize(1);
  int64_t r = shared ? 1 : scores.getDimSize(3);
  Value split =
      reshapeTo(builder, loc, mask, {from[0], groups, r, from[2], from[3]});
  Value moved = transpose(builder, loc, split, {0, 1, 3, 2, 4});
  return broadcastTo(builder, loc, moved, scores.getShape(), dimRange(5));
}

/// Scores with the mask of `op` added, or replaced where it is false.
static Value applyMask(OpBuilder &builder, Location loc, AttentionOp op,
                       Value scores) {
  RankedTensorType type = typeOf(scores);
  Value mask = op.getMask();
  if (!op.hasSelectingMask())
    mask = convertElement(builder, loc, mask, type.getElementType());
  mask = arrangeMask(builder, loc, mask, type);
  if (!op.hasSelectingMask())
    return AddOp::create(builder, loc, scores, mask);
  Value hidden = splat(builder, loc, type, op.getHiddenScore());
  return SelectOp::create(builder, loc, mask, scores, hidden);
}

/// Position i sees positions j <= i + t - s; the others become -inf.
static Value applyCausality(OpBuilder &builder, Location loc, Value scores) {
  RankedTensorType type = typeOf(scores);
  int64_t s = type.getDimSize(2), t = type.getDimSize(4);
  auto square = RankedTensorType::get({s, t}, builder.getI32Type());
  Value row = iota(builder, loc, square, 0);
  Value column = iota(builder, loc, square, 1);
  Value ahead = splatInt(builder, loc, square, t - s);
  Value limit = AddOp::create(builder, loc, row, ahead);
  Value seen = compare(builder, loc, ComparisonDirection::LE, column, limit);
  Value all = broadcastTo(builder, loc, seen, type.getShape(), {2, 4});
  Value hidden =
      splat(builder, loc, type, -std::numeric_limits<double>::infinity());
  return SelectOp::create(builder, loc, all, scores, hidden);
}

FailureOr<SmallVector<Value>> AttentionOp::decompose(OpBuilder &builder) {
  Location loc = getLoc();
  RankedTensorType query = getQuery().getType(), value = getValue().getType();
  Type element = query.getElementType();
  int64_t batch = query.getDimSize(0), s = query.getDimSize(1),
          heads = query.getDimSize(2), d = query.getDimSize(3);
  int64_t t = value.getDimSize(1), groups = value.getDimSize(2),
          e = value.getDimSize(3), r = heads / groups;

  // Query heads of one group share keys and values: they are further rows.
  Value rows = reshapeTo(builder, loc, getQuery(), {batch, s, groups, r, d});
  auto scoreType = RankedTensorType::get({batch, groups, s, r, t},
                                         accumulationType(element));
  Value scores = DotGeneralOp::create(
      builder, loc, scoreType, rows, getKey(), ArrayRef<int64_t>{0, 2},
      ArrayRef<int64_t>{0, 2}, ArrayRef<int64_t>{4}, ArrayRef<int64_t>{3});
  double scale = getScale() ? getScale()->convertToDouble()
                            : 1.0 / std::sqrt(static_cast<double>(d));
  scores = MulOp::create(builder, loc, scores,
                         splat(builder, loc, scoreType, scale));
  if (getMask())
    scores = applyMask(builder, loc, *this, scores);
  if (getCausal())
    scores = applyCausality(builder, loc, scores);

  Value weights = SoftmaxOp::create(builder, loc, scoreType, scores,
                                    builder.getI64IntegerAttr(4));
  auto sumType = RankedTensorType::get({batch, groups, s, r, e}, element);
  Value sums = DotGeneralOp::create(
      builder, loc, sumType, convertElement(builder, loc, weights, element),
      getValue(), ArrayRef<int64_t>{0, 1}, ArrayRef<int64_t>{0, 2},
      ArrayRef<int64_t>{4}, ArrayRef<int64_t>{1});
  Value moved = transpose(builder, loc, sums, {0, 2, 1, 3, 4});
  return SmallVector<Value>{
      reshapeTo(builder, loc, moved, getType().getShape())};
}

//===----------------------------------------------------------------------===//
// Rotary embedding
//===----------------------------------------------------------------------===//

/// position * base^(-2i/d), [positions..., d/2]. The product needs float64:
/// at position 8192 the angle in f32 is wrong by 5e-4. What is left after whole
/// turns are removed fits f32.
static Value rotaryAngles(OpBuilder &builder, Location loc, Value positions,
                          double base, int64_t d, Type element) {
  Type f64 = builder.getF64Type();
  int64_t half = d / 2, rank = typeOf(positions).getRank();
  SmallVector<double> frequencies;
  for (int64_t i = 0; i < half; ++i)
    frequencies.push_back(std::pow(base, -2.0 * i / d));
  auto tableType = RankedTensorType::get({half}, f64);
  Value table = ConstantOp::create(
      builder, loc,
      DenseElementsAttr::get(tableType, ArrayRef<double>(frequencies)));
  SmallVector<int64_t> shape(typeOf(positions).getShape());
  shape.push_back(half);
  auto type = RankedTensorType::get(shape, f64);
  Value wide = convertElement(builder, loc, positions, f64);
  Value rows = broadcastTo(builder, loc, wide, shape, dimRange(rank));
  Value columns = broadcastTo(builder, loc, table, shape, rank);
  Value angles = MulOp::create(builder, loc, rows, columns);
  if (element == f64)
    return angles;
  const double turn = 6.28318530717958647692;
  Value turns = RoundNearestEvenOp::create(
      builder, loc,
      MulOp::create(builder, loc, angles,
                    splat(builder, loc, type, 1.0 / turn)));
  Value whole =
      MulOp::create(builder, loc, turns, splat(builder, loc, type, turn));
  Value rest = SubtractOp::create(builder, loc, angles, whole);
  return convertElement(builder, loc, rest, element);
}

FailureOr<SmallVector<Value>> RotaryEmbeddingOp::decompose(OpBuilder &builder) {
  Location loc = getLoc();
  RankedTensorType type = getType();
  int64_t d = type.getDimSize(3), half = d / 2;
  Type element = accumulationType(type.getElementType());
  Value angles = rotaryAngles(builder, loc, getPositions(),
                              getBase().convertToDouble(), d, element);
  SmallVector<int64_t> shape(type.getShape());
  shape.back() = half;
  SmallVector<int64_t> dims = {1, 3};
  if (getPositions().getType().getRank() == 2)
    dims = {0, 1, 3};
  auto spread = [&](Value value) {
    return broadcastTo(builder, loc, value, shape, dims);
  };
  auto times = [&](Value a, Value b) -> Value {
    return MulOp::create(builder, loc, a, b);
  };
  Value cosine = spread(CosineOp::create(builder, loc, angles));
  Value sine = spread(SineOp::create(builder, loc, angles));
  Value x = convertElement(builder, loc, getInput(), element);
  Value first = sliceDim(builder, loc, x, 3, 0, half);
  Value second = sliceDim(builder, loc, x, 3, half, d);
  Value firstCosine = times(first, cosine), secondSine = times(second, sine);
  Value left = SubtractOp::create(builder, loc, firstCosine, secondSine);
  Value secondCosine = times(second, cosine), firstSine = times(first, sine);
  Value right = AddOp::create(builder, loc, secondCosine, firstSine);
  Value both = ConcatenateOp::create(builder, loc, withElement(type, element),
                                     ValueRange{left, right}, 3);
  return SmallVector<Value>{
      convertElement(builder, loc, both, type.getElementType())};
}

} // namespace cleave::graph
