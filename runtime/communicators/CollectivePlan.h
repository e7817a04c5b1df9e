//===- CollectivePlan.h - Which rectangle goes where ------------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The static side of a collective for one rank: its group and, per member, the
// box that moves. Every communicator executes the same plans.
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_RUNTIME_COMMUNICATORS_COLLECTIVEPLAN_H
#define CLEAVE_RUNTIME_COMMUNICATORS_COLLECTIVEPLAN_H

#include "runtime/core/CopyPlan.h"
#include "runtime/core/Manifest.h"

namespace cleave::rt {

struct CollectivePlan {
  /// False if no listed group has the rank: its result is zero.
  bool isMember = true;
  /// Ranks that must meet, by position; for collective_permute the ranks that
  /// are connected by pairs, ascending; for a rank in no group itself.
  std::vector<int32_t> group;
  /// Index of this rank in `group`.
  int32_t position = 0;
  /// One per member of `group`:
  ///  all_gather, all_slice, all_to_all, collective_permute, broadcast,
  ///    halo_exchange, window_exchange: the part of the member's operand that
  ///    goes to this rank's result;
  ///  reduce_scatter: the part of every operand (the same for all members) that
  ///    is reduced into this rank's result;
  ///  all_reduce: the contiguous part that the member reduces for all.
  std::vector<CopyPlan> pieces;
  /// Received, as defined in docs/manifest.md.
  int64_t bytes = 0;
};

CollectivePlan planCollective(const CollectiveSpec &spec, const Mesh &mesh,
                              int32_t rank);

/// "all_reduce at f.mlir:3:4 over model", for diagnostics.
std::string describe(const CollectiveSpec &spec);

} // namespace cleave::rt

#endif // CLEAVE_RUNTIME_COMMUNICATORS_COLLECTIVEPLAN_H
