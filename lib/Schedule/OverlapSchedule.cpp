//===- OverlapSchedule.cpp - Order for communication in the background ----===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cleave/Schedule/OverlapSchedule.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <limits>

using namespace cleave;
using llvm::ArrayRef;
using llvm::SmallVector;

namespace {

/// What must be issued before what.
class Dependences {
public:
  explicit Dependences(const OverlapProblem &problem)
      : predecessors(problem.ops.size()), successors(problem.ops.size()),
        storages(problem.ops.size()) {
    struct Use {
      int writer = -1;
      SmallVector<unsigned, 4> readers;
    };
    std::vector<Use> uses(problem.storageBytes.size());
    for (auto [op, description] : llvm::enumerate(problem.ops)) {
      for (const StreamAccess &access : description.accesses) {
        storages[op].push_back(access.storage);
        Use &use = uses[access.storage];
        if (use.writer >= 0)
          addEdge(use.writer, op);
        if (access.isWrite)
          for (unsigned reader : use.readers)
            addEdge(reader, op);
      }
      for (const StreamAccess &access : description.accesses) {
        Use &use = uses[access.storage];
        if (access.isWrite)
          use = {static_cast<int>(op), {}};
        else if (use.writer != static_cast<int>(op))
          use.readers.push_back(op);
      }
      llvm::sort(storages[op]);
      storages[op].erase(std::unique(storages[op].begin(), storages[op].end()),
                         storages[op].end());
    }
  }

  std::vector<SmallVector<unsigned, 4>> predecessors, successors;
  /// Each once.
  std::vector<SmallVector<unsigned, 4>> storages;

private:
  void addEdge(unsigned from, unsigned to) {
    if (from == to || llvm::is_contained(predecessors[to], from))
      return;
    predecessors[to].push_back(from);
    successors[from].push_back(to);
  }
};

/// Time and memory while operations are issued one after the other.
class Simulation {
public:
  Simulation(const OverlapProblem &problem, const Dependences &dependences,
             bool overlaps)
      : problem(problem), dependences(dependences), overlaps(overlaps),
        finish(problem.ops.size()), uses(problem.storageBytes.size()),
        isInUse(problem.storageBytes.size()) {
    for (const auto &ofOp : dependences.storages)
      for (unsigned storage : ofOp)
        ++uses[storage];
  }

  /// When an operation whose predecessors have been issued could start: not
  /// before what was issued before it has let the computing machine go on.
  double getStart(unsigned op) const {
    double start = computeFree;
    for (unsigned other : dependences.predecessors[op])
      start = std::max(start, finish[other]);
    if (problem.ops[op].resource == OverlapOp::Communication)
      start = std::max(start, communicationFree);
    return start;
  }

  int64_t getBytesInUse() const { return bytesInUse; }
  /// Bytes in use while `op` runs, if it is issued now.
  int64_t getBytes(unsigned op) const {
    int64_t bytes = bytesInUse + problem.ops[op].innerBytes;
    for (unsigned storage : dependences.storages[op])
      if (!isInUse[storage])
        bytes += problem.storageBytes[storage];
    return bytes;
  }

  void issue(unsigned op) {
    schedule.order.push_back(op);
    schedule.peakBytes = std::max(schedule.peakBytes, getBytes(op));
    finish[op] = getStart(op) + problem.ops[op].seconds;
    schedule.seconds = std::max(schedule.seconds, finish[op]);
    OverlapOp::Resource resource = problem.ops[op].resource;
    bool isStarted = resource == OverlapOp::Communication && overlaps;
    if (!isStarted)
      computeFree = finish[op];
    if (resource != OverlapOp::Compute)
      communicationFree = std::max(communicationFree, finish[op]);

    for (unsigned storage : dependences.storages[op])
      if (!isInUse[storage]) {
        isInUse[storage] = true;
        bytesInUse += problem.storageBytes[storage];
      }
    if (isStarted) {
      started.push_back(op);
      return;
    }
    // It has waited for the collectives that it depends on, and so for all that
    // were started before them.
    auto last = llvm::find_if(llvm::reverse(started), [&](unsigned other) {
      return llvm::is_contained(dependences.predecessors[op], other);
    });
    for (unsigned other : llvm::make_range(started.begin(), last.base()))
      release(other);
    started.erase(started.begin(), last.base());
    release(op);
  }

  OverlapSchedule take() { return std::move(schedule); }

private:
  void release(unsigned op) {
    for (unsigned storage : dependences.storages[op])
      if (--uses[storage] == 0)
        bytesInUse -= problem.storageBytes[storage];
  }

