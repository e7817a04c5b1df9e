//===- RankVariation.cpp - Along which axes values differ -----------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Spmd/RankVariation.h"
#include "dialects/Spmd/ShardingConversion.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace cleave;
using namespace cleave::spmd;

//===----------------------------------------------------------------------===//
// Atoms
//===----------------------------------------------------------------------===//

AxisAtoms::AxisAtoms(const Mesh &mesh, ArrayRef<AxisRef> used) {
  for (AxisId id = 0; id < mesh.axes.size(); ++id) {
    SmallVector<int64_t> cuts{1, mesh.axes[id].size};
    for (const AxisRef &axis : used)
      if (axis.axis == id)
        cuts.append({axis.pre, axis.end()});
    llvm::sort(cuts);
    cuts.erase(llvm::unique(cuts), cuts.end());
    bool isNested = true;
    for (size_t i = 1; i < cuts.size(); ++i)
      isNested &= cuts[i] % cuts[i - 1] == 0;
    if (!isNested)
      cuts = {1, mesh.axes[id].size};
    for (size_t i = 1; i < cuts.size(); ++i)
      atoms.push_back({id, cuts[i - 1], cuts[i] / cuts[i - 1]});
  }
}

SmallVector<unsigned> AxisAtoms::touchedBy(const AxisRef &axis) const {
  SmallVector<unsigned> touched;
  for (auto [index, atom] : llvm::enumerate(atoms))
    if (atom.overlaps(axis))
      touched.push_back(index);
  return touched;
}

SmallVector<unsigned> AxisAtoms::coveredBy(const AxisRef &axis) const {
  SmallVector<unsigned> covered;
  for (auto [index, atom] : llvm::enumerate(atoms))
    if (atom.axis == axis.axis && axis.pre <= atom.pre &&
        atom.end() <= axis.end())
      covered.push_back(index);
  return covered;
}

//===----------------------------------------------------------------------===//
// Joining
//===----------------------------------------------------------------------===//

void RankVariation::addAxes(Variation &variation, ArrayRef<AxisRef> axes,
                            Value origin) const {
  for (const AxisRef &axis : axes)
    for (unsigned atom : atoms.touchedBy(axis))
      if (!variation[atom])
        variation[atom] = origin;
}

void RankVariation::join(Value value, const Variation &from) {
  Variation &to = variations.try_emplace(value, none()).first->second;
  for (auto [old, added] : llvm::zip_equal(to, from))
    if (!old && added) {
      old = added;
      hasChanged = true;
    }
}

void RankVariation::joinValues(ValueRange values, ValueRange from) {
  for (auto [value, source] : llvm::zip_equal(values, from))
    join(value, Variation(variations[source]));
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

/// All axes that something in a function names.
static AxisList usedAxes(func::FuncOp func, const Mesh &mesh) {
  AxisList used;
  auto add = [&](ArrayRef<AxisAttr> axes) {
    used.append(toAxisList(axes, mesh));
  };
  for (unsigned i = 0; i < func.getNumArguments(); ++i)
    if (auto sharding =
            func.getArgAttrOfType<ShardingAttr>(i, SpmdDialect::kSharding))
      for (DimShardingAttr dim : sharding.getDims())
        add(dim.getAxes());
  func.walk([&](Operation *op) {
    llvm::TypeSwitch<Operation *>(op)
        .Case([&](CollectiveOpInterface collective) {
          add(collective.getCollectiveAxes());
        })
        .Case<AxisIndexOp, MaskPaddingOp, HaloExchangeOp>(
            [&](auto other) { add(other.getAxes().getAxes()); });
  });
  return used;
}

RankVariation::RankVariation(func::FuncOp func, const Mesh &mesh)
    : mesh(mesh), atoms(mesh, usedAxes(func, mesh)) {
  for (BlockArgument argument : func.getArguments()) {
    Variation variation = none();
    auto attr = func.getArgAttrOfType<ShardingAttr>(argument.getArgNumber(),
                                                    SpmdDialect::kSharding);
    if (attr) {
      Sharding sharding = toSharding(attr, mesh);
      for (const DimSharding &dim : sharding.dims)
        addAxes(variation, dim.axes, argument);
      for (const PartialAxis &partial : sharding.partial)
        addAxes(variation, partial.axis, argument);
    } else {
      variation.assign(variation.size(), argument);
    }
    join(argument, variation);
  }
  visitBlock(func.front());
}

void RankVariation::visitBlock(mlir::Block &block) {
  for (Operation &op : block)
    visitOp(&op);
}

void RankVariation::visitOp(Operation *op) {
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](graph::WhileOp loop) { visitWhile(loop); })
      .Case([&](graph::IfOp branch) { visitIf(branch); })
      .Case([&](CollectivePermuteOp permute) { visitPermute(permute); })
      .Case([&](CollectiveOpInterface collective) {
        visitCollective(collective);
      })
      .Case<AxisIndexOp, MaskPaddingOp, HaloExchangeOp>([&](auto own) {
        visitOther(own);
        Variation variation = none();
        addAxes(variation, toAxisList(own.getAxes().getAxes(), mesh),
                own.getResult());
        join(own.getResult(), variation);
      })
      .Case([&](func::CallOp call) {
        // What is called may ask for the rank; calls are inlined before.
        for (Value result : call.getResults())
          join(result, Variation(atoms.getAtoms().size(), result));
      })
      .Default([&](Operation *) { visitOther(op); });
}

