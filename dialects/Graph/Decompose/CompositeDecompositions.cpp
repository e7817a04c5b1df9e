//===- CompositeDecompositions.cpp - Composites written in primitives -----===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// f16 and bf16 are computed in f32 and rounded once, at the end.
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/GraphBuilders.h"
#include <cmath>

using namespace mlir;

namespace cleave::graph {

FailureOr<SmallVector<Value>> LinearOp::decompose(OpBuilder &builder) {
  Location loc = getLoc();
  int64_t count = getContracting();
  int64_t leading = getInput().getType().getRank() - count;
  // The bias is added before the sum is rounded.
  Type element = getBias() ? accumulationType(getType().getElementType())
                           : getType().getElementType();
  SmallVector<int64_t> lhsDims, rhsDims;
  for (int64_t i = 0; i < count; ++i) {
    lhsDims.push_back(leading + i);
    rhsDims.push_back(i);
  }
  ArrayRef<int64_t> none;
  Value result = DotGeneralOp::create(
      builder, loc, withElement(getType(), element), getInput(), getWeight(),
      none, none, lhsDims, rhsDims);
  if (Value bias = getBias()) {
    SmallVector<int64_t> dims;
    for (int64_t i = leading; i < getType().getRank(); ++i)
      dims.push_back(i);
    Value wide = convertElement(builder, loc, bias, element);
    Value rows = broadcastTo(builder, loc, wide, getType().getShape(), dims);
    result = AddOp::create(builder, loc, result, rows);
  }
  return SmallVector<Value>{
      convertElement(builder, loc, result, getType().getElementType())};
}

//===----------------------------------------------------------------------===//
// Activations
//===----------------------------------------------------------------------===//

FailureOr<SmallVector<Value>> GeluOp::decompose(OpBuilder &builder) {
  Location loc = getLoc();
  Value x = convertElement(builder, loc, getInput(),
                           accumulationType(getType().getElementType()));
  RankedTensorType type = typeOf(x);
  auto number = [&](double value) { return splat(builder, loc, type, value); };
  auto times = [&](Value a, Value b) -> Value {
    return MulOp::create(builder, loc, a, b);
  };
  Value inner;
  if (getForm() == GeluForm::Erf) {
    inner = ErfOp::create(builder, loc, times(x, number(std::sqrt(0.5))));
  } else {
    Value square = times(x, x);
    Value cube = times(square, times(x, number(0.044715)));
    Value sum = AddOp::create(builder, loc, x, cube);
    inner = TanhOp::create(
        builder, loc,
        times(sum, number(std::sqrt(2.0 / 3.14159265358979323846))));
  }
  Value gate = AddOp::create(builder, loc, number(1.0), inner);
  Value result = times(times(x, number(0.5)), gate);
  return SmallVector<Value>{
      convertElement(builder, loc, result, getType().getElementType())};
}

FailureOr<SmallVector<Value>> SiluOp::decompose(OpBuilder &builder) {
  Location loc = getLoc();
  Type element = getType().getElementType();
  Value x = convertElement(builder, loc, getInput(), accumulationType(element));
  Value gate = LogisticOp::create(builder, loc, x);
  Value result = MulOp::create(builder, loc, x, gate);
  return SmallVector<Value>{convertElement(builder, loc, result, element)};
}

FailureOr<SmallVector<Value>> ReluOp::decompose(OpBuilder &builder) {
  Value zero = splat(builder, getLoc(), getType(), 0.0);
  return SmallVector<Value>{MaxOp::create(builder, getLoc(), getInput(), zero)};
}

//===----------------------------------------------------------------------===//
// Look-ups
//===----------------------------------------------------------------------===//

FailureOr<SmallVector<Value>> EmbeddingOp::decompose(OpBuilder &builder) {
  // A table without rows cannot give slices of one row, even if none is asked.
  if (getType().getNumElements() == 0)
    return SmallVector<Value>{splat(builder, getLoc(), getType(), 0.0)};
  int64_t rank = getIds().getType().getRank();
  ArrayRef<int64_t> none;
  return SmallVector<Value>{GatherOp::create(
      builder, getLoc(), getType(), getTable(), getIds(),
      /*offset_dims=*/ArrayRef<int64_t>{rank},
      /*collapsed_slice_dims=*/ArrayRef<int64_t>{0},
      /*operand_batching_dims=*/none, /*start_indices_batching_dims=*/none,
      /*start_index_map=*/ArrayRef<int64_t>{0}, /*index_vector_dim=*/rank,
      /*slice_sizes=*/
      ArrayRef<int64_t>{1, getTable().getType().getDimSize(1)})};
}

FailureOr<SmallVector<Value>> CrossEntropyOp::decompose(OpBuilder &builder) {
  Location loc = getLoc();
  if (getType().getNumElements() == 0)
    return SmallVector<Value>{splat(builder, loc, getType(), 0.0)};
  RankedTensorType type = getLogits().getType();
  int64_t last = type.getRank() - 1;
  Type element = accumulationType(type.getElementType());
  SmallVector<int64_t> rows = dimRange(last);

  Value logits = convertElement(builder, loc, getLogits(), element);
  Value max = reduce(builder, loc, logits, last, ReductionKind::Max);
  Value maxes = broadcastTo(builder, loc, max, type.getShape(), rows);
  Value shifted = SubtractOp::create(builder, loc, logits, maxes);
  Value exps = ExpOp::create(builder, loc, shifted);
  Value sum = reduce(builder, loc, exps, last, ReductionKind::Sum);
  Value logSum = LogOp::create(builder, loc, sum);

  // x[label] is read from the logits themselves, which exist anyway.
  SmallVector<int64_t> ones(type.getRank(), 1);
  Value picked = GatherOp::create(
      builder, loc, getType(), getLogits(), getLabels(),
      /*offset_dims=*/ArrayRef<int64_t>{},
      /*collapsed_slice_dims=*/ArrayRef<int64_t>{last},
      /*operand_batching_dims=*/rows, /*start_indices_batching_dims=*/rows,
      /*start_index_map=*/ArrayRef<int64_t>{last}, /*index_vector_dim=*/last,
      /*slice_sizes=*/ones);
  Value label = SubtractOp::create(
      builder, loc, convertElement(builder, loc, picked, element), max);
  Value loss = SubtractOp::create(builder, loc, logSum, label);
  return SmallVector<Value>{
      convertElement(builder, loc, loss, type.getElementType())};
}

} // namespace cleave::graph
