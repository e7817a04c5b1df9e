//===- OpStrategy.h - How one op executes on its shards ---------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Given the shardings of an op's operands and results, decides how its
// iteration space is sharded. Candidates are the factor shardings that each
// operand, each result and their compatible unions imply. The one whose
// reshards of operands and results, and own transfers, move the fewest bytes
// wins, ties to the one that leaves the least work on a rank; contractions
// compare work before bytes.
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_PARTITION_OPSTRATEGY_H
#define CLEAVE_PARTITION_OPSTRATEGY_H

#include "cleave/Partition/ReshardPlan.h"
#include "cleave/Partition/ShardingRule.h"

namespace cleave {

struct TensorInfo {
  llvm::SmallVector<int64_t, 4> shape;
  int64_t elementBytes = 4;
  Sharding sharding;
};

struct OpStrategy {
  FactorShardings factors;
  /// What each operand must be when the op runs, and what each result is.
  llvm::SmallVector<Sharding, 4> operands;
  llvm::SmallVector<Sharding, 1> results;
  int64_t bytes = 0;
};

/// Never fails: with no factor sharded every rule holds. Partial operands that
/// the rule's `linear` sets admit may stay partial when that is cheaper;
/// others must be reduced before the op.
OpStrategy chooseStrategy(const ShardingRule &rule,
                          llvm::ArrayRef<TensorInfo> operands,
                          llvm::ArrayRef<TensorInfo> results,
                          ReshardPlanner &planner);

} // namespace cleave

#endif // CLEAVE_PARTITION_OPSTRATEGY_H
