//===- ShardingRulesShape.cpp - Rules of sources and data movement --------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cleave/Partition/MovedDim.h"
#include "dialects/Graph/GraphBuilders.h"
#include "dialects/Graph/Sharding/ShardingRuleBuilder.h"

using namespace llvm;
using namespace mlir;

namespace cleave::graph {

using Priority = ShardingRule::Priority;

//===----------------------------------------------------------------------===//
// Sources
//===----------------------------------------------------------------------===//

/// The rule of an op without operands.
static ShardingRule sourceRule(Operation *op, FactorKind kind) {
  ShardingRuleBuilder builder(op);
  builder.priority(Priority::Movement);
  for (unsigned d = 0; d < builder.resultRank(0); ++d)
    builder.resultFactor(0, d, kind);
  return builder.take();
}

ShardingRule ConstantOp::getShardingRule() {
  // Which elements a rank holds is not known before run time, so that a
  // constant is built whole and cut afterwards, without communication.
  bool isSplat = isa<SplatElementsAttr>(getValue());
  ShardingRule rule = sourceRule(*this, isSplat ? FactorKind::PassThrough
                                                : FactorKind::NeedReplication);
  if (isSplat && hasSums(getType()) && isConstant(getResult(), 0))
    rule.linear.emplace_back();
  return rule;
}

ShardingRule IotaOp::getShardingRule() {
  return sourceRule(*this, FactorKind::PassThrough);
}

//===----------------------------------------------------------------------===//
// Broadcast, transpose, reverse
//===----------------------------------------------------------------------===//

ShardingRule BroadcastInDimOp::getShardingRule() {
  ShardingRuleBuilder builder = movementRule(*this);
  for (unsigned d = 0; d < builder.resultRank(0); ++d)
    builder.resultFactor(0, d);
  // Factor d is dimension d of the result.
  for (auto [i, d] : enumerate(getDims()))
    if (builder.operandSize(0, i) == builder.resultSize(0, d))
      builder.operand(0, i, d);
  return builder.take();
}

ShardingRule TransposeOp::getShardingRule() {
  ShardingRuleBuilder builder = movementRule(*this);
  for (auto [d, i] : enumerate(getDims()))
    builder.operand(0, i, builder.resultFactor(0, d));
  return builder.take();
}

/// What moves if a piece of dimension `dim` of an operand goes into the result.
static FactorTransfer moveOf(ShardingRuleBuilder &builder, unsigned operand,
                             unsigned dim, unsigned factor,
                             const DimPiece &piece) {
  int64_t size = builder.resultSize(0, dim);
  FactorTransfer transfer;
  transfer.factor = factor;
  transfer.operand = operand;
  transfer.dim = dim;
  transfer.received = [=](ArrayRef<AxisRef> axes) {
    return movePiece(piece, size, axes, /*isResultWhole=*/size == 1).received;
  };
  return transfer;
}

ShardingRule ReverseOp::getShardingRule() {
  ShardingRuleBuilder builder = movementRule(*this);
  for (unsigned d = 0; d < builder.resultRank(0); ++d) {
    bool touched = is_contained(getDims(), static_cast<int64_t>(d)) &&
                   builder.resultSize(0, d) > 1;
    int64_t size = builder.resultSize(0, d);
    unsigned f = builder.resultFactor(
        0, d, touched ? FactorKind::Collective : FactorKind::PassThrough);
    builder.operand(0, d, f);
    if (touched)
      builder.transfer(moveOf(builder, 0, d, f, pieceOfReversal(size)));
  }
  return builder.take();
}

/// Of two widths the narrower side has a last dimension of its own, the parts
/// of one element.
ShardingRule BitcastConvertOp::getShardingRule() {
  ShardingRuleBuilder builder(*this);
  builder.priority(Priority::Movement);
  unsigned common = std::min(builder.operandRank(0), builder.resultRank(0));
  for (unsigned d = 0; d < common; ++d)
    builder.operand(0, d, builder.resultFactor(0, d));
  if (builder.operandRank(0) > common)
    builder.operandFactor(0, common, FactorKind::NeedReplication);
  if (builder.resultRank(0) > common)
    builder.resultFactor(0, common, FactorKind::NeedReplication);
  return builder.take();
}

//===----------------------------------------------------------------------===//
// Slices, pads, concatenations
//===----------------------------------------------------------------------===//

// Blocks of a dimension that the op changes move between the ranks, so that
// both sides are cut over the same axes: one factor, of the size of the result.

/// Puts a factor on dimension `dim` of operand 0 and of the result, of which
/// the latter has a piece of the former.
static void addMovedDim(ShardingRuleBuilder &builder, unsigned dim,
                        const DimPiece &piece, bool isSliced = false) {
  int64_t from = builder.operandSize(0, dim), to = builder.resultSize(0, dim);
  if (to > 0 && from > 0) {
    // The next factor to be made.
    FactorTransfer transfer =
        moveOf(builder, 0, dim, builder.numFactors(), piece);
    transfer.isOfResult = isSliced;
    builder.transfer(std::move(transfer));
  }
  if (to > 1 && from > 0) {
    builder.operand(0, dim,
                    builder.resultFactor(0, dim, FactorKind::Collective));
    return;
  }
  // Of a single element there is nothing to do in parallel: all get it.
  builder.operandFactor(0, dim,
                        to == 1 && from > 0 ? FactorKind::Collective
                                            : FactorKind::NeedReplication);
  builder.resultFactor(0, dim, FactorKind::NeedReplication);
}

ShardingRule SliceOp::getShardingRule() {
  ShardingRuleBuilder builder = movementRule(*this);
  for (unsigned d = 0; d < builder.resultRank(0); ++d) {
    bool touched = getStart()[d] != 0 || getStrides()[d] != 1 ||
                   getLimit()[d] != builder.operandSize(0, d);
    if (touched)
      addMovedDim(builder, d,
                  pieceOfSlice(builder.operandSize(0, d), getStart()[d],
                               getLimit()[d], getStrides()[d]),
                  /*isSliced=*/true);
    else
      builder.operand(0, d, builder.resultFactor(0, d));
  }
  return builder.take();
}

ShardingRule PadOp::getShardingRule() {
  ShardingRuleBuilder builder = movementRule(*this, /*count=*/2);
  if (hasSums(getType()) && isConstant(getPaddingValue(), 0))
    builder.linear({0});
  for (unsigned d = 0; d < builder.resultRank(0); ++d) {
    bool touched =
        getLow()[d] != 0 || getHigh()[d] != 0 || getInterior()[d] != 0;
    if (touched)
      addMovedDim(builder, d,
                  pieceOfPad(builder.operandSize(0, d), getLow()[d],
                             getHigh()[d], getInterior()[d]));
    else
      builder.operand(0, d, builder.resultFactor(0, d));
  }
  return builder.take();
}

ShardingRule ConcatenateOp::getShardingRule() {
  ShardingRuleBuilder builder = movementRule(*this, getNumOperands());
  for (unsigned d = 0; d < builder.resultRank(0); ++d) {
    FactorKind kind = FactorKind::PassThrough;
    if (d == getDim())
      kind = builder.resultSize(0, d) > 1 ? FactorKind::Collective
                                          : FactorKind::NeedReplication;
    unsigned f = builder.resultFactor(0, d, kind);
    int64_t at = 0;
    for (unsigned i = 0; i < getNumOperands(); ++i) {
      // An empty part has no blocks.
      if (d == getDim() && builder.operandSize(i, d) == 0)
        builder.operandFactor(i, d, FactorKind::NeedReplication);
      else
        builder.operand(i, d, f);
      if (kind != FactorKind::Collective)
        continue;
      int64_t size = builder.operandSize(i, d);
      builder.transfer(moveOf(builder, i, d, f, pieceOfPart(size, at)));
      at += size;
    }
  }
  return builder.take();
}

ShardingRule DynamicSliceOp::getShardingRule() {
  ShardingRuleBuilder builder = movementRule(*this);
  for (unsigned d = 0; d < builder.resultRank(0); ++d) {
    // A slice as long as its dimension starts at 0, whatever its index says.
    if (getSizes()[d] == builder.operandSize(0, d)) {
      builder.operand(0, d, builder.resultFactor(0, d));
      continue;
    }
    // The ranks put together what each of them has; of nothing, nothing.
    int64_t wanted = getSizes()[d], size = builder.operandSize(0, d);
    unsigned f = builder.operandFactor(
        0, d,
        wanted > 0 ? FactorKind::Collective : FactorKind::NeedReplication);
    builder.transfer(
        {f, 0, d, /*isOfResult=*/true, [=](ArrayRef<AxisRef> axes) {
           return std::min(receivedByGather(size, axes),
                           receivedByReduction(wanted, numShards(axes)));
         }});
    builder.resultFactor(0, d, FactorKind::NeedReplication);
  }
  return builder.take();
}

ShardingRule DynamicUpdateSliceOp::getShardingRule() {
  ShardingRuleBuilder builder = movementRule(*this, /*count=*/2);
  for (unsigned d = 0; d < builder.resultRank(0); ++d) {
    unsigned f = builder.resultFactor(0, d);
    builder.operand(0, d, f);
    int64_t written = builder.operandSize(1, d);
    if (written == builder.resultSize(0, d)) {
      builder.operand(1, d, f);
      continue;
    }
    // Each rank writes what lies in its block, from all of the update.
    unsigned part = builder.operandFactor(
        1, d,
        written > 0 ? FactorKind::Collective : FactorKind::NeedReplication);
    builder.transfer(
        {part, 1, d, /*isOfResult=*/false, [=](ArrayRef<AxisRef> axes) {
           return receivedByGather(written, axes);
         }});
  }
  return builder.take();
}

} // namespace cleave::graph
