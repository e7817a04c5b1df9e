//===- GenerateElementwise.cpp - Random elementwise operations ------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Generator.h"
#include <cmath>

using namespace mlir;
using namespace cleave;
using namespace cleave::graph;
using namespace cleave::differential;

static bool isFloat(Value value) {
  return isa<FloatType>(typeOf(value).getElementType());
}

/// Zero to 2^width - 1, or what of it a signed type has.
static double integerMax(Type type) {
  unsigned width = type.getIntOrFloatBitWidth();
  return std::exp2(type.isUnsignedInteger() ? width : width - 1);
}

//===----------------------------------------------------------------------===//
// One operand
//===----------------------------------------------------------------------===//

bool Generator::unary() {
  Value x = anyNumber();
  if (!isFloat(x))
    return unaryInteger(x);
  bool exactly = isExact || (infoOf(x).exact && random.percent(40));
  return exactly ? unaryExact(x) : unaryInexact(x);
}

bool Generator::unaryInteger(Value x) {
  StringRef name = random.pick<StringRef>(
      {"abs", "negate", "not", "popcnt", "count_leading_zeros", "sign"});
  double bound = integerMax(typeOf(x).getElementType());
  if (name == "popcnt" || name == "count_leading_zeros")
    bound = 64;
  else if (name == "sign")
    bound = 1;
  add(build(("cleave." + name).str(), x, x.getType()), {bound});
  return true;
}

bool Generator::unaryExact(Value x) {
  Info info = infoOf(x);
  StringRef name = random.pick<StringRef>(
      {"abs", "negate", "ceil", "floor", "round_nearest_afz",
       "round_nearest_even", "sign", "is_finite", "reduce_precision"});
  if (name == "reduce_precision")
    return reducePrecision(x);
  Type type = x.getType();
  if (name == "is_finite") {
    type = withElement(typeOf(x), builder.getI1Type());
    info.bound = 1;
  } else if (name == "sign") {
    info.bound = 1;
    info.integral = true;
  } else if (name != "abs" && name != "negate") {
    info.bound += 1;
    info.integral = true;
    if (isExact && info.bound > exactLimit(typeOf(x).getElementType()))
      return false;
  }
  add(build(("cleave." + name).str(), x, type), info);
  return true;
}

bool Generator::reducePrecision(Value x) {
  Info info = infoOf(x);
  // It may round up to the next power of two.
  info.bound *= 2;
  if (isExact && info.bound > exactLimit(typeOf(x).getElementType()))
    return false;
  NamedAttribute bits[] = {
      builder.getNamedAttr("exponent_bits", builder.getI32IntegerAttr(
                                                random.pick<int>({6, 8, 11}))),
      builder.getNamedAttr("mantissa_bits",
                           builder.getI32IntegerAttr(random.range(0, 12)))};
  add(build("cleave.reduce_precision", x, x.getType(), bits), info);
  return true;
}

Value Generator::atLeast(Value x, double least) {
  Value bound = splat(builder, loc, typeOf(x), least);
  return add(build("cleave.maximum", {x, bound}, x.getType()), infoOf(x));
}

/// Integers to integers: bits of floats depend on the sign of zero.
bool Generator::bitcast() {
  Value x = anyNumber();
  auto from = dyn_cast<IntegerType>(typeOf(x).getElementType());
  if (!from)
    return false;
  Type to = randomInteger();
  Shape shape(typeOf(x).getShape());
  int64_t fromBits = from.getWidth(), toBits = to.getIntOrFloatBitWidth();
  if (fromBits > toBits) {
    shape.push_back(fromBits / toBits);
  } else if (fromBits < toBits) {
    if (shape.empty() || shape.back() != toBits / fromBits)
      return false;
    shape.pop_back();
  }
  Value y =
      build("cleave.bitcast_convert", x, RankedTensorType::get(shape, to));
  add(y, {HUGE_VAL});
  return true;
}

