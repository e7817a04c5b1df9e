//===- RankVariation.cpp - Along which axes values differ -----------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Spmd/RankVariation.h"
#include "dialects/Spmd/Collectives.h"
#include "dialects/Spmd/ShardingConversion.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SmallPtrSet.h"
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

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

/// The sharding of a function argument on `mesh`; null if there is none.
static ShardingAttr shardingOn(BlockArgument argument, const Mesh &mesh) {
  ShardingAttr sharding = getSharding(argument);
  return sharding && sharding.getMesh().getValue() == mesh.name
             ? sharding
             : ShardingAttr();
}

/// All axes of the mesh that something in a function names.
static AxisList usedAxes(FunctionOpInterface func, const Mesh &mesh) {
  AxisList used;
  auto add = [&](ArrayRef<AxisAttr> axes) {
    used.append(toAxisList(axes, mesh));
  };
  for (BlockArgument argument : func.getArguments())
    if (ShardingAttr sharding = shardingOn(argument, mesh))
      for (DimShardingAttr dim : sharding.getDims())
        add(dim.getAxes());
  func.walk([&](Operation *op) {
    llvm::TypeSwitch<Operation *>(op)
        .Case([&](CollectiveOpInterface collective) {
          if (collective.getMeshAttr().getValue() == mesh.name)
            add(collective.getCollectiveAxes());
        })
        .Case<AxisIndexOp, MaskPaddingOp>([&](auto other) {
          if (other.getMesh() == mesh.name)
            add(other.getAxes().getAxes());
        });
  });
  return used;
}

RankVariation::RankVariation(FunctionOpInterface func, MeshOp meshOp)
    : mesh(toMesh(meshOp)), atoms(mesh, usedAxes(func, mesh)) {
  if (func.isExternal())
    return;
  for (BlockArgument argument : func.getArguments()) {
    Variation variation = none();
    if (ShardingAttr attr = shardingOn(argument, mesh)) {
      auto type = cast<RankedTensorType>(argument.getType());
      Sharding sharding = toSharding(attr, mesh, type.getShape());
      for (const DimSharding &dim : sharding.dims)
        addAxes(variation, dim.axes, argument);
      for (const PartialAxis &partial : sharding.partial)
        addAxes(variation, partial.axis, argument);
    } else {
      variation.assign(variation.size(), argument);
    }
    join(argument, variation);
  }
  for (mlir::Block &block : func.getFunctionBody())
    visitBlock(block);
}

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

void RankVariation::forget(Operation *op) {
  op->walk([&](Operation *inner) {
    for (Value result : inner->getResults())
      variations.erase(result);
    for (Region &region : inner->getRegions())
      for (mlir::Block &block : region)
        for (Value argument : block.getArguments())
          variations.erase(argument);
  });
}

void RankVariation::visitBlock(mlir::Block &block) {
  for (Operation &op : block)
    visitOp(&op);
}

void RankVariation::visitOp(Operation *op) {
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](ShardingTieOpInterface tied) { visitTies(tied); })
      .Case([&](CollectiveOpInterface collective) {
        if (collective.getMeshAttr().getValue() != mesh.name)
          return visitUnknown(op);
        if (auto permute = dyn_cast<CollectivePermuteOp>(op))
          return visitPermute(permute);
        visitCollective(collective);
      })
      .Case<AxisIndexOp, MaskPaddingOp>([&](auto own) {
        if (own.getMesh() != mesh.name)
          return visitUnknown(op);
        visitComputation(own);
        Variation variation = none();
        addAxes(variation, toAxisList(own.getAxes().getAxes(), mesh),
                own.getResult());
        join(own.getResult(), variation);
      })
      .Default([&](Operation *) {
        // Graph ops compute with their operands and nothing else. What a call
        // does is not known here: it may ask for the rank.
        if (isa<ShardingRuleOpInterface>(op) || isMemoryEffectFree(op) ||
            op->hasTrait<OpTrait::IsTerminator>())
          return visitComputation(op);
        visitUnknown(op);
      });
}

void RankVariation::visitUnknown(Operation *op) {
  for (Value result : op->getResults())
    join(result, Variation(atoms.getAtoms().size(), result));
}

