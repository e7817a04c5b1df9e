//===- GenerateLinearAlgebra.cpp - Random transforms and solves -----------===//
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

SmallVector<Value> Generator::buildAll(StringRef op, ValueRange operands,
                                       TypeRange types,
                                       ArrayRef<NamedAttribute> attrs,
                                       double bound) {
  OperationState state(loc, op, operands, types, attrs);
  SmallVector<Value> results(builder.create(state)->getResults());
  for (Value result : results)
    add(result, {bound, false, false});
  return results;
}

bool Generator::fft() {
  if (isExact)
    return false;
  Value x = isWide ? ofShape({random.range(1, 3), random.range(1, 9),
                              random.range(1, 100)},
                             randomFloat())
                   : anyFloat(1, 4);
  x = within(x, 100);
  RankedTensorType type = typeOf(x);
  int64_t rank = type.getRank();
  int64_t count = random.range(1, std::min<int64_t>(rank, 3));
  SmallVector<int64_t> length(type.getShape().take_back(count));
  auto kind = static_cast<FftType>(random.range(0, 3));
  double points = 1;
  for (int64_t size : length)
    points *= std::max<int64_t>(size, 1);

  Shape shape(type.getShape());
  if (kind == FftType::RFFT && shape.back() != 0) {
    shape.back() = shape.back() / 2 + 1;
  } else if (kind == FftType::IRFFT && shape.back() != 0) {
    // Of both lengths that have so many numbers on the complex side; none of
    // them is empty.
    length.back() = std::max<int64_t>(1, 2 * shape.back() - random.range(1, 2));
    shape.back() = length.back();
    points *= 2;
  }
  RankedTensorType result = withShape(type, shape);
  SmallVector<Value> parts = {x};
  if (kind != FftType::RFFT)
    parts.push_back(within(partner(x), 100));
  SmallVector<Type> results(kind == FftType::IRFFT ? 1 : 2, result);
  double bound = 0;
  for (Value part : parts)
    bound += infoOf(part).bound;
  NamedAttribute attrs[] = {
      builder.getNamedAttr("type", FftTypeAttr::get(context, kind)),
      attr("length", length)};
  buildAll("cleave.fft", parts, results, attrs, bound * points);
  return true;
}

/// A batch of square matrices, with small numbers.
Value Generator::squareMatrices() {
  Value x = anyFloat(2, 4);
  Shape shape(typeOf(x).getShape());
  if (shape.back() != shape[shape.size() - 2] || shape.back() > 12) {
    shape.back() = shape[shape.size() - 2] = sizeUpTo(0, 6, 24);
    x = ofShape(shape, typeOf(x).getElementType());
  }
  return within(x, 2);
}

/// A constant with `number` on the diagonal of each matrix.
Value Generator::diagonal(RankedTensorType type, double number) {
  Literal literal(type);
  int64_t n = type.getShape().back();
  for (auto [i, value] : llvm::enumerate(literal.mutableFloats()))
    value = i / n % n == i % n ? number : 0;
  return add(constant(literal), {number, false, false});
}

bool Generator::cholesky() {
  if (isExact)
    return false;
  Value x = squareMatrices();
  RankedTensorType type = typeOf(x);
  int64_t rank = type.getRank(), n = type.getShape().back();
  SmallVector<int64_t> batch = dimRange(rank - 2);
  // x x^T, with enough added for a condition number of 2.
  Value square = DotGeneralOp::create(builder, loc, type, x, x, batch, batch,
                                      ArrayRef<int64_t>{rank - 1},
                                      ArrayRef<int64_t>{rank - 1});
  double bound = infoOf(x).bound * infoOf(x).bound * n + 1;
  add(square, {bound, false, false});
  Value a = build("cleave.add", {square, diagonal(type, bound)}, type);
  add(a, {2 * bound, false, false});
  SmallVector<NamedAttribute> attrs;
  if (random.percent(50))
    attrs.push_back(builder.getNamedAttr("lower", builder.getUnitAttr()));
  SmallVector<Value> parts = {a};
  if (random.percent(20))
    parts.push_back(splat(builder, loc, type, 0.0));
  buildAll("cleave.cholesky", parts, SmallVector<Type>(parts.size(), type),
           attrs, std::sqrt(2 * bound));
  return true;
}

bool Generator::triangularSolve() {
  if (isExact)
    return false;
  Value x = squareMatrices();
  RankedTensorType type = typeOf(x);
  int64_t n = type.getShape().back(), free = sizeUpTo(0, 7, 20);
  bool isLeft = random.percent(50), isComplex = random.percent(20);
  // Rows of a diagonal of 1 and little else.
  double scale = 0.25 / (infoOf(x).bound * std::max<int64_t>(n, 1) + 1);
  Value small =
      build("cleave.multiply", {x, splat(builder, loc, type, scale)}, type);
  Value a = build("cleave.add", {small, diagonal(type, 1)}, type);
  add(a, {2, false, false});
  Shape shape(type.getShape());
  shape[shape.size() - (isLeft ? 1 : 2)] = free;
  Value b = within(ofShape(shape, type.getElementType()), 100);
  SmallVector<Value> operands = {a};
  if (isComplex)
    operands.push_back(small);
  operands.push_back(b);
  if (isComplex)
    operands.push_back(within(partner(b), 100));
  SmallVector<NamedAttribute> attrs = {builder.getNamedAttr(
      "transpose_a",
      TransposeAttr::get(context, static_cast<Transpose>(random.range(0, 2))))};
  for (StringRef flag : {"lower", "unit_diagonal"})
    if (random.percent(50))
      attrs.push_back(builder.getNamedAttr(flag, builder.getUnitAttr()));
  if (isLeft)
    attrs.push_back(builder.getNamedAttr("left_side", builder.getUnitAttr()));
  buildAll("cleave.triangular_solve", operands,
           SmallVector<Type>(isComplex ? 2 : 1, b.getType()), attrs, 1000);
  return true;
}
