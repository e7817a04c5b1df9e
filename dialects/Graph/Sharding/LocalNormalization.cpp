//===- LocalNormalization.cpp - Local forms of normalisations -------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Softmax, norms and cross entropy over a dimension of which each rank has a
// block. Padding is masked first, and what each rank contributes is right for
// an empty block too.
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/Sharding/LocalForm.h"
#include "dialects/Graph/Sharding/ShardingRuleBuilder.h"

using namespace llvm;
using namespace mlir;

namespace cleave::graph {

LocalResults SoftmaxOp::buildLocal(OpBuilder &builder, ValueRange operands,
                                   LocalShards &shards) {
  // Factor d is dimension d.
  unsigned dim = getDim();
  if (!shards.isSharded(dim))
    return cloneWithLocalTypes(*this, builder, operands, shards);
  LocalForm form(*this, builder, shards);
  Value x = form.accumulated(operands[0]);
  // Padding of -inf contributes exp(-inf - max) = 0.
  x = form.mask(x, dim, dim, ReductionKind::Max);
  Value max = form.reduceDim(x, dim, ReductionKind::Max);
  max = form.allReduce(max, dim, ReductionKind::Max, "maximum of softmax");
  x = form.unary<ExpOp>(form.subtract(x, form.alongRows(max, x, dim)));
  Value sum = form.reduceDim(x, dim, ReductionKind::Sum);
  sum = form.allReduce(sum, dim, ReductionKind::Sum, "sum of softmax");
  return form.finish(form.divide(x, form.alongRows(sum, x, dim)));
}

namespace {
/// Mean of each row, and the sum of squared deviations from it.
struct RowStatistics {
  Value mean, m2;
};
} // namespace

/// The statistics of this rank's part of each row; zero where it has none.
static RowStatistics localStatistics(LocalForm &form, Value x, unsigned dim) {
  Value sum = form.reduceDim(form.mask(x, dim, dim, ReductionKind::Sum), dim,
                             ReductionKind::Sum);
  Value count = convertElement(form.builder, form.loc, form.validCount(dim),
                               typeOf(x).getElementType());
  count = form.binary<MaxOp>(count, form.number(count, 1));
  Value mean = form.divide(sum, form.spread(count, sum));
  Value deviation = form.subtract(x, form.alongRows(mean, x, dim));
  deviation = form.mask(deviation, dim, dim, ReductionKind::Sum);
  Value m2 = form.reduceDim(form.multiply(deviation, deviation), dim,
                            ReductionKind::Sum);
  return {mean, m2};
}

/// Gathers the ranks' statistics at once and merges them by Chan's formula for
/// several parts. Means are taken relative to the first one, of a rank that is
/// never empty, since sums of large means would round.
static RowStatistics mergeStatistics(LocalForm &form, RowStatistics local,
                                     unsigned factor,
                                     ArrayRef<int64_t> counts) {
  OpBuilder &builder = form.builder;
  Location loc = form.loc;
  RankedTensorType rowType = typeOf(local.mean);
  ArrayRef<int64_t> rows = rowType.getShape();
  int64_t rank = rows.size();
  int64_t parts = counts.size();

  SmallVector<int64_t> shape(rows);
  shape.append({1, 1});
  Value stats = form.concatenate(
      {form.reshape(local.mean, shape), form.reshape(local.m2, shape)},
      rank + 1);
  stats = form.shards.allGather(builder, loc, stats, rank, factor,
                                "mean and variance of layer_norm");
  auto column = [&](int64_t i) {
    shape.assign(rows.begin(), rows.end());
    shape.push_back(parts);
    return form.reshape(sliceDim(builder, loc, stats, rank + 1, i, i + 1),
                        shape);
  };
  Value means = column(0);
  Value m2s = column(1);

  Type element = rowType.getElementType();
  SmallVector<Attribute> numbers;
  int64_t total = 0;
  for (int64_t count : counts) {
    numbers.push_back(numberAttr(element, count));
    total += count;
  }
  Value vector = ConstantOp::create(
      builder, loc,
      DenseElementsAttr::get(RankedTensorType::get({parts}, element), numbers));
  Value weights = form.alongDim(vector, means, rank);

  Value pivot = form.reshape(sliceDim(builder, loc, means, rank, 0, 1), rows);
  Value delta = form.subtract(means, form.alongRows(pivot, means, rank));
  Value shift =
      form.reduceDim(form.multiply(delta, weights), rank, ReductionKind::Sum);
  shift = form.divide(shift, form.number(shift, total));
  delta = form.subtract(delta, form.alongRows(shift, delta, rank));
  Value between = form.multiply(form.multiply(delta, delta), weights);
  Value m2 = form.reduceDim(form.add(m2s, between), rank, ReductionKind::Sum);
  return {form.add(pivot, shift), m2};
}

LocalResults LayerNormOp::buildLocal(OpBuilder &builder, ValueRange operands,
                                     LocalShards &shards) {
  int64_t dim = typeOf(getInput()).getRank() - 1;
  if (!shards.isSharded(dim))
    return cloneWithLocalTypes(*this, builder, operands, shards);
  LocalForm form(*this, builder, shards);
  int64_t size = typeOf(getInput()).getDimSize(dim);
  Value x = form.accumulated(operands[0]);
  RowStatistics stats =
      mergeStatistics(form, localStatistics(form, x, dim), dim,
                      blockCounts(size, shards.axes(dim)));

  Value variance = form.divide(stats.m2, form.number(stats.m2, size));
  variance =
      form.add(variance, form.number(variance, getEpsilon().convertToDouble()));
  Value y = form.subtract(x, form.alongRows(stats.mean, x, dim));
  y = form.multiply(y, form.alongRows(form.unary<RsqrtOp>(variance), y, dim));
  y = form.multiply(y, form.alongDim(form.accumulated(operands[1]), y, dim));
  return form.finish(
      form.add(y, form.alongDim(form.accumulated(operands[2]), y, dim)));
}

LocalResults RmsNormOp::buildLocal(OpBuilder &builder, ValueRange operands,
                                   LocalShards &shards) {
  int64_t dim = typeOf(getInput()).getRank() - 1;
  if (!shards.isSharded(dim))
    return cloneWithLocalTypes(*this, builder, operands, shards);
  LocalForm form(*this, builder, shards);
  int64_t size = typeOf(getInput()).getDimSize(dim);
  Value x = form.accumulated(operands[0]);
  Value masked = form.mask(x, dim, dim, ReductionKind::Sum);
  Value sum =
      form.reduceDim(form.multiply(masked, masked), dim, ReductionKind::Sum);
  sum = form.allReduce(sum, dim, ReductionKind::Sum,
                       "sum of squares of rms_norm");
  Value mean = form.divide(sum, form.number(sum, size));
  mean = form.add(mean, form.number(mean, getEpsilon().convertToDouble()));
  Value y = form.multiply(x, form.alongRows(form.unary<RsqrtOp>(mean), x, dim));
  return form.finish(
      form.multiply(y, form.alongDim(form.accumulated(operands[1]), y, dim)));
}

LocalResults CrossEntropyOp::buildLocal(OpBuilder &builder, ValueRange operands,
                                        LocalShards &shards) {
  int64_t dim = typeOf(getLabels()).getRank();
  if (!shards.isSharded(dim))
    return cloneWithLocalTypes(*this, builder, operands, shards);
  LocalForm form(*this, builder, shards);
  Location loc = getLoc();
  Value x = form.accumulated(operands[0]);
  x = form.mask(x, dim, dim, ReductionKind::Max);
  Value max = form.reduceDim(x, dim, ReductionKind::Max);
  max =
      form.allReduce(max, dim, ReductionKind::Max, "maximum of cross_entropy");
  x = form.subtract(x, form.alongRows(max, x, dim));
  Value sum = form.reduceDim(form.unary<ExpOp>(x), dim, ReductionKind::Sum);

  // The logit of the label, on the rank that has it; 0 elsewhere.
  Value label =
      form.localIndices(operands[1], typeOf(getLogits()).getDimSize(dim), dim);
  Value index = form.indices(typeOf(x).getShape(), dim);
  Value isLabel = compare(builder, loc, ComparisonDirection::EQ, index,
                          form.alongRows(label, index, dim));
  Value picked = form.reduceDim(form.select(isLabel, x, form.number(x, 0)), dim,
                                ReductionKind::Sum);

  // Both sums travel together.
  SmallVector<int64_t> rows(typeOf(sum).getShape());
  SmallVector<int64_t> shape(rows);
  shape.push_back(1);
  Value both = form.concatenate(
      {form.reshape(sum, shape), form.reshape(picked, shape)}, dim);
  both = form.allReduce(both, dim, ReductionKind::Sum,
                        "sum and label of cross_entropy");
  sum = form.reshape(sliceDim(builder, loc, both, dim, 0, 1), rows);
  picked = form.reshape(sliceDim(builder, loc, both, dim, 1, 2), rows);
  return form.finish(form.subtract(form.unary<LogOp>(sum), picked));
}

} // namespace cleave::graph
