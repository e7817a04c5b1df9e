//===- GenerateValues.cpp - Values and types for the operands of ops ------===//
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

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

Value Generator::pick(Filter fits) {
  SmallVector<Value> fitting;
  for (size_t i = firstVisible; i < pool.size(); ++i)
    if (fits(pool[i]))
      fitting.push_back(pool[i]);
  if (fitting.empty())
    return {};
  // Of two draws the later one, so that graphs become deep.
  size_t a = random.next() % fitting.size(), b = random.next() % fitting.size();
  return fitting[std::max(a, b)];
}

Value Generator::add(Value value, Info info) {
  Type element = typeOf(value).getElementType();
  if (isa<IntegerType>(element)) {
    double width = element.getIntOrFloatBitWidth();
    info.bound = width == 1 ? 1 : std::min(info.bound, std::exp2(width));
    info.exact = info.integral = true;
  }
  infos[value] = info;
  if (isa<FloatType>(element) && !(info.bound <= growthLimit(element)))
    return within(value, growthLimit(element));
  pool.push_back(value);
  return value;
}

Value Generator::build(StringRef op, ValueRange operands, Type type,
                       ArrayRef<NamedAttribute> attrs) {
  OperationState state(loc, op, operands, type, attrs);
  return builder.create(state)->getResult(0);
}

/// Random elements of a type, rounded to it.
static Literal randomLiteral(Random &random, RankedTensorType type, double low,
                             double high, bool integral) {
  Literal literal(type);
  if (literal.isFloat()) {
    for (double &value : literal.mutableFloats())
      value = integral
                  ? random.range(low, high)
                  : roundToType(random.real(low, high), type.getElementType());
    return literal;
  }
  for (int64_t &value : literal.mutableInts())
    value = wrapToType(random.range(low, high), type.getElementType());
  return literal;
}

Value Generator::constant(const Literal &literal) {
  return ConstantOp::create(builder, loc, literal.toAttr());
}

Value Generator::make(RankedTensorType type, double low, double high,
                      bool integral) {
  Literal literal = randomLiteral(random, type, low, high, integral);
  Info info{std::max(std::fabs(low), std::fabs(high)), true, integral};
  if (type.getElementType().isUnsignedInteger() && low < 0)
    info.bound = HUGE_VAL;
  if (firstVisible > 0 || random.percent(10))
    return add(constant(literal), info);
  result.inputs.push_back(literal);
  return add(main.front().addArgument(type, loc), info);
}

Value Generator::make(RankedTensorType type) {
  Type element = type.getElementType();
  if (element.isInteger(1))
    return make(type, 0, 1);
  if (isa<FloatType>(element))
    return isExact ? make(type, -4, 4) : make(type, -2, 2, random.percent(20));
  if (random.percent(10))
    return make(type, -0x1p40, 0x1p40);
  return make(type, -4, 8);
}

Value Generator::ofType(RankedTensorType type) {
  if (random.percent(60))
    if (Value value = pick([&](Value v) { return v.getType() == type; }))
      return value;
  return make(type);
}

Value Generator::index(Type element) {
  auto type = RankedTensorType::get({}, element);
  if (random.percent(50))
    if (Value value = pick([&](Value v) { return v.getType() == type; }))
      return value;
  return make(type, -2, 9);
}

Value Generator::anyNumber(int64_t minRank, int64_t maxRank) {
  auto fits = [&](Value v) {
    int64_t rank = typeOf(v).getRank();
    return rank >= minRank && rank <= maxRank &&
           !typeOf(v).getElementType().isInteger(1);
  };
  Value value = random.percent(85) ? pick(fits) : Value();
  if (value)
    return value;
  Type element = random.percent(70) ? mainFloat : randomElement();
  if (element.isInteger(1))
    element = mainFloat;
  return make(RankedTensorType::get(randomShape(minRank, maxRank), element));
}

