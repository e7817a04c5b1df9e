//===- HoistCollectives.cpp - Communicate before a loop, once -------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A collective moves together with all that its operand is computed from: what
// is left in a loop is what changes there. It has no side effects, and all
// ranks of its groups come to the loop if they come to its body, so that it may
// run before the loop even if that then runs zero times.
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/GraphDialect.h"
#include "dialects/Spmd/ShardingConversion.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Transforms/RegionUtils.h"
#include "passes/Collectives/Passes.h"

namespace cleave {
#define GEN_PASS_DEF_HOISTCOLLECTIVES
#include "passes/Collectives/Passes.h.inc"
} // namespace cleave

using namespace mlir;
using namespace cleave;
using namespace cleave::spmd;

namespace {

/// Moves collectives out of one loop.
class LoopHoister {
public:
  /// Results may take `room` bytes more than what they are made of.
  LoopHoister(graph::WhileOp loop, int64_t room)
      : loop(loop), builder(loop), room(room) {
    mapConstantVariables();
  }

  /// Returns how many collectives moved.
  unsigned run();

private:
  void mapConstantVariables();
  bool isInvariant(Value value);
  bool canHoist(Operation *op);
  Value hoist(Value value);

  graph::WhileOp loop;
  OpBuilder builder;
  int64_t room;
  /// What a value of the loop is outside of it.
  IRMapping outside;
  /// Ops of the loop: whether they could run before it.
  llvm::DenseMap<Operation *, bool> hoistable;
};

} // namespace

/// A variable that the body yields as it is has its initial value throughout.
void LoopHoister::mapConstantVariables() {
  ValueRange yielded = loop.getBody().front().getTerminator()->getOperands();
  for (auto [i, init] : llvm::enumerate(loop.getOperands())) {
    BlockArgument variable = loop.getBody().getArgument(i);
    if (yielded[i] != variable && yielded[i] != init)
      continue;
    outside.map(variable, init);
    outside.map(loop.getCond().getArgument(i), init);
  }
}

bool LoopHoister::isInvariant(Value value) {
  if (outside.contains(value) ||
      !loop->isAncestor(value.getParentBlock()->getParentOp()))
    return true;
  Operation *op = value.getDefiningOp();
  // What is in a branch, or in a loop that could not do without it, stays.
  return op && op->getParentOp() == loop && canHoist(op);
}

/// Whether an op is pure and depends on nothing that the loop changes.
bool LoopHoister::canHoist(Operation *op) {
  if (auto known = hoistable.find(op); known != hoistable.end())
    return known->second;
  bool can = isMemoryEffectFree(op) && !isa<ShardingTieOpInterface>(op) &&
             llvm::all_of(op->getOperands(),
                          [&](Value operand) { return isInvariant(operand); });
  if (can)
    visitUsedValuesDefinedAbove(op->getRegions(), [&](OpOperand *use) {
      can &= isInvariant(use->get());
    });
  return hoistable[op] = can;
}

/// The value before the loop. Ops are copied: what only the collective needed
/// is dead in the loop then, and what others use there, constants above all,
/// stays where they are fused with it.
Value LoopHoister::hoist(Value value) {
  Operation *op = value.getDefiningOp();
  if (outside.contains(value) || !op || !loop->isProperAncestor(op))
    return outside.lookupOrDefault(value);
  for (Value operand : op->getOperands())
    hoist(operand);
  visitUsedValuesDefinedAbove(op->getRegions(),
                              [&](OpOperand *use) { hoist(use->get()); });
  builder.clone(*op, outside);
  return outside.lookup(value);
}

/// Bytes by which the result of a collective is larger than its operand.
static int64_t growthOf(CollectiveOpInterface op) {
  auto bytes = [](Value value) {
    auto type = cast<RankedTensorType>(value.getType());
    return type.getNumElements() * elementBytes(type);
  };
  return std::max<int64_t>(
      bytes(op->getResult(0)) - bytes(op.getCollectiveOperand()), 0);
}

/// Removes ops of `block` that nothing uses any more.
static void eraseDead(mlir::Block &block) {
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
    if (isOpTriviallyDead(&op))
      op.erase();
}

unsigned LoopHoister::run() {
  unsigned numHoisted = 0;
  for (Region &region : loop->getRegions()) {
    mlir::Block &block = region.front();
    for (Operation &op : block) {
      auto collective = dyn_cast<CollectiveOpInterface>(op);
      if (!collective || !canHoist(&op))
        continue;
      int64_t more = growthOf(collective);
      if (more > room) {
        // Nor may it move as a part of a chain.
        hoistable[&op] = false;
        continue;
      }
      room -= more;
      Value result = op.getResult(0);
      result.replaceAllUsesWith(hoist(result));
      // A slice moves nothing; it comes along so that less is kept.
      if (collective.getCollectiveKind() != CollectiveKind::AllSlice)
        ++numHoisted;
    }
  }
  // Not before: a copy could lie where an op was that is still in the maps.
  for (Region &region : loop->getRegions())
    eraseDead(region.front());
  return numHoisted;
}

namespace {

struct HoistCollectives : cleave::impl::HoistCollectivesBase<HoistCollectives> {
  using HoistCollectivesBase::HoistCollectivesBase;

  void runOnOperation() override {
    for (auto func : getOperation().getOps<func::FuncOp>())
      // Inner loops first: what leaves them may leave the outer ones.
      func.walk([&](graph::WhileOp loop) {
        numHoisted += LoopHoister(loop, maxGrowth).run();
      });
  }
};

} // namespace