bool Generator::unaryInexact(Value x) {
  struct Function {
    StringRef name;
    double domain; // clamped to [-domain, domain]
    bool isPositive;
    double bound; // 0: the operand's
    double least = 0;
  };
  static const Function functions[] = {
      {"acos", 0.9, false, 3.2},       {"acosh", 1e6, true, 20, 1.5},
      {"asin", 0.9, false, 1.6},       {"asinh", 1e6, false, 20},
      {"atan", 1e6, false, 1.6},       {"atanh", 0.9, false, 1.5},
      {"bessel_i1e", 1e6, false, 0.3}, {"cbrt", 1e6, true, 100},
      {"cosh", 5, false, 80},          {"cosine", 60, false, 1},
      {"digamma", 100, true, 5},       {"erf", 1e6, false, 1},
      {"erf_inv", 0.9, false, 1.5},    {"erfc", 3, false, 2},
      {"exponential", 5, false, 150},  {"exponential_minus_one", 5, false, 150},
      {"exp2", 7, false, 130},         {"log2", 1e6, true, 20},
      {"lgamma", 100, true, 400},      {"log", 1e6, true, 20},
      {"log_plus_one", 1e6, true, 20}, {"logistic", 1e6, false, 1},
      {"rsqrt", 1e6, true, 2},         {"sine", 60, false, 1},
      {"sinh", 5, false, 80},          {"sqrt", 1e6, true, 1001},
      {"tan", 1, false, 1.6},          {"tanh", 1e6, false, 1},
      {"negate", 1e6, false, 0},       {"abs", 1e6, false, 0},
  };
  const Function &function = random.pick<Function>(functions);
  // Outside of its domain a function of exact values gives the same NaN or
  // infinity everywhere; seldom, since NaN hides what else goes wrong.
  bool isRaw = infoOf(x).exact && random.percent(3);
  if (!isRaw)
    x = within(x, function.domain);
  if (!isRaw && function.isPositive)
    x = positive(x);
  if (!isRaw && function.least != 0)
    x = atLeast(x, function.least);
  Info info = infoOf(x);
  if (isRaw)
    info.bound = HUGE_VAL;
  else if (function.bound)
    info.bound = function.bound;
  info.exact = info.integral = false;
  add(build(("cleave." + function.name).str(), x, x.getType()), info);
  return true;
}

bool Generator::convert() {
  Value x = random.percent(50) ? anyNumber() : anyExact();
  Info info = infoOf(x);
  Type from = typeOf(x).getElementType(), to = randomElement();
  auto toFloat = dyn_cast<FloatType>(to);
  if (isa<FloatType>(from) && !toFloat && !info.exact)
    return false;
  if (toFloat) {
    double limit = exactLimit(to);
    if (isExact)
      x = within(x, limit);
    else if (info.bound > growthLimit(to))
      x = within(x, growthLimit(to));
    info = infoOf(x);
    bool widens = isa<FloatType>(from) && exactLimit(from) <= limit &&
                  !(from.isBF16() && to.isF16());
    info.exact &= widens || (info.integral && info.bound <= limit);
    info.integral &= info.exact;
  } else if (to.isInteger(1)) {
    info.bound = 1;
  } else {
    bool fits = info.bound < integerMax(to) &&
                (!to.isUnsignedInteger() || from.isUnsignedInteger());
    if (!fits)
      info.bound = HUGE_VAL;
  }
  add(build("cleave.convert", x, withElement(typeOf(x), to)), info);
  return true;
}

//===----------------------------------------------------------------------===//
// Several operands
//===----------------------------------------------------------------------===//

/// Something of the same type: an old value, a new one, or a vector or scalar
/// that is broadcast.
Value Generator::partner(Value x) {
  RankedTensorType type = typeOf(x);
  if (random.percent(70) || type.getRank() == 0)
    return ofType(type);
  int64_t dim = random.range(-1, type.getRank() - 1);
  SmallVector<int64_t> dims;
  Shape shape;
  if (dim >= 0) {
    dims.push_back(dim);
    shape.push_back(type.getDimSize(dim));
  }
  Value small = ofShape(shape, type.getElementType());
  return add(build("cleave.broadcast_in_dim", small, type, attr("dims", dims)),
             infoOf(small));
}

