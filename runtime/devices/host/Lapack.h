//===- Lapack.h - Routines of LAPACK, by element type -----------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LAPACK's routines under one name for all element types. Sizes are arguments
// by value, matrices are by columns without gaps, and the room that a routine
// needs is found here. What is returned is LAPACK's `info`, 0 for success.
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_RUNTIME_DEVICES_HOST_LAPACK_H
#define CLEAVE_RUNTIME_DEVICES_HOST_LAPACK_H

#include "runtime/devices/host/Matrices.h"
#include <algorithm>
#include <cmath>

// Fortran takes arguments by address, and behind them the lengths of strings.
// E is the type of elements, R that of their real part.
extern "C" {
#define CLEAVE_LAPACK_SHARED(p, E)                                             \
  void p##getrf_(const int *m, const int *n, E *a, const int *lda, int *pivot, \
                 int *info);                                                   \
  void p##geqrf_(const int *m, const int *n, E *a, const int *lda, E *tau,     \
                 E *work, const int *lwork, int *info);                        \
  void p##gehrd_(const int *n, const int *low, const int *high, E *a,          \
                 const int *lda, E *tau, E *work, const int *lwork,            \
                 int *info);                                                   \
  void p##gtsv_(const int *n, const int *nrhs, E *dl, E *d, E *du, E *b,       \
                const int *ldb, int *info);
#define CLEAVE_LAPACK_REAL(p, E)                                               \
  CLEAVE_LAPACK_SHARED(p, E)                                                   \
  void p##geqp3_(const int *m, const int *n, E *a, const int *lda, int *order, \
                 E *tau, E *work, const int *lwork, int *info);                \
  void p##orgqr_(const int *m, const int *n, const int *k, E *a,               \
                 const int *lda, const E *tau, E *work, const int *lwork,      \
                 int *info);                                                   \
  void p##sytrd_(const char *uplo, const int *n, E *a, const int *lda, E *d,   \
                 E *e, E *tau, E *work, const int *lwork, int *info, size_t);  \
  void p##syevd_(const char *job, const char *uplo, const int *n, E *a,        \
                 const int *lda, E *w, E *work, const int *lwork, int *iwork,  \
                 const int *liwork, int *info, size_t, size_t);                \
  void p##gesdd_(const char *job, const int *m, const int *n, E *a,            \
                 const int *lda, E *s, E *u, const int *ldu, E *vt,            \
                 const int *ldvt, E *work, const int *lwork, int *iwork,       \
                 int *info, size_t);                                           \
  void p##geev_(const char *jobvl, const char *jobvr, const int *n, E *a,      \
                const int *lda, E *wr, E *wi, E *vl, const int *ldvl, E *vr,   \
                const int *ldvr, E *work, const int *lwork, int *info, size_t, \
                size_t);                                                       \
  void p##gees_(const char *jobvs, const char *sort, void *select,             \
                const int *n, E *a, const int *lda, int *sdim, E *wr, E *wi,   \
                E *vs, const int *ldvs, E *work, const int *lwork, int *bwork, \
                int *info, size_t, size_t);
