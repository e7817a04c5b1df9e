//===- InsertReshards.cpp - Make every change of sharding explicit --------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/EntryFunction.h"
#include "dialects/Spmd/EntryOnMesh.h"
#include "dialects/Spmd/ShardingConversion.h"
#include "mlir/Pass/Pass.h"
#include "passes/Sharding/Causes.h"
#include "passes/Sharding/Passes.h"
#include "passes/Sharding/ShardingGraph.h"
#include "passes/Sharding/ShardingReader.h"

namespace cleave {
#define GEN_PASS_DEF_INSERTRESHARDS
#include "passes/Sharding/Passes.h.inc"
} // namespace cleave

using namespace mlir;
using namespace cleave;
using namespace cleave::spmd;

namespace {

struct InsertReshards : cleave::impl::InsertReshardsBase<InsertReshards> {
  void runOnOperation() override {
    FailureOr<EntryOnMesh> entry = getEntryOnMesh(getOperation());
    if (failed(entry) || failed(verifyAllSharded(entry->func)))
      return signalPassFailure();
    mesh = entry->mesh;
    ReshardPlanner thePlanner(mesh);
    planner = &thePlanner;
    ShardingReader theReader(mesh);
    reader = &theReader;
    known.clear();
    removeConstraints(entry->func);
    insertIn(entry->func.front());
    insertForResults(entry->func);
  }

  /// A constraint has done its work: its result's sharding is what counts, and
  /// a reshard brings the operand there.
  void removeConstraints(func::FuncOp func) {
    func.walk([&](ShardingConstraintOp op) {
      if (!isOnGlobal(op))
        return;
      OpBuilder builder(op);
      auto reshard = ReshardOp::create(
          builder, op.getLoc(), op.getType(), op.getInput(), op.getSharding(),
          builder.getStringAttr("constraint at " +
                                graph::describe(op.getLoc())));
      setSharding(reshard, getSharding(op.getResult()));
      reshard.setShardingAttr(getSharding(op.getResult()));
      op.replaceAllUsesWith(reshard.getResult());
      op.erase();
    });
  }

  void insertIn(mlir::Block &block) {
    for (Operation &op : llvm::make_early_inc_range(block)) {
      if (isRegionTerminator(&op))
        continue;
      if (auto reshard = dyn_cast<ReshardOp>(op)) {
        // One that was there before may have been open to more axes.
        reshard.setShardingAttr(getSharding(reshard.getResult()));
        ++numReshards;
        continue;
      }
      if (auto manual = dyn_cast<ManualComputationOp>(op)) {
        insertForManual(manual);
        continue;
      }
      if (auto tied = dyn_cast<ShardingTieOpInterface>(op)) {
        insertForTies(tied);
        continue;
      }
      insertForOp(&op);
    }
  }

  void insertForOp(Operation *op) {
    OpStrategy strategy =
        reader->strategyOf(op, getRuleOrReplicate(op), *planner);
    StringRef name = op->getName().getStringRef();
    for (const auto &[index, wanted] : llvm::enumerate(strategy.operands))
      bringOperand(
          op->getOpOperand(index), reader->of(op->getOperand(index)), wanted,
          (name + " needs its operand " + Twine(index) + " as " + text(wanted))
              .str());
    for (const auto &[index, made] : llvm::enumerate(strategy.results))
      bringResult(op->getOpResult(index), made,
                  Sharding(reader->of(op->getResult(index))), name);
  }

  /// Whether a value is a constant or the like with one use, which costs
  /// nothing to make as that use wants it.
  static bool isMadeInAnyShape(Value value) {
    Operation *op = value.getDefiningOp();
    if (!op || op->getNumOperands() != 0 || !value.hasOneUse() || !getRuled(op))
      return false;
    ShardingRule rule = getRuled(op).getShardingRule();
    return llvm::all_of(rule.factors, [](const Factor &factor) {
      return factor.kind == FactorKind::PassThrough;
    });
  }

  /// Puts a reshard before `use` unless the value is placed as wanted; several
  /// uses in a block share it.
  void bringOperand(OpOperand &use, const Sharding &has, const Sharding &wanted,
                    const std::string &why) {
    if (has.samePlacement(wanted))
      return;
    ShardingAttr target = toAttr(&getContext(), wanted, mesh);
    if (isMadeInAnyShape(use.get())) {
      setSharding(use.get(), target);
      return;
    }
    Operation *user = use.getOwner();
    Value &reshard = known[{use.get(), target, user->getBlock()}];
    if (!reshard) {
      OpBuilder builder(user);
      reshard = build(builder, user->getLoc(), use.get(), target, why);
    }
    use.set(reshard);
  }

