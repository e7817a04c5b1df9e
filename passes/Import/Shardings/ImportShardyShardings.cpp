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

#include "dialects/Spmd/ShardingConversion.h"
#include "dialects/StableHLO/SdyDialect.h"
#include "dialects/StableHLO/StableHLODialect.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "passes/Import/Passes.h"
#include "passes/Import/Shardings/FrontendShardings.h"
#include "passes/Import/Shardings/GroupsOfAxes.h"
#include "passes/Import/Shardings/MeshUnion.h"
#include "passes/Import/Shardings/ProcessGroups.h"
#include "llvm/ADT/TypeSwitch.h"

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
  LogicalResult collectMeshes();
  LogicalResult collectAxes();
  sdy::MeshAttr meshOf(sdy::ShardingAttr sharding);
  sdy::MeshAttr meshOf(sdy::ManualComputationOp op);

  SmallVector<spmd::AxisAttr> convertAxes(sdy::MeshAttr mesh,
                                          ArrayRef<sdy::AxisAttr> axes);
  spmd::ShardingAttr convert(sdy::ShardingAttr sharding);
  ArrayAttr freeAxesOf(sdy::ManualComputationOp op);
  ArrayAttr convertManual(sdy::ManualComputationOp op,
                          sdy::ShardingPerValueAttr shardings, bool keepFree);

  Value constrain(OpBuilder &builder, Location loc, Value value,
                  sdy::ShardingAttr sharding);
  void importSignature(func::FuncOp function);
  void importResults(Operation *op);
  LogicalResult importOp(Operation *op);
  LogicalResult importManual(sdy::ManualComputationOp op);
  void importNamed(sdy::NamedComputationOp op);

  llvm::DenseMap<StringAttr, sdy::MeshAttr> meshes;
  reader::MeshUnion meshUnion;
  /// Null when everything is on one device.
  spmd::MeshOp common;
};

} // namespace

//===----------------------------------------------------------------------===//
// Meshes
//===----------------------------------------------------------------------===//

/// Calls `body` with each sharding in the attributes of `op`.
static LogicalResult
forEachSharding(Operation *op,
                function_ref<LogicalResult(sdy::ShardingAttr)> body) {
  AttrTypeWalker walker;
  walker.addWalk(
      [&](sdy::ShardingAttr sharding) { return WalkResult(body(sharding)); });
  return failure(walker.walk<WalkOrder::PreOrder>(op->getAttrDictionary())
                     .wasInterrupted());
}

sdy::MeshAttr ImportShardyShardings::meshOf(sdy::ShardingAttr sharding) {
  if (auto inlined = dyn_cast<sdy::MeshAttr>(sharding.getMesh()))
    return inlined;
  return meshes.lookup(cast<FlatSymbolRefAttr>(sharding.getMesh()).getAttr());
}

/// The mesh of a computation's shardings; null if there are none, or if
/// everything is on one device.
sdy::MeshAttr ImportShardyShardings::meshOf(sdy::ManualComputationOp op) {
  for (sdy::ShardingPerValueAttr side :
       {op.getInShardings(), op.getOutShardings()})
    for (sdy::ShardingAttr sharding : side.getShardings())
      if (sdy::MeshAttr mesh = meshOf(sharding); !reader::isOneDevice(mesh))
        return mesh;
  return {};
}

LogicalResult ImportShardyShardings::collectMeshes() {
  for (auto mesh : getOperation().getOps<sdy::MeshOp>()) {
    meshes[mesh.getSymNameAttr()] = mesh.getMesh();
    if (failed(meshUnion.addMesh(mesh.getLoc(), mesh.getMesh())))
      return failure();
  }
  auto status = getOperation().walk([&](Operation *op) {
    return WalkResult(forEachSharding(op, [&](sdy::ShardingAttr sharding) {
      sdy::MeshAttr mesh = meshOf(sharding);
      if (!mesh)
        return LogicalResult(op->emitError("there is no mesh ")
                             << sharding.getMesh());
      return meshUnion.addMesh(op->getLoc(), mesh);
    }));
  });
  return failure(status.wasInterrupted());
}

