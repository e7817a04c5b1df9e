//===- EvaluateUnary.cpp - Reference semantics of unary elementwise ops ---===//
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
#include "llvm/ADT/bit.h"
#include <cmath>

using namespace mlir;
using namespace cleave::graph;

/// Applies `fn` in float64, then rounds as the mode says: in Rounded mode the
/// result is the nearest of the element type, as by a perfect library.
template <typename Fn>
static Literal mapFloats(Evaluator &evaluator, const Literal &operand, Fn fn) {
  Literal result(operand.type);
  MutableArrayRef<double> to = result.mutableFloats();
  for (auto [i, value] : llvm::enumerate(operand.floats()))
    to[i] = fn(value);
  evaluator.round(result);
  return result;
}

template <typename Fn>
static Literal mapIntegers(const Literal &operand, Fn fn) {
  Literal result(operand.type);
  IntegerSemantics type(operand.elementType());
  MutableArrayRef<int64_t> to = result.mutableInts();
  for (auto [i, value] : llvm::enumerate(operand.ints()))
    to[i] = wrapToType(fn(value, type), operand.elementType());
  return result;
}

static double sign(double x) {
  return std::isnan(x) || x == 0 ? x : std::copysign(1.0, x);
}

#define EVALUATE_FLOAT(OP, EXPRESSION)                                         \
  LogicalResult OP::evaluate(Evaluator &evaluator, ArrayRef<Literal> operands, \
                             SmallVectorImpl<Literal> &results) {              \
    results.push_back(mapFloats(evaluator, operands[0],                        \
                                [](double x) { return EXPRESSION; }));         \
    return success();                                                          \
  }
#define EVALUATE_INTEGER(OP, EXPRESSION)                                       \
  LogicalResult OP::evaluate(Evaluator &, ArrayRef<Literal> operands,          \
                             SmallVectorImpl<Literal> &results) {              \
    results.push_back(                                                         \
        mapIntegers(operands[0], [](int64_t x, IntegerSemantics type) {        \
          return static_cast<int64_t>(EXPRESSION);                             \
        }));                                                                   \
    return success();                                                          \
  }
#define EVALUATE_NUMBER(OP, FLOAT, INTEGER)                                    \
  LogicalResult OP::evaluate(Evaluator &evaluator, ArrayRef<Literal> operands, \
                             SmallVectorImpl<Literal> &results) {              \
    if (operands[0].isFloat())                                                 \
      results.push_back(                                                       \
          mapFloats(evaluator, operands[0], [](double x) { return FLOAT; }));  \
    else                                                                       \
      results.push_back(                                                       \
          mapIntegers(operands[0], [](int64_t x, IntegerSemantics type) {      \
            return static_cast<int64_t>(INTEGER);                              \
          }));                                                                 \
    return success();                                                          \
  }

/// lgamma without its global variable.
static double logGamma(double x) {
  int sign;
  return ::lgamma_r(x, &sign);
}

EVALUATE_FLOAT(AcosOp, std::acos(x))
EVALUATE_FLOAT(AcoshOp, std::acosh(x))
EVALUATE_FLOAT(AsinOp, std::asin(x))
EVALUATE_FLOAT(AsinhOp, std::asinh(x))
EVALUATE_FLOAT(AtanOp, std::atan(x))
EVALUATE_FLOAT(AtanhOp, std::atanh(x))
EVALUATE_FLOAT(BesselI1eOp, besselI1e(x))
EVALUATE_FLOAT(CbrtOp, std::cbrt(x))
EVALUATE_FLOAT(CeilOp, std::ceil(x))
EVALUATE_FLOAT(CosineOp, std::cos(x))
EVALUATE_FLOAT(CoshOp, std::cosh(x))
EVALUATE_FLOAT(DigammaOp, digamma(x))
EVALUATE_FLOAT(ErfOp, std::erf(x))
EVALUATE_FLOAT(ErfcOp, std::erfc(x))
EVALUATE_FLOAT(ErfInvOp, erfInv(x))
EVALUATE_FLOAT(Exp2Op, std::exp2(x))
EVALUATE_FLOAT(ExpOp, std::exp(x))
EVALUATE_FLOAT(Expm1Op, std::expm1(x))
EVALUATE_FLOAT(FloorOp, std::floor(x))
EVALUATE_FLOAT(LgammaOp, logGamma(x))
EVALUATE_FLOAT(LogOp, std::log(x))
EVALUATE_FLOAT(Log1pOp, std::log1p(x))
EVALUATE_FLOAT(Log2Op, std::log2(x))
EVALUATE_FLOAT(LogisticOp, 1 / (1 + std::exp(-x)))
EVALUATE_FLOAT(RoundNearestAfzOp, std::round(x))
// The rounding mode of a process is to nearest even unless someone changes it.
EVALUATE_FLOAT(RoundNearestEvenOp, std::nearbyint(x))
EVALUATE_FLOAT(RsqrtOp, 1 / std::sqrt(x))
EVALUATE_FLOAT(SineOp, std::sin(x))
EVALUATE_FLOAT(SinhOp, std::sinh(x))
EVALUATE_FLOAT(SqrtOp, std::sqrt(x))
EVALUATE_FLOAT(TanOp, std::tan(x))
EVALUATE_FLOAT(TanhOp, std::tanh(x))

// Arithmetic is on uint64_t, where overflow is defined, and wraps afterwards.
EVALUATE_NUMBER(AbsOp, std::fabs(x),
                !type.isUnsigned && x < 0 ? -static_cast<uint64_t>(x) : x)
EVALUATE_NUMBER(NegOp, -x, -static_cast<uint64_t>(x))
EVALUATE_NUMBER(SignOp, sign(x), type.isUnsigned ? x != 0 : (x > 0) - (x < 0))

EVALUATE_INTEGER(CountLeadingZerosOp, llvm::countl_zero(type.bits(x)) -
                                          static_cast<int>(64 - type.width))
EVALUATE_INTEGER(PopulationCountOp, llvm::popcount(type.bits(x)))
EVALUATE_INTEGER(NotOp, type.isBool() ? !x : ~x)

LogicalResult IsFiniteOp::evaluate(Evaluator &, ArrayRef<Literal> operands,
                                   SmallVectorImpl<Literal> &results) {
  Literal result(cast<RankedTensorType>(getResult().getType()));
  MutableArrayRef<int64_t> to = result.mutableInts();
  for (auto [i, value] : llvm::enumerate(operands[0].floats()))
    to[i] = std::isfinite(value);
  results.push_back(std::move(result));
  return success();
}