/// Results are made of the operands and of what regions use.
void RankVariation::visitComputation(Operation *op) {
  Variation variation = none();
  auto add = [&](Value value) {
    for (auto [to, from] : llvm::zip_equal(variation, variations[value]))
      if (!to)
        to = from;
  };
  for (Value operand : op->getOperands())
    add(operand);
  visitUsedValuesDefinedAbove(op->getRegions(),
                              [&](OpOperand *use) { add(use->get()); });
  for (Value result : op->getResults())
    join(result, variation);
  for (Region &region : op->getRegions())
    for (mlir::Block &block : region) {
      for (BlockArgument argument : block.getArguments())
        join(argument, variation);
      visitBlock(block);
    }
}

/// Whether every rank of a group gets the same. What a window leaves
/// unspecified is padding, which nothing reads.
static bool makesUniform(CollectiveOpInterface op) {
  if (auto exchange = dyn_cast<WindowExchangeOp>(op.getOperation()))
    return llvm::all_equal(exchange.getExchange().windows);
  CollectiveKind kind = op.getCollectiveKind();
  return kind == CollectiveKind::AllGather ||
         kind == CollectiveKind::AllReduce || kind == CollectiveKind::Broadcast;
}

/// The rank one position further along an atom, around its end.
static int64_t nextAlong(const Mesh &mesh, int64_t rank, const AxisRef &atom) {
  int64_t stride = mesh.axes[atom.axis].size / atom.end();
  for (const Mesh::Axis &minor : ArrayRef(mesh.axes).drop_front(atom.axis + 1))
    stride *= minor.size;
  bool isLast = mesh.coordinate(rank, atom) + 1 == atom.size;
  return rank + (isLast ? 1 - atom.size : 1) * stride;
}

void RankVariation::visitCollective(CollectiveOpInterface op) {
  if (isa<GroupsAttr>(op.getGroups()))
    return visitGroups(op);
  Variation variation = variations[op.getCollectiveOperand()];
  AxisList axes = toAxisList(op.getCollectiveAxes(), mesh);
  if (makesUniform(op)) {
    for (const AxisRef &axis : axes)
      for (unsigned atom : atoms.coveredBy(axis))
        variation[atom] = {};
  } else {
    addAxes(variation, axes, op->getResult(0));
  }
  join(op->getResult(0), variation);
}

namespace {
/// Listed groups, seen along an atom.
struct GroupsAlong {
  /// All ranks that differ along it only are in one group.
  bool areWithin;
  /// One step along it leads from each group to another one, position by
  /// position, and from ranks in no group to such.
  bool areAlike;
  /// Ranks of one group differ along it.
  bool areAcross = false;

  GroupsAlong(ArrayRef<RankGroup> groups, const Mesh &mesh,
              const AxisRef &atom) {
    llvm::DenseMap<int64_t, std::pair<size_t, size_t>> places;
    for (auto [index, group] : llvm::enumerate(groups))
      for (auto [position, rank] : llvm::enumerate(group))
        places[rank] = {index, position};
    areWithin = int64_t(places.size()) == mesh.numRanks();
    areAlike = true;
    for (const RankGroup &group : groups) {
      auto first = places.find(nextAlong(mesh, group.front(), atom));
      for (int64_t rank : group) {
        auto next = places.find(nextAlong(mesh, rank, atom));
        auto place = places.lookup(rank);
        areWithin &= next != places.end() && next->second.first == place.first;
        areAlike &= next != places.end() && first != places.end() &&
                    next->second.first == first->second.first &&
                    next->second.second == place.second;
        areAcross |=
            mesh.coordinate(rank, atom) != mesh.coordinate(group.front(), atom);
      }
    }
  }
};
} // namespace

void RankVariation::visitGroups(CollectiveOpInterface op) {
  Variation variation = variations[op.getCollectiveOperand()];
  std::vector<RankGroup> groups = rankGroups(op, mesh);
  bool isUniform = makesUniform(op);
  for (auto [index, atom] : llvm::enumerate(atoms.getAtoms())) {
    GroupsAlong along(groups, mesh, atom);
    if (isUniform && along.areWithin)
      variation[index] = {};
    else if (!variation[index] &&
             (!along.areAlike || (!isUniform && along.areAcross)))
      variation[index] = op->getResult(0);
  }
  join(op->getResult(0), variation);
}

