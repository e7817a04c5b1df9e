//===- CarryPartialSums.cpp - Let sums wait where that is cheaper ---------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An op whose iteration space is cut along a factor that it reduces makes
// partial sums. Here is decided how far they go before they are reduced:
// through ops that are linear in them, and through loop variables and results
// of branches, if all that becomes of the variable is a partial sum or zero. In
// a manual computation they are over its free axes, and end at its border.
// Values that stay partial get a sharding that says so; where one is needed
// complete, a reshard reduces it. cleave-insert-reshards does the rest.
//
// The choice, for all sums over the same axes together, is a minimum cut
// (DeferralPlan.h). Bytes inside of loops count once per iteration, of which
// there are taken to be kTrips.
//
//===----------------------------------------------------------------------===//

#include "cleave/Partition/DeferralPlan.h"
#include "dialects/Graph/EntryFunction.h"
#include "dialects/Graph/Sharding/ShardingRuleBuilder.h"
#include "dialects/Spmd/ManualRules.h"
#include "dialects/Spmd/ShardingConversion.h"
#include "mlir/Pass/Pass.h"
#include "passes/Sharding/Causes.h"
#include "passes/Sharding/Passes.h"
#include "passes/Sharding/ShardingGraph.h"
#include "passes/Sharding/ShardingReader.h"

namespace cleave {
#define GEN_PASS_DEF_CARRYPARTIALSUMS
#include "passes/Sharding/Passes.h.inc"
} // namespace cleave

using namespace mlir;
using namespace cleave;
using namespace cleave::spmd;

/// How often a loop is taken to run. Any number above one makes a sum wait for
/// the end of a loop if it is as large as the terms.
static constexpr int64_t kTrips = 16;
/// More than any collective receives: what annotations ask for.
static constexpr int64_t kWanted = int64_t(1) << 50;

/// How often a block runs.
static int64_t tripsOf(mlir::Block *block) {
  int64_t trips = 1;
  for (Operation *op = block->getParentOp(); op && hasShardedRegions(op);
       op = op->getParentOp()) {
    // Loop variables are arguments of the body; branches have none.
    if (isa<ShardingTieOpInterface>(op) && block->getNumArguments() != 0 &&
        trips < kTrips * kTrips * kTrips)
      trips *= kTrips;
    block = op->getBlock();
  }
  return trips;
}

namespace {

/// How ops execute as long as every sum is reduced at once.
struct NaturalStrategy {
  ShardingRule rule;
  OpStrategy strategy;
};
using NaturalStrategies = llvm::DenseMap<Operation *, NaturalStrategy>;

/// What a value is partial over, in the order of the axes.
using Partial = SmallVector<PartialAxis, 1>;

/// Sums that an op leaves to be done, and that its result is not said to lack.
static Partial sumsMade(const Sharding &made, const Sharding &declared) {
  Partial sums;
  for (const PartialAxis &p : joinedPartial(made.partial))
    if (p.kind == ReductionKind::Sum && !isPartialWithin(p, declared.partial))
      sums.push_back(p);
  return sums;
}

/// Carries the partial sums over one set of axes.
class Carrier {
public:
  Carrier(func::FuncOp func, ShardingReader &reader, const Mesh &mesh,
          ReshardPlanner &planner, const NaturalStrategies &natural,
          const Partial &partial, llvm::DenseSet<Operation *> &settled)
      : func(func), reader(reader), mesh(mesh), planner(planner),
        natural(natural), partial(partial), settled(settled) {}

  /// Returns the number of values that stay partial.
  unsigned run();

private:
  /// A use that may take its value partial, and the placement it then needs.
  struct Taken {
    OpOperand *use;
    Sharding needed;
  };
  /// An op, or a variable of a loop or branch, that may be partial.
  struct Node {
    SmallVector<Taken, 2> taken;
    SmallVector<Value, 3> results;
    int64_t extraBytes = 0;
  };

  const Sharding &declared(Value value) { return reader.of(value); }
  int64_t bytes(Value value, const Sharding &from, const Sharding &to);
  Sharding asPartial(Sharding sharding) const;
  void dropAxes(AxisList &axes) const;
  bool mayBePartial(OpOperand &use) const;

  void collect();
  void collectIn(mlir::Block &block);
  void collectOp(Operation *op);
  void collectTies(ShardingTieOpInterface op);
  bool collectStart(Operation *op, const NaturalStrategy &own);
  bool collectLinear(Operation *op, const NaturalStrategy &own,
                     ArrayRef<unsigned> set);
  void collectAnnotated(OpOperand &use, ValueRange results,
                        const Sharding &wanted);
  bool closeTies();

