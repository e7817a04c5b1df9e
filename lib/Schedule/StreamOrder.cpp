//===- StreamOrder.cpp - What orders the operations of two streams --------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cleave/Schedule/StreamOrder.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include <map>

using namespace cleave;
using llvm::ArrayRef;
using llvm::BitVector;
using llvm::SmallVector;

StreamNode StreamNode::makeWork(unsigned id, unsigned stream,
                                ArrayRef<StreamAccess> accesses) {
  StreamNode node;
  node.id = id;
  node.stream = stream;
  node.accesses.assign(accesses.begin(), accesses.end());
  return node;
}

StreamNode StreamNode::makeRead(unsigned id, unsigned stream,
                                ArrayRef<StreamAccess> accesses) {
  StreamNode node = makeWork(id, stream, accesses);
  node.kind = Read;
  return node;
}

StreamNode StreamNode::makeRecord(unsigned event, unsigned stream) {
  StreamNode node;
  node.kind = Record;
  node.event = event;
  node.stream = stream;
  return node;
}

StreamNode StreamNode::makeWait(unsigned event, unsigned stream) {
  StreamNode node = makeRecord(event, stream);
  node.kind = Wait;
  return node;
}

StreamNode StreamNode::makeLoop(StreamBlock condition, StreamBlock body) {
  StreamNode node;
  node.kind = Loop;
  node.blocks.push_back(std::move(condition));
  node.blocks.push_back(std::move(body));
  return node;
}

StreamNode StreamNode::makeBranch(std::vector<StreamBlock> paths) {
  StreamNode node;
  node.kind = Branch;
  node.blocks = std::move(paths);
  return node;
}

//===----------------------------------------------------------------------===//
// The data flow
//===----------------------------------------------------------------------===//

namespace {

/// Sets of works at one point of the program.
struct State {
  /// By stream: works of other streams that may not be complete.
  std::vector<BitVector> pending;
  /// By event: works that may not be complete when it is passed. Empty before
  /// its first record, when nothing had been started either.
  std::vector<BitVector> atEvent;

  /// After either of two paths. Returns whether the other one adds anything.
  bool unite(const State &o) {
    bool isMore = false;
    auto add = [&](BitVector &mine, const BitVector &other) {
      if (other.subsetOf(mine))
        return;
      mine |= other;
      isMore = true;
    };
    for (auto [mine, other] : llvm::zip_equal(pending, o.pending))
      add(mine, other);
    for (auto [mine, other] : llvm::zip_equal(atEvent, o.atEvent))
      add(mine, other);
    return isMore;
  }
};

class StreamFlow {
public:
  virtual ~StreamFlow() = default;

  void run(const StreamBlock &program) {
    measure(program);
    State state;
    state.pending.assign(numStreams, BitVector(works.size()));
    state.atEvent.assign(countEvents(), BitVector(works.size()));
    visit(program, state);
  }

protected:
  /// Before `work` starts.
  virtual void enter(const StreamNode &work, State &state) = 0;
  /// Events that are not in the program are counted by subclasses.
  virtual unsigned countEvents() { return numEvents; }
  /// After `work` was started.
  virtual void leave(const StreamNode &, State &) {}

  void record(unsigned event, unsigned stream, State &state) {
    state.atEvent[event] = state.pending[stream];
  }
  void wait(unsigned event, unsigned stream, State &state) {
    state.pending[stream] &= state.atEvent[event];
  }

  /// Pending works of other streams that `work` must not overlap.
  SmallVector<unsigned> findConflicts(const StreamNode &work,
                                      const State &state) {
    const BitVector &pending = state.pending[work.stream];
    SmallVector<unsigned> found;
    for (const StreamAccess &access : work.accesses)
      for (auto [other, isWrite] : users[access.storage])
        if ((access.isWrite || isWrite) && pending.test(other))
          found.push_back(other);
    llvm::sort(found);
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
  }

