//===- Half.h - f16 and bf16 conversions ------------------------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Round to nearest, ties to even; NaNs stay NaNs (quieted). The functions are
// branch-free enough for loops over them to be vectorised.
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_RUNTIME_CORE_HALF_H
#define CLEAVE_RUNTIME_CORE_HALF_H

#include <cstdint>
#include <cstring>

namespace cleave::rt {

struct F16 {
  uint16_t bits;
};
struct BF16 {
  uint16_t bits;
};

inline float fromBits(uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}
inline uint32_t toBits(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits;
}

inline float toFloat(BF16 value) {
  return fromBits(uint32_t(value.bits) << 16);
}
inline float toFloat(F16 value) {
  // Shift exponent and mantissa into place and scale by 2^112, which also
  // normalises subnormals; infinities and NaNs get the full exponent back.
  uint32_t magnitude = uint32_t(value.bits & 0x7fff) << 13;
  float scaled = fromBits(magnitude) * fromBits(uint32_t(112 + 127) << 23);
  uint32_t bits = toBits(scaled);
  bits = magnitude >= 0x0f800000 ? magnitude | 0x7f800000 : bits;
  return fromBits(bits | uint32_t(value.bits & 0x8000) << 16);
}
inline float toFloat(float value) { return value; }
inline double toFloat(double value) { return value; }

inline BF16 toBF16(float value) {
  uint32_t bits = toBits(value);
  uint32_t rounded = (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
  uint32_t nan = bits >> 16 | 0x40;
  return {uint16_t((bits & 0x7fffffff) > 0x7f800000 ? nan : rounded)};
}
inline F16 toF16(float value) {
  uint32_t bits = toBits(value);
  uint32_t sign = bits >> 16 & 0x8000;
  uint32_t magnitude = bits & 0x7fffffff;
  // Normal results: rebias, then round away the low 13 bits.
  uint32_t normal =
      (magnitude - (uint32_t(112) << 23) + 0xfff + (magnitude >> 13 & 1)) >> 13;
  // Subnormal results: adding 0.5 makes the FPU round at bit 2^-24.
  uint32_t subnormal = toBits(fromBits(magnitude) + 0.5f) - 0x3f000000;
  uint32_t result = magnitude < 0x38800000 ? subnormal : normal;
  result = magnitude >= 0x477ff000 ? 0x7c00 : result;
  result = magnitude > 0x7f800000 ? 0x7e00 | (magnitude >> 13 & 0x3ff) : result;
  return {uint16_t(sign | result)};
}

/// Rounds a value of the compute type to the storage type.
template <typename To, typename From> To roundTo(From value) {
  return static_cast<To>(value);
}
template <> inline F16 roundTo<F16, float>(float value) { return toF16(value); }
template <> inline BF16 roundTo<BF16, float>(float value) {
  return toBF16(value);
}

} // namespace cleave::rt

#endif // CLEAVE_RUNTIME_CORE_HALF_H
