//===- RankGroups.h - Which ranks act together ------------------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A collective acts on groups of ranks. A rank's position in its group says
// which piece of a tensor is its own.
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_PARTITION_RANKGROUPS_H
#define CLEAVE_PARTITION_RANKGROUPS_H

#include "cleave/Partition/Sharding.h"
#include <vector>

namespace cleave {

/// Ranks of a mesh, by their position in the group.
using RankGroup = llvm::SmallVector<int64_t, 8>;

/// The groups of the ranks that differ only along `axes`; positions are along
/// `axes`, major to minor. Every rank is in one group; groups are ordered by
/// their first ranks.
std::vector<RankGroup> groupsAlong(const Mesh &mesh,
                                   llvm::ArrayRef<AxisRef> axes);

/// Number of ranks of the largest group; 1 if there is none.
int64_t largestGroup(llvm::ArrayRef<RankGroup> groups);

// What people call the ranks that take part in a collective: in messages, in
// counters and in tables.

/// `[[0, 2], [1, 3]]`, cut short after some ranks.
std::string describeGroups(llvm::ArrayRef<RankGroup> groups);
/// `data, model:(2)2`.
std::string describeAxes(const Mesh &mesh, llvm::ArrayRef<AxisRef> axes);
/// The axes along which the ranks of some pair lie apart; `pairs` has the two
/// of each pair after each other.
std::string describeAxesApart(const Mesh &mesh, llvm::ArrayRef<int64_t> pairs);

} // namespace cleave

#endif // CLEAVE_PARTITION_RANKGROUPS_H
