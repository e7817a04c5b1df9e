//===- ManualComputation.cpp - Regions on local shapes --------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Spmd/ShardingConversion.h"
#include "dialects/Spmd/SpmdDialect.h"
#include "dialects/Spmd/SpmdVerification.h"

using namespace mlir;
using namespace cleave;
using namespace cleave::spmd;

/// Checks that a computation inside of another leaves its manual axes alone.
static LogicalResult verifyNesting(ManualComputationOp op) {
  auto outer = op->getParentOfType<ManualComputationOp>();
  if (!outer)
    return success();
  auto verify = [&](AxisAttr axis) -> LogicalResult {
    if (outer.isFree(axis))
      return success();
    InFlightDiagnostic diag = op.emitOpError()
                              << "is over axis " << axis.getName()
                              << ", which is not free in the one around it";
    diag.attachNote(outer.getLoc()) << "that is here";
    return diag;
  };
  for (ArrayAttr side : {op.getInShardings(), op.getOutShardings()})
    for (auto sharding : side.getAsRange<ShardingAttr>())
      for (AxisAttr axis : allAxes(sharding))
        if (failed(verify(axis)))
          return failure();
  if (op.hasFreeAxes())
    for (auto name : op.getFreeAxes()->getAsRange<StringAttr>())
      if (failed(verify(AxisAttr::get(op.getContext(), name, 1, 0))))
        return failure();
  return success();
}

/// Checks that a side's sharding cuts each dimension over manual axes first.
static LogicalResult verifyAxisOrder(ManualComputationOp op,
                                     ShardingAttr sharding) {
  for (auto [d, dim] : llvm::enumerate(sharding.getDims())) {
    const AxisAttr *free = llvm::find_if(
        dim.getAxes(), [&](AxisAttr axis) { return op.isFree(axis); });
    for (const AxisAttr *axis = free; axis != dim.getAxes().end(); ++axis)
      if (!op.isFree(*axis))
        return op.emitOpError()
               << "dimension " << d << " of " << sharding << " has manual axis "
               << axis->getName() << " after free axis " << free->getName();
  }
  for (PartialAttr partial : sharding.getPartial())
    if (op.isFree(partial.getAxis()))
      return op.emitOpError() << sharding << " is partial over free axis "
                              << partial.getAxis().getName();
  return success();
}

/// Checks the shardings of inputs or results and the local types in the body.
static LogicalResult verifyManualSide(ManualComputationOp op,
                                      ArrayAttr shardings, TypeRange global,
                                      TypeRange local, StringRef side) {
  if (shardings.size() != global.size() || local.size() != global.size())
    return op.emitOpError()
           << "needs one sharding and one local type per " << side;
  for (auto [attr, type, localType] :
       llvm::zip(shardings.getAsRange<ShardingAttr>(), global, local)) {
    if (failed(
            verifySharding([&] { return op.emitOpError(); }, attr, type, op)))
      return failure();
    auto mesh =
        SymbolTable::lookupNearestSymbolFrom<MeshOp>(op, attr.getMesh());
    auto tensor = cast<RankedTensorType>(type);
    if (failed(verifyAxisOrder(op, attr)))
      return failure();
    auto expected = RankedTensorType::get(
        toSharding(op.getManualPart(attr), toMesh(mesh), tensor.getShape())
            .localShape(tensor.getShape()),
        tensor.getElementType());
    if (localType != expected)
      return op.emitOpError() << side << " of local type " << localType
                              << " should be " << expected << " under " << attr;
  }
  return success();
}

MeshOp ManualComputationOp::getMeshOp() {
  for (ArrayAttr side : {getInShardings(), getOutShardings()})
    for (auto sharding : side.getAsRange<ShardingAttr>())
      return SymbolTable::lookupNearestSymbolFrom<MeshOp>(*this,
                                                          sharding.getMesh());
  return {};
}

bool ManualComputationOp::isFree(AxisAttr axis) {
  return hasFreeAxes() && llvm::is_contained(*getFreeAxes(), axis.getName());
}

ShardingAttr ManualComputationOp::getManualPart(ShardingAttr sharding) {
  SmallVector<DimShardingAttr> dims;
  for (DimShardingAttr dim : sharding.getDims()) {
    SmallVector<AxisAttr> axes(dim.getAxes());
    llvm::erase_if(axes, [&](AxisAttr axis) { return isFree(axis); });
    dims.push_back(
        DimShardingAttr::get(getContext(), axes, /*open=*/false, std::nullopt));
  }
  return ShardingAttr::get(getContext(), sharding.getMesh(), dims,
                           sharding.getPartial());
}

ShardingAttr ManualComputationOp::getFreePart(ShardingAttr sharding) {
  auto freeOf = [&](ArrayRef<AxisAttr> all) {
    SmallVector<AxisAttr> axes(all);
    llvm::erase_if(axes, [&](AxisAttr axis) { return !isFree(axis); });
    return axes;
  };
  SmallVector<DimShardingAttr> dims;
  for (DimShardingAttr dim : sharding.getDims())
    dims.push_back(DimShardingAttr::get(getContext(), freeOf(dim.getAxes()),
                                        dim.getOpen(), dim.getPriority()));
  return ShardingAttr::get(getContext(), sharding.getMesh(), dims, {},
                           freeOf(sharding.getReplicated()));
}

LogicalResult ManualComputationOp::verifySymbolUses(SymbolTableCollection &) {
  FlatSymbolRefAttr mesh;
  for (ArrayAttr side : {getInShardings(), getOutShardings()})
    for (auto sharding : side.getAsRange<ShardingAttr>()) {
      if (mesh && mesh != sharding.getMesh())
        return emitOpError() << "is on mesh " << mesh << " and on mesh "
                             << sharding.getMesh();
      mesh = sharding.getMesh();
    }
  if (MeshOp meshOp = getMeshOp(); meshOp && hasFreeAxes())
    for (auto name : getFreeAxes()->getAsRange<StringAttr>())
      if (!llvm::is_contained(meshOp.getShape().getNames(), name))
        return emitOpError() << "has free axis " << name << ", but mesh "
                             << mesh << " has no such axis";
  if (failed(verifyNesting(*this)))
    return failure();
  mlir::Block &block = getBody().front();
  if (failed(verifyManualSide(*this, getInShardings(), getInputs().getTypes(),
                              block.getArgumentTypes(), "input")))
    return failure();
  return verifyManualSide(*this, getOutShardings(), getResultTypes(),
                          block.getTerminator()->getOperandTypes(), "result");
}

LogicalResult ManualComputationOp::verifyRegions() {
  if (!isa<ReturnOp>(getBody().front().getTerminator()))
    return emitOpError("body must end with spmd.return");
  return success();
}
