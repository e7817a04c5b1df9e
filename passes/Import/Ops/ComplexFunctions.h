//===- ComplexFunctions.h - Complex functions on parts ----------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_PASSES_IMPORT_OPS_COMPLEXFUNCTIONS_H
#define CLEAVE_PASSES_IMPORT_OPS_COMPLEXFUNCTIONS_H

#include "passes/Import/Ops/Doubled.h"
#include "passes/Import/Ops/Elementwise.h"

namespace cleave::reader {

/// The elementwise function `name` of complex tensors of one shape; one part
/// for abs, two for others. Fails, with a diagnostic, if there is none.
///
/// Sums and products are those of the parts; the other functions of numbers in
/// f32 are computed in f64 and rounded, so that each part has the accuracy that
/// the public checks ask for (3 units in the last place).
llvm::LogicalResult buildComplexFunction(ImportedOp &op, llvm::StringRef name,
                                         llvm::ArrayRef<Tensor> operands,
                                         Parts &result);

/// x + iy.
struct Complex {
  Real x, y;
};

/// sqrt(x^2 + y^2) for numbers whose squares are in range and not both 0.
Doubled sizeOf(Real x, Real y);

/// log |x + iy|, also where |x + iy| itself would overflow.
Real logOfSize(Real x, Real y);

/// Inverse functions; see ComplexInverseFunctions.cpp for the source.
Complex acos(Complex z);
Complex acosh(Complex z);
Complex asin(Complex z);
Complex asinh(Complex z);
Complex atan(Complex z);
Complex atanh(Complex z);

} // namespace cleave::reader

#endif // CLEAVE_PASSES_IMPORT_OPS_COMPLEXFUNCTIONS_H
