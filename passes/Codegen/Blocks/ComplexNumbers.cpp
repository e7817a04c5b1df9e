//===- ComplexNumbers.cpp - Arithmetic of complex numbers -----------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Codegen/Blocks/ComplexNumbers.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace cleave::codegen;

Complex ComplexBuilder::constant(Type type, double value, bool isComplex) {
  return fromReal(arith::ConstantOp::create(b, b.getFloatAttr(type, value)),
                  isComplex);
}

Complex ComplexBuilder::fromReal(Value value, bool isComplex) {
  Complex number = {value, Value()};
  if (isComplex)
    number.imaginary =
        arith::ConstantOp::create(b, b.getZeroAttr(value.getType()));
  return number;
}

Complex ComplexBuilder::add(const Complex &x, const Complex &y) {
  Complex sum = {arith::AddFOp::create(b, x.real, y.real), Value()};
  if (x.imaginary)
    sum.imaginary = arith::AddFOp::create(b, x.imaginary, y.imaginary);
  return sum;
}

Complex ComplexBuilder::subtract(const Complex &x, const Complex &y) {
  Complex difference = {arith::SubFOp::create(b, x.real, y.real), Value()};
  if (x.imaginary)
    difference.imaginary = arith::SubFOp::create(b, x.imaginary, y.imaginary);
  return difference;
}

Complex ComplexBuilder::multiply(const Complex &x, const Complex &y) {
  auto times = [&](Value u, Value v) -> Value {
    return arith::MulFOp::create(b, u, v);
  };
  if (!x.imaginary)
    return {times(x.real, y.real), Value()};
  return {arith::SubFOp::create(b, times(x.real, y.real),
                                times(x.imaginary, y.imaginary)),
          arith::AddFOp::create(b, times(x.real, y.imaginary),
                                times(x.imaginary, y.real))};
}

Complex ComplexBuilder::divide(const Complex &x, Value y) {
  Complex quotient = {arith::DivFOp::create(b, x.real, y), Value()};
  if (x.imaginary)
    quotient.imaginary = arith::DivFOp::create(b, x.imaginary, y);
  return quotient;
}

Complex ComplexBuilder::divide(const Complex &x, const Complex &y) {
  if (!y.imaginary)
    return divide(x, y.real);
  Value larger = arith::MaximumFOp::create(
      b, math::AbsFOp::create(b, y.real), math::AbsFOp::create(b, y.imaginary));
  Complex scaled = divide(y, larger);
  Complex product = multiply(x, conjugate(scaled));
  Value square = arith::AddFOp::create(
      b, arith::MulFOp::create(b, y.real, scaled.real),
      arith::MulFOp::create(b, y.imaginary, scaled.imaginary));
  return divide(product, square);
}

Complex ComplexBuilder::conjugate(const Complex &x) {
  Complex result = x;
  if (x.imaginary)
    result.imaginary = arith::NegFOp::create(b, x.imaginary);
  return result;
}

Complex ComplexBuilder::select(Value condition, const Complex &x,
                               const Complex &y) {
  Complex result = {arith::SelectOp::create(b, condition, x.real, y.real),
                    Value()};
  if (x.imaginary)
    result.imaginary =
        arith::SelectOp::create(b, condition, x.imaginary, y.imaginary);
  return result;
}

Value ComplexBuilder::squareRoot(Value x) { return math::SqrtOp::create(b, x); }
