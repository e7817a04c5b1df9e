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
// for sqrt and where signs of zero matter; ISO C, Annex G, for infinities,
// zeros and NaN. Sums that cancel and quotients are made of exact products
// (Doubled.h).
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

/// x^2 - y^2 as a product neither cancels nor overflows before it must.
static Complex square(Complex z) {
  Truth isDiagonal = (abs(z.x) == abs(z.y)) & (abs(z.x) < infinity);
  Real real = (z.x - z.y) * (z.x + z.y);
  return {select(isDiagonal, 0, real), 2 * (z.x * z.y)};
}

/// z / w by its definition: products of numbers that were f32 are exact, and
/// have squares in range.
static Complex divideSingles(Complex z, Complex w) {
  Real size = w.x * w.x + w.y * w.y;
  return {(z.x * w.x + z.y * w.y) / size, (z.y * w.x - z.x * w.y) / size};
}

/// A power of two, by whose square the squares of the parts come into range.
static Real rootOfScale(Complex z) {
  Real larger = max(abs(z.x), abs(z.y));
  return select(larger > 0x1p400, 0x1p-300,
                select(larger < 0x1p-400, 0x1p300, larger.constant(1)));
}

/// The same with exact products of f64, scaled into their range.
static Complex divideDoubles(Complex z, Complex w) {
  Real zf = rootOfScale(z), wf = rootOfScale(w), back = wf / zf;
  Real a = z.x * (zf * zf), b = z.y * (zf * zf);
  Real c = w.x * (wf * wf), d = w.y * (wf * wf);
  Doubled size = exactProduct(c, c) + exactProduct(d, d);
  auto part = [&](Real a, Real b, Real c, Real d) {
    Doubled sum = exactProduct(a, c) + exactProduct(b, d);
    // The second part of a zero has no sign.
    return select(sum.high == 0, a * c + b * d,
                  quotient(sum, size) * back * back);
  };
  Complex general = {part(a, b, c, d), part(b, -a, c, d)};
  // By a real or an imaginary number each part is divided alone, however much
  // the parts differ.
  general = select(w.x == 0, {z.y / w.y, -z.x / w.y}, general);
  return select(w.y == 0, {z.x / w.x, z.y / w.x}, general);
}

/// What divideSingles or divideDoubles has found, and what that does not see.
static Complex finishQuotient(Complex z, Complex w, Complex quotient) {
  Real real = quotient.x, imaginary = quotient.y;
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
  quotient = select(byZero, {big * z.x, big * z.y}, quotient);
  quotient = select(
      isBig,
      {infinity * (za * w.x + zb * w.y), infinity * (zb * w.x - za * w.y)},
      quotient);
  return select(bySomeInfinity,
                {0 * (z.x * wc + z.y * wd), 0 * (z.y * wc - z.x * wd)},
                quotient);
}

static Complex operator/(Complex z, Complex w) {
  return finishQuotient(z, w, divideDoubles(z, w));
}

/// A power of two, with a square and a cube root, that brings |z| into range.
static Real scaleOf(Complex z) {
  Real larger = max(abs(z.x), abs(z.y));
  return select(larger > 0x1p1000, 0x1p-96,
                select(larger < 0x1p-900, 0x1p192, larger.constant(1)));
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
  Real scale = scaleOf(z), x = z.x * scale, y = z.y * scale;
  Real size = hypot(x, y);
  return select(size == 0, z, {x / size, y / size});
}

//===----------------------------------------------------------------------===//
// Exponentials and trigonometric functions
//===----------------------------------------------------------------------===//

/// +-1 with the sign of v, also of a zero.
static Real unit(Real v) { return copySign(v.constant(1), v); }

/// size * trig, also where that is infinity * 0: a zero.
static Real scaled(Real size, Real trig) {
  return select(trig == 0, unit(size) * trig, size * trig);
}

/// sinh x * trig, also where that is 0 times something lost: a zero.
static Real scaledBySinh(Real x, Real trig) {
  return select(x == 0, x * unit(trig), scaled(sinh(x), trig));
}

/// base^x (cosine + i sine). Beyond `limit` base^x is split into itself at
/// `step`, which is `power`, and the rest: its product with a small sine may be
/// in range.
static Complex turnedPower(Real (*function)(Real), double limit, double step,
                           double power, Real x, Real cosine, Real sine) {
  Truth isLarge = x > limit, isHuge = x > 2 * step;
  Real zero = x.constant(0), one = x.constant(1);
  Real size =
      function(x - select(isHuge, 2 * step, select(isLarge, step, zero)));
  Real first = select(isLarge, power, one), second = select(isHuge, power, one);
  auto part = [&](Real trig) { return scaled(size, trig * first * second); };
  return {part(cosine), part(sine)};
}

