//===- ReshardSearch.h - Cheapest sequence of collectives -------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_LIB_PARTITION_RESHARDSEARCH_H
#define CLEAVE_LIB_PARTITION_RESHARDSEARCH_H

#include "ReshardSpace.h"

namespace cleave {

/// A plan without the pairs of its permutations.
using ReshardSteps = std::vector<ReshardStep>;

/// Reduces, gathers and slices dimension by dimension. Always works, for
/// problems of any size.
ReshardSteps planByGathering(const ReshardProblem &problem);

/// The cheapest plan that moves at most `bound` bytes, if the problem is not
/// too large: then none.
std::optional<ReshardSteps> searchPlan(const ReshardProblem &problem,
                                       int64_t bound);

int64_t planBytes(const ReshardSteps &steps);

/// Source and target ranks of a permutation. Every rank whose block in `to`
/// holds anything is the target of one rank with the same block in `from`: of
/// itself if it can be. A rank is the source of one target at most, and of
/// the same position along the partial axes.
std::vector<std::pair<int64_t, int64_t>>
permutationPairs(const Mesh &mesh, llvm::ArrayRef<int64_t> shape,
                 const Sharding &from, const Sharding &to);

} // namespace cleave

#endif // CLEAVE_LIB_PARTITION_RESHARDSEARCH_H
