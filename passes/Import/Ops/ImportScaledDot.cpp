//===- ImportScaledDot.cpp - Products of blocks with scales ---------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `custom_call @__op$block_scaled_dot(lhs [b, m, k], rhs [b, n, k], their
// scales [b, m, k / block] and [b, n, k / block]) -> [b, m, n]`, which JAX's
// scaled_matmul and scaled_dot_general are on GPUs. Each block of k has a
// scale: elements are multiplied by it, and the product is one of f32.
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/GraphBuilders.h"
#include "passes/Import/Importer.h"

using namespace mlir;
using namespace cleave;
using namespace cleave::reader;

/// Whether `scales` divides the last dimension of `values` into equal blocks.
static bool areScalesOf(RankedTensorType scales, RankedTensorType values) {
  int64_t last = values.getRank() - 1;
  return scales.getRank() == values.getRank() &&
         scales.getShape().drop_back() == values.getShape().drop_back() &&
         scales.getDimSize(last) > 0 &&
         values.getDimSize(last) % scales.getDimSize(last) == 0;
}

/// Elements times the scale of their block, in f32.
static Value applyScales(ImportedOp &op, Value values, Value scales) {
  OpBuilder &b = op.builder;
  RankedTensorType type = graph::typeOf(values), blocks = graph::typeOf(scales);
  SmallVector<int64_t> shape(blocks.getShape());
  shape.push_back(type.getShape().back() / shape.back());
  scales = graph::broadcastTo(b, op.loc, scales, shape,
                              graph::dimRange(blocks.getRank()));
  scales = graph::reshapeTo(b, op.loc, scales, type.getShape());
  Type f32 = b.getF32Type();
  return graph::MulOp::create(b, op.loc,
                              graph::convertElement(b, op.loc, values, f32),
                              graph::convertElement(b, op.loc, scales, f32));
}

static LogicalResult importScaledDot(ImportedOp &op) {
  auto isFloat = [&](unsigned index) {
    return isa_and_nonnull<FloatType>(op.operandElement(index));
  };
  if (op.operands.size() != 4 || op.results.size() != 1 ||
      !llvm::all_of(llvm::seq(0u, 4u), isFloat) || op.operandElement(0).isF64())
    return op.unsupported()
           << "custom_call '__op$block_scaled_dot' of "
           << op.op->getOperandTypes()
           << " is not supported; expected two operands and their scales";
  RankedTensorType lhs = op.operandType(0), rhs = op.operandType(1);
  int64_t rank = lhs.getRank();
  if (rank != 3 || rhs.getRank() != 3 || !areScalesOf(op.operandType(2), lhs) ||
      !areScalesOf(op.operandType(3), rhs) ||
      lhs.getDimSize(0) != rhs.getDimSize(0) ||
      lhs.getDimSize(2) != rhs.getDimSize(2))
    return op.error() << "custom_call '__op$block_scaled_dot' of "
                      << op.op->getOperandTypes()
                      << " should be of [b, m, k], [b, n, k] and scales of "
                         "blocks of k of each";
  OpBuilder &b = op.builder;
  auto type = RankedTensorType::get(
      {lhs.getDimSize(0), lhs.getDimSize(1), rhs.getDimSize(1)},
      b.getF32Type());
  const int64_t batch[] = {0}, inner[] = {2};
  Value product = graph::DotGeneralOp::create(
      b, op.loc, type, applyScales(op, op.operand(0), op.operand(2)),
      applyScales(op, op.operand(1), op.operand(3)), batch, batch, inner,
      inner);
  op.results[0] = {graph::convertElement(b, op.loc, product,
                                         op.resultType().getElementType())};
  return success();
}

void reader::addScaledDotImports(ImportTable &table) {
  table["__op$block_scaled_dot"] = importScaledDot;
}
