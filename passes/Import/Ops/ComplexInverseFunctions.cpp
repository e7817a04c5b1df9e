//===- ComplexInverseFunctions.cpp - Complex inverse functions ------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// asin and acos follow T. E. Hull, T. F. Fairgrieve, P. T. P. Tang,
// "Implementing the Complex Arcsine and Arccosine Functions Using Exception
// Handling" (ACM TOMS 23, 1997); the others are turned to them, or, for atanh,
// to W. Kahan's formulas (1987). All are for f64.
//
//===----------------------------------------------------------------------===//

#include "passes/Import/Ops/ComplexFunctions.h"
#include <cmath>

using namespace mlir;
using namespace cleave;
using namespace cleave::reader;

namespace {
/// asin and acos of |x| + i|y|; `height` is the imaginary part of both.
struct Arc {
  Real asin, acos, height;
};
} // namespace

/// Where the squares of the general formulas overflow or underflow.
static Arc arcOutside(Real x, Real y) {
  const double epsilon = std::numeric_limits<double>::epsilon();
  Real right = x - 1;
  // |z| is large: asin z is about atan(x / y) + i log(2|z|).
  Real steep = atan2(x, y);
  Real far = M_LN2 + logOfSize(x, y);
  Arc arc = {steep, atan2(y, x), far};
  // x is small and y in range: a = sqrt(1 + y^2).
  Real a = sqrt(1 + y * y);
  Truth isLow = (x <= 1) & (y < 0x1p500);
  auto choose = [&](Truth pred, Arc yes) {
    arc = {select(pred, yes.asin, arc.asin), select(pred, yes.acos, arc.acos),
           select(pred, yes.height, arc.height)};
  };
  choose(isLow, {x / a, M_PI_2 - x / a, 0.5 * log1p(2 * y * (y + a))});
  // y is nothing beside |x - 1|: the real axis. Two infinities are at 45
  // degrees.
  double infinity = std::numeric_limits<double>::infinity();
  Truth onAxis = (y <= abs(right) * epsilon) & (y < infinity);
  Real root = sqrt(abs(right)) * sqrt(x + 1);
  choose(onAxis & (x < 1),
         {asin(min(x, x.constant(1))), acos(min(x, x.constant(1))), y / root});
  Real outer = select(x > 0x1p500, far, log1p(right + root));
  choose(onAxis & (x > 1),
         {x.constant(M_PI_2), select(x > 0x1p500, y / x, y / root), outer});
  // Near 1 with a tiny y.
  Real tiny = sqrt(y);
  choose((x == 1) & (y < 0x1p-500), {M_PI_2 - tiny, tiny, tiny});
  return arc;
}

static Arc buildArc(Real x, Real y) {
  Real plus = x + 1, minus = x - 1;
  Real r = sizeOf(plus, y).high, s = sizeOf(minus, y).high;
  Real a = 0.5 * (r + s);
  Real b = x / a;
  Real square = y * y;
  Truth isInner = x <= 1;

  // How far a is above 1, without cancellation.
  Real byPlus = square / (r + plus);
  Real excess = 0.5 * (byPlus + select(x < 1, square / (s - minus), s + minus));
  // Its logarithm has fewer roundings as the inverse of sinh.
  Real height = asinh(sqrt(excess * (a + 1)));

  // sqrt(a^2 - x^2), likewise.
  Real sum = a + x;
  Real leg = select(isInner, sqrt(0.5 * sum * (byPlus + (s - minus))),
                    y * sqrt(0.5 * (sum / (r + plus) + sum / (s + minus))));
  Truth isFlat = b <= 0.6417;
  Real bounded = min(b, b.constant(1));
  Arc general = {select(isFlat, asin(bounded), atan2(x, leg)),
                 select(isFlat, acos(bounded), atan2(leg, x)), height};

  Truth isSafe = (max(x, y) < 0x1p500) & (y > 0x1p-500);
  Arc outside = arcOutside(x, y);
  return {select(isSafe, general.asin, outside.asin),
          select(isSafe, general.acos, outside.acos),
          select(isSafe, general.height, outside.height)};
}

Complex reader::asin(Complex z) {
  Arc arc = buildArc(abs(z.x), abs(z.y));
  // 0 whatever y is.
  Real real = select(z.x == 0, z.x, copySign(arc.asin, z.x));
  return {real, copySign(arc.height, z.y)};
}

Complex reader::acos(Complex z) {
  Arc arc = buildArc(abs(z.x), abs(z.y));
  Real real = select(isNegative(z.x), M_PI - arc.acos, arc.acos);
  return {select(z.x == 0, M_PI_2, real), -copySign(arc.height, z.y)};
}

/// -i asin(iz).
Complex reader::asinh(Complex z) {
  Complex w = asin({-z.y, z.x});
  return {w.y, -w.x};
}

/// +-i acos z, with a real part that is not negative.
Complex reader::acosh(Complex z) {
  Complex w = acos(z);
  return {abs(w.y), copySign(w.x, z.y)};
}

Complex reader::atanh(Complex z) {
  // For x >= 0; the function is odd.
  Real x = abs(z.x), y = abs(z.y);
  Real minus = 1 - x;
  Real real = 0.25 * log1p(4 * x / (minus * minus + y * y));
  Real imaginary = 0.5 * atan2(2 * y, minus * (1 + x) - y * y);
  // Above 1 with a tiny y, whose square underflows: log(2 / y) / 2.
  real = select((x == 1) & (y < 0x1p-500), 0.5 * (M_LN2 - log(y)), real);
  // For large |z|: x / |z|^2 + i pi / 2, without |z|, which may overflow.
  Real larger = max(x, y);
  Real ratio = min(x, y) / larger;
  Truth isFar = larger > 0x1p500;
  real = select(isFar, x / larger / (1 + ratio * ratio) / larger, real);
  double infinity = std::numeric_limits<double>::infinity();
  imaginary = select(isFar | (y == infinity), M_PI_2, imaginary);
  real = select((x == infinity) | (y == infinity), 0.0, real);
  // 0 whatever y is.
  real = select(z.x == 0, z.x, copySign(real, z.x));
  return {real, copySign(imaginary, z.y)};
}

/// -i atanh(iz).
Complex reader::atan(Complex z) {
  Complex w = atanh({-z.y, z.x});
  return {w.y, -w.x};
}
