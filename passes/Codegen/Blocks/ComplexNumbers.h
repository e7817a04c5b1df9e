//===- ComplexNumbers.h - Arithmetic of complex numbers ---------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_PASSES_CODEGEN_BLOCKS_COMPLEXNUMBERS_H
#define CLEAVE_PASSES_CODEGEN_BLOCKS_COMPLEXNUMBERS_H

#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace cleave::codegen {

/// A number whose imaginary part is null if it is real.
struct Complex {
  mlir::Value real, imaginary;
};

/// Operands are all real or all complex.
class ComplexBuilder {
public:
  explicit ComplexBuilder(mlir::ImplicitLocOpBuilder &builder) : b(builder) {}

  Complex constant(mlir::Type type, double value, bool isComplex);
  Complex fromReal(mlir::Value value, bool isComplex);
  Complex add(const Complex &x, const Complex &y);
  Complex subtract(const Complex &x, const Complex &y);
  Complex multiply(const Complex &x, const Complex &y);
  Complex divide(const Complex &x, mlir::Value y);
  /// With y scaled by its larger part, so that its square does not overflow.
  Complex divide(const Complex &x, const Complex &y);
  Complex conjugate(const Complex &x);
  Complex select(mlir::Value condition, const Complex &x, const Complex &y);
  mlir::Value squareRoot(mlir::Value x);

private:
  mlir::ImplicitLocOpBuilder &b;
};

} // namespace cleave::codegen

#endif // CLEAVE_PASSES_CODEGEN_BLOCKS_COMPLEXNUMBERS_H
