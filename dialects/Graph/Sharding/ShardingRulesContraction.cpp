//===- ShardingRulesContraction.cpp - Rules of contractions and reductions ===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/GraphBuilders.h"
#include "dialects/Graph/ScalarBody.h"
#include "dialects/Graph/Sharding/PartialReduction.h"
#include "dialects/Graph/Sharding/ShardingRuleBuilder.h"
#include "mlir/IR/TypeUtilities.h"

using namespace llvm;
using namespace mlir;

namespace cleave::graph {

using Priority = ShardingRule::Priority;

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

ShardingRule DotGeneralOp::getShardingRule() {
  ShardingRuleBuilder builder(*this);
  builder.priority(Priority::Contraction);
  if (hasSums(getType()))
    builder.linear({0}).linear({1});

  unsigned next = 0;
  for (auto [l, r] : zip_equal(getLhsBatchingDims(), getRhsBatchingDims())) {
    unsigned f = builder.operandFactor(0, l);
    builder.operand(1, r, f).result(0, next++, f);
  }
  auto addFree = [&](unsigned index, ArrayRef<int64_t> batching,
                     ArrayRef<int64_t> contracting) {
    for (int64_t d = 0; d < builder.operandRank(index); ++d)
      if (!is_contained(batching, d) && !is_contained(contracting, d))
        builder.result(0, next++, builder.operandFactor(index, d));
  };
  addFree(0, getLhsBatchingDims(), getLhsContractingDims());
  addFree(1, getRhsBatchingDims(), getRhsContractingDims());
  for (auto [l, r] :
       zip_equal(getLhsContractingDims(), getRhsContractingDims())) {
    unsigned f =
        builder.operandFactor(0, l, FactorKind::Reduction, sumKind(getType()));
    builder.operand(1, r, f);
  }
  return builder.take();
}

ShardingRule LinearOp::getShardingRule() {
  ShardingRuleBuilder builder(*this);
  builder.priority(Priority::Contraction);
  unsigned contracted = getContracting();
  unsigned batch = builder.operandRank(0) - contracted;
  unsigned next = 0;
  for (unsigned d = 0; d < batch; ++d)
    builder.result(0, next++, builder.operandFactor(0, d));
  for (unsigned d = contracted; d < builder.operandRank(1); ++d) {
    unsigned f = builder.operandFactor(1, d);
    builder.result(0, next++, f);
    if (getBias())
      builder.operand(2, d - contracted, f);
  }
  // The bias of a partial sum would be counted once per rank, so that with a
  // bias the op itself must see to the reduction.
  FactorKind kind = getBias() ? FactorKind::Collective : FactorKind::Reduction;
  for (unsigned d = 0; d < contracted; ++d)
    builder.operand(1, d, builder.operandFactor(0, batch + d, kind));
  if (getBias())
    builder.linear({0, 2}).linear({1, 2});
  else
    builder.linear({0}).linear({1});
  return builder.take();
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

/// The reduction that combines the ranks' results of all inputs alike.
static std::optional<ReductionKind> rankReduction(ReduceOp op) {
  std::optional<ReductionKind> kind = combiningKind(op.getBody()), common;
  for (auto [input, init] : zip_equal(op.getInputs(), op.getInits())) {
    common = getRankReduction(kind, init, typeOf(input).getElementType());
    if (!common)
      return std::nullopt;
  }
  return common;
}

/// How a reduced dimension may be cut.
static FactorKind reducedKind(ReduceOp op, std::optional<ReductionKind> kind) {
  if (kind)
    return FactorKind::Reduction;
  return reducesInParts(op) ? FactorKind::Collective
                            : FactorKind::NeedReplication;
}

ShardingRule ReduceOp::getShardingRule() {
  ShardingRuleBuilder builder(*this);
  unsigned count = getInputs().size();
  std::optional<ReductionKind> kind = rankReduction(*this);
  FactorKind reducedAs = reducedKind(*this, kind);
  unsigned next = 0;
  for (int64_t d = 0; d < builder.operandRank(0); ++d) {
    bool reduced = is_contained(getDimensions(), d);
    unsigned f = builder.factor(builder.operandSize(0, d),
                                reduced ? reducedAs : FactorKind::PassThrough,
                                reduced ? kind.value_or(ReductionKind::Sum)
                                        : ReductionKind::Sum);
    for (unsigned i = 0; i < count; ++i) {
      builder.operand(i, d, f);
      if (!reduced)
        builder.result(i, next, f);
    }
    if (!reduced)
      ++next;
  }
  if (combiningKind(getBody()) == ReductionKind::Sum &&
      all_of(getResultTypes(), hasSums)) {
    SmallVector<unsigned> inputs = to_vector(seq(0u, count));
    if (kind)
      builder.linear(inputs);
    else
      builder.linear(to_vector(seq(0u, 2 * count)));
  }
  return builder.take();
}

} // namespace cleave::graph
