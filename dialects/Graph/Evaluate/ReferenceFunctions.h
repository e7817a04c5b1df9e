//===- ReferenceFunctions.h - Functions that libm lacks ---------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For the evaluator: by definition, recurrence and asymptotic series, in long
// double and one element at a time. Kernels use other methods, so that both
// can be compared. Formulas are those of the NIST Digital Library of
// Mathematical Functions (DLMF), whose numbers stand at each.
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_DIALECTS_GRAPH_EVALUATE_REFERENCEFUNCTIONS_H
#define CLEAVE_DIALECTS_GRAPH_EVALUATE_REFERENCEFUNCTIONS_H

namespace cleave::graph {

/// exp(-|x|) I1(x), the scaled modified Bessel function of order 1.
double besselI1e(double x);

/// The logarithmic derivative of the gamma function; NaN at its poles, which
/// are 0, -1, -2, ...
double digamma(double x);

/// The inverse of erf; NaN outside of [-1, 1].
double erfInv(double x);

/// The Hurwitz zeta function, sum over k >= 0 of (q + k)^-s. NaN for s < 1 and
/// infinite for s = 1. For q < 0 defined for integers s only; at its poles
/// q = 0, -1, ... infinite for even s, else NaN.
double zeta(double s, double q);

/// The n-th derivative of digamma, for integers n >= 0; otherwise NaN.
double polygamma(double n, double x);

} // namespace cleave::graph

#endif // CLEAVE_DIALECTS_GRAPH_EVALUATE_REFERENCEFUNCTIONS_H