/// What a rank gets depends on where its source is along the atoms that the
/// operand varies along. Where the next rank along an atom has a source at the
/// same place, or neither has one, both get the same.
void RankVariation::visitPermute(CollectivePermuteOp op) {
  Variation from = variations[op.getOperand()];
  ArrayRef<int64_t> pairs = op.getPairs();
  llvm::DenseMap<int64_t, int64_t> sourceOf;
  for (size_t i = 0; i + 1 < pairs.size(); i += 2)
    sourceOf[pairs[i + 1]] = pairs[i];
  auto isSamePlace = [&](int64_t a, int64_t b) {
    for (auto [index, atom] : llvm::enumerate(atoms.getAtoms()))
      if (from[index] && mesh.coordinate(a, atom) != mesh.coordinate(b, atom))
        return false;
    return true;
  };
  Variation variation = none();
  for (auto [index, axis] : llvm::enumerate(atoms.getAtoms())) {
    const AxisRef &atom = axis;
    bool isAlike = llvm::all_of(sourceOf, [&](const auto &pair) {
      auto next = sourceOf.find(nextAlong(mesh, pair.first, atom));
      return next != sourceOf.end() && isSamePlace(pair.second, next->second);
    });
    if (!isAlike)
      variation[index] = from[index] ? from[index] : op.getResult();
  }
  join(op.getResult(), variation);
}

/// A variable differs where one of its sources does, and where what steers the
/// op does; axes only ever join, so this ends.
void RankVariation::visitTies(ShardingTieOpInterface op) {
  SmallVector<ShardingTie> ties = op.getShardingTies();
  bool hasEverChanged = hasChanged;
  // Arguments of regions first; a source in a region is known after a round.
  for (const ShardingTie &tie : ties)
    for (Value value : tie.values)
      join(value, none());
  do {
    hasChanged = false;
    for (Region &region : op->getRegions())
      for (mlir::Block &block : region)
        visitBlock(block);
    for (const ShardingTie &tie : ties)
      for (OpOperand *source : tie.sources)
        for (Value value : tie.values)
          join(value, Variation(variations[source->get()]));
    hasEverChanged |= hasChanged;
  } while (hasChanged);
  // For a loop around this one.
  hasChanged = hasEverChanged;
  Variation predicate = ofPredicate(op);
  for (Value result : op->getResults())
    join(result, predicate);
}

//===----------------------------------------------------------------------===//
// Questions
//===----------------------------------------------------------------------===//

Variation RankVariation::ofPredicate(Operation *op) {
  Variation variation = none();
  auto add = [&](Value value) {
    for (auto [to, from] : llvm::zip_equal(variation, variations[value]))
      if (!to)
        to = from;
  };
  auto tied = dyn_cast<ShardingTieOpInterface>(op);
  if (!tied) {
    // Of other ops with regions the operands that are no tensors steer.
    for (Value operand : op->getOperands())
      if (!isa<RankedTensorType>(operand.getType()))
        add(operand);
    return variation;
  }
  // What becomes no variable steers.
  llvm::SmallPtrSet<OpOperand *, 8> sources;
  for (const ShardingTie &tie : tied.getShardingTies())
    sources.insert(tie.sources.begin(), tie.sources.end());
  auto addSteering = [&](Operation *from) {
    for (OpOperand &operand : from->getOpOperands())
      if (!sources.contains(&operand))
        add(operand.get());
  };
  addSteering(op);
  for (Region &region : op->getRegions())
    for (mlir::Block &block : region)
      addSteering(block.getTerminator());
  return variation;
}

SmallVector<unsigned> RankVariation::meetingAlong(CollectiveOpInterface op) {
  if (op.getCollectiveKind() == CollectiveKind::AllSlice)
    return {};
  llvm::SmallSet<unsigned, 4> along;
  for (const AxisRef &axis : toAxisList(op.getCollectiveAxes(), mesh))
    for (unsigned atom : atoms.touchedBy(axis))
      along.insert(atom);
  if (!isa_and_present<AxesAttr>(op.getGroups()))
    for (const RankGroup &group : rankGroups(op, mesh))
      for (int64_t rank : group)
        for (auto [index, atom] : llvm::enumerate(atoms.getAtoms()))
          if (mesh.coordinate(rank, atom) !=
              mesh.coordinate(group.front(), atom))
            along.insert(index);
  return SmallVector<unsigned>(along.begin(), along.end());
}
