//===- SpecialFunctions.h - Functions that SLEEF lacks ----------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Formulas of straight-line code, so that vectors compute all lanes alike. In
// f64; f32 and narrower types take them there and back, which leaves half an
// ulp of theirs. Errors are in ulps of f64, as measured by
// test/exec/accuracy; near a root of negative x, where two large terms cancel,
// the absolute error is that many ulps of the terms.
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_PASSES_CODEGEN_KERNELS_SPECIALFUNCTIONS_H
#define CLEAVE_PASSES_CODEGEN_KERNELS_SPECIALFUNCTIONS_H

#include "passes/Codegen/Kernels/Real.h"

namespace cleave::codegen {

/// Whether the elementwise op is one of those below and computes in f64.
bool isSpecialFunction(mlir::Operation *op);
/// One element of such an op, on f64.
mlir::Value buildSpecialFunction(mlir::ImplicitLocOpBuilder &b,
                                 mlir::Operation *op,
                                 mlir::ValueRange operands);

Real buildBesselI1e(Real x);
Real buildDigamma(Real x);
Real buildErfInv(Real x);
Real buildLgamma(Real x);
Real buildPolygamma(Real n, Real x);
Real buildZeta(Real s, Real q);

} // namespace cleave::codegen

#endif // CLEAVE_PASSES_CODEGEN_KERNELS_SPECIALFUNCTIONS_H