/// e^695 is nearly a number of f64.
static Complex turnedExp(Real x, Real cosine, Real sine) {
  return turnedPower(exp, 709, 695, 0x1.982d7b3212b2cp+1002, x, cosine, sine);
}

/// The parts at infinity: b^-inf is 0 and b^inf infinite whatever the angle.
static Complex finishPower(Complex z, Complex power) {
  Real zero = z.x.constant(0);
  Truth isTurned = abs(z.y) < infinity;
  power = select(isTurned | (z.x != -infinity), power, {zero, zero});
  return {select(isTurned | (z.x != infinity), power.x, infinity), power.y};
}

static Complex exp(Complex z) {
  return finishPower(z, turnedExp(z.x, cos(z.y), sin(z.y)));
}

/// 2^x e^(iy log 2); the angle is a number and a rest, together right to about
/// 2^-106 |y|.
static Complex exp2(Complex z) {
  Doubled angle = exactProduct(z.y, z.y.constant(M_LN2));
  Real rest = angle.low + z.y * 0x1.abc9e3b39803fp-56;
  // Exact products end before numbers do, and such angles are lost anyway.
  rest = select(abs(z.y) < 0x1p500, rest, 0);
  Complex turn = {cos(angle.high), sin(angle.high)};
  turn = turn * Complex{cos(rest), sin(rest)};
  return finishPower(
      z, turnedPower(exp2, 1023, 1000, 0x1p1000, z.x, turn.x, turn.y));
}

/// e^z - 1: (e^x - 1) cos y - 2 sin^2(y / 2) does not cancel for small z.
static Complex expm1(Complex z) {
  Real half = sin(z.y * 0.5);
  Complex power = exp(z);
  Real real = expm1(z.x) * cos(z.y) - 2 * half * half;
  return {select(z.x > 40, power.x, real), power.y};
}

static Complex cosh(Complex z) {
  // Beyond 40 both functions of x are half of e^|x|.
  Real c = cos(z.y), s = sin(z.y), size = abs(z.x);
  Complex outer =
      turnedExp(size, 0.5 * c, copySign(z.x.constant(0.5), z.x) * s);
  return select(size > 40, outer, {scaled(cosh(z.x), c), scaledBySinh(z.x, s)});
}

static Complex sinh(Complex z) {
  Real c = cos(z.y), s = sin(z.y), size = abs(z.x);
  Complex outer =
      turnedExp(size, copySign(z.x.constant(0.5), z.x) * c, 0.5 * s);
  return select(size > 40, outer, {scaledBySinh(z.x, c), scaled(cosh(z.x), s)});
}

static Complex cos(Complex z) { return cosh({-z.y, z.x}); }

/// sin z = -i sinh(iz).
static Complex sin(Complex z) {
  Complex w = sinh({-z.y, z.x});
  return {w.y, -w.x};
}

/// tanh z = (sinh 2x / 2 + i sin y cos y) / (sinh^2 x + cos^2 y); for larger
/// |x| (sinh 2x + i sin 2y) / (cosh 2x + cos 2y), each over e^2|x| / 2.
static Complex tanh(Complex z) {
  Real zero = z.x.constant(0), one = z.x.constant(1);
  Real s = sinh(z.x), c = cos(z.y), size = abs(z.x);
  Doubled turn = exactProduct(sin(z.y), c);
  Doubled sum = exactProduct(s, s) + exactProduct(c, c);
  Complex inner = {quotient({0.5 * sinh(2 * z.x), zero}, sum),
                   quotient(turn, sum)};

  Real small = exp(-2 * size);
  Truth isFar = abs(z.y) > 0x1p1000; // 2y may overflow.
  Real twice = select(isFar, 2 * turn.high, sin(select(isFar, 0, 2 * z.y)));
  // cos 2y is 2 cos^2 y - 1.
  Doubled rest = exactSum(one, small * ((4 * c * c - 2) + small));
  // Next to infinity an angle does not matter.
  Truth isLost = (size == infinity) & isNaN(c);
  twice = select(isLost, 0, twice);
  rest = {select(isLost, 1, rest.high), select(isLost, 0, rest.low)};
  Complex outer = {copySign(quotient(exactSum(one, -small * small), rest), z.x),
                   2 * quotient(exactProduct(twice, small), rest)};
  Complex result = select(size > 1, outer, inner);
  // It is odd in x and in y, also where the other one is infinite or lost.
  return {select(z.x == 0, z.x, result.x), select(z.y == 0, z.y, result.y)};
}

static Complex tan(Complex z) {
  Complex w = tanh({-z.y, z.x});
  return {w.y, -w.x};
}

