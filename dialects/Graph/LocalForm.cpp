//===- LocalForm.cpp - Building what an op is on one rank -----------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/LocalForm.h"
#include "cleave/Partition/WindowShards.h"
#include "dialects/Graph/ShardingRuleBuilder.h"
#include "llvm/Support/MathExtras.h"

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

Value LocalForm::localIndices(Value indices, int64_t size, unsigned factor) {
  // Clamp before the conversion to i32, which would cut large indices off.
  auto element = cast<IntegerType>(typeOf(indices).getElementType());
  unsigned bits =
      std::min<unsigned>(element.getWidth() - !element.isUnsigned(), 63);
  int64_t highest = static_cast<int64_t>(maskTrailingOnes<uint64_t>(bits));
  auto scalar = withShape(typeOf(indices), {});
  Value low = splatInt(builder, loc, scalar, 0);
  Value high =
      splatInt(builder, loc, scalar, std::min<int64_t>(size - 1, highest));
  Value global =
      ClampOp::create(builder, loc, indices.getType(), low, indices, high);
  global = convertElement(builder, loc, global, builder.getI32Type());

  Value local = subtract(global, spread(offset(factor), global));
  Value valid = spread(validCount(factor), local);
  Value inside =
      compare(builder, loc, ComparisonDirection::GE, local, integer(local, 0));
  Value before = compare(builder, loc, ComparisonDirection::LT, local, valid);
  return select(binary<AndOp>(inside, before), local, integer(local, -1));
}

Value LocalForm::combineLookups(Value value, Value indices,
                                ArrayRef<int64_t> dims, unsigned factor,
                                StringRef cause) {
  Value found = compare(builder, loc, ComparisonDirection::GE, indices,
                        integer(indices, 0));
  found = broadcastTo(builder, loc, found, typeOf(value).getShape(), dims);
  // Negative zero keeps the sign of the zeros that are found.
  bool isFloat = isa<FloatType>(typeOf(value).getElementType());
  Value zero = isFloat ? number(value, -0.0) : integer(value, 0);
  return allReduce(select(found, value, zero), factor, sumKind(value.getType()),
                   cause);
}

LocalResults LocalForm::finish(Value value) {
  Type element = typeOf(op->getResult(0)).getElementType();
  value = convertElement(builder, loc, value, element);
  keepAttributes(op, value);
  return SmallVector<Value>{value};
}

} // namespace graph
} // namespace cleave
