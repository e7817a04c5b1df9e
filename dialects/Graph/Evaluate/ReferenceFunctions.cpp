//===- ReferenceFunctions.cpp - Functions that libm lacks -----------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/Evaluate/ReferenceFunctions.h"
#include <cmath>
#include <limits>

using Real = long double;

static constexpr Real pi = 3.141592653589793238462643383279502884L;
static constexpr double infinity = std::numeric_limits<double>::infinity();

/// B_2, B_4, ..., DLMF 24.2.
static constexpr Real bernoulli[] = {
    1.0L / 6,       -1.0L / 30,       1.0L / 42,       -1.0L / 30,
    5.0L / 66,      -691.0L / 2730,   7.0L / 6,        -3617.0L / 510,
    43867.0L / 798, -174611.0L / 330, 854513.0L / 138, -236364091.0L / 2730};

static bool isInteger(double x) { return x == std::floor(x); }

//===----------------------------------------------------------------------===//
// Bessel
//===----------------------------------------------------------------------===//

double cleave::graph::besselI1e(double x) {
  if (std::isnan(x))
    return x;
  Real a = std::fabs(x), sum;
  if (a < 40) {
    // DLMF 10.25.2; all terms are positive.
    Real term = a / 2;
    sum = term;
    for (int k = 1; term > sum * 1e-21L; ++k) {
      term *= (a / 2) * (a / 2) / (Real(k) * (k + 1));
      sum += term;
    }
    sum *= std::exp(-a);
  } else {
    // DLMF 10.40.1, whose terms shrink until k is about 2 a.
    Real term = 1;
    sum = 1;
    for (int k = 1; k < 60 && std::fabs(term) > 1e-21L; ++k) {
      term *= -(4 - Real(2 * k - 1) * (2 * k - 1)) / (k * 8 * a);
      sum += term;
    }
    sum /= std::sqrt(2 * pi * a);
  }
  return std::copysign(static_cast<double>(sum), x);
}

//===----------------------------------------------------------------------===//
// Digamma and inverse error function
//===----------------------------------------------------------------------===//

double cleave::graph::digamma(double x) {
  if (std::isnan(x) || x == infinity)
    return x;
  if (x <= 0 && isInteger(x))
    return NAN;
  Real y = x, result = 0;
  if (x < 0) {
    // DLMF 5.5.4; tan has period pi.
    y = 1 - Real(x);
    result = -pi / std::tan(pi * (Real(x) - std::round(x)));
  }
  // DLMF 5.5.2.
  for (; y < 30; ++y)
    result -= 1 / y;
  // DLMF 5.11.2.
  Real square = 1 / (y * y), power = square, series = 0;
  for (int k = 1; k <= 12; ++k, power *= square)
    series += bernoulli[k - 1] / (2 * k) * power;
  return static_cast<double>(result + std::log(y) - 1 / (2 * y) - series);
}

/// Newton's method on erf, or on erfc where erf is close to 1.
double cleave::graph::erfInv(double x) {
  Real a = std::fabs(x), z = a;
  if (!(a <= 1) || a == 0)
    return a == 0 ? x : NAN;
  if (a == 1)
    return std::copysign(infinity, x);
  bool isTail = a > 0.5;
  // From the leading term of erfc, which is too large there: Newton's steps
  // then approach from one side.
  if (isTail)
    z = std::sqrt(-std::log(1 - a));
  for (int step = 0; step < 60; ++step) {
    Real excess = isTail ? (1 - a) - std::erfc(z) : std::erf(z) - a;
    Real slope = 2 / std::sqrt(pi) * std::exp(-z * z);
    Real next = z - excess / slope;
    if (std::fabs(next - z) < 1e-18L * z) {
      z = next;
      break;
    }
    z = next;
  }
  return std::copysign(static_cast<double>(z), x);
}

//===----------------------------------------------------------------------===//
// Zeta
//===----------------------------------------------------------------------===//

/// For q > 0 and s > 1: DLMF 25.11.5 after some terms of the sum.
static Real zetaOfPositive(Real s, Real q) {
  Real sum = 0;
  // So many terms that the series after them is good to 1e-19.
  int terms = 25;
  Real a = q;
  for (int k = 0; k < terms; ++k, a += 1)
    sum += std::pow(a, -s);
  Real power = std::pow(a, -s);
  Real rest = std::pow(a, 1 - s) / (s - 1);
  if (!(rest > sum * 1e-25L))
    return sum;
  sum += rest + power / 2;
  // The k-th term has s (s + 1) ... (s + 2 k - 2) / (2 k)! / a^(2 k - 1).
  Real factor = power * (s / a) / 2;
  for (int k = 1; k <= 12; ++k) {
    sum += bernoulli[k - 1] * factor;
    factor *= ((s + 2 * k - 1) / a) * ((s + 2 * k) / a) /
              (Real(2 * k + 1) * (2 * k + 2));
  }
  return sum;
}

/// For all q that are no poles, and integers s > 1: the sum over all integers
/// k of (q + k)^-s is made of two sums to one side, whatever its start.
static Real zetaOfInteger(Real s, double q) {
  if (q > 0)
    return zetaOfPositive(s, q);
  Real nearest = std::round(q), rest = q - nearest;
  Real above = rest > 0 ? rest : 1 + rest, below = rest > 0 ? 1 - rest : -rest;
  Real sign = std::fmod(s, Real(2)) == 0 ? 1 : -1;
  return zetaOfPositive(s, above) +
         sign * (zetaOfPositive(s, below) - zetaOfPositive(s, 1 - Real(q)));
}

double cleave::graph::zeta(double s, double q) {
  if (std::isnan(s) || std::isnan(q) || s < 1)
    return NAN;
  if (s == 1)
    return infinity;
  if (q <= 0 && isInteger(q))
    return std::fmod(s, 2) == 0 ? infinity : NAN;
  if (q < 0 && !isInteger(s))
    return NAN;
  if (std::isinf(q))
    return q > 0 ? 0 : NAN;
  return static_cast<double>(zetaOfInteger(s, q));
}

double cleave::graph::polygamma(double n, double x) {
  if (std::isnan(n) || std::isnan(x) || n < 0 || !isInteger(n))
    return NAN;
  if (n == 0)
    return digamma(x);
  if (x <= 0 && isInteger(x))
    return std::fmod(n, 2) == 1 ? infinity : NAN;
  if (std::isinf(x))
    return x > 0 ? std::copysign(0.0, std::fmod(n, 2) == 1 ? 1 : -1) : NAN;
  // DLMF 5.15; long double has the range for both factors.
  Real value = std::tgamma(Real(n) + 1) * zetaOfInteger(Real(n) + 1, x);
  return static_cast<double>(std::fmod(n, 2) == 1 ? value : -value);
}
