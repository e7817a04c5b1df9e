//===- Spectra.h - Reference eigenvalues and singular values ----*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// By rotations of pairs of columns (Jacobi), in float64: other algorithms than
// LAPACK's. Matrices are by rows unless they are said to be columns.
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_DIALECTS_GRAPH_EVALUATE_SPECTRA_H
#define CLEAVE_DIALECTS_GRAPH_EVALUATE_SPECTRA_H

#include "dialects/Graph/Evaluate/ComplexMatrices.h"
#include <cmath>

namespace cleave::graph {

using Column = std::vector<Complex>;
using Columns = std::vector<Column>;

/// The columns of the matrix `data`, and what they are in a tensor.
Columns columnsOf(llvm::ArrayRef<Complex> data, int64_t rows, int64_t columns);
void appendRows(const Columns &columns, int64_t rows,
                std::vector<Complex> &data);

/// A V = V diag(values), V unitary, values ascending.
struct HermitianSpectrum {
  std::vector<double> values;
  Columns vectors;
};
/// Of a Hermitian n x n matrix, all of which must be there.
HermitianSpectrum diagonalize(std::vector<Complex> a, int64_t n);

/// A = U diag(values) V^H, values descending. U has a column for each value
/// that is not zero, V for each column of A.
struct SingularSpectrum {
  std::vector<double> values;
  Columns u, v;
};
/// Of a matrix with at least as many rows as columns.
SingularSpectrum decompose(const Columns &a);

/// v^H w
Complex inner(const Column &v, const Column &w);

/// What of `vectors` lies in the space that the orthonormal `space` spans, and
/// what does not.
Columns projected(llvm::ArrayRef<Column> space, llvm::ArrayRef<Column> vectors);
Columns projectedOut(llvm::ArrayRef<Column> space,
                     llvm::ArrayRef<Column> vectors);
/// The orthonormal vectors nearest to `vectors`, in the space that they span:
/// NaN if they are dependent.
Columns orthonormalized(const Columns &vectors);

/// Values of a matrix with n rows, of which `largest` is the largest, that
/// differ by less than this are one value to a computation with this epsilon:
/// rounding moves them as far.
inline double indistinct(int64_t n, double epsilon, double largest) {
  return 4 * static_cast<double>(n) * epsilon * largest;
}

/// In Rounded mode, moves the numbers of a matrix by as much as rounding does
/// in a computation that is as good as it can be: its results are those of
/// a matrix that differs by some units in the last place of the largest number.
/// Real numbers stay real.
void moveByRounding(const Evaluator &evaluator, mlir::Type element,
                    llvm::MutableArrayRef<Complex> a, int64_t n, bool isReal);

} // namespace cleave::graph

#endif // CLEAVE_DIALECTS_GRAPH_EVALUATE_SPECTRA_H
