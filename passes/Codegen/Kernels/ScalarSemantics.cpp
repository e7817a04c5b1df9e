//===- ScalarSemantics.cpp - Elementwise ops on scalars -------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Codegen/Kernels/ScalarSemantics.h"
#include "dialects/Graph/GraphDialect.h"
#include "dialects/Graph/SmallFloats.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "passes/Codegen/Kernels/SpecialFunctions.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace cleave::graph;

namespace cleave::codegen {

static bool isUnsigned(Type element) {
  return element.isUnsignedInteger() || element.isInteger(1);
}

/// f16 or bf16.
static bool isNarrowFloat(Type element) {
  return isa<FloatType>(element) && element.getIntOrFloatBitWidth() == 16;
}

Type valueType(Type element) {
  if (element.isUnsignedInteger() || isSmallFloat(element))
    return IntegerType::get(element.getContext(),
                            element.getIntOrFloatBitWidth());
  return element;
}

Type storageType(Type element) {
  if (element.isInteger(1))
    return IntegerType::get(element.getContext(), 8);
  if (isNarrowFloat(element))
    return IntegerType::get(element.getContext(), 16);
  return valueType(element);
}

static Value zeroOf(ImplicitLocOpBuilder &b, Type type) {
  return arith::ConstantOp::create(b, b.getZeroAttr(type));
}
static Value integerOf(ImplicitLocOpBuilder &b, Type type, APInt value) {
  return arith::ConstantOp::create(b, IntegerAttr::get(type, value));
}
static Value integerOf(ImplicitLocOpBuilder &b, Type type, int64_t value) {
  return arith::ConstantOp::create(b, IntegerAttr::get(type, value));
}
static Value floatOf(ImplicitLocOpBuilder &b, Type type, double value) {
  return arith::ConstantOp::create(b, FloatAttr::get(type, value));
}

Value fromStorage(ImplicitLocOpBuilder &b, Value stored, Type element) {
  if (isNarrowFloat(element))
    return arith::BitcastOp::create(b, element, stored);
  if (!element.isInteger(1))
    return stored;
  return arith::CmpIOp::create(b, arith::CmpIPredicate::ne, stored,
                               zeroOf(b, stored.getType()));
}

Value toStorage(ImplicitLocOpBuilder &b, Value value, Type element) {
  if (isNarrowFloat(element))
    return arith::BitcastOp::create(b, storageType(element), value);
  if (!element.isInteger(1))
    return value;
  return arith::ExtUIOp::create(b, b.getI8Type(), value);
}

Value scalarConstant(ImplicitLocOpBuilder &b, TypedAttr attribute) {
  if (auto integer = dyn_cast<IntegerAttr>(attribute))
    attribute =
        IntegerAttr::get(valueType(integer.getType()), integer.getValue());
  else if (auto number = dyn_cast<FloatAttr>(attribute);
           number && isSmallFloat(number.getType()))
    attribute = IntegerAttr::get(valueType(number.getType()),
                                 number.getValue().bitcastToAPInt());
  return arith::ConstantOp::create(b, attribute);
}

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

/// bf16 is the upper half of an f32, so widening is a shift. Written out, since
/// hardware conversions flush subnormal numbers.
static Value extendBF16(ImplicitLocOpBuilder &b, Value value) {
  Value bits = arith::BitcastOp::create(b, b.getI16Type(), value);
  Value wide = arith::ExtUIOp::create(b, b.getI32Type(), bits);
  Value high = arith::ShLIOp::create(b, wide, integerOf(b, b.getI32Type(), 16));
  return arith::BitcastOp::create(b, b.getF32Type(), high);
}

/// Rounds to nearest even by adding just under half of the dropped part, plus
/// the lowest kept bit. A NaN stays one.
static Value truncateToBF16(ImplicitLocOpBuilder &b, Value value) {
  Type i32 = b.getI32Type();
  Value sixteen = integerOf(b, i32, 16);
  Value bits = arith::BitcastOp::create(b, i32, value);
  Value kept = arith::ShRUIOp::create(b, bits, sixteen);
  Value odd = arith::AndIOp::create(b, kept, integerOf(b, i32, 1));
  Value half = arith::AddIOp::create(b, odd, integerOf(b, i32, 0x7fff));
  Value rounded =
      arith::ShRUIOp::create(b, arith::AddIOp::create(b, bits, half), sixteen);
  Value quiet = arith::OrIOp::create(b, kept, integerOf(b, i32, 0x40));
  Value isNaN =
      arith::CmpFOp::create(b, arith::CmpFPredicate::UNO, value, value);
  Value result = arith::SelectOp::create(b, isNaN, quiet, rounded);
  Value narrow = arith::TruncIOp::create(b, b.getI16Type(), result);
  return arith::BitcastOp::create(b, b.getBF16Type(), narrow);
}

/// f64 to f32, rounding to odd, so that rounding the result once more gives
/// what rounding once would have given.
static Value truncateToOdd(ImplicitLocOpBuilder &b, Value value) {
  Type i32 = b.getI32Type();
  Value nearest = arith::TruncFOp::create(b, b.getF32Type(), value);
  Value back = arith::ExtFOp::create(b, b.getF64Type(), nearest);
  Value away = arith::CmpFOp::create(b, arith::CmpFPredicate::OGT,
                                     math::AbsFOp::create(b, back),
                                     math::AbsFOp::create(b, value));
  Value inexact =
      arith::CmpFOp::create(b, arith::CmpFPredicate::ONE, back, value);
  Value bits = arith::BitcastOp::create(b, i32, nearest);
  Value towardZero = arith::SelectOp::create(
      b, away, arith::SubIOp::create(b, bits, integerOf(b, i32, 1)), bits);
  Value odd = arith::OrIOp::create(b, towardZero, integerOf(b, i32, 1));
  Value result = arith::SelectOp::create(b, inexact, odd, bits);
  return arith::BitcastOp::create(b, b.getF32Type(), result);
}

/// From any float of more than 8 bits.
static Value convertFloat(ImplicitLocOpBuilder &b, Value value, Type to) {
  Type from = value.getType();
  if (isSmallFloat(to)) {
    // Two roundings are one: f32 holds f16 and bf16.
    value = from.isF64() ? truncateToOdd(b, value)
                         : convertFloat(b, value, b.getF32Type());
    return truncateToSmallFloat(b, value, to);
  }
  if (from == to)
    return value;
  if (from.isBF16())
    return convertFloat(b, extendBF16(b, value), to);
  if (to.getIntOrFloatBitWidth() < 32) {
    if (from.isF16())
      value = arith::ExtFOp::create(b, b.getF32Type(), value);
    else if (from.isF64())
      value = truncateToOdd(b, value);
    if (to.isBF16())
      return truncateToBF16(b, value);
    return arith::TruncFOp::create(b, to, value);
  }
  if (from.getIntOrFloatBitWidth() < to.getIntOrFloatBitWidth())
    return arith::ExtFOp::create(b, to, value);
  return arith::TruncFOp::create(b, to, value);
}

/// Truncates; out of range gives the nearest bound and NaN gives 0. The result
/// of the plain conversion is only used where it is defined.
static Value floatToInteger(ImplicitLocOpBuilder &b, Value value, Type to) {
  unsigned width = to.getIntOrFloatBitWidth();
  Type intType = valueType(to);
  Type floatType = value.getType();
  bool toUnsigned = to.isUnsignedInteger();
  APInt largest =
      toUnsigned ? APInt::getMaxValue(width) : APInt::getSignedMaxValue(width);
  APInt smallest =
      toUnsigned ? APInt::getMinValue(width) : APInt::getSignedMinValue(width);
  double bound = std::ldexp(1.0, toUnsigned ? width : width - 1);
  Value converted =
      toUnsigned ? arith::FPToUIOp::create(b, intType, value).getResult()
                 : arith::FPToSIOp::create(b, intType, value).getResult();
  Value above = arith::CmpFOp::create(b, arith::CmpFPredicate::OGE, value,
                                      floatOf(b, floatType, bound));
  Value below =
      arith::CmpFOp::create(b, arith::CmpFPredicate::OLE, value,
                            floatOf(b, floatType, toUnsigned ? 0.0 : -bound));
  Value isNaN =
      arith::CmpFOp::create(b, arith::CmpFPredicate::UNO, value, value);
  Value result = arith::SelectOp::create(
      b, above, integerOf(b, intType, largest), converted);
  result = arith::SelectOp::create(b, below, integerOf(b, intType, smallest),
                                   result);
  return arith::SelectOp::create(b, isNaN, zeroOf(b, intType), result);
}

/// An i64 of which f64 holds all bits, and which is on the same side of every
/// number of at most 24 bits, so that converting it rounds a narrow float once:
/// of larger ones, 12 bits become one that says whether they were zero.
static Value keep53Bits(ImplicitLocOpBuilder &b, Value value, bool isUnsigned) {
  Type i64 = b.getI64Type();
  Value magnitude = value;
  if (!isUnsigned)
    magnitude = arith::XOrIOp::create(
        b, value, arith::ShRSIOp::create(b, value, integerOf(b, i64, 63)));
  Value upper = arith::ShRUIOp::create(b, magnitude, integerOf(b, i64, 53));
  Value lower = arith::AndIOp::create(b, value, integerOf(b, i64, 0xfff));
  Value zero = integerOf(b, i64, 0);
  auto isSet = [&](Value bits) {
    return arith::CmpIOp::create(b, arith::CmpIPredicate::ne, bits, zero);
  };
  Value isLossy = arith::AndIOp::create(b, isSet(upper), isSet(lower));
  Value kept = arith::SubIOp::create(b, value, lower);
  Value marked = arith::OrIOp::create(b, kept, integerOf(b, i64, 0x800));
  return arith::SelectOp::create(b, isLossy, marked, value);
}

Value convertScalar(ImplicitLocOpBuilder &b, Value value, Type from, Type to) {
  if (from == to)
    return value;
  if (isSmallFloat(from))
    return convertScalar(b, extendSmallFloat(b, value, from), b.getF32Type(),
                         to);
  Type fromValue = valueType(from), toValue = valueType(to);
  bool fromFloat = isa<FloatType>(from), toFloat = isa<FloatType>(to);
  if (isNarrowFloat(from) && !toFloat) {
    value = convertFloat(b, value, b.getF32Type());
    fromValue = b.getF32Type();
  }
  if (to.isInteger(1)) {
    if (from.isInteger(1))
      return value;
    Value zero = zeroOf(b, fromValue);
    if (fromFloat)
      return arith::CmpFOp::create(b, arith::CmpFPredicate::UNE, value, zero);
    return arith::CmpIOp::create(b, arith::CmpIPredicate::ne, value, zero);
  }
  if (fromFloat && toFloat)
    return convertFloat(b, value, to);
  if (fromFloat)
    return floatToInteger(b, value, to);
  if (toFloat) {
    // Through f64 where f32 would round a first time.
    Type wide = to;
    if (to.getIntOrFloatBitWidth() < 32)
      wide = from.getIntOrFloatBitWidth() > 16 ? Type(b.getF64Type())
                                               : Type(b.getF32Type());
    if (to.getIntOrFloatBitWidth() < 32 && from.getIntOrFloatBitWidth() == 64)
      value = keep53Bits(b, value, isUnsigned(from));
    Value result = isUnsigned(from)
                       ? arith::UIToFPOp::create(b, wide, value).getResult()
                       : arith::SIToFPOp::create(b, wide, value).getResult();
    return convertFloat(b, result, to);
  }
  unsigned fromWidth = from.getIntOrFloatBitWidth();
  unsigned toWidth = to.getIntOrFloatBitWidth();
  if (fromWidth == toWidth)
    return value;
  if (fromWidth > toWidth)
    return arith::TruncIOp::create(b, toValue, value);
  if (isUnsigned(from))
    return arith::ExtUIOp::create(b, toValue, value);
  return arith::ExtSIOp::create(b, toValue, value);
}

//===----------------------------------------------------------------------===//
// Floats
//===----------------------------------------------------------------------===//

static constexpr double logOfTwo = 0.693147180559945309417;
static constexpr double eulersNumber = 2.718281828459045235360;

static arith::CmpFPredicate floatPredicate(ComparisonDirection direction) {
  switch (direction) {
  case ComparisonDirection::EQ:
    return arith::CmpFPredicate::OEQ;
  case ComparisonDirection::NE:
    return arith::CmpFPredicate::UNE;
  case ComparisonDirection::GE:
    return arith::CmpFPredicate::OGE;
  case ComparisonDirection::GT:
    return arith::CmpFPredicate::OGT;
  case ComparisonDirection::LE:
    return arith::CmpFPredicate::OLE;
  case ComparisonDirection::LT:
    return arith::CmpFPredicate::OLT;
  }
  llvm_unreachable("all directions are listed");
}

/// 1 / (1 + exp(-x)), with exp of a negative number only: no overflow, and no
/// loss where the result is tiny.
static Real buildLogistic(Real x) {
  Real small = exp(-abs(x));
  return select(x >= 0, 1.0, small) / (1 + small);
}

/// SLEEF's log1p is infinite from 1e38 (f32) and 1e307 (f64) on. There, it is
/// that of x / 2^64, plus log(2^64); x / 2^64 is still far greater than 1.
static Real buildLog1p(Real x) {
  Value isLarge = x > 0x1p120;
  Real logarithm = select(isLarge, x * 0x1p-64, x).apply<math::Log1pOp>();
  return select(isLarge, logarithm + 64 * logOfTwo, logarithm);
}

/// Zeros keep their sign, and NaN stays NaN.
static Real buildSign(Real x) {
  Value keep = x.compare(arith::CmpFPredicate::UEQ, x.number(0));
  return select(keep, x, copySign(x.number(1), x));
}

/// SLEEF's inverse hyperbolic functions are infinite from about the root of the
/// largest number on, where they are log(2 x) already.
template <typename Op> static Real buildInverseHyperbolic(Real x) {
  Real a = abs(x);
  Value isLarge = a > 0x1p40;
  Real large = copySign(log(select(isLarge, a, 1.0)) + logOfTwo, x);
  Real result = select(isLarge, large, x.apply<Op>());
  // The inverse of cosh is for positive numbers.
  return std::is_same_v<Op, math::AcoshOp> ? select(x < 1, NAN, result)
                                           : result;
}

/// SLEEF's sinh and cosh overflow where exp does; they are half of that. One
/// can be taken off the exponent exactly there.
template <typename Op> static Real buildHyperbolic(Real x) {
  Real a = abs(x);
  Value isLarge = a > (x.type().isF32() ? 88.0 : 709.0);
  Real large = exp(select(isLarge, a, 1.0) - 1) * (0.5 * eulersNumber);
  if (std::is_same_v<Op, math::SinhOp>)
    large = copySign(large, x);
  return select(isLarge, large, x.apply<Op>());
}

/// On f32 and f64.
static Value buildFloatOp(ImplicitLocOpBuilder &b, Operation *op,
                          ValueRange operands) {
  Value x = operands[0];
  Value y = operands.size() > 1 ? operands[1] : Value();
  Real real(b, x);
  return TypeSwitch<Operation *, Value>(op)
      .Case([&](AbsOp) -> Value { return math::AbsFOp::create(b, x); })
      .Case([&](AcosOp) -> Value { return math::AcosOp::create(b, x); })
      .Case([&](AcoshOp) {
        return buildInverseHyperbolic<math::AcoshOp>(real).value();
      })
      .Case([&](AsinOp) -> Value { return math::AsinOp::create(b, x); })
      .Case([&](AsinhOp) {
        return buildInverseHyperbolic<math::AsinhOp>(real).value();
      })
      .Case([&](AtanOp) -> Value { return math::AtanOp::create(b, x); })
      .Case([&](AtanhOp) -> Value { return math::AtanhOp::create(b, x); })
      .Case([&](CbrtOp) -> Value { return math::CbrtOp::create(b, x); })
      .Case([&](CeilOp) -> Value { return math::CeilOp::create(b, x); })
      .Case([&](CosineOp) -> Value { return math::CosOp::create(b, x); })
      .Case([&](CoshOp) { return buildHyperbolic<math::CoshOp>(real).value(); })
      .Case([&](ErfOp) -> Value { return math::ErfOp::create(b, x); })
      .Case([&](Exp2Op) -> Value { return math::Exp2Op::create(b, x); })
      .Case([&](ExpOp) -> Value { return math::ExpOp::create(b, x); })
      .Case([&](Expm1Op) -> Value { return math::ExpM1Op::create(b, x); })
      .Case([&](FloorOp) -> Value { return math::FloorOp::create(b, x); })
      .Case([&](LogOp) -> Value { return math::LogOp::create(b, x); })
      .Case([&](Log1pOp) { return buildLog1p(real).value(); })
      .Case([&](Log2Op) -> Value { return math::Log2Op::create(b, x); })
      .Case([&](LogisticOp) { return buildLogistic(real).value(); })
      .Case([&](NegOp) -> Value { return arith::NegFOp::create(b, x); })
      .Case([&](RoundNearestAfzOp) -> Value {
        return math::RoundOp::create(b, x);
      })
      .Case([&](RoundNearestEvenOp) -> Value {
        return math::RoundEvenOp::create(b, x);
      })
      .Case([&](RsqrtOp) -> Value {
        return arith::DivFOp::create(b, floatOf(b, x.getType(), 1.0),
                                     math::SqrtOp::create(b, x));
      })
      .Case([&](SignOp) { return buildSign(real).value(); })
      .Case([&](SineOp) -> Value { return math::SinOp::create(b, x); })
      .Case([&](SinhOp) { return buildHyperbolic<math::SinhOp>(real).value(); })
      .Case([&](SqrtOp) -> Value { return math::SqrtOp::create(b, x); })
      .Case([&](TanOp) -> Value { return math::TanOp::create(b, x); })
      .Case([&](TanhOp) -> Value { return math::TanhOp::create(b, x); })
      .Case([&](AddOp) -> Value { return arith::AddFOp::create(b, x, y); })
      .Case([&](Atan2Op) -> Value { return math::Atan2Op::create(b, x, y); })
      .Case([&](DivOp) -> Value { return arith::DivFOp::create(b, x, y); })
      .Case([&](MaxOp) -> Value { return arith::MaximumFOp::create(b, x, y); })
      .Case([&](MinOp) -> Value { return arith::MinimumFOp::create(b, x, y); })
      .Case([&](MulOp) -> Value { return arith::MulFOp::create(b, x, y); })
      .Case([&](PowOp) -> Value { return math::PowFOp::create(b, x, y); })
      .Case([&](RemOp) -> Value { return arith::RemFOp::create(b, x, y); })
      .Case([&](SubtractOp) -> Value { return arith::SubFOp::create(b, x, y); })
      .Case([&](ClampOp) -> Value {
        Value low = arith::MaximumFOp::create(b, y, x);
        return arith::MinimumFOp::create(b, low, operands[2]);
      })
      .Default([](Operation *) { return Value(); });
}

Value buildScalarOp(ImplicitLocOpBuilder &b, Operation *op,
                    ValueRange operands) {
  auto elementOf = [](Value value) { return getElementTypeOrSelf(value); };
  if (auto convert = dyn_cast<ConvertOp>(op))
    return convertScalar(b, operands[0], elementOf(convert.getOperand()),
                         elementOf(convert.getResult()));
  if (isa<SelectOp>(op)) {
    // Of bits, which all targets can select.
    Type element = elementOf(op->getResult(0));
    Value onTrue = operands[1], onFalse = operands[2];
    if (!isNarrowFloat(element))
      return arith::SelectOp::create(b, operands[0], onTrue, onFalse);
    Value bits =
        arith::SelectOp::create(b, operands[0], toStorage(b, onTrue, element),
                                toStorage(b, onFalse, element));
    return fromStorage(b, bits, element);
  }
  if (auto bitcast = dyn_cast<BitcastConvertOp>(op))
    return bitcastScalar(b, operands[0], elementOf(bitcast.getResult()));
  if (op->getNumOperands() == 0)
    return Value();
  Type element = elementOf(op->getOperand(0));
  if (!isa<FloatType>(element))
    return buildIntegerOp(b, op, operands, isUnsigned(element));

  if (isa<NextAfterOp, ReducePrecisionOp>(op))
    return buildBitOp(b, op, operands);

  // Comparisons are exact in any wider type.
  Type compute = isSpecialFunction(op)    ? Type(b.getF64Type())
                 : isNarrowFloat(element) ? Type(b.getF32Type())
                                          : element;
  SmallVector<Value> wide;
  for (Value value : operands)
    wide.push_back(convertFloat(b, value, compute));
  if (auto compare = dyn_cast<CompareOp>(op))
    return arith::CmpFOp::create(b, floatPredicate(compare.getDirection()),
                                 wide[0], wide[1]);
  if (isa<IsFiniteOp>(op))
    return abs(Real(b, wide[0])) < HUGE_VAL;
  Value result = isSpecialFunction(op) ? buildSpecialFunction(b, op, wide)
                                       : buildFloatOp(b, op, wide);
  return result ? convertFloat(b, result, element) : result;
}

} // namespace cleave::codegen