#define CLEAVE_LAPACK_COMPLEX(p, E, R)                                         \
  CLEAVE_LAPACK_SHARED(p, E)                                                   \
  void p##geqp3_(const int *m, const int *n, E *a, const int *lda, int *order, \
                 E *tau, E *work, const int *lwork, R *rwork, int *info);      \
  void p##ungqr_(const int *m, const int *n, const int *k, E *a,               \
                 const int *lda, const E *tau, E *work, const int *lwork,      \
                 int *info);                                                   \
  void p##hetrd_(const char *uplo, const int *n, E *a, const int *lda, R *d,   \
                 R *e, E *tau, E *work, const int *lwork, int *info, size_t);  \
  void p##heevd_(const char *job, const char *uplo, const int *n, E *a,        \
                 const int *lda, R *w, E *work, const int *lwork, R *rwork,    \
                 const int *lrwork, int *iwork, const int *liwork, int *info,  \
                 size_t, size_t);                                              \
  void p##gesdd_(const char *job, const int *m, const int *n, E *a,            \
                 const int *lda, R *s, E *u, const int *ldu, E *vt,            \
                 const int *ldvt, E *work, const int *lwork, R *rwork,         \
                 int *iwork, int *info, size_t);                               \
  void p##geev_(const char *jobvl, const char *jobvr, const int *n, E *a,      \
                const int *lda, E *w, E *vl, const int *ldvl, E *vr,           \
                const int *ldvr, E *work, const int *lwork, R *rwork,          \
                int *info, size_t, size_t);                                    \
  void p##gees_(const char *jobvs, const char *sort, void *select,             \
                const int *n, E *a, const int *lda, int *sdim, E *w, E *vs,    \
                const int *ldvs, E *work, const int *lwork, R *rwork,          \
                int *bwork, int *info, size_t, size_t);
CLEAVE_LAPACK_REAL(s, float)
CLEAVE_LAPACK_REAL(d, double)
CLEAVE_LAPACK_COMPLEX(c, std::complex<float>, float)
CLEAVE_LAPACK_COMPLEX(z, std::complex<double>, double)
#undef CLEAVE_LAPACK_SHARED
#undef CLEAVE_LAPACK_REAL
#undef CLEAVE_LAPACK_COMPLEX
}

