//===- LocalForm.cpp - Building what an op is on one rank -----------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/Sharding/LocalForm.h"
#include "cleave/Partition/WindowShards.h"
#include "dialects/Graph/Evaluate/ScalarSemantics.h"
#include "dialects/Graph/Sharding/ShardingRuleBuilder.h"
#include "dialects/Graph/SmallFloats.h"

using namespace llvm;
using namespace mlir;

namespace cleave {

static bool isShardingAttribute(StringAttr name) {
  return name.strref().starts_with("spmd.");
}

FailureOr<SmallVector<Value>> cloneWithLocalTypes(Operation *op,
                                                  OpBuilder &builder,
                                                  ValueRange operands,
                                                  LocalShards &shards) {
  // One value may have several local forms, hence no mapping of operands.
  Operation *clone = op->clone();
  clone->setOperands(operands);
  for (OpResult result : op->getResults())
    clone->getResult(result.getResultNumber())
        .setType(shards.localType(result));
  for (NamedAttribute attribute : op->getDiscardableAttrs())
    if (isShardingAttribute(attribute.getName()))
      clone->removeDiscardableAttr(attribute.getName());
  builder.insert(clone);
  return SmallVector<Value>(clone->getResults());
}

namespace graph {

void keepAttributes(Operation *op, Value value) {
  Operation *definition = value.getDefiningOp();
  if (!definition)
    return;
  for (NamedAttribute attribute : op->getDiscardableAttrs())
    if (!isShardingAttribute(attribute.getName()))
      definition->setDiscardableAttr(attribute.getName(), attribute.getValue());
}

Value LocalForm::alongRows(Value value, Value like, int64_t dim) {
  SmallVector<int64_t> dims = dimRange(typeOf(like).getRank());
  dims.erase(dims.begin() + dim);
  return broadcastTo(builder, loc, value, typeOf(like).getShape(), dims);
}

Value LocalForm::concatenate(ValueRange values, int64_t dim) {
  SmallVector<int64_t> shape(typeOf(values[0]).getShape());
  for (Value value : values.drop_front())
    shape[dim] += typeOf(value).getDimSize(dim);
  return ConcatenateOp::create(
      builder, loc, withShape(typeOf(values[0]), shape), values, dim);
}

Value LocalForm::sliceAt(Value value, unsigned dim, Value start, int64_t size) {
  RankedTensorType type = typeOf(value);
  SmallVector<int64_t> shape(type.getShape());
  SmallVector<Value> starts(shape.size(), index(0));
  starts[dim] = start;
  shape[dim] = size;
  return DynamicSliceOp::create(builder, loc, withShape(type, shape), value,
                                starts, shape);
}

Value LocalForm::padDim(Value value, Value padding, unsigned dim, int64_t low,
                        int64_t high, int64_t interior) {
  if (low == 0 && high == 0 && interior == 0)
    return value;
  RankedTensorType type = typeOf(value);
  SmallVector<int64_t> lows(type.getRank(), 0), highs(lows), interiors(lows);
  SmallVector<int64_t> shape(type.getShape());
  lows[dim] = low;
  highs[dim] = high;
  interiors[dim] = interior;
  shape[dim] += low + high + (shape[dim] - 1) * interior;
  return PadOp::create(builder, loc, withShape(type, shape), value, padding,
                       lows, highs, interiors);
}

Value LocalForm::gatherDim(Value value, unsigned dim, int64_t size,
                           unsigned factor, StringRef cause) {
  ArrayRef<AxisRef> axes = shards.axes(factor);
  if (blocksAreFlat(size, axes)) {
    value = shards.allGather(builder, loc, value, dim, factor, cause);
    return sliceDim(builder, loc, value, dim, 0, size);
  }
  // Blocks with padding between them: a window that has everything.
  int64_t last = 0;
  for (BlockExtent block : blocksOf(size, axes))
    last = std::max(last, block.offset);
  value = shards.haloExchange(builder, loc, value, dim, factor, size, last,
                              size - blockSize(size, axes), TypedAttr(), cause);
  return sliceAt(value, dim, subtract(index(last), offset(factor, size)), size);
}

Value LocalForm::indices(ArrayRef<int64_t> shape, int64_t dim) {
  return iota(builder, loc, RankedTensorType::get(shape, builder.getI32Type()),
              dim);
}

Value LocalForm::accumulated(Value value) {
  return convertElement(builder, loc, value,
                        accumulationType(typeOf(value).getElementType()));
}

Value LocalForm::clampedIndices(Value indices, int64_t low, int64_t high) {
  // Clamp before the conversion to i32, which would cut large indices off.
  IntegerSemantics type(typeOf(indices).getElementType());
  if (type.isUnsigned)
    low = std::max<int64_t>(low, 0);
  else
    low = std::max(low, type.smallest());
  if (!type.isUnsigned || type.width < 64)
    high = std::min(high, type.largest());
  auto scalar = withShape(typeOf(indices), {});
  Value clamped = ClampOp::create(builder, loc, indices.getType(),
                                  splatInt(builder, loc, scalar, low), indices,
                                  splatInt(builder, loc, scalar, high));
  return convertElement(builder, loc, clamped, builder.getI32Type());
}

Value LocalForm::localIndices(Value indices, int64_t size, unsigned factor) {
  Value global = clampedIndices(indices, 0, size - 1);
  Value local = subtract(global, spread(offset(factor), global));
  Value valid = spread(validCount(factor), local);
  Value before = compare(builder, loc, ComparisonDirection::LT, local, valid);
  return select(binary<AndOp>(areFound(local), before), local,
                integer(local, -1));
}

Value LocalForm::combineLookups(Value value, Value found,
                                ArrayRef<int64_t> dims,
                                ArrayRef<unsigned> factors, StringRef cause) {
  RankedTensorType type = typeOf(value);
  if (isSmallFloat(type.getElementType())) {
    // Their bits, which have a zero and sums.
    Type bits = builder.getIntegerType(8, /*isSigned=*/false);
    value =
        BitcastConvertOp::create(builder, loc, withElement(type, bits), value);
    value = combineLookups(value, found, dims, factors, cause);
    return BitcastConvertOp::create(builder, loc, type, value);
  }
  found = broadcastTo(builder, loc, found, typeOf(value).getShape(), dims);
  // Negative zero keeps the sign of the zeros that are found.
  bool isFloat = isa<FloatType>(typeOf(value).getElementType());
  Value zero = isFloat ? number(value, -0.0) : integer(value, 0);
  return allReduce(select(found, value, zero), factors,
                   sumKind(value.getType()), cause);
}

LocalResults LocalForm::finish(Value value) {
  Type element = typeOf(op->getResult(0)).getElementType();
  value = convertElement(builder, loc, value, element);
  keepAttributes(op, value);
  return SmallVector<Value>{value};
}

} // namespace graph
} // namespace cleave