  void take(Node &node, OpOperand &use, const Sharding &needed);
  void addNode(Node node);
  DeferralGraph buildGraph();
  bool isTaken(OpOperand &use) const;
  unsigned apply();
  void placeZero(OpOperand &use, const Sharding &needed);
  void complete(Value value, const Sharding &whole);
  std::string originsOf(Value value, llvm::DenseSet<Value> &seen);

  func::FuncOp func;
  ShardingReader &reader;
  const Mesh &mesh;
  ReshardPlanner &planner;
  const NaturalStrategies &natural;
  const Partial &partial;
  /// Ops whose shardings are decided; they are left alone.
  llvm::DenseSet<Operation *> &settled;

  /// Placement of each value that is or may be partial.
  llvm::MapVector<Value, Sharding> placement;
  llvm::SetVector<Value> starts;
  std::vector<ShardingTie> openTies;
  /// The first value of each variable that cannot be partial.
  llvm::DenseSet<Value> completeTies;
  std::vector<Node> nodes;
  /// The node that may take a use.
  llvm::DenseMap<OpOperand *, unsigned> takers;
  std::vector<bool> isDeferred;
};

} // namespace

//===----------------------------------------------------------------------===//
// Placements
//===----------------------------------------------------------------------===//

/// Zero, which is a sum of zeros, if its op may make it in parts.
static bool isZero(Value value) {
  if (!isConstant(value, 0))
    return false;
  ShardingRuleOpInterface op = getRuled(value.getDefiningOp());
  return op && llvm::any_of(op.getShardingRule().linear,
                            [](const auto &set) { return set.empty(); });
}

int64_t Carrier::bytes(Value value, const Sharding &from, const Sharding &to) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type ? planner.bytes(type.getShape(), elementBytes(type), from, to)
                    .value_or(kWanted)
              : 0;
}

/// Leaves out axes from the first one on that the sum is over.
void Carrier::dropAxes(AxisList &axes) const {
  auto *first = llvm::find_if(axes, [&](const AxisRef &axis) {
    return llvm::any_of(
        partial, [&](const PartialAxis &p) { return p.axis.overlaps(axis); });
  });
  axes.erase(first, axes.end());
}

Sharding Carrier::asPartial(Sharding sharding) const {
  for (DimSharding &dim : sharding.dims)
    dropAxes(dim.axes);
  sharding.partial.assign(partial.begin(), partial.end());
  return sharding;
}

bool Carrier::mayBePartial(OpOperand &use) const {
  return placement.contains(use.get()) || isZero(use.get());
}

//===----------------------------------------------------------------------===//
// What may be partial
//===----------------------------------------------------------------------===//

/// Variables are taken to be partial until one of their sources cannot be.
void Carrier::collect() {
  do {
    placement.clear();
    starts.clear();
    openTies.clear();
    nodes.clear();
    takers.clear();
    collectIn(func.front());
  } while (!closeTies());
}

void Carrier::collectIn(mlir::Block &block) {
  for (Operation &op : block)
    collectOp(&op);
}

void Carrier::collectOp(Operation *op) {
  if (settled.contains(op))
    return;
  if (auto tied = dyn_cast<ShardingTieOpInterface>(op))
    return collectTies(tied);
  // Sums over free axes end at the border of a body at the latest.
  if (auto manual = dyn_cast<ManualComputationOp>(op)) {
    if (manual.hasFreeAxes())
      collectIn(manual.getBody().front());
    return;
  }
  if (isa<func::ReturnOp>(op)) {
    for (OpOperand &use : op->getOpOperands())
      if (auto wanted = func.getResultAttrOfType<ShardingAttr>(
              use.getOperandNumber(), SpmdDialect::kSharding))
        collectAnnotated(use, {}, reader.convert(wanted, use.get().getType()));
    return;
  }
  if (isa<ShardingConstraintOp, ReshardOp>(op))
    return collectAnnotated(op->getOpOperand(0), op->getResults(),
                            declared(op->getResult(0)));
  auto own = natural.find(op);
  if (own == natural.end() || collectStart(op, own->second))
    return;
  for (ArrayRef<unsigned> set : own->second.rule.linear)
    if (collectLinear(op, own->second, set))
      return;
}

void Carrier::collectTies(ShardingTieOpInterface op) {
  for (const ShardingTie &tie : op.getShardingTies()) {
    Value first = tie.values.front();
    if (!isa<RankedTensorType>(first.getType()) || !hasSums(first.getType()) ||
        completeTies.contains(first) || !declared(first).partial.empty())
      continue;
    for (Value value : tie.values)
      placement[value] = asPartial(declared(value));
    openTies.push_back(tie);
  }
  for (Region &region : op->getRegions())
    for (mlir::Block &block : region)
      collectIn(block);
}

