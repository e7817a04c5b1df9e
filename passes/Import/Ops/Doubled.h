//===- Doubled.h - Formulas with twice the digits ---------------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Numbers of f64 as unevaluated sums of two. Sources: D. E. Knuth, "The Art of
// Computer Programming", 4.2.2 (exact sums); T. J. Dekker, "A Floating-Point
// Technique for Extending the Available Precision", 1971 (exact products of
// halves by Veltkamp, sums, products, quotients and roots). Where numbers are
// beyond 2^995 or products below 2^-969, the second parts are of no use.
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_PASSES_IMPORT_OPS_DOUBLED_H
#define CLEAVE_PASSES_IMPORT_OPS_DOUBLED_H

#include "passes/Import/Ops/Real.h"

namespace cleave::reader {

/// high + low, where low is at most about a unit in the last place of high.
struct Doubled {
  Real high, low;
};

/// x + y.
inline Doubled exactSum(Real x, Real y) {
  Real sum = x + y, added = sum - x;
  return {sum, (x - (sum - added)) + (y - added)};
}

/// x y.
inline Doubled exactProduct(Real x, Real y) {
  auto upper = [](Real v) {
    Real shifted = v * 0x1.0000002p27;
    return shifted - (shifted - v);
  };
  Real xh = upper(x), yh = upper(y), xl = x - xh, yl = y - yh;
  Real product = x * y;
  return {product, (((xh * yh - product) + xh * yl) + xl * yh) + xl * yl};
}

inline Doubled operator+(Doubled x, Doubled y) {
  Doubled sum = exactSum(x.high, y.high);
  return exactSum(sum.high, sum.low + (x.low + y.low));
}
inline Doubled operator+(Doubled x, Real y) {
  Doubled sum = exactSum(x.high, y);
  return exactSum(sum.high, sum.low + x.low);
}
inline Doubled operator*(Doubled x, Doubled y) {
  Doubled product = exactProduct(x.high, y.high);
  return exactSum(product.high,
                  product.low + (x.high * y.low + x.low * y.high));
}
/// Exact for powers of two.
inline Doubled scaled(Doubled x, double factor) {
  return {x.high * factor, x.low * factor};
}

/// x / y, nearly always the nearest number.
inline Real quotient(Doubled x, Doubled y) {
  Real first = x.high / y.high;
  Doubled product = exactProduct(first, y.high);
  Real rest = ((x.high - product.high) - product.low) + x.low - first * y.low;
  // A zero keeps its sign.
  return select(first == 0, first, first + rest / y.high);
}

/// The root of a number that is not 0.
inline Doubled sqrt(Doubled x) {
  Real root = sqrt(x.high);
  Doubled square = exactProduct(root, root);
  Real rest = ((x.high - square.high) - square.low) + x.low;
  return exactSum(root, rest / (2 * root));
}

} // namespace cleave::reader

#endif // CLEAVE_PASSES_IMPORT_OPS_DOUBLED_H
