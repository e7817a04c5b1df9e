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

//===----------------------------------------------------------------------===//
// LU
//===----------------------------------------------------------------------===//

template <typename T> void lu(const LibraryCall &call) {
  int64_t m = call.numbers[1], n = call.numbers[2], k = std::min(m, n);
  if (k == 0)
    return;
  forEachMatrix<T>(call, [&](auto cursor) {
    auto a = cursor.read(m, n);
    Matrix<int> pivots = cursor.integerRoom(k);
    std::iota(pivots.begin(), pivots.end(), 1);
    if (isFinite(a))
      lapack::getrf(a, pivots);
    else
      setNaN(a);
    cursor.write(a);
    cursor.writeFromZero(pivots);
  });
}

//===----------------------------------------------------------------------===//
// Reflections
//===----------------------------------------------------------------------===//

template <typename T> void qr(const LibraryCall &call) {
  int64_t m = call.numbers[1], n = call.numbers[2], k = std::min(m, n);
  if (k == 0)
    return;
  forEachMatrix<T>(call, [&](auto cursor) {
    auto a = cursor.read(m, n), tau = cursor.room(k);
    if (isFinite(a))
      lapack::geqrf(a, tau);
    else
      setNaN(a, tau);
    cursor.write(a);
    cursor.write(tau);
  });
}

/// The columns whose number is not 0 first, counted from 1.
void bringToFront(const int32_t *front, Matrix<int> order) {
  std::iota(order.begin(), order.end(), 1);
  int numFront = 0;
  for (int i = 0; i < order.rows; ++i)
    if (front[i] != 0)
      std::swap(order.data[i], order.data[numFront++]);
}

template <typename T> void pivotedQr(const LibraryCall &call) {
  int64_t m = call.numbers[1], n = call.numbers[2], k = std::min(m, n);
  forEachMatrix<T>(call, [&](auto cursor) {
    auto a = cursor.read(m, n), tau = cursor.room(k);
    const int32_t *front = cursor.readIntegers(n);
    Matrix<int> order = cursor.integerRoom(n);
    if (k == 0 || !isFinite(a)) {
      bringToFront(front, order);
      setNaN(a, tau);
    } else {
      std::copy_n(front, n, order.data);
      lapack::geqp3(a, order, tau);
    }
    cursor.write(a);
    cursor.writeFromZero(order);
    cursor.write(tau);
  });
}

/// Whether what is below the diagonal of the first columns is.
template <typename C> bool areReflectionsFinite(Matrix<C> a, Matrix<C> tau) {
  for (int j = 0; j < tau.rows; ++j)
    if (!isFinite(a.column(j).slice(j + 1, a.rows - j - 1)))
      return false;
  return isFinite(tau);
}

template <typename T> void householderProduct(const LibraryCall &call) {
  int64_t m = call.numbers[1], n = call.numbers[2], k = call.numbers[3];
  if (n == 0)
    return;
  forEachMatrix<T>(call, [&](auto cursor) {
    auto a = cursor.read(m, n), tau = cursor.read(k);
    if (areReflectionsFinite(a, tau))
      lapack::orgqr(a, tau);
    else
      setNaN(a);
    cursor.write(a);
  });
}

template <typename T> void hessenberg(const LibraryCall &call) {
  int64_t n = call.numbers[1];
  if (n == 0)
    return;
  forEachMatrix<T>(call, [&](auto cursor) {
    auto a = cursor.read(n, n), tau = cursor.room(n - 1);
    if (isFinite(a))
      lapack::gehrd(a, tau);
    else
      setNaN(a, tau);
    cursor.write(a);
    cursor.write(tau);
  });
}

template <typename T> void tridiagonal(const LibraryCall &call) {
  int64_t n = call.numbers[1];
  bool isLower = call.numbers[2] != 0;
  if (n == 0)
    return;
  forEachMatrix<T>(call, [&](auto cursor) {
    auto a = cursor.read(n, n), tau = cursor.room(n - 1);
    auto diagonal = cursor.realRoom(n), others = cursor.realRoom(n - 1);
    if (isTriangleFinite(isLower, a))
      lapack::sytrd(isLower ? 'L' : 'U', a, diagonal, others, tau);
    else
      setNaN(a, diagonal, others, tau);
    cursor.write(a);
    cursor.write(diagonal);
    cursor.write(others);
    cursor.write(tau);
  });
}

template <typename T> void tridiagonalSolve(const LibraryCall &call) {
  int64_t n = call.numbers[1], columns = call.numbers[2];
  if (n == 0 || columns == 0)
    return;
  forEachMatrix<T>(call, [&](auto cursor) {
    // The first number below the diagonal and the last one above it are none.
    auto below = cursor.read(n).slice(1, n - 1);
    auto diagonal = cursor.read(n);
    auto above = cursor.read(n).slice(0, n - 1);
    auto b = cursor.read(n, columns);
    for (int64_t j = 0; j < columns; ++j)
      if (!isFinite(b.column(j)))
        setNaN(b.column(j));
    if (!isFinite(below) || !isFinite(diagonal) || !isFinite(above) ||
        lapack::gtsv(below, diagonal, above, b) != 0)
      setNaN(b);
    cursor.write(b);
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
