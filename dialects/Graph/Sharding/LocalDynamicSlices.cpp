//===- LocalDynamicSlices.cpp - Local forms of dynamic slices -------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where a slice starts is known at run time only, to all ranks. Along a cut
// dimension each rank has the part of it that lies in its own block: it reads
// that, and the ranks add up what they found, or writes that, and nobody else
// need know. Starts are clamped to the whole dimension first, as the
// specification says, and then counted from the start of the block.
//
//===----------------------------------------------------------------------===//

#include "cleave/Partition/MovedDim.h"
#include "dialects/Graph/Sharding/LocalForm.h"
#include "dialects/Graph/Sharding/ShardingRuleBuilder.h"
#include "llvm/ADT/Sequence.h"

using namespace llvm;
using namespace mlir;

namespace cleave::graph {

namespace {

/// A slice of `size` elements along one cut dimension, seen from one rank. It
/// lies at `start` of the rank's block, which may be outside. A window of
/// `extent` elements at `windowStart`, inside of the block, has what the block
/// has of the slice.
struct BlockSlice {
  BlockSlice(LocalForm &form, unsigned dim, unsigned factor, Value index,
             int64_t dimSize, int64_t size, int64_t block)
      : form(form), dim(dim), size(size), extent(std::min(size, block)) {
    Value global = form.clampedIndices(index, 0, dimSize - size);
    start = form.subtract(global, form.offset(factor, dimSize));
    Type type = start.getType();
    windowStart = ClampOp::create(form.builder, form.loc, type, form.index(0),
                                  start, form.index(block - extent));
  }

  /// Whether each element of `like` has a number, counted from `first` along
  /// the dimension, in [0, end).
  Value isWithin(Value like, Value first, Value end) {
    Value number = form.indices(typeOf(like).getShape(), dim);
    number = form.add(number, form.spread(first, number));
    Value isBefore = compare(form.builder, form.loc, ComparisonDirection::LT,
                             number, form.spread(end, number));
    return form.binary<AndOp>(form.areFound(number), isBefore);
  }

  /// From a window of the block to the slice, or back: `count` elements of
  /// `value`, of which element 0 is the one at `from`, which may be outside.
  Value shifted(Value value, Value from, int64_t count) {
    // Shifted by nothing, or not wanted.
    if (size == 1)
      return value;
    Value zero =
        splatInt(form.builder, form.loc, withShape(typeOf(value), {}), 0);
    value = form.padDim(value, zero, dim, count, count);
    return form.sliceAt(value, dim, form.add(from, form.index(count)), count);
  }

