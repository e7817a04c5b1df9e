//===- CarryPartialSums.cpp - Let sums wait where that is cheaper ---------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An op whose iteration space is cut along a factor that it reduces makes
// partial sums. Here is decided how far they go before they are reduced: as far
// as they can (DeferrableSums.h), if that moves fewer bytes. Values that stay
// partial get a sharding that says so; where one is needed complete, a reshard
// reduces it. cleave-insert-reshards does the rest.
//
// The choice, for all sums over the same axes together, is a minimum cut
// (DeferralPlan.h). Bytes inside of loops count once per iteration.
//
//===----------------------------------------------------------------------===//

#include "cleave/Partition/DeferralPlan.h"
#include "dialects/Spmd/EntryOnMesh.h"
#include "dialects/Spmd/ManualRules.h"
#include "dialects/Spmd/ShardingConversion.h"
#include "mlir/Pass/Pass.h"
#include "passes/Sharding/Causes.h"
#include "passes/Sharding/DeferrableSums.h"
#include "passes/Sharding/Passes.h"
#include "passes/Sharding/ShardingGraph.h"

namespace cleave {
#define GEN_PASS_DEF_CARRYPARTIALSUMS
#include "passes/Sharding/Passes.h.inc"
} // namespace cleave

using namespace mlir;
using namespace cleave;
using namespace cleave::spmd;

namespace {

/// Carries the partial sums over one set of axes.
class Carrier {
public:
  Carrier(SumContext &context, const Partial &partial)
      : context(context), sums(DeferrableSums::collect(context, partial)) {}

  /// Returns the number of values that stay partial.
  unsigned run();

private:
  using Node = DeferrableSums::Node;

  DeferralGraph buildGraph();
  bool isTaken(OpOperand &use) const;
  unsigned apply();
  void placeZero(OpOperand &use, const Sharding &needed);
  void complete(Value value, const Sharding &whole);
  std::string originsOf(Value value, llvm::DenseSet<Value> &seen);

  SumContext &context;
  DeferrableSums sums;
  /// Of each node.
  std::vector<bool> isDeferred;
};

} // namespace

//===----------------------------------------------------------------------===//
// Deciding
//===----------------------------------------------------------------------===//

DeferralGraph Carrier::buildGraph() {
  DeferralGraph graph;
  llvm::DenseMap<Value, unsigned> ids;
  for (auto &[value, sharding] : sums.placement) {
    ids[value] = graph.values.size();
    DeferralGraph::Value entry;
    entry.bytes = tripsOf(value.getParentBlock()) *
                  context.bytes(value, sharding, context.declared(value));
    entry.isNeeded = !llvm::all_of(value.getUses(), [&](OpOperand &use) {
      return sums.takers.contains(&use);
    });
    graph.values.push_back(entry);
  }
  for (const Node &node : sums.nodes) {
    DeferralGraph::Op op;
    op.extraBytes = node.extraBytes;
    for (const auto &[use, needed] : node.taken) {
      auto from = sums.placement.find(use->get());
      if (from == sums.placement.end())
        continue;
      op.operands.push_back(ids.lookup(use->get()));
      op.extraBytes += tripsOf(use->getOwner()->getBlock()) *
                       context.bytes(use->get(), from->second, needed);
    }
    for (Value result : node.results)
      op.results.push_back(ids.lookup(result));
    graph.ops.push_back(std::move(op));
  }
  return graph;
}

