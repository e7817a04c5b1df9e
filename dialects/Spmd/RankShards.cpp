//===- RankShards.cpp - What an op may ask while it is made local ---------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Spmd/RankShards.h"
#include "cleave/Partition/WindowShards.h"
#include "dialects/Graph/GraphBuilders.h"
#include "dialects/Spmd/RankArithmetic.h"
#include "dialects/Spmd/ShardingConversion.h"

using namespace mlir;
using namespace cleave;
using namespace cleave::spmd;

static ReductionAttr reductionAttr(OpBuilder &builder, ReductionKind kind) {
  return ReductionAttr::get(builder.getContext(), spmd::toAttr(kind));
}

FlatSymbolRefAttr RankShards::meshName(OpBuilder &builder) const {
  return FlatSymbolRefAttr::get(builder.getContext(), mesh.name);
}

AxesAttr RankShards::axesAttr(OpBuilder &builder, unsigned factor) const {
  return toAttr(builder.getContext(), factors[factor], mesh);
}

Value RankShards::offset(OpBuilder &builder, Location loc, unsigned factor) {
  return offset(builder, loc, factor, rule.factors[factor].size);
}

Value RankShards::offset(OpBuilder &builder, Location loc, unsigned factor,
                         int64_t size) {
  return buildBlockOffset(builder, loc, mesh, size, factors[factor]);
}

Value RankShards::validCount(OpBuilder &builder, Location loc,
                             unsigned factor) {
  return buildValidCount(builder, loc, mesh, rule.factors[factor].size,
                         factors[factor]);
}

Value RankShards::maskPadding(OpBuilder &builder, Location loc, Value value,
                              unsigned dim, unsigned factor,
                              ReductionKind kind) {
  return maskBlock(builder, loc, value, dim, rule.factors[factor].size, factor,
                   kind);
}

Value RankShards::maskBlock(OpBuilder &builder, Location loc, Value value,
                            unsigned dim, int64_t size, unsigned factor,
                            ReductionKind kind) {
  if (!isPadded(size, factors[factor]))
    return value;
  return MaskPaddingOp::create(
      builder, loc, value.getType(), reductionAttr(builder, kind), value,
      builder.getI64IntegerAttr(dim), builder.getI64IntegerAttr(size),
      meshName(builder), axesAttr(builder, factor));
}

Value RankShards::allReduce(OpBuilder &builder, Location loc, Value value,
                            ArrayRef<unsigned> over, ReductionKind kind,
                            StringRef cause) {
  AxisList axes;
  for (unsigned factor : over)
    llvm::append_range(axes, factors[factor]);
  // Parts of one axis may come from several factors, in any order.
  llvm::sort(axes, [](const AxisRef &a, const AxisRef &b) {
    return std::pair(a.axis, a.pre) < std::pair(b.axis, b.pre);
  });
  mergeSubAxes(axes);
  return AllReduceOp::create(
      builder, loc, value.getType(), reductionAttr(builder, kind), value,
      meshName(builder), toAttr(builder.getContext(), axes, mesh),
      builder.getStringAttr(cause));
}

Value RankShards::allGather(OpBuilder &builder, Location loc, Value value,
                            unsigned dim, unsigned factor, StringRef cause) {
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<int64_t> shape(type.getShape());
  shape[dim] *= numShards(factor);
  return AllGatherOp::create(
      builder, loc, RankedTensorType::get(shape, type.getElementType()), value,
      builder.getI64IntegerAttr(dim), meshName(builder),
      axesAttr(builder, factor), builder.getStringAttr(cause));
}

/// Until programs can exchange halos: all blocks are gathered, joined without
/// their padding, padded to hold every rank's window, of which each takes its
/// own.
Value RankShards::haloExchange(OpBuilder &builder, Location loc, Value value,
                               unsigned dim, unsigned factor, int64_t size,
                               int64_t low, int64_t high, TypedAttr fill,
                               StringRef cause) {
  auto type = cast<RankedTensorType>(value.getType());
  int64_t extent = type.getDimSize(dim) + low + high;
  Value gathered = allGather(builder, loc, value, dim, factor, cause);
  SmallVector<Value> parts;
  int64_t at = 0, last = 0;
  for (BlockExtent block : blocksOf(size, factors[factor])) {
    parts.push_back(
        graph::sliceDim(builder, loc, gathered, dim, at, at + block.valid));
    at += type.getDimSize(dim);
    last = std::max(last, block.offset);
  }
  SmallVector<int64_t> shape(type.getShape());
  shape[dim] = size;
  Value whole = graph::ConcatenateOp::create(
      builder, loc, RankedTensorType::get(shape, type.getElementType()), parts,
      dim);
  // The first window starts at -low, the last one ends at last - low + extent.
  SmallVector<int64_t> lows(shape.size(), 0), highs(lows), none(lows);
  lows[dim] = std::max<int64_t>(low, 0);
  highs[dim] = std::max<int64_t>(last - low + extent - size, 0);
  shape[dim] += lows[dim] + highs[dim];
  auto scalarType = RankedTensorType::get({}, type.getElementType());
  Value filler = fill ? graph::splat(builder, loc, scalarType, fill)
                      : graph::splatInt(builder, loc, scalarType, 0);
  Value padded = graph::PadOp::create(
      builder, loc, RankedTensorType::get(shape, type.getElementType()), whole,
      filler, lows, highs, none);
  auto index = RankedTensorType::get({}, builder.getI32Type());
  SmallVector<Value> starts(shape.size(),
                            graph::splatInt(builder, loc, index, 0));
  starts[dim] = graph::AddOp::create(
      builder, loc, index, offset(builder, loc, factor, size),
      graph::splatInt(builder, loc, index, lows[dim] - low));
  shape[dim] = extent;
  return graph::DynamicSliceOp::create(
      builder, loc, RankedTensorType::get(shape, type.getElementType()), padded,
      starts, shape);
}
