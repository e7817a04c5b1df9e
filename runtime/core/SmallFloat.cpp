//===- SmallFloat.cpp - Floats of 8 bits ----------------------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/core/SmallFloat.h"

#include <algorithm>
#include <cmath>

using namespace cleave::rt;

namespace {
/// Sign, exponent and mantissa, from the highest bit on. What is above
/// `largest` without the sign is infinite or NaN.
struct Format {
  int mantissaBits, bias;
  int largest;
  bool hasInfinities;
};
} // namespace

static Format getFormat(DType dtype) {
  switch (dtype) {
  case DType::F8E3M4:
    return {4, 3, 0x6f, true};
  case DType::F8E4M3:
    return {3, 7, 0x77, true};
  case DType::F8E4M3B11FNUZ:
    return {3, 11, 0x7f, false};
  case DType::F8E4M3FN:
    return {3, 7, 0x7e, false};
  case DType::F8E4M3FNUZ:
    return {3, 8, 0x7f, false};
  case DType::F8E5M2FNUZ:
    return {2, 16, 0x7f, false};
  case DType::F8E8M0FNU:
    return {0, 127, 0xfe, false};
  default:
    return {2, 15, 0x7b, true};
  }
}

int cleave::rt::getSmallPrecision(DType dtype) {
  return getFormat(dtype).mantissaBits + 1;
}

double cleave::rt::smallToDouble(DType dtype, uint8_t bits) {
  Format format = getFormat(dtype);
  if (!isSigned(dtype))
    return bits > format.largest ? NAN : std::ldexp(1.0, bits - format.bias);
  int magnitude = bits & 0x7f;
  double sign = bits & 0x80 ? -1 : 1;
  if (magnitude > format.largest)
    return format.hasInfinities && magnitude == format.largest + 1
               ? sign * HUGE_VAL
               : NAN;
  // Where all magnitudes are numbers, -0 is NaN.
  if (bits == 0x80 && format.largest == 0x7f)
    return NAN;
  int hidden = 1 << format.mantissaBits;
  int exponent = magnitude >> format.mantissaBits;
  int significand = (magnitude & (hidden - 1)) + (exponent ? hidden : 0);
  return sign * std::ldexp(significand, std::max(exponent, 1) - format.bias -
                                            format.mantissaBits);
}

uint8_t cleave::rt::doubleToSmall(DType dtype, double value) {
  int bits = 0;
  while (bits < 255 &&
         (smallToDouble(dtype, bits) != value ||
          std::signbit(smallToDouble(dtype, bits)) != std::signbit(value)))
    ++bits;
  return static_cast<uint8_t>(bits);
}
