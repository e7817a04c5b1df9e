//===- DeferralPlan.cpp - Where collectives are cheapest ------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Nodes on the source's side of the cut are ops that are deferred, and values
// all of whose uses are. An edge of infinite capacity from a to b says that a
// is there only if b is.
//
//===----------------------------------------------------------------------===//

#include "cleave/Partition/DeferralPlan.h"

#include "MaximumFlow.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace cleave {

/// Per value, the op that makes it, or -1.
static std::vector<int> producersOf(const DeferralGraph &graph) {
  std::vector<int> producers(graph.values.size(), -1);
  for (auto [i, op] : enumerate(graph.ops))
    for (unsigned result : op.results)
      producers[result] = i;
  return producers;
}

std::optional<int64_t> deferralBytes(const DeferralGraph &graph,
                                     const std::vector<bool> &isDeferred) {
  std::vector<int> producers = producersOf(graph);
  auto isIncomplete = [&](unsigned value) {
    return producers[value] < 0 || isDeferred[producers[value]];
  };
  std::vector<bool> needed;
  for (const DeferralGraph::Value &value : graph.values)
    needed.push_back(value.isNeeded);
  int64_t bytes = 0;
  for (auto [i, op] : enumerate(graph.ops)) {
    if (!isDeferred[i]) {
      for (unsigned operand : op.operands)
        needed[operand] = true;
      continue;
    }
    bytes += op.extraBytes;
    if (op.needsAll && !all_of(op.operands, isIncomplete))
      return std::nullopt;
  }
  for (auto [i, value] : enumerate(graph.values))
    if (isIncomplete(i))
      bytes += needed[i] ? value.bytes : value.dueBytes;
  return bytes;
}

namespace {
/// Plans one connected part of a graph.
class PartPlanner {
public:
  PartPlanner(const DeferralGraph &graph, ArrayRef<int> producers,
              ArrayRef<unsigned> ops, std::vector<bool> &isDeferred)
      : graph(graph), producers(producers), ops(ops), isDeferred(isDeferred) {}

  void run() {
    source = flow.addNode();
    sink = flow.addNode();
    for (unsigned op : ops)
      opNodes[op] = flow.addNode();
    for (unsigned op : ops)
      addOp(op);
    for (size_t i = 0; i < valueNodes.size(); ++i)
      addValue(*std::next(valueNodes.begin(), i));
    flow.run(source, sink);
    for (unsigned op : ops)
      isDeferred[op] = flow.isOnSourceSide(opNodes[op]);
  }

private:
  /// The node of a value that says whether all of its uses are deferred.
  unsigned nodeOf(unsigned value) {
    auto [it, inserted] = valueNodes.try_emplace(value, 0);
    if (inserted)
      it->second = flow.addNode();
    return it->second;
  }

  void addOp(unsigned index) {
    const DeferralGraph::Op &op = graph.ops[index];
    unsigned node = opNodes[index];
    if (op.extraBytes > 0)
      flow.addEdge(node, sink, op.extraBytes);
    if (op.extraBytes < 0)
      flow.addEdge(source, node, -op.extraBytes);
    for (unsigned operand : op.operands) {
      flow.addEdge(nodeOf(operand), node, MaximumFlow::kInfinite);
      if (op.needsAll && producers[operand] >= 0)
        flow.addEdge(node, opNodes[producers[operand]], MaximumFlow::kInfinite);
    }
    for (unsigned result : op.results)
      nodeOf(result);
  }

  void addValue(std::pair<unsigned, unsigned> entry) {
    auto [index, node] = entry;
    const DeferralGraph::Value &value = graph.values[index];
    unsigned maker = producers[index] < 0 ? source : opNodes[producers[index]];
    flow.addEdge(maker, node, value.bytes - value.dueBytes);
    if (value.dueBytes > 0)
      flow.addEdge(maker, sink, value.dueBytes);
    if (value.isNeeded)
      flow.addEdge(node, sink, MaximumFlow::kInfinite);
  }

  const DeferralGraph &graph;
  ArrayRef<int> producers;
  ArrayRef<unsigned> ops;
  std::vector<bool> &isDeferred;
  MaximumFlow flow;
  unsigned source = 0, sink = 0;
  DenseMap<unsigned, unsigned> opNodes;
  MapVector<unsigned, unsigned> valueNodes;
};
} // namespace

DeferralPlan planDeferral(const DeferralGraph &graph) {
  DeferralPlan plan;
  plan.isDeferred.resize(graph.ops.size());
  // Ops that share a value are in one part, named by its first op.
  EquivalenceClasses<unsigned> classes;
  std::vector<int> userOf(graph.values.size(), -1);
  for (auto [i, op] : enumerate(graph.ops)) {
    classes.insert(i);
    for (unsigned value : concat<const unsigned>(op.operands, op.results)) {
      if (userOf[value] >= 0)
        classes.unionSets(userOf[value], i);
      userOf[value] = i;
    }
  }
  MapVector<unsigned, SmallVector<unsigned>> parts;
  for (unsigned i = 0; i < graph.ops.size(); ++i)
    parts[classes.getLeaderValue(i)].push_back(i);

  std::vector<int> producers = producersOf(graph);
  for (const auto &part : parts)
    PartPlanner(graph, producers, part.second, plan.isDeferred).run();
  plan.savedBytes = *deferralBytes(graph, std::vector<bool>(graph.ops.size())) -
                    *deferralBytes(graph, plan.isDeferred);
  return plan;
}

} // namespace cleave
