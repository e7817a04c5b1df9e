//===- GenerateFactorizations.cpp - Random factorizations -----------------===//
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

std::pair<Value, Value> Generator::separatedMatrices(bool isSquare,
                                                     bool shifted) {
  Value x = anyFloat(2, 4);
  Shape shape(typeOf(x).getShape());
  if (shape.back() > 12 || shape[shape.size() - 2] > 12 ||
      (isSquare && shape.back() != shape[shape.size() - 2])) {
    shape.back() = sizeUpTo(0, 6, 12);
    shape[shape.size() - 2] = isSquare ? shape.back() : sizeUpTo(0, 6, 12);
    x = ofShape(shape, typeOf(x).getElementType());
  }
  x = within(x, 2);
  RankedTensorType type = typeOf(x);
  int64_t m = shape[shape.size() - 2], n = shape.back();
  double scale =
      0.25 / (infoOf(x).bound * static_cast<double>(std::max(m, n)) + 1);
  Value small =
      build("cleave.multiply", {x, splat(builder, loc, type, scale)}, type);
  add(small, {1, false, false});
  Literal band(type);
  for (auto [i, value] : llvm::enumerate(band.mutableFloats())) {
    auto row = static_cast<int64_t>(i) / n % m;
    auto column = static_cast<int64_t>(i) % n;
    row = shifted ? (row + m - 1) % m : row;
    value = row == column                 ? static_cast<double>(row + 1)
            : std::abs(row - column) == 1 ? 0.5
                                          : 0;
  }
  auto bound = static_cast<double>(std::max(m, n) + 2);
  Value base = add(constant(band), {bound, false, false});
  Value a = build("cleave.add", {small, base}, type);
  add(a, {bound, false, false});
  return {a, small};
}

bool Generator::factorization() {
  if (isExact)
    return false;
  enum Kind {
    Lu,
    Qr,
    PivotedQr,
    Hessenberg,
    Tridiagonal,
    Eigh,
    Svd,
    Eig,
    Schur
  };
  auto kind = static_cast<Kind>(random.range(Lu, Schur));
  auto [a, small] = separatedMatrices(
      /*isSquare=*/kind >= Hessenberg && kind != Svd, /*shifted=*/kind == Lu);
  RankedTensorType type = typeOf(a);
  Shape batch(type.getShape().drop_back(2));
  int64_t m = type.getDimSize(batch.size()), n = type.getShape().back();
  int64_t k = std::min(m, n);
  SmallVector<Value> operands = {a};
  if (random.percent(20))
    operands.push_back(small);
  size_t parts = operands.size();
  auto each = [&](ArrayRef<int64_t> sizes) {
    Shape shape(batch);
    shape.append(sizes.begin(), sizes.end());
    return withShape(type, shape);
  };
  SmallVector<Type> types(parts, type);
  SmallVector<NamedAttribute> attrs;
  auto flag = [&](StringRef name, int percent) {
    bool isSet = random.percent(percent);
    if (isSet)
      attrs.push_back(builder.getNamedAttr(name, builder.getUnitAttr()));
    return isSet;
  };
  Type i32 = builder.getI32Type();
  double bound = 4.0 * static_cast<double>(std::max(m, n) + 2);
  switch (kind) {
  case Lu:
    types.push_back(withElement(each(k), i32));
    buildAll("cleave.lu", operands, types, attrs, bound);
    return true;
  case Qr: {
    types.append(parts, each(k));
    SmallVector<Value> results =
        buildAll("cleave.qr", operands, types, attrs, bound);
    if (m >= n)
      buildAll("cleave.householder_product", results,
               ArrayRef(types).take_front(parts), {}, 2);
    return true;
  }
  case PivotedQr:
    operands.push_back(splatInt(builder, loc, withElement(each(n), i32), 0));
    types.push_back(withElement(each(n), i32));
    types.append(parts, each(k));
    buildAll("cleave.pivoted_qr", operands, types, attrs, bound);
    return true;
  case Hessenberg:
    types.append(parts, each(std::max<int64_t>(n - 1, 0)));
    buildAll("cleave.hessenberg", operands, types, attrs, bound);
    return true;
  case Tridiagonal: {
    RankedTensorType others = each(std::max<int64_t>(n - 1, 0));
    types.append({each(n), others});
    types.append(parts, others);
    flag("lower", 50);
    buildAll("cleave.tridiagonal", operands, types, attrs, bound);
    return true;
  }
  case Eigh:
    types.push_back(each(n));
    flag("lower", 50);
    buildAll("cleave.eigh", operands, types, attrs, bound);
    return true;
  case Svd: {
    bool isFull = flag("full", 40), isShort = !isFull && flag("values", 20);
    types = {each(k)};
    if (!isShort) {
      types.append(parts, each({m, isFull ? m : k}));
      types.append(parts, each({isFull ? n : k, n}));
    }
    buildAll("cleave.svd", operands, types, attrs, bound);
    return true;
  }
  case Eig: {
    types.assign(2, each(n));
    for (StringRef side : {"left", "right"})
      if (flag(side, 50))
        types.append(2, type);
    buildAll("cleave.eig", operands, types, attrs, bound);
    return true;
  }
  case Schur:
    types.append(parts, type);
    buildAll("cleave.schur", operands, types, attrs, bound);
    return true;
  }
  return false;
}

bool Generator::tridiagonalSolve() {
  if (isExact)
    return false;
  auto [a, small] = separatedMatrices(/*isSquare=*/false, /*shifted=*/false);
  RankedTensorType type = typeOf(a);
  Shape shape(type.getShape().drop_back());
  RankedTensorType line = withShape(type, shape);
  Value d = build("cleave.add",
                  {within(ofShape(shape, type.getElementType()), 1),
                   splat(builder, loc, line, 4.0)},
                  line);
  add(d, {5, false, false});
  Value dl = within(ofShape(shape, type.getElementType()), 1);
  Value du = within(ofShape(shape, type.getElementType()), 1);
  buildAll("cleave.tridiagonal_solve", {dl, d, du, a}, type, {},
           infoOf(a).bound);
  return true;
}
