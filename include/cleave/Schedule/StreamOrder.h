//===- StreamOrder.h - What orders operations of two streams -- -*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program issues operations to streams. Each stream performs its operations
// one after the other; different streams run at the same time unless an event
// orders them: recorded after an operation of one stream, waited for before an
// operation of another.
//
// The analysis is a forward data flow. For each stream it keeps which
// operations of others may not be complete (*pending*) when its next one
// starts, and for each event which may not be complete when it is passed. At a
// wait only what is pending for both stays pending. Loops are repeated until
// nothing changes, paths of branches are united, so that the result holds for
// every execution.
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_SCHEDULE_STREAMORDER_H
#define CLEAVE_SCHEDULE_STREAMORDER_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <memory>
#include <vector>

namespace cleave {

/// A use of bytes that no other storage shares.
struct StreamAccess {
  unsigned storage = 0;
  bool isWrite = false;
};

struct StreamNode;
using StreamBlock = std::vector<StreamNode>;

struct StreamNode {
  enum Kind {
    /// Runs on `stream` and does `accesses`.
    Work,
    /// The host reads `accesses` after what `stream` has done, and goes on
    /// then,
    /// so that what it starts later is ordered after that, too.
    Read,
    /// Passes event `event` on `stream`; waits there until it was passed.
    Record,
    Wait,
    /// Runs `blocks[0]`; stops or runs `blocks[1]`; repeats.
    Loop,
    /// Runs one of `blocks`.
    Branch
  } kind = Work;
  /// Of a work or read, both called works below: its position in program
  /// order, from 0 without gaps.
  unsigned id = 0;
  unsigned stream = 0;
  unsigned event = 0;
  llvm::SmallVector<StreamAccess, 4> accesses;
  std::vector<StreamBlock> blocks;

  static StreamNode makeWork(unsigned id, unsigned stream,
                             llvm::ArrayRef<StreamAccess> accesses);
  static StreamNode makeRead(unsigned id, unsigned stream,
                             llvm::ArrayRef<StreamAccess> accesses);
  static StreamNode makeRecord(unsigned event, unsigned stream);
  static StreamNode makeWait(unsigned event, unsigned stream);
  static StreamNode makeLoop(StreamBlock condition, StreamBlock body);
  static StreamNode makeBranch(std::vector<StreamBlock> paths);
};

/// Events that order every two accesses of one storage on different streams of
/// which one writes. Event i is recorded right after work `recordAfter[i]`.
struct EventPlan {
  struct Wait {
    unsigned event;
    /// The work before which its stream waits.
    unsigned before;
  };
  llvm::SmallVector<unsigned> recordAfter;
  /// By `before`.
  std::vector<Wait> waits;
};

/// Places as few events as follow from this rule: in program order, a work
/// that conflicts with pending ones waits for the last of them that precede it,
/// or else the last of the iteration before, until it conflicts with none.
/// The program has no events yet.
EventPlan planEvents(const StreamBlock &program);

/// The program with the events of a plan.
StreamBlock insertEvents(const StreamBlock &program, const EventPlan &plan);

/// Works of stream 0 that may run at the same time as a work of another.
struct Overlap {
  unsigned first = ~0u;
  unsigned last = 0;
  bool isEmpty() const { return last < first; }
};

/// By work; empty for those of stream 0. With the events of the program.
std::vector<Overlap> findOverlaps(const StreamBlock &program);

/// Two works of different streams that access a storage without an order, one
/// of them writing: the first found, in program order of the later one.
struct StreamConflict {
  unsigned first, second;
};
std::unique_ptr<StreamConflict> findConflict(const StreamBlock &program);

} // namespace cleave

#endif // CLEAVE_SCHEDULE_STREAMORDER_H
