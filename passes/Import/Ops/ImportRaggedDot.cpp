//===- ImportRaggedDot.cpp - Import of products of groups -----------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In a ragged product the rows (or the contracted positions) of lhs belong to
// groups, one after the other, of sizes that are values. Each group's product
// is that of lhs with zeros elsewhere, so that all are one product of an lhs
// with one more dimension, the group.
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/GraphBuilders.h"
#include "dialects/Graph/SmallFloats.h"
#include "passes/Import/Ops/Elementwise.h"

using namespace mlir;
using namespace cleave;
using namespace cleave::reader;

namespace {
struct RaggedDims {
  ImportedOp::Integers lhsBatching, rhsBatching, lhsContracting, rhsContracting,
      lhsRagged, rhsGroup;
};
} // namespace

static LogicalResult readDims(ImportedOp &op, RaggedDims &dims) {
  stablehlo::RecordAttr record;
  if (failed(op.read("ragged_dot_dimension_numbers", record)) ||
      failed(op.read(record, "lhs_batching_dimensions", dims.lhsBatching)) ||
      failed(op.read(record, "rhs_batching_dimensions", dims.rhsBatching)) ||
      failed(
          op.read(record, "lhs_contracting_dimensions", dims.lhsContracting)) ||
      failed(
          op.read(record, "rhs_contracting_dimensions", dims.rhsContracting)) ||
      failed(op.read(record, "lhs_ragged_dimensions", dims.lhsRagged)) ||
      failed(op.read(record, "rhs_group_dimensions", dims.rhsGroup)))
    return failure();
  RankedTensorType lhs = op.operandType(0), sizes = op.operandType(2);
  if (dims.lhsRagged.size() != 1 || dims.lhsRagged[0] < 0 ||
      dims.lhsRagged[0] >= lhs.getRank() || dims.rhsGroup.size() > 1 ||
      sizes.getRank() != 1 ||
      llvm::is_contained(dims.lhsBatching, dims.lhsRagged[0]) ||
      op.operandElement(0) != op.operandElement(1) ||
      !isa<IntegerType>(sizes.getElementType()) ||
      !isa<FloatType, IntegerType>(op.operandElement(0)) ||
      isNarrowFloat(op.operandElement(0)) ||
      isNarrowInteger(op.operandElement(0)))
    return op.unsupported()
           << "'chlo.ragged_dot' of " << op.op->getOperandTypes()
           << " with these dimension numbers is not supported";
  return success();
}

/// [groups, positions]: whether a position is in a group.
static Value buildMembership(ImportedOp &op, int64_t positions) {
  OpBuilder &builder = op.builder;
  Value sizes = graph::convertElement(builder, op.loc, op.operand(2),
                                      builder.getI64Type());
  int64_t groups = graph::typeOf(sizes).getDimSize(0);
  // The end of a group is the sum of the sizes up to it.
  auto square = RankedTensorType::get({groups, groups}, builder.getI64Type());
  Value isBefore =
      graph::compare(builder, op.loc, graph::ComparisonDirection::LE,
                     graph::iota(builder, op.loc, square, 1),
                     graph::iota(builder, op.loc, square, 0));
  Value counted = graph::SelectOp::create(
      builder, op.loc, square, isBefore,
      graph::broadcastTo(builder, op.loc, sizes, {groups, groups}, {1}),
      graph::splatInt(builder, op.loc, square, 0));
  Value ends = graph::reduce(builder, op.loc, counted, {1}, ReductionKind::Sum);
  Value starts = graph::SubtractOp::create(builder, op.loc, ends, sizes);
  auto type = RankedTensorType::get({groups, positions}, builder.getI64Type());
  Value position = graph::iota(builder, op.loc, type, 1);
  auto spread = [&](Value bound) {
    return graph::broadcastTo(builder, op.loc, bound, type.getShape(), {0});
  };
  return graph::AndOp::create(
      builder, op.loc,
      graph::compare(builder, op.loc, graph::ComparisonDirection::GE, position,
                     spread(starts)),
      graph::compare(builder, op.loc, graph::ComparisonDirection::LT, position,
                     spread(ends)));
}

static LogicalResult importRaggedDot(ImportedOp &op) {
  RaggedDims dims;
  if (failed(readDims(op, dims)))
    return failure();
  OpBuilder &builder = op.builder;
  RankedTensorType lhs = op.operandType(0);
  int64_t ragged = dims.lhsRagged[0];
  Value isMember = buildMembership(op, lhs.getDimSize(ragged));
  SmallVector<int64_t> shape(lhs.getShape());
  shape.insert(shape.begin(), graph::typeOf(isMember).getDimSize(0));
  SmallVector<int64_t> old = graph::dimRange(lhs.getRank());
  for (int64_t &dim : old)
    ++dim;
  RankedTensorType type = graph::withShape(lhs, shape);
  Value masked = graph::SelectOp::create(
      builder, op.loc, type,
      graph::broadcastTo(builder, op.loc, isMember, shape, {0, ragged + 1}),
      graph::broadcastTo(builder, op.loc, op.operand(0), shape, old),
      graph::splat(builder, op.loc, type, 0));

  // Dimension 0 of `masked` is the group; it is summed over with that of rhs,
  // or a free one that comes first in the result, behind the batch.
  auto shifted = [](ArrayRef<int64_t> values) {
    ImportedOp::Integers result;
    for (int64_t value : values)
      result.push_back(value + 1);
    return result;
  };
  ImportedOp::Integers lhsBatching = shifted(dims.lhsBatching),
                       lhsContracting = shifted(dims.lhsContracting),
                       rhsContracting = dims.rhsContracting;
  if (!dims.rhsGroup.empty()) {
    lhsContracting.push_back(0);
    rhsContracting.push_back(dims.rhsGroup[0]);
  }
  Type element = op.resultType().getElementType();
  RankedTensorType result = op.resultType();
  // Sums are not made in 8 bits.
  if (graph::isSmallFloat(element))
    result = graph::withElement(result, builder.getF32Type());
  int64_t batches = lhsBatching.size();
  SmallVector<int64_t> order = graph::dimRange(result.getRank());
  if (dims.rhsGroup.empty() && batches > 0 && batches < result.getRank()) {
    // The result has the group before the batch.
    std::rotate(order.begin(), order.begin() + 1, order.begin() + batches + 1);
  }
  SmallVector<int64_t> productShape;
  for (int64_t dim : order)
    productShape.push_back(result.getDimSize(dim));
  Value product = graph::DotGeneralOp::create(
      builder, op.loc, graph::withShape(result, productShape), masked,
      op.operand(1), lhsBatching, dims.rhsBatching, lhsContracting,
      rhsContracting);
  // Dimension i of the product is dimension order[i] of the result.
  SmallVector<int64_t> inverse(order.size());
  for (auto [i, dim] : llvm::enumerate(order))
    inverse[dim] = i;
  op.results[0] = {graph::convertElement(
      builder, op.loc, graph::transpose(builder, op.loc, product, inverse),
      element)};
  return success();
}

void reader::addRaggedDotImports(ImportTable &table) {
  table["chlo.ragged_dot"] = importRaggedDot;
}
