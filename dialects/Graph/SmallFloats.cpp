//===- SmallFloats.cpp - Floats of 8 bits ---------------------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/SmallFloats.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/ADT/bit.h"
#include <algorithm>
#include <cmath>

using namespace mlir;
using namespace cleave::graph;

std::optional<SmallFloat> cleave::graph::getSmallFloat(Type element) {
  using Specials = SmallFloat::Specials;
  using Result = std::optional<SmallFloat>;
  return llvm::TypeSwitch<Type, Result>(element)
      .Case(
          [](Float8E3M4Type) { return SmallFloat{4, 3, Specials::Infinities}; })
      .Case(
          [](Float8E4M3Type) { return SmallFloat{3, 7, Specials::Infinities}; })
      .Case([](Float8E5M2Type) {
        return SmallFloat{2, 15, Specials::Infinities};
      })
      .Case(
          [](Float8E4M3FNType) { return SmallFloat{3, 7, Specials::AllOnes}; })
      .Case([](Float8E4M3FNUZType) {
        return SmallFloat{3, 8, Specials::NegativeZero};
      })
      .Case([](Float8E5M2FNUZType) {
        return SmallFloat{2, 16, Specials::NegativeZero};
      })
      .Case([](Float8E4M3B11FNUZType) {
        return SmallFloat{3, 11, Specials::NegativeZero};
      })
      .Case([](Float8E8M0FNUType) {
        return SmallFloat{0, 127, Specials::PowersOfTwo};
      })
      .Default([](Type) { return Result(); });
}

unsigned SmallFloat::largest() const {
  switch (specials) {
  case Specials::Infinities:
    return 0x7f - (1u << mantissaBits);
  case Specials::AllOnes:
    return 0x7e;
  case Specials::NegativeZero:
    return 0x7f;
  case Specials::PowersOfTwo:
    return 0xfe;
  }
  llvm_unreachable("all kinds are listed");
}

/// A NaN of float64 with this sign and these upper bits of its mantissa.
static double makeNaN(bool isNegative, uint64_t mantissa, int mantissaBits) {
  uint64_t high = isNegative ? 0xfff : 0x7ff;
  return llvm::bit_cast<double>(high << 52 | mantissa << (52 - mantissaBits));
}

double SmallFloat::decode(uint8_t bits) const {
  if (!hasSign())
    return bits > largest() ? NAN : std::ldexp(1.0, int(bits) - bias);
  bool isNegative = bits & 0x80;
  unsigned magnitude = bits & 0x7f;
  if (specials == Specials::NegativeZero && bits == 0x80)
    return NAN;
  if (magnitude > largest()) {
    unsigned mantissa = magnitude & ((1u << mantissaBits) - 1);
    if (hasInfinities() && mantissa == 0)
      return isNegative ? -HUGE_VAL : HUGE_VAL;
    return makeNaN(isNegative, mantissa, mantissaBits);
  }
  // A subnormal number has no hidden bit, and the smallest exponent.
  unsigned exponent = magnitude >> mantissaBits;
  unsigned significand = magnitude & ((1u << mantissaBits) - 1);
  if (exponent != 0)
    significand |= 1u << mantissaBits;
  double value = std::ldexp(static_cast<double>(significand),
                            int(std::max(exponent, 1u)) - bias - mantissaBits);
  return isNegative ? -value : value;
}

double SmallFloat::round(double value) const {
  if (std::isnan(value))
    return value;
  double most = decode(largest());
  double beyond = hasInfinities() ? HUGE_VAL : NAN;
  if (!hasSign() && !(value > 0))
    return NAN;
  if (std::isinf(value))
    return std::copysign(beyond, value);
  double rounded = value;
  if (value != 0) {
    // Scaled so that one unit in the last place is 1, the value rounds exactly
    // as an integer does.
    int scale = std::max(std::ilogb(value), minExponent()) - mantissaBits;
    rounded = std::ldexp(std::nearbyint(std::ldexp(value, -scale)), scale);
  }
  if (!hasSign())
    rounded = std::max(rounded, std::ldexp(1.0, -bias));
  if (std::fabs(rounded) > most)
    return std::copysign(beyond, value);
  bool isLostZero = specials == Specials::NegativeZero && rounded == 0;
  return isLostZero ? 0 : rounded;
}

uint8_t SmallFloat::encode(double value) const {
  if (!hasSign())
    return std::isnan(value) ? 0xff : std::ilogb(value) + bias;
  unsigned sign = std::signbit(value) ? 0x80 : 0;
  if (std::isnan(value)) {
    if (specials == Specials::NegativeZero)
      return 0x80;
    if (specials == Specials::AllOnes)
      return sign | 0x7f;
    uint64_t payload = llvm::bit_cast<uint64_t>(value) << 12 >> 12;
    unsigned mantissa = payload >> (52 - mantissaBits);
    unsigned quiet = 1u << (mantissaBits - 1);
    return sign | (largest() + 1) | (mantissa ? mantissa : quiet);
  }
  if (std::isinf(value))
    return sign | (largest() + 1);
  if (value == 0)
    return sign;
  // The exponent of a subnormal number is 0, and its leading bit is not hidden:
  // both follow from adding the fields instead of joining them.
  int exponent = std::max(std::ilogb(value), minExponent());
  auto significand =
      static_cast<int>(std::ldexp(std::fabs(value), mantissaBits - exponent));
  return sign | (((exponent + bias - 1) << mantissaBits) + significand);
}
