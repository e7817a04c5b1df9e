//===- EvaluateBinary.cpp - Reference semantics of binary elementwise ops -===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/Evaluate/Evaluator.h"
#include "dialects/Graph/Evaluate/ReferenceFunctions.h"
#include "dialects/Graph/Evaluate/ScalarSemantics.h"
#include "dialects/Graph/GraphDialect.h"
#include <cmath>

using namespace mlir;
using namespace cleave::graph;

template <typename Fn>
static Literal mapFloats(Evaluator &evaluator, const Literal &lhs,
                         const Literal &rhs, Fn fn) {
  Literal result(lhs.type);
  MutableArrayRef<double> to = result.mutableFloats();
  for (auto [i, x, y] : llvm::enumerate(lhs.floats(), rhs.floats()))
    to[i] = fn(x, y);
  evaluator.round(result);
  return result;
}

template <typename Fn>
static Literal mapIntegers(const Literal &lhs, const Literal &rhs, Fn fn) {
  Literal result(lhs.type);
  IntegerSemantics type(lhs.elementType());
  MutableArrayRef<int64_t> to = result.mutableInts();
  for (auto [i, x, y] : llvm::enumerate(lhs.ints(), rhs.ints()))
    to[i] = wrapToType(fn(x, y, type), lhs.elementType());
  return result;
}

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

/// Division by zero gives all ones; the smallest value by -1 itself. The
/// specification leaves both to the implementation; these are XLA's choices.
static int64_t divide(int64_t x, int64_t y, IntegerSemantics type) {
  if (y == 0)
    return -1;
  if (type.isUnsigned)
    return static_cast<int64_t>(static_cast<uint64_t>(x) /
                                static_cast<uint64_t>(y));
  return y == -1 ? static_cast<int64_t>(-static_cast<uint64_t>(x)) : x / y;
}

/// The sign is that of the dividend; modulo zero gives the dividend.
static int64_t remainder(int64_t x, int64_t y, IntegerSemantics type) {
  if (y == 0)
    return x;
  if (type.isUnsigned)
    return static_cast<int64_t>(static_cast<uint64_t>(x) %
                                static_cast<uint64_t>(y));
  return y == -1 ? 0 : x % y;
}

/// A negative exponent gives the truncated reciprocal, and 0 for base 0.
static int64_t power(int64_t base, int64_t exponent, IntegerSemantics type) {
  if (!type.isUnsigned && exponent < 0) {
    if (base == 1)
      return 1;
    if (base == -1)
      return exponent % 2 ? -1 : 1;
    return 0;
  }
  uint64_t result = 1, square = base;
  for (auto rest = static_cast<uint64_t>(exponent); rest; rest >>= 1) {
    if (rest & 1)
      result *= square;
    square *= square;
  }
  return static_cast<int64_t>(result);
}

/// A shift by the width or more (as an unsigned number) shifts everything out.
static int64_t shiftLeft(int64_t x, int64_t y, IntegerSemantics type) {
  uint64_t by = type.bits(y);
  return by >= type.width ? 0 : static_cast<int64_t>(type.bits(x) << by);
}
static int64_t shiftRightLogical(int64_t x, int64_t y, IntegerSemantics type) {
  uint64_t by = type.bits(y);
  return by >= type.width ? 0 : static_cast<int64_t>(type.bits(x) >> by);
}
static int64_t shiftRightArithmetic(int64_t x, int64_t y,
                                    IntegerSemantics type) {
  uint64_t by = std::min<uint64_t>(type.bits(y), type.width - 1);
  // The top bit is the sign, in an unsigned type too.
  unsigned unused = 64 - type.width;
  return static_cast<int64_t>(static_cast<uint64_t>(x) << unused) >> unused >>
         by;
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

#define EVALUATE_FLOAT(OP, EXPRESSION)                                         \
  LogicalResult OP::evaluate(Evaluator &evaluator, ArrayRef<Literal> operands, \
                             SmallVectorImpl<Literal> &results) {              \
    results.push_back(                                                         \
        mapFloats(evaluator, operands[0], operands[1],                         \
                  [](double x, double y) { return EXPRESSION; }));             \
    return success();                                                          \
  }
#define EVALUATE_INTEGER(OP, EXPRESSION)                                       \
  LogicalResult OP::evaluate(Evaluator &, ArrayRef<Literal> operands,          \
                             SmallVectorImpl<Literal> &results) {              \
    results.push_back(                                                         \
        mapIntegers(operands[0], operands[1],                                  \
                    [](uint64_t x, uint64_t y, IntegerSemantics type) {        \
                      return static_cast<int64_t>(EXPRESSION);                 \
                    }));                                                       \
    return success();                                                          \
  }
#define EVALUATE_NUMBER(OP, FLOAT, INTEGER)                                    \
  LogicalResult OP::evaluate(Evaluator &evaluator, ArrayRef<Literal> operands, \
                             SmallVectorImpl<Literal> &results) {              \
    if (operands[0].isFloat())                                                 \
      results.push_back(mapFloats(evaluator, operands[0], operands[1],         \
                                  [](double x, double y) { return FLOAT; }));  \
    else                                                                       \
      results.push_back(                                                       \
          mapIntegers(operands[0], operands[1],                                \
                      [](uint64_t x, uint64_t y, IntegerSemantics type) {      \
                        return static_cast<int64_t>(INTEGER);                  \
                      }));                                                     \
    return success();                                                          \
  }

// On i1 the sum is "or" and the product is "and": wrapping to i1 asks whether
// the result is not zero.
EVALUATE_NUMBER(AddOp, x + y, x + y)
EVALUATE_NUMBER(MulOp, x *y, x *y)
EVALUATE_NUMBER(SubtractOp, x - y, x - y)
EVALUATE_NUMBER(DivOp, x / y, divide(x, y, type))
EVALUATE_NUMBER(RemOp, std::fmod(x, y), remainder(x, y, type))
EVALUATE_NUMBER(PowOp, std::pow(x, y), power(x, y, type))
EVALUATE_NUMBER(MaxOp, maximum(x, y), type.less(x, y) ? y : x)
EVALUATE_NUMBER(MinOp, minimum(x, y), type.less(y, x) ? y : x)
EVALUATE_FLOAT(Atan2Op, std::atan2(x, y))
EVALUATE_FLOAT(PolygammaOp, polygamma(x, y))
EVALUATE_FLOAT(ZetaOp, zeta(x, y))
EVALUATE_INTEGER(AndOp, x &y)
EVALUATE_INTEGER(OrOp, x | y)
EVALUATE_INTEGER(XorOp, x ^ y)
EVALUATE_INTEGER(ShiftLeftOp, shiftLeft(x, y, type))
EVALUATE_INTEGER(ShiftRightArithmeticOp, shiftRightArithmetic(x, y, type))
EVALUATE_INTEGER(ShiftRightLogicalOp, shiftRightLogical(x, y, type))
