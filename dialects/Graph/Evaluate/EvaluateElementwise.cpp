//===- EvaluateElementwise.cpp - Convert, select, clamp and others --------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/Evaluate/Evaluator.h"
#include "dialects/Graph/Evaluate/ScalarSemantics.h"
#include "dialects/Graph/GraphDialect.h"
#include "dialects/Graph/SmallFloats.h"
#include <cmath>

using namespace mlir;
using namespace cleave::graph;

//===----------------------------------------------------------------------===//
// Convert
//===----------------------------------------------------------------------===//

/// Truncates; NaN gives 0 and a value out of range the nearest bound.
static int64_t toInteger(double value, IntegerSemantics type) {
  if (std::isnan(value))
    return 0;
  value = std::trunc(value);
  // 2^n, which is representable where 2^n - 1 is not.
  double end = std::ldexp(1.0, type.isUnsigned ? type.width : type.width - 1);
  if (value >= end)
    return type.largest();
  if (value < (type.isUnsigned ? 0 : -end))
    return type.smallest();
  return type.isUnsigned ? static_cast<int64_t>(static_cast<uint64_t>(value))
                         : static_cast<int64_t>(value);
}

/// An integer as a float64 that rounds to any narrower type as the integer
/// itself would. Plain conversion could round twice; rounding to odd (the last
/// bit says whether anything was lost) cannot mislead the second rounding.
static double toFloat(int64_t value, bool isUnsigned, bool roundsAgain) {
  bool negative = !isUnsigned && value < 0;
  uint64_t magnitude =
      negative ? -static_cast<uint64_t>(value) : static_cast<uint64_t>(value);
  if (roundsAgain && magnitude >> 53) {
    uint64_t lost = magnitude & 0xfff;
    magnitude = (magnitude & ~uint64_t(0xfff)) | (lost ? 0x1000 : 0);
  }
  auto result = static_cast<double>(magnitude);
  return negative ? -result : result;
}

/// A conversion to 8 bits keeps the sign of a NaN, but not its mantissa.
static void forgetMantissas(Literal &literal) {
  for (double &value : literal.mutableFloats())
    if (std::isnan(value))
      value = std::copysign(NAN, value);
}

LogicalResult ConvertOp::evaluate(Evaluator &evaluator,
                                  ArrayRef<Literal> operands,
                                  SmallVectorImpl<Literal> &results) {
  const Literal &operand = operands[0];
  auto type = cast<RankedTensorType>(getResult().getType());
  Type element = type.getElementType();

  if (isa<FloatType>(element)) {
    if (operand.isFloat()) {
      results.push_back(operand.withType(type));
      if (isSmallFloat(element) && operand.elementType() != element)
        forgetMantissas(results.back());
    } else {
      bool isUnsigned = IntegerSemantics(operand.elementType()).isUnsigned;
      bool roundsAgain = !evaluator.isExact() && !element.isF64();
      std::vector<double> values;
      values.reserve(operand.size());
      for (int64_t value : operand.ints())
        values.push_back(toFloat(value, isUnsigned, roundsAgain));
      results.emplace_back(type, std::move(values));
    }
    evaluator.round(results.back());
    return success();
  }

  std::vector<int64_t> values;
  values.reserve(operand.size());
  IntegerSemantics semantics(element);
  if (!operand.isFloat()) {
    for (int64_t value : operand.ints())
      values.push_back(wrapToType(value, element));
  } else {
    for (double value : operand.floats())
      values.push_back(semantics.isBool() ? value != 0
                                          : toInteger(value, semantics));
  }
  results.emplace_back(type, std::move(values));
  return success();
}

//===----------------------------------------------------------------------===//
// Compare, select, clamp
//===----------------------------------------------------------------------===//

template <typename T>
static bool holds(ComparisonDirection direction, T x, T y) {
  switch (direction) {
  case ComparisonDirection::EQ:
    return x == y;
  case ComparisonDirection::NE:
    return x != y;
  case ComparisonDirection::GE:
    return x >= y;
  case ComparisonDirection::GT:
    return x > y;
  case ComparisonDirection::LE:
    return x <= y;
  case ComparisonDirection::LT:
    return x < y;
  }
  llvm_unreachable("unknown direction");
}

