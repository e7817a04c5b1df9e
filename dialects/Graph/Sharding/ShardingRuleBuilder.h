//===- ShardingRuleBuilder.h - Writing sharding rules -----------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Builds the rule of one op dimension by dimension, like an einsum: make a
// factor, then say which dimensions of which operands and results carry it.
// Dimensions that nobody mentions have no factor.
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_DIALECTS_GRAPH_SHARDING_SHARDINGRULEBUILDER_H
#define CLEAVE_DIALECTS_GRAPH_SHARDING_SHARDINGRULEBUILDER_H

#include "cleave/Partition/ShardingRule.h"
#include "mlir/IR/Operation.h"

namespace cleave {

class ShardingRuleBuilder {
public:
  explicit ShardingRuleBuilder(mlir::Operation *op);

  unsigned factor(int64_t size, FactorKind kind = FactorKind::PassThrough,
                  ReductionKind reduction = ReductionKind::Sum) {
    return rule.addFactor(size, kind, reduction);
  }
  /// A factor as long as dimension `dim` of operand `index`, already put there.
  unsigned operandFactor(unsigned index, unsigned dim,
                         FactorKind kind = FactorKind::PassThrough,
                         ReductionKind reduction = ReductionKind::Sum);
  unsigned resultFactor(unsigned index, unsigned dim,
                        FactorKind kind = FactorKind::PassThrough);

  /// Appends a factor to a dimension, minor to those that it has.
  ShardingRuleBuilder &operand(unsigned index, unsigned dim, unsigned factor);
  ShardingRuleBuilder &result(unsigned index, unsigned dim, unsigned factor);

  /// Declares the op linear in these operands jointly.
  ShardingRuleBuilder &linear(llvm::ArrayRef<unsigned> operands);
  /// Says what the op communicates along `factor`.
  ShardingRuleBuilder &transfer(FactorTransfer transfer) {
    rule.transfers.push_back(std::move(transfer));
    return *this;
  }
  ShardingRuleBuilder &priority(ShardingRule::Priority priority);

  unsigned numFactors() const { return rule.factors.size(); }
  int64_t operandSize(unsigned index, unsigned dim) const;
  int64_t resultSize(unsigned index, unsigned dim) const;
  unsigned operandRank(unsigned index) const {
    return rule.operands[index].dims.size();
  }
  unsigned resultRank(unsigned index) const {
    return rule.results[index].dims.size();
  }

  ShardingRule take() { return std::move(rule); }

private:
  mlir::Operation *op;
  ShardingRule rule;
};

/// `([a, b], [b, c]) -> ([a, c]) {a=4, b=8:sum, c=16} linear {0} {1}`. Factors
/// are letters in the order of their making; `-` is a dimension without factor.
std::string str(const ShardingRule &rule);

/// A builder for an op that only moves the data of its first `count` operands,
/// and is linear in them jointly.
ShardingRuleBuilder movementRule(mlir::Operation *op, unsigned count = 1);

/// The rule of an op that does the same to every element. Scalar operands
/// (of rank 0) are whole everywhere.
ShardingRule elementwiseRule(mlir::Operation *op);

/// Whether partial sums of this type exist: not in i1, whose addition is `or`,
/// nor in floats of 8 bits.
bool hasSums(mlir::Type type);
/// How ranks combine a value that one of them has and the others hold zero for.
ReductionKind sumKind(mlir::Type type);

/// Whether a value is a constant with all elements equal to a small number.
bool isConstant(mlir::Value value, int64_t number);

/// The reduction that combines the ranks' results when each rank reduces its
/// own block from the initial value; none if that must not be counted once per
/// rank, or if the body is of no known kind.
std::optional<ReductionKind> getRankReduction(std::optional<ReductionKind> kind,
                                              mlir::Value init,
                                              mlir::Type element);

/// Valid elements of each block of a dimension of `n` elements, in the order
/// of the blocks. Blocks of one axis inside those of the one before may be
/// empty in the middle of the list.
llvm::SmallVector<int64_t> blockCounts(int64_t n, llvm::ArrayRef<AxisRef> axes);

} // namespace cleave

#endif // CLEAVE_DIALECTS_GRAPH_SHARDING_SHARDINGRULEBUILDER_H
