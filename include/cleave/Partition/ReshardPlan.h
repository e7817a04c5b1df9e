//===- ReshardPlan.h - From one sharding to another -------------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A reshard is planned by uniform-cost search over the shardings that
// collectives lead to. Cost of a step = maximum over devices of the bytes it
// receives, as docs/manifest.md defines them; ties go to fewer steps, then to
// less memory. Plans are memoised by the planner.
//
// Plans only use axes that one of the two shardings has. Shardings that are
// spelled differently but place data alike need no step: a plan may be empty,
// or its steps may change the spelling on the way.
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_PARTITION_RESHARDPLAN_H
#define CLEAVE_PARTITION_RESHARDPLAN_H

#include "cleave/Partition/Sharding.h"
#include <memory>
#include <utility>
#include <vector>

namespace cleave {

enum class CollectiveKind {
  AllGather,
  AllSlice,
  AllReduce,
  ReduceScatter,
  AllToAll,
  CollectivePermute,
  Broadcast,
  HaloExchange,
  WindowExchange,
};
llvm::StringRef stringifyCollective(CollectiveKind kind);

/// One collective on local shapes. `dim` is the dimension that is gathered,
/// sliced or scattered; for all_to_all it is the one gathered (concatenated)
/// and `splitDim` the one cut.
struct ReshardStep {
  CollectiveKind kind = CollectiveKind::AllSlice;
  AxisList axes;
  unsigned dim = 0;
  unsigned splitDim = 0;
  ReductionKind reduction = ReductionKind::Sum;
  /// collective_permute: source and target ranks of the whole mesh.
  std::vector<std::pair<int64_t, int64_t>> pairs;
  llvm::SmallVector<int64_t, 4> operandShape, resultShape;
  /// Sharding after the step (closed).
  Sharding result;
  /// Maximum over devices of the bytes received.
  int64_t bytes = 0;
};

struct ReshardPlan {
  std::vector<ReshardStep> steps;
  int64_t bytes = 0;
};

/// Bytes that one step costs, by the formulas of docs/manifest.md; not for
/// exchanges (HaloExchange.h, WindowExchange.h).
int64_t collectiveBytes(CollectiveKind kind, llvm::ArrayRef<int64_t> operand,
                        llvm::ArrayRef<int64_t> result, int64_t elementBytes,
                        int64_t groupSize);

/// Not to be shared by threads.
class ReshardPlanner {
public:
  explicit ReshardPlanner(const Mesh &mesh);
  ~ReshardPlanner();
  /// The cheapest plan from `from` to `to` for a tensor of this global shape;
  /// partial axes of `from` that `to` lacks are reduced, others are kept.
  /// There always is a plan, unless `to` is partial where `from` is not: then
  /// none. The result is valid until the planner dies.
  const ReshardPlan *plan(llvm::ArrayRef<int64_t> shape, int64_t elementBytes,
                          const Sharding &from, const Sharding &to);
  /// Bytes of that plan, without making the pairs of its permutations; none if
  /// there is no plan.
  std::optional<int64_t> bytes(llvm::ArrayRef<int64_t> shape,
                               int64_t elementBytes, const Sharding &from,
                               const Sharding &to);

private:
  struct Impl;
  std::unique_ptr<Impl> impl;
};

} // namespace cleave

#endif // CLEAVE_PARTITION_RESHARDPLAN_H
