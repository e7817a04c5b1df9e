//===- ComplexMatrices.h - Numbers of linear algebra ------------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reference semantics of linear algebra are written once, for complex numbers;
// the imaginary parts of real ones stay zero.
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_DIALECTS_GRAPH_EVALUATE_COMPLEXMATRICES_H
#define CLEAVE_DIALECTS_GRAPH_EVALUATE_COMPLEXMATRICES_H

#include "dialects/Graph/Evaluate/Evaluator.h"
#include <cmath>
#include <complex>

namespace cleave::graph {

using Complex = std::complex<double>;

/// Real and imaginary parts as one tensor; there may be no imaginary part.
std::vector<Complex> joinParts(llvm::ArrayRef<Literal> parts);

/// The inverse: a literal, rounded, for each type.
void splitParts(Evaluator &evaluator, llvm::ArrayRef<Complex> values,
                mlir::TypeRange types, llvm::SmallVectorImpl<Literal> &results);

/// What is wanted of a matrix that is not finite: where a NaN or an infinity
/// gets to depends on the algorithm.
constexpr Complex nanOfBoth(NAN, NAN);
bool isFinite(llvm::ArrayRef<Complex> values);
/// Makes what is not finite NaN throughout; whether it was finite.
bool isFiniteElseNaN(llvm::MutableArrayRef<Complex> values);

/// Rounds every operation as the evaluator says: plain evaluation loses more
/// than its last rounding where a matrix is ill-conditioned.
struct Arithmetic {
  mlir::Type type;

  Arithmetic(const Evaluator &evaluator, mlir::Type element)
      : type(evaluator.accumulationType(element)) {}
  double round(double x) const { return roundToType(x, type); }
  Complex round(Complex x) const { return {round(x.real()), round(x.imag())}; }
  Complex times(Complex x, Complex y) const {
    return round(
        Complex(round(x.real() * y.real()) - round(x.imag() * y.imag()),
                round(x.real() * y.imag()) + round(x.imag() * y.real())));
  }
  /// Division of real numbers must not go through complex ones, which would
  /// make 1 / 0 a NaN.
  Complex over(Complex x, Complex y) const {
    if (y.imag() == 0)
      return round(Complex(x.real() / y.real(), x.imag() / y.real()));
    return round(x / y);
  }
  /// x - y z
  Complex minusProduct(Complex x, Complex y, Complex z) const {
    return round(x - times(y, z));
  }
};

/// A matrix in a batch, perhaps seen transposed or conjugate.
struct Matrix {
  Complex *data;
  int64_t rowStride, columnStride;
  bool isConjugate = false;

  Complex get(int64_t i, int64_t j) const {
    Complex x = data[i * rowStride + j * columnStride];
    return isConjugate ? std::conj(x) : x;
  }
  void set(int64_t i, int64_t j, Complex x) const {
    data[i * rowStride + j * columnStride] = isConjugate ? std::conj(x) : x;
  }
};

} // namespace cleave::graph

#endif // CLEAVE_DIALECTS_GRAPH_EVALUATE_COMPLEXMATRICES_H
