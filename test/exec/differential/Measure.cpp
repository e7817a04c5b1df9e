//===- Measure.cpp - Figures of a module between phases -*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Measure.h"
#include "dialects/Exec/ExecDialect.h"
#include "dialects/Graph/EntryFunction.h"
#include "dialects/Spmd/ShardingConversion.h"

using namespace mlir;
using namespace cleave;
using namespace cleave::spmd;
using namespace cleave::differential;

//===----------------------------------------------------------------------===//
// Bytes
//===----------------------------------------------------------------------===//

static int64_t bytesOf(CollectiveOpInterface op, const Mesh &mesh) {
  auto from = cast<RankedTensorType>(op.getCollectiveOperand().getType());
  auto to = cast<RankedTensorType>(op->getResult(0).getType());
  if (auto permute = dyn_cast<CollectivePermuteOp>(op.getOperation())) {
    ArrayRef<int64_t> pairs = permute.getPairs();
    bool moves = false;
    for (size_t i = 0; i + 1 < pairs.size(); i += 2)
      moves |= pairs[i] != pairs[i + 1];
    if (!moves)
      return 0;
  }
  return collectiveBytes(op.getCollectiveKind(), from.getShape(), to.getShape(),
                         elementBytes(from),
                         numShards(toAxisList(op.getCollectiveAxes(), mesh)));
}

int64_t cleave::differential::bytesOf(ModuleOp module) {
  Mesh mesh = toMesh(getOnlyMesh(module));
  int64_t sum = 0;
  module.walk([&](CollectiveOpInterface op) { sum += ::bytesOf(op, mesh); });
  return sum;
}

//===----------------------------------------------------------------------===//
// Shardings
//===----------------------------------------------------------------------===//

static bool isCut(const Sharding &sharding) {
  return llvm::any_of(sharding.dims,
                      [](const DimSharding &dim) { return !dim.axes.empty(); });
}

/// The value before any reshards.
static Value originOf(Value value) {
  while (auto reshard = value.getDefiningOp<ReshardOp>())
    value = reshard.getInput();
  return value;
}

void cleave::differential::measureShardings(ModuleOp module,
                                            Statistics &statistics) {
  MeshOp meshOp = getOnlyMesh(module);
  Mesh mesh = toMesh(meshOp);
  if (mesh.numRanks() < 2)
    return;
  ReshardPlanner planner(mesh);
  auto shardingOf = [&](Value value) {
    return toSharding(getSharding(value), mesh);
  };
  auto bytes = [&](Value value, const Sharding &to) {
    auto type = cast<RankedTensorType>(value.getType());
    return planner
        .bytes(type.getShape(), elementBytes(type), shardingOf(value), to)
        .value_or(0);
  };
  graph::getEntryFunction(module).walk([&](Operation *op) {
    // What the model says itself is planned, too.
    if (auto collective = dyn_cast<CollectiveOpInterface>(op)) {
      statistics[Statistics::PlannedBytes] += ::bytesOf(collective, mesh);
      return;
    }
    if (auto reshard = dyn_cast<ReshardOp>(op)) {
      ++statistics[Statistics::Reshards];
      statistics[Statistics::PlannedBytes] +=
          bytes(reshard.getInput(), shardingOf(reshard.getResult()));
      return;
    }
    // Ops on elements, inside of a reduction, have no shardings.
    if (!isa<ShardingRuleOpInterface>(op) || op->getNumResults() == 0 ||
        !getSharding(op->getResult(0)))
      return;
    bool hasCutOperand = false, isWhole = true;
    int64_t gathered = 0;
    for (Value operand : op->getOperands()) {
      Value origin = originOf(operand);
      hasCutOperand |= isCut(shardingOf(origin));
      isWhole &= !isCut(shardingOf(operand));
      gathered += bytes(
          origin, Sharding::replicated(
                      cast<RankedTensorType>(origin.getType()).getRank()));
    }
    for (Value result : op->getResults())
      isWhole &= !isCut(shardingOf(result));
    statistics[Statistics::GatherBytes] += gathered;
    statistics[Statistics::Ops] += hasCutOperand;
    statistics[Statistics::Replicated] += hasCutOperand && isWhole;
  });
}

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

static CollectiveKind kindOf(exec::CollectiveKind kind) {
  StringRef name = exec::stringifyCollectiveKind(kind);
  for (CollectiveKind candidate :
       {CollectiveKind::AllGather, CollectiveKind::AllSlice,
        CollectiveKind::AllReduce, CollectiveKind::ReduceScatter,
        CollectiveKind::AllToAll, CollectiveKind::CollectivePermute})
    if (stringifyCollective(candidate) == name)
      return candidate;
  llvm_unreachable("the two lists of collectives differ");
}

std::vector<CollectiveFigures>
cleave::differential::listCollectives(ModuleOp module) {
  std::vector<CollectiveFigures> list;
  module.walk<WalkOrder::PreOrder>([&](exec::CollectiveOp op) {
    auto from = cast<MemRefType>(op.getOperand().getType());
    auto to = cast<MemRefType>(op.getResult().getType());
    int64_t groupSize = 1;
    for (const exec::AxisPart &part : op.getAxes().getParts())
      groupSize *= part.size;
    CollectiveFigures figures;
    figures.kind = exec::stringifyCollectiveKind(op.getKind()).str();
    figures.bytes =
        collectiveBytes(kindOf(op.getKind()), from.getShape(), to.getShape(),
                        exec::elementBytes(from.getElementType()), groupSize);
    if (std::optional<ArrayRef<int64_t>> pairs = op.getPairs()) {
      bool moves = false;
      for (size_t i = 0; i + 1 < pairs->size(); i += 2)
        moves |= (*pairs)[i] != (*pairs)[i + 1];
      if (!moves)
        figures.bytes = 0;
    }
    figures.isUnconditional = isa<exec::ProgramOp>(op->getParentOp());
    list.push_back(std::move(figures));
  });
  return list;
}
