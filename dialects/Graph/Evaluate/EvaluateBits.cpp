//===- EvaluateBits.cpp - Reference semantics of ops on representations ---===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// These ask how the element type represents a number, so that operands are
// numbers of that type first, in either mode.
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/Evaluate/Evaluator.h"
#include "dialects/Graph/GraphDialect.h"
#include <cmath>

using namespace mlir;
using namespace cleave::graph;

LogicalResult BitcastConvertOp::evaluate(Evaluator &,
                                         ArrayRef<Literal> operands,
                                         SmallVectorImpl<Literal> &results) {
  // Bytes in memory, the lowest first, are in the order of the elements.
  results.push_back(Literal::fromBytes(
      cast<RankedTensorType>(getResult().getType()), operands[0].toBytes()));
  return success();
}

LogicalResult NextAfterOp::evaluate(Evaluator &, ArrayRef<Literal> operands,
                                    SmallVectorImpl<Literal> &results) {
  Literal result(operands[0].type);
  auto type = cast<FloatType>(result.elementType());
  const llvm::fltSemantics &format = type.getFloatSemantics();
  for (auto [to, from, goal] :
       llvm::zip_equal(result.mutableFloats(), operands[0].floats(),
                       operands[1].floats())) {
    double x = roundToType(from, type), y = roundToType(goal, type);
    if (std::isnan(x) || std::isnan(y)) {
      to = NAN;
    } else if (x == y) {
      to = y;
    } else {
      APFloat value(x);
      bool losesInfo;
      value.convert(format, APFloat::rmNearestTiesToEven, &losesInfo);
      value.next(/*nextDown=*/y < x);
      value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                    &losesInfo);
      to = value.convertToDouble();
    }
  }
  results.push_back(std::move(result));
  return success();
}

namespace {
/// A float format: bits of its exponent, and of its mantissa after the leading
/// one.
struct FloatFormat {
  int exponentBits, mantissaBits;
  int bias() const { return (1 << (exponentBits - 1)) - 1; }
};
} // namespace

/// `x`, which is of the format `from`, in at most as many bits each.
static double reducePrecision(double x, FloatFormat from, FloatFormat to) {
  if (x == 0 || !std::isfinite(x))
    return x;
  // frexp's fraction is in [0.5, 1): its exponent is one more than IEEE's.
  // Subnormal numbers have the spacing of the smallest normal ones.
  int exponent;
  std::frexp(x, &exponent);
  int spacing = std::max(exponent, 2 - from.bias()) - to.mantissaBits - 1;
  double scaled = std::ldexp(x, -spacing), rounded = std::nearbyint(scaled);
  // Without a mantissa the last bit of a number is that of its exponent, whose
  // bias is odd, and a tie goes to where it is 0.
  if (to.mantissaBits == 0 && std::fabs(scaled) == 1.5)
    rounded = std::copysign(exponent % 2 == 0 ? 1 : 2, x);
  x = std::ldexp(rounded, spacing);
  std::frexp(x, &exponent);
  if (exponent - 1 > to.bias())
    return std::copysign(HUGE_VAL, x);
  if (to.exponentBits < from.exponentBits && exponent - 1 <= -to.bias())
    return std::copysign(0.0, x);
  return x;
}

LogicalResult ReducePrecisionOp::evaluate(Evaluator &,
                                          ArrayRef<Literal> operands,
                                          SmallVectorImpl<Literal> &results) {
  Literal result = operands[0];
  auto type = cast<FloatType>(result.elementType());
  // getFPMantissaWidth counts the leading one.
  int mantissaBits = type.getFPMantissaWidth() - 1;
  FloatFormat from{static_cast<int>(type.getWidth()) - 1 - mantissaBits,
                   mantissaBits};
  FloatFormat to{std::min<int>(getExponentBits(), from.exponentBits),
                 std::min<int>(getMantissaBits(), from.mantissaBits)};
  // A format that holds all of the type changes nothing.
  if (to.exponentBits < from.exponentBits ||
      to.mantissaBits < from.mantissaBits)
    for (double &x : result.mutableFloats())
      x = reducePrecision(x, from, to);
  results.push_back(std::move(result));
  return success();
}