LogicalResult ImportShardyShardings::collectAxes() {
  auto status = getOperation().walk([&](Operation *op) {
    return WalkResult(forEachSharding(op, [&](sdy::ShardingAttr sharding) {
      sdy::MeshAttr mesh = meshOf(sharding);
      AttrTypeWalker walker;
      walker.addWalk([&](sdy::AxisAttr axis) {
        return WalkResult(meshUnion.addAxis(op->getLoc(), mesh, axis));
      });
      return LogicalResult(failure(walker.walk(sharding).wasInterrupted()));
    }));
  });
  return failure(status.wasInterrupted());
}

//===----------------------------------------------------------------------===//
// Shardings
//===----------------------------------------------------------------------===//

SmallVector<spmd::AxisAttr>
ImportShardyShardings::convertAxes(sdy::MeshAttr mesh,
                                   ArrayRef<sdy::AxisAttr> axes) {
  SmallVector<spmd::AxisAttr> result;
  for (sdy::AxisAttr axis : axes)
    llvm::append_range(result, meshUnion.axesOf(mesh, axis));
  return result;
}

/// Null if everything is on one device.
spmd::ShardingAttr ImportShardyShardings::convert(sdy::ShardingAttr sharding) {
  if (!common)
    return {};
  MLIRContext *context = &getContext();
  sdy::MeshAttr mesh = meshOf(sharding);
  bool isWhole = reader::isOneDevice(mesh);
  auto axesIn = [&](ArrayRef<sdy::AxisAttr> axes) {
    return isWhole ? SmallVector<spmd::AxisAttr>() : convertAxes(mesh, axes);
  };
  SmallVector<spmd::DimShardingAttr> dims;
  for (sdy::DimShardingAttr dim : sharding.getDims())
    dims.push_back(spmd::DimShardingAttr::get(
        context, axesIn(dim.getAxes()), dim.getOpen(), dim.getPriority()));
  SmallVector<spmd::PartialAttr> partial;
  for (spmd::AxisAttr axis : axesIn(sharding.getUnreduced()))
    partial.push_back(
        spmd::PartialAttr::get(context, spmd::Reduction::Sum, axis));
  return spmd::ShardingAttr::get(
      context, FlatSymbolRefAttr::get(common.getSymNameAttr()), dims, partial,
      axesIn(sharding.getReplicated()));
}

/// `value` under a constraint, or itself if it cannot have one. In a manual
/// computation values are cut over its free axes only.
Value ImportShardyShardings::constrain(OpBuilder &builder, Location loc,
                                       Value value,
                                       sdy::ShardingAttr sharding) {
  spmd::ShardingAttr converted = convert(sharding);
  auto type = dyn_cast<RankedTensorType>(value.getType());
  // A scalar has no dimension that could be cut.
  if (!converted || !type ||
      (type.getRank() == 0 && converted.getPartial().empty()) ||
      converted.getDims().size() != static_cast<size_t>(type.getRank()))
    return value;
  Operation *parent = builder.getInsertionBlock()->getParentOp();
  auto manual = dyn_cast<spmd::ManualComputationOp>(parent);
  if (!manual)
    manual = parent->getParentOfType<spmd::ManualComputationOp>();
  if (manual && !manual.hasFreeAxes())
    return value;
  if (manual)
    converted = manual.getFreePart(converted);
  return spmd::ShardingConstraintOp::create(builder, loc, type, value,
                                            converted);
}

/// Arguments and results of functions.
void ImportShardyShardings::importSignature(func::FuncOp function) {
  StringRef from = sdy::SdyDialect::kSharding;
  StringRef to = spmd::SpmdDialect::kSharding;
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    if (auto sharding = function.getArgAttrOfType<sdy::ShardingAttr>(i, from)) {
      function.removeArgAttr(i, from);
      if (spmd::ShardingAttr converted = convert(sharding))
        function.setArgAttr(i, to, converted);
    }
  for (unsigned i = 0; i < function.getNumResults(); ++i)
    if (auto sharding =
            function.getResultAttrOfType<sdy::ShardingAttr>(i, from)) {
      function.removeResultAttr(i, StringAttr::get(&getContext(), from));
      if (spmd::ShardingAttr converted = convert(sharding))
        function.setResultAttr(i, to, converted);
    }
}

