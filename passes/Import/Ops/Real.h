//===- Real.h - Formulas of real tensors ------------------------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lets formulas be written as formulas: each operator creates an op on tensors
// of one shape and float type; numbers are constants of that type.
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_PASSES_IMPORT_OPS_REAL_H
#define CLEAVE_PASSES_IMPORT_OPS_REAL_H

#include "dialects/Graph/GraphBuilders.h"
#include "passes/Import/Importer.h"

namespace cleave::reader {

/// A tensor of floats.
struct Real {
  ImportedOp *op;
  mlir::Value value;

  mlir::RankedTensorType type() const { return graph::typeOf(value); }
  /// A constant of this type.
  Real constant(double number) const {
    return {op, graph::splat(op->builder, op->loc, type(), number)};
  }
};

/// A tensor of truth values.
struct Truth {
  ImportedOp *op;
  mlir::Value value;
};

template <typename Op> Real apply(Real x) {
  return {x.op, Op::create(x.op->builder, x.op->loc, x.value)};
}
template <typename Op> Real apply(Real x, Real y) {
  return {x.op, Op::create(x.op->builder, x.op->loc, x.value, y.value)};
}

#define CLEAVE_REAL_OPERATOR(SYMBOL, OP)                                       \
  inline Real operator SYMBOL(Real x, Real y) {                                \
    return apply<graph::OP>(x, y);                                             \
  }                                                                            \
  inline Real operator SYMBOL(Real x, double y) {                              \
    return x SYMBOL x.constant(y);                                             \
  }                                                                            \
  inline Real operator SYMBOL(double x, Real y) {                              \
    return y.constant(x) SYMBOL y;                                             \
  }
CLEAVE_REAL_OPERATOR(+, AddOp)
CLEAVE_REAL_OPERATOR(-, SubtractOp)
CLEAVE_REAL_OPERATOR(*, MulOp)
CLEAVE_REAL_OPERATOR(/, DivOp)
#undef CLEAVE_REAL_OPERATOR

#define CLEAVE_REAL_COMPARISON(SYMBOL, DIRECTION)                              \
  inline Truth operator SYMBOL(Real x, Real y) {                               \
    return {x.op, graph::compare(x.op->builder, x.op->loc,                     \
                                 graph::ComparisonDirection::DIRECTION,        \
                                 x.value, y.value)};                           \
  }                                                                            \
  inline Truth operator SYMBOL(Real x, double y) {                             \
    return x SYMBOL x.constant(y);                                             \
  }
CLEAVE_REAL_COMPARISON(<, LT)
CLEAVE_REAL_COMPARISON(<=, LE)
CLEAVE_REAL_COMPARISON(>, GT)
CLEAVE_REAL_COMPARISON(>=, GE)
CLEAVE_REAL_COMPARISON(==, EQ)
CLEAVE_REAL_COMPARISON(!=, NE)
#undef CLEAVE_REAL_COMPARISON

inline Real operator-(Real x) { return apply<graph::NegOp>(x); }
inline Truth operator&(Truth x, Truth y) {
  return {x.op,
          graph::AndOp::create(x.op->builder, x.op->loc, x.value, y.value)};
}
inline Truth operator|(Truth x, Truth y) {
  return {x.op,
          graph::OrOp::create(x.op->builder, x.op->loc, x.value, y.value)};
}

inline Real abs(Real x) { return apply<graph::AbsOp>(x); }
inline Real acos(Real x) { return apply<graph::AcosOp>(x); }
inline Real asin(Real x) { return apply<graph::AsinOp>(x); }
inline Real asinh(Real x) { return apply<graph::AsinhOp>(x); }
inline Real atan(Real x) { return apply<graph::AtanOp>(x); }
inline Real atan2(Real y, Real x) { return apply<graph::Atan2Op>(y, x); }
inline Real cbrt(Real x) { return apply<graph::CbrtOp>(x); }
inline Real cos(Real x) { return apply<graph::CosineOp>(x); }
inline Real cosh(Real x) { return apply<graph::CoshOp>(x); }
inline Real exp(Real x) { return apply<graph::ExpOp>(x); }
inline Real exp2(Real x) { return apply<graph::Exp2Op>(x); }
inline Real expm1(Real x) { return apply<graph::Expm1Op>(x); }
inline Real log(Real x) { return apply<graph::LogOp>(x); }
inline Real log1p(Real x) { return apply<graph::Log1pOp>(x); }
inline Real log2(Real x) { return apply<graph::Log2Op>(x); }
inline Real max(Real x, Real y) { return apply<graph::MaxOp>(x, y); }
inline Real min(Real x, Real y) { return apply<graph::MinOp>(x, y); }
/// To the nearest integer, halves to even ones.
inline Real round(Real x) { return apply<graph::RoundNearestEvenOp>(x); }
inline Real sin(Real x) { return apply<graph::SineOp>(x); }
inline Real sinh(Real x) { return apply<graph::SinhOp>(x); }
inline Real sqrt(Real x) { return apply<graph::SqrtOp>(x); }

inline Real select(Truth pred, Real yes, Real no) {
  return {yes.op,
          graph::SelectOp::create(yes.op->builder, yes.op->loc, yes.type(),
                                  pred.value, yes.value, no.value)};
}
inline Real select(Truth pred, double yes, Real no) {
  return select(pred, no.constant(yes), no);
}
inline Real select(Truth pred, Real yes, double no) {
  return select(pred, yes, yes.constant(no));
}

/// Whether the sign bit is set, also of -0 and NaN.
Truth isNegative(Real x);
/// |x| with the sign of `sign`, also of a zero.
Real copySign(Real x, Real sign);
/// sqrt(x^2 + y^2) without overflow or underflow of the squares.
Real hypot(Real x, Real y);

} // namespace cleave::reader

#endif // CLEAVE_PASSES_IMPORT_OPS_REAL_H
