//===- ManualRegions.cpp - Regions between full and shard shapes ----------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Import/Shardings/ManualRegions.h"
#include "passes/Import/Shardings/ProcessGroups.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace cleave;
using stablehlo::CustomCallOp;

namespace cleave::reader {

//===----------------------------------------------------------------------===//
// Regions
//===----------------------------------------------------------------------===//

namespace {

/// One region on local shapes: the ops of a block between entries and exits
/// that depend on one another.
struct ManualRegion {
  SmallVector<CustomCallOp> entries, exits;
  SmallVector<Operation *> body;
  /// Constants and the like, which code outside may use too.
  llvm::SetVector<Operation *> sources;

  CustomCallOp firstCall() const {
    return entries.empty() ? exits.front() : entries.front();
  }
  SmallVector<CustomCallOp> calls() const {
    return llvm::to_vector(llvm::concat<const CustomCallOp>(entries, exits));
  }
};

} // namespace

/// What an op uses, in its regions too, that is defined outside of it.
static void forEachUsedValue(Operation *op,
                             function_ref<void(OpOperand &)> body) {
  op->walk([&](Operation *inner) {
    for (OpOperand &operand : inner->getOpOperands())
      if (!op->isAncestor(operand.get().getParentBlock()->getParentOp()))
        body(operand);
  });
}

/// Collects the region that `first` enters or leaves: forwards to the exits,
/// and back to the other entries of what is met there.
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

//===----------------------------------------------------------------------===//
// Computations
//===----------------------------------------------------------------------===//

/// Checks that a region is entered, or made of what its exits say, and left.
static LogicalResult checkBorder(const ManualRegion &region) {
  if (region.exits.empty())
    return region.firstCall().emitError(
        "enters code on local shapes that is never left through "
        "@SPMDShardToFullShape");
  if (region.entries.empty() && !callBefore(region.firstCall()))
    return region.firstCall().emitError(
        "leaves no region: its operand does not come from "
        "@SPMDFullToShardShape or @Sharding");
  return success();
}

/// Checks that local values leave a region through its exits only, and that all
/// its inputs are there before the first result is.
static LogicalResult checkBody(const ManualRegion &region) {
  for (Operation *op : region.body)
    for (Operation *user : op->getUsers())
      if (user->hasTrait<OpTrait::IsTerminator>() &&
          user->getBlock() == op->getBlock())
        return op->emitError("is a value on local shapes that leaves its "
                             "region without @SPMDShardToFullShape");
  for (CustomCallOp entry : region.entries)
    if (!entry->isBeforeInBlock(region.exits.front()))
      return entry.emitError("enters a region on local shapes that "
                             "has been left already");
  return success();
}

/// Checks that a computation, which is isolated, came with all that it uses.
static LogicalResult checkIsolated(spmd::ManualComputationOp manual) {
  for (Operation &op : manual.getBody().front().without_terminator()) {
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

/// Without free axes there is nothing to leave open.
static void closeDims(spmd::ManualComputationOp manual) {
  auto closed = [&](ArrayAttr side) {
    SmallVector<Attribute> shardings;
    for (auto sharding : side.getAsRange<spmd::ShardingAttr>())
      shardings.push_back(manual.getManualPart(sharding));
    return ArrayAttr::get(manual.getContext(), shardings);
  };
  manual.setInShardingsAttr(closed(manual.getInShardings()));
  manual.setOutShardingsAttr(closed(manual.getOutShardings()));
}

/// A computation without a body, between the entries and exits of a region.
static spmd::ManualComputationOp createComputation(const ManualRegion &region,
                                                   const Border &border,
                                                   CallShardings &shardings) {
  SmallVector<Value> inputs;
  for (CustomCallOp entry : region.entries)
    inputs.push_back(entry->getOperand(0));
  SmallVector<Type> types;
  for (CustomCallOp exit : region.exits)
    types.push_back(exit->getResult(0).getType());
  OpBuilder builder(region.exits.front());
  auto manual = spmd::ManualComputationOp::create(
      builder, region.firstCall().getLoc(), types, inputs,
      builder.getArrayAttr(border.in), builder.getArrayAttr(border.out),
      border.free.empty() ? ArrayAttr() : builder.getArrayAttr(border.free));
  if (border.free.empty())
    closeDims(manual);
  if (border.order)
    if (SmallVector<int64_t> devices = shardings.devicesOf(*border.order);
        !devices.empty())
      manual->setAttr(kDevices, builder.getDenseI64ArrayAttr(devices));
  return manual;
}

/// Moves the body of a region into its computation, and erases its border.
static void moveBody(const ManualRegion &region,
                     spmd::ManualComputationOp manual) {
  OpBuilder builder(manual.getContext());
  mlir::Block *block = builder.createBlock(&manual.getBody());
  for (CustomCallOp entry : region.entries) {
    Value local = entry->getResult(0);
    local.replaceAllUsesWith(
        block->addArgument(local.getType(), entry.getLoc()));
  }
  for (Operation *op : region.body)
    op->moveBefore(block, block->end());
  builder.setInsertionPointToStart(block);
  for (Operation *source : region.sources) {
    Operation *local = builder.clone(*source);
    source->replaceUsesWithIf(local->getResults(), [&](OpOperand &use) {
      return manual.getBody().isAncestor(use.getOwner()->getParentRegion());
    });
    if (source->use_empty())
      source->erase();
  }
  SmallVector<Value> results;
  for (auto [exit, result] :
       llvm::zip_equal(region.exits, manual.getResults())) {
    results.push_back(exit->getOperand(0));
    CustomCallOp(exit)->getResult(0).replaceAllUsesWith(result);
  }
  builder.setInsertionPointToEnd(block);
  spmd::ReturnOp::create(builder, manual.getLoc(), results);
  for (CustomCallOp exit : region.exits)
    exit.erase();
  for (CustomCallOp entry : region.entries)
    entry.erase();
}

static LogicalResult formRegion(const ManualRegion &region,
                                CallShardings &shardings) {
  if (failed(checkBorder(region)))
    return failure();
  FailureOr<Border> border = Border::read(region.calls(), shardings);
  if (failed(border) || failed(checkBody(region)))
    return failure();
  spmd::ManualComputationOp manual =
      createComputation(region, *border, shardings);
  moveBody(region, manual);
  return checkIsolated(manual);
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

static bool isBorder(CustomCallOp call) {
  return isEntry(call) || isExit(call);
}

/// On one device local values are the global ones.
static LogicalResult dropBorders(func::FuncOp function) {
  auto walk = function.walk([&](CustomCallOp call) {
    if (!isBorder(call))
      return WalkResult::advance();
    if (failed(checkCrossing(call)))
      return WalkResult::interrupt();
    if (call->getOperandTypes() != call->getResultTypes()) {
      call.emitError("changes a shape, but the module is for one device or has "
                     "a mesh that its strings say nothing of");
      return WalkResult::interrupt();
    }
    call->replaceAllUsesWith(call->getOperands());
    call.erase();
    return WalkResult::advance();
  });
  return failure(walk.wasInterrupted());
}

/// An entry or exit of a region that has no other inside; of these an entry, if
/// there is one. Null when none is left.
static FailureOr<CustomCallOp> findInnermost(func::FuncOp function,
                                             CallShardings &shardings) {
  CustomCallOp innermost;
  size_t deepest = 0;
  auto walk = function.walk([&](CustomCallOp call) {
    if (!isBorder(call))
      return WalkResult::advance();
    FailureOr<size_t> depth = depthOf(call, shardings);
    if (failed(depth))
      return WalkResult::interrupt();
    if (!innermost || *depth > deepest ||
        (*depth == deepest && isExit(innermost) && isEntry(call))) {
      innermost = call;
      deepest = *depth;
    }
    return WalkResult::advance();
  });
  if (walk.wasInterrupted())
    return failure();
  return innermost;
}

LogicalResult formManualRegions(func::FuncOp function,
                                CallShardings &shardings) {
  if (!shardings.getMesh())
    return dropBorders(function);
  while (true) {
    FailureOr<CustomCallOp> call = findInnermost(function, shardings);
    if (failed(call))
      return failure();
    if (!*call)
      return success();
    if (failed(formRegion(collectRegion(*call), shardings)))
      return failure();
  }
}

} // namespace cleave::reader
