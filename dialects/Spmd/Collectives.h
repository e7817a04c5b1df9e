//===- Collectives.h - Groups and bytes of collectives ----------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_DIALECTS_SPMD_COLLECTIVES_H
#define CLEAVE_DIALECTS_SPMD_COLLECTIVES_H

#include "cleave/Partition/RankGroups.h"
#include "dialects/Spmd/SpmdDialect.h"

namespace cleave::spmd {

/// Listed groups as plain data.
std::vector<RankGroup> toRankGroups(GroupsAttr groups);

/// The ranks that meet, by position: along axes, as listed, or, for a
/// permutation, those that pairs connect, ascending.
std::vector<RankGroup> rankGroups(CollectiveOpInterface op, const Mesh &mesh);

/// Number of ranks of the largest group of a collective over axes or listed
/// groups.
int64_t groupSize(CollectiveOpInterface op, const Mesh &mesh);

/// Bytes that a device receives at most, as docs/manifest.md defines them.
int64_t receivedBytes(CollectiveOpInterface op, const Mesh &mesh);

} // namespace cleave::spmd

#endif // CLEAVE_DIALECTS_SPMD_COLLECTIVES_H