namespace cleave::rt::lapack {

/// Runs `function(work, lwork)`, which asks for its room when lwork is -1.
template <typename E, typename Function> void withRoom(Function function) {
  E asked = 0;
  function(&asked, -1);
  // A float cannot hold every large integer, and may be a little too small.
  int size = std::max(
      1, static_cast<int>(std::nextafter(
             std::real(asked), std::numeric_limits<Real<E>>::infinity())));
  function(threadScratch<E, Function>(size), size);
}

/// Leading dimensions are positive.
inline int leading(int rows) { return std::max(rows, 1); }

#define CLEAVE_LAPACK_FUNCTIONS(p, E)                                          \
  inline int getrf(int m, int n, E *a, int *pivot) {                           \
    int lda = leading(m), info = 0;                                            \
    p##getrf_(&m, &n, a, &lda, pivot, &info);                                  \
    return info;                                                               \
  }                                                                            \
  inline int geqrf(int m, int n, E *a, E *tau) {                               \
    int lda = leading(m), info = 0;                                            \
    withRoom<E>([&](E *work, int lwork) {                                      \
      p##geqrf_(&m, &n, a, &lda, tau, work, &lwork, &info);                    \
    });                                                                        \
    return info;                                                               \
  }                                                                            \
  inline int gehrd(int n, E *a, E *tau) {                                      \
    int one = 1, lda = leading(n), info = 0;                                   \
    withRoom<E>([&](E *work, int lwork) {                                      \
      p##gehrd_(&n, &one, &n, a, &lda, tau, work, &lwork, &info);              \
    });                                                                        \
    return info;                                                               \
  }                                                                            \
  inline int gtsv(int n, int nrhs, E *dl, E *d, E *du, E *b) {                 \
    int ldb = leading(n), info = 0;                                            \
    p##gtsv_(&n, &nrhs, dl, d, du, b, &ldb, &info);                            \
    return info;                                                               \
  }
CLEAVE_LAPACK_FUNCTIONS(s, float)
CLEAVE_LAPACK_FUNCTIONS(d, double)
CLEAVE_LAPACK_FUNCTIONS(c, std::complex<float>)
CLEAVE_LAPACK_FUNCTIONS(z, std::complex<double>)
#undef CLEAVE_LAPACK_FUNCTIONS

#define CLEAVE_LAPACK_FUNCTIONS(p, E)                                          \
  inline int geqp3(int m, int n, E *a, int *order, E *tau) {                   \
    int lda = leading(m), info = 0;                                            \
    withRoom<E>([&](E *work, int lwork) {                                      \
      p##geqp3_(&m, &n, a, &lda, order, tau, work, &lwork, &info);             \
    });                                                                        \
    return info;                                                               \
  }                                                                            \
  inline int orgqr(int m, int n, int k, E *a, const E *tau) {                  \
    int lda = leading(m), info = 0;                                            \
    withRoom<E>([&](E *work, int lwork) {                                      \
      p##orgqr_(&m, &n, &k, a, &lda, tau, work, &lwork, &info);                \
    });                                                                        \
    return info;                                                               \
  }                                                                            \
  inline int sytrd(char uplo, int n, E *a, E *d, E *e, E *tau) {               \
    int lda = leading(n), info = 0;                                            \
    withRoom<E>([&](E *work, int lwork) {                                      \
      p##sytrd_(&uplo, &n, a, &lda, d, e, tau, work, &lwork, &info, 1);        \
    });                                                                        \
    return info;                                                               \
  }                                                                            \
  inline int syevd(char uplo, int n, E *a, E *w) {                             \
    int lda = leading(n), info = 0, liwork = 3 + 5 * n;                        \
    struct Tag;                                                                \
    int *iwork = threadScratch<int, Tag>(liwork);                              \
    withRoom<E>([&](E *work, int lwork) {                                      \
      p##syevd_("V", &uplo, &n, a, &lda, w, work, &lwork, iwork, &liwork,      \
                &info, 1, 1);                                                  \
    });                                                                        \
    return info;                                                               \
  }                                                                            \
  inline int gesdd(char job, int m, int n, E *a, E *s, E *u, int ldu, E *vt,   \
                   int ldvt) {                                                 \
    int lda = leading(m), info = 0;                                            \
    struct Tag;                                                                \
    int *iwork = threadScratch<int, Tag>(8 * std::min(m, n));                  \
    withRoom<E>([&](E *work, int lwork) {                                      \
      p##gesdd_(&job, &m, &n, a, &lda, s, u, &ldu, vt, &ldvt, work, &lwork,    \
                iwork, &info, 1);                                              \
    });                                                                        \
    return info;                                                               \
  }                                                                            \
  inline int geev(char left, char right, int n, E *a, E *wr, E *wi, E *vl,     \
                  E *vr) {                                                     \
    int lda = leading(n), info = 0;                                            \
    withRoom<E>([&](E *work, int lwork) {                                      \
      p##geev_(&left, &right, &n, a, &lda, wr, wi, vl, &lda, vr, &lda, work,   \
               &lwork, &info, 1, 1);                                           \
    });                                                                        \
    return info;                                                               \
  }                                                                            \
  inline int gees(int n, E *a, E *vs) {                                        \
    int lda = leading(n), info = 0, sdim = 0, bwork = 0;                       \
    struct Tag;                                                                \
    E *w = threadScratch<E, Tag>(2 * n);                                       \
    withRoom<E>([&](E *work, int lwork) {                                      \
      p##gees_("V", "N", nullptr, &n, a, &lda, &sdim, w, w + n, vs, &lda,      \
               work, &lwork, &bwork, &info, 1, 1);                             \
    });                                                                        \
    return info;                                                               \
  }
CLEAVE_LAPACK_FUNCTIONS(s, float)
CLEAVE_LAPACK_FUNCTIONS(d, double)
#undef CLEAVE_LAPACK_FUNCTIONS

