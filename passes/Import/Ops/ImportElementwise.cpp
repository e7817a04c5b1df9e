//===- ImportElementwise.cpp - Import of elementwise ops ------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/GraphBuilders.h"
#include "dialects/Graph/SmallFloats.h"
#include "passes/Import/Ops/ComplexFunctions.h"
#include "passes/Import/Ops/Elementwise.h"

using namespace mlir;
using namespace cleave;
using namespace cleave::reader;

SmallVector<Tensor> reader::tensorsOf(ImportedOp &op) {
  SmallVector<Tensor> tensors;
  for (auto [index, parts] : llvm::enumerate(op.operands))
    tensors.push_back({parts, op.operandElement(index)});
  return tensors;
}

//===----------------------------------------------------------------------===//
// Integers of 2 and 4 bits, in 8 bits
//===----------------------------------------------------------------------===//

static Value mask(ImportedOp &op, Value value, unsigned width) {
  Value bits = graph::splatInt(op.builder, op.loc, graph::typeOf(value),
                               (int64_t(1) << width) - 1);
  return graph::AndOp::create(op.builder, op.loc, value, bits);
}

/// Keeps the low bits, of which the highest one is repeated above.
static Value extend(ImportedOp &op, Value value, unsigned width) {
  Value shift =
      graph::splatInt(op.builder, op.loc, graph::typeOf(value), 8 - width);
  value = graph::ShiftLeftOp::create(op.builder, op.loc, value, shift);
  return graph::ShiftRightArithmeticOp::create(op.builder, op.loc, value,
                                               shift);
}

/// Keeps the low bits and extends them.
static Value wrap(ImportedOp &op, Value value, IntegerType type) {
  return type.isUnsigned() ? mask(op, value, type.getWidth())
                           : extend(op, value, type.getWidth());
}

/// Ops that look at bits above the width see zeros there, and arithmetic shifts
/// the highest bit, of unsigned integers too.
static Value prepareNarrow(ImportedOp &op, StringRef name, unsigned index,
                           const Tensor &operand) {
  Value value = operand.parts[0];
  bool seesBits = name == "popcnt" || name == "count_leading_zeros" ||
                  (name == "shift_right_logical" && index == 0);
  if (!isNarrowInteger(operand.element))
    return value;
  unsigned width = cast<IntegerType>(operand.element).getWidth();
  if (name == "shift_right_arithmetic" && index == 0)
    return extend(op, value, width);
  return seesBits ? mask(op, value, width) : value;
}

static Value finishNarrow(ImportedOp &op, StringRef name, Value value,
                          Type element) {
  if (!isNarrowInteger(element))
    return value;
  auto type = cast<IntegerType>(element);
  if (name == "count_leading_zeros") {
    Value above = graph::splatInt(op.builder, op.loc, graph::typeOf(value),
                                  8 - type.getWidth());
    value = graph::SubtractOp::create(op.builder, op.loc, value, above);
  }
  return wrap(op, value, type);
}

//===----------------------------------------------------------------------===//
// Building
//===----------------------------------------------------------------------===//

LogicalResult reader::buildElementwise(ImportedOp &op, StringRef name,
                                       ArrayRef<Tensor> operands, Type element,
                                       Parts &result) {
  if (llvm::any_of(operands, [](const Tensor &operand) {
        return isComplex(operand.element);
      }))
    return buildComplexFunction(op, name, operands, result);
  for (const Tensor &operand : operands)
    if (isNarrowFloat(operand.element))
      return op.unsupported() << "'" << op.name() << "' on " << operand.element
                              << " is not supported";
  SmallVector<Value> values;
  for (auto [index, operand] : llvm::enumerate(operands))
    values.push_back(prepareNarrow(op, name, index, operand));
  std::string target = ("cleave." + name).str();
  if (!RegisteredOperationName::lookup(target, op.op->getContext()))
    return op.unsupported() << "'" << op.name() << "' is not supported";
  Value value = op.create(target, values, values[0].getType())->getResult(0);
  result = {finishNarrow(op, name, value, element)};
  return success();
}

