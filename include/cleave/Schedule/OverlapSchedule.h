//===- OverlapSchedule.h - Communication in the background ---- -*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Orders the operations of a block so that collectives start early and are
// waited for late. This is list scheduling (Graham, Bounds on Multiprocessing
// Timing Anomalies, 1969) on two machines of different kinds, one that computes
// and one that communicates: whenever the computing machine is free it gets an
// operation that can start at once, and a collective is started as soon as what
// it reads has been issued. Of several operations that could be next, one rule
// takes the first in program order, another the one with the longest path of
// costs to the end of the block (critical path); the better schedule is kept.
//
// An operation that would bring the bytes in use above a limit has to wait
// until it is the first in program order that is left.
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_SCHEDULE_OVERLAPSCHEDULE_H
#define CLEAVE_SCHEDULE_OVERLAPSCHEDULE_H

#include "cleave/Schedule/StreamOrder.h"

namespace cleave {

struct OverlapOp {
  enum Resource {
    Compute,
    Communication,
    /// A loop or branch with collectives inside.
    Both
  } resource = Compute;
  double seconds = 0;
  llvm::SmallVector<StreamAccess, 4> accesses;
  /// Bytes that are in use only inside of it.
  int64_t innerBytes = 0;
};

/// A block in program order.
struct OverlapProblem {
  std::vector<OverlapOp> ops;
  /// Bytes of each storage while it is in use; 0 for what is in use around the
  /// block.
  std::vector<int64_t> storageBytes;
};

struct OverlapSchedule {
  /// The operations as they are issued.
  std::vector<unsigned> order;
  /// From the start of the first to the end of the last.
  double seconds = 0;
  /// Most bytes in use at a time. Those of a collective are until an operation
  /// that depends on it, or on one that was started later, is issued.
  int64_t peakBytes = 0;
};

/// The figures of program order; without overlap, if collectives do not run
/// beside anything.
OverlapSchedule evaluateProgramOrder(const OverlapProblem &problem,
                                     bool overlaps);

/// The best schedule found, program order if nothing is 1 % faster. Dependences
/// are those of `accesses`: what writes a storage stays behind what accessed it
/// before, and what reads it behind what wrote it.
OverlapSchedule scheduleOverlap(const OverlapProblem &problem,
                                int64_t byteLimit);

} // namespace cleave

#endif // CLEAVE_SCHEDULE_OVERLAPSCHEDULE_H