/// An op that makes partial sums over these axes of its own.
bool Carrier::collectStart(Operation *op, const NaturalStrategy &own) {
  bool isStart = false;
  for (auto [result, made] :
       llvm::zip_equal(op->getResults(), own.strategy.results)) {
    if (!isSamePartial(sumsMade(made, declared(result)), partial))
      continue;
    isStart = true;
    placement[result] = asPartial(made);
    starts.insert(result);
  }
  return isStart;
}

/// An op that is linear in the operands of `set`, all of which may be partial.
bool Carrier::collectLinear(Operation *op, const NaturalStrategy &own,
                            ArrayRef<unsigned> set) {
  if (set.empty() || op->getNumResults() != 1 ||
      !declared(op->getResult(0)).partial.empty() ||
      !llvm::all_of(
          set, [&](unsigned i) { return mayBePartial(op->getOpOperand(i)); }))
    return false;
  FactorShardings factors = own.strategy.factors;
  for (AxisList &axes : factors)
    dropAxes(axes);
  for (auto [factor, axes] : llvm::zip_equal(own.rule.factors, factors))
    if (factor.kind == FactorKind::Reduction && !axes.empty() &&
        factor.reduction != ReductionKind::Sum)
      return false;
  // More work on each rank costs more than bytes; see OpStrategy.h.
  if (own.rule.priority == ShardingRule::Priority::Contraction &&
      factors != own.strategy.factors)
    return false;

  Node node;
  for (OpOperand &use : op->getOpOperands()) {
    unsigned i = use.getOperandNumber();
    Value value = use.get();
    Sharding needed =
        projectFromFactors(own.rule, own.rule.operands[i], factors);
    if (llvm::is_contained(set, i)) {
      take(node, use, asPartial(needed));
    } else {
      if (!declared(value).partial.empty())
        return false;
      node.extraBytes += bytes(value, declared(value), needed);
    }
    node.extraBytes -= bytes(value, declared(value), own.strategy.operands[i]);
  }
  Value result = op->getResult(0);
  Sharding made = resultSharding(own.rule, 0, factors);
  Sharding carried = asPartial(made);
  llvm::append_range(made.partial, partial);
  node.extraBytes += bytes(result, made, carried) -
                     bytes(result, own.strategy.results[0], declared(result));
  node.extraBytes *= tripsOf(op->getBlock());
  node.results = {result};
  placement[result] = carried;
  addNode(std::move(node));
  return true;
}

/// A use that an annotation declares partial, and the result that then is.
void Carrier::collectAnnotated(OpOperand &use, ValueRange results,
                               const Sharding &wanted) {
  if (!isSamePartial(wanted.partial, partial) || !mayBePartial(use))
    return;
  Node node;
  node.extraBytes = -kWanted;
  take(node, use, wanted);
  for (Value result : results) {
    node.results.push_back(result);
    placement[result] = wanted;
  }
  addNode(std::move(node));
}

/// Makes nodes of the variables; false if some of them cannot be partial, which
/// may be true of others then.
bool Carrier::closeTies() {
  bool allMay = true;
  for (const ShardingTie &tie : openTies)
    if (!llvm::all_of(tie.sources, [&](OpOperand *source) {
          return mayBePartial(*source);
        })) {
      completeTies.insert(tie.values.front());
      allMay = false;
    }
  if (!allMay)
    return false;
  for (const ShardingTie &tie : openTies) {
    Node node;
    Sharding whole = declared(tie.values.front());
    for (OpOperand *source : tie.sources) {
      take(node, *source, placement.find(tie.values.front())->second);
      node.extraBytes -= tripsOf(source->getOwner()->getBlock()) *
                         bytes(source->get(), declared(source->get()), whole);
    }
    node.results.assign(tie.values.begin(), tie.values.end());
    addNode(std::move(node));
  }
  return true;
}

void Carrier::take(Node &node, OpOperand &use, const Sharding &needed) {
  node.taken.push_back({&use, needed});
}

void Carrier::addNode(Node node) {
  for (const Taken &taken : node.taken)
    takers[taken.use] = nodes.size();
  nodes.push_back(std::move(node));
}

//===----------------------------------------------------------------------===//
// Deciding
//===----------------------------------------------------------------------===//