  const OverlapProblem &problem;
  const Dependences &dependences;
  bool overlaps;
  OverlapSchedule schedule;
  std::vector<double> finish;
  double computeFree = 0, communicationFree = 0;
  /// Collectives that nothing has waited for.
  SmallVector<unsigned> started;
  /// Uses that are still to come or not waited for, by storage.
  std::vector<unsigned> uses;
  std::vector<bool> isInUse;
  int64_t bytesInUse = 0;
};

/// One run of the list scheduler.
class ListScheduler {
public:
  /// Of ready operations the one with the larger priority comes first; among
  /// equals the first in program order.
  ListScheduler(const OverlapProblem &problem, const Dependences &dependences,
                ArrayRef<double> priorities, int64_t byteLimit)
      : problem(problem), dependences(dependences), priorities(priorities),
        byteLimit(byteLimit), simulation(problem, dependences, true) {}

  OverlapSchedule run() {
    unsigned count = problem.ops.size();
    std::vector<unsigned> missing(count);
    for (unsigned op = 0; op < count; ++op) {
      missing[op] = dependences.predecessors[op].size();
      if (missing[op] == 0)
        ready.push_back(op);
    }
    for (unsigned i = 0; i < count; ++i) {
      unsigned op = choose();
      simulation.issue(op);
      ready.erase(llvm::find(ready, op));
      for (unsigned other : dependences.successors[op])
        if (--missing[other] == 0)
          ready.insert(llvm::upper_bound(ready, other), other);
    }
    return simulation.take();
  }

private:
  unsigned choose() {
    // The first operation that is left is always ready, and must find room
    // after any other.
    unsigned first = ready.front(), best = first;
    int64_t reserved = simulation.getBytes(first) - simulation.getBytesInUse();
    bool isFound = false, isStart = false;
    double bestStart = std::numeric_limits<double>::infinity();
    for (unsigned op : ready) {
      int64_t bytes = simulation.getBytes(op) + (op == first ? 0 : reserved);
      if (bytes > byteLimit)
        continue;
      // Starting a collective takes no time.
      bool starts = problem.ops[op].resource == OverlapOp::Communication;
      double start = starts ? 0 : simulation.getStart(op);
      bool isBetter =
          !isFound || (starts && !isStart) ||
          (starts == isStart &&
           (start < bestStart ||
            (start == bestStart && priorities[op] > priorities[best])));
      if (!isBetter)
        continue;
      best = op;
      isFound = true;
      isStart = starts;
      bestStart = start;
    }
    return best;
  }

  const OverlapProblem &problem;
  const Dependences &dependences;
  ArrayRef<double> priorities;
  int64_t byteLimit;
  Simulation simulation;
  SmallVector<unsigned> ready; ///< in program order
};

} // namespace

static OverlapSchedule simulateProgramOrder(const OverlapProblem &problem,
                                            const Dependences &dependences,
                                            bool overlaps) {
  Simulation simulation(problem, dependences, overlaps);
  for (unsigned op = 0; op < problem.ops.size(); ++op)
    simulation.issue(op);
  return simulation.take();
}

/// The longest path from the start of each operation to the end of the block.
static std::vector<double> getPathLengths(const OverlapProblem &problem,
                                          const Dependences &dependences) {
  std::vector<double> lengths(problem.ops.size());
  for (unsigned op = problem.ops.size(); op-- > 0;) {
    for (unsigned other : dependences.successors[op])
      lengths[op] = std::max(lengths[op], lengths[other]);
    lengths[op] += problem.ops[op].seconds;
  }
  return lengths;
}

OverlapSchedule cleave::evaluateProgramOrder(const OverlapProblem &problem,
                                             bool overlaps) {
  return simulateProgramOrder(problem, Dependences(problem), overlaps);
}

OverlapSchedule cleave::scheduleOverlap(const OverlapProblem &problem,
                                        int64_t byteLimit) {
  Dependences dependences(problem);
  OverlapSchedule best = simulateProgramOrder(problem, dependences, true);
  if (llvm::none_of(problem.ops, [](const OverlapOp &op) {
        return op.resource == OverlapOp::Communication;
      }))
    return best;
  std::vector<double> inOrder(problem.ops.size());
  for (const std::vector<double> &priorities :
       {inOrder, getPathLengths(problem, dependences)}) {
    OverlapSchedule schedule =
        ListScheduler(problem, dependences, priorities, byteLimit).run();
    if (schedule.seconds < 0.99 * best.seconds)
      best = std::move(schedule);
  }
  return best;
}
