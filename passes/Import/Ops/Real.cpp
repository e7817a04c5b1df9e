//===- Real.cpp - Formulas of real tensors --------------------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Import/Ops/Real.h"

using namespace mlir;
using namespace cleave;
using namespace cleave::reader;

static Value bitsOf(Real x) {
  RankedTensorType type = graph::withElement(
      x.type(),
      x.op->builder.getIntegerType(x.type().getElementTypeBitWidth()));
  return graph::BitcastConvertOp::create(x.op->builder, x.op->loc, type,
                                         x.value);
}

Truth reader::isNegative(Real x) {
  Value bits = bitsOf(x);
  Value zero =
      graph::splatInt(x.op->builder, x.op->loc, graph::typeOf(bits), 0);
  return {x.op, graph::compare(x.op->builder, x.op->loc,
                               graph::ComparisonDirection::LT, bits, zero)};
}

Real reader::copySign(Real x, Real sign) {
  Real size = abs(x);
  return select(isNegative(sign), -size, size);
}

Real reader::hypot(Real x, Real y) {
  // Scaling by a power of two is exact; the bounds are those of f64, of which
  // every square of an f32 is far away.
  Real largest = max(abs(x), abs(y));
  Real scale = select(largest > 0x1p500, 0x1p-600,
                      select(largest < 0x1p-400, 0x1p600, x.constant(1)));
  Real sx = x * scale, sy = y * scale;
  Real size = sqrt(sx * sx + sy * sy) / scale;
  double infinity = std::numeric_limits<double>::infinity();
  return select((abs(x) == infinity) | (abs(y) == infinity), infinity, size);
}
