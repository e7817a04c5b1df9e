//===- DeferralPlan.h - Where collectives are cheapest ----------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A collective that completes a value (reduces a partial sum, gathers the
// pieces of a cut value) may wait: ops that allow it run on the incomplete
// value, and their results are incomplete in the same way. Which ops should,
// so that the collectives receive the fewest bytes altogether, is a minimum
// cut: on one side what is incomplete, on the other what is complete, and each
// value on the border pays for its collective once, however many uses it has.
// See Picard & Queyranne, "Selected applications of minimum cuts in networks"
// (1982), for the formulation.
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_PARTITION_DEFERRALPLAN_H
#define CLEAVE_PARTITION_DEFERRALPLAN_H

#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <optional>
#include <vector>

namespace cleave {

struct DeferralGraph {
  /// A value that is incomplete from the start, if no op has it as a result,
  /// or else exactly if that op is deferred.
  struct Value {
    /// Bytes that completing the value receives.
    int64_t bytes = 0;
    /// Part of them that is due wherever the value is incomplete, even if all
    /// ops that use it are deferred: some use takes a piece of the complete
    /// value.
    int64_t dueBytes = 0;
    /// Whether something that cannot be deferred needs it complete.
    bool isNeeded = false;
  };

  /// An op that may be deferred.
  struct Op {
    /// Values that it takes incomplete if it is deferred, complete otherwise.
    llvm::SmallVector<unsigned, 2> operands;
    llvm::SmallVector<unsigned, 1> results;
    /// Whether all operands must be incomplete for the op to be deferred (a
    /// sum is, if both terms are), or complete ones serve as well (a piece of
    /// them is taken at no cost).
    bool needsAll = true;
    /// Bytes more (or less, if negative) that the op itself costs if it is
    /// deferred.
    int64_t extraBytes = 0;
  };

  std::vector<Value> values;
  std::vector<Op> ops;
};

struct DeferralPlan {
  /// Per op of the graph.
  std::vector<bool> isDeferred;
  /// Bytes that are saved, compared with deferring nothing; never negative.
  int64_t savedBytes = 0;
};

/// The cheapest choice; of several, the one that defers the fewest ops. The
/// time is that of a maximum flow per connected part of the graph.
DeferralPlan planDeferral(const DeferralGraph &graph);

/// Bytes of all collectives of a graph under a choice, none if an op that needs
/// all of its operands incomplete is deferred without.
std::optional<int64_t> deferralBytes(const DeferralGraph &graph,
                                     const std::vector<bool> &isDeferred);

} // namespace cleave

#endif // CLEAVE_PARTITION_DEFERRALPLAN_H
