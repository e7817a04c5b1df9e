//===- FactorizationFunctions.cpp - LU, QR and forms by reflections -------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// By LAPACK, matrix by matrix, on the thread that calls.
//
//===----------------------------------------------------------------------===//

#include "runtime/devices/host/Lapack.h"
#include <numeric>

using namespace cleave::rt;

namespace {

struct MatrixRoom;
struct VectorRoom;

template <typename C> C *matrixRoom(int64_t size) {
  return threadScratch<C, MatrixRoom>(size);
}
template <typename C> C *vectorRoom(int64_t size) {
  return threadScratch<C, VectorRoom>(size);
}

//===----------------------------------------------------------------------===//
// LU
//===----------------------------------------------------------------------===//

template <typename T>
void lu(void *const *buffers, const int64_t *numbers, int64_t begin,
        int64_t end) {
  int64_t m = numbers[1], n = numbers[2], k = std::min(m, n);
  if (k == 0)
    return;
  forEachMatrix<T>(buffers, numbers, begin, end, [&](auto zero, auto cursor) {
    using C = decltype(zero);
    auto from = cursor.template parts<T>(m * n);
    auto to = cursor.template parts<T>(m * n);
    int32_t *pivots = cursor.integers(k);
    C *a = matrixRoom<C>(m * n);
    from.getMatrix(m, n, a);
    // Fortran counts from 1.
    std::iota(pivots, pivots + k, 1);
    if (isFinite(m * n, a))
      lapack::getrf(m, n, a, pivots);
    else
      setNaN(m * n, a);
    to.setMatrix(m, n, a);
    for (int64_t i = 0; i < k; ++i)
      --pivots[i];
  });
}

//===----------------------------------------------------------------------===//
// Reflections
//===----------------------------------------------------------------------===//

template <typename T>
void qr(void *const *buffers, const int64_t *numbers, int64_t begin,
        int64_t end) {
  int64_t m = numbers[1], n = numbers[2], k = std::min(m, n);
  if (k == 0)
    return;
  forEachMatrix<T>(buffers, numbers, begin, end, [&](auto zero, auto cursor) {
    using C = decltype(zero);
    auto from = cursor.template parts<T>(m * n);
    auto to = cursor.template parts<T>(m * n);
    C *a = matrixRoom<C>(m * n), *tau = vectorRoom<C>(k);
    from.getMatrix(m, n, a);
    if (isFinite(m * n, a)) {
      lapack::geqrf(m, n, a, tau);
    } else {
      setNaN(m * n, a);
      setNaN(k, tau);
    }
    to.setMatrix(m, n, a);
    cursor.template parts<T>(k).setVector(k, tau);
  });
}

/// The columns whose number is not 0 first, counted from 0.
void bringToFront(int64_t n, const int32_t *front, int32_t *order) {
  int64_t numFront = 0;
  for (int64_t i = 0; i < n; ++i) {
    order[i] = static_cast<int32_t>(i);
    if (front[i] != 0)
      std::swap(order[i], order[numFront++]);
  }
}

template <typename T>
void pivotedQr(void *const *buffers, const int64_t *numbers, int64_t begin,
               int64_t end) {
  int64_t m = numbers[1], n = numbers[2], k = std::min(m, n);
  forEachMatrix<T>(buffers, numbers, begin, end, [&](auto zero, auto cursor) {
    using C = decltype(zero);
    auto from = cursor.template parts<T>(m * n);
    const int32_t *front = cursor.integers(n);
    auto to = cursor.template parts<T>(m * n);
    int32_t *order = cursor.integers(n);
    C *a = matrixRoom<C>(m * n), *tau = vectorRoom<C>(k);
    from.getMatrix(m, n, a);
    if (k == 0 || !isFinite(m * n, a)) {
      bringToFront(n, front, order);
      setNaN(m * n, a);
      setNaN(k, tau);
    } else {
      std::copy_n(front, n, order);
      lapack::geqp3(m, n, a, order, tau);
      for (int64_t i = 0; i < n; ++i)
        --order[i];
    }
    to.setMatrix(m, n, a);
    cursor.template parts<T>(k).setVector(k, tau);
  });
}

/// Whether what is below the diagonal of the first k columns is.
template <typename C>
bool areReflectionsFinite(int64_t m, int64_t k, const C *a, const C *tau) {
  for (int64_t j = 0; j < k; ++j)
    if (!isFinite(m - j - 1, a + j * m + j + 1))
      return false;
  return isFinite(k, tau);
}

template <typename T>
void householderProduct(void *const *buffers, const int64_t *numbers,
                        int64_t begin, int64_t end) {
  int64_t m = numbers[1], n = numbers[2], k = numbers[3];
  if (n == 0)
    return;
  forEachMatrix<T>(buffers, numbers, begin, end, [&](auto zero, auto cursor) {
    using C = decltype(zero);
    auto from = cursor.template parts<T>(m * n);
    C *a = matrixRoom<C>(m * n), *tau = vectorRoom<C>(k);
    from.getMatrix(m, n, a);
    cursor.template parts<T>(k).getVector(k, tau);
    if (areReflectionsFinite(m, k, a, tau))
      lapack::orgqr(m, n, k, a, tau);
    else
      setNaN(m * n, a);
    cursor.template parts<T>(m * n).setMatrix(m, n, a);
  });
}

template <typename T>
void hessenberg(void *const *buffers, const int64_t *numbers, int64_t begin,
                int64_t end) {
  int64_t n = numbers[1];
  if (n == 0)
    return;
  forEachMatrix<T>(buffers, numbers, begin, end, [&](auto zero, auto cursor) {
    using C = decltype(zero);
    auto from = cursor.template parts<T>(n * n);
    auto to = cursor.template parts<T>(n * n);
    C *a = matrixRoom<C>(n * n), *tau = vectorRoom<C>(n);
    from.getMatrix(n, n, a);
    if (isFinite(n * n, a)) {
      lapack::gehrd(n, a, tau);
    } else {
      setNaN(n * n, a);
      setNaN(n - 1, tau);
    }
    to.setMatrix(n, n, a);
    cursor.template parts<T>(n - 1).setVector(n - 1, tau);
  });
}

template <typename T>
void tridiagonal(void *const *buffers, const int64_t *numbers, int64_t begin,
                 int64_t end) {
  int64_t n = numbers[1];
  bool isLower = numbers[2] != 0;
  if (n == 0)
    return;
  forEachMatrix<T>(buffers, numbers, begin, end, [&](auto zero, auto cursor) {
    using C = decltype(zero);
    auto from = cursor.template parts<T>(n * n);
    auto to = cursor.template parts<T>(n * n);
    auto diagonal = cursor.template real<T>(n);
    auto others = cursor.template real<T>(n - 1);
    C *a = matrixRoom<C>(n * n), *tau = vectorRoom<C>(n);
    struct Room;
    Real<C> *d = threadScratch<Real<C>, Room>(2 * n), *e = d + n;
    from.getMatrix(n, n, a);
    if (isTriangleFinite(isLower, n, a)) {
      lapack::sytrd(isLower ? 'L' : 'U', n, a, d, e, tau);
    } else {
      setNaN(n * n, a);
      setNaN(2 * n - 1, d);
      setNaN(n - 1, tau);
    }
    to.setMatrix(n, n, a);
    diagonal.setVector(n, d);
    others.setVector(n - 1, e);
    cursor.template parts<T>(n - 1).setVector(n - 1, tau);
  });
}

template <typename T>
void tridiagonalSolve(void *const *buffers, const int64_t *numbers,
                      int64_t begin, int64_t end) {
  int64_t n = numbers[1], columns = numbers[2];
  if (n == 0 || columns == 0)
    return;
  forEachMatrix<T>(buffers, numbers, begin, end, [&](auto zero, auto cursor) {
    using C = decltype(zero);
    C *diagonals = vectorRoom<C>(3 * n), *b = matrixRoom<C>(n * columns);
    for (int64_t i = 0; i < 3; ++i)
      cursor.template parts<T>(n).getVector(n, diagonals + i * n);
    cursor.template parts<T>(n * columns).getMatrix(n, columns, b);
    for (int64_t j = 0; j < columns; ++j)
      if (!isFinite(n, b + j * n))
        setNaN(n, b + j * n);
    // The first number below the diagonal and the last one above it are none.
    if (!isFinite(3 * n - 2, diagonals + 1) ||
        lapack::gtsv(n, columns, diagonals + 1, diagonals + n,
                     diagonals + 2 * n, b) != 0)
      setNaN(n * columns, b);
    cursor.template parts<T>(n * columns).setMatrix(n, columns, b);
  });
}

} // namespace

