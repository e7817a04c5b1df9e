//===- SpecialFunctions.cpp - Functions that SLEEF lacks ------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// DLMF is the NIST Digital Library of Mathematical Functions.
//
//===----------------------------------------------------------------------===//

#include "passes/Codegen/Kernels/SpecialFunctions.h"
#include "dialects/Graph/GraphDialect.h"
#include "passes/Codegen/Kernels/SpecialCoefficients.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace cleave::graph;

namespace cleave::codegen {

static constexpr double pi = 0x1.921fb54442d18p+1;
static constexpr double logOfPi = 0x1.250d048e7a1bdp+0;

/// exp(-|x|) I1(x): on [0, 8] and beyond, where it falls like 1 / sqrt(x), a
/// polynomial each (C. W. Clenshaw, Chebyshev Series for Mathematical
/// Functions, 1962, has the intervals).
Real buildBesselI1e(Real x) {
  Real a = abs(x);
  Value isSmall = a <= 8;
  Real small = a * polynomial(a * 0.25 - 1, besselI1eSmall);
  Real large = polynomial(16 / a - 1, besselI1eLarge) / sqrt(a);
  return copySign(select(isSmall, small, large), x);
}

/// By the recurrence psi(y + 1) = psi(y) + 1 / y (DLMF 5.5.2) to [1, 2), where
/// the root is a factor, and by the asymptotic series (DLMF 5.11.2) from 10 on.
static Real digammaOfPositive(Real x) {
  Value isSmall = x < 1, isLarge = x >= 10;
  Real added = select(isSmall, -1 / x, 0.0);
  Real y = select(isLarge, 1.5, select(isSmall, x + 1, x));
  for (int step = 0; step < 8; ++step) {
    Value isAbove = y >= 2;
    Real next = y - 1;
    added = added + select(isAbove, 1 / next, 0.0);
    y = select(isAbove, next, y);
  }
  Real middle = ((y - digammaRoot) - digammaRootRest) *
                    polynomial(2 * y - 3, digammaOverRoot) +
                added;
  // B_2k / 2k
  static const double series[] = {1.0 / 12,   -1.0 / 120,    1.0 / 252,
                                  -1.0 / 240, 1.0 / 132,     -691.0 / 32760,
                                  1.0 / 12,   -3617.0 / 8160};
  Real square = 1 / (x * x);
  Real large = log(x) - 0.5 / x - square * polynomial(square, series);
  return select(isLarge, large, middle);
}

Real buildDigamma(Real x) {
  ImplicitLocOpBuilder &b = x.builder();
  Value isNegative = x < 0;
  Real y = digammaOfPositive(select(isNegative, 1 - x, x));
  // psi(1 - x) - psi(x) = pi / tan(pi x) (DLMF 5.5.4), whose period is 1. Past
  // a quarter, 1 / tan is tan of what is left to a half.
  Real rest = x - roundEven(x), a = abs(rest);
  Value isFar = a > 0.25;
  Real slope = tan(pi * select(isFar, 0.5 - a, a));
  Real cotangent = copySign(select(isFar, slope, 1 / slope), rest);
  Real result = select(isNegative, y - pi * cotangent, y);
  Value isPole = both(b, x <= 0, x == floor(x));
  return select(isPole, NAN, result);
}

/// x times a function of w = -log(1 - x^2), as M. Giles proposes (Approximating
/// the erfinv function, 2010).
Real buildErfInv(Real x) {
  Real a = abs(x);
  Real w = -log((1 - a) * (1 + a));
  Real s = sqrt(w);
  Real ratio = select(w <= 6.25, polynomial(w / 3.125 - 1, erfInvCenter),
                      select(s <= 4, polynomial((s - 3.25) / 0.75, erfInvTail),
                             polynomial((s - 5.125) / 1.125, erfInvFarTail)));
  // w is NaN for |x| > 1, and infinite for 1.
  return select(a == 1, x * HUGE_VAL, x * ratio);
}

/// For x > 0: two polynomials around the roots 1 and 2, reached by the
/// recurrence (DLMF 5.5.1), and Stirling's series (DLMF 5.11.1) from 8 on.
static Real lgammaOfPositive(Real x) {
  Value isSmall = x < 1, isLarge = x >= 8;
  Real y = select(isLarge, 2.5, x), product = x.number(1);
  for (int step = 0; step < 5; ++step) {
    Value isAbove = y >= 3;
    Real next = y - 1;
    product = select(isAbove, product * next, product);
    y = select(isAbove, next, y);
  }
  // The factors y - 1 and y - 2 at y, or at x + 1 without its rounding.
  Real first = select(isSmall, x, y - 1);
  Real second = select(isSmall, x - 1, y - 2);
  Real middle = first * second * polynomial(second, lgammaOverRoots);
  Real logarithm = log(select(isLarge, x, select(isSmall, x, product)));
  middle = select(isSmall, middle - logarithm, middle + logarithm);
  // B_2k / (2k (2k - 1)), after (x - 1/2) log x - x + log(2 pi) / 2.
  static const double series[] = {
      1.0 / 12,    -1.0 / 360,       1.0 / 1260,
      -1.0 / 1680, 1.0 / 1188,       -691.0 / 360360,
      1.0 / 156,   -3617.0 / 122400, 43867.0 / 244188};
  Real inverse = 1 / x;
  Real large = (x - 0.5) * (logarithm - 1) +
               (0.41893853320467274178 +
                inverse * polynomial(inverse * inverse, series));
  return select(isLarge, large, middle);
}

Real buildLgamma(Real x) {
  ImplicitLocOpBuilder &b = x.builder();
  Real a = abs(x);
  Real positive = lgammaOfPositive(a);
  // gamma(x) gamma(-x) = -pi / (x sin(pi x)) (DLMF 5.5.3). Close to 0 both are
  // 1 / |x|.
  Value isReflected = x < -0x1p-60;
  Real rest = a - roundEven(a);
  Real reflected = (logOfPi - log(a * sin(pi * abs(rest)))) - positive;
  Real result = select(isReflected, reflected, positive);
  // At infinity the differences above are NaN, and log(0) at poles is none.
  Value isInfinite = either(b, a == HUGE_VAL, both(b, isReflected, rest == 0));
  return select(isInfinite, HUGE_VAL, result);
}

//===----------------------------------------------------------------------===//
// Zeta
//===----------------------------------------------------------------------===//

namespace {
/// A number as a sum, of which the second part is too small for the first.
struct Precise {
  Real sum, rest;