/// (1 + tanh(z / 2)) / 2. Where the real part cancels, away from poles, it is
/// (e^x + cos y) / (4 sinh^2 (x / 2) + 4 cos^2 (y / 2)), or the same over
/// e^|x|. On the curve where it is 0 it has the accuracy of e^x.
static Complex logistic(Complex z) {
  Complex t = tanh({0.5 * z.x, 0.5 * z.y});
  Real e = exp(z.x), c = cos(z.y);
  Real s2 = sinh(0.5 * z.x), c2 = cos(0.5 * z.y);
  Doubled sum = exactSum(c, e);
  Doubled squares = exactProduct(s2, s2) + exactProduct(c2, c2);
  Real near = quotient(sum, scaled(squares, 4));
  Real low = e * quotient(sum, exactSum(e.constant(1), e * (2 * c + e)));
  low = select(z.x == -infinity, 0, low);
  Real high = 0.5 * (1 + t.x);
  Truth isNear = (squares.high > 0.25) & (t.x < -0.25);
  return {select(z.x < -2, low, select(isNear, near, high)), 0.5 * t.y};
}

//===----------------------------------------------------------------------===//
// Logarithms, powers and roots
//===----------------------------------------------------------------------===//

/// offset + x^2 + y^2 where that may cancel, as if in three times the digits
/// (SumK of Ogita, Rump and Oishi, "Accurate Sum and Dot Product", 2005).
static Real sumOfSquares(Real offset, Real x, Real y) {
  Doubled xx = exactProduct(x, x), yy = exactProduct(y, y);
  Real terms[] = {xx.low, yy.low, xx.high, yy.high, offset};
  for (int pass = 0; pass < 2; ++pass)
    for (int i = 1; i < 5; ++i) {
      Doubled sum = exactSum(terms[i], terms[i - 1]);
      terms[i] = sum.high;
      terms[i - 1] = sum.low;
    }
  return (((terms[0] + terms[1]) + terms[2]) + terms[3]) + terms[4];
}

Doubled sizeOf(Real x, Real y) {
  return sqrt(exactProduct(x, x) + exactProduct(y, y));
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
  // Near the unit circle: log(1 + (x^2 + y^2 - 1)) / 2.
  Real excess = sumOfSquares(z.x.constant(-1), z.x, z.y);
  Truth isNear = (size > 0.5) & (size < 8);
  Real real = select(isNear, 0.5 * log1p(excess), logOfSize(z.x, z.y));
  return {real, atan2(z.y, z.x)};
}

/// Exact for powers of two: only near the unit circle it is a natural
/// logarithm.
static Complex log2(Complex z) {
  Real size = hypot(z.x, z.y);
  Real scale = scaleOf(z);
  Real exponent =
      select(scale > 1, 192, select(scale < 1, -96, size.constant(0)));
  Real far = log2(hypot(z.x * scale, z.y * scale)) - exponent;
  Real excess = sumOfSquares(z.x.constant(-1), z.x, z.y);
  Truth isNear = (size > 0.5) & (size < 2);
  return {select(isNear, 0.5 * M_LOG2E * log1p(excess), far),
          M_LOG2E * atan2(z.y, z.x)};
}

/// log(1 + z); near 0 and where |1 + z| is near 1: log1p(2x + x^2 + y^2) / 2.
static Complex log1p(Complex z) {
  Real next = 1 + z.x;
  Real size = hypot(next, z.y);
  Real excess = sumOfSquares(2 * z.x, z.x, z.y);
  Truth isNear = (size > 0.5) & (size < 8);
  Real real = select(isNear, 0.5 * log1p(excess), logOfSize(next, z.y));
  return {real, atan2(z.y, next)};
}

/// z i^n for n from -2 to 2.
static Complex turned(Complex z, Real n) {
  Truth isOdd = abs(n) == 1;
  Complex sideways = {-(n * z.y), n * z.x};
  return select(isOdd, sideways, select(n == 0, z, {-z.x, -z.y}));
}

/// e^(w log z); 0^0 is 1, 0 to a power with positive real part 0. The angle of
/// z is some right angles and a rest; of the former's multiple whole turns are
/// taken off, so that powers of real and imaginary numbers keep to the axes.
static Complex power(Complex z, Complex w) {
  Real one = z.x.constant(1), zero = z.x.constant(0);
  Truth isSteep = abs(z.x) < abs(z.y), isLeft = isNegative(z.x);
  Real quarters = select(isSteep, copySign(one, z.y),
                         select(isLeft, copySign(2 * one, z.y), zero));
  Complex rest = select(isSteep, {abs(z.y), -(copySign(one, z.y) * z.x)},
                        {abs(z.x), select(isLeft, -z.y, z.y)});
  Complex logarithm = log(z);
  Real multiple = w.x * quarters;
  multiple = multiple - 4 * round(multiple * 0.25);
  Real whole = round(multiple);
  Real angle = (multiple - whole) * M_PI_2 +
               (w.x * atan2(rest.y, rest.x) + w.y * logarithm.x);
  Complex result =
      turned(exp({w.x * logarithm.x - w.y * logarithm.y, angle}), whole);
  Truth isZero = (z.x == 0) & (z.y == 0);
  result = select(isZero & (w.x > 0), {zero, zero}, result);
  return select((w.x == 0) & (w.y == 0), {one, zero}, result);
}