LogicalResult CompareOp::evaluate(Evaluator &, ArrayRef<Literal> operands,
                                  SmallVectorImpl<Literal> &results) {
  Literal result(cast<RankedTensorType>(getResult().getType()));
  MutableArrayRef<int64_t> to = result.mutableInts();
  ComparisonDirection direction = getDirection();
  if (operands[0].isFloat()) {
    ArrayRef<double> lhs = operands[0].floats(), rhs = operands[1].floats();
    for (size_t i = 0; i < to.size(); ++i)
      to[i] = holds(direction, lhs[i], rhs[i]);
  } else {
    ArrayRef<int64_t> lhs = operands[0].ints(), rhs = operands[1].ints();
    bool isUnsigned = IntegerSemantics(operands[0].elementType()).isUnsigned;
    for (size_t i = 0; i < to.size(); ++i)
      to[i] = isUnsigned ? holds<uint64_t>(direction, lhs[i], rhs[i])
                         : holds(direction, lhs[i], rhs[i]);
  }
  results.push_back(std::move(result));
  return success();
}

/// The element at `i` of a tensor that may be a scalar instead.
template <typename T> static T at(ArrayRef<T> values, bool scalar, size_t i) {
  return values[scalar ? 0 : i];
}

LogicalResult SelectOp::evaluate(Evaluator &, ArrayRef<Literal> operands,
                                 SmallVectorImpl<Literal> &results) {
  ArrayRef<int64_t> pred = operands[0].ints();
  bool scalar = operands[0].shape().empty();
  Literal result = operands[2];
  auto choose = [&](auto from, auto to) {
    for (size_t i = 0; i < to.size(); ++i)
      if (at(pred, scalar, i))
        to[i] = from[i];
  };
  if (result.isFloat())
    choose(operands[1].floats(), result.mutableFloats());
  else
    choose(operands[1].ints(), result.mutableInts());
  results.push_back(std::move(result));
  return success();
}

LogicalResult ClampOp::evaluate(Evaluator &, ArrayRef<Literal> operands,
                                SmallVectorImpl<Literal> &results) {
  const Literal &low = operands[0], &high = operands[2];
  bool lowScalar = low.shape().empty(), highScalar = high.shape().empty();
  Literal result = operands[1];
  if (result.isFloat()) {
    for (auto [i, value] : llvm::enumerate(result.mutableFloats()))
      value = minimum(maximum(value, at(low.floats(), lowScalar, i)),
                      at(high.floats(), highScalar, i));
  } else {
    IntegerSemantics type(result.elementType());
    for (auto [i, value] : llvm::enumerate(result.mutableInts())) {
      int64_t least = at(low.ints(), lowScalar, i);
      int64_t most = at(high.ints(), highScalar, i);
      if (type.less(value, least))
        value = least;
      if (type.less(most, value))
        value = most;
    }
  }
  results.push_back(std::move(result));
  return success();
}

//===----------------------------------------------------------------------===//
// Sources
//===----------------------------------------------------------------------===//

LogicalResult ConstantOp::evaluate(Evaluator &, ArrayRef<Literal>,
                                   SmallVectorImpl<Literal> &results) {
  FailureOr<Literal> literal =
      Literal::fromAttr(getValue(), [&] { return emitError(); });
  if (failed(literal))
    return failure();
  results.push_back(std::move(*literal));
  return success();
}

LogicalResult IotaOp::evaluate(Evaluator &evaluator, ArrayRef<Literal>,
                               SmallVectorImpl<Literal> &results) {
  auto type = cast<RankedTensorType>(getOutput().getType());
  Literal result(type);
  int64_t stride = rowMajorStrides(type.getShape())[getDim()];
  int64_t size = type.getDimSize(getDim());
  for (int64_t i = 0; i < result.size(); ++i) {
    int64_t index = i / stride % size;
    if (result.isFloat())
      result.mutableFloats()[i] = static_cast<double>(index);
    else
      result.mutableInts()[i] = wrapToType(index, type.getElementType());
  }
  evaluator.round(result);
  results.push_back(std::move(result));
  return success();
}
