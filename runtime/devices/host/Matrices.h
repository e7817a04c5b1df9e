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

/// Elements whose parts are in one or two buffers.
template <typename T> struct Parts {
  T *real, *imaginary;

  Parts(void *const *buffers, bool isComplex, int64_t offset)
      : real(static_cast<T *>(buffers[0]) + offset),
        imaginary(isComplex ? static_cast<T *>(buffers[1]) + offset : nullptr) {
  }

  template <typename C> void get(int64_t i, C &x) const {
    x = static_cast<C>(toFloat(real[i]));
  }
  template <typename C> void get(int64_t i, std::complex<C> &x) const {
    x = {static_cast<C>(toFloat(real[i])),
         static_cast<C>(toFloat(imaginary[i]))};
  }
  template <typename C> void set(int64_t i, C x) const {
    real[i] = roundTo<T, C>(x);
  }
  template <typename C> void set(int64_t i, std::complex<C> x) const {
    real[i] = roundTo<T, C>(x.real());
    imaginary[i] = roundTo<T, C>(x.imag());
  }

  /// A matrix, by columns in `columns`.
  template <typename C> void getMatrix(int64_t m, int64_t n, C *columns) const {
    for (int64_t i = 0; i < m; ++i)
      for (int64_t j = 0; j < n; ++j)
        get(i * n + j, columns[j * m + i]);
  }
  template <typename C>
  void setMatrix(int64_t m, int64_t n, const C *columns) const {
    for (int64_t i = 0; i < m; ++i)
      for (int64_t j = 0; j < n; ++j)
        set(i * n + j, columns[j * m + i]);
  }
  template <typename C> void getVector(int64_t n, C *values) const {
    for (int64_t i = 0; i < n; ++i)
      get(i, values[i]);
  }
  template <typename C> void setVector(int64_t n, const C *values) const {
    for (int64_t i = 0; i < n; ++i)
      set(i, values[i]);
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
template <typename C> bool isFinite(int64_t count, const C *values) {
  return std::all_of(values, values + count, [](C x) { return isFinite(x); });
}
/// Of a matrix of which only one triangle is read; the other may hold anything.
template <typename C> bool isTriangleFinite(bool lower, int64_t n, const C *a) {
  for (int64_t j = 0; j < n; ++j)
    if (lower ? !isFinite(n - j, a + j * n + j) : !isFinite(j + 1, a + j * n))
      return false;
  return true;
}
template <typename C> void setNaN(int64_t count, C *values) {
  std::fill_n(values, count, notANumber(C()));
}

/// The buffers of one call, taken in their order, and the place of one element
/// of the batch in them.
class BufferCursor {
public:
  BufferCursor(void *const *buffers, bool isComplex, int64_t index)
      : buffers(buffers), isComplex(isComplex), index(index) {}

  /// The next one or two buffers, with `size` numbers for each matrix.
  template <typename T> Parts<T> parts(int64_t size) {
    return take<T>(isComplex, size);
  }
  template <typename T> Parts<T> real(int64_t size) {
    return take<T>(false, size);
  }
  template <typename T> Parts<T> complex(int64_t size) {
    return take<T>(true, size);
  }
  int32_t *integers(int64_t size) {
    return static_cast<int32_t *>(*buffers++) + index * size;
  }

private:
  template <typename T> Parts<T> take(bool hasTwo, int64_t size) {
    Parts<T> result(buffers, hasTwo, index * size);
    buffers += hasTwo ? 2 : 1;
    return result;
  }

  void *const *buffers;
  bool isComplex;
  int64_t index;
};

/// Calls `function(C(), cursor)` for each matrix of a range, with C the type in
/// which its numbers are computed.
template <typename T, typename Function>
void forEachMatrix(void *const *buffers, const int64_t *numbers, int64_t begin,
                   int64_t end, Function function) {
  using C = typename ComputeOf<T>::Type;
  useOneThread();
  bool isComplex = numbers[0] == 2;
  for (int64_t i = begin; i < end; ++i) {
    BufferCursor cursor(buffers, isComplex, i);
    if (isComplex)
      function(std::complex<C>(), cursor);
    else
      function(C(), cursor);
  }
}

} // namespace cleave::rt

#endif // CLEAVE_RUNTIME_DEVICES_HOST_MATRICES_H