static Complex sqrt(Complex z) {
  // |z| is scaled by 4^k, the root by 2^k.
  Real scale = scaleOf(z);
  Real up = select(scale < 1, 0x1p48, select(scale > 1, 0x1p-96, scale));
  Real t = sqrt((abs(z.x * scale) + hypot(z.x * scale, z.y * scale)) * 0.5);
  // The smaller part may be much smaller, and is not scaled down in between.
  Real other = abs(z.y) / (2 * t) * (scale * up);
  t = t * up;
  Truth isRight = z.x >= 0;
  Complex root = {select(isRight, t, other),
                  copySign(select(isRight, other, t), z.y)};
  Real zero = z.x.constant(0);
  root = select((z.x == 0) & (z.y == 0), {zero, z.y}, root);
  Real big = z.x.constant(infinity);
  // An infinite imaginary part outweighs everything.
  Real flat = select(isNaN(z.y), z.y, copySign(zero, z.y));
  root = select(z.x == infinity, {big, flat}, root);
  root = select(z.x == -infinity, {abs(flat), copySign(big, z.y)}, root);
  return select(isInfinite(z.y), {big, z.y}, root);
}

/// conj(sqrt z) / |z|: of the parts of sqrt z one is t = sqrt((|x| + |z|) / 2),
/// the other y / 2t.
static Complex rsqrt(Complex z) {
  Real back = rootOfScale(z), scale = back * back;
  Real x = abs(z.x * scale), y = abs(z.y * scale);
  Doubled size = sizeOf(x, y), t = sqrt(scaled(size + x, 0.5));
  Real zero = z.x.constant(0), big = z.x.constant(infinity);
  // A much smaller part is raised to where products are exact.
  Real raise = select(y < 0x1p-500, 0x1p400, y.constant(1));
  Doubled twice = scaled(t * size, 2);
  Real major = quotient(t, size) * back;
  Real minor = quotient({y * raise, zero}, twice) / raise * back;
  Truth isRight = z.x >= 0;
  Complex inverse = {select(isRight, major, minor),
                     -copySign(select(isRight, minor, major), z.y)};
  Real larger = max(abs(z.x), abs(z.y));
  inverse = select(larger == 0, {big, -copySign(zero, z.y)}, inverse);
  return select(isInfinite(z.x) | isInfinite(z.y), {zero, -copySign(zero, z.y)},
                inverse);
}

/// The root of the smallest angle.
static Complex cbrt(Complex z) {
  // |z| is scaled by 8^k, the root by 2^k.
  Real scale = scaleOf(z), x = z.x * scale, y = abs(z.y * scale);
  Real up = select(scale < 1, 0x1p32, select(scale > 1, 0x1p-64, scale));
  Real size = cbrt(hypot(x, y));
  // An angle near pi is taken from there: 60 degrees less a small one.
  Truth isLeft = z.x < -2 * abs(z.y);
  Real angle = atan2(y, select(isLeft, -x, x)) / 3;
  Real c = cos(angle), s = sin(angle);
  Doubled high =
      exactProduct(c, c.constant(0x1.bb67ae8584caap-1)); // sqrt(3) / 2
  Doubled low = exactProduct(s, c.constant(0x1.bb67ae8584caap-1));
  Real real = select(isLeft, (0.5 * c + low.high) + low.low, c);
  Real imaginary = select(isLeft, (high.high - 0.5 * s) + high.low, s);
  // Of a tiny angle there may be less than of the imaginary part.
  Truth isFlat = (angle < 0x1p-500) & (z.x > 0);
  Real part = select(isFlat, y / (3 * size * size), size * imaginary);
  Complex root = {size * real * up, copySign(part * up, z.y)};
  return root;
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
      .Case("exp2", exp2)
      .Case("exponential", exp)
      .Case("exponential_minus_one", expm1)
      .Case("log", log)
      .Case("log2", log2)
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
      result = partsOf(finishQuotient(wide[0], wide[1],
                                      element.isF32()
                                          ? divideSingles(wide[0], wide[1])
                                          : divideDoubles(wide[0], wide[1])));
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
