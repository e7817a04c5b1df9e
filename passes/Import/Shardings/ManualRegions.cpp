//===- ManualRegions.cpp - Regions between full and shard shapes ----------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Import/Shardings/ManualRegions.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace cleave;
using stablehlo::CustomCallOp;

namespace cleave::reader {

bool isCallOf(CustomCallOp call, StringRef target) {
  auto name = call->getAttrOfType<StringAttr>("call_target_name");
  return name && name.getValue() == target;
}

static bool isEntry(Operation *op) {
  auto call = dyn_cast_or_null<CustomCallOp>(op);
  return call && isCallOf(call, "SPMDFullToShardShape");
}
static bool isExit(Operation *op) {
  auto call = dyn_cast_or_null<CustomCallOp>(op);
  return call && isCallOf(call, "SPMDShardToFullShape");
}

namespace {

/// One region on local shapes: the ops of a block between entries and exits
/// that depend on one another.
struct ManualRegion {
  SmallVector<CustomCallOp> entries, exits;
  SmallVector<Operation *> body;
  /// Constants and the like, which code outside may use too.
  llvm::SetVector<Operation *> sources;
};

} // namespace

/// What an op uses, in its regions too, that is defined outside of it.
static void forEachUsedValue(Operation *op,
                             function_ref<void(OpOperand &)> body) {
  op->walk([&](Operation *inner) {
    for (OpOperand &operand : inner->getOpOperands())
      if (!op->isProperAncestor(
              operand.get().getParentBlock()->getParentOp()) &&
          operand.get().getParentBlock()->getParentOp() != op)
        body(operand);
  });
}

/// Collects the region that `first` enters: forwards to the exits, and back to
/// the other entries of what is met there.
static ManualRegion collectRegion(CustomCallOp first) {
  ManualRegion region;
  llvm::SetVector<Operation *> seen;
  SmallVector<Operation *> worklist{first};
  mlir::Block *block = first->getBlock();
  auto visit = [&](Operation *op) {
    if (!isEntry(op) && op->getNumOperands() == 0 && op->getNumRegions() == 0)
      region.sources.insert(op);
    else if (seen.insert(op))
      worklist.push_back(op);
  };
  seen.insert(first);
  while (!worklist.empty()) {
    Operation *op = worklist.pop_back_val();
    if (!isExit(op))
      for (Operation *user : op->getUsers()) {
        Operation *inBlock = block->findAncestorOpInBlock(*user);
        if (inBlock && !inBlock->hasTrait<OpTrait::IsTerminator>())
          visit(inBlock);
      }
    if (!isEntry(op))
      forEachUsedValue(op, [&](OpOperand &operand) {
        Operation *producer = operand.get().getDefiningOp();
        if (producer && producer->getBlock() == block && !isExit(producer))
          visit(producer);
      });
  }
  // In program order.
  for (Operation &op : *block) {
    if (!seen.contains(&op))
      continue;
    if (isEntry(&op))
      region.entries.push_back(cast<CustomCallOp>(op));
    else if (isExit(&op))
      region.exits.push_back(cast<CustomCallOp>(op));
    else
      region.body.push_back(&op);
  }
  return region;
}

static LogicalResult checkCall(CustomCallOp call) {
  if (call->getNumOperands() != 1 || call->getNumResults() != 1)
    return call.emitError("takes one value and returns one");
  return success();
}

/// The sharding of the global side of an entry: that of the @Sharding call
/// before it, which gives the value that is cut.
static Attribute entrySharding(CustomCallOp entry) {
  auto before = entry->getOperand(0).getDefiningOp<CustomCallOp>();
  if (!before || !isCallOf(before, "Sharding"))
    return {};
  return before->getAttr("mhlo.sharding");
}

static LogicalResult formRegion(ManualRegion &region, ShardingOf shardingOf) {
  CustomCallOp first = region.entries.front();
  SmallVector<Value> inputs;
  SmallVector<Attribute> inShardings, outShardings;
  for (CustomCallOp entry : region.entries) {
    if (failed(checkCall(entry)))
      return failure();
    Value input = entry->getOperand(0);
    spmd::ShardingAttr sharding =
        shardingOf(entrySharding(entry), input.getType());
    if (!sharding)
      return entry.emitError(
          "needs the value of a @Sharding call that says how it is cut over "
          "all devices; regions that are manual along some axes only are not "
          "supported");
    inputs.push_back(input);
    inShardings.push_back(sharding);
  }
  SmallVector<Type> types;
  for (CustomCallOp exit : region.exits) {
    if (failed(checkCall(exit)))
      return failure();
    Type type = exit->getResult(0).getType();
    spmd::ShardingAttr sharding =
        shardingOf(exit->getAttr("mhlo.sharding"), type);
    if (!sharding)
      return exit.emitError("needs an mhlo.sharding that says how its result "
                            "is cut over all devices");
    types.push_back(type);
    outShardings.push_back(sharding);
  }
  if (region.exits.empty())
    return first.emitError("enters code on local shapes that is never left "
                           "through @SPMDShardToFullShape");
  for (Operation *op : region.body)
    for (Operation *user : op->getUsers())
      if (user->hasTrait<OpTrait::IsTerminator>() &&
          user->getBlock() == op->getBlock())
        return op->emitError("is a value on local shapes that leaves its "
                             "region without @SPMDShardToFullShape");
  // All inputs must be there before the first result is.
  for (CustomCallOp entry : region.entries)
    if (!entry->isBeforeInBlock(region.exits.front()))
      return entry.emitError("enters a region on local shapes that "
                             "has been left already");

  OpBuilder builder(region.exits.front());
  MLIRContext *context = builder.getContext();
  auto manual =
      spmd::ManualComputationOp::create(builder, first.getLoc(), types, inputs,
                                        ArrayAttr::get(context, inShardings),
                                        ArrayAttr::get(context, outShardings),
                                        /*free_axes=*/ArrayAttr());
  mlir::Block *block = builder.createBlock(&manual.getBody());
  for (CustomCallOp entry : region.entries) {
    Value local = entry->getResult(0);
    local.replaceAllUsesWith(
        block->addArgument(local.getType(), entry.getLoc()));
  }
  auto isInBody = [&](OpOperand &use) {
    return manual.getBody().isAncestor(use.getOwner()->getParentRegion());
  };
  for (Operation *op : region.body)
    op->moveBefore(block, block->end());
  builder.setInsertionPointToStart(block);
  for (Operation *source : region.sources) {
    Operation *local = builder.clone(*source);
    source->replaceUsesWithIf(local->getResults(), isInBody);
  }
  SmallVector<Value> results;
  for (auto [exit, result] :
       llvm::zip_equal(region.exits, manual.getResults())) {
    results.push_back(exit->getOperand(0));
    exit->getResult(0).replaceAllUsesWith(result);
  }
  builder.setInsertionPointToEnd(block);
  spmd::ReturnOp::create(builder, first.getLoc(), results);
  for (CustomCallOp exit : region.exits)
    exit.erase();
  for (CustomCallOp entry : region.entries)
    entry.erase();

  // The computation is isolated: whatever else it uses must come with it.
  for (Operation &op : block->without_terminator()) {
    LogicalResult status = success();
    forEachUsedValue(&op, [&](OpOperand &operand) {
      if (!manual.getBody().isAncestor(operand.get().getParentRegion()))
        status = op.emitError("on local shapes uses a value that did not pass "
                              "through @SPMDFullToShardShape");
    });
    if (failed(status))
      return failure();
  }
  return success();
}

LogicalResult formManualRegions(func::FuncOp function, ShardingOf shardingOf) {
  while (true) {
    CustomCallOp entry;
    function.walk([&](CustomCallOp call) {
      if (!isEntry(call))
        return WalkResult::advance();
      entry = call;
      return WalkResult::interrupt();
    });
    if (!entry)
      break;
    ManualRegion region = collectRegion(entry);
    if (failed(formRegion(region, shardingOf)))
      return failure();
  }
  auto stray = function.walk([&](CustomCallOp call) {
    if (!isExit(call))
      return WalkResult::advance();
    call.emitError("leaves no region: its operand does not come from "
                   "@SPMDFullToShardShape");
    return WalkResult::interrupt();
  });
  return failure(stray.wasInterrupted());
}

} // namespace cleave::reader
