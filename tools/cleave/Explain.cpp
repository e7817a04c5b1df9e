//===- Explain.cpp - cleave explain ---------------------------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cleave/Partition/RankGroups.h"
#include "dialects/Spmd/Collectives.h"
#include "dialects/Spmd/EntryOnMesh.h"
#include "dialects/Spmd/ShardingConversion.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "passes/Codegen/Program/Manifest.h"
#include "tools/cleave/Commands.h"
#include "tools/cleave/Model.h"
#include "tools/cleave/Table.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/JSON.h"

using namespace mlir;
using namespace cleave;
using namespace cleave::tool;

namespace {
struct Collective {
  StringRef kind;
  std::string axes;
  int64_t bytes;
  std::string operand, result;
  std::string location, cause;
  /// "once", or inside which control flow.
  std::string executed;
};

struct Total {
  int64_t count = 0, bytes = 0;
};
} // namespace

/// Who takes part, as the manifest names them.
static std::string describeParticipants(spmd::CollectiveOpInterface op,
                                        const Mesh &mesh) {
  if (auto permute = dyn_cast<spmd::CollectivePermuteOp>(op.getOperation()))
    return describeAxesApart(mesh, permute.getPairs());
  if (auto groups = dyn_cast_or_null<spmd::GroupsAttr>(op.getGroups()))
    return describeGroups(spmd::toRankGroups(groups));
  return describeAxes(mesh, spmd::toAxisList(op.getCollectiveAxes(), mesh));
}

/// How often an op runs: in `while`, bytes are those of one iteration.
static std::string describeExecution(Operation *op) {
  std::string text;
  for (Operation *parent = op->getParentOp(); !isa<func::FuncOp>(parent);
       parent = parent->getParentOp()) {
    StringRef name = parent->getName().stripDialect();
    if (!isa<spmd::ManualComputationOp>(parent))
      text =
          (name == "while" ? "each iteration" : "if taken, in " + name.str()) +
          (text.empty() ? "" : ", " + text);
  }
  return text.empty() ? "once" : text;
}

static std::string describeType(Value value) {
  std::string text;
  llvm::raw_string_ostream(text) << value.getType();
  return text;
}

static std::vector<Collective> collect(func::FuncOp entry, const Mesh &mesh) {
  std::vector<Collective> rows;
  entry.walk<WalkOrder::PreOrder>([&](spmd::CollectiveOpInterface op) {
    CollectiveKind kind = op.getCollectiveKind();
    if (kind == CollectiveKind::AllSlice)
      return;
    Value operand = op.getCollectiveOperand(), result = op->getResult(0);
    StringAttr cause = op.getCauseAttr();
    rows.push_back({stringifyCollective(kind), describeParticipants(op, mesh),
                    spmd::receivedBytes(op, mesh), describeType(operand),
                    describeType(result), locationText(op->getLoc()),
                    cause ? cause.str() : std::string(),
                    describeExecution(op)});
  });
  return rows;
}

static llvm::MapVector<StringRef, Total> getTotals(ArrayRef<Collective> rows) {
  llvm::MapVector<StringRef, Total> totals;
  for (const Collective &row : rows) {
    Total &total = totals[row.kind];
    ++total.count;
    total.bytes += row.bytes;
  }
  return totals;
}

static void printTable(ArrayRef<Collective> rows, int64_t numRanks) {
  Table table;
  table.addColumn("op");
  table.addColumn("axes");
  table.addColumn("bytes", Table::Right);
  table.addColumn("operand");
  table.addColumn("executed");
  table.addColumn("location");
  table.addColumn("cause");
  for (const Collective &row : rows)
    table.addRow({row.kind.str(), row.axes, std::to_string(row.bytes),
                  row.operand, row.executed, row.location, row.cause});
  if (!table.empty())
    table.print(llvm::outs());
  Total sum;
  for (const auto &[kind, total] : getTotals(rows)) {
    llvm::outs() << "total " << kind << ": " << total.count << ", "
                 << total.bytes << " bytes per device\n";
    sum.count += total.count;
    sum.bytes += total.bytes;
  }
  llvm::outs() << "total: " << sum.count
               << (sum.count == 1 ? " collective, " : " collectives, ")
               << sum.bytes << " bytes per device, " << numRanks
               << (numRanks == 1 ? " rank" : " ranks");
  if (llvm::any_of(rows,
                   [](const Collective &c) { return c.executed != "once"; }))
    llvm::outs() << "; loops count as one iteration, branches as taken";
  llvm::outs() << "\n";
}

static void printJson(ArrayRef<Collective> rows, int64_t numRanks) {
  llvm::json::OStream json(llvm::outs(), 2);
  auto text = [&](StringRef key, StringRef value) {
    json.attribute(key, llvm::json::fixUTF8(value));
  };
  json.object([&] {
    json.attribute("ranks", numRanks);
    json.attributeArray("collectives", [&] {
      for (const Collective &row : rows)
        json.object([&] {
          text("kind", row.kind);
          text("axis_names", row.axes);
          json.attribute("bytes", row.bytes);
          text("operand", row.operand);
          text("result", row.result);
          text("executed", row.executed);
          text("location", row.location);
          text("cause", row.cause);
        });
    });
    json.attributeObject("totals", [&] {
      for (const auto &[kind, total] : getTotals(rows))
        json.attributeObject(kind, [&, &total = total] {
          json.attribute("count", total.count);
          json.attribute("bytes", total.bytes);
        });
    });
  });
  llvm::outs() << "\n";
}

int cleave::tool::explain(const Options &options) {
  Model model(options);
  // The table has what is gathered, and why.
  model.stopWarning();
  if (failed(model.load()))
    return BadInput;
  ModuleOp module = model.getModule();
  if (failed(model.runPhases(module, "collectives")))
    return BadInput;
  FailureOr<spmd::EntryOnMesh> entry = spmd::getEntryOnMesh(module);
  if (failed(entry))
    return BadInput;
  const Mesh &mesh = entry->mesh;
  std::vector<Collective> rows = collect(entry->func, mesh);
  if (options.json)
    printJson(rows, mesh.numRanks());
  else
    printTable(rows, mesh.numRanks());
  return Ok;
}