  explicit Precise(Real x) : sum(x), rest(x.number(0)) {}
  Precise(Real sum, Real rest) : sum(sum), rest(rest) {}

  /// What rounding the sum loses is exact (D. E. Knuth, The Art of Computer
  /// Programming 2, 4.2.2).
  Precise operator+(double number) const {
    Real rounded = sum + number, y = rounded - sum;
    Real lost = (sum - (rounded - y)) + (number - y);
    return {rounded, rest + lost};
  }
  /// (this scale)^exponent, to first order in the rest.
  Real power(Real scale, Real exponent) const {
    return pow(sum * scale, exponent) * (1 + exponent * (rest / sum));
  }
};

Precise select(Value condition, const Precise &x, const Precise &y) {
  return {codegen::select(condition, x.sum, y.sum),
          codegen::select(condition, x.rest, y.rest)};
}
} // namespace

/// The sum over k >= 0 of ((q + k) scale)^-s for q > 0 and s > 1, which is
/// zeta(s, q) scale^-s: some terms, then the Euler-Maclaurin formula
/// (DLMF 25.11.5).
static Real zetaOfPositive(Real s, const Precise &q, Real scale) {
  constexpr int terms = 12;
  Real first = q.power(scale, -s);
  Precise a = q + terms;
  Real rest = a.power(scale, 1 - s) / ((s - 1) * scale);
  // Ratios of successive B_2k / (2k)!, B_2 / 2! = 1 / 12. No factor overflows.
  static const double ratios[] = {
      -1.0 / 60,        -1.0 / 42,           -1.0 / 40,
      -5.0 / 198,       -691.0 / 27300,      -35.0 / 1382,
      -3617.0 / 142800, -219335.0 / 8659098, -1222277.0 / 48253700};
  Real series = s.number(1);
  for (int k = std::size(ratios); k > 0; --k)
    series = 1 + ratios[k - 1] * ((s + (2 * k - 1)) / a.sum) *
                     ((s + 2 * k) / a.sum) * series;
  Real correction = pow(a.sum * scale, -s) * (0.5 + s / a.sum / 12 * series);
  // For large s the series diverges, where all of it does not count.
  Real sum = codegen::select(rest > first * 1e-20, rest + correction, 0.0);
  // The small terms come first, which saves roundings.
  for (int k = terms - 1; k > 0; --k)
    sum = sum + (q + k).power(scale, -s);
  return sum + first;
}

namespace {
/// For q < 0 and an integer s, zeta(s, q) is zeta(s, above) +
/// (-1)^s (zeta(s, below) - zeta(s, 1 - q)): the sum over all integers k of
/// (q + k)^-s, less what is below q. For q > 0, it is zeta(s, above).
struct Reflection {
  Value isNegative, isEven;
  Precise above, below, beyond;