  /// The op makes `made`; its uses see `wanted`.
  void bringResult(OpResult result, const Sharding &made,
                   const Sharding &wanted, StringRef name) {
    if (made.samePlacement(wanted))
      return;
    setSharding(result, toAttr(&getContext(), made, mesh));
    OpBuilder builder(&getContext());
    builder.setInsertionPointAfterValue(result);
    std::string why = (name + " makes " + text(made) +
                       describePartialOrigins(result, made, mesh) +
                       ", wanted is " + text(wanted))
                          .str();
    Value reshard = build(builder, result.getLoc(), result,
                          toAttr(&getContext(), wanted, mesh), why);
    // The partial or otherwise placed value has no use but this one.
    result.replaceAllUsesExcept(reshard, reshard.getDefiningOp());
  }

  Value build(OpBuilder &builder, Location loc, Value value,
              ShardingAttr target, std::string why) {
    if (StringAttr origins = getOrigins(value); origins && !origins.empty())
      why += " (" + origins.str() + ")";
    auto reshard = ReshardOp::create(builder, loc, value.getType(), value,
                                     target, builder.getStringAttr(why));
    setSharding(reshard, target);
    ++numReshards;
    return reshard;
  }

  void insertForTies(ShardingTieOpInterface op) {
    for (Region &region : op->getRegions())
      for (mlir::Block &block : region)
        insertIn(block);
    SmallVector<bool> tied(op->getNumOperands(), false);
    for (const ShardingTie &tie : op.getShardingTies()) {
      Sharding wanted = shardingOf(tie.values.front());
      for (OpOperand *source : tie.sources) {
        if (source->getOwner() == op)
          tied[source->getOperandNumber()] = true;
        bringOperand(*source, shardingOf(source->get()), wanted,
                     (op->getName().getStringRef() +
                      " carries the variable as " + text(wanted))
                         .str());
      }
    }
    // What is left steers the op, and every rank must see the same.
    for (OpOperand &operand : op->getOpOperands())
      if (!tied[operand.getOperandNumber()])
        bringPredicate(operand);
    bringPredicates(op);
  }

  void bringPredicate(OpOperand &operand) {
    if (auto type = dyn_cast<RankedTensorType>(operand.get().getType()))
      bringOperand(operand, shardingOf(operand.get()),
                   Sharding::replicated(type.getRank()), "predicate");
  }

  /// Yields that belong to no variable (the condition of a loop) are whole.
  void bringPredicates(ShardingTieOpInterface op) {
    llvm::SmallPtrSet<OpOperand *, 8> sources;
    for (const ShardingTie &tie : op.getShardingTies())
      sources.insert(tie.sources.begin(), tie.sources.end());
    for (Region &region : op->getRegions())
      for (mlir::Block &block : region)
        for (OpOperand &operand : block.getTerminator()->getOpOperands())
          if (!sources.contains(&operand))
            bringPredicate(operand);
  }

  void insertForManual(ManualComputationOp op) {
    if (op.hasFreeAxes())
      insertInManual(op);
    for (auto [operand, sharding] :
         llvm::zip(op->getOpOperands(),
                   op.getInShardings().getAsRange<ShardingAttr>()))
      bringOperand(operand, shardingOf(operand.get()),
                   convert(sharding, operand.get().getType()),
                   "manual computation");
    for (auto [result, sharding] : llvm::zip(
             op.getResults(), op.getOutShardings().getAsRange<ShardingAttr>()))
      bringResult(cast<OpResult>(result), convert(sharding, result.getType()),
                  shardingOf(result), "manual computation");
  }

  /// Along free axes the body is a program like any other.
  void insertInManual(ManualComputationOp op) {
    mlir::Block &body = op.getBody().front();
    insertIn(body);
    for (auto [operand, sharding] :
         llvm::zip(body.getTerminator()->getOpOperands(),
                   op.getOutShardings().getAsRange<ShardingAttr>()))
      bringOperand(operand, shardingOf(operand.get()),
                   convert(op.getFreePart(sharding), operand.get().getType()),
                   "manual computation");
  }

  void insertForResults(func::FuncOp func) {
    for (OpOperand &operand : func.front().getTerminator()->getOpOperands()) {
      unsigned index = operand.getOperandNumber();
      auto wanted =
          func.getResultAttrOfType<ShardingAttr>(index, SpmdDialect::kSharding);
      Sharding target = convert(wanted, operand.get().getType());
      bringOperand(operand, shardingOf(operand.get()), target,
                   "result " + std::to_string(index) + " is " + text(target));
    }
  }

  const Sharding &convert(ShardingAttr attr, Type type) {
    return reader->convert(attr, type);
  }
  const Sharding &shardingOf(Value value) { return reader->of(value); }

  std::string text(const Sharding &sharding) {
    return describePlacement(sharding, mesh);
  }

  Mesh mesh;
  ReshardPlanner *planner = nullptr;
  ShardingReader *reader = nullptr;
  llvm::DenseMap<std::tuple<Value, Attribute, mlir::Block *>, Value> known;
};

} // namespace
