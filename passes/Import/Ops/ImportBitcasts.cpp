//===- ImportBitcasts.cpp - bitcast_convert -------------------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is not kept in as many bits as its type says (numbers of less than 8
// bits, complex ones) is taken apart into unsigned integers, of which the first
// has the lowest bits.
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/GraphBuilders.h"
#include "dialects/Graph/GraphDialect.h"
#include "passes/Import/Ops/Elementwise.h"

using namespace mlir;
using namespace cleave;
using namespace cleave::reader;

static int64_t widthOf(Type element) {
  if (auto complex = dyn_cast<ComplexType>(element))
    return 2 * widthOf(complex.getElementType());
  return element.getIntOrFloatBitWidth();
}

/// The unsigned integers in which so many bits are kept.
static Type bitsType(ImportedOp &op, int64_t width) {
  return op.builder.getIntegerType(std::max<int64_t>(width, 8),
                                   /*isSigned=*/false);
}

static Value bitcastTo(ImportedOp &op, Value value, Type element) {
  RankedTensorType type = graph::typeOf(value);
  if (type.getElementType() == element)
    return value;
  return graph::BitcastConvertOp::create(
      op.builder, op.loc, graph::withElement(type, element), value);
}

static Value keepBits(ImportedOp &op, Value bits, int64_t width) {
  return graph::AndOp::create(op.builder, op.loc, bits,
                              graph::splatInt(op.builder, op.loc,
                                              graph::typeOf(bits),
                                              (int64_t(1) << width) - 1));
}

static Value toBits(ImportedOp &op, Value value, Type element) {
  Type type = bitsType(op, widthOf(element));
  if (isNarrowFloat(element))
    return encodeNarrowFloat(op.builder, op.loc, value,
                             cast<FloatType>(element));
  if (element.isInteger(1))
    return graph::convertElement(op.builder, op.loc, value, type);
  Value bits = bitcastTo(op, value, type);
  return isNarrowInteger(element) ? keepBits(op, bits, widthOf(element)) : bits;
}

static LogicalResult fromBits(ImportedOp &op, Value bits, Type element,
                              Parts &result) {
  if (isNarrowFloat(element)) {
    result = {
        decodeNarrowFloat(op.builder, op.loc, bits, cast<FloatType>(element))};
    return success();
  }
  if (element.isInteger(1) || isNarrowInteger(element)) {
    Type from = graph::typeOf(bits).getElementType();
    return buildConvert(op, {{bits}, from}, element, result);
  }
  result = {bitcastTo(op, bits, element)};
  return success();
}

/// The numbers 0, width, 2 * width, ... along the last dimension.
static Value shiftsLike(ImportedOp &op, Value value, int64_t width) {
  RankedTensorType type = graph::typeOf(value);
  return graph::MulOp::create(
      op.builder, op.loc,
      graph::iota(op.builder, op.loc, type, type.getRank() - 1),
      graph::splatInt(op.builder, op.loc, type, width));
}

/// Each element becomes several of `width` bits, along a new last dimension.
static Value takeApart(ImportedOp &op, Value bits, int64_t width,
                       int64_t count) {
  RankedTensorType type = graph::typeOf(bits);
  SmallVector<int64_t> shape(type.getShape());
  shape.push_back(count);
  Value parts = graph::broadcastTo(op.builder, op.loc, bits, shape,
                                   graph::dimRange(type.getRank()));
  parts = graph::ShiftRightLogicalOp::create(op.builder, op.loc, parts,
                                             shiftsLike(op, parts, width));
  return graph::convertElement(op.builder, op.loc, keepBits(op, parts, width),
                               bitsType(op, width));
}

/// The elements along the last dimension, of `width` bits, become one.
static Value putTogether(ImportedOp &op, Value bits, int64_t width,
                         int64_t count) {
  bits = graph::convertElement(op.builder, op.loc, bits,
                               bitsType(op, width * count));
  Value shifted = graph::ShiftLeftOp::create(op.builder, op.loc, bits,
                                             shiftsLike(op, bits, width));
  return graph::reduce(op.builder, op.loc, shifted,
                       {graph::typeOf(bits).getRank() - 1}, ReductionKind::Sum);
}

/// complex<f64>, in whose memory the real part is first, as two complex<f32>:
/// the first consists of both halves of the real part.
static void takeComplexApart(ImportedOp &op) {
  OpBuilder &b = op.builder;
  int64_t last = op.resultType().getRank() - 1;
  Value halves[2];
  for (unsigned part : {0, 1})
    halves[part] = graph::BitcastConvertOp::create(b, op.loc, op.resultType(),
                                                   op.operands[0][part]);
  for (unsigned half : {0, 1})
    op.results[0].push_back(graph::ConcatenateOp::create(
        b, op.loc, op.resultType(),
        ValueRange{graph::sliceDim(b, op.loc, halves[0], last, half, half + 1),
                   graph::sliceDim(b, op.loc, halves[1], last, half, half + 1)},
        last));
}

static void putComplexTogether(ImportedOp &op) {
  OpBuilder &b = op.builder;
  RankedTensorType type = op.operandType(0);
  int64_t last = type.getRank() - 1;
  for (unsigned element : {0, 1}) {
    Value halves[2];
    for (unsigned half : {0, 1})
      halves[half] = graph::sliceDim(b, op.loc, op.operands[0][half], last,
                                     element, element + 1);
    Value both = graph::ConcatenateOp::create(
        b, op.loc, type, ValueRange{halves[0], halves[1]}, last);
    op.results[0].push_back(
        graph::BitcastConvertOp::create(b, op.loc, op.resultType(), both));
  }
}

/// Where widths differ, the wider type has a dimension less.
static LogicalResult checkShapes(ImportedOp &op, int64_t from, int64_t to) {
  SmallVector<int64_t> operand(op.operandType(0).getShape());
  SmallVector<int64_t> result(op.resultType().getShape());
  if (from > to)
    operand.push_back(from / to);
  else if (to > from)
    result.push_back(to / from);
  if (std::max(from, to) % std::min(from, to) != 0 || operand != result)
    return op.error() << "'" << op.name() << "' of "
                      << op.op->getOperand(0).getType() << " to "
                      << op.op->getResult(0).getType()
                      << " does not keep the number of bits";
  return success();
}

static LogicalResult importBitcastConvert(ImportedOp &op) {
  Type from = op.operandElement(0), to = op.resultElement();
  int64_t fromWidth = widthOf(from), toWidth = widthOf(to);
  if (failed(checkShapes(op, fromWidth, toWidth)))
    return failure();
  if (from == to) {
    op.results[0] = op.operands[0];
    return success();
  }
  if (isComplex(from) != isComplex(to))
    return op.error() << "'" << op.name() << "' of " << from << " to " << to
                      << "; expected complex numbers on both sides or on none";
  if (isComplex(from)) {
    if (fromWidth > toWidth)
      takeComplexApart(op);
    else
      putComplexTogether(op);
    return success();
  }
  if (fromWidth >= 8 && toWidth >= 8) {
    op.results[0] = {graph::BitcastConvertOp::create(
        op.builder, op.loc, op.resultType(), op.operand(0))};
    return success();
  }
  Value bits = toBits(op, op.operand(0), from);
  if (fromWidth > toWidth)
    bits = takeApart(op, bits, toWidth, fromWidth / toWidth);
  else if (toWidth > fromWidth)
    bits = putTogether(op, bits, fromWidth, toWidth / fromWidth);
  return fromBits(op, bits, to, op.results[0]);
}

void reader::addBitcastImports(ImportTable &table) {
  table["stablehlo.bitcast_convert"] = importBitcastConvert;
}
