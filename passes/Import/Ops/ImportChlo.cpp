//===- ImportChlo.cpp - Import of functions above StableHLO ---------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/GraphBuilders.h"
#include "passes/Import/Ops/Elementwise.h"
#include "passes/Import/Ops/Real.h"

using namespace mlir;
using namespace cleave;
using namespace cleave::reader;

//===----------------------------------------------------------------------===//
// Broadcasting
//===----------------------------------------------------------------------===//

/// The operands in the shape of the result. One of lower rank is placed by the
/// attribute, or at the last dimensions.
static LogicalResult broadcastOperands(ImportedOp &op,
                                       SmallVectorImpl<Tensor> &operands) {
  ArrayRef<int64_t> shape = op.resultType().getShape();
  int64_t rank = shape.size();
  ImportedOp::Integers given;
  if (op.op->hasAttr("broadcast_dimensions") &&
      failed(op.read("broadcast_dimensions", given)))
    return failure();
  operands = tensorsOf(op);
  for (Tensor &operand : operands) {
    RankedTensorType type = graph::typeOf(operand.parts[0]);
    if (type.getShape() == shape)
      continue;
    ImportedOp::Integers dims = given;
    if (type.getRank() == rank || !op.op->hasAttr("broadcast_dimensions")) {
      dims.clear();
      for (int64_t i = 0; i < type.getRank(); ++i)
        dims.push_back(rank - type.getRank() + i);
    }
    for (Value &part : operand.parts)
      part = graph::BroadcastInDimOp::create(
          op.builder, op.loc, graph::withShape(graph::typeOf(part), shape),
          part, dims);
  }
  return success();
}

static LogicalResult importBroadcasting(ImportedOp &op) {
  SmallVector<Tensor> operands;
  if (failed(broadcastOperands(op, operands)))
    return failure();
  StringRef name = op.op->getName().stripDialect();
  name.consume_front("broadcast_");
  if (name == "complex") {
    op.results[0] = {operands[0].parts[0], operands[1].parts[0]};
    return success();
  }
  return buildElementwise(op, name, operands, op.resultElement(),
                          op.results[0]);
}

static LogicalResult importBroadcastCompare(ImportedOp &op) {
  SmallVector<Tensor> operands;
  StringRef direction, type;
  if (failed(op.read("comparison_direction", direction)) ||
      failed(op.read("compare_type", type, StringRef("NOTYPE"))) ||
      failed(broadcastOperands(op, operands)))
    return failure();
  return buildCompare(op, operands[0], operands[1], direction, type,
                      op.results[0]);
}

