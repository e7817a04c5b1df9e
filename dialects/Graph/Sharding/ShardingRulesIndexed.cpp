//===- ShardingRulesIndexed.cpp - Gather, scatter, sort -------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/GraphBuilders.h"
#include "dialects/Graph/ScalarBody.h"
#include "dialects/Graph/ScatterDimensions.h"
#include "dialects/Graph/Sharding/ShardingRuleBuilder.h"

using namespace llvm;
using namespace mlir;

namespace cleave::graph {

using Priority = ShardingRule::Priority;

//===----------------------------------------------------------------------===//
// Gather
//===----------------------------------------------------------------------===//

ShardingRule GatherOp::getShardingRule() {
  ShardingRuleBuilder builder = movementRule(*this);

  // Result dimensions that are no offset dimensions come from the indices.
  SmallVector<unsigned> batchFactors(builder.operandRank(1));
  unsigned next = 0;
  for (unsigned d = 0; d < builder.resultRank(0); ++d) {
    if (is_contained(getOffsetDims(), static_cast<int64_t>(d)))
      continue;
    if (next == getIndexVectorDim())
      ++next;
    unsigned f = builder.resultFactor(0, d);
    builder.operand(1, next, f);
    batchFactors[next++] = f;
  }
  if (getIndexVectorDim() < builder.operandRank(1))
    builder.operandFactor(1, getIndexVectorDim(), FactorKind::NeedReplication);

  for (auto [i, d] : enumerate(getOperandBatchingDims()))
    builder.operand(0, d, batchFactors[getStartIndicesBatchingDims()[i]]);

  unsigned offset = 0;
  for (unsigned d = 0; d < builder.operandRank(0); ++d) {
    if (is_contained(getOperandBatchingDims(), static_cast<int64_t>(d)))
      continue;
    if (is_contained(getCollapsedSliceDims(), static_cast<int64_t>(d))) {
      // Rows of a table: each rank looks up what it holds.
      bool lookup = is_contained(getStartIndexMap(), static_cast<int64_t>(d));
      builder.operandFactor(
          0, d, lookup ? FactorKind::Collective : FactorKind::NeedReplication);
      continue;
    }
    unsigned to = getOffsetDims()[offset++];
    bool whole = getSliceSizes()[d] == builder.operandSize(0, d);
    if (whole) {
      builder.operand(0, d, builder.resultFactor(0, to));
      continue;
    }
    builder.operandFactor(0, d, FactorKind::NeedReplication);
    builder.resultFactor(0, to, FactorKind::NeedReplication);
  }
  return builder.take();
}

//===----------------------------------------------------------------------===//
// Scatter
//===----------------------------------------------------------------------===//

namespace {

/// Writes the rule of a scatter; inputs and results are alike, and so are all
/// updates.
class ScatterRule {
public:
  explicit ScatterRule(ScatterOp op)
      : op(op), dims(op), builder(op), count(op.getInputs().size()) {}

  ShardingRule build() {
    addScatterDims();
    addInputDims();
    addLinearity();
    return builder.take();
  }

private:
  void putInput(unsigned dim, unsigned factor) {
    for (unsigned i = 0; i < count; ++i)
      builder.operand(i, dim, factor).result(i, dim, factor);
  }
  void putUpdates(unsigned dim, unsigned factor) {
    for (unsigned i = 0; i < count; ++i)
      builder.operand(count + 1 + i, dim, factor);
  }

  void addScatterDims();
  void addInputDims();
  void addLinearity();
  std::optional<ReductionKind> rankReduction();

