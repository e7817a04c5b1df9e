//===- SegmentedReduction.h - Reductions of long buffers --------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_RUNTIME_COMMUNICATORS_MPI_SEGMENTEDREDUCTION_H
#define CLEAVE_RUNTIME_COMMUNICATORS_MPI_SEGMENTEDREDUCTION_H

#include "runtime/communicators/mpi/MpiCommunicator.h"

namespace cleave::rt {

/// Every member reduces a contiguous part of the operands and, in an
/// all_reduce, sends it to the others: (k-1)/k S in the one, twice that in the
/// other. Goes by segments: one is reduced while the next ones travel, and
/// nobody waits for the end of what it has sent before that is needed. Segments
/// stay in a core's cache between their arrival and their reduction.
class SegmentedReduction {
public:
  /// The part that member `j` reduces, in bytes from the start of each operand;
  /// the first member has the longest.
  using GetPart = const CopyPlan &(*)(const MpiExecution &execution, size_t j);

  /// `toStart` is where the own part goes in the result; `spreads` for
  /// all_reduce, whose parts lie in the result as in the operands.
  SegmentedReduction(const MpiExecution &execution, GetPart getPart,
                     int64_t toStart, bool spreads);

  bool run();

  /// Scratch for parts of at most `longest` bytes.
  static int64_t getScratchBytes(size_t groupSize, int64_t longest);

private:
  struct Segment {
    int64_t begin, bytes;
  };
  Segment getSegment(size_t member, int64_t index) const;
  /// Where the segment with this index comes from `member`.
  char *getSlot(size_t member, int64_t index) const;
  /// The messages of a kind for segments with this index.
  enum Kind { Collected, Handed, Spread, Returned };
  Messages &getMessages(Kind kind, int64_t index) const;
  void collect(int64_t index);
  void reduceSegment(int64_t index);
  void spread(int64_t index);

  const MpiExecution &execution;
  const CollectivePlan &plan;
  GetPart getPart;
  const char *operand;
  char *result; ///< of the own part
  bool spreads;
  size_t count, own;
  int64_t longest, numSegments;
};

} // namespace cleave::rt

#endif // CLEAVE_RUNTIME_COMMUNICATORS_MPI_SEGMENTEDREDUCTION_H
