//===- ImportShardyShardings.cpp - From sdy to spmd -----------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Shardings on arguments and results stay where they are; one on an op becomes
// a constraint on its results. Shardy's collectives act on global tensors, so
// that each is a constraint as well: which collectives move the data, the
// reshard planner decides.
//
//===----------------------------------------------------------------------===//

#include "dialects/Spmd/SpmdBuilders.h"
#include "dialects/StableHLO/StableHLODialect.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/PatternMatch.h"
#include "passes/Import/Passes.h"
#include "passes/Import/Shardings/FrontendShardings.h"
#include "passes/Import/Shardings/GroupsOfAxes.h"
#include "passes/Import/Shardings/ProcessGroups.h"
#include "passes/Import/Shardings/ShardyAnnotations.h"
#include "passes/Import/Shardings/ShardyMeshes.h"
#include "passes/Import/Shardings/UnreducedCopies.h"
#include "llvm/ADT/TypeSwitch.h"
#include <map>

namespace cleave {
#define GEN_PASS_DEF_IMPORTSHARDYSHARDINGS
#include "passes/Import/Passes.h.inc"
} // namespace cleave

using namespace mlir;
using namespace cleave;

namespace {

struct ImportShardyShardings
    : cleave::impl::ImportShardyShardingsBase<ImportShardyShardings> {
  void runOnOperation() override;

private:
  ArrayAttr freeAxesOf(sdy::ManualComputationOp op);
  ArrayAttr convertManual(sdy::ManualComputationOp op,
                          sdy::ShardingPerValueAttr shardings, bool keepFree);
  Value constrain(OpBuilder &builder, Location loc, Value value,
                  sdy::ShardingAttr sharding) {
    return spmd::constrain(builder, loc, value, meshes.convert(sharding));
  }

  void importSignature(func::FuncOp function);
  void importResults(Operation *op);
  LogicalResult importOp(Operation *op);
  LogicalResult importManual(sdy::ManualComputationOp op);
  void importNamed(sdy::NamedComputationOp op);
  LogicalResult importGroup(sdy::ShardingGroupOp op);
  LogicalResult importBarrier(sdy::PropagationBarrierOp op);

  reader::ShardyMeshes meshes;
  /// What the first member of each group is, and where. A group may have any
  /// number, also those that a DenseMap keeps for itself.
  std::map<int64_t, std::pair<Type, Location>> groups;
};

} // namespace

//===----------------------------------------------------------------------===//
// Signatures and results
//===----------------------------------------------------------------------===//

/// Arguments and results of functions.
void ImportShardyShardings::importSignature(func::FuncOp function) {
  StringRef from = sdy::SdyDialect::kSharding;
  StringRef to = spmd::SpmdDialect::kSharding;
  // What is on one device need not name its dimensions.
  auto fits = [](spmd::ShardingAttr sharding, Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return sharding &&
           (!tensor || static_cast<int64_t>(sharding.getDims().size()) ==
                           tensor.getRank());
  };
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    if (auto sharding = function.getArgAttrOfType<sdy::ShardingAttr>(i, from)) {
      function.removeArgAttr(i, from);
      if (spmd::ShardingAttr converted = meshes.convert(sharding);
          fits(converted, function.getArgumentTypes()[i]))
        function.setArgAttr(i, to, converted);
    }
  for (unsigned i = 0; i < function.getNumResults(); ++i)
    if (auto sharding =
            function.getResultAttrOfType<sdy::ShardingAttr>(i, from)) {
      function.removeResultAttr(i, StringAttr::get(&getContext(), from));
      if (spmd::ShardingAttr converted = meshes.convert(sharding);
          fits(converted, function.getResultTypes()[i]))
        function.setResultAttr(i, to, converted);
    }
}

/// The attribute of an op, one sharding per result.
void ImportShardyShardings::importResults(Operation *op) {
  auto shardings = dyn_cast_or_null<sdy::ShardingPerValueAttr>(
      op->removeDiscardableAttr(sdy::SdyDialect::kSharding));
  // Fewer or more are those of a tuple's elements.
  if (!shardings || op->getParentOfType<sdy::ManualComputationOp>() ||
      shardings.getShardings().size() != op->getNumResults())
    return;
  SmallVector<spmd::ShardingAttr> converted;
  for (sdy::ShardingAttr sharding : shardings.getShardings())
    converted.push_back(meshes.convert(sharding));
  spmd::constrainResults(op, converted);
}

//===----------------------------------------------------------------------===//
// Computations
//===----------------------------------------------------------------------===//

