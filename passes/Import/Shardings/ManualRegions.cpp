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

/// What the calls at the border of a region say.
struct Border {
  SmallVector<Attribute> in, out;
  /// The axes along which the region is manual, but not the code around it.
  SmallVector<StringAttr> manual;
  /// The order of devices that the shardings name.
  std::optional<unsigned> order;
  /// The call that said what is manual.
  CustomCallOp first;
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

static LogicalResult checkCall(CustomCallOp call) {
  if (call->getNumOperands() != 1 || call->getNumResults() != 1)
    return call.emitError("takes one value and returns one");
  return success();
}

/// The @Sharding call that yields the operand of an entry or exit; null if
/// there is none.
static CustomCallOp callBefore(CustomCallOp call) {
  auto before = call->getOperand(0).getDefiningOp<CustomCallOp>();
  return before && isCallOf(before, "Sharding") ? before : CustomCallOp();
}

/// Notes along which axes the values of `call` become local: those along which
/// they are in the region and not around it.
static LogicalResult addManualAxes(Border &border, CustomCallOp call,
                                   const CallSharding &global,
                                   const CallSharding &local) {
  SmallVector<StringAttr> manual;
  llvm::copy_if(local.manual, std::back_inserter(manual), [&](StringAttr axis) {
    return !llvm::is_contained(global.manual, axis);
  });
  if (border.first && manual != border.manual) {
    InFlightDiagnostic diag =
        call.emitError("is manual along other devices than the rest of its "
                       "region");
    diag.attachNote(border.first.getLoc()) << "such as this";
    return diag;
  }
  for (const CallSharding *side : {&global, &local}) {
    if (border.order && side->order && *border.order != *side->order)
      return call.emitError("lists devices in an order that cannot be combined "
                            "with that of other values of its region");
    if (side->order)
      border.order = side->order;
  }
  border.first = call;
  border.manual = manual;
  return success();
}

/// Checks that the axes along which a value becomes local divide it, so that
/// local values have no padding.
static LogicalResult checkDivides(CustomCallOp call, const Border &border,
                                  spmd::ShardingAttr sharding, Type type,
                                  spmd::MeshOp mesh) {
  for (auto [d, dim] : llvm::enumerate(sharding.getDims())) {
    int64_t pieces = 1;
    for (spmd::AxisAttr axis : dim.getAxes())
      for (auto [name, size] : llvm::zip_equal(mesh.getShape().getNames(),
                                               mesh.getShape().getSizes()))
        if (name == axis.getName() && llvm::is_contained(border.manual, name))
          pieces *= size;
    int64_t size = cast<RankedTensorType>(type).getDimSize(d);
    if (size % pieces != 0)
      return call.emitError("cuts dimension ")
             << d << ", of size " << size << ", into " << pieces
             << " blocks that are not equal";
  }
  return success();
}

/// The order of devices in which a region is read: one that all its values
/// have, if there is such a one.
static FailureOr<std::optional<unsigned>> orderOf(ManualRegion &region,
                                                  CallShardings &shardings) {
  SmallVector<CustomCallOp> calls;
  for (CustomCallOp entry : region.entries)
    llvm::append_values(calls, entry, callBefore(entry));
  for (CustomCallOp exit : region.exits)
    llvm::append_values(calls, exit, callBefore(exit));
  auto read = [&](CustomCallOp call, std::optional<unsigned> order) {
    Type type = call ? call->getResult(0).getType() : Type();
    return shardings.read(call, type, order);
  };
  SmallVector<unsigned> orders;
  for (CustomCallOp call : calls) {
    FailureOr<CallSharding> sharding = read(call, std::nullopt);
    if (failed(sharding))
      return failure();
    if (sharding->order && !llvm::is_contained(orders, *sharding->order))
      orders.push_back(*sharding->order);
  }
  auto isOfAll = [&](unsigned order) {
    return llvm::all_of(calls, [&](CustomCallOp call) {
      FailureOr<CallSharding> sharding = read(call, order);
      return !sharding->order || *sharding->order == order;
    });
  };
  auto *found = llvm::find_if(orders, isOfAll);
  return found == orders.end() ? std::optional<unsigned>() : *found;
}

static FailureOr<Border> readBorder(ManualRegion &region,
                                    CallShardings &shardings) {
  Border border;
  FailureOr<std::optional<unsigned>> order = orderOf(region, shardings);
  if (failed(order))
    return failure();
  auto read = [&](CustomCallOp call, CustomCallOp outside, CustomCallOp inside,
                  Type globalType, Type localType,
                  SmallVectorImpl<Attribute> &side) -> LogicalResult {
    FailureOr<CallSharding> global =
        shardings.read(outside, globalType, *order);
    FailureOr<CallSharding> local = shardings.read(inside, localType, *order);
    if (failed(global) || failed(local))
      return failure();
    if (!global->sharding)
      return call.emitError("needs the mhlo.sharding of its global value: of "
                            "the result, or of a @Sharding call before it");
    // An exit need not repeat what the entries say.
    bool saysWhat = inside && inside->hasAttr("mhlo.sharding");
    if (!saysWhat && !border.first)
      return call.emitError("needs an mhlo.sharding that says along which "
                            "devices its local value is manual");
    if (saysWhat && failed(addManualAxes(border, call, *global, *local)))
      return failure();
    side.push_back(global->sharding);
    return checkDivides(call, border, global->sharding, globalType,
                        shardings.getMesh());
  };
  for (CustomCallOp entry : region.entries)
    if (failed(read(entry, callBefore(entry), entry,
                    entry->getOperand(0).getType(),
                    entry->getResult(0).getType(), border.in)))
      return failure();
  for (CustomCallOp exit : region.exits)
    if (failed(read(exit, exit, callBefore(exit), exit->getResult(0).getType(),
                    exit->getOperand(0).getType(), border.out)))
      return failure();
  return border;
}

/// The axes that are manual neither in the region nor around it.
static SmallVector<Attribute> freeAxesOf(ManualRegion &region,
                                         const Border &border,
                                         CallShardings &shardings) {
  CustomCallOp inside = region.entries.empty()
                            ? callBefore(region.exits.front())
                            : region.entries.front();
  SmallVector<Attribute> free;
  FailureOr<CallSharding> local =
      shardings.read(inside, inside->getResult(0).getType(), border.order);
  for (StringAttr axis : shardings.getMesh().getShape().getNames())
    if (!llvm::is_contained(local->manual, axis))
      free.push_back(axis);
  return free;
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

static LogicalResult formRegion(ManualRegion &region,
                                CallShardings &shardings) {
  if (region.exits.empty())
    return region.entries.front().emitError(
        "enters code on local shapes that is never left through "
        "@SPMDShardToFullShape");
  CustomCallOp first =
      region.entries.empty() ? region.exits.front() : region.entries.front();
  if (region.entries.empty() && !callBefore(first))
    return first.emitError("leaves no region: its operand does not come from "
                           "@SPMDFullToShardShape or @Sharding");
  FailureOr<Border> border = readBorder(region, shardings);
  if (failed(border))
    return failure();
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

  SmallVector<Value> inputs;
  for (CustomCallOp entry : region.entries)
    inputs.push_back(entry->getOperand(0));
  SmallVector<Type> types;
  for (CustomCallOp exit : region.exits)
    types.push_back(exit->getResult(0).getType());
  OpBuilder builder(region.exits.front());
  MLIRContext *context = builder.getContext();
  SmallVector<Attribute> free = freeAxesOf(region, *border, shardings);
  auto manual = spmd::ManualComputationOp::create(
      builder, first.getLoc(), types, inputs,
      ArrayAttr::get(context, border->in), ArrayAttr::get(context, border->out),
      free.empty() ? ArrayAttr() : ArrayAttr::get(context, free));
  if (free.empty())
    closeDims(manual);
  if (border->order)
    if (SmallVector<int64_t> devices = shardings.devicesOf(*border->order);
        !devices.empty())
      manual->setAttr(kDevices, builder.getDenseI64ArrayAttr(devices));
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
    if (source->use_empty())
      source->erase();
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

/// How many axes are manual around a region that `call` enters or leaves.
static FailureOr<size_t> depthOf(CustomCallOp call, CallShardings &shardings) {
  if (failed(checkCall(call)))
    return failure();
  CustomCallOp outside = isEntry(call) ? callBefore(call) : call;
  Type type = isEntry(call) ? call->getOperand(0).getType()
                            : call->getResult(0).getType();
  FailureOr<CallSharding> global = shardings.read(outside, type);
  if (failed(global))
    return failure();
  return global->manual.size();
}

/// On one device local values are the global ones.
static LogicalResult dropBorders(func::FuncOp function) {
  auto walk = function.walk([&](CustomCallOp call) {
    if (!isEntry(call) && !isExit(call))
      return WalkResult::advance();
    if (failed(checkCall(call)))
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

LogicalResult formManualRegions(func::FuncOp function,
                                CallShardings &shardings) {
  if (!shardings.getMesh())
    return dropBorders(function);
  while (true) {
    // Those inside of others first; of these an entry, if there is one.
    CustomCallOp border;
    size_t deepest = 0;
    auto walk = function.walk([&](CustomCallOp call) {
      if (!isEntry(call) && !isExit(call))
        return WalkResult::advance();
      FailureOr<size_t> depth = depthOf(call, shardings);
      if (failed(depth))
        return WalkResult::interrupt();
      if (!border || *depth > deepest ||
          (*depth == deepest && isExit(border) && isEntry(call))) {
        border = call;
        deepest = *depth;
      }
      return WalkResult::advance();
    });
    if (walk.wasInterrupted())
      return failure();
    if (!border)
      return success();
    ManualRegion region = collectRegion(border);
    if (failed(formRegion(region, shardings)))
      return failure();
  }
}

} // namespace cleave::reader
