//===- Propagation.cpp - Spreading shardings over a graph -----------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A worklist per op priority: ops of a later priority are looked at only while
// no earlier one has work left, so whatever a contraction decides goes through
// the data movement and elementwise ops around it before the next contraction
// decides anything.
//
//===----------------------------------------------------------------------===//

#include "cleave/Partition/Propagation.h"

#include "OpPropagation.h"
#include "llvm/ADT/STLExtras.h"
#include <deque>
#include <limits>

using namespace llvm;

namespace cleave {

namespace {

constexpr int64_t kFirstLevel = std::numeric_limits<int64_t>::min();
constexpr int64_t kLastLevel = std::numeric_limits<int64_t>::max();

class Propagator {
public:
  explicit Propagator(PropagationGraph &graph)
      : graph(graph), states(graph.values.size()), visitor(graph, states),
        queued(graph.ops.size()), hadConflict(graph.ops.size()) {}

  PropagationStatistics run();

private:
  void initializeValue(unsigned value);
  void indexUses();
  void enqueue(unsigned op);
  void enqueueUses(unsigned value);
  void enqueueLevel(int64_t level);
  std::optional<unsigned> pop();
  void drain(int64_t level);
  void close();

  PropagationGraph &graph;
  std::vector<ValueState> states;
  OpPropagation visitor;
  /// Ops that use value v: useOps[useBegin[v]..useBegin[v + 1]).
  std::vector<unsigned> useBegin, useOps;
  std::deque<unsigned> queues[3];
  std::vector<bool> queued, hadConflict;
  SmallVector<int64_t, 4> levels;
  PropagationStatistics statistics;
};

} // namespace

void Propagator::initializeValue(unsigned v) {
  PropagationValue &value = graph.values[v];
  bool annotated = value.sharding.has_value();
  if (!annotated)
    value.sharding = Sharding::replicated(value.shape.size(), /*open=*/true);
  value.origins.clear();
  for (auto [d, dim] : enumerate(value.sharding->dims)) {
    DimState state{dim.open, kFirstLevel};
    // A dimension without axes has nothing to hold back.
    if (!dim.axes.empty() || dim.priority)
      state.level = dim.priority.value_or(kLastLevel);
    levels.push_back(state.level);
    states[v].dims.push_back(state);
    for (const AxisRef &axis : dim.axes)
      value.origins.push_back(
          {axis, static_cast<unsigned>(d), value.annotation, std::nullopt});
  }
}

void Propagator::indexUses() {
  useBegin.assign(graph.values.size() + 1, 0);
  auto forEachUse = [&](auto body) {
    for (auto [op, current] : enumerate(graph.ops)) {
      for (unsigned value : current.operands)
        body(value, op);
      for (unsigned value : current.results)
        body(value, op);
    }
  };
  forEachUse([&](unsigned value, unsigned) { ++useBegin[value + 1]; });
  for (size_t v = 0; v < graph.values.size(); ++v)
    useBegin[v + 1] += useBegin[v];
  useOps.resize(useBegin.back());
  std::vector<unsigned> fill(useBegin.begin(), useBegin.end() - 1);
  forEachUse([&](unsigned value, unsigned op) { useOps[fill[value]++] = op; });
}

void Propagator::enqueue(unsigned op) {
  if (queued[op])
    return;
  queued[op] = true;
  queues[static_cast<int>(graph.ops[op].rule.priority)].push_back(op);
}

void Propagator::enqueueUses(unsigned value) {
  for (unsigned i = useBegin[value]; i < useBegin[value + 1]; ++i)
    enqueue(useOps[i]);
}

/// Ops around the values that take part from this level on.
void Propagator::enqueueLevel(int64_t level) {
  std::vector<bool> starts(graph.ops.size());
  for (auto [v, state] : enumerate(states)) {
    bool cut = false;
    for (auto [dim, axes] : zip(state.dims, graph.values[v].sharding->dims))
      cut |= dim.level == level && !axes.axes.empty();
    if (!cut && none_of(state.dims, [&](const DimState &dim) {
          return dim.level == level && level != kFirstLevel;
        }))
      continue;
    for (unsigned i = useBegin[v]; i < useBegin[v + 1]; ++i)
      starts[useOps[i]] = true;
  }
  // In program order, whatever the order of values.
  for (unsigned op = 0; op < starts.size(); ++op)
    if (starts[op])
      enqueue(op);
}

std::optional<unsigned> Propagator::pop() {
  for (auto &queue : queues) {
    if (queue.empty())
      continue;
    unsigned op = queue.front();
    queue.pop_front();
    queued[op] = false;
    return op;
  }
  return std::nullopt;
}

void Propagator::drain(int64_t level) {
  SmallVector<unsigned, 4> changed;
  while (std::optional<unsigned> op = pop()) {
    changed.clear();
    ++statistics.opVisits;
    if (visitor.visit(*op, level, changed))
      hadConflict[*op] = true;
    for (unsigned value : changed)
      enqueueUses(value);
  }
}

void Propagator::close() {
  for (PropagationValue &value : graph.values) {
    for (DimSharding &dim : value.sharding->dims) {
      dim.open = false;
      dim.priority.reset();
    }
    value.sharding->keptReplicated.clear();
  }
}

PropagationStatistics Propagator::run() {
  for (unsigned v = 0; v < graph.values.size(); ++v)
    initializeValue(v);
  indexUses();
  sort(levels);
  levels.erase(llvm::unique(levels), levels.end());
  for (int64_t level : levels) {
    enqueueLevel(level);
    drain(level);
  }
  close();
  statistics.conflicts = count(hadConflict, true);
  return statistics;
}

PropagationStatistics propagate(PropagationGraph &graph) {
  return Propagator(graph).run();
}

} // namespace cleave
