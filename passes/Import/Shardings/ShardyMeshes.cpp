//===- ShardyMeshes.cpp - Shardings over one mesh for all of them ---------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Import/Shardings/ShardyMeshes.h"
#include "mlir/IR/AttrTypeSubElements.h"

using namespace mlir;

namespace cleave::reader {

/// Calls `body` with each op of a module and each sharding in its attributes.
static LogicalResult forEachSharding(
    ModuleOp module,
    function_ref<LogicalResult(Operation *, sdy::ShardingAttr)> body) {
  auto status = module.walk([&](Operation *op) {
    AttrTypeWalker walker;
    walker.addWalk([&](sdy::ShardingAttr sharding) {
      return WalkResult(body(op, sharding));
    });
    return walker.walk<WalkOrder::PreOrder>(op->getAttrDictionary());
  });
  return failure(status.wasInterrupted());
}

LogicalResult ShardyMeshes::collect(ModuleOp module) {
  for (auto mesh : module.getOps<sdy::MeshOp>()) {
    meshes[mesh.getSymNameAttr()] = mesh.getMesh();
    if (failed(meshUnion.addMesh(mesh.getLoc(), mesh.getMesh())))
      return failure();
  }
  auto addMesh = [&](Operation *op, sdy::ShardingAttr sharding) {
    sdy::MeshAttr mesh = meshOf(sharding);
    if (!mesh)
      return LogicalResult(op->emitError("there is no mesh ")
                           << sharding.getMesh());
    return meshUnion.addMesh(op->getLoc(), mesh);
  };
  auto addAxes = [&](Operation *op, sdy::ShardingAttr sharding) {
    AttrTypeWalker walker;
    walker.addWalk([&](sdy::AxisAttr axis) {
      return WalkResult(
          meshUnion.addAxis(op->getLoc(), meshOf(sharding), axis));
    });
    return LogicalResult(failure(walker.walk(sharding).wasInterrupted()));
  };
  return success(succeeded(forEachSharding(module, addMesh)) &&
                 succeeded(forEachSharding(module, addAxes)));
}

void ShardyMeshes::declareCommon(ModuleOp module) {
  std::string name;
  for (auto mesh : llvm::make_early_inc_range(module.getOps<sdy::MeshOp>())) {
    if (name.empty() && !isOneDevice(mesh.getMesh()))
      name = mesh.getSymName().str();
    mesh.erase();
  }
  common = meshUnion.declare(module, name.empty() ? "mesh" : name);
}

sdy::MeshAttr ShardyMeshes::meshOf(sdy::ShardingAttr sharding) const {
  if (auto inlined = dyn_cast<sdy::MeshAttr>(sharding.getMesh()))
    return inlined;
  return meshes.lookup(cast<FlatSymbolRefAttr>(sharding.getMesh()).getAttr());
}

sdy::MeshAttr ShardyMeshes::meshOf(sdy::ManualComputationOp op) const {
  for (sdy::ShardingPerValueAttr side :
       {op.getInShardings(), op.getOutShardings()})
    for (sdy::ShardingAttr sharding : side.getShardings())
      if (sdy::MeshAttr mesh = meshOf(sharding); !isOneDevice(mesh))
        return mesh;
  return {};
}

SmallVector<spmd::AxisAttr>
ShardyMeshes::axesOf(sdy::MeshAttr mesh, ArrayRef<sdy::AxisAttr> axes) const {
  SmallVector<spmd::AxisAttr> result;
  for (sdy::AxisAttr axis : axes)
    llvm::append_range(result, meshUnion.axesOf(mesh, axis));
  return result;
}

spmd::ShardingAttr ShardyMeshes::convert(sdy::ShardingAttr sharding) const {
  if (!common)
    return {};
  MLIRContext *context = sharding.getContext();
  sdy::MeshAttr mesh = meshOf(sharding);
  bool isWhole = isOneDevice(mesh);
  auto axesIn = [&](ArrayRef<sdy::AxisAttr> axes) {
    return isWhole ? SmallVector<spmd::AxisAttr>() : axesOf(mesh, axes);
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
      context, FlatSymbolRefAttr::get(spmd::MeshOp(common).getSymNameAttr()),
      dims, partial, axesIn(sharding.getReplicated()));
}

} // namespace cleave::reader
