//===- SmallFloatSemantics.cpp - Floats of 8 bits by integers -------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// No table is looked up, and nothing branches: lanes of a vector do the same,
// on hosts as on GPUs. Subnormal numbers of f32 occur in f8E8M0FNU alone, where
// no operation on floats sees them.
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/SmallFloats.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "passes/Codegen/Kernels/ScalarSemantics.h"
#include <cmath>

using namespace mlir;
using namespace cleave::graph;

namespace {

using Specials = SmallFloat::Specials;

// Of f32.
constexpr int wideMantissa = 23;
constexpr int wideBias = 127;
constexpr uint32_t wideSign = 0x80000000;
constexpr uint32_t wideInfinity = 0x7f800000;
constexpr uint32_t wideNaN = 0x7fc00000;

/// Builds on the bits of f32, as i32.
struct WideBits {
  ImplicitLocOpBuilder &b;
  SmallFloat format;
  /// By how much the mantissa of f32 is longer.
  int dropped;

  WideBits(ImplicitLocOpBuilder &b, SmallFloat format)
      : b(b), format(format), dropped(wideMantissa - format.mantissaBits) {}

  Value constant(uint32_t value) {
    return arith::ConstantOp::create(
        b, b.getI32IntegerAttr(static_cast<int32_t>(value)));
  }
  Value number(double value) {
    return arith::ConstantOp::create(
        b, b.getF32FloatAttr(static_cast<float>(value)));
  }
  Value bitsOf(Value value) {
    return arith::BitcastOp::create(b, b.getI32Type(), value);
  }
  Value floatOf(Value bits) {
    return arith::BitcastOp::create(b, b.getF32Type(), bits);
  }
  Value add(Value x, Value y) { return arith::AddIOp::create(b, x, y); }
  Value subtract(Value x, Value y) { return arith::SubIOp::create(b, x, y); }
  Value bitAnd(Value x, uint32_t y) {
    return arith::AndIOp::create(b, x, constant(y));
  }
  Value bitOr(Value x, Value y) { return arith::OrIOp::create(b, x, y); }
  Value left(Value x, int by) {
    return arith::ShLIOp::create(b, x, constant(by));
  }
  Value right(Value x, int by) {
    return arith::ShRUIOp::create(b, x, constant(by));
  }
  Value isBelow(Value x, uint32_t y) {
    return arith::CmpIOp::create(b, arith::CmpIPredicate::ult, x, constant(y));
  }
  Value isAbove(Value x, uint32_t y) {
    return arith::CmpIOp::create(b, arith::CmpIPredicate::ugt, x, constant(y));
  }
  Value isEqual(Value x, uint32_t y) {
    return arith::CmpIOp::create(b, arith::CmpIPredicate::eq, x, constant(y));
  }
  Value select(Value condition, Value x, Value y) {
    return arith::SelectOp::create(b, condition, x, y);
  }

  Value extendPower(Value bits);
  Value extend(Value bits);
  Value truncateToPower(Value bits);
  Value truncate(Value bits);
};

} // namespace

/// The exponents are those of f32 but for the smallest one, which is subnormal
/// there.
Value WideBits::extendPower(Value bits) {
  Value smallest = constant(uint32_t(1) << (wideMantissa - 1));
  Value result = select(isEqual(bits, 0), smallest, left(bits, wideMantissa));
  return select(isAbove(bits, format.largest()), constant(wideNaN), result);
}

