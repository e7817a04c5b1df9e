//===- PrimitiveFolders.cpp - Local simplifications of primitives ---------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Only what is certainly cheaper: ops that do nothing, chains of moves, and
// splats. Large constants are not touched, they are data.
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/GraphBuilders.h"
#include "dialects/Graph/SmallFloats.h"
#include "llvm/ADT/APSInt.h"

using namespace mlir;

namespace cleave::graph {

/// An attribute that another dialect put on an op, a sharding or a name, would
/// be lost with it.
static bool isAnnotated(Operation *op) {
  return !op->getDiscardableAttrDictionary().empty();
}

/// The constant `operand`, if a splat, in another shape.
static Attribute resizeSplat(Attribute operand, RankedTensorType type) {
  auto splat = dyn_cast_if_present<SplatElementsAttr>(operand);
  if (!splat || type.getNumElements() == 0)
    return {};
  return splat.resizeSplat(type);
}

OpFoldResult ConstantOp::fold(FoldAdaptor) { return getValue(); }

OpFoldResult BroadcastInDimOp::fold(FoldAdaptor adaptor) {
  if (isAnnotated(*this))
    return {};
  if (getOperand().getType() == getType() &&
      llvm::equal(getDims(), dimRange(getType().getRank())))
    return getOperand();
  auto inner = getOperand().getDefiningOp<BroadcastInDimOp>();
  if (inner && !isAnnotated(inner)) {
    SmallVector<int64_t> dims;
    for (int64_t dim : inner.getDims())
      dims.push_back(getDims()[dim]);
    setDims(dims);
    getOperandMutable().assign(inner.getOperand());
    return getResult();
  }
  return resizeSplat(adaptor.getOperand(), getType());
}

OpFoldResult ReshapeOp::fold(FoldAdaptor adaptor) {
  if (isAnnotated(*this))
    return {};
  if (getOperand().getType() == getType())
    return getOperand();
  auto inner = getOperand().getDefiningOp<ReshapeOp>();
  if (inner && !isAnnotated(inner)) {
    if (inner.getOperand().getType() == getType())
      return inner.getOperand();
    getOperandMutable().assign(inner.getOperand());
    return getResult();
  }
  return resizeSplat(adaptor.getOperand(), getType());
}

OpFoldResult TransposeOp::fold(FoldAdaptor adaptor) {
  if (isAnnotated(*this))
    return {};
  if (llvm::equal(getDims(), dimRange(getType().getRank())))
    return getOperand();
  auto inner = getOperand().getDefiningOp<TransposeOp>();
  if (inner && !isAnnotated(inner)) {
    SmallVector<int64_t> dims;
    for (int64_t dim : getDims())
      dims.push_back(inner.getDims()[dim]);
    setDims(dims);
    getOperandMutable().assign(inner.getOperand());
    return getResult();
  }
  return resizeSplat(adaptor.getOperand(), getType());
}

OpFoldResult ConvertOp::fold(FoldAdaptor adaptor) {
  if (isAnnotated(*this))
    return {};
  if (getOperand().getType() == getType())
    return getOperand();
  auto splat = dyn_cast_if_present<SplatElementsAttr>(adaptor.getOperand());
  auto target = dyn_cast<FloatType>(getType().getElementType());
  if (!splat || !target || getType().getNumElements() == 0)
    return {};
  Type source = splat.getElementType();
  APFloat value(target.getFloatSemantics());
  if (std::optional<SmallFloat> small = getSmallFloat(target)) {
    // APFloat rounds zero and negative numbers to powers of two otherwise.
    if (!isa<FloatType>(source))
      return {};
    double number = splat.getSplatValue<APFloat>().convertToDouble();
    value = APFloat(target.getFloatSemantics(),
                    APInt(8, small->encode(small->round(number))));
  } else if (isa<FloatType>(source)) {
    bool losesInfo;
    value = splat.getSplatValue<APFloat>();
    value.convert(target.getFloatSemantics(), APFloat::rmNearestTiesToEven,
                  &losesInfo);
  } else {
    bool isSigned = !source.isUnsignedInteger() && !source.isInteger(1);
    value.convertFromAPInt(splat.getSplatValue<APInt>(), isSigned,
                           APFloat::rmNearestTiesToEven);
  }
  return DenseElementsAttr::get(getType(), value);
}

} // namespace cleave::graph
