//===- GenerateMovement.cpp - Random sources and data movement ------------===//
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

bool Generator::source() {
  Type element = randomElement();
  RankedTensorType type = RankedTensorType::get(randomShape(0, 3), element);
  if (random.percent(40) && type.getRank() > 0 && !element.isInteger(1)) {
    int64_t dim = random.range(0, type.getRank() - 1);
    double bound = type.getDimSize(dim);
    add(build("cleave.iota", {}, type, scalar("dim", dim)), {bound});
    return true;
  }
  bool integral = isExact || isa<IntegerType>(element) || random.percent(30);
  double high = element.isInteger(1) ? 1 : 4;
  double low = element.isInteger(1) ? 0 : -4;
  if (element.isUnsignedInteger())
    low = 0;
  if (random.percent(50)) {
    double number = random.range(low, high);
    add(splat(builder, loc, type, number), {4});
    return true;
  }
  Literal literal(type);
  if (literal.isFloat())
    for (double &value : literal.mutableFloats())
      value = integral ? random.range(low, high)
                       : roundToType(random.real(low, high), element);
  else
    for (int64_t &value : literal.mutableInts())
      value = random.range(low, high);
  add(constant(literal), {4, true, integral});
  return true;
}

bool Generator::broadcast() {
  Value x = random.percent(70) ? anyNumber(0, 3) : anyExact(0, 3);
  RankedTensorType type = typeOf(x);
  int64_t rank = std::min<int64_t>(type.getRank() + random.range(0, 2), 4);
  // The operand's dimensions at random places, in any order.
  SmallVector<int64_t> dims = dimRange(rank);
  random.shuffle(dims);
  dims.truncate(type.getRank());
  if (random.percent(75))
    llvm::sort(dims);
  Shape shape(rank, 0);
  for (int64_t &dim : shape)
    dim = random.range(1, 6);
  for (auto [i, dim] : llvm::enumerate(dims))
    if (type.getDimSize(i) != 1 || random.percent(40))
      shape[dim] = type.getDimSize(i);
  RankedTensorType result = withShape(type, shape);
  if (result.getNumElements() > 2000)
    return false;
  add(build("cleave.broadcast_in_dim", x, result, attr("dims", dims)),
      infoOf(x));
  return true;
}

bool Generator::reshape() {
  Value x = random.percent(70) ? anyNumber() : anyExact();
  RankedTensorType type = typeOf(x);
  Shape shape(type.getShape());
  for (int64_t steps = random.range(1, 3); steps > 0; --steps) {
    int64_t rank = shape.size();
    int64_t dim = rank ? random.range(0, rank - 1) : 0;
    switch (random.range(0, 3)) {
    case 0: // merge
      if (rank >= 2 && dim + 1 < rank) {
        shape[dim] *= shape[dim + 1];
        shape.erase(shape.begin() + dim + 1);
      }
      break;
    case 1: // split
      if (rank > 0 && rank < 4 && shape[dim] > 1) {
        SmallVector<int64_t> divisors;
        for (int64_t d = 2; d <= shape[dim]; ++d)
          if (shape[dim] % d == 0)
            divisors.push_back(d);
        int64_t minor = random.pick<int64_t>(divisors);
        shape[dim] /= minor;
        shape.insert(shape.begin() + dim + 1, minor);
      }
      break;
    case 2: // a dimension of one element more
      if (rank < 4)
        shape.insert(shape.begin() + (rank ? random.range(0, rank) : 0), 1);
      break;
    case 3: // or less
      if (rank > 0 && shape[dim] == 1)
        shape.erase(shape.begin() + dim);
      break;
    }
  }
  add(build("cleave.reshape", x, withShape(type, shape)), infoOf(x));
  return true;
}

bool Generator::transpose() {
  Value x = random.percent(70) ? anyNumber(1, 4) : anyExact(1, 4);
  RankedTensorType type = typeOf(x);
  SmallVector<int64_t> dims = dimRange(type.getRank());
  random.shuffle(dims);
  Shape shape;
  for (int64_t dim : dims)
    shape.push_back(type.getDimSize(dim));
  add(build("cleave.transpose", x, withShape(type, shape), attr("dims", dims)),
      infoOf(x));
  return true;
}

bool Generator::slice() {
  Value x = random.percent(70) ? anyNumber(1, 4) : anyExact(1, 4);
  RankedTensorType type = typeOf(x);
  Shape start, limit, strides, shape;
  for (int64_t size : type.getShape()) {
    start.push_back(0);
    limit.push_back(size);
    strides.push_back(1);
    if (random.percent(60)) {
      start.back() = random.range(0, std::max<int64_t>(size - 1, 0));
      limit.back() = random.range(start.back(), size);
      if (random.percent(30))
        strides.back() = random.range(1, 3);
    }
    shape.push_back(
        llvm::divideCeil(limit.back() - start.back(), strides.back()));
  }
  add(build("cleave.slice", x, withShape(type, shape),
            {attr("start", start), attr("limit", limit),
             attr("strides", strides)}),
      infoOf(x));
  return true;
}

bool Generator::pad() {
  Value x = random.percent(80) ? anyNumber(1, 3) : anyExact(1, 3);
  RankedTensorType type = typeOf(x);
  Value value = ofType(withShape(type, {}));
  Shape low, high, interior, shape;
  for (int64_t size : type.getShape()) {
    low.push_back(random.percent(50) ? 0 : random.range(-2, 3));
    high.push_back(random.percent(50) ? 0 : random.range(-2, 3));
    interior.push_back(random.percent(25) ? random.range(1, 2) : 0);
    shape.push_back(size + std::max<int64_t>(size - 1, 0) * interior.back() +
                    low.back() + high.back());
    if (shape.back() < 0)
      return false;
  }
  RankedTensorType result = withShape(type, shape);
  if (result.getNumElements() > 2000)
    return false;
  add(build("cleave.pad", {x, value}, result,
            {attr("low", low), attr("high", high), attr("interior", interior)}),
      joined({x, value}));
  return true;
}

bool Generator::concatenate() {
  Value x = random.percent(80) ? anyNumber(1, 3) : anyExact(1, 3);
  RankedTensorType type = typeOf(x);
  int64_t dim = random.range(0, type.getRank() - 1);
  SmallVector<Value> inputs = {x};
  int64_t total = type.getDimSize(dim);
  for (int64_t more = random.range(0, 2); more > 0; --more) {
    Shape shape(type.getShape());
    if (random.percent(60))
      shape[dim] = random.range(0, 6);
    inputs.push_back(ofShape(shape, type.getElementType()));
    total += shape[dim];
  }
  random.shuffle(inputs);
  Shape shape(type.getShape());
  shape[dim] = total;
  add(build("cleave.concatenate", inputs, withShape(type, shape),
            scalar("dim", dim)),
      joined(inputs));
  return true;
}

bool Generator::reverse() {
  Value x = random.percent(70) ? anyNumber(1, 4) : anyExact(1, 4);
  SmallVector<int64_t> dims;
  for (int64_t dim = 0; dim < typeOf(x).getRank(); ++dim)
    if (random.percent(60))
      dims.push_back(dim);
  add(build("cleave.reverse", x, x.getType(), attr("dims", dims)), infoOf(x));
  return true;
}
