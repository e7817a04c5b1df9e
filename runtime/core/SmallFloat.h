//===- SmallFloat.h - Floats of 8 bits --------------------------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the runtime itself has to know of them: to print statistics, to make
// random inputs and to pack operands of products. Programs convert with code of
// their own.
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_RUNTIME_CORE_SMALLFLOAT_H
#define CLEAVE_RUNTIME_CORE_SMALLFLOAT_H

#include "runtime/core/DType.h"
#include "runtime/core/Half.h"

namespace cleave::rt {

/// An element of a type with so many bits of mantissa and this bias, whose
/// largest number has the bits `largest`. What is above it is infinite, if
/// there are infinities, or NaN; where nothing is, -0 is NaN.
template <int mantissaBits, int bias, int largest, bool hasInfinities>
struct SmallFloat {
  uint8_t bits;
};
using F8E3M4 = SmallFloat<4, 3, 0x6f, true>;
using F8E4M3 = SmallFloat<3, 7, 0x77, true>;
using F8E4M3B11FNUZ = SmallFloat<3, 11, 0x7f, false>;
using F8E4M3FN = SmallFloat<3, 7, 0x7e, false>;
using F8E4M3FNUZ = SmallFloat<3, 8, 0x7f, false>;
using F8E5M2 = SmallFloat<2, 15, 0x7b, true>;
using F8E5M2FNUZ = SmallFloat<2, 16, 0x7f, false>;

/// Branch-free, so that loops over it are vectorised.
template <int mantissaBits, int bias, int largest, bool hasInfinities>
inline float
toFloat(SmallFloat<mantissaBits, bias, largest, hasInfinities> value) {
  uint32_t sign = uint32_t(value.bits & 0x80) << 24;
  uint32_t magnitude = value.bits & 0x7f;
  // The fields are moved into place, and the bias exchanged; a subnormal number
  // is an integer times the smallest one.
  uint32_t normal =
      (magnitude << (23 - mantissaBits)) + (uint32_t(127 - bias) << 23);
  float smallest = fromBits(uint32_t(128 - bias - mantissaBits) << 23);
  uint32_t subnormal =
      toBits(static_cast<float>(static_cast<int32_t>(magnitude)) * smallest);
  uint32_t bits = magnitude < (1u << mantissaBits) ? subnormal : normal;
  if constexpr (largest == 0x7f)
    return fromBits(value.bits == 0x80 ? 0x7fc00000 : bits | sign);
  uint32_t special =
      hasInfinities && magnitude == largest + 1 ? 0x7f800000 : 0x7fc00000;
  return fromBits((magnitude > largest ? special : bits) | sign);
}

/// The number that the bits of an element of type `dtype`, a small float, stand
/// for.
double smallToDouble(DType dtype, uint8_t bits);

/// The bits that stand for `value`, which must be a number of the type.
uint8_t doubleToSmall(DType dtype, double value);

/// Bits of the significand, the hidden one included.
int getSmallPrecision(DType dtype);

} // namespace cleave::rt

#endif // CLEAVE_RUNTIME_CORE_SMALLFLOAT_H
