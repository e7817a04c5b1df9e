//===- SpmdVerification.cpp - Checks that ops of spmd share ---------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Spmd/SpmdVerification.h"
#include "dialects/Graph/SmallFloats.h"
#include "dialects/Spmd/ShardingConversion.h"

using namespace mlir;

namespace cleave::spmd {

MeshOp lookUpMesh(Operation *op, FlatSymbolRefAttr name,
                  SymbolTableCollection &tables) {
  auto mesh = tables.lookupNearestSymbolFrom<MeshOp>(op, name);
  if (!mesh)
    op->emitOpError() << "refers to mesh " << name << ", which does not exist";
  return mesh;
}

LogicalResult verifyMeshAndAxes(Operation *op, FlatSymbolRefAttr name,
                                ArrayRef<AxisAttr> axes,
                                SymbolTableCollection &tables) {
  MeshOp mesh = lookUpMesh(op, name, tables);
  if (!mesh)
    return failure();
  return verifyAxes([&] { return op->emitOpError(); }, axes, mesh);
}

LogicalResult verifyReduction(Operation *op, Reduction reduction) {
  Type element = getElementTypeOrSelf(op->getOperand(0).getType());
  if ((reduction == Reduction::And || reduction == Reduction::Or) &&
      !isa<IntegerType>(element))
    return op->emitOpError() << "'" << stringifyReduction(reduction)
                             << "' is not defined for " << element;
  // Zeros that a product of them is to have as padding are no sum.
  std::optional<graph::SmallFloat> small = graph::getSmallFloat(element);
  bool isZeros = isa<MaskPaddingOp>(op) && reduction == Reduction::Sum;
  if (small && !(isZeros && small->hasSign()))
    return op->emitOpError() << "reduces " << element
                             << ", which is not computed with: should be "
                                "converted to f32 before, and back";
  return success();
}

LogicalResult verifyBlock(Operation *op, RankedTensorType type, int64_t dim,
                          int64_t size, const Mesh &mesh,
                          ArrayRef<AxisAttr> axes) {
  if (dim < 0 || dim >= type.getRank())
    return op->emitOpError()
           << "dimension " << dim << " is out of range for " << type;
  if (size < 0)
    return op->emitOpError() << "has a negative size, " << size;
  int64_t expected = blockSize(size, toAxisList(axes, mesh));
  if (type.getDimSize(dim) != expected)
    return op->emitOpError()
           << "dimension " << dim << " has extent " << type.getDimSize(dim)
           << ", but a block of " << size << " has " << expected;
  return success();
}

SmallVector<AxisAttr> allAxes(ShardingAttr sharding) {
  SmallVector<AxisAttr> axes(sharding.getReplicated());
  for (DimShardingAttr dim : sharding.getDims())
    llvm::append_range(axes, dim.getAxes());
  for (PartialAttr partial : sharding.getPartial())
    axes.push_back(partial.getAxis());
  return axes;
}

} // namespace cleave::spmd
