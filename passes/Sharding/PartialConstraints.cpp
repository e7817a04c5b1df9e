//===- PartialConstraints.cpp - Values that are to stay partial -----------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Sharding/PartialConstraints.h"
#include "dialects/Spmd/ShardingConversion.h"

using namespace mlir;
using namespace cleave;
using namespace cleave::spmd;

namespace {

class PartialDemand {
public:
  PartialDemand(ShardingGraph &graph, const PartialAxis &partial)
      : graph(graph), partial(partial) {}

  /// Whether `value` can be partial; remembers what has to be.
  bool admits(Value value);
  /// Makes all of them partial.
  void apply() {
    for (unsigned id : marked)
      graph.graph.values[id].sharding->partial.push_back(partial);
  }
  /// The first value that cannot be.
  Value getBlocker() const { return blocker; }

private:
  bool isReducedBy(ShardingRuleOpInterface op, const ShardingRule &rule,
                   unsigned result);
  bool isCarriedBy(ShardingRuleOpInterface op, const ShardingRule &rule);
  const Sharding &shardingOf(Value value) {
    return *graph.graph.values[graph.ids.lookup(value)].sharding;
  }

  ShardingGraph &graph;
  PartialAxis partial;
  SmallVector<unsigned> marked;
  Value blocker;
};

} // namespace

bool PartialDemand::admits(Value value) {
  unsigned id = graph.ids.lookup(value);
  const Sharding &sharding = shardingOf(value);
  if (isPartialWithin(partial, sharding.partial) ||
      llvm::is_contained(marked, id))
    return true;
  auto result = dyn_cast<OpResult>(value);
  ShardingRuleOpInterface op =
      result ? getRuled(result.getOwner()) : ShardingRuleOpInterface();
  if (op && !sharding.uses(partial.axis)) {
    ShardingRule rule = op.getShardingRule();
    if (isReducedBy(op, rule, result.getResultNumber()) ||
        isCarriedBy(op, rule)) {
      marked.push_back(id);
      return true;
    }
  }
  if (!blocker)
    blocker = value;
  return false;
}

/// Whether the op reduces a dimension that an operand has cut over the axis.
bool PartialDemand::isReducedBy(ShardingRuleOpInterface op,
                                const ShardingRule &rule, unsigned result) {
  auto covers = [&](const AxisRef &axis) {
    return axis.axis == partial.axis.axis && axis.pre <= partial.axis.pre &&
           partial.axis.end() <= axis.end() &&
           partial.axis.pre % axis.pre == 0 &&
           axis.end() % partial.axis.end() == 0;
  };
  for (auto [operand, tensor] : llvm::zip(op->getOperands(), rule.operands)) {
    if (!isa<RankedTensorType>(operand.getType()))
      continue;
    FactorShardings factors;
    projectToFactors(rule, tensor, shardingOf(operand), factors);
    for (auto [index, factor] : llvm::enumerate(rule.factors))
      if (factor.kind == FactorKind::Reduction &&
          factor.reduction == partial.kind &&
          !hasFactor(rule.results[result], index) &&
          llvm::any_of(factors[index], covers))
        return true;
  }
  return false;
}

/// Whether all operands of a set in which the op is linear can be partial.
bool PartialDemand::isCarriedBy(ShardingRuleOpInterface op,
                                const ShardingRule &rule) {
  if (partial.kind != ReductionKind::Sum)
    return false;
  for (const auto &set : rule.linear) {
    size_t before = marked.size();
    if (!set.empty() && llvm::all_of(set, [&](unsigned operand) {
          return admits(op->getOperand(operand));
        }))
      return true;
    marked.truncate(before);
  }
  return false;
}

static LogicalResult refuse(OpOperand &use, const PartialAxis &partial,
                            Value blocker, const Mesh &mesh) {
  Operation *user = use.getOwner();
  InFlightDiagnostic diag = user->emitError();
  if (isa<ShardingConstraintOp>(user))
    diag << "is partial over " << mesh.str(partial.axis)
         << ", but its operand is not made of terms";
  else
    diag << "result " << use.getOperandNumber() << " is partial over "
         << mesh.str(partial.axis) << ", but is not made of terms";
  Operation *op = blocker.getDefiningOp();
  diag.attachNote(blocker.getLoc())
      << (op ? "'" + op->getName().getStringRef().str() + "' gives"
             : std::string("an argument that is not partial has"))
      << " the whole value: only what reduces ("
      << stringifyReduction(partial.kind) << ") a dimension that is cut over "
      << mesh.str(partial.axis)
      << ", or is linear in operands that are partial, leaves it unreduced";
  return diag;
}

/// Makes `use` partial as `wanted` says.
static LogicalResult keep(ShardingGraph &graph, const Mesh &mesh,
                          OpOperand &use, ArrayRef<PartialAxis> wanted) {
  for (const PartialAxis &partial : wanted) {
    PartialDemand demand(graph, partial);
    if (!demand.admits(use.get()))
      return refuse(use, partial, demand.getBlocker(), mesh);
    demand.apply();
  }
  return success();
}

LogicalResult cleave::keepPartial(func::FuncOp func, ShardingGraph &graph,
                                  const Mesh &mesh) {
  for (Operation *op : graph.ops) {
    auto constraint = dyn_cast<ShardingConstraintOp>(op);
    if (!constraint)
      continue;
    unsigned id = graph.ids.lookup(constraint.getResult());
    SmallVector<PartialAxis> wanted(graph.graph.values[id].sharding->partial);
    if (failed(keep(graph, mesh, op->getOpOperand(0), wanted)))
      return failure();
  }
  for (OpOperand &use : func.front().getTerminator()->getOpOperands()) {
    auto sharding = func.getResultAttrOfType<ShardingAttr>(
        use.getOperandNumber(), SpmdDialect::kSharding);
    if (!sharding || sharding.getPartial().empty())
      continue;
    auto type = cast<RankedTensorType>(use.get().getType());
    if (failed(keep(graph, mesh, use,
                    toSharding(sharding, mesh, type.getShape()).partial)))
      return failure();
  }
  return success();
}
