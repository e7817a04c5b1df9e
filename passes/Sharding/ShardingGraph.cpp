//===- ShardingGraph.cpp - A function as a propagation graph --------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Sharding/ShardingGraph.h"
#include "dialects/Graph/EntryFunction.h"
#include "dialects/Graph/SumOrder.h"
#include "dialects/Spmd/ManualRules.h"
#include "dialects/Spmd/ShardingConversion.h"
#include "dialects/Spmd/SpmdBuilders.h"

using namespace mlir;
using namespace cleave;
using namespace cleave::spmd;

ShardingRule cleave::identityRule(ArrayRef<int64_t> shape) {
  ShardingRule rule;
  TensorFactors dims;
  for (int64_t size : shape)
    dims.dims.push_back({rule.addFactor(size)});
  rule.operands.push_back(dims);
  rule.results.push_back(dims);
  rule.linear.push_back({0});
  rule.priority = ShardingRule::Priority::Movement;
  return rule;
}

/// Whether an annotation wants a result in parts.
static bool isDeclaredPartial(Operation *op) {
  return llvm::any_of(op->getResults(), [](Value result) {
    ShardingAttr sharding = getSharding(result);
    return sharding && !sharding.getPartial().empty();
  });
}

ShardingRule cleave::getRuleOrReplicate(Operation *op) {
  if (ShardingRuleOpInterface ruled = getRuled(op)) {
    ShardingRule rule = ruled.getShardingRule();
    if (graph::hasOrderedSums(op) && !isDeclaredPartial(op))
      graph::keepSumsWhole(op, rule);
    return rule;
  }
  if (isa<ReshardOp, ShardingConstraintOp>(op))
    return identityRule(
        cast<RankedTensorType>(op->getResult(0).getType()).getShape());
  if (std::optional<ShardingRule> rule = getManualRule(op))
    return *rule;
  ShardingRule rule;
  auto whole = [&](Type type) {
    TensorFactors dims;
    if (auto tensor = dyn_cast<RankedTensorType>(type))
      for (int64_t size : tensor.getShape())
        dims.dims.push_back(
            {rule.addFactor(size, FactorKind::NeedReplication)});
    return dims;
  };
  for (Type type : op->getOperandTypes())
    rule.operands.push_back(whole(type));
  for (Type type : op->getResultTypes())
    rule.results.push_back(whole(type));
  return rule;
}

bool cleave::isOnGlobal(Operation *op) {
  Operation *parent = op->getParentOp();
  while (parent && hasShardedRegions(parent))
    parent = parent->getParentOp();
  return isa_and_present<func::FuncOp>(parent);
}

bool cleave::isRegionTerminator(Operation *op) {
  return op->hasTrait<OpTrait::IsTerminator>();
}

ShardingGraph::ShardingGraph(func::FuncOp func, const Mesh &mesh) : mesh(mesh) {
  graph.mesh = &mesh;
  for (BlockArgument argument : func.getArguments()) {
    unsigned index = argument.getArgNumber();
    if (!isa<RankedTensorType>(argument.getType()))
      continue;
    unsigned id = valueOf(argument);
    if (ShardingAttr sharding = getSharding(argument))
      annotate(id, sharding,
               "argument '" + graph::getArgumentName(func, index) + "'");
  }
  addBlock(func.front());
  addResults(func);
}

/// A scalar is a tensor without dimensions here.
unsigned ShardingGraph::addValue(Type type) {
  PropagationValue value;
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    value.shape.assign(tensor.getShape().begin(), tensor.getShape().end());
  value.elementBytes = elementBytes(type);
  graph.values.push_back(std::move(value));
  return graph.values.size() - 1;
}

unsigned ShardingGraph::valueOf(Value value) {
  if (auto it = ids.find(value); it != ids.end())
    return it->second;
  unsigned id = addValue(value.getType());
  ids[value] = id;
  return id;
}