  /// By id.
  std::vector<const StreamNode *> works;
  unsigned numStreams = 1, numEvents = 0;

private:
  void measure(const StreamBlock &block) {
    for (const StreamNode &node : block) {
      for (const StreamBlock &inner : node.blocks)
        measure(inner);
      if (node.kind == StreamNode::Loop || node.kind == StreamNode::Branch)
        continue;
      numStreams = std::max(numStreams, node.stream + 1);
      if (node.kind == StreamNode::Record || node.kind == StreamNode::Wait) {
        numEvents = std::max(numEvents, node.event + 1);
        continue;
      }
      if (works.size() <= node.id)
        works.resize(node.id + 1);
      works[node.id] = &node;
      for (const StreamAccess &access : node.accesses)
        users[access.storage].push_back({node.id, access.isWrite});
    }
  }

  void visit(const StreamBlock &block, State &state) {
    for (const StreamNode &node : block) {
      switch (node.kind) {
      case StreamNode::Work:
        enter(node, state);
        start(node, state);
        leave(node, state);
        break;
      case StreamNode::Read:
        enter(node, state);
        for (BitVector &pending : state.pending)
          pending &= state.pending[node.stream];
        break;
      case StreamNode::Record:
        record(node.event, node.stream, state);
        break;
      case StreamNode::Wait:
        wait(node.event, node.stream, state);
        break;
      case StreamNode::Branch: {
        State before = state;
        visit(node.blocks.front(), state);
        for (const StreamBlock &path : llvm::drop_begin(node.blocks)) {
          State other = before;
          visit(path, other);
          state.unite(other);
        }
        break;
      }
      case StreamNode::Loop:
        visitLoop(node, state);
        break;
      }
    }
  }

  /// What is known where a loop begins is kept for when the loop around it is
  /// repeated: to begin again for each of its iterations would take twice the
  /// time for each level.
  void visitLoop(const StreamNode &loop, State &state) {
    auto [known, isNew] = heads.try_emplace(&loop, state);
    State &head = known->second;
    bool isStable = !isNew && !head.unite(state);
    while (true) {
      state = head;
      visit(loop.blocks[0], state);
      if (isStable)
        return;
      State next = state;
      visit(loop.blocks[1], next);
      isStable = !head.unite(next);
      if (isStable)
        return;
    }
  }

  void start(const StreamNode &work, State &state) {
    for (auto [stream, pending] : llvm::enumerate(state.pending))
      if (stream != work.stream)
        pending.set(work.id);
    for (BitVector &works : state.atEvent)
      works.set(work.id);
  }

  llvm::DenseMap<unsigned, SmallVector<std::pair<unsigned, bool>, 4>> users;
  /// By loop: the states before its condition, united.
  std::map<const StreamNode *, State> heads;
};

//===----------------------------------------------------------------------===//
// planEvents
//===----------------------------------------------------------------------===//

/// Every work that may be waited for has an event from the start; those that
/// are become the plan.
class EventPlanner : public StreamFlow {
public:
  EventPlan take() {
    EventPlan plan;
    llvm::DenseMap<unsigned, unsigned> numbers;
    for (unsigned work = 0; work < waitsOf.size(); ++work)
      for (unsigned source : waitsOf[work]) {
        auto [number, isNew] = numbers.try_emplace(source, numbers.size());
        if (isNew)
          plan.recordAfter.push_back(source);
        plan.waits.push_back({number->second, work});
      }
    return plan;
  }

private:
  unsigned countEvents() override {
    waitsOf.resize(works.size());
    eventOf.assign(works.size(), ~0u);
    // What shares no storage with another stream is never waited for, nor what
    // all only read.
    llvm::DenseMap<unsigned, BitVector> streamsOf;
    llvm::DenseSet<unsigned> written;
    for (const StreamNode *work : works)
      for (const StreamAccess &access : work->accesses) {
        BitVector &streams = streamsOf[access.storage];
        streams.resize(numStreams);
        streams.set(work->stream);
        if (access.isWrite)
          written.insert(access.storage);
      }
    unsigned count = 0;
    for (const StreamNode *work : works)
      if (llvm::any_of(work->accesses, [&](const StreamAccess &access) {
            return written.contains(access.storage) &&
                   streamsOf[access.storage].count() > 1;
          }))
        eventOf[work->id] = count++;
    return count;
  }