  Reflection(Real s, Real q)
      : isNegative(q < 0),
        isEven(both(s.builder(), s < HUGE_VAL, s * 0.5 == floor(s * 0.5))),
        above(q), below(q), beyond(q) {
    Precise one(q.number(1));
    // The distance to the nearest integer is exact.
    Precise right(q - roundEven(q)), left(-right.sum);
    Value isRight = right.sum > 0;
    above = select(isNegative, select(isRight, right, right + 1), above);
    below = select(isNegative, select(isRight, left + 1, left), one);
    beyond = select(isNegative, Precise(-q) + 1, one);
  }
  Real join(Real ofAbove, Real ofBelow, Real ofBeyond) const {
    Real difference = ofBelow - ofBeyond;
    Real more = codegen::select(isEven, difference, -difference);
    return codegen::select(isNegative, ofAbove + more, ofAbove);
  }
};
} // namespace

Real buildZeta(Real s, Real q) {
  ImplicitLocOpBuilder &b = s.builder();
  Real one = s.number(1);
  Reflection reflection(s, q);
  // Beyond, powers are 0, 1 or infinite, as they are there.
  Real bounded = select(s > 1e25, 1e25, s);
  auto part = [&](const Precise &q) { return zetaOfPositive(bounded, q, one); };
  Real result = reflection.join(part(reflection.above), part(reflection.below),
                                part(reflection.beyond));
  Value isFraction = s > floor(s);
  result = select(both(b, reflection.isNegative, isFraction), NAN, result);
  Value isPole = both(b, q <= 0, q == floor(q));
  Real atPole = select(reflection.isEven, HUGE_VAL, one * NAN);
  result = select(isPole, atPole, result);
  result = select(s < 1, NAN, select(s == 1, HUGE_VAL, result));
  result = select(q == HUGE_VAL, select(s > 1, 0.0, result), result);
  // pow(1, NaN) is 1.
  return select(s == s, select(q == q, result, q), s);
}

//===----------------------------------------------------------------------===//
// Polygamma
//===----------------------------------------------------------------------===//

/// n! zeta(n + 1, q) for q > 0. Up to 20! factorials are exact; scaling keeps
/// powers of large q from underflow. Beyond, by logarithms, with a relative
/// error of about |log(n!)| + n |log(q)| ulps.
static Real factorialZeta(Real n, Real factorial, Real logFactorial,
                          const Precise &q) {
  Real s = n + 1, x = q.sum;
  Value isLarge = n > 20;
  Real inRange = select(x < 1e-300, 1e-300, select(x > 1e300, 1e300, x));
  Real scale =
      select(isLarge, 1 / inRange, select(x > 1e10, 0x1p-40, x.number(1)));
  Real zeta = zetaOfPositive(s, {select(isLarge, inRange, x), q.rest}, scale);
  Real small = factorial * zeta * pow(scale, s);
  Real large = exp(logFactorial - s * log(inRange) + log(zeta));
  return select(isLarge, large, small);
}

/// (-1)^(n + 1) n! zeta(n + 1, x) (DLMF 25.11.12).
Real buildPolygamma(Real n, Real x) {
  ImplicitLocOpBuilder &b = n.builder();
  Real factorial = n.number(1);
  for (int k = 2; k <= 20; ++k)
    factorial = factorial * select(n >= k, n.number(k), 1.0);
  Real logFactorial = lgammaOfPositive(n + 1);
  Reflection reflection(n + 1, x);
  auto part = [&](const Precise &q) {
    return factorialZeta(n, factorial, logFactorial, q);
  };
  Real magnitude = reflection.join(
      part(reflection.above), part(reflection.below), part(reflection.beyond));
  Value isPole = both(b, x <= 0, x == floor(x));
  magnitude =
      select(isPole, select(reflection.isEven, HUGE_VAL, x * NAN), magnitude);
  magnitude = select(x == HUGE_VAL, 0.0, magnitude);
  Real result = select(reflection.isEven, magnitude, -magnitude);
  result = select(n == 0, buildDigamma(x), result);
  Value isOrder = both(b, n >= 0, n == floor(n));
  return select(isOrder, select(x == x, result, x), NAN);
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

bool isSpecialFunction(Operation *op) {
  return isa<BesselI1eOp, DigammaOp, ErfcOp, ErfInvOp, LgammaOp, PolygammaOp,
             ZetaOp>(op);
}

Value buildSpecialFunction(ImplicitLocOpBuilder &b, Operation *op,
                           ValueRange operands) {
  Real x(b, operands[0]), y(b, operands.back());
  return TypeSwitch<Operation *, Real>(op)
      .Case([&](BesselI1eOp) { return buildBesselI1e(x); })
      .Case([&](DigammaOp) { return buildDigamma(x); })
      // SLEEF's, whose error in f32 is 1.6 ulps.
      .Case([&](ErfcOp) { return x.apply<math::ErfcOp>(); })
      .Case([&](ErfInvOp) { return buildErfInv(x); })
      .Case([&](LgammaOp) { return buildLgamma(x); })
      .Case([&](PolygammaOp) { return buildPolygamma(x, y); })
      .Case([&](ZetaOp) { return buildZeta(x, y); })
      .DefaultUnreachable("no special function")
      .value();
}

} // namespace cleave::codegen