CLEAVE_RT_DEFINE_LIBRARY_FUNCTION(cleave_rt_lu, lu)
CLEAVE_RT_DEFINE_LIBRARY_FUNCTION(cleave_rt_qr, qr)
CLEAVE_RT_DEFINE_LIBRARY_FUNCTION(cleave_rt_pivoted_qr, pivotedQr)
CLEAVE_RT_DEFINE_LIBRARY_FUNCTION(cleave_rt_householder_product,
                                  householderProduct)
CLEAVE_RT_DEFINE_LIBRARY_FUNCTION(cleave_rt_hessenberg, hessenberg)
CLEAVE_RT_DEFINE_LIBRARY_FUNCTION(cleave_rt_tridiagonal, tridiagonal)
CLEAVE_RT_DEFINE_LIBRARY_FUNCTION(cleave_rt_tridiagonal_solve, tridiagonalSolve)

void cleave_rt_pivots_to_permutation_i32(void *const *buffers,
                                         const int64_t *numbers, int64_t begin,
                                         int64_t end) {
  int64_t numPivots = numbers[0], n = numbers[1];
  for (int64_t i = begin; i < end; ++i) {
    const int32_t *pivots =
        static_cast<const int32_t *>(buffers[0]) + i * numPivots;
    int32_t *order = static_cast<int32_t *>(buffers[1]) + i * n;
    for (int64_t row = 0; row < n; ++row)
      order[row] = static_cast<int32_t>(row);
    for (int64_t row = 0; row < numPivots; ++row)
      if (pivots[row] >= 0 && pivots[row] < n)
        std::swap(order[row], order[pivots[row]]);
  }
}