/// Signed integers that are ordered like IEEE-754's totalOrder: of a negative
/// float all bits but the sign are flipped.
static Value totalOrderKey(ImportedOp &op, Value value) {
  RankedTensorType type = graph::typeOf(value);
  unsigned width = type.getElementTypeBitWidth();
  RankedTensorType bitsType =
      graph::withElement(type, op.builder.getIntegerType(width));
  Value bits =
      graph::BitcastConvertOp::create(op.builder, op.loc, bitsType, value);
  Value zero = graph::splatInt(op.builder, op.loc, bitsType, 0);
  Value most = graph::splatInt(op.builder, op.loc, bitsType,
                               APInt::getSignedMaxValue(width).getSExtValue());
  Value flipped = graph::XorOp::create(op.builder, op.loc, bits, most);
  Value isNegative = graph::compare(op.builder, op.loc,
                                    graph::ComparisonDirection::LT, bits, zero);
  return graph::SelectOp::create(op.builder, op.loc, bitsType, isNegative,
                                 flipped, bits);
}

/// Floats of 8 bits in f32, in which they have the same order.
static Value widenSmallFloat(ImportedOp &op, Value value) {
  Type element = graph::typeOf(value).getElementType();
  return graph::isSmallFloat(element)
             ? graph::convertElement(op.builder, op.loc, value,
                                     op.builder.getF32Type())
             : value;
}

LogicalResult reader::buildCompare(ImportedOp &op, const Tensor &lhs,
                                   const Tensor &rhs, StringRef direction,
                                   StringRef type, Parts &result) {
  std::optional<graph::ComparisonDirection> parsed =
      graph::symbolizeComparisonDirection(direction);
  if (!parsed)
    return op.error() << "'" << direction << "' is no comparison_direction";
  if (lhs.element != rhs.element || lhs.parts.size() != rhs.parts.size())
    return op.error() << "compares " << lhs.element << " with " << rhs.element;
  bool isTotal = type == "TOTALORDER" && isa<FloatType>(lhs.element);
  Parts equal;
  for (unsigned i = 0; i < lhs.parts.size(); ++i) {
    Value left = widenSmallFloat(op, lhs.parts[i]);
    Value right = widenSmallFloat(op, rhs.parts[i]);
    if (isTotal) {
      left = totalOrderKey(op, left);
      right = totalOrderKey(op, right);
    }
    equal.push_back(graph::compare(op.builder, op.loc, *parsed, left, right));
  }
  if (equal.size() == 1) {
    result = equal;
    return success();
  }
  if (parsed == graph::ComparisonDirection::EQ)
    result = {graph::AndOp::create(op.builder, op.loc, equal[0], equal[1])};
  else if (parsed == graph::ComparisonDirection::NE)
    result = {graph::OrOp::create(op.builder, op.loc, equal[0], equal[1])};
  else
    return op.error() << "complex numbers have no order; expected EQ or NE, "
                         "not "
                      << direction;
  return success();
}

void reader::buildSelect(ImportedOp &op, Value pred, const Parts &onTrue,
                         const Parts &onFalse, Parts &result) {
  result.clear();
  for (auto [yes, no] : llvm::zip(onTrue, onFalse))
    result.push_back(graph::SelectOp::create(op.builder, op.loc, yes.getType(),
                                             pred, yes, no));
}

/// Of a float to 2 or 4 bits: the nearest bound where it is beyond.
static Value clampTo(ImportedOp &op, Value value, IntegerType type) {
  RankedTensorType scalar = graph::withShape(graph::typeOf(value), {});
  int64_t low = type.isUnsigned() ? 0 : -(int64_t(1) << (type.getWidth() - 1));
  int64_t high = low + (int64_t(1) << type.getWidth()) - 1;
  return graph::ClampOp::create(op.builder, op.loc, value.getType(),
                                graph::splat(op.builder, op.loc, scalar, low),
                                value,
                                graph::splat(op.builder, op.loc, scalar, high));
}