void ShardingGraph::annotate(unsigned id, ShardingAttr sharding,
                             std::string what) {
  graph.values[id].sharding =
      toSharding(sharding, mesh, graph.values[id].shape);
  graph.values[id].annotation = annotations.size();
  annotations.push_back(std::move(what));
}

void ShardingGraph::addIdentity(unsigned from, unsigned to, Operation *at) {
  PropagationOp op;
  op.rule = identityRule(graph.values[to].shape);
  op.operands = {from};
  op.results = {to};
  graph.ops.push_back(std::move(op));
  ops.push_back(at);
}

void ShardingGraph::addBlock(mlir::Block &block) {
  for (Operation &op : block)
    if (!isRegionTerminator(&op))
      addOp(&op);
}

/// Members of a group are one value, so that they are cut alike. Whether
/// `member` is in a group.
bool ShardingGraph::joinGroup(ShardingConstraintOp member) {
  auto group = member->getAttrOfType<IntegerAttr>(kShardingGroup);
  if (!group)
    return false;
  auto shape = RankedTensorType::get(member.getType().getShape(),
                                     IntegerType::get(member.getContext(), 1));
  auto [it, isNew] = groups.try_emplace(
      {member->getParentOfType<ManualComputationOp>().getOperation(),
       group.getInt(), shape},
      0);
  if (isNew)
    it->second = addValue(member.getType());
  ids[member.getResult()] = it->second;
  return true;
}

void ShardingGraph::addOp(Operation *op) {
  if (auto manual = dyn_cast<ManualComputationOp>(op))
    return addManual(manual);
  if (auto tied = dyn_cast<ShardingTieOpInterface>(op))
    return addTies(tied);
  auto isTensor = [](Type type) { return isa<RankedTensorType>(type); };
  if (!getRuled(op) && !isa<ReshardOp, ShardingConstraintOp>(op) &&
      !getManualRule(op) &&
      (llvm::any_of(op->getOperandTypes(), isTensor) ||
       llvm::any_of(op->getResultTypes(), isTensor)))
    unknown.push_back(op);
  auto constraint = dyn_cast<ShardingConstraintOp>(op);
  bool isMember = constraint && joinGroup(constraint);
  PropagationOp node;
  node.rule = getRuleOrReplicate(op);
  for (Value operand : op->getOperands())
    node.operands.push_back(valueOf(operand));
  for (Value result : op->getResults())
    node.results.push_back(valueOf(result));
  if (constraint && !isMember)
    annotate(node.results[0], constraint.getSharding(),
             "constraint at " + graph::describe(op->getLoc()));
  else if (auto reshard = dyn_cast<ReshardOp>(op))
    annotate(node.results[0], reshard.getSharding(),
             "reshard at " + graph::describe(op->getLoc()));
  else if (!constraint)
    for (auto [result, id] : llvm::zip(op->getResults(), node.results))
      if (ShardingAttr sharding = getSharding(result))
        annotate(id, sharding,
                 "annotation at " + graph::describe(op->getLoc()));
  if (auto barrier = op->getAttrOfType<StringAttr>(kPropagationBarrier);
      barrier && constraint) {
    node.reachesOperands = barrier.getValue() == "BACKWARD";
    node.reachesResults = barrier.getValue() == "FORWARD";
  }
  graph.ops.push_back(std::move(node));
  ops.push_back(op);
}

void ShardingGraph::addTies(ShardingTieOpInterface op) {
  SmallVector<ShardingTie> ties = op.getShardingTies();
  for (const ShardingTie &tie : ties) {
    unsigned id = addValue(tie.values.front().getType());
    for (Value value : tie.values)
      ids[value] = id;
    if (ShardingAttr sharding = getSharding(tie.values.front()))
      annotate(id, sharding, "annotation at " + graph::describe(op->getLoc()));
  }
  for (Region &region : op->getRegions())
    for (mlir::Block &block : region)
      addBlock(block);
  for (const ShardingTie &tie : ties)
    for (OpOperand *source : tie.sources)
      addIdentity(valueOf(source->get()), ids[tie.values.front()],
                  source->getOwner());
}

