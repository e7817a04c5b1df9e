//===- ShardingRulesComposites.cpp - Rules of composites ------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/GraphDialect.h"
#include "dialects/Graph/Sharding/ShardingRuleBuilder.h"

using namespace llvm;
using namespace mlir;

namespace cleave::graph {

using Priority = ShardingRule::Priority;

//===----------------------------------------------------------------------===//
// Normalisations
//===----------------------------------------------------------------------===//

/// A rule with a factor for each dimension of operand 0, of which `dim` is
/// reduced by communication within the op. Factor d is dimension d.
static ShardingRuleBuilder rowRule(Operation *op, unsigned dim) {
  ShardingRuleBuilder builder(op);
  for (unsigned d = 0; d < builder.operandRank(0); ++d)
    builder.operandFactor(
        0, d, d == dim ? FactorKind::Collective : FactorKind::PassThrough);
  return builder;
}

/// A normalisation over the last dimension, whose further operands have only
/// that one.
static ShardingRule normRule(Operation *op) {
  unsigned rank = cast<RankedTensorType>(op->getOperand(0).getType()).getRank();
  ShardingRuleBuilder builder = rowRule(op, rank - 1);
  for (unsigned d = 0; d < rank; ++d)
    builder.result(0, d, d);
  for (unsigned i = 1; i < op->getNumOperands(); ++i)
    builder.operand(i, 0, rank - 1);
  return builder.take();
}

ShardingRule LayerNormOp::getShardingRule() { return normRule(*this); }
ShardingRule RmsNormOp::getShardingRule() { return normRule(*this); }

ShardingRule SoftmaxOp::getShardingRule() {
  ShardingRuleBuilder builder = rowRule(*this, getDim());
  for (unsigned d = 0; d < builder.resultRank(0); ++d)
    builder.result(0, d, d);
  return builder.take();
}

ShardingRule CrossEntropyOp::getShardingRule() {
  unsigned rows = cast<RankedTensorType>(getLabels().getType()).getRank();
  ShardingRuleBuilder builder = rowRule(*this, rows);
  for (unsigned d = 0; d < rows; ++d)
    builder.operand(1, d, d).result(0, d, d);
  return builder.take();
}

ShardingRule EmbeddingOp::getShardingRule() {
  ShardingRuleBuilder builder(*this);
  builder.priority(Priority::Movement).linear({0});
  unsigned ids = builder.operandRank(1);
  for (unsigned d = 0; d < ids; ++d)
    builder.operand(1, d, builder.resultFactor(0, d));
  builder.operandFactor(0, 0, FactorKind::Collective);
  builder.operand(0, 1, builder.resultFactor(0, ids));
  return builder.take();
}

//===----------------------------------------------------------------------===//
// Attention
//===----------------------------------------------------------------------===//

ShardingRule AttentionOp::getShardingRule() {
  enum { Query, Key, Value, Mask };
  ShardingRuleBuilder builder(*this);
  builder.priority(Priority::Contraction).linear({Value});

  unsigned batch = builder.operandFactor(Query, 0);
  builder.operand(Key, 0, batch).operand(Value, 0, batch).result(0, 0, batch);
  unsigned s = builder.operandFactor(Query, 1);
  builder.result(0, 1, s);

  // Heads that share a group stay with it; what the group does not cut cuts
  // the heads within.
  int64_t groups = builder.operandSize(Key, 2);
  int64_t heads = builder.operandSize(Query, 2);
  SmallVector<unsigned, 2> headFactors;
  if (groups != 1 || heads == 1) {
    unsigned g = builder.operandFactor(Key, 2);
    builder.operand(Value, 2, g);
    headFactors.push_back(g);
  }
  if (groups != 0 && heads != groups)
    headFactors.push_back(builder.factor(heads / groups));
  for (unsigned f : headFactors)
    builder.operand(Query, 2, f).result(0, 2, f);

  unsigned t = builder.operandFactor(Key, 1, FactorKind::NeedReplication);
  builder.operand(Value, 1, t);
  unsigned d = builder.operandFactor(Query, 3, FactorKind::NeedReplication);
  builder.operand(Key, 3, d);
  unsigned e = builder.operandFactor(Value, 3);
  builder.result(0, 3, e);

  if (getMask()) {
    auto addMask = [&](unsigned dim, ArrayRef<unsigned> factors) {
      // A dimension of size 1 broadcasts.
      if (builder.operandSize(Mask, dim) == 1)
        return;
      for (unsigned f : factors)
        builder.operand(Mask, dim, f);
    };
    addMask(0, batch);
    addMask(1, headFactors);
    addMask(2, s);
    builder.operand(Mask, 3, t);
  }
  return builder.take();
}

ShardingRule RotaryEmbeddingOp::getShardingRule() {
  ShardingRuleBuilder builder(*this);
  builder.linear({0});
  for (unsigned d = 0; d < 4; ++d)
    builder.operand(0, d,
                    builder.resultFactor(0, d,
                                         d == 3 ? FactorKind::NeedReplication
                                                : FactorKind::PassThrough));
  // Positions are [s] or [batch, s].
  unsigned rank = builder.operandRank(1);
  for (unsigned d = 0; d < rank; ++d)
    builder.operand(1, d, d + 2 - rank);
  return builder.take();
}

} // namespace cleave::graph
