//===- SmallFloats.h - Floats of 8 bits -------------------------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The eight types of the StableHLO specification. They differ in how many of
// the bits are the exponent, in its bias, and in what they have of infinities,
// NaN and -0. What Cleave does with them: docs/decisions/small-floats.md.
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_DIALECTS_GRAPH_SMALLFLOATS_H
#define CLEAVE_DIALECTS_GRAPH_SMALLFLOATS_H

#include "mlir/IR/Types.h"
#include <cstdint>
#include <optional>

namespace cleave::graph {

/// What the bits of a type mean: the sign, the exponent and the mantissa, from
/// the highest bit on.
struct SmallFloat {
  enum class Specials {
    /// As in IEEE 754, the largest exponent is for infinities and NaN.
    Infinities,
    /// No infinities; NaN is where exponent and mantissa are all ones.
    AllOnes,
    /// No infinities and no -0, whose bits are NaN.
    NegativeZero,
    /// 2^(bits - bias), without sign, zero and infinities; all ones is NaN.
    PowersOfTwo,
  };

  int mantissaBits = 0;
  int bias = 0;
  Specials specials = Specials::Infinities;

  int exponentBits() const { return hasSign() ? 7 - mantissaBits : 8; }
  bool hasSign() const { return specials != Specials::PowersOfTwo; }
  bool hasInfinities() const { return specials == Specials::Infinities; }
  /// The bits of the largest number.
  unsigned largest() const;
  /// The exponents of the smallest normal number.
  int minExponent() const { return hasSign() ? 1 - bias : -bias; }

  /// The number that `bits` stand for. A NaN keeps its sign and its mantissa.
  double decode(uint8_t bits) const;
  /// The nearest number of the type, ties to even; beyond the largest one an
  /// infinity or, without infinities, NaN. As in the description of
  /// cleave.convert.
  double round(double value) const;
  /// The bits of a number of the type, or of a NaN.
  uint8_t encode(double value) const;
};

/// The meaning of the bits of an element type; nothing for one of no 8 bits.
std::optional<SmallFloat> getSmallFloat(mlir::Type element);

inline bool isSmallFloat(mlir::Type element) {
  return getSmallFloat(element).has_value();
}

} // namespace cleave::graph

#endif // CLEAVE_DIALECTS_GRAPH_SMALLFLOATS_H
