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

Value RankShards::haloExchange(OpBuilder &builder, Location loc, Value value,
                               unsigned dim, unsigned factor, int64_t size,
                               int64_t low, int64_t high, TypedAttr fill,
                               StringRef cause) {
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<int64_t> shape(type.getShape());
  shape[dim] += low + high;
  return HaloExchangeOp::create(
      builder, loc, RankedTensorType::get(shape, type.getElementType()), value,
      builder.getI64IntegerAttr(dim), builder.getI64IntegerAttr(size),
      builder.getI64IntegerAttr(low), builder.getI64IntegerAttr(high),
      meshName(builder), axesAttr(builder, factor), fill,
      builder.getStringAttr(cause));
}

Value RankShards::windowExchange(OpBuilder &builder, Location loc, Value value,
                                 unsigned dim, unsigned factor,
                                 const WindowExchange &exchange, int64_t extent,
                                 StringRef cause) {
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<int64_t> shape(type.getShape());
  shape[dim] = extent;
  return WindowExchangeOp::create(
      builder, loc, RankedTensorType::get(shape, type.getElementType()), value,
      builder.getI64IntegerAttr(dim),
      builder.getDenseI64ArrayAttr(flatten(exchange.blocks)),
      builder.getDenseI64ArrayAttr(flatten(exchange.windows)),
      meshName(builder), axesAttr(builder, factor),
      builder.getStringAttr(cause));
}

Value RankShards::wholeOf(Value value, unsigned dim, unsigned factor) {
  // Slices that together cut along the factor, the innermost axes last.
  ArrayRef<AxisRef> rest = factors[factor];
  while (!rest.empty()) {
    auto slice = value.getDefiningOp<AllSliceOp>();
    auto axes = slice ? dyn_cast<AxesAttr>(slice.getGroups()) : AxesAttr();
    if (!axes || slice.getDim() != dim ||
        slice.getMeshAttr().getValue() != mesh.name)
      return {};
    AxisList cut = toAxisList(axes.getAxes(), mesh);
    if (cut.size() > rest.size() ||
        rest.take_back(cut.size()) != ArrayRef<AxisRef>(cut))
      return {};
    rest = rest.drop_back(cut.size());
    value = slice.getOperand();
  }
  return value;
}