DeferralGraph Carrier::buildGraph() {
  DeferralGraph graph;
  llvm::DenseMap<Value, unsigned> ids;
  for (auto &[value, sharding] : placement) {
    ids[value] = graph.values.size();
    DeferralGraph::Value entry;
    entry.bytes = tripsOf(value.getParentBlock()) *
                  bytes(value, sharding, declared(value));
    entry.isNeeded = !llvm::all_of(
        value.getUses(), [&](OpOperand &use) { return takers.contains(&use); });
    graph.values.push_back(entry);
  }
  for (const Node &node : nodes) {
    DeferralGraph::Op op;
    op.extraBytes = node.extraBytes;
    for (const auto &[use, needed] : node.taken) {
      auto from = placement.find(use->get());
      if (from == placement.end())
        continue;
      op.operands.push_back(ids.lookup(use->get()));
      op.extraBytes += tripsOf(use->getOwner()->getBlock()) *
                       bytes(use->get(), from->second, needed);
    }
    for (Value result : node.results)
      op.results.push_back(ids.lookup(result));
    graph.ops.push_back(std::move(op));
  }
  return graph;
}

unsigned Carrier::run() {
  collect();
  if (nodes.empty())
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
  auto taker = takers.find(&use);
  return taker != takers.end() && isDeferred[taker->second];
}

unsigned Carrier::apply() {
  // What is partial from now on, with its placement before.
  std::vector<std::pair<Value, Sharding>> carried;
  for (Value start : starts)
    if (llvm::any_of(start.getUses(),
                     [&](OpOperand &use) { return isTaken(use); }))
      carried.push_back({start, declared(start)});
  for (auto [i, node] : llvm::enumerate(nodes)) {
    if (!isDeferred[i])
      continue;
    for (Value result : node.results)
      carried.push_back({result, declared(result)});
    for (const auto &[use, needed] : node.taken) {
      settled.insert(use->getOwner());
      if (!placement.contains(use->get()))
        placeZero(*use, needed);
    }
  }
  MLIRContext *context = func.getContext();
  for (auto &[value, whole] : carried)
    if (isa<OpResult>(value)) {
      settled.insert(value.getDefiningOp());
      setSharding(value, toAttr(context, placement.find(value)->second, mesh));
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
  setSharding(use.get(), toAttr(func.getContext(), needed, mesh));
}

/// Reduces a value where something needs it complete.
void Carrier::complete(Value value, const Sharding &whole) {
  const Sharding &sharding = placement.find(value)->second;
  if (sharding.samePlacement(whole) ||
      llvm::all_of(value.getUses(),
                   [&](OpOperand &use) { return isTaken(use); }))
    return;
  Operation *op = value.getDefiningOp();
  if (!op)
    op = value.getParentBlock()->getParentOp();
  llvm::DenseSet<Value> seen;
  std::string cause = op->getName().getStringRef().str() +
                      (starts.contains(value) ? " makes " : " carries ") +
                      describePlacement(sharding, mesh) +
                      originsOf(value, seen) + ", wanted is " +
                      describePlacement(whole, mesh);
  OpBuilder builder(func.getContext());
  builder.setInsertionPointAfterValue(value);
  ShardingAttr target = toAttr(func.getContext(), whole, mesh);
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
  if (starts.contains(value))
    return describePartialOrigins(cast<OpResult>(value),
                                  placement.find(value)->second, mesh);
  for (const Node &node : nodes) {
    if (!llvm::is_contained(node.results, value))
      continue;
    for (const Taken &taken : node.taken)
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
    func::FuncOp func = graph::getEntryFunction(getOperation());
    MeshOp meshOp = func ? getOnlyMesh(getOperation()) : MeshOp();
    if (!meshOp || failed(verifyAllSharded(func)))
      return signalPassFailure();
    Mesh mesh = toMesh(meshOp);
    ReshardPlanner planner(mesh);
    ShardingReader reader(mesh);
    NaturalStrategies natural;
    SmallVector<Partial> sums;
    func.walk([&](Operation *op) {
      // Collectives of a manual computation are linear in terms over free axes.
      if ((!getRuled(op) && !getManualRule(op)) || !isOnGlobal(op))
        return;
      NaturalStrategy &entry = natural[op];
      entry.rule = getRuleOrReplicate(op);
      entry.strategy = reader.strategyOf(op, entry.rule, planner);
      for (auto [result, made] :
           llvm::zip_equal(op->getResults(), entry.strategy.results)) {
        Partial own = sumsMade(made, reader.of(result));
        if (!own.empty() && !llvm::is_contained(sums, own))
          sums.push_back(std::move(own));
      }
    });
    llvm::DenseSet<Operation *> settled;
    for (const Partial &partial : sums)
      numCarried +=
          Carrier(func, reader, mesh, planner, natural, partial, settled).run();
  }
};

} // namespace
