//===- Lapack.h - Routines of LAPACK, by element type -----------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LAPACK's routines under one name for all element types. The room that a
// routine needs is found here. What is returned is LAPACK's `info`, 0 for
// success.
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_RUNTIME_DEVICES_HOST_LAPACK_H
#define CLEAVE_RUNTIME_DEVICES_HOST_LAPACK_H

#include "runtime/devices/host/Matrices.h"
#include <algorithm>
#include <cmath>

// Fortran takes arguments by address, and behind them the lengths of strings.
// E is the type of elements, R that of their real part; some arguments only
// routines for REAL or for COMPLEX elements have, and some names are others.
#define CLEAVE_LAPACK_SOME(argument) argument,
#define CLEAVE_LAPACK_NONE(argument)
#define CLEAVE_LAPACK(p, E, R, orgqr, sytrd, syevd, REAL, COMPLEX)             \
  void p##potrf_(const char *uplo, const int *n, E *a, const int *lda,         \
                 int *info, size_t);                                           \
  void p##getrf_(const int *m, const int *n, E *a, const int *lda, int *pivot, \
                 int *info);                                                   \
  void p##geqrf_(const int *m, const int *n, E *a, const int *lda, E *tau,     \
                 E *work, const int *lwork, int *info);                        \
  void p##geqp3_(const int *m, const int *n, E *a, const int *lda, int *order, \
                 E *tau, E *work, const int *lwork,                            \
                 COMPLEX(R *rwork) int *info);                                 \
  void p##orgqr##_(const int *m, const int *n, const int *k, E *a,             \
                   const int *lda, const E *tau, E *work, const int *lwork,    \
                   int *info);                                                 \
  void p##gehrd_(const int *n, const int *low, const int *high, E *a,          \
                 const int *lda, E *tau, E *work, const int *lwork,            \
                 int *info);                                                   \
  void p##sytrd##_(const char *uplo, const int *n, E *a, const int *lda, R *d, \
                   R *e, E *tau, E *work, const int *lwork, int *info,         \
                   size_t);                                                    \
  void p##gtsv_(const int *n, const int *nrhs, E *dl, E *d, E *du, E *b,       \
                const int *ldb, int *info);                                    \
  void p##syevd##_(const char *job, const char *uplo, const int *n, E *a,      \
                   const int *lda, R *w, E *work, const int *lwork,            \
                   COMPLEX(R *rwork) COMPLEX(const int *lrwork) int *iwork,    \
                   const int *liwork, int *info, size_t, size_t);              \
  void p##gesdd_(const char *job, const int *m, const int *n, E *a,            \
                 const int *lda, R *s, E *u, const int *ldu, E *vt,            \
                 const int *ldvt, E *work, const int *lwork,                   \
                 COMPLEX(R *rwork) int *iwork, int *info, size_t);             \
  void p##geev_(const char *jobvl, const char *jobvr, const int *n, E *a,      \
                const int *lda, E *w, REAL(E *wi) E *vl, const int *ldvl,      \
                E *vr, const int *ldvr, E *work, const int *lwork,             \
                COMPLEX(R *rwork) int *info, size_t, size_t);                  \
  void p##gees_(const char *jobvs, const char *sort, void *select,             \
                const int *n, E *a, const int *lda, int *sdim, E *w,           \
                REAL(E *wi) E *vs, const int *ldvs, E *work, const int *lwork, \
                COMPLEX(R *rwork) int *bwork, int *info, size_t, size_t);
#define CLEAVE_LAPACK_REAL(p, E)                                               \
  CLEAVE_LAPACK(p, E, E, orgqr, sytrd, syevd, CLEAVE_LAPACK_SOME,              \
                CLEAVE_LAPACK_NONE)
#define CLEAVE_LAPACK_COMPLEX(p, E, R)                                         \
  CLEAVE_LAPACK(p, E, R, ungqr, hetrd, heevd, CLEAVE_LAPACK_NONE,              \
                CLEAVE_LAPACK_SOME)
extern "C" {
CLEAVE_LAPACK_REAL(s, float)
CLEAVE_LAPACK_REAL(d, double)
CLEAVE_LAPACK_COMPLEX(c, std::complex<float>, float)
CLEAVE_LAPACK_COMPLEX(z, std::complex<double>, double)
}
#undef CLEAVE_LAPACK_COMPLEX
#undef CLEAVE_LAPACK_REAL
#undef CLEAVE_LAPACK
#undef CLEAVE_LAPACK_NONE
#undef CLEAVE_LAPACK_SOME

