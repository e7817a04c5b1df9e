//===- Real.h - Formulas on scalars of one float type -----------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lets code that builds arith and math ops read like the formula it stands for:
//
//   Real x(b, operand), y = log(x) - 1 / (2 * x);
//   return select(x < 1, y, sqrt(x)).value();
//
// Comparisons are i1 values, false for NaN. Nothing is folded or reordered:
// each operator is one op, rounded once.
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_PASSES_CODEGEN_KERNELS_REAL_H
#define CLEAVE_PASSES_CODEGEN_KERNELS_REAL_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace cleave::codegen {

class Real {
public:
  Real(mlir::ImplicitLocOpBuilder &b, mlir::Value value)
      : b(&b), scalar(value) {}

  mlir::ImplicitLocOpBuilder &builder() const { return *b; }
  mlir::Value value() const { return scalar; }
  mlir::Type type() const { return scalar.getType(); }

  /// A number in the type of this.
  Real number(double number) const {
    return {*b, mlir::arith::ConstantOp::create(
                    *b, mlir::FloatAttr::get(scalar.getType(), number))};
  }
  /// An op of one or two operands of the type of this.
  template <typename Op> Real apply() const {
    return {*b, Op::create(*b, scalar).getResult()};
  }
  template <typename Op> Real apply(Real y) const {
    return {*b, Op::create(*b, scalar, y.scalar).getResult()};
  }
  mlir::Value compare(mlir::arith::CmpFPredicate predicate, Real y) const {
    return mlir::arith::CmpFOp::create(*b, predicate, scalar, y.scalar);
  }

private:
  mlir::ImplicitLocOpBuilder *b;
  mlir::Value scalar;
};

/// Defines an operator on Reals, and on a Real and a number.
#define CLEAVE_REAL_OPERATOR(RESULT, SIGN, EXPRESSION)                         \
  inline RESULT operator SIGN(Real x, Real y) { return EXPRESSION; }           \
  inline RESULT operator SIGN(Real x, double y) { return x SIGN x.number(y); } \
  inline RESULT operator SIGN(double x, Real y) { return y.number(x) SIGN y; }

CLEAVE_REAL_OPERATOR(Real, +, x.apply<mlir::arith::AddFOp>(y))
CLEAVE_REAL_OPERATOR(Real, -, x.apply<mlir::arith::SubFOp>(y))
CLEAVE_REAL_OPERATOR(Real, *, x.apply<mlir::arith::MulFOp>(y))
CLEAVE_REAL_OPERATOR(Real, /, x.apply<mlir::arith::DivFOp>(y))
CLEAVE_REAL_OPERATOR(mlir::Value, <,
                     x.compare(mlir::arith::CmpFPredicate::OLT, y))
CLEAVE_REAL_OPERATOR(mlir::Value, <=,
                     x.compare(mlir::arith::CmpFPredicate::OLE, y))
CLEAVE_REAL_OPERATOR(mlir::Value, >,
                     x.compare(mlir::arith::CmpFPredicate::OGT, y))
CLEAVE_REAL_OPERATOR(mlir::Value, >=,
                     x.compare(mlir::arith::CmpFPredicate::OGE, y))
CLEAVE_REAL_OPERATOR(mlir::Value, ==,
                     x.compare(mlir::arith::CmpFPredicate::OEQ, y))
#undef CLEAVE_REAL_OPERATOR

inline Real operator-(Real x) { return x.apply<mlir::arith::NegFOp>(); }
inline Real abs(Real x) { return x.apply<mlir::math::AbsFOp>(); }
inline Real exp(Real x) { return x.apply<mlir::math::ExpOp>(); }
inline Real floor(Real x) { return x.apply<mlir::math::FloorOp>(); }
inline Real log(Real x) { return x.apply<mlir::math::LogOp>(); }
inline Real pow(Real x, Real y) { return x.apply<mlir::math::PowFOp>(y); }
inline Real roundEven(Real x) { return x.apply<mlir::math::RoundEvenOp>(); }
inline Real sin(Real x) { return x.apply<mlir::math::SinOp>(); }
inline Real sqrt(Real x) { return x.apply<mlir::math::SqrtOp>(); }
inline Real tan(Real x) { return x.apply<mlir::math::TanOp>(); }
/// The magnitude of `x` with the sign of `y`.
inline Real copySign(Real x, Real y) {
  return x.apply<mlir::math::CopySignOp>(y);
}

inline Real select(mlir::Value condition, Real x, Real y) {
  return {x.builder(), mlir::arith::SelectOp::create(x.builder(), condition,
                                                     x.value(), y.value())};
}
inline Real select(mlir::Value condition, Real x, double y) {
  return select(condition, x, x.number(y));
}
inline Real select(mlir::Value condition, double x, Real y) {
  return select(condition, y.number(x), y);
}
inline mlir::Value both(mlir::ImplicitLocOpBuilder &b, mlir::Value x,
                        mlir::Value y) {
  return mlir::arith::AndIOp::create(b, x, y);
}
inline mlir::Value either(mlir::ImplicitLocOpBuilder &b, mlir::Value x,
                          mlir::Value y) {
  return mlir::arith::OrIOp::create(b, x, y);
}

/// The sum of coefficients[k] t^k, by Horner's rule.
inline Real polynomial(Real t, llvm::ArrayRef<double> coefficients) {
  Real sum = t.number(coefficients.back());
  for (double c : llvm::reverse(coefficients.drop_back()))
    sum = sum * t + c;
  return sum;
}

} // namespace cleave::codegen

#endif // CLEAVE_PASSES_CODEGEN_KERNELS_REAL_H