  void enter(const StreamNode &work, State &state) override {
    SmallVector<unsigned> &waits = waitsOf[work.id];
    for (unsigned source : waits)
      wait(eventOf[source], work.stream, state);
    while (true) {
      SmallVector<unsigned> conflicts = findConflicts(work, state);
      if (conflicts.empty())
        return;
      auto after = llvm::upper_bound(conflicts, work.id);
      unsigned source =
          after == conflicts.begin() ? conflicts.back() : *std::prev(after);
      waits.push_back(source);
      wait(eventOf[source], work.stream, state);
    }
  }

  void leave(const StreamNode &work, State &state) override {
    if (eventOf[work.id] != ~0u)
      record(eventOf[work.id], work.stream, state);
  }

  /// By work: the works whose events it waits for, in the order of finding.
  std::vector<SmallVector<unsigned>> waitsOf;
  std::vector<unsigned> eventOf;
};

//===----------------------------------------------------------------------===//
// Questions about programs with events
//===----------------------------------------------------------------------===//

class OverlapFinder : public StreamFlow {
public:
  std::vector<Overlap> overlaps;

private:
  void extend(unsigned work, unsigned position) {
    Overlap &overlap = overlaps[work];
    overlap.first = std::min(overlap.first, position);
    overlap.last = std::max(overlap.last, position);
  }

  void enter(const StreamNode &work, State &state) override {
    overlaps.resize(works.size());
    if (work.stream == 0) {
      for (unsigned other : state.pending[0].set_bits())
        extend(other, work.id);
      return;
    }
    const BitVector &pending = state.pending[work.stream];
    for (int other = pending.find_first(); other >= 0;
         other = pending.find_next(other))
      if (works[other]->stream == 0) {
        extend(work.id, other);
        break;
      }
    for (int other = pending.find_last(); other >= 0;
         other = pending.find_prev(other))
      if (works[other]->stream == 0) {
        extend(work.id, other);
        break;
      }
  }
};

class ConflictFinder : public StreamFlow {
public:
  std::unique_ptr<StreamConflict> conflict;

private:
  void enter(const StreamNode &work, State &state) override {
    SmallVector<unsigned> conflicts = findConflicts(work, state);
    if (!conflicts.empty() && (!conflict || work.id < conflict->second))
      conflict = std::make_unique<StreamConflict>(
          StreamConflict{conflicts.front(), work.id});
  }
};

} // namespace

EventPlan cleave::planEvents(const StreamBlock &program) {
  EventPlanner planner;
  planner.run(program);
  return planner.take();
}

StreamBlock cleave::insertEvents(const StreamBlock &program,
                                 const EventPlan &plan) {
  StreamBlock result;
  for (const StreamNode &original : program) {
    StreamNode node = original;
    for (StreamBlock &inner : node.blocks)
      inner = insertEvents(inner, plan);
    bool isWork =
        node.kind == StreamNode::Work || node.kind == StreamNode::Read;
    unsigned id = node.id, stream = node.stream;
    auto isBefore = [](const EventPlan::Wait &wait, unsigned work) {
      return wait.before < work;
    };
    for (auto wait = llvm::lower_bound(plan.waits, id, isBefore);
         isWork && wait != plan.waits.end() && wait->before == id; ++wait)
      result.push_back(StreamNode::makeWait(wait->event, stream));
    result.push_back(std::move(node));
    auto record = llvm::find(plan.recordAfter, id);
    if (isWork && record != plan.recordAfter.end())
      result.push_back(
          StreamNode::makeRecord(record - plan.recordAfter.begin(), stream));
  }
  return result;
}

std::vector<Overlap> cleave::findOverlaps(const StreamBlock &program) {
  OverlapFinder finder;
  finder.run(program);
  return std::move(finder.overlaps);
}

std::unique_ptr<StreamConflict>
cleave::findConflict(const StreamBlock &program) {
  ConflictFinder finder;
  finder.run(program);
  return std::move(finder.conflict);
}
