//===- Propagation.h - Spreading shardings over a graph ---------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Propagation projects the shardings of an op's tensors to factors, merges
// them, and projects back, until nothing changes. Order: user priority, then
// op priority, then, in a conflict between two axes lists for one factor, the
// one that fewer bytes must be moved for (the tensors that already have it
// weigh most). It never removes an axis that is there.
//
// Cost is linear in the number of ops times the number of times a value
// changes; it does not depend on the number of ranks.
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_PARTITION_PROPAGATION_H
#define CLEAVE_PARTITION_PROPAGATION_H

#include "cleave/Partition/ShardingRule.h"
#include <vector>

namespace cleave {

/// Where an axis of a value's sharding came from.
struct AxisOrigin {
  AxisRef axis;
  unsigned dim = 0;
  /// Caller's id of the annotation that named the axis first.
  unsigned annotation = 0;
  /// Caller's op that brought it here, none if the value was annotated itself.
  std::optional<unsigned> via;
};

struct PropagationValue {
  llvm::SmallVector<int64_t, 4> shape;
  int64_t elementBytes = 4;
  /// In: the annotation, or none for a value that anything may shard. Out: a
  /// closed sharding, replicated over what propagation did not place.
  std::optional<Sharding> sharding;
  /// Caller's id of the annotation in `sharding`, if it has one.
  unsigned annotation = 0;
  /// Out: one entry per axis of `sharding`.
  llvm::SmallVector<AxisOrigin, 2> origins;
};

struct PropagationOp {
  ShardingRule rule;
  /// Indices into the values, one per operand and result of the rule.
  llvm::SmallVector<unsigned, 4> operands;
  llvm::SmallVector<unsigned, 1> results;
  /// Whether operands, or results, are given what the others have.
  bool reachesOperands = true, reachesResults = true;
  /// If not empty: the axes that cut each dimension of the first operand before
  /// the axes of the rule's factors do. A sharding that does not begin with
  /// them takes no part.
  llvm::SmallVector<AxisList, 0> outerAxes;
  /// Values whose sharding is settled by their own op alone (a constraint or a
  /// loop variable) are expressed by giving several uses the same value.
};

struct PropagationGraph {
  const Mesh *mesh = nullptr;
  std::vector<PropagationValue> values;
  std::vector<PropagationOp> ops;
};

struct PropagationStatistics {
  unsigned opVisits = 0;
  unsigned conflicts = 0;
};

PropagationStatistics propagate(PropagationGraph &graph);

} // namespace cleave

#endif // CLEAVE_PARTITION_PROPAGATION_H