LogicalResult reader::buildConvert(ImportedOp &op, const Tensor &operand,
                                   Type element, Parts &result) {
  if (isNarrowFloat(element) && element != operand.element) {
    result = {roundToNarrowFloat(op.builder, op.loc, operand.parts[0],
                                 cast<FloatType>(element))};
    return success();
  }
  SmallVector<Type> types;
  RankedTensorType from = graph::typeOf(operand.parts[0]);
  if (failed(op.importer.convertType(
          RankedTensorType::get(from.getShape(), element), op.loc, types)))
    return failure();
  result.clear();
  for (auto [index, type] : llvm::enumerate(types)) {
    auto part = cast<RankedTensorType>(type);
    if (index >= operand.parts.size()) {
      result.push_back(graph::splat(op.builder, op.loc, part, 0));
      continue;
    }
    Value value = operand.parts[index];
    if (isNarrowInteger(element) && isa<FloatType>(from.getElementType()))
      value =
          clampTo(op, widenSmallFloat(op, value), cast<IntegerType>(element));
    value =
        graph::convertElement(op.builder, op.loc, value, part.getElementType());
    result.push_back(finishNarrow(op, "convert", value, element));
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

static LogicalResult importElementwise(ImportedOp &op) {
  return buildElementwise(op, op.op->getName().stripDialect(), tensorsOf(op),
                          op.resultElement(), op.results[0]);
}

static LogicalResult importCompare(ImportedOp &op) {
  StringRef direction, type;
  if (failed(op.read("comparison_direction", direction)) ||
      failed(op.read("compare_type", type, StringRef("NOTYPE"))))
    return failure();
  SmallVector<Tensor> operands = tensorsOf(op);
  return buildCompare(op, operands[0], operands[1], direction, type,
                      op.results[0]);
}

static LogicalResult importSelect(ImportedOp &op) {
  buildSelect(op, op.operand(0), op.operands[1], op.operands[2], op.results[0]);
  return success();
}

static LogicalResult importClamp(ImportedOp &op) {
  if (isComplex(op.operandElement(1))) {
    SmallVector<Tensor> operands = tensorsOf(op);
    for (Tensor &operand : operands)
      for (Value &part : operand.parts)
        if (graph::typeOf(part).getRank() == 0)
          part = graph::BroadcastInDimOp::create(
              op.builder, op.loc,
              graph::withShape(graph::typeOf(part),
                               op.operandType(1).getShape()),
              part, ArrayRef<int64_t>());
    return buildComplexFunction(op, "clamp", operands, op.results[0]);
  }
  if (op.operandElement(1).isInteger(1)) {
    OpBuilder &b = op.builder;
    auto bound = [&](unsigned index) -> Value {
      Value value = op.operand(index);
      if (graph::typeOf(value) == graph::typeOf(op.operand(1)))
        return value;
      return graph::BroadcastInDimOp::create(
          b, op.loc, graph::typeOf(op.operand(1)), value, ArrayRef<int64_t>());
    };
    Value raised = graph::OrOp::create(b, op.loc, op.operand(1), bound(0));
    op.results[0] = {graph::AndOp::create(b, op.loc, raised, bound(2))};
    return success();
  }
  op.results[0] = {graph::ClampOp::create(op.builder, op.loc, op.resultType(),
                                          op.operand(0), op.operand(1),
                                          op.operand(2))};
  return success();
}

static LogicalResult importConvert(ImportedOp &op) {
  return buildConvert(op, tensorsOf(op)[0], op.resultElement(), op.results[0]);
}

static LogicalResult importIsFinite(ImportedOp &op) {
  if (isComplex(op.operandElement(0)))
    return op.error() << "is_finite is defined on real numbers";
  op.results[0] = {graph::IsFiniteOp::create(op.builder, op.loc,
                                             op.resultType(), op.operand(0))};
  return success();
}

/// Bits of the exponent and of the mantissa of a float of at most 8 bits.
static std::optional<std::pair<int, int>> formatOf(Type element) {
  if (auto small = graph::getSmallFloat(element))
    return std::pair(small->exponentBits(), small->mantissaBits);
  if (!isNarrowFloat(element))
    return std::nullopt;
  auto type = cast<FloatType>(element);
  int mantissa = type.getFPMantissaWidth() - 1;
  return std::pair(static_cast<int>(type.getWidth()) - 1 - mantissa, mantissa);
}

/// Floats of at most 8 bits are in f32 here, whose exponents are more.
static LogicalResult importReducePrecision(ImportedOp &op) {
  int64_t exponent, mantissa;
  if (failed(op.read("exponent_bits", exponent)) ||
      failed(op.read("mantissa_bits", mantissa)))
    return failure();
  auto source = cast<TensorType>(op.op->getOperand(0).getType());
  if (auto format = formatOf(source.getElementType());
      format && exponent >= format->first) {
    if (mantissa >= format->second) {
      op.results[0] = op.operands[0];
      return success();
    }
    exponent = 8;
  }
  op.results[0] = {graph::ReducePrecisionOp::create(
      op.builder, op.loc, op.operand(0), exponent, mantissa)};
  return success();
}

static LogicalResult importReal(ImportedOp &op) {
  op.results[0] = {op.operand(0)};
  return success();
}

static LogicalResult importImag(ImportedOp &op) {
  if (isComplex(op.operandElement(0)))
    op.results[0] = {op.operands[0][1]};
  else
    op.results[0] = {graph::splat(op.builder, op.loc, op.resultType(), 0)};
  return success();
}

static LogicalResult importComplex(ImportedOp &op) {
  op.results[0] = {op.operand(0), op.operand(1)};
  return success();
}

LogicalResult reader::applyToTensors(ImportedOp &op, Region &body,
                                     ArrayRef<Parts> arguments,
                                     SmallVectorImpl<Parts> &results) {
  for (Operation &inner : body.front().without_terminator()) {
    bool isScalar = inner.getNumRegions() == 0 &&
                    llvm::all_of(inner.getResultTypes(), [](Type type) {
                      auto tensor = dyn_cast<RankedTensorType>(type);
                      return tensor && tensor.getRank() == 0;
                    });
    if (!isScalar)
      return op.unsupported()
             << "'" << inner.getName() << "' in the body of '" << op.name()
             << "' is not supported; expected operations on "
                "scalars";
  }
  auto outer =
      std::exchange(op.importer.mapShape,
                    llvm::to_vector(graph::typeOf(arguments[0][0]).getShape()));
  LogicalResult imported =
      op.importer.importRegion(body, *op.builder.getInsertionBlock(), arguments,
                               /*isIsolated=*/false, results);
  op.importer.mapShape = std::move(outer);
  return imported;
}

static LogicalResult importMap(ImportedOp &op) {
  if (op.operands.empty())
    return op.unsupported() << "'stablehlo.map' without operands is not "
                               "supported";
  SmallVector<Parts> results;
  LogicalResult imported =
      applyToTensors(op, op.op->getRegion(0), op.operands, results);
  if (succeeded(imported) && results.size() == 1)
    op.results[0] = std::move(results[0]);
  return imported;
}

void reader::addElementwiseImports(ImportTable &table) {
  // Same name, same operands, same meaning.
  for (const char *name : {"abs",
                           "add",
                           "atan2",
                           "cbrt",
                           "ceil",
                           "cosine",
                           "divide",
                           "exp2",
                           "exponential",
                           "floor",
                           "exponential_minus_one",
                           "log",
                           "log2",
                           "log_plus_one",
                           "logistic",
                           "maximum",
                           "minimum",
                           "multiply",
                           "negate",
                           "power",
                           "remainder",
                           "round_nearest_afz",
                           "rsqrt",
                           "round_nearest_even",
                           "sign",
                           "sine",
                           "sqrt",
                           "subtract",
                           "tan",
                           "tanh"})
    table[("stablehlo." + Twine(name)).str()] = arithmetic(importElementwise);
  for (const char *name :
       {"and", "count_leading_zeros", "not", "or", "popcnt", "shift_left",
        "shift_right_arithmetic", "shift_right_logical", "xor"})
    table[("stablehlo." + Twine(name)).str()] = importElementwise;
  for (const char *name :
       {"acos", "acosh", "asin", "asinh", "atan", "atanh", "bessel_i1e", "cosh",
        "digamma", "erf", "erf_inv", "erfc", "lgamma", "polygamma", "sinh",
        "tan", "zeta"})
    table[("chlo." + Twine(name)).str()] = arithmetic(importElementwise);
  table["chlo.next_after"] = importElementwise;
  table["stablehlo.clamp"] = arithmetic(importClamp);
  table["stablehlo.compare"] = arithmetic(importCompare);
  table["stablehlo.complex"] = importComplex;
  table["stablehlo.convert"] = importConvert;
  table["stablehlo.imag"] = importImag;
  table["stablehlo.is_finite"] = arithmetic(importIsFinite);
  table["stablehlo.map"] = importMap;
  table["stablehlo.real"] = importReal;
  table["stablehlo.reduce_precision"] = arithmetic(importReducePrecision);
  table["stablehlo.select"] = importSelect;
}
