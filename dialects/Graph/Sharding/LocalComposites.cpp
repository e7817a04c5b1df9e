//===- LocalComposites.cpp - Local forms of other composites --------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/Decompose/ExpandBias.h"
#include "dialects/Graph/Sharding/LocalForm.h"

using namespace llvm;
using namespace mlir;

namespace cleave::graph {

#define LOCAL_IS_CLONE(OP)                                                     \
  LocalResults OP::buildLocal(OpBuilder &builder, ValueRange operands,         \
                              LocalShards &shards) {                           \
    return cloneWithLocalTypes(*this, builder, operands, shards);              \
  }

LOCAL_IS_CLONE(GeluOp)
LOCAL_IS_CLONE(SiluOp)
LOCAL_IS_CLONE(ReluOp)
LOCAL_IS_CLONE(RotaryEmbeddingOp)
#undef LOCAL_IS_CLONE

LocalResults LinearOp::buildLocal(OpBuilder &builder, ValueRange operands,
                                  LocalShards &shards) {
  // The rule numbers the dimensions of the result, then the contracted ones.
  unsigned contracted = getContracting();
  unsigned batch = typeOf(getInput()).getRank() - contracted;
  unsigned first = typeOf(getResult()).getRank();
  SmallVector<unsigned> sharded;
  for (unsigned d = 0; d < contracted; ++d)
    if (shards.isSharded(first + d))
      sharded.push_back(d);
  if (!getBias() || sharded.empty())
    return cloneWithLocalTypes(*this, builder, operands, shards);

  LocalForm form(*this, builder, shards);
  Value input = operands[0], weight = operands[1];
  // Padding may hold anything, NaN too, so that one side is not enough.
  for (unsigned d : sharded) {
    input = form.mask(input, batch + d, first + d, ReductionKind::Sum);
    weight = form.mask(weight, d, first + d, ReductionKind::Sum);
  }
  Value sum = LinearOp::create(builder, getLoc(),
                               shards.localType(cast<OpResult>(getResult())),
                               input, weight, /*bias=*/Value(), contracted);
  for (unsigned d : sharded)
    sum = form.allReduce(sum, first + d, ReductionKind::Sum,
                         "contracted dimension of linear");
  return form.finish(addBias(builder, getLoc(), sum, operands[2]));
}

LocalResults EmbeddingOp::buildLocal(OpBuilder &builder, ValueRange operands,
                                     LocalShards &shards) {
  // The rule numbers the dimensions of the ids, then the rows of the table.
  int64_t rank = typeOf(getIds()).getRank();
  unsigned rows = rank;
  if (!shards.isSharded(rows))
    return cloneWithLocalTypes(*this, builder, operands, shards);
  LocalForm form(*this, builder, shards);
  Value ids =
      form.localIndices(operands[1], typeOf(getTable()).getDimSize(0), rows);
  Value found = EmbeddingOp::create(
      builder, getLoc(), shards.localType(cast<OpResult>(getResult())),
      operands[0], ids);
  return form.finish(form.combineLookups(found, form.areFound(ids),
                                         dimRange(rank), rows,
                                         "embedding with sharded rows"));
}

/// Whether each of a block of queries sees each key, [local s, t].
static Value causalBlock(LocalForm &form, AttentionOp op, ValueRange operands,
                         unsigned factor) {
  OpBuilder &builder = form.builder;
  Location loc = form.loc;
  int64_t t = typeOf(op.getKey()).getDimSize(1);
  int64_t s = typeOf(op.getQuery()).getDimSize(1);
  int64_t localS = typeOf(operands[0]).getDimSize(1);

  // Global position i sees j <= i + t - s.
  Value i = form.indices({localS, t}, 0);
  i = form.add(i, form.spread(form.offset(factor), i));
  i = form.add(i, form.integer(i, t - s));
  Value j = form.indices({localS, t}, 1);
  return compare(builder, loc, ComparisonDirection::LE, j, i);
}

/// `mask` where `seen` is true, and what hides a key elsewhere.
static Value hideUnseen(LocalForm &form, AttentionOp op, Value mask,
                        Value seen) {
  OpBuilder &builder = form.builder;
  Location loc = form.loc;
  ArrayRef<int64_t> square = typeOf(seen).getShape();
  SmallVector<int64_t> shape(typeOf(mask).getShape());
  shape[2] = square[0];
  Value wide = broadcastTo(builder, loc, mask, shape, {0, 1, 2, 3});
  if (op.hasSelectingMask())
    return AndOp::create(builder, loc, wide,
                         broadcastTo(builder, loc, seen, shape, {2, 3}));
  Type element = typeOf(mask).getElementType();
  Value hidden = neutralScalar(builder, loc, element, ReductionKind::Max);
  hidden = broadcastTo(builder, loc, hidden, square, {});
  Value causal = form.select(seen, form.number(hidden, 0), hidden);
  return form.add(wide, broadcastTo(builder, loc, causal, shape, {2, 3}));
}

LocalResults AttentionOp::buildLocal(OpBuilder &builder, ValueRange operands,
                                     LocalShards &shards) {
  constexpr unsigned queryPosition = 1;
  // The op counts positions from the start of its block.
  if (!getCausal() || !shards.isSharded(queryPosition))
    return cloneWithLocalTypes(*this, builder, operands, shards);
  LocalForm form(*this, builder, shards);
  Value seen = causalBlock(form, *this, operands, queryPosition);
  ArrayRef<int64_t> square = typeOf(seen).getShape();
  Value mask = getMask() ? hideUnseen(form, *this, operands[3], seen)
                         : form.reshape(seen, {1, 1, square[0], square[1]});
  return form.finish(AttentionOp::create(
      builder, getLoc(), shards.localType(cast<OpResult>(getResult())),
      operands[0], operands[1], operands[2], mask, /*causal=*/false,
      getScaleAttr(), /*fill=*/nullptr));
}

} // namespace cleave::graph
