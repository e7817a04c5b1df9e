//===- DeferrableSums.cpp - What may stay a partial sum -------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Sharding/DeferrableSums.h"
#include "dialects/Graph/Sharding/ShardingRuleBuilder.h"
#include "dialects/Spmd/ShardingConversion.h"

using namespace mlir;
using namespace cleave;
using namespace cleave::spmd;

/// How often a loop is taken to run. Any number above one makes a sum wait for
/// the end of a loop if it is as large as the terms.
static constexpr int64_t kTrips = 16;
/// More than any collective receives: what annotations ask for.
static constexpr int64_t kWanted = int64_t(1) << 50;

int64_t cleave::tripsOf(mlir::Block *block) {
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

Partial cleave::sumsMade(const Sharding &made, const Sharding &declared) {
  Partial sums;
  for (const PartialAxis &p : joinedPartial(made.partial))
    if (p.kind == ReductionKind::Sum && !isPartialWithin(p, declared.partial))
      sums.push_back(p);
  return sums;
}

int64_t SumContext::bytes(Value value, const Sharding &from,
                          const Sharding &to) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type ? planner.bytes(type.getShape(), elementBytes(type), from, to)
                    .value_or(kWanted)
              : 0;
}

namespace {

class Collector {
public:
  Collector(SumContext &context, const Partial &partial)
      : context(context), partial(partial) {}

  DeferrableSums collect();

private:
  using Node = DeferrableSums::Node;

  Sharding asPartial(Sharding sharding) const;
  void dropAxes(AxisList &axes) const;
  bool mayBePartial(OpOperand &use) const;

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

  SumContext &context;
  const Partial &partial;
  DeferrableSums sums;
  std::vector<ShardingTie> openTies;
  /// The first value of each variable that cannot be partial.
  llvm::DenseSet<Value> completeTies;
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

/// Leaves out axes from the first one on that the sum is over.
void Collector::dropAxes(AxisList &axes) const {
  auto *first = llvm::find_if(axes, [&](const AxisRef &axis) {
    return llvm::any_of(
        partial, [&](const PartialAxis &p) { return p.axis.overlaps(axis); });
  });
  axes.erase(first, axes.end());
}

Sharding Collector::asPartial(Sharding sharding) const {
  for (DimSharding &dim : sharding.dims)
    dropAxes(dim.axes);
  sharding.partial.assign(partial.begin(), partial.end());
  return sharding;
}

bool Collector::mayBePartial(OpOperand &use) const {
  return sums.placement.contains(use.get()) || isZero(use.get());
}

//===----------------------------------------------------------------------===//
// What may be partial
//===----------------------------------------------------------------------===//

/// Variables are taken to be partial until one of their sources cannot be.
DeferrableSums Collector::collect() {
  do {
    sums = DeferrableSums();
    openTies.clear();
    collectIn(context.func.front());
  } while (!closeTies());
  return std::move(sums);
}

void Collector::collectIn(mlir::Block &block) {
  for (Operation &op : block)
    collectOp(&op);
}

void Collector::collectOp(Operation *op) {
  if (context.settled.contains(op))
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
      if (auto wanted = context.func.getResultAttrOfType<ShardingAttr>(
              use.getOperandNumber(), SpmdDialect::kSharding))
        collectAnnotated(use, {},
                         context.reader.convert(wanted, use.get().getType()));
    return;
  }
  if (isa<ShardingConstraintOp, ReshardOp>(op))
    return collectAnnotated(op->getOpOperand(0), op->getResults(),
                            context.declared(op->getResult(0)));
  auto own = context.natural.find(op);
  if (own == context.natural.end() || collectStart(op, *own->second))
    return;
  for (ArrayRef<unsigned> set : own->second->rule.linear)
    if (collectLinear(op, *own->second, set))
      return;
}

void Collector::collectTies(ShardingTieOpInterface op) {
  for (const ShardingTie &tie : op.getShardingTies()) {
    Value first = tie.values.front();
    if (!isa<RankedTensorType>(first.getType()) || !hasSums(first.getType()) ||
        completeTies.contains(first) ||
        !context.declared(first).partial.empty())
      continue;
    for (Value value : tie.values)
      sums.placement[value] = asPartial(context.declared(value));
    openTies.push_back(tie);
  }
  for (Region &region : op->getRegions())
    for (mlir::Block &block : region)
      collectIn(block);
}

/// An op that makes partial sums over these axes of its own.
bool Collector::collectStart(Operation *op, const NaturalStrategy &own) {
  bool isStart = false;
  for (auto [result, made] :
       llvm::zip_equal(op->getResults(), own.strategy.results)) {
    if (!isSamePartial(sumsMade(made, context.declared(result)), partial))
      continue;
    isStart = true;
    sums.placement[result] = asPartial(made);
    sums.starts.insert(result);
  }
  return isStart;
}

/// An op that is linear in the operands of `set`, all of which may be partial.
bool Collector::collectLinear(Operation *op, const NaturalStrategy &own,
                              ArrayRef<unsigned> set) {
  if (set.empty() || op->getNumResults() != 1 ||
      !context.declared(op->getResult(0)).partial.empty() ||
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
      if (!context.declared(value).partial.empty())
        return false;
      node.extraBytes += context.bytes(value, context.declared(value), needed);
    }
    node.extraBytes -=
        context.bytes(value, context.declared(value), own.strategy.operands[i]);
  }
  Value result = op->getResult(0);
  Sharding made = resultSharding(own.rule, 0, factors);
  Sharding carried = asPartial(made);
  llvm::append_range(made.partial, partial);
  node.extraBytes +=
      context.bytes(result, made, carried) -
      context.bytes(result, own.strategy.results[0], context.declared(result));
  node.extraBytes *= tripsOf(op->getBlock());
  node.results = {result};
  sums.placement[result] = carried;
  addNode(std::move(node));
  return true;
}

/// A use that an annotation declares partial, and the result that then is.
void Collector::collectAnnotated(OpOperand &use, ValueRange results,
                                 const Sharding &wanted) {
  if (!isSamePartial(wanted.partial, partial) || !mayBePartial(use))
    return;
  Node node;
  node.extraBytes = -kWanted;
  take(node, use, wanted);
  for (Value result : results) {
    node.results.push_back(result);
    sums.placement[result] = wanted;
  }
  addNode(std::move(node));
}

/// Makes nodes of the variables; false if some of them cannot be partial, which
/// may be true of others then.
bool Collector::closeTies() {
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
    Sharding whole = context.declared(tie.values.front());
    for (OpOperand *source : tie.sources) {
      take(node, *source, sums.placement.find(tie.values.front())->second);
      node.extraBytes -=
          tripsOf(source->getOwner()->getBlock()) *
          context.bytes(source->get(), context.declared(source->get()), whole);
    }
    node.results.assign(tie.values.begin(), tie.values.end());
    addNode(std::move(node));
  }
  return true;
}

void Collector::take(Node &node, OpOperand &use, const Sharding &needed) {
  node.taken.push_back({&use, needed});
}

void Collector::addNode(Node node) {
  for (const auto &taken : node.taken)
    sums.takers[taken.use] = sums.nodes.size();
  sums.nodes.push_back(std::move(node));
}

DeferrableSums DeferrableSums::collect(SumContext &context,
                                       const Partial &partial) {
  return Collector(context, partial).collect();
}
