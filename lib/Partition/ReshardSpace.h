//===- ReshardSpace.h - States and moves of the reshard search --*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A state is the sharding of one tensor between two collectives, with axes
// named by small ids (AxisTokens.h). It is kept canonical: an axis is split
// into atoms wherever that leaves the blocks as they are.
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_LIB_PARTITION_RESHARDSPACE_H
#define CLEAVE_LIB_PARTITION_RESHARDSPACE_H

#include "AxisTokens.h"
#include "cleave/Partition/ReshardPlan.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <cstring>
#include <type_traits>

namespace cleave {

/// A reshard to plan. Axes of size 1 are gone, `partial` is what must be
/// reduced, in order of kinds, and `kept` stays partial throughout.
struct ReshardProblem {
  llvm::SmallVector<int64_t, 4> shape;
  int64_t elementBytes = 1;
  llvm::SmallVector<AxisList, 4> from, to;
  llvm::SmallVector<PartialAxis, 2> partial, kept;
};

struct ReshardState {
  static constexpr unsigned kMaxDims = 6, kMaxLength = 6;
  uint8_t length[kMaxDims] = {};
  uint8_t ids[kMaxDims][kMaxLength] = {};
  /// States are compared and hashed as bytes: no implicit padding.
  uint8_t unused[2] = {};
  /// Ids that are still to be reduced.
  uint32_t partial = 0;

  llvm::ArrayRef<uint8_t> dim(unsigned d) const { return {ids[d], length[d]}; }
  bool operator==(const ReshardState &o) const {
    return std::memcmp(this, &o, sizeof(*this)) == 0;
  }
};
static_assert(std::has_unique_object_representations_v<ReshardState>);

struct ReshardMove {
  CollectiveKind kind = CollectiveKind::AllSlice;
  uint8_t dim = 0;
  uint8_t splitDim = 0;
  ReductionKind reduction = ReductionKind::Sum;
  AxisList axes;
};

/// Local extents of the dimensions of a space.
using Extents = llvm::SmallVector<int64_t, ReshardState::kMaxDims>;

class ReshardSpace {
public:
  /// Returns false if the problem is too large to search. A `fine` space also
  /// has the parts of prime size of each axis.
  bool build(const ReshardProblem &problem, bool fine);

  const ReshardState &start() const { return first; }
  const ReshardState &goal() const { return last; }
  Extents extents(const ReshardState &state) const;
  /// What one element of the searched dimensions weighs.
  int64_t elementBytes() const { return bytes; }
  /// Number of ids.
  unsigned size() const { return tokens.size(); }
  unsigned numDims() const { return dims.size(); }
  /// The tensor's dimension that a searched dimension is; 0 for a scalar's.
  unsigned tensorDim(unsigned d) const { return dims.empty() ? 0 : dims[d]; }

  /// Bytes that must still be received by some device: never too many.
  int64_t bytesMissing(const ReshardState &state) const;
  /// Placement of the whole tensor in a state.
  Sharding sharding(const ReshardState &state) const;

  using Visitor =
      llvm::function_ref<void(const ReshardState &, const ReshardMove &)>;
  enum class Moves {
    /// Slices towards the goal only, permutations only if they end there.
    Direct,
    All,
  };
  /// Calls `visit` for each state one collective away. Permutations cost a
  /// whole buffer and never pay twice in a row, so the caller may skip them.
  void forEachMove(const ReshardState &state, Moves moves, bool permute,
                   Visitor visit) const;

private:
  bool onlySlicesLeft(const ReshardState &state) const;
  void visitSlicesToGoal(const ReshardState &state, Visitor visit) const;
  void visitGathers(const ReshardState &state, Visitor visit) const;
  void visitExchanges(const ReshardState &gathered, const ReshardMove &gather,
                      Visitor visit) const;
  void visitSlices(const ReshardState &state, Visitor visit) const;
  void visitGoalSlices(const ReshardState &state, Visitor visit) const;
  void visitReductions(const ReshardState &state, Visitor visit) const;
  void visitScatters(const ReshardState &state, ReductionKind kind,
                     uint32_t candidates, Visitor visit) const;

  int64_t extentOf(llvm::ArrayRef<uint8_t> ids, int64_t extent) const;
  bool isFlat(int64_t extent, llvm::ArrayRef<uint8_t> ids) const;
  AxisList axesOf(llvm::ArrayRef<uint8_t> ids) const;
  /// Cuts dimension `d` further over `axes` by one collective, if it can.
  bool cut(ReshardState &state, unsigned d, llvm::ArrayRef<AxisRef> axes) const;
  void sortCutsOfOneElement(llvm::MutableArrayRef<uint8_t> ids,
                            int64_t extent) const;
  bool setDim(ReshardState &state, unsigned d,
              llvm::ArrayRef<AxisRef> axes) const;
  /// The longest run of the goal's axes that one collective can cut dimension
  /// `d` over next; empty if the state is not on the goal's way.
  llvm::ArrayRef<uint8_t> nextOfGoal(const ReshardState &state,
                                     unsigned d) const;
  /// Ids in use, or overlapping those in use.
  uint32_t usedMask(const ReshardState &state) const;
  uint32_t partialMask(const ReshardState &state, ReductionKind &kind) const;

  friend class PermutationVisitor;

  const ReshardProblem *problem = nullptr;
  AxisTokens tokens;
  llvm::SmallVector<unsigned, ReshardState::kMaxDims> dims;
  Extents shape;
  int64_t bytes = 1;
  ReshardState first, last;
  Extents goalExtents;
  bool goalPadded = false;
  /// Reduction of each partial id.
  llvm::SmallVector<ReductionKind, AxisTokens::kMax> reductions;
  /// Ids of `partial` in the order in which kinds are reduced.
  llvm::SmallVector<uint8_t, 4> partialIds;
};

} // namespace cleave

#endif // CLEAVE_LIB_PARTITION_RESHARDSPACE_H
