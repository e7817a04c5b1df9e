//===- LocalPrimitives.cpp - Local forms of primitives --------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/LocalForm.h"

using namespace llvm;
using namespace mlir;

namespace cleave::graph {

//===----------------------------------------------------------------------===//
// Sources
//===----------------------------------------------------------------------===//

LocalResults ConstantOp::buildLocal(OpBuilder &builder, ValueRange operands,
                                    LocalShards &shards) {
  RankedTensorType type = shards.localType(cast<OpResult>(getResult()));
  if (type == getType())
    return cloneWithLocalTypes(*this, builder, operands, shards);
  auto splat = dyn_cast<SplatElementsAttr>(getValue());
  if (!splat)
    return emitOpError("has different elements and cannot be built in parts");
  Value local = ConstantOp::create(builder, getLoc(),
                                   cast<ElementsAttr>(splat.resizeSplat(type)));
  keepAttributes(*this, local);
  return SmallVector<Value>{local};
}

LocalResults IotaOp::buildLocal(OpBuilder &builder, ValueRange operands,
                                LocalShards &shards) {
  // Factor d is dimension d.
  unsigned dim = getDim();
  if (!shards.isSharded(dim))
    return cloneWithLocalTypes(*this, builder, operands, shards);
  LocalForm form(*this, builder, shards);
  RankedTensorType type = shards.localType(cast<OpResult>(getResult()));
  // In i32, so that the element type rounds once.
  Value indices = form.indices(type.getShape(), dim);
  return form.finish(form.add(indices, form.spread(form.offset(dim), indices)));
}

//===----------------------------------------------------------------------===//
// Slices: sizes of whole dimensions are those of the local operand
//===----------------------------------------------------------------------===//

LocalResults SliceOp::buildLocal(OpBuilder &builder, ValueRange operands,
                                 LocalShards &shards) {
  LocalResults results = cloneWithLocalTypes(*this, builder, operands, shards);
  if (failed(results))
    return failure();
  ArrayRef<int64_t> global = typeOf(getOperand()).getShape();
  ArrayRef<int64_t> local = typeOf(operands[0]).getShape();
  // A dimension that is cut in any other way is whole.
  SmallVector<int64_t> limit(getLimit());
  for (auto [d, size] : enumerate(local))
    if (size != global[d])
      limit[d] = size;
  results->front().getDefiningOp<SliceOp>().setLimit(limit);
  return results;
}

LocalResults DynamicSliceOp::buildLocal(OpBuilder &builder, ValueRange operands,
                                        LocalShards &shards) {
  LocalResults results = cloneWithLocalTypes(*this, builder, operands, shards);
  if (failed(results))
    return failure();
  auto clone = results->front().getDefiningOp<DynamicSliceOp>();
  clone.setSizes(typeOf(results->front()).getShape());
  return results;
}

//===----------------------------------------------------------------------===//
// Gather
//===----------------------------------------------------------------------===//

/// The factor of the dimension in which each rank looks up its own rows.
static std::optional<unsigned> lookupFactor(const ShardingRule &rule) {
  for (auto [f, factor] : enumerate(rule.factors))
    if (factor.kind == FactorKind::Collective)
      return f;
  return std::nullopt;
}

LocalResults GatherOp::buildLocal(OpBuilder &builder, ValueRange operands,
                                  LocalShards &shards) {
  LocalForm form(*this, builder, shards);
  std::optional<unsigned> lookup = lookupFactor(getShardingRule());
  if (lookup && !shards.isSharded(*lookup))
    lookup.reset();

  SmallVector<Value> localOperands(operands);
  if (lookup) {
    int64_t rows = typeOf(getOperand()).getDimSize(getStartIndexMap()[0]);
    localOperands[1] = form.localIndices(operands[1], rows, *lookup);
  }
  LocalResults results =
      cloneWithLocalTypes(*this, builder, localOperands, shards);
  if (failed(results))
    return failure();
  SmallVector<int64_t> sizes(getSliceSizes());
  ArrayRef<int64_t> global = typeOf(getOperand()).getShape();
  for (auto [d, size] : enumerate(typeOf(operands[0]).getShape()))
    if (sizes[d] == global[d])
      sizes[d] = size;
  Value found = results->front();
  found.getDefiningOp<GatherOp>().setSliceSizes(sizes);
  if (!lookup)
    return results;

  // Leave the index vector, of one element, out of the indices' shape.
  SmallVector<int64_t> shape(typeOf(localOperands[1]).getShape());
  if (getIndexVectorDim() < shape.size())
    shape.erase(shape.begin() + getIndexVectorDim());
  Value indices = form.reshape(localOperands[1], shape);
  SmallVector<int64_t> batchDims;
  for (int64_t d : dimRange(typeOf(found).getRank()))
    if (!is_contained(getOffsetDims(), d))
      batchDims.push_back(d);
  found.getDefiningOp()->setDiscardableAttrs(ArrayRef<NamedAttribute>());
  return form.finish(form.combineLookups(found, indices, batchDims, *lookup,
                                         "gather from sharded rows"));
}

} // namespace cleave::graph