/// The parts of the mesh's manual axes that a sharding does not name.
static AxisList unusedManualAxes(ManualComputationOp op, const Mesh &mesh,
                                 const Sharding &sharding) {
  AxisList unused;
  for (AxisId id = 0; id < mesh.axes.size(); ++id) {
    auto name = StringAttr::get(op.getContext(), mesh.axes[id].name);
    if (op.isFree(AxisAttr::get(op.getContext(), name, 1, 0)))
      continue;
    AxisList used;
    auto add = [&](const AxisRef &axis) {
      if (axis.axis == id)
        used.push_back(axis);
    };
    for (const DimSharding &dim : sharding.dims)
      llvm::for_each(dim.axes, add);
    for (const PartialAxis &partial : sharding.partial)
      add(partial.axis);
    llvm::sort(used);
    int64_t at = 1;
    for (const AxisRef &axis : used) {
      if (axis.pre > at)
        unused.push_back({id, at, axis.pre / at});
      at = axis.end();
    }
    if (at < mesh.axes[id].size)
      unused.push_back({id, at, mesh.axes[id].size / at});
  }
  return unused;
}

/// What goes in or comes out is cut over manual axes as the author says, and
/// over free ones where dimensions are open.
void ShardingGraph::annotateSide(unsigned id, ManualComputationOp op,
                                 ShardingAttr sharding,
                                 const std::string &what) {
  annotate(id, sharding, what);
  if (!op.hasFreeAxes())
    return;
  Sharding &own = *graph.values[id].sharding;
  llvm::append_range(own.keptReplicated, unusedManualAxes(op, mesh, own));
}

/// Joins a value in the body, `inner`, to what it is part of outside.
void ShardingGraph::addBorder(unsigned outer, unsigned inner,
                              ManualComputationOp op, ShardingAttr sharding) {
  addIdentity(outer, inner, op);
  Sharding manual =
      toSharding(op.getManualPart(sharding), mesh, graph.values[outer].shape);
  for (const DimSharding &dim : manual.dims)
    graph.ops.back().outerAxes.push_back(dim.axes);
}

void ShardingGraph::addManual(ManualComputationOp op) {
  std::string what = "manual computation at " + graph::describe(op.getLoc());
  mlir::Block &body = op.getBody().front();
  for (auto [operand, argument, sharding] :
       llvm::zip(op.getInputs(), body.getArguments(),
                 op.getInShardings().getAsRange<ShardingAttr>())) {
    unsigned wanted = addValue(operand.getType());
    annotateSide(wanted, op, sharding, what);
    addIdentity(valueOf(operand), wanted, op);
    if (!op.hasFreeAxes())
      continue;
    manualInputs[op].push_back(wanted);
    annotate(valueOf(argument), op.getFreePart(sharding), what);
    addBorder(wanted, valueOf(argument), op, sharding);
  }
  if (op.hasFreeAxes())
    addBlock(body);
  for (auto [result, yielded, sharding] :
       llvm::zip(op.getResults(), body.getTerminator()->getOperands(),
                 op.getOutShardings().getAsRange<ShardingAttr>())) {
    annotateSide(valueOf(result), op, sharding, what);
    if (op.hasFreeAxes())
      addBorder(valueOf(result), valueOf(yielded), op, sharding);
  }
}

void ShardingGraph::addResults(func::FuncOp func) {
  Operation *terminator = func.front().getTerminator();
  for (auto [index, operand] : llvm::enumerate(terminator->getOperands())) {
    auto sharding =
        func.getResultAttrOfType<ShardingAttr>(index, SpmdDialect::kSharding);
    unsigned from = valueOf(operand);
    results.push_back(from);
    if (!sharding)
      continue;
    results.back() = addValue(operand.getType());
    annotate(results.back(), sharding, "result " + std::to_string(index));
    addIdentity(from, results.back(), terminator);
  }
}
