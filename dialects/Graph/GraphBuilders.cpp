//===- GraphBuilders.cpp - Short ways to build graph operations -----------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/GraphBuilders.h"
#include "dialects/Graph/SmallFloats.h"
#include "llvm/ADT/APSInt.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace cleave::graph {

RankedTensorType typeOf(Value value) {
  return cast<RankedTensorType>(value.getType());
}

RankedTensorType withShape(RankedTensorType type, ArrayRef<int64_t> shape) {
  return RankedTensorType::get(shape, type.getElementType(),
                               type.getEncoding());
}

RankedTensorType withElement(RankedTensorType type, Type element) {
  return RankedTensorType::get(type.getShape(), element, type.getEncoding());
}

SmallVector<int64_t> dimRange(int64_t n) {
  return llvm::to_vector(llvm::seq<int64_t>(0, n));
}

Type accumulationType(Type element) {
  if (element.isF16() || element.isBF16() || isSmallFloat(element))
    return Float32Type::get(element.getContext());
  return element;
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

/// The bits of an integer attribute, whatever the signedness of its type.
static TypedAttr integerAttr(Type element, const APInt &bits) {
  return IntegerAttr::get(element, bits);
}

TypedAttr numberAttr(Type element, double number) {
  if (isa<FloatType>(element))
    return FloatAttr::get(element, number);
  unsigned width = element.getIntOrFloatBitWidth();
  if (width == 1)
    return integerAttr(element, APInt(1, number != 0));
  APSInt bits(width, element.isUnsignedInteger());
  bool exact;
  // Saturates, and NaN gives 0, as the convert op does.
  APFloat(number).convertToInteger(bits, APFloat::rmTowardZero, &exact);
  return integerAttr(element, bits);
}

Value splat(OpBuilder &builder, Location loc, RankedTensorType type,
            TypedAttr element) {
  Attribute value = element;
  // A splat of no elements would not survive a round trip through text.
  DenseElementsAttr attr =
      type.getNumElements() == 0
          ? DenseElementsAttr::get(type, ArrayRef<Attribute>())
          : DenseElementsAttr::get(type, ArrayRef<Attribute>(value));
  return ConstantOp::create(builder, loc, type, attr);
}

Value splat(OpBuilder &builder, Location loc, RankedTensorType type,
            double number) {
  return splat(builder, loc, type, numberAttr(type.getElementType(), number));
}

Value splatInt(OpBuilder &builder, Location loc, RankedTensorType type,
               int64_t number) {
  Type element = type.getElementType();
  if (isa<FloatType>(element))
    return splat(builder, loc, type, static_cast<double>(number));
  unsigned width = element.getIntOrFloatBitWidth();
  APInt bits = width == 1 ? APInt(1, number != 0)
                          : APInt(64, number, /*isSigned=*/true).trunc(width);
  return splat(builder, loc, type, integerAttr(element, bits));
}

TypedAttr neutralElement(Type element, ReductionKind kind) {
  if (auto floatType = dyn_cast<FloatType>(element)) {
    const llvm::fltSemantics &semantics = floatType.getFloatSemantics();
    switch (kind) {
    case ReductionKind::Sum:
    case ReductionKind::Or:
      return FloatAttr::get(element, 0.0);
    case ReductionKind::Prod:
    case ReductionKind::And:
      return FloatAttr::get(element, 1.0);
    case ReductionKind::Max:
      return FloatAttr::get(element, APFloat::getInf(semantics, true));
    case ReductionKind::Min:
      return FloatAttr::get(element, APFloat::getInf(semantics, false));
    }
  }
  unsigned width = element.getIntOrFloatBitWidth();
  // i1 counts as unsigned: false < true.
  bool isUnsigned = element.isUnsignedInteger() || width == 1;
  APInt lowest =
      isUnsigned ? APInt::getZero(width) : APInt::getSignedMinValue(width);
  APInt highest =
      isUnsigned ? APInt::getMaxValue(width) : APInt::getSignedMaxValue(width);
  switch (kind) {
  case ReductionKind::Sum:
  case ReductionKind::Or:
    return integerAttr(element, APInt::getZero(width));
  case ReductionKind::Prod:
    return integerAttr(element, APInt(width, 1));
  case ReductionKind::And:
    return integerAttr(element, APInt::getAllOnes(width));
  case ReductionKind::Max:
    return integerAttr(element, lowest);
  case ReductionKind::Min:
    return integerAttr(element, highest);
  }
  llvm_unreachable("unknown ReductionKind");
}

Value neutralScalar(OpBuilder &builder, Location loc, Type element,
                    ReductionKind kind) {
  return splat(builder, loc, RankedTensorType::get({}, element),
               neutralElement(element, kind));
}

//===----------------------------------------------------------------------===//
// Shapes and element types
//===----------------------------------------------------------------------===//

Value broadcastTo(OpBuilder &builder, Location loc, Value value,
                  ArrayRef<int64_t> shape, ArrayRef<int64_t> dims) {
  RankedTensorType type = typeOf(value);
  if (type.getShape() == shape && dimRange(shape.size()) == dims)
    return value;
  return BroadcastInDimOp::create(builder, loc, withShape(type, shape), value,
                                  dims);
}

Value reshapeTo(OpBuilder &builder, Location loc, Value value,
                ArrayRef<int64_t> shape) {
  RankedTensorType type = typeOf(value);
  if (type.getShape() == shape)
    return value;
  return ReshapeOp::create(builder, loc, withShape(type, shape), value);
}

Value transpose(OpBuilder &builder, Location loc, Value value,
                ArrayRef<int64_t> permutation) {
  RankedTensorType type = typeOf(value);
  if (dimRange(type.getRank()) == permutation)
    return value;
  SmallVector<int64_t> shape;
  for (int64_t dim : permutation)
    shape.push_back(type.getDimSize(dim));
  return TransposeOp::create(builder, loc, withShape(type, shape), value,
                             permutation);
}

Value convertElement(OpBuilder &builder, Location loc, Value value,
                     Type element) {
  RankedTensorType type = typeOf(value);
  if (type.getElementType() == element)
    return value;
  return ConvertOp::create(builder, loc, withElement(type, element), value);
}

Value sliceDim(OpBuilder &builder, Location loc, Value value, int64_t dim,
               int64_t start, int64_t limit) {
  RankedTensorType type = typeOf(value);
  SmallVector<int64_t> starts(type.getRank(), 0);
  SmallVector<int64_t> limits(type.getShape());
  SmallVector<int64_t> strides(type.getRank(), 1);
  SmallVector<int64_t> shape(type.getShape());
  starts[dim] = start;
  limits[dim] = limit;
  shape[dim] = limit - start;
  return SliceOp::create(builder, loc, withShape(type, shape), value, starts,
                         limits, strides);
}

Value iota(OpBuilder &builder, Location loc, RankedTensorType type,
           int64_t dim) {
  return IotaOp::create(builder, loc, type, dim);
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

Value reduce(OpBuilder &builder, Location loc, Value input,
             ArrayRef<int64_t> dims, ReductionKind kind) {
  Value init =
      neutralScalar(builder, loc, typeOf(input).getElementType(), kind);
  return ReduceOp::create(builder, loc, input, init, dims, kind).getResult(0);
}

Value combine(OpBuilder &builder, Location loc, ReductionKind kind, Value lhs,
              Value rhs) {
  switch (kind) {
  case ReductionKind::Sum:
    return AddOp::create(builder, loc, lhs, rhs);
  case ReductionKind::Prod:
    return MulOp::create(builder, loc, lhs, rhs);
  case ReductionKind::Max:
    return MaxOp::create(builder, loc, lhs, rhs);
  case ReductionKind::Min:
    return MinOp::create(builder, loc, lhs, rhs);
  case ReductionKind::And:
    return AndOp::create(builder, loc, lhs, rhs);
  case ReductionKind::Or:
    return OrOp::create(builder, loc, lhs, rhs);
  }
  llvm_unreachable("unknown ReductionKind");
}

Value compare(OpBuilder &builder, Location loc, ComparisonDirection direction,
              Value lhs, Value rhs) {
  return CompareOp::create(builder, loc,
                           withElement(typeOf(lhs), builder.getI1Type()),
                           direction, lhs, rhs);
}

} // namespace cleave::graph
