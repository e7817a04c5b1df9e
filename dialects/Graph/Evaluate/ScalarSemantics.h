//===- ScalarSemantics.h - Semantics of single elements ---------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_DIALECTS_GRAPH_EVALUATE_SCALARSEMANTICS_H
#define CLEAVE_DIALECTS_GRAPH_EVALUATE_SCALARSEMANTICS_H

#include "cleave/Partition/Sharding.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/TypeUtilities.h"
#include <algorithm>
#include <cmath>

namespace cleave::graph {

/// IEEE 754-2019 `maximum`: NaN wins, and +0 is larger than -0.
inline double maximum(double a, double b) {
  if (std::isnan(a) || std::isnan(b))
    return a + b;
  if (a == b)
    return std::signbit(a) ? b : a;
  return a > b ? a : b;
}

/// IEEE 754-2019 `minimum`: NaN wins, and -0 is smaller than +0.
inline double minimum(double a, double b) {
  if (std::isnan(a) || std::isnan(b))
    return a + b;
  if (a == b)
    return std::signbit(a) ? a : b;
  return a < b ? a : b;
}

/// How an integer element type reads its bits. As in StableHLO a signless
/// integer is signed; an i1 counts as unsigned.
struct IntegerSemantics {
  unsigned width;
  bool isUnsigned;

  explicit IntegerSemantics(mlir::Type type)
      : width(llvm::cast<mlir::IntegerType>(type).getWidth()),
        isUnsigned(width == 1 || type.isUnsignedInteger()) {}

  bool isBool() const { return width == 1; }
  /// All bits of the type.
  uint64_t mask() const { return ~uint64_t(0) >> (64 - width); }
  uint64_t bits(int64_t value) const {
    return static_cast<uint64_t>(value) & mask();
  }
  int64_t largest() const {
    return static_cast<int64_t>(isUnsigned ? mask() : mask() >> 1);
  }
  int64_t smallest() const { return isUnsigned ? 0 : -largest() - 1; }
  bool less(int64_t a, int64_t b) const {
    return isUnsigned ? static_cast<uint64_t>(a) < static_cast<uint64_t>(b)
                      : a < b;
  }
};

/// Combines an accumulator with an element; And and Or are for integers only.
inline double combineElements(ReductionKind kind, double x, double y) {
  switch (kind) {
  case ReductionKind::Sum:
    return x + y;
  case ReductionKind::Prod:
    return x * y;
  case ReductionKind::Max:
    return maximum(x, y);
  case ReductionKind::Min:
    return minimum(x, y);
  case ReductionKind::And:
  case ReductionKind::Or:
    break;
  }
  llvm_unreachable("bitwise reduction of floats");
}

/// The result is to be wrapped to the type.
inline int64_t combineElements(ReductionKind kind, int64_t x, int64_t y,
                               IntegerSemantics type) {
  // Sums and products are on uint64_t, where overflow is defined.
  uint64_t a = x, b = y;
  switch (kind) {
  case ReductionKind::Sum:
    return static_cast<int64_t>(a + b);
  case ReductionKind::Prod:
    return static_cast<int64_t>(a * b);
  case ReductionKind::Max:
    return type.less(x, y) ? y : x;
  case ReductionKind::Min:
    return type.less(y, x) ? y : x;
  case ReductionKind::And:
    return x & y;
  case ReductionKind::Or:
    return x | y;
  }
  llvm_unreachable("unknown kind");
}

/// A start index as the evaluator holds it, clamped to [0, last].
inline int64_t clampIndex(int64_t index, mlir::Type type, int64_t last) {
  // A ui64 beyond the range of int64_t is beyond every tensor.
  if (index < 0)
    return type.isUnsignedInteger() ? last : 0;
  return std::min(index, last);
}

} // namespace cleave::graph

#endif // CLEAVE_DIALECTS_GRAPH_EVALUATE_SCALARSEMANTICS_H