namespace cleave::rt::lapack {

/// The routines for elements of type E, by the names of the real ones.
template <typename E> struct Routines;
#define CLEAVE_LAPACK_ROUTINES(p, E, ORGQR, SYTRD, SYEVD)                      \
  template <> struct Routines<E> {                                             \
    static constexpr auto potrf = p##potrf_;                                   \
    static constexpr auto getrf = p##getrf_;                                   \
    static constexpr auto geqrf = p##geqrf_;                                   \
    static constexpr auto geqp3 = p##geqp3_;                                   \
    static constexpr auto orgqr = p##ORGQR##_;                                 \
    static constexpr auto gehrd = p##gehrd_;                                   \
    static constexpr auto sytrd = p##SYTRD##_;                                 \
    static constexpr auto gtsv = p##gtsv_;                                     \
    static constexpr auto syevd = p##SYEVD##_;                                 \
    static constexpr auto gesdd = p##gesdd_;                                   \
    static constexpr auto geev = p##geev_;                                     \
    static constexpr auto gees = p##gees_;                                     \
  };
CLEAVE_LAPACK_ROUTINES(s, float, orgqr, sytrd, syevd)
CLEAVE_LAPACK_ROUTINES(d, double, orgqr, sytrd, syevd)
CLEAVE_LAPACK_ROUTINES(c, std::complex<float>, ungqr, hetrd, heevd)
CLEAVE_LAPACK_ROUTINES(z, std::complex<double>, ungqr, hetrd, heevd)
#undef CLEAVE_LAPACK_ROUTINES

template <typename E> constexpr bool isReal = std::is_same_v<E, Real<E>>;

/// Calls `function(work, lwork, info)` twice: first it asks for its room, with
/// an lwork of -1. Returns the info.
template <typename E, typename Function> int withRoom(Function function) {
  E asked = 0;
  int size = -1, info = 0;
  function(&asked, &size, &info);
  // A float cannot hold every large integer, and may be a little too small.
  size = std::max(
      1, static_cast<int>(std::nextafter(
             std::real(asked), std::numeric_limits<Real<E>>::infinity())));
  function(threadScratch<E, Function>(size), &size, &info);
  return info;
}

/// The same for routines that want room for real numbers, too, where elements
/// are complex: `function(work, lwork, info, rwork)`.
template <typename E, typename Function>
int withRealRoom(int size, Function function) {
  if constexpr (isReal<E>) {
    return withRoom<E>(function);
  } else {
    Real<E> *realWork = threadScratch<Real<E>, Function>(size);
    return withRoom<E>([&](E *work, int *lwork, int *info) {
      function(work, lwork, info, realWork);
    });
  }
}

/// Calls `function(w)` with room for eigenvalues, which real routines split:
/// `function(w, w + n)` has their real and then their imaginary parts.
template <typename E, typename Function>
int withEigenvalues(int n, E *w, Function function) {
  if constexpr (isReal<E>)
    return function(w, w + n);
  else
    return function(w);
}

template <typename E> int potrf(char uplo, Matrix<E> a) {
  int info = 0;
  Routines<E>::potrf(&uplo, &a.rows, a.data, &a.leading, &info, 1);
  return info;
}

template <typename E> int getrf(Matrix<E> a, Matrix<int> pivots) {
  int info = 0;
  Routines<E>::getrf(&a.rows, &a.columns, a.data, &a.leading, pivots.data,
                     &info);
  return info;
}

template <typename E> int geqrf(Matrix<E> a, Matrix<E> tau) {
  return withRoom<E>([&](E *work, int *lwork, int *info) {
    Routines<E>::geqrf(&a.rows, &a.columns, a.data, &a.leading, tau.data, work,
                       lwork, info);
  });
}

template <typename E> int geqp3(Matrix<E> a, Matrix<int> order, Matrix<E> tau) {
  return withRealRoom<E>(
      2 * a.columns, [&](E *work, int *lwork, int *info, auto... rwork) {
        Routines<E>::geqp3(&a.rows, &a.columns, a.data, &a.leading, order.data,
                           tau.data, work, lwork, rwork..., info);
      });
}

template <typename E> int orgqr(Matrix<E> a, Matrix<E> tau) {
  return withRoom<E>([&](E *work, int *lwork, int *info) {
    Routines<E>::orgqr(&a.rows, &a.columns, &tau.rows, a.data, &a.leading,
                       tau.data, work, lwork, info);
  });
}

template <typename E> int gehrd(Matrix<E> a, Matrix<E> tau) {
  int first = 1;
  return withRoom<E>([&](E *work, int *lwork, int *info) {
    Routines<E>::gehrd(&a.rows, &first, &a.rows, a.data, &a.leading, tau.data,
                       work, lwork, info);
  });
}

template <typename E>
int sytrd(char uplo, Matrix<E> a, Matrix<Real<E>> d, Matrix<Real<E>> e,
          Matrix<E> tau) {
  return withRoom<E>([&](E *work, int *lwork, int *info) {
    Routines<E>::sytrd(&uplo, &a.rows, a.data, &a.leading, d.data, e.data,
                       tau.data, work, lwork, info, 1);
  });
}

/// The diagonal is `d`; the ones below and above it are shorter by one.
template <typename E>
int gtsv(Matrix<E> below, Matrix<E> d, Matrix<E> above, Matrix<E> b) {
  int info = 0;
  Routines<E>::gtsv(&b.rows, &b.columns, below.data, d.data, above.data, b.data,
                    &b.leading, &info);
  return info;
}

template <typename E> int syevd(char uplo, Matrix<E> a, Matrix<Real<E>> w) {
  int n = a.rows, liwork = 3 + 5 * n, lrwork = 1 + 5 * n + 2 * n * n;
  struct Integers;
  int *iwork = threadScratch<int, Integers>(liwork);
  return withRealRoom<E>(lrwork, [&](E *work, int *lwork, int *info,
                                     auto... rwork) {
    if constexpr (isReal<E>)
      Routines<E>::syevd("V", &uplo, &n, a.data, &a.leading, w.data, work,
                         lwork, iwork, &liwork, info, 1, 1);
    else
      Routines<E>::syevd("V", &uplo, &n, a.data, &a.leading, w.data, work,
                         lwork, rwork..., &lrwork, iwork, &liwork, info, 1, 1);
  });
}

template <typename E>
int gesdd(char job, Matrix<E> a, Matrix<Real<E>> s, Matrix<E> u, Matrix<E> vt) {
  int k = std::min(a.rows, a.columns), l = std::max(a.rows, a.columns);
  struct Integers;
  int *iwork = threadScratch<int, Integers>(8 * k);
  // The larger of what several versions of LAPACK ask for.
  int lrwork = std::max(5 * k * k + 7 * k, 2 * l * k + 2 * k * k + k);
  return withRealRoom<E>(
      lrwork, [&](E *work, int *lwork, int *info, auto... rwork) {
        Routines<E>::gesdd(&job, &a.rows, &a.columns, a.data, &a.leading,
                           s.data, u.data, &u.leading, vt.data, &vt.leading,
                           work, lwork, rwork..., iwork, info, 1);
      });
}

/// Room in `w`: n complex, or 2 * n real numbers, of which the second n are the
/// imaginary parts.
template <typename E>
int geev(char left, char right, Matrix<E> a, Matrix<E> w, Matrix<E> vl,
         Matrix<E> vr) {
  return withEigenvalues(a.rows, w.data, [&](auto... values) {
    return withRealRoom<E>(
        2 * a.rows, [&](E *work, int *lwork, int *info, auto... rwork) {
          Routines<E>::geev(&left, &right, &a.rows, a.data, &a.leading,
                            values..., vl.data, &vl.leading, vr.data,
                            &vr.leading, work, lwork, rwork..., info, 1, 1);
        });
  });
}

template <typename E> int gees(Matrix<E> a, Matrix<E> vs) {
  int sdim = 0, bwork = 0;
  struct Values;
  E *w = threadScratch<E, Values>(2 * a.rows);
  return withEigenvalues(a.rows, w, [&](auto... values) {
    return withRealRoom<E>(
        a.rows, [&](E *work, int *lwork, int *info, auto... rwork) {
          Routines<E>::gees("V", "N", nullptr, &a.rows, a.data, &a.leading,
                            &sdim, values..., vs.data, &vs.leading, work, lwork,
                            rwork..., &bwork, info, 1, 1);
        });
  });
}

} // namespace cleave::rt::lapack

#endif // CLEAVE_RUNTIME_DEVICES_HOST_LAPACK_H