/// Results are made of the operands and of what regions use.
void RankVariation::visitOther(Operation *op) {
  Variation variation = none();
  auto add = [&](Value value) {
    auto it = variations.find(value);
    if (it == variations.end())
      return;
    for (auto [to, from] : llvm::zip_equal(variation, it->second))
      if (!to)
        to = from;
  };
  for (Value operand : op->getOperands())
    add(operand);
  for (Region &region : op->getRegions())
    region.walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        add(operand);
    });
  for (Value result : op->getResults())
    join(result, variation);
  for (Region &region : op->getRegions())
    for (mlir::Block &block : region) {
      for (BlockArgument argument : block.getArguments())
        join(argument, variation);
      visitBlock(block);
    }
}

void RankVariation::visitCollective(CollectiveOpInterface op) {
  Variation variation = variations[op.getCollectiveOperand()];
  AxisList axes = toAxisList(op.getCollectiveAxes(), mesh);
  switch (op.getCollectiveKind()) {
  case CollectiveKind::AllGather:
  case CollectiveKind::AllReduce:
    for (const AxisRef &axis : axes)
      for (unsigned atom : atoms.coveredBy(axis))
        variation[atom] = {};
    break;
  default:
    addAxes(variation, axes, op->getResult(0));
  }
  join(op->getResult(0), variation);
}

/// A permutation that maps each rank of an axis alike keeps what is the same
/// along it; along others anything may have come from anywhere.
void RankVariation::visitPermute(CollectivePermuteOp op) {
  Variation variation = variations[op.getOperand()];
  ArrayRef<int64_t> pairs = op.getPairs();
  llvm::DenseMap<int64_t, int64_t> sourceOf;
  for (size_t i = 0; i + 1 < pairs.size(); i += 2)
    sourceOf[pairs[i + 1]] = pairs[i];
  int64_t stride = 1;
  SmallVector<bool> isAlike(mesh.axes.size());
  for (size_t axis = mesh.axes.size(); axis-- > 0;) {
    int64_t size = mesh.axes[axis].size;
    // Where the rank's neighbour along the axis gets its value from.
    isAlike[axis] = llvm::all_of(sourceOf, [&](auto pair) {
      auto [target, source] = pair;
      auto coordinate = [&](int64_t rank) { return rank / stride % size; };
      int64_t step =
          coordinate(target) + 1 < size ? stride : -(size - 1) * stride;
      auto next = sourceOf.find(target + step);
      return coordinate(source) == coordinate(target) &&
             next != sourceOf.end() && next->second == source + step;
    });
    stride *= size;
  }
  for (auto [index, atom] : llvm::enumerate(atoms.getAtoms()))
    if (!isAlike[atom.axis] && !variation[index])
      variation[index] = op.getResult();
  join(op.getResult(), variation);
}

void RankVariation::visitIf(graph::IfOp op) {
  Variation predicate = ofPredicate(op);
  for (Region *region : {&op.getTrueBranch(), &op.getFalseBranch()}) {
    visitBlock(region->front());
    joinValues(op->getResults(),
               region->front().getTerminator()->getOperands());
  }
  for (Value result : op->getResults())
    join(result, predicate);
}

void RankVariation::visitWhile(graph::WhileOp op) {
  mlir::Block &cond = op.getCond().front(), &body = op.getBody().front();
  joinValues(cond.getArguments(), op->getOperands());
  bool hasEverChanged = hasChanged;
  do {
    hasChanged = false;
    visitBlock(cond);
    joinValues(body.getArguments(), cond.getArguments());
    visitBlock(body);
    joinValues(cond.getArguments(), body.getTerminator()->getOperands());
    hasEverChanged |= hasChanged;
  } while (hasChanged);
  // For a loop around this one.
  hasChanged = hasEverChanged;
  joinValues(op->getResults(), cond.getArguments());
  Variation predicate = ofPredicate(op);
  for (Value result : op->getResults())
    join(result, predicate);
}

//===----------------------------------------------------------------------===//
// Questions
//===----------------------------------------------------------------------===//

bool RankVariation::isUniform(Value value, ArrayRef<AxisRef> axes) const {
  auto known = variations.find(value);
  return known != variations.end() &&
         llvm::all_of(axes, [&](const AxisRef &axis) {
           SmallVector<unsigned> touched = atoms.touchedBy(axis);
           return !touched.empty() && llvm::all_of(touched, [&](unsigned atom) {
             return !known->second[atom];
           });
         });
}

Variation RankVariation::ofPredicate(Operation *op) {
  if (auto loop = dyn_cast<graph::WhileOp>(op))
    return variations[loop.getCond().front().getTerminator()->getOperand(0)];
  if (auto branch = dyn_cast<graph::IfOp>(op))
    return variations[branch.getPred()];
  // Of other ops with regions the operands that are no tensors steer.
  Variation variation = none();
  for (Value operand : op->getOperands())
    if (!isa<RankedTensorType>(operand.getType()))
      for (auto [to, from] : llvm::zip_equal(variation, variations[operand]))
        if (!to)
          to = from;
  return variation;
}

SmallVector<unsigned> RankVariation::meetingAlong(CollectiveOpInterface op) {
  if (op.getCollectiveKind() == CollectiveKind::AllSlice)
    return {};
  llvm::SmallSet<unsigned, 4> along;
  for (const AxisRef &axis : toAxisList(op.getCollectiveAxes(), mesh))
    for (unsigned atom : atoms.touchedBy(axis))
      along.insert(atom);
  if (auto permute = dyn_cast<CollectivePermuteOp>(op.getOperation())) {
    ArrayRef<int64_t> pairs = permute.getPairs();
    for (size_t i = 0; i + 1 < pairs.size(); i += 2)
      for (auto [index, atom] : llvm::enumerate(atoms.getAtoms()))
        if (mesh.coordinate(pairs[i], atom) !=
            mesh.coordinate(pairs[i + 1], atom))
          along.insert(index);
  }
  return SmallVector<unsigned>(along.begin(), along.end());
}
