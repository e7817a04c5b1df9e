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

#include "runtime/devices/host/Matrices.h"
#include <cblas.h>
#include <mutex>

using namespace cleave::rt;

// LAPACK's routines; matrices are by columns.
extern "C" {
void spotrf_(const char *, const int *, float *, const int *, int *);
void dpotrf_(const char *, const int *, double *, const int *, int *);
void cpotrf_(const char *, const int *, std::complex<float> *, const int *,
             int *);
void zpotrf_(const char *, const int *, std::complex<double> *, const int *,
             int *);
}

namespace {

void potrf(char triangle, int n, float *a, int *info) {
  spotrf_(&triangle, &n, a, &n, info);
}
void potrf(char triangle, int n, double *a, int *info) {
  dpotrf_(&triangle, &n, a, &n, info);
}
void potrf(char triangle, int n, std::complex<float> *a, int *info) {
  cpotrf_(&triangle, &n, a, &n, info);
}
void potrf(char triangle, int n, std::complex<double> *a, int *info) {
  zpotrf_(&triangle, &n, a, &n, info);
}

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

struct Factor {
  int64_t n;
  bool isLower;
};

template <typename T, typename C>
void factorize(Factor factor, const Parts<T> &from, const Parts<T> &to) {
  int64_t n = factor.n;
  C *a = threadScratch<C, Factor>(n * n);
  for (int64_t i = 0; i < n * n; ++i)
    from.get(i, a[i]);
  // By columns, a matrix is its transpose, and lower is upper.
  int info = 0;
  potrf(factor.isLower ? 'U' : 'L', static_cast<int>(n), a, &info);
  // A NaN gets past LAPACK's test, but ends up on the diagonal.
  bool isDefinite = info == 0;
  for (int64_t i = 0; i < n; ++i)
    isDefinite &= std::real(a[i * (n + 1)]) > 0;
  for (int64_t i = 0; i < n; ++i)
    for (int64_t j = 0; j < n; ++j) {
      bool isInside = factor.isLower ? j <= i : j >= i;
      C x = isInside ? a[i * n + j] : C(0);
      to.set(i * n + j, isDefinite ? x : notANumber(C()));
    }
}

template <typename T>
void cholesky(void *const *buffers, const int64_t *numbers, int64_t begin,
              int64_t end) {
  using C = typename ComputeOf<T>::Type;
  useOneThread();
  bool isComplex = numbers[0] == 2;
  Factor factor = {numbers[1], numbers[2] != 0};
  if (factor.n == 0)
    return;
  for (int64_t i = begin; i < end; ++i) {
    int64_t offset = i * factor.n * factor.n;
    Parts<T> from(buffers, isComplex, offset);
    Parts<T> to(buffers + numbers[0], isComplex, offset);
    if (isComplex)
      factorize<T, std::complex<C>>(factor, from, to);
    else
      factorize<T, C>(factor, from, to);
  }
}

//===----------------------------------------------------------------------===//
// Triangular solves
//===----------------------------------------------------------------------===//

template <typename T, typename C>
void solve(const Solve &s, const Parts<T> &a, const Parts<T> &b,
           const Parts<T> &x) {
  int64_t sizeA = int64_t(s.size()) * s.size();
  int64_t sizeB = int64_t(s.rows) * s.columns;
  C *matrix = threadScratch<C, Solve>(sizeA + sizeB);
  C *right = matrix + sizeA;
  for (int64_t i = 0; i < sizeA; ++i)
    a.get(i, matrix[i]);
  for (int64_t i = 0; i < sizeB; ++i)
    b.get(i, right[i]);
  trsm(s, matrix, right);
  for (int64_t i = 0; i < sizeB; ++i)
    x.set(i, right[i]);
}

template <typename T>
void triangularSolve(void *const *buffers, const int64_t *numbers,
                     int64_t begin, int64_t end) {
  using C = typename ComputeOf<T>::Type;
  useOneThread();
  int64_t parts = numbers[0];
  bool isComplex = parts == 2;
  static const CBLAS_TRANSPOSE transposes[] = {CblasNoTrans, CblasTrans,
                                               CblasConjTrans};
  Solve s = {numbers[3] ? CblasLeft : CblasRight,
             numbers[4] ? CblasLower : CblasUpper,
             transposes[numbers[6]],
             numbers[5] ? CblasUnit : CblasNonUnit,
             static_cast<int>(numbers[1]),
             static_cast<int>(numbers[2])};
  int64_t sizeA = int64_t(s.size()) * s.size();
  int64_t sizeB = int64_t(s.rows) * s.columns;
  if (sizeB == 0)
    return;
  for (int64_t i = begin; i < end; ++i) {
    Parts<T> a(buffers, isComplex, i * sizeA);
    Parts<T> b(buffers + parts, isComplex, i * sizeB);
    Parts<T> x(buffers + 2 * parts, isComplex, i * sizeB);
    if (isComplex)
      solve<T, std::complex<C>>(s, a, b, x);
    else
      solve<T, C>(s, a, b, x);
  }
}

} // namespace

CLEAVE_RT_DEFINE_LIBRARY_FUNCTION(cleave_rt_cholesky, cholesky)
CLEAVE_RT_DEFINE_LIBRARY_FUNCTION(cleave_rt_triangular_solve, triangularSolve)
