//===- SolverFunctions.cpp - Cholesky factors and triangular solves -------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// By LAPACK and BLAS, matrix by matrix, on the thread that calls: ranks own
// their threads.
//
//===----------------------------------------------------------------------===//

#include "runtime/devices/host/Lapack.h"
#include <cblas.h>
#include <mutex>

using namespace cleave::rt;

namespace {

struct Solve {
  CBLAS_SIDE side;
  CBLAS_UPLO triangle;
  CBLAS_TRANSPOSE transpose;
  CBLAS_DIAG diagonal;
  int rows, columns;
  int size() const { return side == CblasLeft ? rows : columns; }
};

#define ARGUMENTS                                                              \
  CblasRowMajor, s.side, s.triangle, s.transpose, s.diagonal, s.rows, s.columns
void trsm(const Solve &s, const float *a, float *b) {
  cblas_strsm(ARGUMENTS, 1, a, s.size(), b, s.columns);
}
void trsm(const Solve &s, const double *a, double *b) {
  cblas_dtrsm(ARGUMENTS, 1, a, s.size(), b, s.columns);
}
void trsm(const Solve &s, const std::complex<float> *a,
          std::complex<float> *b) {
  std::complex<float> one = 1;
  cblas_ctrsm(ARGUMENTS, &one, a, s.size(), b, s.columns);
}
void trsm(const Solve &s, const std::complex<double> *a,
          std::complex<double> *b) {
  std::complex<double> one = 1;
  cblas_ztrsm(ARGUMENTS, &one, a, s.size(), b, s.columns);
}
#undef ARGUMENTS

} // namespace

void cleave::rt::useOneThread() {
  static std::once_flag once;
  std::call_once(once, [] { openblas_set_num_threads(1); });
}

namespace {

//===----------------------------------------------------------------------===//
// Cholesky
//===----------------------------------------------------------------------===//

template <typename T> void cholesky(const LibraryCall &call) {
  int64_t n = call.numbers[1];
  bool isLower = call.numbers[2] != 0;
  if (n == 0)
    return;
  forEachMatrix<T>(call, [&](auto cursor) {
    // Of the transpose, lower is upper.
    auto a = cursor.readTransposed(n, n);
    bool isDefinite = lapack::potrf(isLower ? 'U' : 'L', a) == 0;
    // A NaN gets past LAPACK's test, but ends up on the diagonal.
    for (int64_t i = 0; i < n; ++i)
      isDefinite &= std::real(a(i, i)) > 0;
    for (int64_t i = 0; i < n; ++i)
      for (int64_t j = 0; j < n; ++j)
        if (isLower ? j > i : j < i)
          a(j, i) = 0;
    if (!isDefinite)
      setNaN(a);
    cursor.writeTransposed(a);
  });
}

//===----------------------------------------------------------------------===//
// Triangular solves
//===----------------------------------------------------------------------===//

template <typename T> void triangularSolve(const LibraryCall &call) {
  static const CBLAS_TRANSPOSE transposes[] = {CblasNoTrans, CblasTrans,
                                               CblasConjTrans};
  Solve s = {call.numbers[3] ? CblasLeft : CblasRight,
             call.numbers[4] ? CblasLower : CblasUpper,
             transposes[call.numbers[6]],
             call.numbers[5] ? CblasUnit : CblasNonUnit,
             static_cast<int>(call.numbers[1]),
             static_cast<int>(call.numbers[2])};
  if (s.rows == 0 || s.columns == 0)
    return;
  forEachMatrix<T>(call, [&](auto cursor) {
    auto a = cursor.readTransposed(s.size(), s.size());
    auto b = cursor.readTransposed(s.columns, s.rows);
    trsm(s, a.data, b.data);
    cursor.writeTransposed(b);
  });
}

} // namespace

CLEAVE_RT_DEFINE_LIBRARY_FUNCTION(cleave_rt_cholesky, cholesky)
CLEAVE_RT_DEFINE_LIBRARY_FUNCTION(cleave_rt_triangular_solve, triangularSolve)
