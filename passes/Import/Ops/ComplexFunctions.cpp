//===- ComplexFunctions.cpp - Complex functions on parts ------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sources: W. Kahan, "Branch Cuts for Complex Elementary Functions, or Much Ado
// About Nothing's Sign Bit" (The State of the Art in Numerical Analysis, 1987)
// for sqrt and where signs of zero matter; M. Baudin, R. L. Smith, "A Robust
// Complex Division in Scilab" (2012) for the quotient; ISO C, Annex G, for
// quotients of infinities and zeros. Sums of squares near 1 are made of exact
// products of half significands (T. J. Dekker, "A Floating-Point Technique for
// Extending the Available Precision", 1971).
//
//===----------------------------------------------------------------------===//

#include "passes/Import/Ops/ComplexFunctions.h"
#include <cmath>

using namespace mlir;

namespace cleave::reader {

static const double infinity = std::numeric_limits<double>::infinity();

static Complex select(Truth pred, Complex yes, Complex no) {
  return {select(pred, yes.x, no.x), select(pred, yes.y, no.y)};
}

static Truth isNaN(Real x) { return x != x; }
static Truth isInfinite(Real x) { return abs(x) == infinity; }

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

static Complex operator*(Complex z, Complex w) {
  return {z.x * w.x - z.y * w.y, z.x * w.y + z.y * w.x};
}

/// One component of Smith's quotient: (a + b r) t for r = d / c, t = 1 / (c + d
/// r). Where r underflows the product is made in another order.
static Real smithPart(Real a, Real b, Real c, Real d, Real r, Real t) {
  Real br = b * r;
  return select(r != 0, select(br != 0, (a + br) * t, a * t + (b * t) * r),
                (a + d * (b / c)) * t);
}

/// x^2 - y^2 as a product neither cancels nor overflows before it must.
static Complex square(Complex z) {
  Truth isDiagonal = (abs(z.x) == abs(z.y)) & (abs(z.x) < infinity);
  Real real = (z.x - z.y) * (z.x + z.y);
  return {select(isDiagonal, 0, real), 2 * (z.x * z.y)};
}

static Complex operator/(Complex z, Complex w) {
  // |c| >= |d| after exchanging parts: (a + bi) / (c + di).
  Truth isSwapped = abs(w.x) < abs(w.y);
  Real a = select(isSwapped, z.y, z.x);
  Real b = select(isSwapped, z.x, z.y);
  Real c = select(isSwapped, w.y, w.x);
  Real d = select(isSwapped, w.x, w.y);
  // Halving or doubling keeps c + d r and the sums in range.
  Real size = max(abs(c), abs(d));
  Real scale = select(size > 0x1p1000, 0x1p-50,
                      select(size < 0x1p-900, 0x1p100, size.constant(1)));
  Real sc = c * scale, sd = d * scale;
  Real r = sd / sc;
  Real t = 1 / (sc + sd * r);
  Real real = smithPart(a, b, sc, sd, r, t) * scale;
  Real imaginary = smithPart(b, -a, sc, sd, r, t) * scale;
  imaginary = select(isSwapped, -imaginary, imaginary);

  // Annex G: a quotient by zero is infinite, one by infinity zero, and an
  // infinite dividend stays infinite.
  Truth isLost = isNaN(real) & isNaN(imaginary);
  Truth byZero = isLost & (w.x == 0) & (w.y == 0);
  Real big = copySign(w.x.constant(infinity), w.x);
  Truth isBig = isLost & (isInfinite(z.x) | isInfinite(z.y)) &
                (abs(w.x) < infinity) & (abs(w.y) < infinity);
  Truth bySomeInfinity = isLost & (isInfinite(w.x) | isInfinite(w.y)) &
                         (abs(z.x) < infinity) & (abs(z.y) < infinity);
  auto unit = [](Real v) {
    return copySign(select(isInfinite(v), v.constant(1), v.constant(0)), v);
  };
  Real za = unit(z.x), zb = unit(z.y), wc = unit(w.x), wd = unit(w.y);
  Complex quotient = {real, imaginary};
  quotient = select(byZero, {big * z.x, big * z.y}, quotient);
  quotient = select(
      isBig,
      {infinity * (za * w.x + zb * w.y), infinity * (zb * w.x - za * w.y)},
      quotient);
  return select(bySomeInfinity,
                {0 * (z.x * wc + z.y * wd), 0 * (z.y * wc - z.x * wd)},
                quotient);
}

/// The larger one by real, then imaginary part; one with a NaN outweighs both.
static Complex max(Complex z, Complex w) {
  Truth isFirst = (z.x > w.x) | ((z.x == w.x) & (z.y > w.y));
  Truth isLost = isNaN(z.x) | isNaN(z.y);
  return select(isFirst | isLost, z, w);
}

static Complex min(Complex z, Complex w) {
  Truth isFirst = (z.x < w.x) | ((z.x == w.x) & (z.y < w.y));
  Truth isLost = isNaN(z.x) | isNaN(z.y);
  return select(isFirst | isLost, z, w);
}

/// z / |z|; 0 stays 0.
static Complex sign(Complex z) {
  Real size = hypot(z.x, z.y);
  Truth isZero = size == 0;
  return select(isZero, z, {z.x / size, z.y / size});
}

//===----------------------------------------------------------------------===//
// Exponentials and trigonometric functions
//===----------------------------------------------------------------------===//

/// size * trig, which is trig itself where that is 0 and the size infinite.
static Real scaled(Real size, Real trig) {
  return select(trig == 0, trig, size * trig);
}

static Complex exp(Complex z) {
  // Just before e^x overflows the product with sine and cosine may not.
  Truth isLarge = z.x > 709;
  Real size = exp(select(isLarge, z.x - 1, z.x));
  Real factor = select(isLarge, M_E, z.x.constant(1));
  Complex power = {scaled(size, cos(z.y) * factor),
                   scaled(size, sin(z.y) * factor)};
  // e^-inf is 0 whatever the angle.
  Real zero = z.x.constant(0);
  return select(z.x == -infinity, {zero, zero}, power);
}

/// e^z - 1: (e^x - 1) cos y - 2 sin^2(y / 2) does not cancel for small z.
static Complex expm1(Complex z) {
  Real half = sin(z.y * 0.5);
  return {expm1(z.x) * cos(z.y) - 2 * half * half, scaled(exp(z.x), sin(z.y))};
}

static Complex cosh(Complex z) {
  return {scaled(cosh(z.x), cos(z.y)), scaled(sinh(z.x), sin(z.y))};
}

static Complex sinh(Complex z) {
  return {scaled(sinh(z.x), cos(z.y)), scaled(cosh(z.x), sin(z.y))};
}

static Complex cos(Complex z) { return cosh({-z.y, z.x}); }

/// sin z = -i sinh(iz).
static Complex sin(Complex z) {
  Complex w = sinh({-z.y, z.x});
  return {w.y, -w.x};
}

/// tanh z = (sinh x cosh x + i sin y cos y) / (sinh^2 x + cos^2 y). For large
/// |x| it is +-1 with an imaginary part of 4 sin y cos y e^(-2|x|).
static Complex tanh(Complex z) {
  Real s = sinh(z.x), c = cos(z.y);
  Real turn = sin(z.y) * c;
  Real denominator = s * s + c * c;
  Complex inner = {s * cosh(z.x) / denominator, turn / denominator};
  Real small = exp(-abs(z.x));
  // The turn of an infinite angle is lost.
  Real rest = select(isInfinite(z.y), z.y.constant(0), turn);
  Complex outer = {copySign(z.x.constant(1), z.x), 4 * rest * small * small};
  return select(abs(z.x) > 20, outer, inner);
}

static Complex tan(Complex z) {
  Complex w = tanh({-z.y, z.x});
  return {w.y, -w.x};
}

/// 1 / (1 + e^-z), or e^z / (1 + e^z) for x < 0: neither overflows.
static Complex logistic(Complex z) {
  Truth isLow = z.x < 0;
  Complex e = exp({-abs(z.x), select(isLow, z.y, -z.y)});
  Real one = z.x.constant(1), zero = z.x.constant(0);
  return select(isLow, e, {one, zero}) / Complex{1 + e.x, e.y};
}

//===----------------------------------------------------------------------===//
// Logarithms, powers and roots
//===----------------------------------------------------------------------===//

/// Adds `term` to `sum`, and what that loses to `rest` (Knuth's TwoSum).
static void addExactly(Real &sum, Real &rest, Real term) {
  Real next = sum + term, added = next - sum;
  rest = rest + ((sum - (next - added)) + (term - added));
  sum = next;
}

/// offset + x^2 + y^2 where that may cancel: products of halves are exact, and
/// so are their sums but for the last digits of `rest`.
static Real sumOfSquares(Real offset, Real x, Real y) {
  Real xh = upperHalf(x), xl = x - xh, yh = upperHalf(y), yl = y - yh;
  Real sum = offset, rest = xl * xl + yl * yl;
  addExactly(sum, rest, xh * xh);
  addExactly(sum, rest, yh * yh);
  addExactly(sum, rest, 2 * xh * xl);
  addExactly(sum, rest, 2 * yh * yl);
  return sum + rest;
}

Real logOfSize(Real x, Real y) {
  // Scaling by 2^k keeps |z| in range and its digits.
  Real larger = max(abs(x), abs(y));
  Truth isLarge = larger > 0x1p1000, isSmall = larger < 0x1p-900;
  Real scale =
      select(isLarge, 0x1p-30, select(isSmall, 0x1p200, larger.constant(1)));
  Real offset = select(isLarge, 30 * M_LN2,
                       select(isSmall, -200 * M_LN2, larger.constant(0)));
  return log(hypot(x * scale, y * scale)) + offset;
}

static Complex log(Complex z) {
  Real size = hypot(z.x, z.y);
  Real larger = max(abs(z.x), abs(z.y)), smaller = min(abs(z.x), abs(z.y));
  // Near the unit circle: log(1 + (x^2 + y^2 - 1)) / 2.
  Real excess = sumOfSquares(z.x.constant(-1), larger, smaller);
  Truth isNear = (size > 0.7) & (size < 1.5);
  Real real = select(isNear, 0.5 * log1p(excess), logOfSize(z.x, z.y));
  return {real, atan2(z.y, z.x)};
}

/// log(1 + z); near 0 and where |1 + z| is near 1: log1p(2x + x^2 + y^2) / 2.
static Complex log1p(Complex z) {
  Real next = 1 + z.x;
  Real size = hypot(next, z.y);
  Real excess = sumOfSquares(2 * z.x, z.x, z.y);
  Truth isNear = (size > 0.7) & (size < 1.5);
  Real real = select(isNear, 0.5 * log1p(excess), logOfSize(next, z.y));
  return {real, atan2(z.y, next)};
}

/// e^(w log z); 0^0 is 1, 0 to a power with positive real part 0.
static Complex power(Complex z, Complex w) {
  Complex result = exp(w * log(z));
  Real one = z.x.constant(1), zero = z.x.constant(0);
  Truth isZero = (z.x == 0) & (z.y == 0);
  result = select(isZero & (w.x > 0), {zero, zero}, result);
  return select((w.x == 0) & (w.y == 0), {one, zero}, result);
}

static Complex sqrt(Complex z) {
  // x and y are scaled by 4^k, the root by 2^k, so that |x| + |z| stays in
  // range.
  Real larger = max(abs(z.x), abs(z.y));
  Truth isLarge = larger > 0x1p1000, isSmall = larger < 0x1p-900;
  Real down =
      select(isLarge, 0x1p-100, select(isSmall, 0x1p200, larger.constant(1)));
  Real up =
      select(isLarge, 0x1p50, select(isSmall, 0x1p-100, larger.constant(1)));
  Real x = z.x * down, y = z.y * down;
  Real t = sqrt((abs(x) + hypot(x, y)) * 0.5);
  Real other = abs(y) / (2 * t);
  Truth isRight = z.x >= 0;
  Complex root = {select(isRight, t, other) * up,
                  copySign(select(isRight, other, t) * up, z.y)};
  Real zero = z.x.constant(0);
  root = select((z.x == 0) & (z.y == 0), {zero, z.y}, root);
  Real big = z.x.constant(infinity);
  // An infinite imaginary part outweighs everything.
  root = select(z.x == infinity, {big, copySign(zero, z.y)}, root);
  root = select(z.x == -infinity, {zero, copySign(big, z.y)}, root);
  return select(isInfinite(z.y), {big, z.y}, root);
}

/// conj(sqrt z) / |z|.
static Complex rsqrt(Complex z) {
  Complex root = sqrt(z);
  Real size = hypot(z.x, z.y);
  Complex inverse = {root.x / size, -root.y / size};
  Real zero = z.x.constant(0), big = z.x.constant(infinity);
  inverse = select(size == 0, {big, -copySign(zero, z.y)}, inverse);
  return select(size == infinity, {zero, -copySign(zero, z.y)}, inverse);
}

/// The root of the smallest angle.
static Complex cbrt(Complex z) {
  Real size = cbrt(hypot(z.x, z.y));
  Real angle = atan2(z.y, z.x) / 3;
  return {scaled(size, cos(angle)), scaled(size, sin(angle))};
}

/// -i log((w + iz) / sqrt(w^2 + z^2)).
static Complex atan2(Complex z, Complex w) {
  Complex squares = {(w * w).x + (z * z).x, (w * w).y + (z * z).y};
  Complex turned = {w.x - z.y, w.y + z.x};
  Complex result = log(turned / sqrt(squares));
  return {result.y, -result.x};
}

//===----------------------------------------------------------------------===//
// Dispatch
//===----------------------------------------------------------------------===//

namespace {
using UnaryFunction = Complex (*)(Complex);
} // namespace

static UnaryFunction getUnaryFunction(StringRef name) {
  return llvm::StringSwitch<UnaryFunction>(name)
      .Case("acos", acos)
      .Case("acosh", acosh)
      .Case("asin", asin)
      .Case("asinh", asinh)
      .Case("atan", atan)
      .Case("atanh", atanh)
      .Case("cbrt", cbrt)
      .Case("cosh", cosh)
      .Case("cosine", cos)
      .Case("exponential", exp)
      .Case("exponential_minus_one", expm1)
      .Case("log", log)
      .Case("log_plus_one", log1p)
      .Case("logistic", logistic)
      .Case("rsqrt", rsqrt)
      .Case("sign", sign)
      .Case("sine", sin)
      .Case("sinh", sinh)
      .Case("sqrt", sqrt)
      .Case("square", square)
      .Case("tan", tan)
      .Case("tanh", tanh)
      .Default(nullptr);
}

static Parts partsOf(Complex z) { return {z.x.value, z.y.value}; }

LogicalResult buildComplexFunction(ImportedOp &op, StringRef name,
                                   ArrayRef<Tensor> operands, Parts &result) {
  SmallVector<Complex, 2> exact, wide;
  Type element = graph::typeOf(operands[0].parts[0]).getElementType();
  for (const Tensor &operand : operands) {
    if (!isComplex(operand.element))
      return op.error() << "'" << op.name()
                        << "' mixes complex and real operands";
    auto widen = [&](Value part) {
      return Real{&op, graph::convertElement(op.builder, op.loc, part,
                                             op.builder.getF64Type())};
    };
    const Parts &parts = operand.parts;
    exact.push_back({{&op, parts[0]}, {&op, parts[1]}});
    wide.push_back({widen(parts[0]), widen(parts[1])});
  }
  Complex z = exact[0];
  if (name == "negate") {
    result = partsOf({-z.x, -z.y});
  } else if (name == "add") {
    result = partsOf({z.x + exact[1].x, z.y + exact[1].y});
  } else if (name == "subtract") {
    result = partsOf({z.x - exact[1].x, z.y - exact[1].y});
  } else if (name == "multiply") {
    result = partsOf(z * exact[1]);
  } else if (name == "maximum") {
    result = partsOf(max(z, exact[1]));
  } else if (name == "minimum") {
    result = partsOf(min(z, exact[1]));
  } else if (name == "clamp") {
    result = partsOf(min(max(exact[1], z), exact[2]));
  } else {
    if (name == "abs")
      result = {hypot(wide[0].x, wide[0].y).value};
    else if (name == "divide")
      result = partsOf(wide[0] / wide[1]);
    else if (name == "power")
      result = partsOf(power(wide[0], wide[1]));
    else if (name == "atan2")
      result = partsOf(atan2(wide[0], wide[1]));
    else if (UnaryFunction function = getUnaryFunction(name))
      result = partsOf(function(wide[0]));
    else
      return op.unsupported() << "'" << op.name() << "' on "
                              << operands[0].element << " is not supported";
    for (Value &part : result)
      part = graph::convertElement(op.builder, op.loc, part, element);
  }
  return success();
}

} // namespace cleave::reader
