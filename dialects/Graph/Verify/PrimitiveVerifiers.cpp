//===- PrimitiveVerifiers.cpp - Rules of sources and data movement --------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The constraints of the StableHLO specification. Where a result type follows
// from the operands it is computed and compared.
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/GraphBuilders.h"
#include "dialects/Graph/Verify/Verification.h"

using namespace mlir;

namespace cleave::graph {

/// `operand` has the shape of `result` or is a scalar.
static LogicalResult checkShapeOrScalar(Operation *op, StringRef name,
                                        RankedTensorType operand,
                                        RankedTensorType result) {
  if (operand.getRank() == 0 || operand.getShape() == result.getShape())
    return success();
  return op->emitOpError() << name << " has type " << operand
                           << ": should be a scalar or have the shape of "
                           << result;
}

LogicalResult SelectOp::verify() {
  return checkShapeOrScalar(*this, "pred", getPred().getType(), getType());
}

LogicalResult ClampOp::verify() {
  for (auto [name, bound] : {std::pair("min", getMin()), {"max", getMax()}}) {
    RankedTensorType type = typeOf(bound);
    if (failed(checkElement(*this, name, type, getType().getElementType())) ||
        failed(checkShapeOrScalar(*this, name, type, getType())))
      return failure();
  }
  return success();
}

LogicalResult BitcastConvertOp::verify() {
  RankedTensorType from = getOperand().getType(), to = getType();
  unsigned fromBits = from.getElementTypeBitWidth();
  unsigned toBits = to.getElementTypeBitWidth();
  SmallVector<int64_t> shape(from.getShape());
  if (fromBits > toBits) {
    shape.push_back(fromBits / toBits);
  } else if (fromBits < toBits) {
    int64_t parts = toBits / fromBits;
    if (shape.empty() || shape.back() != parts)
      return emitOpError() << "operand has type " << from << ": should have "
                           << parts
                           << " elements in its last dimension, which make up "
                              "one of "
                           << to.getElementType();
    shape.pop_back();
  }
  return checkShape(*this, "result", to, shape);
}

//===----------------------------------------------------------------------===//
// Sources
//===----------------------------------------------------------------------===//

LogicalResult ConstantOp::verify() {
  if (!isa<DenseElementsAttr, DenseResourceElementsAttr>(getValue()))
    return emitOpError() << "value is " << getValue()
                         << ": should be dense or dense_resource";
  return checkType(*this, "result", getType(), getValue().getType());
}

LogicalResult IotaOp::verify() {
  return checkDim(*this, "dim", getDim(), getType().getRank(), "the result");
}

//===----------------------------------------------------------------------===//
// Data movement
//===----------------------------------------------------------------------===//

LogicalResult BroadcastInDimOp::verify() {
  RankedTensorType from = getOperand().getType(), to = getType();
  if (failed(checkElement(*this, "result", to, from.getElementType())) ||
      failed(checkCount(*this, "dims", getDims().size(), from.getRank(),
                        "dimension of the operand")) ||
      failed(checkDims(*this, "dims", getDims(), to.getRank(), "the result")))
    return failure();
  for (auto [i, dim] : llvm::enumerate(getDims()))
    if (from.getDimSize(i) != 1 && from.getDimSize(i) != to.getDimSize(dim))
      return emitOpError() << "dimension " << i << " of the operand has "
                           << from.getDimSize(i) << " elements: should have 1"
                           << " or, like dimension " << dim
                           << " of the result, " << to.getDimSize(dim);
  return success();
}

LogicalResult ReshapeOp::verify() {
  RankedTensorType from = getOperand().getType(), to = getType();
  if (failed(checkElement(*this, "result", to, from.getElementType())))
    return failure();
  if (from.getNumElements() != to.getNumElements())
    return emitOpError() << "result has " << to.getNumElements()
                         << " elements: should have " << from.getNumElements()
                         << " like the operand";
  return success();
}

LogicalResult TransposeOp::verify() {
  RankedTensorType from = getOperand().getType();
  if (failed(checkCount(*this, "dims", getDims().size(), from.getRank(),
                        "dimension of the operand")) ||
      failed(
          checkDims(*this, "dims", getDims(), from.getRank(), "the operand")))
    return failure();
  SmallVector<int64_t> shape;
  for (int64_t dim : getDims())
    shape.push_back(from.getDimSize(dim));
  return checkType(*this, "result", getType(), withShape(from, shape));
}

LogicalResult SliceOp::verify() {
  RankedTensorType from = getOperand().getType();
  for (auto [name, values] : {std::pair("start", getStart()),
                              {"limit", getLimit()},
                              {"strides", getStrides()}})
    if (failed(checkCount(*this, name, values.size(), from.getRank(),
                          "dimension of the operand")))
      return failure();
  SmallVector<int64_t> shape;
  for (int64_t i = 0; i < from.getRank(); ++i) {
    int64_t start = getStart()[i], limit = getLimit()[i],
            stride = getStrides()[i];
    if (start < 0 || start > limit || limit > from.getDimSize(i))
      return emitOpError() << "range " << start << ":" << limit
                           << " of dimension " << i
                           << ": should ascend within 0:" << from.getDimSize(i);
    if (stride < 1)
      return emitOpError() << "stride " << stride << " of dimension " << i
                           << ": should be at least 1";
    // Not (limit - start + stride - 1) / stride, which may overflow.
    int64_t length = limit - start;
    shape.push_back(length / stride + (length % stride != 0));
  }
  return checkType(*this, "result", getType(), withShape(from, shape));
}

LogicalResult PadOp::verify() {
  RankedTensorType from = getOperand().getType();
  if (failed(checkType(*this, "padding_value", getPaddingValue().getType(),
                       RankedTensorType::get({}, from.getElementType()))))
    return failure();
  for (auto [name, values] : {std::pair("low", getLow()),
                              {"high", getHigh()},
                              {"interior", getInterior()}})
    if (failed(checkCount(*this, name, values.size(), from.getRank(),
                          "dimension of the operand")))
      return failure();
  SmallVector<int64_t> shape;
  for (int64_t i = 0; i < from.getRank(); ++i) {
    int64_t low = getLow()[i], high = getHigh()[i], interior = getInterior()[i];
    if (interior < 0)
      return emitOpError() << "interior padding " << interior
                           << " of dimension " << i << ": should be at least 0";
    int64_t size = from.getDimSize(i), gaps, padded;
    if (llvm::MulOverflow(std::max<int64_t>(size - 1, 0), interior, gaps) ||
        llvm::AddOverflow(size, gaps, padded) ||
        llvm::AddOverflow(padded, low, padded) ||
        llvm::AddOverflow(padded, high, padded) || padded < 0)
      return emitOpError() << "padding " << low << ", " << high << ", "
                           << interior << " of dimension " << i << " with "
                           << size << " elements: should leave at least 0 and"
                           << " not overflow";
    shape.push_back(padded);
  }
  return checkType(*this, "result", getType(), withShape(from, shape));
}

LogicalResult ConcatenateOp::verify() {
  if (getInputs().empty())
    return emitOpError("has no inputs: should have at least 1");
  RankedTensorType first = typeOf(getInputs().front());
  int64_t dim = getDim();
  if (failed(checkDim(*this, "dim", dim, first.getRank(), "the first input")))
    return failure();
  int64_t total = 0;
  for (auto [i, input] : llvm::enumerate(getInputs())) {
    RankedTensorType type = typeOf(input);
    std::string name = ("input #" + Twine(i)).str();
    if (failed(checkRank(*this, name, type, first.getRank())))
      return failure();
    SmallVector<int64_t> shape(first.getShape());
    shape[dim] = type.getDimSize(dim);
    if (failed(checkType(*this, name, type, withShape(first, shape))))
      return failure();
    total += type.getDimSize(dim);
  }
  SmallVector<int64_t> shape(first.getShape());
  shape[dim] = total;
  return checkType(*this, "result", getType(), withShape(first, shape));
}

LogicalResult ReverseOp::verify() {
  return checkDims(*this, "dims", getDims(), getType().getRank(),
                   "the operand");
}

//===----------------------------------------------------------------------===//
// Moving windows
//===----------------------------------------------------------------------===//

/// One scalar per dimension, all of one type.
static LogicalResult checkStarts(Operation *op, OperandRange starts,
                                 RankedTensorType operand) {
  if (failed(checkCount(op, "start_indices", starts.size(), operand.getRank(),
                        "dimension of the operand")))
    return failure();
  for (auto [i, start] : llvm::enumerate(starts)) {
    std::string name = ("start index #" + Twine(i)).str();
    if (failed(checkRank(op, name, typeOf(start), 0)) ||
        failed(checkType(op, name, start.getType(), starts[0].getType())))
      return failure();
  }
  return success();
}

LogicalResult DynamicSliceOp::verify() {
  RankedTensorType from = getOperand().getType();
  if (failed(checkStarts(*this, getStartIndices(), from)) ||
      failed(checkCount(*this, "sizes", getSizes().size(), from.getRank(),
                        "dimension of the operand")))
    return failure();
  for (auto [i, size] : llvm::enumerate(getSizes()))
    if (size < 0 || size > from.getDimSize(i))
      return emitOpError() << "size " << size << " of dimension " << i
                           << ": should be in 0.." << from.getDimSize(i);
  return checkType(*this, "result", getType(), withShape(from, getSizes()));
}

LogicalResult DynamicUpdateSliceOp::verify() {
  RankedTensorType operand = getOperand().getType(),
                   update = getUpdate().getType();
  if (failed(checkElement(*this, "update", update, operand.getElementType())) ||
      failed(checkRank(*this, "update", update, operand.getRank())))
    return failure();
  for (int64_t i = 0; i < update.getRank(); ++i)
    if (update.getDimSize(i) > operand.getDimSize(i))
      return emitOpError() << "dimension " << i << " of update has "
                           << update.getDimSize(i)
                           << " elements: should have at most "
                           << operand.getDimSize(i) << " like the operand";
  return checkStarts(*this, getStartIndices(), operand);
}

} // namespace cleave::graph
