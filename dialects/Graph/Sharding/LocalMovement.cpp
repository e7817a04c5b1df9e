//===- LocalMovement.cpp - Local forms of slice, pad, concatenate, reverse ===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Along a cut dimension that an op changes, MovedDim.h says which elements go
// where; along others the op is itself.
//
//===----------------------------------------------------------------------===//

#include "cleave/Partition/MovedDim.h"
#include "dialects/Graph/Sharding/LocalForm.h"
#include "dialects/Graph/Sharding/ShardingRuleBuilder.h"

using namespace llvm;
using namespace mlir;

namespace cleave::graph {

//===----------------------------------------------------------------------===//
// One dimension
//===----------------------------------------------------------------------===//

namespace {

/// Brings a piece of a cut dimension to the ranks' blocks of the result.
class PieceForm {
public:
  PieceForm(LocalForm &form, unsigned dim, unsigned factor,
            const MovedPiece &moved)
      : form(form), dim(dim), factor(factor), moved(moved) {}

  /// `value` is this rank's block of the source; the result is its block.
  /// `padding`, a scalar, is what the result has beside the piece; null if
  /// that does not matter.
  Value bring(Value value, int64_t extent, Value padding, StringRef cause);

private:
  Value number(ArrayRef<int64_t> table);
  Value take(Value value, ArrayRef<int64_t> starts, int64_t extent);
  Value select(Value value);
  Value takeFromWhole(Value whole);
  Value mask(Value value, Value padding);