/// The axes of the common mesh that are no part of a manual axis, of the
/// computation around it either; null if there are none.
ArrayAttr ImportShardyShardings::freeAxesOf(sdy::ManualComputationOp op) {
  sdy::MeshAttr mesh = meshes.meshOf(op);
  if (!mesh)
    return {};
  SmallVector<StringAttr> manual;
  for (StringAttr name : op.getManualAxes().getNames())
    for (spmd::AxisAttr axis :
         meshes.axesOf(mesh, sdy::AxisAttr::get(&getContext(), name, 1, 0)))
      manual.push_back(axis.getName());
  SmallVector<Attribute> free;
  auto outer = op->getParentOfType<spmd::ManualComputationOp>();
  int64_t positions = 1;
  spmd::MeshAttr shape = meshes.getCommon().getShape();
  for (auto [name, size] : llvm::zip_equal(shape.getNames(), shape.getSizes()))
    if (!llvm::is_contained(manual, name) &&
        (!outer ||
         outer.isFree(spmd::AxisAttr::get(&getContext(), name, 1, 0)))) {
      free.push_back(name);
      positions *= size;
    }
  return positions == 1 ? ArrayAttr() : ArrayAttr::get(&getContext(), free);
}

/// Shardings of a manual computation. Without free axes dimensions are closed.
ArrayAttr
ImportShardyShardings::convertManual(sdy::ManualComputationOp op,
                                     sdy::ShardingPerValueAttr shardings,
                                     bool keepFree) {
  SmallVector<Attribute> result;
  ArrayRef<StringAttr> manual = op.getManualAxes().getNames();
  for (sdy::ShardingAttr sharding : shardings.getShardings()) {
    auto isFree = [&](sdy::AxisAttr axis) {
      return !llvm::is_contained(manual, axis.getName());
    };
    SmallVector<sdy::DimShardingAttr> dims;
    for (sdy::DimShardingAttr dim : sharding.getDims()) {
      SmallVector<sdy::AxisAttr> axes(dim.getAxes());
      if (!keepFree)
        llvm::erase_if(axes, isFree);
      dims.push_back(sdy::DimShardingAttr::get(
          &getContext(), axes, keepFree && dim.getOpen(),
          keepFree ? dim.getPriority() : std::nullopt));
    }
    SmallVector<sdy::AxisAttr> replicated;
    if (keepFree)
      llvm::copy_if(sharding.getReplicated(), std::back_inserter(replicated),
                    isFree);
    SmallVector<sdy::AxisAttr> unreduced(sharding.getUnreduced());
    llvm::erase_if(unreduced, isFree);
    result.push_back(meshes.convert(sdy::ShardingAttr::get(
        &getContext(), sharding.getMesh(), dims, replicated, unreduced)));
  }
  return ArrayAttr::get(&getContext(), result);
}

LogicalResult ImportShardyShardings::importManual(sdy::ManualComputationOp op) {
  mlir::Block &block = op.getBody().front();
  auto terminator = dyn_cast<sdy::ReturnOp>(block.getTerminator());
  if (!terminator)
    return op.emitOpError("body must end with sdy.return");
  if (!meshes.getCommon()) {
    // One device: local values are the global ones.
    IRRewriter rewriter(&getContext());
    rewriter.inlineBlockBefore(&block, op, op.getInputs());
    SmallVector<Value> results(terminator.getOperands());
    rewriter.eraseOp(terminator);
    rewriter.replaceOp(op, results);
    return success();
  }
  ArrayAttr free = freeAxesOf(op);
  ArrayAttr in = convertManual(op, op.getInShardings(), bool(free));
  ArrayAttr out = convertManual(op, op.getOutShardings(), bool(free));
  OpBuilder builder(op);
  auto manual = spmd::ManualComputationOp::create(
      builder, op.getLoc(), op.getResultTypes(), op.getInputs(), in, out, free);
  manual.getBody().takeBody(op.getBody());
  if (sdy::MeshAttr mesh = meshes.meshOf(op))
    if (SmallVector<int64_t> devices = meshes.devicesOf(mesh); !devices.empty())
      manual->setAttr(reader::kDevices, builder.getDenseI64ArrayAttr(devices));
  builder.setInsertionPoint(terminator);
  spmd::ReturnOp::create(builder, terminator.getLoc(),
                         terminator.getOperands());
  terminator.erase();
  op.replaceAllUsesWith(manual.getResults());
  op.erase();
  return success();
}

/// A call with its body in place: inlined.
void ImportShardyShardings::importNamed(sdy::NamedComputationOp op) {
  OpBuilder builder(op);
  SmallVector<Value> inputs(op.getInputs());
  auto constrainAll = [&](MutableArrayRef<Value> values,
                          std::optional<sdy::ShardingPerValueAttr> shardings) {
    if (!shardings)
      return;
    for (auto [value, sharding] :
         llvm::zip_equal(values, shardings->getShardings()))
      value = constrain(builder, op.getLoc(), value, sharding);
  };
  constrainAll(inputs, op.getInShardings());
  mlir::Block &block = op.getBody().front();
  Operation *terminator = block.getTerminator();
  IRRewriter rewriter(&getContext());
  rewriter.inlineBlockBefore(&block, op, inputs);
  SmallVector<Value> results(terminator->getOperands());
  constrainAll(results, op.getOutShardings());
  rewriter.eraseOp(terminator);
  rewriter.replaceOp(op, results);
}

