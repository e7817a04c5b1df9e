//===- Gathered.cpp - Ops without a parallel form -------------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/cleave/Gathered.h"
#include "dialects/Graph/EntryFunction.h"
#include "dialects/Spmd/ShardingConversion.h"
#include "passes/Sharding/ShardingGraph.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace cleave;

/// Whether no axis can be given to a dimension with these factors.
static bool mustBeWhole(const ShardingRule &rule, ArrayRef<unsigned> factors) {
  return llvm::all_of(factors, [&](unsigned factor) {
    return rule.factors[factor].kind == FactorKind::NeedReplication;
  });
}

/// What the operand was before reshards.
static Value getOrigin(OpOperand &operand) {
  Value origin = operand.get();
  while (auto reshard = origin.getDefiningOp<spmd::ReshardOp>())
    origin = reshard.getInput();
  return origin;
}

namespace {
/// A dimension of an operand that is gathered, and what it was cut over.
struct GatheredDim {
  unsigned operand, dim;
  AxisList axes;
};
} // namespace

/// Adds the dimensions that must be whole and along which the operand was cut
/// before reshards.
static void findGathered(const ShardingRule &rule, OpOperand &operand,
                         const Mesh &mesh,
                         SmallVectorImpl<GatheredDim> &gathered) {
  Value origin = getOrigin(operand);
  spmd::ShardingAttr attr = spmd::getSharding(origin);
  if (origin == operand.get() || !attr)
    return;
  ArrayRef<int64_t> shape = cast<RankedTensorType>(origin.getType()).getShape();
  Sharding sharding = spmd::toSharding(attr, mesh, shape);
  unsigned number = operand.getOperandNumber();
  for (auto [d, size, dim, factors] :
       llvm::enumerate(shape, sharding.dims, rule.operands[number].dims))
    // Of a single element there is nothing to do in parallel.
    if (size > 1 && numShards(dim.axes) > 1 && mustBeWhole(rule, factors))
      gathered.push_back({number, unsigned(d), dim.axes});
}

/// Calls `found` with each op that has operands gathered.
static void
forEachGathering(ModuleOp module, const Mesh &mesh,
                 function_ref<void(Operation *, ArrayRef<GatheredDim>)> found) {
  func::FuncOp entry = graph::getEntryFunction(module);
  entry.walk<WalkOrder::PreOrder>([&](Operation *op) {
    // What ties variables together has no rule of its own.
    if (op == entry || !isOnGlobal(op) || isRegionTerminator(op) ||
        isa<spmd::ReshardOp, spmd::ManualComputationOp, ShardingTieOpInterface>(
            op))
      return;
    // Its own rule: sums that are kept whole for their order could be cut.
    ShardingRuleOpInterface ruled = spmd::getRuled(op);
    ShardingRule rule =
        ruled ? ruled.getShardingRule() : getRuleOrReplicate(op);
    SmallVector<GatheredDim> gathered;
    for (OpOperand &operand : op->getOpOperands())
      if (isa<RankedTensorType>(operand.get().getType()))
        findGathered(rule, operand, mesh, gathered);
    if (!gathered.empty())
      found(op, gathered);
  });
}

std::map<std::string, int> cleave::tool::countGathered(ModuleOp module) {
  std::map<std::string, int> counts;
  Mesh mesh = spmd::toMesh(spmd::getOnlyMesh(module));
  forEachGathering(module, mesh, [&](Operation *op, ArrayRef<GatheredDim>) {
    ++counts[op->getName().stripDialect().str()];
  });
  return counts;
}

static std::string describe(Operation *op, ArrayRef<GatheredDim> gathered,
                            const Mesh &mesh) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << op->getName() << " has no form that works on parts of ";
  llvm::interleave(
      gathered, os,
      [&](const GatheredDim &g) {
        os << "dimension " << g.dim << " of its operand " << g.operand << ", "
           << op->getOperand(g.operand).getType() << " cut over "
           << mesh.str(g.axes);
      },
      ", and of ");
  os << ": every rank gathers it";
  return text;
}

namespace {
/// Ops that gather alike.
struct Alike {
  /// One of each location.
  SmallVector<Operation *> ops;
  llvm::StringSet<> locations;
  unsigned count = 0;
  std::string origins;
};
} // namespace

/// Locations that are shown of ops that gather alike, besides the first.
static constexpr size_t maxOthers = 3;

void cleave::tool::warnOfGathered(ModuleOp module) {
  llvm::MapVector<std::string, Alike, std::map<std::string, unsigned>> groups;
  Mesh mesh = spmd::toMesh(spmd::getOnlyMesh(module));
  forEachGathering(
      module, mesh, [&](Operation *op, ArrayRef<GatheredDim> gathered) {
        if (!spmd::getRuled(op))
          return;
        Alike &alike = groups[describe(op, gathered, mesh)];
        if (alike.count++ == 0)
          if (StringAttr origins = spmd::getOrigins(
                  getOrigin(op->getOpOperand(gathered.front().operand))))
            alike.origins = origins.str();
        if (alike.locations.insert(graph::describe(op->getLoc())).second)
          alike.ops.push_back(op);
      });
  for (auto &[text, alike] : groups) {
    InFlightDiagnostic diag = mlir::emitWarning(alike.ops.front()->getLoc())
                              << text;
    if (alike.count > 1)
      diag << ", for " << alike.count << " ops";
    if (!alike.origins.empty())
      diag << " (" << alike.origins << ")";
    for (Operation *other :
         ArrayRef(alike.ops).drop_front().take_front(maxOthers))
      diag.attachNote(other->getLoc()) << "another one is here";
  }
}