Value WideBits::extend(Value bits) {
  Value sign = left(bitAnd(bits, 0x80), 24);
  Value magnitude = bitAnd(bits, 0x7f);
  // The fields are moved into place, and the bias exchanged.
  uint32_t rebias = uint32_t(wideBias - format.bias) << wideMantissa;
  Value normal = add(left(magnitude, dropped), constant(rebias));
  // A subnormal number is an integer times the smallest one.
  Value integer = arith::SIToFPOp::create(b, b.getF32Type(), magnitude);
  Value smallest =
      number(std::ldexp(1.0, format.minExponent() - format.mantissaBits));
  Value subnormal = bitsOf(arith::MulFOp::create(b, integer, smallest));
  Value isSubnormal = isBelow(magnitude, uint32_t(1) << format.mantissaBits);
  Value result = select(isSubnormal, subnormal, normal);
  if (format.specials == Specials::NegativeZero)
    return select(isEqual(bits, 0x80), constant(wideNaN), bitOr(result, sign));
  uint32_t largest = format.largest();
  if (format.hasInfinities()) {
    Value special = select(isEqual(magnitude, largest + 1),
                           constant(wideInfinity), constant(wideNaN));
    result = select(isAbove(magnitude, largest), special, result);
  } else {
    result = select(isAbove(magnitude, largest), constant(wideNaN), result);
  }
  return bitOr(result, sign);
}

/// Half of a unit goes up. Among the subnormal numbers of f32 there are 2^-127
/// and what is nearer to it than to 2^-126.
Value WideBits::truncateToPower(Value bits) {
  uint32_t half = uint32_t(1) << (wideMantissa - 1);
  Value rounded = right(add(bits, constant(half)), wideMantissa);
  Value isNearer = isBelow(bits, half + half / 2);
  Value tiny = select(isNearer, constant(0), constant(1));
  Value result = select(isBelow(bits, 2 * half), tiny, rounded);
  // Zero, and from infinity on also all negative numbers.
  Value isOutside = isAbove(subtract(bits, constant(1)), wideInfinity - 2);
  return select(isOutside, constant(0xff), result);
}

Value WideBits::truncate(Value bits) {
  Value sign = bitAnd(right(bits, 24), 0x80);
  Value magnitude = bitAnd(bits, ~wideSign);
  // To nearest even: add just under half of what is dropped, and the last bit
  // that is kept. A carry goes into the exponent.
  Value last = bitAnd(right(magnitude, dropped), 1);
  Value half = add(last, constant((uint32_t(1) << (dropped - 1)) - 1));
  uint32_t rebias = uint32_t(wideBias - format.bias) << format.mantissaBits;
  Value normal =
      subtract(right(add(magnitude, half), dropped), constant(rebias));
  // A number whose unit in the last place is the smallest number: adding it
  // rounds to that, and leaves how many there are in the lowest bits.
  float large = std::ldexp(1.0f, format.minExponent() + dropped);
  Value sum = arith::AddFOp::create(b, floatOf(magnitude), number(large));
  Value subnormal = subtract(bitsOf(sum), bitsOf(number(large)));
  uint32_t smallest = uint32_t(wideBias + format.minExponent()) << wideMantissa;
  Value result = select(isBelow(magnitude, smallest), subnormal, normal);
  uint32_t largest = format.largest();
  if (format.specials == Specials::NegativeZero) {
    // What is too large, infinite or no number at all.
    Value isTooLarge = isAbove(result, largest);
    Value signedResult =
        select(isEqual(result, 0), result, bitOr(result, sign));
    return select(isTooLarge, constant(0x80), signedResult);
  }
  result = select(isAbove(result, largest), constant(largest + 1), result);
  if (format.hasInfinities()) {
    uint32_t quiet = uint32_t(1) << (format.mantissaBits - 1);
    result = select(isAbove(magnitude, wideInfinity),
                    constant((largest + 1) | quiet), result);
  }
  return bitOr(result, sign);
}

Value cleave::codegen::extendSmallFloat(ImplicitLocOpBuilder &b, Value bits,
                                        Type element) {
  WideBits wide(b, *getSmallFloat(element));
  Value extended = arith::ExtUIOp::create(b, b.getI32Type(), bits);
  return wide.floatOf(wide.format.hasSign() ? wide.extend(extended)
                                            : wide.extendPower(extended));
}

Value cleave::codegen::truncateToSmallFloat(ImplicitLocOpBuilder &b,
                                            Value value, Type element) {
  WideBits wide(b, *getSmallFloat(element));
  Value bits = wide.bitsOf(value);
  bits =
      wide.format.hasSign() ? wide.truncate(bits) : wide.truncateToPower(bits);
  return arith::TruncIOp::create(b, b.getI8Type(), bits);
}