/// The attribute of an op, one sharding per result.
void ImportShardyShardings::importResults(Operation *op) {
  auto shardings = dyn_cast_or_null<sdy::ShardingPerValueAttr>(
      op->removeDiscardableAttr(sdy::SdyDialect::kSharding));
  if (!shardings || op->getParentOfType<sdy::ManualComputationOp>() ||
      shardings.getShardings().size() != op->getNumResults())
    return;
  OpBuilder builder(op->getContext());
  builder.setInsertionPointAfter(op);
  for (auto [result, sharding] :
       llvm::zip_equal(op->getResults(), shardings.getShardings())) {
    Value constrained = constrain(builder, op->getLoc(), result, sharding);
    if (constrained != result)
      result.replaceAllUsesExcept(constrained, constrained.getDefiningOp());
  }
}

//===----------------------------------------------------------------------===//
// Computations
//===----------------------------------------------------------------------===//

/// The axes of the common mesh that are no part of a manual axis, of the
/// computation around it either; null if there are none.
ArrayAttr ImportShardyShardings::freeAxesOf(sdy::ManualComputationOp op) {
  sdy::MeshAttr mesh = meshOf(op);
  if (!mesh)
    return {};
  SmallVector<StringAttr> manual;
  for (StringAttr name : op.getManualAxes().getNames())
    for (spmd::AxisAttr axis :
         meshUnion.axesOf(mesh, sdy::AxisAttr::get(&getContext(), name, 1, 0)))
      manual.push_back(axis.getName());
  SmallVector<Attribute> free;
  auto outer = op->getParentOfType<spmd::ManualComputationOp>();
  int64_t positions = 1;
  spmd::MeshAttr shape = common.getShape();
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
    result.push_back(convert(sdy::ShardingAttr::get(
        &getContext(), sharding.getMesh(), dims, replicated, unreduced)));
  }
  return ArrayAttr::get(&getContext(), result);
}

LogicalResult ImportShardyShardings::importManual(sdy::ManualComputationOp op) {
  mlir::Block &block = op.getBody().front();
  auto terminator = dyn_cast<sdy::ReturnOp>(block.getTerminator());
  if (!terminator)
    return op.emitOpError("body must end with sdy.return");
  if (!common) {
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
  if (sdy::MeshAttr mesh = meshOf(op))
    if (SmallVector<int64_t> devices = meshUnion.devicesOf(mesh);
        !devices.empty())
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
    if (!shardings || shardings->getShardings().size() != values.size())
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
            sdy::AllToAllOp, sdy::ReduceScatterOp, sdy::ReplicatedToUnreducedOp,
            sdy::ShardedToUnreducedOp, sdy::CollectivePermuteOp>(
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
        barrier.emitWarning("is not heeded: shardings may spread through it");
        barrier.getResult().replaceAllUsesWith(barrier.getInput());
        barrier.erase();
        return success();
      })
      .Case([&](sdy::ShardingGroupOp group) {
        group.emitWarning("is not heeded: members may be sharded differently");
        group.erase();
        return success();
      })
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
      failed(reader::listGroupsOfAxes(module)) || failed(collectMeshes()) ||
      failed(collectAxes()))
    return signalPassFailure();
  StringRef name = "mesh";
  for (auto mesh : module.getOps<sdy::MeshOp>())
    if (!reader::isOneDevice(mesh.getMesh())) {
      name = mesh.getSymName();
      break;
    }
  std::string commonName = name.str();
  for (sdy::MeshOp mesh :
       llvm::make_early_inc_range(module.getOps<sdy::MeshOp>()))
    mesh.erase();
  common = meshUnion.declare(module, commonName);

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
