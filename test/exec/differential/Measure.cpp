//===- Measure.cpp - Figures of a module between phases -------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Measure.h"
#include "dialects/Exec/ExecDialect.h"
#include "dialects/Graph/EntryFunction.h"
#include "dialects/Spmd/Collectives.h"
#include "dialects/Spmd/ShardingConversion.h"

using namespace mlir;
using namespace cleave;
using namespace cleave::spmd;
using namespace cleave::differential;

//===----------------------------------------------------------------------===//
// Bytes
//===----------------------------------------------------------------------===//

int64_t cleave::differential::bytesOf(ModuleOp module) {
  Mesh mesh = toMesh(getOnlyMesh(module));
  int64_t sum = 0;
  module.walk(
      [&](CollectiveOpInterface op) { sum += receivedBytes(op, mesh); });
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
    return toSharding(getSharding(value), mesh,
                      cast<RankedTensorType>(value.getType()).getShape());
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
      statistics[Statistics::PlannedBytes] += receivedBytes(collective, mesh);
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
  for (int i = 0; i <= int(CollectiveKind::WindowExchange); ++i)
    if (stringifyCollective(CollectiveKind(i)) == name)
      return CollectiveKind(i);
  llvm_unreachable("the two lists of collectives differ");
}

/// As docs/manifest.md defines them, from what the program says alone.
static int64_t receivedBy(exec::CollectiveOp op) {
  auto from = cast<MemRefType>(op.getOperand().getType());
  auto to = cast<MemRefType>(op.getResult().getType());
  int64_t element = exec::elementBytes(from.getElementType());
  if (std::optional<ArrayRef<int64_t>> pairs = op.getPairs()) {
    bool moves = false;
    for (size_t i = 0; i + 1 < pairs->size(); i += 2)
      moves |= (*pairs)[i] != (*pairs)[i + 1];
    if (!moves)
      return 0;
  }
  auto elementsBeside = [&](unsigned exchanged) {
    int64_t others = 1;
    for (auto [dim, size] : llvm::enumerate(from.getShape()))
      others *= dim == exchanged ? 1 : size;
    return others;
  };
  if (op.getKind() == exec::CollectiveKind::WindowExchange) {
    WindowExchange exchange{toSegments(*op.getBlocks()),
                            toSegments(*op.getWindows())};
    return elementsBeside(*op.getDim()) * exchange.received() * element;
  }
  if (op.getKind() == exec::CollectiveKind::HaloExchange) {
    HaloExchange exchange;
    exchange.size = *op.getSize();
    exchange.low = *op.getLow();
    exchange.high = *op.getHigh();
    for (const exec::AxisPart &part : op.getAxes().getParts())
      exchange.axes.push_back({0, part.pre, part.size});
    return elementsBeside(*op.getDim()) * exchange.received() * element;
  }
  int64_t groupSize = op.getAxes().getNumPositions();
  if (op.getGroups())
    for (auto group : op.getGroups()->getAsRange<DenseI64ArrayAttr>())
      groupSize = std::max<int64_t>(groupSize, group.size());
  return collectiveBytes(kindOf(op.getKind()), from.getShape(), to.getShape(),
                         element, groupSize);
}

std::vector<CollectiveFigures>
cleave::differential::listCollectives(ModuleOp module) {
  std::vector<CollectiveFigures> list;
  module.walk<WalkOrder::PreOrder>([&](exec::CollectiveOp op) {
    CollectiveFigures figures;
    figures.kind = exec::stringifyCollectiveKind(op.getKind()).str();
    figures.bytes = receivedBy(op);
    figures.isUnconditional = isa<exec::ProgramOp>(op->getParentOp());
    list.push_back(std::move(figures));
  });
  return list;
}