static LogicalResult importBroadcastSelect(ImportedOp &op) {
  SmallVector<Tensor> operands;
  if (failed(broadcastOperands(op, operands)))
    return failure();
  buildSelect(op, operands[0].parts[0], operands[1].parts, operands[2].parts,
              op.results[0]);
  return success();
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

static LogicalResult importConj(ImportedOp &op) {
  op.results[0] = op.operands[0];
  if (isComplex(op.operandElement(0)))
    op.results[0][1] = (-Real{&op, op.operands[0][1]}).value;
  return success();
}

static LogicalResult importSquare(ImportedOp &op) {
  Tensor x = tensorsOf(op)[0];
  if (isComplex(x.element))
    return buildElementwise(op, "square", {x}, op.resultElement(),
                            op.results[0]);
  return buildElementwise(op, "multiply", {x, x}, op.resultElement(),
                          op.results[0]);
}

/// is_inf, is_pos_inf, is_neg_inf.
static LogicalResult importIsInf(ImportedOp &op) {
  if (!isa_and_nonnull<FloatType>(op.operandElement(0)))
    return op.error() << "'" << op.name() << "' is defined on floats";
  double infinity = std::numeric_limits<double>::infinity();
  Real x = {&op, op.operand(0)};
  if (op.name() == "chlo.is_inf")
    x = abs(x);
  double bound = op.name() == "chlo.is_neg_inf" ? -infinity : infinity;
  op.results[0] = {(x == bound).value};
  return success();
}

static LogicalResult importConstantLike(ImportedOp &op) {
  auto value = dyn_cast_or_null<TypedAttr>(op.op->getAttr("value"));
  RankedTensorType type = op.resultType();
  if (isComplex(op.resultElement()) || !value ||
      value.getType() != type.getElementType())
    return op.unsupported()
           << "'" << op.name() << "' with value " << op.op->getAttr("value")
           << " of " << op.resultElement() << " is not supported";
  op.results[0] = {graph::splat(op.builder, op.loc, type, value)};
  return success();
}

/// The upper half of the product of two integers of 64 bits, from those of
/// halves (H. S. Warren, Hacker's Delight, 2nd edition, section 8-2).
static Value multiplyHigh64(ImportedOp &op, Value x, Value y, bool isSigned) {
  RankedTensorType type = graph::typeOf(x);
  auto constant = [&](int64_t value) {
    return graph::splatInt(op.builder, op.loc, type, value);
  };
  auto multiply = [&](Value a, Value b) -> Value {
    return graph::MulOp::create(op.builder, op.loc, a, b);
  };
  auto add = [&](Value a, Value b) -> Value {
    return graph::AddOp::create(op.builder, op.loc, a, b);
  };
  auto low = [&](Value a) -> Value {
    return graph::AndOp::create(op.builder, op.loc, a, constant(0xffffffff));
  };
  auto high = [&](Value a) -> Value {
    if (isSigned)
      return graph::ShiftRightArithmeticOp::create(op.builder, op.loc, a,
                                                   constant(32));
    return graph::ShiftRightLogicalOp::create(op.builder, op.loc, a,
                                              constant(32));
  };
  auto carry = [&](Value a) -> Value {
    return graph::ShiftRightLogicalOp::create(op.builder, op.loc, a,
                                              constant(32));
  };
  Value t = add(multiply(high(x), low(y)), carry(multiply(low(x), low(y))));
  Value u = add(multiply(low(x), high(y)), low(t));
  return add(add(multiply(high(x), high(y)), high(t)), high(u));
}

/// The upper half of the product, from one of twice the width if there is such
/// a type.
static LogicalResult importMulhi(ImportedOp &op) {
  auto element = dyn_cast_or_null<IntegerType>(op.operandElement(0));
  if (!element || element.getWidth() < 8 || element.getWidth() > 64)
    return op.unsupported() << "'" << op.name() << "' of "
                            << op.operandElement(0) << " is not supported";
  unsigned width = element.getWidth();
  if (width == 64) {
    op.results[0] = {multiplyHigh64(op, op.operand(0), op.operand(1),
                                    !element.isUnsigned())};
    return success();
  }
  Type wide =
      IntegerType::get(op.op->getContext(), 2 * width, element.getSignedness());
  auto widen = [&](Value value) {
    return graph::convertElement(op.builder, op.loc, value, wide);
  };
  Value product = graph::MulOp::create(op.builder, op.loc, widen(op.operand(0)),
                                       widen(op.operand(1)));
  Value shift =
      graph::splatInt(op.builder, op.loc, graph::typeOf(product), width);
  product =
      graph::ShiftRightLogicalOp::create(op.builder, op.loc, product, shift);
  op.results[0] = {graph::convertElement(op.builder, op.loc, product, element)};
  return success();
}

void reader::addChloImports(ImportTable &table) {
  for (const char *name :
       {"add", "atan2", "divide", "maximum", "minimum", "multiply", "polygamma",
        "power", "remainder", "subtract", "zeta"})
    table[("chlo.broadcast_" + Twine(name)).str()] =
        arithmetic(importBroadcasting);
  for (const char *name :
       {"and", "complex", "next_after", "or", "shift_left",
        "shift_right_arithmetic", "shift_right_logical", "xor"})
    table[("chlo.broadcast_" + Twine(name)).str()] = importBroadcasting;
  table["chlo.broadcast_compare"] = arithmetic(importBroadcastCompare);
  table["chlo.broadcast_select"] = importBroadcastSelect;
  table["chlo.conj"] = importConj;
  table["chlo.constant_like"] = importConstantLike;
  for (const char *name : {"is_inf", "is_neg_inf", "is_pos_inf"})
    table[("chlo." + Twine(name)).str()] = arithmetic(importIsInf);
  table["chlo.mulhi"] = importMulhi;
  table["chlo.square"] = arithmetic(importSquare);
}