unsigned Carrier::run() {
  if (sums.nodes.empty())
    return 0;
  DeferralPlan plan = planDeferral(buildGraph());
  if (plan.savedBytes <= 0)
    return 0;
  isDeferred = plan.isDeferred;
  return apply();
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

bool Carrier::isTaken(OpOperand &use) const {
  auto taker = sums.takers.find(&use);
  return taker != sums.takers.end() && isDeferred[taker->second];
}

unsigned Carrier::apply() {
  // What is partial from now on, with its placement before.
  std::vector<std::pair<Value, Sharding>> carried;
  for (Value start : sums.starts)
    if (llvm::any_of(start.getUses(),
                     [&](OpOperand &use) { return isTaken(use); }))
      carried.push_back({start, context.declared(start)});
  for (auto [i, node] : llvm::enumerate(sums.nodes)) {
    if (!isDeferred[i])
      continue;
    for (Value result : node.results)
      carried.push_back({result, context.declared(result)});
    for (const auto &[use, needed] : node.taken) {
      context.settled.insert(use->getOwner());
      if (!sums.placement.contains(use->get()))
        placeZero(*use, needed);
    }
  }
  for (auto &[value, whole] : carried)
    if (isa<OpResult>(value)) {
      context.settled.insert(value.getDefiningOp());
      setSharding(value,
                  toAttr(value.getContext(), sums.placement.find(value)->second,
                         context.mesh));
    }
  for (auto &[value, whole] : carried)
    complete(value, whole);
  return carried.size();
}

/// A zero of its own for a use that takes it in parts.
void Carrier::placeZero(OpOperand &use, const Sharding &needed) {
  if (!use.get().hasOneUse()) {
    OpBuilder builder(use.get().getDefiningOp());
    use.set(builder.clone(*use.get().getDefiningOp())->getResult(0));
  }
  setSharding(use.get(),
              toAttr(context.func.getContext(), needed, context.mesh));
}

/// Reduces a value where something needs it complete.
void Carrier::complete(Value value, const Sharding &whole) {
  const Sharding &sharding = sums.placement.find(value)->second;
  if (sharding.samePlacement(whole) ||
      llvm::all_of(value.getUses(),
                   [&](OpOperand &use) { return isTaken(use); }))
    return;
  Operation *op = value.getDefiningOp();
  if (!op)
    op = value.getParentBlock()->getParentOp();
  llvm::DenseSet<Value> seen;
  std::string cause = op->getName().getStringRef().str() +
                      (sums.starts.contains(value) ? " makes " : " carries ") +
                      describePlacement(sharding, context.mesh) +
                      originsOf(value, seen) + ", wanted is " +
                      describePlacement(whole, context.mesh);
  OpBuilder builder(context.func.getContext());
  builder.setInsertionPointAfterValue(value);
  ShardingAttr target = toAttr(context.func.getContext(), whole, context.mesh);
  auto reshard = ReshardOp::create(builder, value.getLoc(), value.getType(),
                                   value, target, builder.getStringAttr(cause));
  setSharding(reshard.getResult(), target);
  value.replaceUsesWithIf(reshard, [&](OpOperand &use) {
    return use.getOwner() != reshard && !isTaken(use);
  });
}

/// Which annotations made the sums partial that a value is made of.
std::string Carrier::originsOf(Value value, llvm::DenseSet<Value> &seen) {
  if (!seen.insert(value).second)
    return "";
  if (sums.starts.contains(value))
    return describePartialOrigins(cast<OpResult>(value),
                                  sums.placement.find(value)->second,
                                  context.mesh);
  for (const Node &node : sums.nodes) {
    if (!llvm::is_contained(node.results, value))
      continue;
    for (const auto &taken : node.taken)
      if (std::string text = originsOf(taken.use->get(), seen); !text.empty())
        return text;
  }
  return "";
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {

struct CarryPartialSums : cleave::impl::CarryPartialSumsBase<CarryPartialSums> {
  void runOnOperation() override {
    FailureOr<EntryOnMesh> entry = getEntryOnMesh(getOperation());
    if (failed(entry) || failed(verifyAllSharded(entry->func)))
      return signalPassFailure();
    auto &[func, mesh] = *entry;
    ReshardPlanner planner(mesh);
    ShardingReader reader(mesh);
    SumContext context(func, mesh, reader, planner);
    SmallVector<Partial> sums;
    func.walk([&](Operation *op) {
      // Collectives of a manual computation are linear in terms over free axes.
      if ((!getRuled(op) && !getManualRule(op)) || !isOnGlobal(op))
        return;
      auto natural = std::make_unique<NaturalStrategy>();
      natural->rule = getRuleOrReplicate(op);
      natural->strategy = reader.strategyOf(op, natural->rule, planner);
      for (auto [result, made] :
           llvm::zip_equal(op->getResults(), natural->strategy.results)) {
        Partial own = sumsMade(made, reader.of(result));
        if (!own.empty() && !llvm::is_contained(sums, own))
          sums.push_back(std::move(own));
      }
      context.natural[op] = std::move(natural);
    });
    for (const Partial &partial : sums)
      numCarried += Carrier(context, partial).run();
  }
};

} // namespace