Value Generator::anyFloat(int64_t minRank, int64_t maxRank) {
  auto fits = [&](Value v) {
    int64_t rank = typeOf(v).getRank();
    return rank >= minRank && rank <= maxRank &&
           isa<FloatType>(typeOf(v).getElementType());
  };
  Value value = random.percent(85) ? pick(fits) : Value();
  if (value)
    return value;
  return make(
      RankedTensorType::get(randomShape(minRank, maxRank), randomFloat()));
}

Value Generator::anyExact(int64_t minRank, int64_t maxRank) {
  auto fits = [&](Value v) {
    int64_t rank = typeOf(v).getRank();
    return rank >= minRank && rank <= maxRank && infoOf(v).exact;
  };
  Value value = random.percent(85) ? pick(fits) : Value();
  if (value)
    return value;
  return make(
      RankedTensorType::get(randomShape(minRank, maxRank), randomElement()));
}

Value Generator::within(Value value, double limit) {
  Info info = infoOf(value);
  Type element = typeOf(value).getElementType();
  limit = std::floor(limit);
  if (info.bound <= limit)
    return value;
  RankedTensorType scalar = RankedTensorType::get({}, element);
  double low = element.isUnsignedInteger() ? 0 : -limit;
  Value bounds[] = {splat(builder, loc, scalar, low),
                    splat(builder, loc, scalar, limit)};
  info.bound = limit;
  return add(
      build("cleave.clamp", {bounds[0], value, bounds[1]}, value.getType()),
      info);
}

Value Generator::positive(Value value) {
  Info info = infoOf(value);
  Value size = build("cleave.abs", value, value.getType());
  Value half = splat(builder, loc, typeOf(value), 0.5);
  return add(build("cleave.add", {size, half}, value.getType()),
             {info.bound + 1, false, false});
}

Info Generator::joined(ValueRange values) {
  Info info;
  for (Value value : values) {
    Info other = infoOf(value);
    info.bound = std::max(info.bound, other.bound);
    info.exact &= other.exact;
    info.integral &= other.integral;
  }
  return info;
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

int64_t Generator::randomDim() {
  int64_t chance = random.range(0, 99);
  if (chance < 2)
    return 0;
  if (chance < 9)
    return random.range(10, 40);
  return random.range(1, 9);
}

Shape Generator::randomShape(int64_t minRank, int64_t maxRank) {
  Shape shape;
  int64_t count = 1;
  int64_t rank = std::clamp<int64_t>(
      random.pick<int64_t>({0, 1, 1, 2, 2, 2, 2, 3, 3, 4}), minRank, maxRank);
  for (int64_t i = 0; i < rank; ++i) {
    int64_t dim = randomDim();
    if (count * dim > 1500)
      dim = 1;
    shape.push_back(dim);
    count *= std::max<int64_t>(dim, 1);
  }
  return shape;
}

Type Generator::randomFloat() {
  if (random.percent(75))
    return mainFloat;
  Type types[] = {builder.getF32Type(), builder.getF64Type(),
                  builder.getF16Type(), builder.getBF16Type()};
  return random.pick<Type>(types);
}

Type Generator::randomInteger() {
  unsigned widths[] = {8, 16, 32, 32, 64, 64};
  unsigned width = random.pick<unsigned>(widths);
  return random.percent(70)
             ? IntegerType::get(context, width)
             : IntegerType::get(context, width, IntegerType::Unsigned);
}

Type Generator::randomElement() {
  int64_t chance = random.range(0, 99);
  if (chance < 70)
    return randomFloat();
  return chance < 95 ? randomInteger() : builder.getI1Type();
}

double Generator::exactLimit(Type element) {
  if (auto type = dyn_cast<FloatType>(element))
    return std::exp2(type.getFPMantissaWidth());
  return HUGE_VAL;
}

double Generator::growthLimit(Type element) {
  if (isExact)
    return exactLimit(element);
  return element.isF16() ? 1000 : 1e6;
}