#define CLEAVE_LAPACK_FUNCTIONS(p, E, R)                                       \
  inline int geqp3(int m, int n, E *a, int *order, E *tau) {                   \
    int lda = leading(m), info = 0;                                            \
    struct Tag;                                                                \
    R *rwork = threadScratch<R, Tag>(2 * n);                                   \
    withRoom<E>([&](E *work, int lwork) {                                      \
      p##geqp3_(&m, &n, a, &lda, order, tau, work, &lwork, rwork, &info);      \
    });                                                                        \
    return info;                                                               \
  }                                                                            \
  inline int orgqr(int m, int n, int k, E *a, const E *tau) {                  \
    int lda = leading(m), info = 0;                                            \
    withRoom<E>([&](E *work, int lwork) {                                      \
      p##ungqr_(&m, &n, &k, a, &lda, tau, work, &lwork, &info);                \
    });                                                                        \
    return info;                                                               \
  }                                                                            \
  inline int sytrd(char uplo, int n, E *a, R *d, R *e, E *tau) {               \
    int lda = leading(n), info = 0;                                            \
    withRoom<E>([&](E *work, int lwork) {                                      \
      p##hetrd_(&uplo, &n, a, &lda, d, e, tau, work, &lwork, &info, 1);        \
    });                                                                        \
    return info;                                                               \
  }                                                                            \
  inline int syevd(char uplo, int n, E *a, R *w) {                             \
    int lda = leading(n), info = 0, liwork = 3 + 5 * n;                        \
    int lrwork = 1 + 5 * n + 2 * n * n;                                        \
    struct Tag;                                                                \
    int *iwork = threadScratch<int, Tag>(liwork);                              \
    R *rwork = threadScratch<R, Tag>(lrwork);                                  \
    withRoom<E>([&](E *work, int lwork) {                                      \
      p##heevd_("V", &uplo, &n, a, &lda, w, work, &lwork, rwork, &lrwork,      \
                iwork, &liwork, &info, 1, 1);                                  \
    });                                                                        \
    return info;                                                               \
  }                                                                            \
  inline int gesdd(char job, int m, int n, E *a, R *s, E *u, int ldu, E *vt,   \
                   int ldvt) {                                                 \
    int lda = leading(m), info = 0, k = std::min(m, n), l = std::max(m, n);    \
    struct Tag;                                                                \
    int *iwork = threadScratch<int, Tag>(8 * k);                               \
    /* The larger of what several versions of LAPACK ask for. */               \
    R *rwork = threadScratch<R, Tag>(                                          \
        std::max(5 * k * k + 7 * k, 2 * l * k + 2 * k * k + k));               \
    withRoom<E>([&](E *work, int lwork) {                                      \
      p##gesdd_(&job, &m, &n, a, &lda, s, u, &ldu, vt, &ldvt, work, &lwork,    \
                rwork, iwork, &info, 1);                                       \
    });                                                                        \
    return info;                                                               \
  }                                                                            \
  inline int geev(char left, char right, int n, E *a, E *w, E *vl, E *vr) {    \
    int lda = leading(n), info = 0;                                            \
    struct Tag;                                                                \
    R *rwork = threadScratch<R, Tag>(2 * n);                                   \
    withRoom<E>([&](E *work, int lwork) {                                      \
      p##geev_(&left, &right, &n, a, &lda, w, vl, &lda, vr, &lda, work,        \
               &lwork, rwork, &info, 1, 1);                                    \
    });                                                                        \
    return info;                                                               \
  }                                                                            \
  inline int gees(int n, E *a, E *vs) {                                        \
    int lda = leading(n), info = 0, sdim = 0, bwork = 0;                       \
    struct Tag;                                                                \
    E *w = threadScratch<E, Tag>(n);                                           \
    R *rwork = threadScratch<R, Tag>(n);                                       \
    withRoom<E>([&](E *work, int lwork) {                                      \
      p##gees_("V", "N", nullptr, &n, a, &lda, &sdim, w, vs, &lda, work,       \
               &lwork, rwork, &bwork, &info, 1, 1);                            \
    });                                                                        \
    return info;                                                               \
  }
CLEAVE_LAPACK_FUNCTIONS(c, std::complex<float>, float)
CLEAVE_LAPACK_FUNCTIONS(z, std::complex<double>, double)
#undef CLEAVE_LAPACK_FUNCTIONS

} // namespace cleave::rt::lapack

#endif // CLEAVE_RUNTIME_DEVICES_HOST_LAPACK_H
