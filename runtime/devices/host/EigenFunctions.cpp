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

template <typename T> void eigh(const LibraryCall &call) {
  int64_t n = call.numbers[1];
  bool isLower = call.numbers[2] != 0;
  if (n == 0)
    return;
  forEachMatrix<T>(call, [&](auto cursor) {
    auto a = cursor.read(n, n);
    auto w = cursor.realRoom(n);
    if (!isTriangleFinite(isLower, a) ||
        lapack::syevd(isLower ? 'L' : 'U', a, w) != 0)
      setNaN(a, w);
    cursor.write(a);
    cursor.write(w);
  });
}

//===----------------------------------------------------------------------===//
// Singular values
//===----------------------------------------------------------------------===//

template <typename C> void setIdentity(Matrix<C> a) {
  for (int64_t i = 0; i < a.rows; ++i)
    for (int64_t j = 0; j < a.columns; ++j)
      a(i, j) = i == j ? 1 : 0;
}

template <typename T> void svd(const LibraryCall &call) {
  int64_t m = call.numbers[1], n = call.numbers[2], k = std::min(m, n);
  bool isFull = call.numbers[3] != 0, hasVectors = call.numbers[4] == 0;
  int64_t columns = isFull ? m : k, rows = isFull ? n : k;
  char job = !hasVectors ? 'N' : isFull ? 'A' : 'S';
  forEachMatrix<T>(call, [&](auto cursor) {
    auto a = cursor.read(m, n);
    auto u = cursor.room(m, hasVectors ? columns : 0);
    auto vh = cursor.room(rows, hasVectors ? n : 0);
    auto s = cursor.realRoom(k);
    if (k == 0) {
      setIdentity(u);
      setIdentity(vh);
    } else if (!isFinite(a) || lapack::gesdd(job, a, s, u, vh) != 0) {
      setNaN(s, u, vh);
    }
    cursor.write(s);
    if (!hasVectors)
      return;
    cursor.write(u);
    cursor.write(vh);
  });
}

//===----------------------------------------------------------------------===//
// Eigenvalues of any matrix
//===----------------------------------------------------------------------===//

/// What to find of a matrix besides its eigenvalues.
struct EigenvectorsWanted {
  bool left, right;
};

/// Vectors of a real matrix: those of a conjugate pair are the real and
/// imaginary part of the first of both.
template <typename R>
void joinPairs(Matrix<R> imaginary, Matrix<R> vectors,
               Matrix<std::complex<R>> to) {
  for (int64_t j = 0; j < to.columns; ++j) {
    bool isFirst = imaginary.data[j] > 0, isSecond = imaginary.data[j] < 0;
    int64_t first = isSecond ? j - 1 : j;
    for (int64_t i = 0; i < to.rows; ++i) {
      R im = isFirst || isSecond ? vectors(i, first + 1) : R(0);
      to(i, j) = {vectors(i, first), isSecond ? -im : im};
    }
  }
}

/// Returns whether LAPACK found them.
template <typename Cursor, typename R>
bool findEigen(Cursor &cursor, EigenvectorsWanted wanted, Matrix<R> a,
               Matrix<std::complex<R>> values, Matrix<std::complex<R>> left,
               Matrix<std::complex<R>> right) {
  auto w = cursor.room(a.rows, 2);
  auto vl = cursor.room(a.rows, a.rows), vr = cursor.room(a.rows, a.rows);
  if (lapack::geev(wanted.left ? 'V' : 'N', wanted.right ? 'V' : 'N', a, w, vl,
                   vr) != 0)
    return false;
  for (int64_t i = 0; i < a.rows; ++i)
    values.data[i] = {w(i, 0), w(i, 1)};
  if (wanted.left)
    joinPairs(w.column(1), vl, left);
  if (wanted.right)
    joinPairs(w.column(1), vr, right);
  return true;
}
template <typename Cursor, typename R>
bool findEigen(Cursor &, EigenvectorsWanted wanted, Matrix<std::complex<R>> a,
               Matrix<std::complex<R>> values, Matrix<std::complex<R>> left,
               Matrix<std::complex<R>> right) {
  return lapack::geev(wanted.left ? 'V' : 'N', wanted.right ? 'V' : 'N', a,
                      values, left, right) == 0;
}

template <typename T> void eig(const LibraryCall &call) {
  int64_t n = call.numbers[1];
  EigenvectorsWanted wanted = {call.numbers[2] != 0, call.numbers[3] != 0};
  if (n == 0)
    return;
  forEachMatrix<T>(call, [&](auto cursor) {
    auto a = cursor.read(n, n);
    auto values = cursor.complexRoom(n), left = cursor.complexRoom(n, n);
    auto right = cursor.complexRoom(n, n);
    if (!isFinite(a) || !findEigen(cursor, wanted, a, values, left, right))
      setNaN(values, left, right);
    cursor.write(values);
    if (wanted.left)
      cursor.write(left);
    if (wanted.right)
      cursor.write(right);
  });
}

template <typename T> void schur(const LibraryCall &call) {
  int64_t n = call.numbers[1];
  if (n == 0)
    return;
  forEachMatrix<T>(call, [&](auto cursor) {
    auto a = cursor.read(n, n), q = cursor.room(n, n);
    if (!isFinite(a) || lapack::gees(a, q) != 0)
      setNaN(a, q);
    cursor.write(a);
    cursor.write(q);
  });
}

} // namespace

CLEAVE_RT_DEFINE_LIBRARY_FUNCTION(cleave_rt_eigh, eigh)
CLEAVE_RT_DEFINE_LIBRARY_FUNCTION(cleave_rt_svd, svd)
CLEAVE_RT_DEFINE_LIBRARY_FUNCTION(cleave_rt_eig, eig)
CLEAVE_RT_DEFINE_LIBRARY_FUNCTION(cleave_rt_schur, schur)
