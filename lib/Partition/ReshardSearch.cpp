//===- ReshardSearch.cpp - Cheapest sequence of collectives ---------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A* (Hart, Nilsson, Raphael 1968) over the states of ReshardSpace.h: with the
// bytes that some device lacks as estimate, the common plans of one or two
// collectives are found by looking at very few states.
//
//===----------------------------------------------------------------------===//

#include "ReshardSearch.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/xxhash.h"
#include <algorithm>
#include <queue>

using namespace llvm;

namespace llvm {
template <> struct DenseMapInfo<cleave::ReshardState> {
  using State = cleave::ReshardState;
  static State marked(uint8_t mark) {
    State state;
    state.length[0] = mark;
    return state;
  }
  static State getEmptyKey() { return marked(0xff); }
  static State getTombstoneKey() { return marked(0xfe); }
  static unsigned getHashValue(const State &state) {
    return xxh3_64bits(
        ArrayRef(reinterpret_cast<const uint8_t *>(&state), sizeof(State)));
  }
  static bool isEqual(const State &a, const State &b) { return a == b; }
};
} // namespace llvm

namespace cleave {

namespace {

/// What plans are compared by: bytes, then steps, then the largest buffer.
struct PlanCost {
  int64_t bytes = 0;
  unsigned steps = 0;
  int64_t peak = 0;

  bool operator<(const PlanCost &o) const {
    return std::tie(bytes, steps, peak) < std::tie(o.bytes, o.steps, o.peak);
  }
};

struct Node {
  ReshardState state;
  PlanCost cost;
  int64_t missing = 0;
  int parent = -1;
  ReshardMove move;
};

struct Entry {
  /// Cost so far plus the estimate of the rest.
  PlanCost estimate;
  unsigned node = 0;
  PlanCost cost;
  bool operator<(const Entry &o) const { return o.estimate < estimate; }
};

class Search {
public:
  Search(const ReshardSpace &space, ReshardSpace::Moves moves, int64_t bound)
      : space(space), moves(moves), bound(bound) {}

  bool run();
  ReshardSteps steps(const ReshardProblem &problem) const;

private:
  void push(const ReshardState &state, const PlanCost &cost, int parent,
            const ReshardMove &move);
  void expand(unsigned index);

  /// Moves to look at: enough to be exact on meshes of two or three axes, and
  /// a few milliseconds at most. Beyond, the plan of a simpler search is used.
  static constexpr unsigned kMaxPushed = 5000;

  const ReshardSpace &space;
  ReshardSpace::Moves moves;
  int64_t bound;
  unsigned pushed = 0;
  SmallVector<Node, 0> nodes;
  DenseMap<ReshardState, unsigned> known;
  std::priority_queue<Entry> queue;
  int goal = -1;
};

} // namespace

static int64_t numElements(ArrayRef<int64_t> extents) {
  int64_t count = 1;
  for (int64_t n : extents)
    count *= n;
  return count;
}

void Search::push(const ReshardState &state, const PlanCost &cost, int parent,
                  const ReshardMove &move) {
  ++pushed;
  if (cost.bytes > bound)
    return;
  auto [it, isNew] = known.try_emplace(state, nodes.size());
  unsigned index = it->second;
  if (isNew) {
    int64_t missing = space.bytesMissing(state);
    nodes.push_back({state, cost, missing, parent, move});
  } else if (cost < nodes[index].cost) {
    // The estimate is admissible but not consistent, so that a state may be
    // reached more cheaply after it was expanded.
    nodes[index].cost = cost;
    nodes[index].parent = parent;
    nodes[index].move = move;
  } else {
    return;
  }
  PlanCost estimate = cost;
  estimate.bytes += nodes[index].missing;
  estimate.steps += !(state == space.goal());
  if (estimate.bytes <= bound)
    queue.push({estimate, index, cost});
}

void Search::expand(unsigned index) {
  // Copies: pushing moves the nodes.
  const ReshardState state = nodes[index].state;
  const PlanCost cost = nodes[index].cost;
  Extents operand = space.extents(state);
  int64_t buffer = numElements(operand) * space.elementBytes();
  bool permute = cost.bytes + buffer <= bound &&
                 (nodes[index].parent < 0 ||
                  nodes[index].move.kind != CollectiveKind::CollectivePermute);
  space.forEachMove(state, moves, permute,
                    [&](const ReshardState &next, const ReshardMove &move) {
                      Extents result = space.extents(next);
                      PlanCost total;
                      total.bytes = cost.bytes +
                                    collectiveBytes(move.kind, operand, result,
                                                    space.elementBytes(),
                                                    numShards(move.axes));
                      total.steps = cost.steps + 1;
                      total.peak = std::max(cost.peak, numElements(result));
                      push(next, total, index, move);
                    });
}

bool Search::run() {
  push(space.start(), {}, -1, {});
  while (!queue.empty() && pushed < kMaxPushed) {
    Entry entry = queue.top();
    queue.pop();
    const Node &node = nodes[entry.node];
    if (node.cost < entry.cost)
      continue;
    if (node.state == space.goal()) {
      goal = entry.node;
      return true;
    }
    expand(entry.node);
  }
  return false;
}

ReshardSteps Search::steps(const ReshardProblem &problem) const {
  ReshardSteps steps;
  for (int i = goal; nodes[i].parent >= 0; i = nodes[i].parent) {
    const Node &node = nodes[i], &before = nodes[node.parent];
    ReshardStep step;
    step.kind = node.move.kind;
    step.axes = node.move.axes;
    step.dim = space.tensorDim(node.move.dim);
    step.splitDim = space.tensorDim(node.move.splitDim);
    step.reduction = node.move.reduction;
    step.result = space.sharding(node.state);
    step.operandShape = space.sharding(before.state).localShape(problem.shape);
    step.resultShape = step.result.localShape(problem.shape);
    step.bytes = node.cost.bytes - before.cost.bytes;
    steps.push_back(std::move(step));
  }
  std::reverse(steps.begin(), steps.end());
  return steps;
}

std::optional<ReshardSteps> searchPlan(const ReshardProblem &problem,
                                       int64_t bound) {
  std::optional<ReshardSteps> best;
  auto search = [&](const ReshardSpace &space, ReshardSpace::Moves moves) {
    Search search(space, moves, bound);
    if (!search.run())
      return;
    best = search.steps(problem);
    bound = planBytes(*best);
  };
  ReshardSpace space;
  if (!space.build(problem, /*fine=*/false))
    return std::nullopt;
  // Most plans move what is missing and no more.
  int64_t missing = space.bytesMissing(space.start());
  search(space, ReshardSpace::Moves::Direct);
  if (best && bound == missing)
    return best;
  search(space, ReshardSpace::Moves::All);
  if (best && bound == missing)
    return best;
  // Moving parts of axes may help where axes are of different sizes, as in
  // [{x}, {y}] -> [{y}, {x}]. It never helps reductions.
  ReshardSpace fine;
  if (!problem.partial.empty() || bound == 0 ||
      !fine.build(problem, /*fine=*/true) || fine.size() == space.size())
    return best;
  --bound;
  search(fine, ReshardSpace::Moves::All);
  return best;
}

} // namespace cleave