  ScatterOp op;
  ScatterDimensions dims;
  ShardingRuleBuilder builder;
  unsigned count;
  llvm::DenseMap<int64_t, unsigned> factorOfUpdateDim;
};

} // namespace

/// How ranks combine results into which each has scattered a part of the
/// updates, if they can.
std::optional<ReductionKind> ScatterRule::rankReduction() {
  std::optional<ReductionKind> kind = op.getSimpleKind();
  bool isBitwise = kind == ReductionKind::And || kind == ReductionKind::Or;
  // Collectives combine truth values, not bits.
  if (isBitwise &&
      !typeOf(op.getInputs().front()).getElementType().isInteger(1))
    return std::nullopt;
  return kind;
}

void ScatterRule::addScatterDims() {
  std::optional<ReductionKind> kind = rankReduction();
  for (auto [from, to] : zip_equal(dims.scatterDims, dims.indexDims)) {
    bool isBatch = any_of(dims.inputDims, [from = from](const auto &dim) {
      return dim.batchDim == from;
    });
    int64_t size = builder.operandSize(count, to);
    // Of no updates, the ranks cannot tell which of them is the first.
    bool inParts = kind && size > 0;
    unsigned f = builder.factor(size,
                                isBatch   ? FactorKind::PassThrough
                                : inParts ? FactorKind::Reduction
                                          : FactorKind::NeedReplication,
                                kind.value_or(ReductionKind::Sum));
    builder.operand(count, to, f);
    putUpdates(from, f);
    factorOfUpdateDim[from] = f;
  }
  if (dims.vectorDim >= 0)
    builder.operandFactor(count, dims.vectorDim, FactorKind::NeedReplication);
}

/// A dimension that indices address is cut without communication, too: each
/// rank drops the updates that are for others.
void ScatterRule::addInputDims() {
  for (auto [d, dim] : enumerate(dims.inputDims)) {
    if (dim.batchDim >= 0) {
      putInput(d, factorOfUpdateDim[dim.batchDim]);
      continue;
    }
    unsigned f = builder.factor(dim.size);
    putInput(d, f);
    if (dim.windowDim < 0)
      continue;
    putUpdates(dim.windowDim,
               dim.isWhole() ? f
                             : builder.factor(dim.windowSize,
                                              FactorKind::NeedReplication));
  }
}

void ScatterRule::addLinearity() {
  bool moves = yieldsElements(op.getBody());
  if (moves)
    builder.priority(Priority::Movement);
  bool isSum = op.getSimpleKind() == ReductionKind::Sum;
  if ((!moves && !isSum) || !all_of(op->getResultTypes(), hasSums))
    return;
  SmallVector<unsigned> inputs, updates;
  for (unsigned i = 0; i < count; ++i) {
    inputs.push_back(i);
    updates.push_back(count + 1 + i);
  }
  bool startsFromZero =
      all_of(op.getInputs(), [](Value input) { return isConstant(input, 0); });
  if (!startsFromZero)
    updates.append(inputs);
  sort(updates);
  builder.linear(updates);
}

ShardingRule ScatterOp::getShardingRule() { return ScatterRule(*this).build(); }

//===----------------------------------------------------------------------===//
// Sort
//===----------------------------------------------------------------------===//

ShardingRule SortOp::getShardingRule() {
  ShardingRuleBuilder builder(*this);
  builder.priority(Priority::Movement);
  for (unsigned d = 0; d < builder.resultRank(0); ++d) {
    unsigned f =
        builder.factor(builder.resultSize(0, d),
                       d == getDimension() ? FactorKind::NeedReplication
                                           : FactorKind::PassThrough);
    for (unsigned i = 0; i < getInputs().size(); ++i)
      builder.operand(i, d, f).result(i, d, f);
  }
  return builder.take();
}

//===----------------------------------------------------------------------===//
// Random bits
//===----------------------------------------------------------------------===//

ShardingRule RngBitGeneratorOp::getShardingRule() {
  ShardingRuleBuilder builder(*this);
  builder.priority(Priority::Movement);
  builder.result(0, 0,
                 builder.operandFactor(0, 0, FactorKind::NeedReplication));
  // A part of a part is not worth the arithmetic.
  FactorKind kind = getOffsets().empty() ? FactorKind::PassThrough
                                         : FactorKind::NeedReplication;
  for (unsigned d = 0; d < builder.resultRank(1); ++d)
    builder.resultFactor(1, d, kind);
  return builder.take();
}

} // namespace cleave::graph
