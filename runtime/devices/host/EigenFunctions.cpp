//===- EigenFunctions.cpp - Eigenvalues and singular values ---------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// By LAPACK, matrix by matrix, on the thread that calls. Its iterations need
// not end with a result, least of all for what is not finite.
//
//===----------------------------------------------------------------------===//

#include "runtime/devices/host/Lapack.h"

using namespace cleave::rt;

namespace {

template <typename C> C *room(int64_t size) {
  struct Tag;
  return threadScratch<C, Tag>(size);
}

template <typename T>
void eigh(void *const *buffers, const int64_t *numbers, int64_t begin,
          int64_t end) {
  int64_t n = numbers[1];
  bool isLower = numbers[2] != 0;
  if (n == 0)
    return;
  forEachMatrix<T>(buffers, numbers, begin, end, [&](auto zero, auto cursor) {
    using C = decltype(zero);
    auto from = cursor.template parts<T>(n * n);
    auto to = cursor.template parts<T>(n * n);
    C *a = room<C>(n * n);
    struct Values;
    Real<C> *w = threadScratch<Real<C>, Values>(n);
    from.getMatrix(n, n, a);
    if (!isTriangleFinite(isLower, n, a) ||
        lapack::syevd(isLower ? 'L' : 'U', n, a, w) != 0) {
      setNaN(n * n, a);
      setNaN(n, w);
    }
    to.setMatrix(n, n, a);
    cursor.template real<T>(n).setVector(n, w);
  });
}

template <typename C> void setIdentity(int64_t n, C *a) {
  for (int64_t i = 0; i < n * n; ++i)
    a[i] = i % (n + 1) == 0 ? 1 : 0;
}

template <typename T>
void svd(void *const *buffers, const int64_t *numbers, int64_t begin,
         int64_t end) {
  int64_t m = numbers[1], n = numbers[2], k = std::min(m, n);
  bool isFull = numbers[3] != 0, hasVectors = numbers[4] == 0;
  int64_t columns = isFull ? m : k, rows = isFull ? n : k;
  int64_t sizeU = hasVectors ? m * columns : 0;
  int64_t sizeV = hasVectors ? rows * n : 0;
  forEachMatrix<T>(buffers, numbers, begin, end, [&](auto zero, auto cursor) {
    using C = decltype(zero);
    C *a = room<C>(m * n + sizeU + sizeV), *u = a + m * n, *vh = u + sizeU;
    struct Values;
    Real<C> *s = threadScratch<Real<C>, Values>(k);
    cursor.template parts<T>(m * n).getMatrix(m, n, a);
    bool isDone = isFinite(m * n, a);
    if (k == 0) {
      setIdentity(isFull ? m : 0, u);
      setIdentity(isFull ? n : 0, vh);
    } else if (isDone) {
      char job = !hasVectors ? 'N' : isFull ? 'A' : 'S';
      isDone = lapack::gesdd(job, m, n, a, s, u, m, vh, rows) == 0;
    }
    if (!isDone) {
      setNaN(k, s);
      setNaN(sizeU, u);
      setNaN(sizeV, vh);
    }
    cursor.template real<T>(k).setVector(k, s);
    if (!hasVectors)
      return;
    cursor.template parts<T>(sizeU).setMatrix(m, columns, u);
    cursor.template parts<T>(sizeV).setMatrix(rows, n, vh);
  });
}

/// Vectors of a real matrix: those of a conjugate pair are the real and
/// imaginary part of the first of both.
template <typename T, typename C>
void setVectors(int64_t n, const C *imaginary, const C *vectors,
                const Parts<T> &to) {
  for (int64_t j = 0; j < n; ++j) {
    bool isFirst = imaginary[j] > 0, isSecond = imaginary[j] < 0;
    const C *re = vectors + (isSecond ? j - 1 : j) * n, *im = re + n;
    C sign = isFirst ? 1 : -1;
    for (int64_t i = 0; i < n; ++i)
      to.set(i * n + j,
             std::complex<C>(re[i], isFirst || isSecond ? sign * im[i] : C(0)));
  }
}

template <typename T>
void eig(void *const *buffers, const int64_t *numbers, int64_t begin,
         int64_t end) {
  int64_t n = numbers[1];
  bool left = numbers[2] != 0, right = numbers[3] != 0;
  if (n == 0)
    return;
  forEachMatrix<T>(buffers, numbers, begin, end, [&](auto zero, auto cursor) {
    using C = decltype(zero);
    using R = Real<C>;
    C *a = room<C>(3 * n * n + 2 * n), *vl = a + n * n, *vr = vl + n * n;
    C *w = vr + n * n, *wi = w + n;
    cursor.template parts<T>(n * n).getMatrix(n, n, a);
    char jobs[] = {left ? 'V' : 'N', right ? 'V' : 'N'};
    bool isDone = isFinite(n * n, a);
    if constexpr (std::is_same_v<C, R>)
      isDone =
          isDone && lapack::geev(jobs[0], jobs[1], n, a, w, wi, vl, vr) == 0;
    else
      isDone = isDone && lapack::geev(jobs[0], jobs[1], n, a, w, vl, vr) == 0;
    if (!isDone)
      setNaN(2 * n * n + 2 * n, vl);
    auto values = cursor.template complex<T>(n);
    for (int64_t i = 0; i < n; ++i) {
      if constexpr (std::is_same_v<C, R>)
        values.set(i, std::complex<R>(w[i], wi[i]));
      else
        values.set(i, w[i]);
    }
    for (bool isLeft : {true, false}) {
      if (isLeft ? !left : !right)
        continue;
      const C *vectors = isLeft ? vl : vr;
      auto to = cursor.template complex<T>(n * n);
      if constexpr (std::is_same_v<C, R>) {
        if (isDone) {
          setVectors(n, wi, vectors, to);
        } else {
          for (int64_t i = 0; i < n * n; ++i)
            to.set(i, notANumber(std::complex<R>()));
        }
      } else {
        to.setMatrix(n, n, vectors);
      }
    }
  });
}

template <typename T>
void schur(void *const *buffers, const int64_t *numbers, int64_t begin,
           int64_t end) {
  int64_t n = numbers[1];
  if (n == 0)
    return;
  forEachMatrix<T>(buffers, numbers, begin, end, [&](auto zero, auto cursor) {
    using C = decltype(zero);
    C *a = room<C>(2 * n * n), *q = a + n * n;
    cursor.template parts<T>(n * n).getMatrix(n, n, a);
    if (!isFinite(n * n, a) || lapack::gees(n, a, q) != 0)
      setNaN(2 * n * n, a);
    cursor.template parts<T>(n * n).setMatrix(n, n, a);
    cursor.template parts<T>(n * n).setMatrix(n, n, q);
  });
}

} // namespace

CLEAVE_RT_DEFINE_LIBRARY_FUNCTION(cleave_rt_eigh, eigh)
CLEAVE_RT_DEFINE_LIBRARY_FUNCTION(cleave_rt_svd, svd)
CLEAVE_RT_DEFINE_LIBRARY_FUNCTION(cleave_rt_eig, eig)
CLEAVE_RT_DEFINE_LIBRARY_FUNCTION(cleave_rt_schur, schur)