/// A value through which shardings spread in some directions only.
LogicalResult
ImportShardyShardings::importBarrier(sdy::PropagationBarrierOp op) {
  StringRef direction = op.getDirection();
  if (direction.empty())
    return op.emitError("allowed_direction is ")
           << op.getAllowedDirection()
           << "; expected FORWARD, BACKWARD, NONE or BOTH";
  Value value = op.getInput();
  OpBuilder builder(op);
  if (spmd::MeshOp mesh = meshes.getCommon(); mesh && direction != "BOTH")
    value = spmd::constrainOpen(builder, op.getLoc(), value, mesh,
                                spmd::kPropagationBarrier,
                                builder.getStringAttr(direction));
  op.getResult().replaceAllUsesWith(value);
  op.erase();
  return success();
}

/// A value that is to be cut like the others of its group.
LogicalResult ImportShardyShardings::importGroup(sdy::ShardingGroupOp op) {
  Type type = op.getInput().getType();
  auto [it, isFirst] = groups.try_emplace(op.getGroupId(), type, op.getLoc());
  const auto &[firstType, firstLoc] = it->second;
  auto tensor = dyn_cast<RankedTensorType>(type);
  auto first = dyn_cast<RankedTensorType>(firstType);
  if (tensor && first && tensor.getShape() != first.getShape()) {
    InFlightDiagnostic diag = op.emitError("has ")
                              << type << " in group " << op.getGroupId()
                              << "; expected the shape of its other members";
    diag.attachNote(firstLoc) << "such as " << firstType;
    return diag;
  }
  if (spmd::MeshOp mesh = meshes.getCommon()) {
    Value value = op.getInput();
    OpBuilder builder(&getContext());
    builder.setInsertionPointAfterValue(value);
    Value member =
        spmd::constrainOpen(builder, op.getLoc(), value, mesh,
                            spmd::kShardingGroup, op.getGroupIdAttr());
    if (member != value)
      value.replaceAllUsesExcept(member, member.getDefiningOp());
  }
  op.erase();
  return success();
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

LogicalResult ImportShardyShardings::importOp(Operation *op) {
  OpBuilder builder(op);
  auto move = [&](auto identity, sdy::ShardingAttr sharding) {
    Value input =
        constrain(builder, op->getLoc(), identity.getInput(), sharding);
    identity.getResult().replaceAllUsesWith(input);
    identity.erase();
    return success();
  };
  return TypeSwitch<Operation *, LogicalResult>(op)
      .Case<sdy::ShardingConstraintOp, sdy::ReshardOp>(
          [&](auto identity) { return move(identity, identity.getSharding()); })
      .Case<sdy::AllGatherOp, sdy::AllSliceOp, sdy::AllReduceOp,
            sdy::AllToAllOp, sdy::ReduceScatterOp, sdy::CollectivePermuteOp>(
          [&](auto identity) {
            return move(identity, identity.getOutSharding());
          })
      .Case([&](sdy::DataFlowEdgeOp edge) {
        if (std::optional<sdy::ShardingAttr> sharding = edge.getSharding())
          return move(edge, *sharding);
        edge.replaceAllUsesWith(edge.getInput());
        edge.erase();
        return success();
      })
      .Case([&](sdy::FuncDataFlowEdgeOp edge) {
        edge.replaceAllUsesWith(edge.getInput());
        edge.erase();
        return success();
      })
      .Case([&](sdy::ConstantOp constant) {
        OperationState state(constant.getLoc(),
                             stablehlo::ConstantOp::getOperationName());
        state.addAttribute("value", constant.getValueAttr());
        state.addTypes(constant.getType());
        constant->replaceAllUsesWith(builder.create(state));
        constant.erase();
        return success();
      })
      .Case([&](sdy::PropagationBarrierOp barrier) {
        return importBarrier(barrier);
      })
      .Case([&](sdy::ShardingGroupOp group) { return importGroup(group); })
      .Case(
          [&](sdy::ManualComputationOp manual) { return importManual(manual); })
      .Case([&](sdy::NamedComputationOp named) {
        importNamed(named);
        return success();
      })
      .Default([](Operation *) { return success(); });
}

void ImportShardyShardings::runOnOperation() {
  ModuleOp module = getOperation();
  if (failed(reader::readFrontendShardings(module)) ||
      failed(reader::listGroupsOfAxes(module)) ||
      failed(meshes.collect(module)) ||
      failed(reader::checkShardyAnnotations(module, meshes)))
    return signalPassFailure();
  reader::replaceUnreducedCopies(module);
  meshes.declareCommon(module);
  groups.clear();

  for (auto function : module.getOps<func::FuncOp>())
    importSignature(function);
  // Outer computations first: what is in them is then known to be local.
  SmallVector<Operation *> ops;
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    // Returns go with their computation.
    if (op != module && !isa<sdy::ReturnOp>(op))
      ops.push_back(op);
  });
  for (Operation *op : ops) {
    importResults(op);
    if (failed(importOp(op)))
      return signalPassFailure();
  }
}