  LocalForm &form;
  unsigned dim, factor;
  const MovedPiece &moved;
};

} // namespace

/// This rank's number, tensor<i32>.
Value PieceForm::number(ArrayRef<int64_t> table) {
  if (isUniform(table))
    return form.index(table.front());
  int64_t ranks = table.size();
  SmallVector<int32_t> numbers(table.begin(), table.end());
  Value all = ConstantOp::create(
      form.builder, form.loc,
      DenseElementsAttr::get(
          RankedTensorType::get({ranks}, form.builder.getI32Type()),
          ArrayRef<int32_t>(numbers)));
  // One element for each rank: its block starts at the rank's position.
  Value own = form.sliceAt(all, 0, form.offset(factor, ranks), 1);
  return form.reshape(own, {});
}

/// `extent` elements from this rank's start on, which may lie outside.
Value PieceForm::take(Value value, ArrayRef<int64_t> starts, int64_t extent) {
  int64_t has = typeOf(value).getDimSize(dim);
  int64_t low = std::max<int64_t>(0, -*llvm::min_element(starts));
  int64_t high =
      std::max<int64_t>(0, *llvm::max_element(starts) + extent - has);
  if (isUniform(starts) && starts.front() == 0 && extent == has)
    return value;
  Value zero =
      splatInt(form.builder, form.loc, withShape(typeOf(value), {}), 0);
  value = form.padDim(value, zero, dim, low, high);
  SmallVector<int64_t> inPadded(starts);
  for (int64_t &start : inPadded)
    start += low;
  if (!isUniform(starts))
    return form.sliceAt(value, dim, number(inPadded), extent);
  if (extent == low + has + high)
    return value;
  return sliceDim(form.builder, form.loc, value, dim, inPadded.front(),
                  inPadded.front() + extent);
}

static Value sliceSteps(LocalForm &form, Value value, unsigned dim,
                        int64_t step) {
  RankedTensorType type = typeOf(value);
  SmallVector<int64_t> shape(type.getShape()), limits(shape),
      starts(shape.size(), 0), steps(shape.size(), 1);
  steps[dim] = step;
  shape[dim] = divideCeil(shape[dim], step);
  return SliceOp::create(form.builder, form.loc, withShape(type, shape), value,
                         starts, limits, steps);
}

Value PieceForm::select(Value value) {
  int64_t step = std::abs(moved.piece.step);
  value = take(value, moved.firstSelected, (moved.selected - 1) * step + 1);
  return sliceSteps(form, value, dim, step);
}

/// A window of a dimension that every rank has whole.
Value PieceForm::takeFromWhole(Value whole) {
  int64_t first = moved.lowest();
  if (moved.isSelected) {
    int64_t step = std::abs(moved.piece.step);
    whole = sliceDim(form.builder, form.loc, whole, dim, first,
                     first + (moved.piece.count - 1) * step + 1);
    whole = sliceSteps(form, whole, dim, step);
    first = 0;
  }
  SmallVector<int64_t> starts;
  for (const LineSegment &window : moved.exchange.windows)
    starts.push_back(first + window.begin - window.at);
  return take(whole, starts, moved.extent);
}

/// Places that are not of the piece become padding.
Value PieceForm::mask(Value value, Value padding) {
  Value index = form.indices(typeOf(value).getShape(), dim);
  RankTable ends;
  for (auto [first, count] : zip_equal(moved.firstValid, moved.validCount))
    ends.push_back(first + count);
  auto compareTo = [&](ComparisonDirection direction, ArrayRef<int64_t> table) {
    return compare(form.builder, form.loc, direction, index,
                   form.spread(number(table), index));
  };
  Value inside = compareTo(ComparisonDirection::LT, ends);
  if (any_of(moved.firstValid, [](int64_t first) { return first > 0; }))
    inside = form.binary<AndOp>(
        compareTo(ComparisonDirection::GE, moved.firstValid), inside);
  return form.select(inside, value, form.spread(padding, value));
}

Value PieceForm::bring(Value value, int64_t extent, Value padding,
                       StringRef cause) {
  Value whole = form.shards.wholeOf(value, dim, factor);
  if (!whole && moved.isSelected)
    value = select(value);
  if (whole)
    value = takeFromWhole(whole);
  else if (moved.received > 0)
    value =
        form.shards.windowExchange(form.builder, form.loc, value, dim, factor,
                                   moved.exchange, moved.extent, cause);
  else
    value = take(value, moved.ownStart, moved.extent);
  if (moved.isReversed())
    value = ReverseOp::create(form.builder, form.loc, value.getType(), value,
                              SmallVector<int64_t>{dim});
  if (padding && moved.isPartial)
    value = mask(value, padding);
  if (!moved.isSpaced())
    return value;
  int64_t gap = moved.piece.spacing - 1;
  value = form.padDim(value, padding, dim, 0, gap, gap);
  return take(value, moved.phase, extent);
}

/// The factor of a dimension along which a rule has the ranks move elements,
/// if that is cut.
static std::optional<unsigned> movedFactor(const ShardingRule &rule,
                                           const TensorFactors &tensor,
                                           unsigned dim, LocalShards &shards) {
  unsigned factor = tensor.dims[dim].front();
  if (rule.factors[factor].kind == FactorKind::Collective &&
      shards.isSharded(factor))
    return factor;
  return std::nullopt;
}

/// Whether the result has all of a dimension of which ranks have blocks.
static bool isResultWhole(const ShardingRule &rule, unsigned dim,
                          unsigned factor) {
  return rule.results[0].dims[dim].front() != factor;
}

/// What an op becomes if all of it has been done: attributes stay with a new
/// value.
static LocalResults finishMoved(LocalForm &form, Value value, Value operand) {
  if (value == operand)
    return SmallVector<Value>{value};
  return form.finish(value);
}

//===----------------------------------------------------------------------===//
// Slice
//===----------------------------------------------------------------------===//

static std::string describeRange(int64_t start, int64_t limit, int64_t step) {
  std::string text =
      "elements " + std::to_string(start) + " to " + std::to_string(limit - 1);
  if (step > 1)
    text += " by " + std::to_string(step);
  return text;
}

LocalResults SliceOp::buildLocal(OpBuilder &builder, ValueRange operands,
                                 LocalShards &shards) {
  LocalForm form(*this, builder, shards);
  ShardingRule rule = getShardingRule();
  ArrayRef<int64_t> global = typeOf(getOperand()).getShape();
  RankedTensorType type = shards.localType(cast<OpResult>(getResult()));
  SmallVector<int64_t> start(getStart()), limit(getLimit()),
      strides(getStrides()), shape(type.getShape());
  // First what the op leaves out where nothing moves.
  Value value = operands[0];
  for (auto [d, local] : enumerate(typeOf(value).getShape())) {
    bool isMoved = movedFactor(rule, rule.operands[0], d, shards).has_value();
    // A dimension that is cut in any other way is whole.
    if (!isMoved && local == global[d])
      continue;
    start[d] = 0;
    limit[d] = shape[d] = local;
    strides[d] = 1;
  }
  RankedTensorType sliced = withShape(type, shape);
  if (value.getType() != sliced)
    value = SliceOp::create(builder, getLoc(), sliced, value, start, limit,
                            strides);

  for (int64_t d : dimRange(type.getRank())) {
    std::optional<unsigned> factor =
        movedFactor(rule, rule.operands[0], d, shards);
    if (!factor)
      continue;
    int64_t first = getStart()[d], end = getLimit()[d], step = getStrides()[d];
    MovedPiece moved = movePiece(pieceOfSlice(global[d], first, end, step),
                                 getType().getDimSize(d), shards.axes(*factor),
                                 isResultWhole(rule, d, *factor));
    std::string cause = ("slice takes " + describeRange(first, end, step) +
                         " of sharded dimension " + Twine(d))
                            .str();
    value = PieceForm(form, d, *factor, moved)
                .bring(value, type.getDimSize(d), Value(), cause);
  }
  return finishMoved(form, value, operands[0]);
}

//===----------------------------------------------------------------------===//
// Pad
//===----------------------------------------------------------------------===//

LocalResults PadOp::buildLocal(OpBuilder &builder, ValueRange operands,
                               LocalShards &shards) {
  LocalForm form(*this, builder, shards);
  ShardingRule rule = getShardingRule();
  ArrayRef<int64_t> global = typeOf(getOperand()).getShape();
  RankedTensorType type = shards.localType(cast<OpResult>(getResult()));
  SmallVector<int64_t> low(getLow()), high(getHigh()), interior(getInterior());
  Value value = operands[0];
  for (int64_t d : dimRange(type.getRank())) {
    std::optional<unsigned> factor =
        movedFactor(rule, rule.operands[0], d, shards);
    if (!factor)
      continue;
    MovedPiece moved =
        movePiece(pieceOfPad(global[d], low[d], high[d], interior[d]),
                  getType().getDimSize(d), shards.axes(*factor),
                  isResultWhole(rule, d, *factor));
    std::string cause =
        ("pad puts sharded dimension " + Twine(d) + " at " + Twine(low[d]) +
         " of " + Twine(getType().getDimSize(d)) + " elements")
            .str();
    value = PieceForm(form, d, *factor, moved)
                .bring(value, type.getDimSize(d), operands[1], cause);
    low[d] = high[d] = interior[d] = 0;
  }
  SmallVector<int64_t> none(low.size(), 0);
  if (low != none || high != none || interior != none)
    value = PadOp::create(builder, getLoc(), type, value, operands[1], low,
                          high, interior);
  return finishMoved(form, value, operands[0]);
}

//===----------------------------------------------------------------------===//
// Concatenate
//===----------------------------------------------------------------------===//

LocalResults ConcatenateOp::buildLocal(OpBuilder &builder, ValueRange operands,
                                       LocalShards &shards) {
  LocalForm form(*this, builder, shards);
  ShardingRule rule = getShardingRule();
  unsigned dim = getDim(), factor = rule.results[0].dims[dim].front();
  if (rule.factors[factor].kind != FactorKind::Collective ||
      !shards.isSharded(factor))
    return cloneWithLocalTypes(*this, builder, operands, shards);
  RankedTensorType type = shards.localType(cast<OpResult>(getResult()));
  int64_t size = getType().getDimSize(dim), at = 0;
  Value index, start, value;
  for (auto [i, part] : enumerate(getInputs())) {
    int64_t has = typeOf(part).getDimSize(dim);
    if (has == 0)
      continue;
    MovedPiece moved =
        movePiece(pieceOfPart(has, at), size, shards.axes(factor));
    std::string cause = ("concatenate puts operand " + Twine(i) + " at " +
                         Twine(at) + " of sharded dimension " + Twine(dim))
                            .str();
    Value own = PieceForm(form, dim, factor, moved)
                    .bring(operands[i], type.getDimSize(dim), Value(), cause);
    if (!value) {
      value = own;
      index = form.indices(type.getShape(), dim);
      start = form.offset(factor);
    } else {
      // The parts after this one are put over it.
      Value first = form.subtract(form.index(at), start);
      Value isBehind = compare(builder, getLoc(), ComparisonDirection::GE,
                               index, form.spread(first, index));
      value = form.select(isBehind, own, value);
    }
    at += has;
  }
  return finishMoved(form, value, operands[0]);
}

//===----------------------------------------------------------------------===//
// Reverse
//===----------------------------------------------------------------------===//

LocalResults ReverseOp::buildLocal(OpBuilder &builder, ValueRange operands,
                                   LocalShards &shards) {
  LocalForm form(*this, builder, shards);
  ShardingRule rule = getShardingRule();
  SmallVector<int64_t> rest;
  Value value = operands[0];
  for (int64_t d : getDims()) {
    std::optional<unsigned> factor =
        movedFactor(rule, rule.operands[0], d, shards);
    if (!factor) {
      rest.push_back(d);
      continue;
    }
    int64_t size = getType().getDimSize(d);
    MovedPiece moved =
        movePiece(pieceOfReversal(size), size, shards.axes(*factor));
    std::string cause = ("reverse turns sharded dimension " + Twine(d)).str();
    value = PieceForm(form, d, *factor, moved)
                .bring(value, typeOf(value).getDimSize(d), Value(), cause);
  }
  if (!rest.empty())
    value = ReverseOp::create(builder, getLoc(), value.getType(), value, rest);
  return finishMoved(form, value, operands[0]);
}

} // namespace cleave::graph