  LocalForm &form;
  unsigned dim;
  int64_t size, extent;
  Value start, windowStart;
};

} // namespace

//===----------------------------------------------------------------------===//
// dynamic_slice
//===----------------------------------------------------------------------===//

LocalResults DynamicSliceOp::buildLocal(OpBuilder &builder, ValueRange operands,
                                        LocalShards &shards) {
  LocalForm form(*this, builder, shards);
  ShardingRule rule = getShardingRule();
  ArrayRef<int64_t> global = typeOf(getOperand()).getShape();
  ArrayRef<int64_t> wanted = getSizes();
  ValueRange indices = operands.drop_front();
  SmallVector<int64_t> gathered, searched;
  SmallVector<unsigned> factors;
  for (auto [d, dim] : enumerate(rule.operands[0].dims)) {
    unsigned factor = dim.front();
    if (rule.factors[factor].kind != FactorKind::Collective ||
        !shards.isSharded(factor))
      continue;
    if (receivedByGather(global[d], shards.axes(factor)) <=
        receivedByReduction(wanted[d], shards.numShards(factor))) {
      gathered.push_back(d);
      continue;
    }
    searched.push_back(d);
    factors.push_back(factor);
  }
  if (gathered.empty() && searched.empty()) {
    LocalResults results =
        cloneWithLocalTypes(*this, builder, operands, shards);
    if (succeeded(results))
      results->front().getDefiningOp<DynamicSliceOp>().setSizes(
          typeOf(results->front()).getShape());
    return results;
  }

  // Along dimensions that are whole, or cut and wanted whole.
  Value value = operands[0];
  SmallVector<int64_t> sizes(typeOf(value).getShape());
  SmallVector<Value> starts;
  for (auto [d, size] : enumerate(sizes)) {
    bool isLater = is_contained(gathered, static_cast<int64_t>(d)) ||
                   is_contained(searched, static_cast<int64_t>(d));
    bool isSliced = !isLater && wanted[d] != global[d];
    starts.push_back(
        isSliced ? form.clampedIndices(indices[d], 0, global[d] - wanted[d])
                 : form.index(0));
    if (isSliced)
      size = wanted[d];
  }
  if (ArrayRef<int64_t>(sizes) != typeOf(value).getShape())
    value = DynamicSliceOp::create(builder, getLoc(),
                                   withShape(typeOf(value), sizes), value,
                                   starts, sizes);

  auto causeOf = [](int64_t dim) {
    return "dynamic_slice of sharded dimension " + std::to_string(dim);
  };
  Value found;
  SmallVector<BlockSlice> slices;
  for (auto [d, factor] : zip_equal(searched, factors)) {
    slices.emplace_back(form, d, factor, indices[d], global[d], wanted[d],
                        typeOf(value).getDimSize(d));
    BlockSlice &slice = slices.back();
    value = form.sliceAt(value, d, slice.windowStart, slice.extent);
    Value from = form.subtract(slice.start, slice.windowStart);
    value = slice.shifted(value, from, slice.size);
  }
  for (auto [slice, factor] : zip_equal(slices, factors)) {
    Value isOwn = slice.isWithin(value, slice.start, form.validCount(factor));
    found = found ? form.binary<AndOp>(found, isOwn) : isOwn;
  }
  if (found)
    value = form.combineLookups(value, found, dimRange(typeOf(value).getRank()),
                                factors, causeOf(searched.front()));
  for (int64_t d : gathered) {
    unsigned factor = rule.operands[0].dims[d].front();
    value = form.gatherDim(value, d, global[d], factor, causeOf(d));
    value = form.sliceAt(
        value, d, form.clampedIndices(indices[d], 0, global[d] - wanted[d]),
        wanted[d]);
  }
  return form.finish(value);
}

//===----------------------------------------------------------------------===//
// dynamic_update_slice
//===----------------------------------------------------------------------===//

LocalResults DynamicUpdateSliceOp::buildLocal(OpBuilder &builder,
                                              ValueRange operands,
                                              LocalShards &shards) {
  LocalForm form(*this, builder, shards);
  ShardingRule rule = getShardingRule();
  ArrayRef<int64_t> global = getType().getShape();
  ArrayRef<int64_t> written = typeOf(getUpdate()).getShape();
  auto isCut = [&](size_t d) {
    return written[d] != global[d] &&
           (shards.isSharded(rule.operands[0].dims[d].front()) ||
            shards.isSharded(rule.operands[1].dims[d].front()));
  };
  if (none_of(seq<size_t>(0, global.size()), isCut))
    return cloneWithLocalTypes(*this, builder, operands, shards);
  Value value = operands[0], update = operands[1];
  if (is_contained(written, 0))
    return SmallVector<Value>{value};
  SmallVector<BlockSlice> slices;
  SmallVector<Value> starts;
  for (auto [d, index] : enumerate(operands.drop_front(2))) {
    if (written[d] == global[d]) {
      starts.push_back(form.index(0));
      continue;
    }
    unsigned part = rule.operands[1].dims[d].front();
    if (shards.isSharded(part))
      update = form.gatherDim(update, d, written[d], part,
                              "update of dynamic_update_slice, sharded along "
                              "dimension " +
                                  std::to_string(d));
    unsigned factor = rule.operands[0].dims[d].front();
    if (!shards.isSharded(factor)) {
      starts.push_back(form.clampedIndices(index, 0, global[d] - written[d]));
      continue;
    }
    slices.emplace_back(form, d, factor, index, global[d], written[d],
                        typeOf(value).getDimSize(d));
    BlockSlice &slice = slices.back();
    starts.push_back(slice.windowStart);
    Value from = form.subtract(slice.windowStart, slice.start);
    update = slice.shifted(update, from, slice.extent);
  }
  if (!slices.empty()) {
    // What the update does not reach keeps its value.
    SmallVector<int64_t> shape(typeOf(update).getShape());
    Value old = DynamicSliceOp::create(builder, getLoc(),
                                       withShape(typeOf(value), shape), value,
                                       starts, shape);
    for (BlockSlice &slice : slices) {
      Value from = form.subtract(slice.windowStart, slice.start);
      Value isNew = slice.isWithin(update, from, form.index(slice.size));
      update = form.select(isNew, update, old);
    }
  }
  value = DynamicUpdateSliceOp::create(builder, getLoc(), value.getType(),
                                       value, update, starts);
  return form.finish(value);
}

} // namespace cleave::graph
