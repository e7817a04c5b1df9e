//===- LocalPrimitives.cpp - Local forms of primitives --------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/Sharding/LocalForm.h"

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
// Reduce
//===----------------------------------------------------------------------===//

/// The op with other inputs and dimensions; results have lost these.
static ReduceOp reduceAgain(ReduceOp op, LocalForm &form, ValueRange inputs,
                            ValueRange inits, ArrayRef<int64_t> dimensions) {
  SmallVector<Value> operands(inputs);
  append_range(operands, inits);
  SmallVector<int64_t> shape;
  for (auto [d, size] : enumerate(typeOf(inputs.front()).getShape()))
    if (!is_contained(dimensions, static_cast<int64_t>(d)))
      shape.push_back(size);
  Operation *clone = op->clone();
  clone->setOperands(operands);
  for (auto [result, input] : zip_equal(clone->getResults(), inputs))
    result.setType(withShape(typeOf(input), shape));
  clone->setDiscardableAttrs(ArrayRef<NamedAttribute>());
  form.builder.insert(clone);
  auto reduce = cast<ReduceOp>(clone);
  reduce.setDimensions(dimensions);
  return reduce;
}

/// Padding along a cut dimension becomes the initial value.
static Value maskWithInit(LocalForm &form, Value input, Value init, int64_t dim,
                          unsigned factor, int64_t size) {
  if (!isPadded(size, form.shards.axes(factor)))
    return input;
  Value at = form.indices(typeOf(input).getShape(), dim);
  Value isValid = compare(form.builder, form.loc, ComparisonDirection::LT, at,
                          form.spread(form.validCount(factor), at));
  return form.select(isValid, input, form.spread(init, input));
}

/// A function that no collective knows: each rank reduces its block, and all
/// reduce the gathered results, in the order of the blocks.
LocalResults ReduceOp::buildLocal(OpBuilder &builder, ValueRange operands,
                                  LocalShards &shards) {
  ShardingRule rule = getShardingRule();
  LocalForm form(*this, builder, shards);
  ValueRange inits = operands.drop_front(getInputs().size());
  SmallVector<Value> inputs(operands.take_front(getInputs().size()));
  // Factor d is dimension d of the inputs.
  SmallVector<unsigned> cut;
  for (auto [d, factor] : enumerate(rule.factors))
    if (factor.kind == FactorKind::Collective && shards.isSharded(d))
      cut.push_back(d);
  if (cut.empty())
    return cloneWithLocalTypes(*this, builder, operands, shards);

  for (unsigned d : cut)
    for (auto [input, init] : zip_equal(inputs, inits))
      input = maskWithInit(form, input, init, d, d, rule.factors[d].size);
  ReduceOp partial = reduceAgain(*this, form, inputs, inits, getDimensions());
  // The innermost dimension first: its blocks are neighbours.
  for (unsigned d : reverse(cut)) {
    SmallVector<Value> gathered;
    for (Value value : partial.getResults()) {
      SmallVector<int64_t> shape(typeOf(value).getShape());
      shape.push_back(1);
      gathered.push_back(
          shards.allGather(builder, getLoc(), form.reshape(value, shape),
                           shape.size() - 1, d, "partial results of reduce"));
    }
    partial = reduceAgain(*this, form, gathered, inits,
                          {typeOf(gathered.front()).getRank() - 1});
  }
  for (Value result : partial.getResults())
    keepAttributes(*this, result);
  return SmallVector<Value>(partial.getResults());
}

} // namespace cleave::graph
