//===- Matrices.h - Matrices in buffers, as LAPACK takes them ---*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// f16 and bf16 are computed in f32, and pairs of real and imaginary parts are
// interleaved. Buffers are by rows, LAPACK's matrices by columns.
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_RUNTIME_DEVICES_HOST_MATRICES_H
#define CLEAVE_RUNTIME_DEVICES_HOST_MATRICES_H

#include "runtime/devices/host/LibraryFunctions.h"
#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>

namespace cleave::rt {

/// OpenBLAS would start threads of its own in every call.
void useOneThread();

/// The type of computation on elements of type T.
template <typename T> struct ComputeOf {
  using Type = float;
};
template <> struct ComputeOf<double> {
  using Type = double;
};

/// The type of the real part of C.
template <typename C> struct RealOf {
  using Type = C;
};
template <typename C> struct RealOf<std::complex<C>> {
  using Type = C;
};
template <typename C> using Real = typename RealOf<C>::Type;

/// Numbers as LAPACK has them: by columns without gaps. A vector is one column.
template <typename C> struct Matrix {
  C *data;
  int rows, columns;
  /// Its leading dimension, which is positive.
  int leading;

  Matrix(C *data, int rows, int columns)
      : data(data), rows(rows), columns(columns), leading(std::max(rows, 1)) {}

  int64_t size() const { return int64_t(rows) * columns; }
  C *begin() const { return data; }
  C *end() const { return data + size(); }
  C &operator()(int64_t i, int64_t j) const { return data[j * rows + i]; }
  Matrix column(int64_t j) const { return {data + j * rows, rows, 1}; }
  /// The numbers `first`, `first` + 1, ... of a vector.
  Matrix slice(int64_t first, int count) const {
    return {data + first, count, 1};
  }
};

template <typename T> T notANumber(T) {
  return std::numeric_limits<T>::quiet_NaN();
}
template <typename T> std::complex<T> notANumber(std::complex<T>) {
  return {notANumber(T()), notANumber(T())};
}

// Where a NaN or an infinity gets to depends on the algorithm, so that matrices
// are looked at before they are factored.

template <typename C> bool isFinite(C x) {
  return std::isfinite(std::real(x)) && std::isfinite(std::imag(x));
}
template <typename C> bool isFinite(Matrix<C> a) {
  return std::all_of(a.begin(), a.end(), [](C x) { return isFinite(x); });
}
/// Of a matrix of which only one triangle is read; the other may hold anything.
template <typename C> bool isTriangleFinite(bool isLower, Matrix<C> a) {
  for (int j = 0; j < a.columns; ++j)
    if (!isFinite(isLower ? a.column(j).slice(j, a.rows - j)
                          : a.column(j).slice(0, j + 1)))
      return false;
  return true;
}
template <typename... C> void setNaN(Matrix<C>... matrices) {
  (std::fill(matrices.begin(), matrices.end(), notANumber(C())), ...);
}

/// The matrices of one element of the batch, computed in C: the buffers of a
/// call are read and written one after another. Parts of complex numbers are in
/// two buffers, of elements of type T.
template <typename T, typename C> class MatrixCursor {
public:
  MatrixCursor(void *const *buffers, int64_t index)
      : buffers(buffers), index(index) {}

  // Each has a place of its own, which lasts until the cursor of the next
  // element is used.

  Matrix<C> room(int rows, int columns = 1) { return roomOf<C>(rows, columns); }
  Matrix<Real<C>> realRoom(int rows) { return roomOf<Real<C>>(rows, 1); }
  Matrix<std::complex<Real<C>>> complexRoom(int rows, int columns = 1) {
    return roomOf<std::complex<Real<C>>>(rows, columns);
  }
  Matrix<int> integerRoom(int count) { return roomOf<int>(count, 1); }

  Matrix<C> read(int rows, int columns = 1) {
    Matrix<C> result = room(rows, columns);
    Parts from = next<C>(result.size());
    for (int64_t i = 0; i < rows; ++i)
      for (int64_t j = 0; j < columns; ++j)
        from.get(i * columns + j, result(i, j));
    return result;
  }
  /// The transpose of a matrix of `columns` by `rows`: its rows are columns as
  /// they are.
  Matrix<C> readTransposed(int rows, int columns) {
    Matrix<C> result = room(rows, columns);
    Parts from = next<C>(result.size());
    for (int64_t i = 0; i < result.size(); ++i)
      from.get(i, result.data[i]);
    return result;
  }
  const int32_t *readIntegers(int count) { return nextIntegers(count); }

  /// Writes numbers of type C, or real or complex ones.
  template <typename E> void write(Matrix<E> matrix) {
    Parts to = next<E>(matrix.size());
    for (int64_t i = 0; i < matrix.rows; ++i)
      for (int64_t j = 0; j < matrix.columns; ++j)
        to.set(i * matrix.columns + j, matrix(i, j));
  }
  void writeTransposed(Matrix<C> matrix) {
    Parts to = next<C>(matrix.size());
    for (int64_t i = 0; i < matrix.size(); ++i)
      to.set(i, matrix.data[i]);
  }
  /// Writes what counts from 1, as in Fortran, to count from 0.
  void writeFromZero(Matrix<int> numbers) {
    std::transform(numbers.begin(), numbers.end(), nextIntegers(numbers.rows),
                   [](int x) { return static_cast<int32_t>(x - 1); });
  }

private:
  /// One or two buffers at the place of this element.
  struct Parts {
    T *real, *imaginary = nullptr;

    template <typename R> void get(int64_t i, R &x) const {
      x = static_cast<R>(toFloat(real[i]));
    }
    template <typename R> void get(int64_t i, std::complex<R> &x) const {
      x = {static_cast<R>(toFloat(real[i])),
           static_cast<R>(toFloat(imaginary[i]))};
    }
    template <typename R> void set(int64_t i, R x) const {
      real[i] = roundTo<T, R>(x);
    }
    template <typename R> void set(int64_t i, std::complex<R> x) const {
      real[i] = roundTo<T, R>(x.real());
      imaginary[i] = roundTo<T, R>(x.imag());
    }
  };
  template <typename E> Parts next(int64_t size) {
    Parts result = {static_cast<T *>(*buffers++) + index * size};
    if (!std::is_same_v<E, Real<E>>)
      result.imaginary = static_cast<T *>(*buffers++) + index * size;
    return result;
  }
  int32_t *nextIntegers(int64_t count) {
    return static_cast<int32_t *>(*buffers++) + index * count;
  }

  template <typename E> Matrix<E> roomOf(int rows, int columns) {
    static thread_local std::vector<std::vector<E>> rooms;
    if (rooms.size() <= numRooms)
      rooms.resize(numRooms + 1);
    std::vector<E> &room = rooms[numRooms++];
    // LAPACK wants an address of nothing, too.
    size_t size = std::max<size_t>(1, size_t(rows) * columns);
    if (room.size() < size)
      room.resize(size);
    return {room.data(), rows, columns};
  }

  void *const *buffers;
  int64_t index;
  size_t numRooms = 0;
};

/// Calls `function(cursor)` for each element of a part of the batch. What C is,
/// T and the number of parts say.
template <typename T, typename Function>
void forEachMatrix(const LibraryCall &call, Function function) {
  using C = typename ComputeOf<T>::Type;
  useOneThread();
  bool isComplex = call.numbers[0] == 2;
  for (int64_t i = call.begin; i < call.end; ++i) {
    if (isComplex)
      function(MatrixCursor<T, std::complex<C>>(call.buffers, i));
    else
      function(MatrixCursor<T, C>(call.buffers, i));
  }
}

} // namespace cleave::rt

#endif // CLEAVE_RUNTIME_DEVICES_HOST_MATRICES_H
