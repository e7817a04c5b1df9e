//===- UniformValues.cpp - Which values are equal on all ranks ------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Collectives/UniformValues.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace cleave;
using namespace cleave::spmd;

UniformValues::UniformValues(FunctionOpInterface func, MeshOp meshOp)
    : mesh(toMesh(meshOp)) {
  if (func.isExternal())
    return;
  for (BlockArgument argument : func.getArguments())
    varies[argument] = axesOf(getSharding(argument));
  for (mlir::Block &block : func.getFunctionBody())
    visit(block);
}

bool UniformValues::isUniform(Value value, ArrayRef<AxisRef> axes) const {
  auto known = varies.find(value);
  return known != varies.end() && llvm::none_of(axes, [&](const AxisRef &axis) {
           return axis.axis >= 64 || (known->second >> axis.axis & 1);
         });
}

/// Axes of which a part, or, if `wholeOnly`, all of which occurs.
UniformValues::Axes UniformValues::axesOf(ArrayRef<AxisAttr> axes,
                                          bool wholeOnly) const {
  Axes bits = 0;
  for (const AxisRef &axis : toAxisList(axes, mesh))
    if (axis.axis < 64 && (!wholeOnly || axis == mesh.whole(axis.axis)))
      bits |= Axes(1) << axis.axis;
  return bits;
}

UniformValues::Axes UniformValues::axesOf(ShardingAttr sharding) const {
  if (!sharding || sharding.getMesh().getValue() != mesh.name)
    return all();
  Axes bits = 0;
  for (DimShardingAttr dim : sharding.getDims())
    bits |= axesOf(dim.getAxes(), /*wholeOnly=*/false);
  for (PartialAttr partial : sharding.getPartial())
    bits |= axesOf(partial.getAxis(), /*wholeOnly=*/false);
  return bits;
}

UniformValues::Axes UniformValues::ofOperands(Operation *op) const {
  Axes bits = 0;
  for (Value operand : op->getOperands())
    bits |= lookup(operand);
  for (Region &region : op->getRegions())
    visitUsedValuesDefinedAbove(
        region, [&](OpOperand *use) { bits |= lookup(use->get()); });
  return bits;
}

UniformValues::Axes
UniformValues::ofCollective(CollectiveOpInterface op) const {
  Axes operand = lookup(op.getCollectiveOperand());
  if (op.getMeshAttr().getValue() != mesh.name)
    return all();
  switch (op.getCollectiveKind()) {
  case CollectiveKind::AllGather:
  case CollectiveKind::AllReduce:
    return operand & ~axesOf(op.getCollectiveAxes(), /*wholeOnly=*/true);
  case CollectiveKind::AllSlice:
  case CollectiveKind::ReduceScatter:
  case CollectiveKind::AllToAll:
    return operand | axesOf(op.getCollectiveAxes(), /*wholeOnly=*/false);
  case CollectiveKind::CollectivePermute:
    return all();
  }
  llvm_unreachable("unknown collective");
}

UniformValues::Axes UniformValues::ofOp(Operation *op) const {
  if (auto collective = dyn_cast<CollectiveOpInterface>(op))
    return ofCollective(collective);
  if (auto index = dyn_cast<AxisIndexOp>(op))
    return axesOf(index.getAxes().getAxes(), /*wholeOnly=*/false);
  if (auto mask = dyn_cast<MaskPaddingOp>(op))
    return lookup(mask.getOperand()) |
           axesOf(mask.getAxes().getAxes(), /*wholeOnly=*/false);
  // Graph ops compute with their operands and nothing else; what else there is
  // in the spmd dialect may depend on the rank.
  bool isOnRanks = isa<SpmdDialect>(op->getDialect());
  return !isOnRanks && (isa<ShardingRuleOpInterface>(op) || isPure(op))
             ? ofOperands(op)
             : all();
}

void UniformValues::visit(mlir::Block &block) {
  for (Operation &op : block) {
    if (auto tied = dyn_cast<ShardingTieOpInterface>(op)) {
      visitTies(tied);
      continue;
    }
    Axes bits = ofOp(&op);
    for (Value result : op.getResults())
      varies[result] = bits;
  }
}

/// Variables differ where one of their sources does, or where what steers the
/// op does; axes only ever join, so this ends.
void UniformValues::visitTies(ShardingTieOpInterface op) {
  SmallVector<ShardingTie> ties = op.getShardingTies();
  llvm::SmallPtrSet<OpOperand *, 8> sources;
  for (const ShardingTie &tie : ties)
    sources.insert(tie.sources.begin(), tie.sources.end());
  Axes steering = 0;
  auto joinSteering = [&](Operation *from) {
    for (OpOperand &operand : from->getOpOperands())
      if (!sources.contains(&operand))
        steering |= lookup(operand.get());
  };
  for (bool changed = true; changed;) {
    changed = false;
    joinSteering(op);
    for (Region &region : op->getRegions())
      for (mlir::Block &block : region) {
        visit(block);
        joinSteering(block.getTerminator());
      }
    for (const ShardingTie &tie : ties) {
      Axes bits = steering;
      for (OpOperand *source : tie.sources)
        bits |= lookup(source->get());
      for (Value value : tie.values) {
        changed |= (bits & ~lookup(value)) != 0;
        varies[value] |= bits;
      }
    }
  }
}