bool Generator::binary() {
  Value x = random.percent(10) ? anyExact() : anyNumber();
  Value y = partner(x);
  if (random.percent(50))
    std::swap(x, y);
  Type element = typeOf(x).getElementType();
  if (isa<IntegerType>(element))
    return binaryInteger(x, y);
  if (!isExact && random.percent(30))
    return binaryInexact(x, y);
  Info a = infoOf(x), b = infoOf(y), info = joined({x, y});
  StringRef name = random.pick<StringRef>(
      {"add", "subtract", "multiply", "maximum", "minimum", "remainder"});
  double limit = growthLimit(element);
  if (name == "remainder") {
    // Exact, but it jumps.
    if (!info.exact)
      return false;
  } else if (name == "multiply") {
    if (a.bound * b.bound > limit) {
      x = within(x, std::sqrt(limit));
      y = within(y, std::sqrt(limit));
    }
    info.bound = infoOf(x).bound * infoOf(y).bound;
  } else if (name != "maximum" && name != "minimum") {
    if (a.bound + b.bound > limit) {
      x = within(x, limit / 2);
      y = within(y, limit / 2);
    }
    info.bound = infoOf(x).bound + infoOf(y).bound;
  }
  bool computes = name == "add" || name == "subtract" || name == "multiply";
  if (computes)
    info.exact &= info.integral && info.bound <= exactLimit(element);
  info.integral &= info.exact || !computes;
  add(build(("cleave." + name).str(), {x, y}, x.getType()), info);
  return true;
}

bool Generator::binaryInteger(Value x, Value y) {
  bool isBool = typeOf(x).getElementType().isInteger(1);
  StringRef forBool[] = {"add",      "and",     "or",     "xor",
                         "multiply", "maximum", "minimum"};
  StringRef forInteger[] = {"add",
                            "and",
                            "divide",
                            "maximum",
                            "minimum",
                            "multiply",
                            "or",
                            "power",
                            "remainder",
                            "subtract",
                            "xor",
                            "shift_left",
                            "shift_right_arithmetic",
                            "shift_right_logical"};
  StringRef name = isBool ? random.pick<StringRef>(forBool)
                          : random.pick<StringRef>(forInteger);
  double a = infoOf(x).bound, b = infoOf(y).bound, bound = HUGE_VAL;
  bool isSigned = !typeOf(x).getElementType().isUnsignedInteger();
  double most = integerMax(typeOf(x).getElementType());
  if (name == "add" || (name == "subtract" && isSigned))
    bound = a + b;
  else if (name == "multiply")
    bound = a * b;
  else if (name == "maximum" || name == "minimum")
    bound = std::max(a, b);
  if (bound >= most)
    bound = HUGE_VAL;
  add(build(("cleave." + name).str(), {x, y}, x.getType()),
      {isBool ? 1 : bound});
  return true;
}

bool Generator::binaryInexact(Value x, Value y) {
  StringRef name = random.pick<StringRef>(
      {"divide", "power", "atan2", "next_after", "zeta", "polygamma"});
  double bound;
  if (name == "next_after") {
    bound = infoOf(x).bound + 1;
  } else if (name == "zeta") {
    x = atLeast(within(x, 5), 1.5);
    y = atLeast(within(y, 10), 0.5);
    bound = 100;
  } else if (name == "polygamma") {
    x = make(typeOf(y), 0, 4);
    y = atLeast(within(y, 10), 0.5);
    bound = 2000;
  } else if (name == "divide") {
    y = positive(y);
    bound = infoOf(x).bound * 2;
  } else if (name == "power") {
    x = positive(within(x, 3));
    y = within(y, 3);
    bound = 64;
  } else {
    y = positive(y);
    bound = 4;
  }
  add(build(("cleave." + name).str(), {x, y}, x.getType()),
      {bound, false, false});
  return true;
}

bool Generator::compare() {
  Value x = anyExact();
  Value y = partner(x);
  if (!infoOf(y).exact)
    return false;
  auto direction = static_cast<ComparisonDirection>(random.range(0, 5));
  add(graph::compare(builder, loc, direction, x, y), {1});
  return true;
}

bool Generator::select() {
  Value yes = random.percent(70) ? anyNumber() : anyExact();
  Value no = partner(yes);
  RankedTensorType type = typeOf(yes);
  Shape shape(type.getShape());
  if (random.percent(15))
    shape.clear();
  Value pred = ofShape(shape, builder.getI1Type());
  add(build("cleave.select", {pred, yes, no}, type), joined({yes, no}));
  return true;
}

bool Generator::clamp() {
  Value x = anyNumber();
  RankedTensorType type = typeOf(x);
  RankedTensorType scalar = withShape(type, {});
  Value low = random.percent(70) ? ofType(scalar) : partner(x);
  Value high = random.percent(70) ? ofType(scalar) : partner(x);
  add(build("cleave.clamp", {low, x, high}, type), joined({low, x, high}));
  return true;
}
