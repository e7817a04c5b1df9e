//===- MatrixBuffers.h - Matrices for library functions ---------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_RUNTIME_TESTS_MATRIXBUFFERS_H
#define CLEAVE_RUNTIME_TESTS_MATRIXBUFFERS_H

#include "cleave-rt/library.h"
#include <complex>
#include <random>
#include <vector>

namespace cleave::rt {

using Complex = std::complex<double>;

/// By rows.
struct TestMatrix {
  int64_t rows = 0, columns = 0;
  std::vector<Complex> data;

  TestMatrix(int64_t rows, int64_t columns)
      : rows(rows), columns(columns), data(rows * columns) {}
  static TestMatrix identity(int64_t n) {
    TestMatrix result(n, n);
    for (int64_t i = 0; i < n; ++i)
      result(i, i) = 1;
    return result;
  }
  static TestMatrix random(int64_t rows, int64_t columns, bool isComplex) {
    static std::mt19937 engine(1);
    std::normal_distribution<double> normal;
    TestMatrix result(rows, columns);
    for (Complex &x : result.data)
      x = {normal(engine), isComplex ? normal(engine) : 0};
    return result;
  }

  Complex &operator()(int64_t i, int64_t j) { return data[i * columns + j]; }
  Complex operator()(int64_t i, int64_t j) const {
    return data[i * columns + j];
  }
  TestMatrix adjoint() const {
    TestMatrix result(columns, rows);
    for (int64_t i = 0; i < rows; ++i)
      for (int64_t j = 0; j < columns; ++j)
        result(j, i) = std::conj((*this)(i, j));
    return result;
  }
  TestMatrix operator*(const TestMatrix &other) const {
    TestMatrix result(rows, other.columns);
    for (int64_t i = 0; i < rows; ++i)
      for (int64_t j = 0; j < other.columns; ++j)
        for (int64_t k = 0; k < columns; ++k)
          result(i, j) += (*this)(i, k) * other(k, j);
    return result;
  }
  /// The largest difference.
  double distance(const TestMatrix &other) const {
    double result = 0;
    for (size_t i = 0; i < data.size(); ++i)
      result = std::max(result, std::abs(data[i] - other.data[i]));
    return result;
  }
  /// The first columns or rows.
  TestMatrix block(int64_t numRows, int64_t numColumns) const {
    TestMatrix result(numRows, numColumns);
    for (int64_t i = 0; i < numRows; ++i)
      for (int64_t j = 0; j < numColumns; ++j)
        result(i, j) = (*this)(i, j);
    return result;
  }
};

/// The buffers of a call, in f64, and what it leaves in them.
class MatrixCall {
public:
  /// Adds real and, if `isComplex`, imaginary parts.
  void add(const TestMatrix &matrix, bool isComplex) {
    for (int part = 0; part < (isComplex ? 2 : 1); ++part) {
      buffers.emplace_back();
      for (Complex x : matrix.data)
        buffers.back().push_back(part == 0 ? x.real() : x.imag());
    }
  }
  /// Numbers are checked to be written by starting from a wrong one.
  void addResult(int64_t rows, int64_t columns, bool isComplex) {
    TestMatrix wrong(rows, columns);
    for (Complex &x : wrong.data)
      x = {1e30, 1e30};
    add(wrong, isComplex);
  }
  void addIntegers(std::vector<int32_t> values) {
    integers = std::move(values);
    integersAt = buffers.size();
    buffers.emplace_back();
  }
  void run(cleave_rt_library_function function, std::vector<int64_t> numbers,
           int64_t extent = 1) {
    std::vector<void *> pointers;
    for (std::vector<double> &buffer : buffers)
      pointers.push_back(buffer.data());
    if (integersAt < pointers.size())
      pointers[integersAt] = integers.data();
    function(pointers.data(), numbers.data(), 0, extent);
  }
  /// What is in the buffers from `at` on.
  TestMatrix result(size_t at, int64_t rows, int64_t columns,
                    bool isComplex) const {
    TestMatrix result(rows, columns);
    for (size_t i = 0; i < result.data.size(); ++i)
      result.data[i] = {buffers[at][i], isComplex ? buffers[at + 1][i] : 0};
    return result;
  }

  std::vector<int32_t> integers;

private:
  std::vector<std::vector<double>> buffers;
  size_t integersAt = SIZE_MAX;
};

} // namespace cleave::rt

#endif // CLEAVE_RUNTIME_TESTS_MATRIXBUFFERS_H
