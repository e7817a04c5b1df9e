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
#include <algorithm>
#include <complex>
#include <deque>
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

/// The buffers of a call, in f64, in the order in which they are named.
class MatrixCall {
public:
  explicit MatrixCall(bool isComplex) : isComplex(isComplex) {}

  MatrixCall &in(const TestMatrix &matrix) { return add(matrix, isComplex); }
  /// `matrix` becomes what the call writes.
  MatrixCall &out(TestMatrix &matrix) { return addResult(matrix, isComplex); }
  MatrixCall &realOut(TestMatrix &matrix) { return addResult(matrix, false); }
  MatrixCall &complexOut(TestMatrix &matrix) { return addResult(matrix, true); }
  /// Read or written in place.
  MatrixCall &integers(std::vector<int32_t> &values) {
    pointers.push_back(values.data());
    return *this;
  }

  /// Calls `function` with the number of parts before the `numbers`.
  void run(cleave_rt_library_function function, std::vector<int64_t> numbers) {
    numbers.insert(numbers.begin(), isComplex ? 2 : 1);
    function(pointers.data(), numbers.data(), 0, 1);
    for (auto [matrix, real, imaginary] : results)
      for (size_t i = 0; i < matrix->data.size(); ++i)
        matrix->data[i] = {(*real)[i], imaginary ? (*imaginary)[i] : 0};
  }

private:
  using Buffer = std::vector<double>;
  struct Result {
    TestMatrix *matrix;
    Buffer *real, *imaginary;
  };

  MatrixCall &add(const TestMatrix &matrix, bool hasImaginary) {
    for (bool isImaginary : {false, true}) {
      if (isImaginary && !hasImaginary)
        break;
      Buffer &buffer = buffers.emplace_back();
      for (Complex x : matrix.data)
        buffer.push_back(isImaginary ? x.imag() : x.real());
      pointers.push_back(buffer.data());
    }
    return *this;
  }
  /// Numbers are checked to be written by starting from a wrong one.
  MatrixCall &addResult(TestMatrix &matrix, bool hasImaginary) {
    std::fill(matrix.data.begin(), matrix.data.end(), Complex(1e30, 1e30));
    add(matrix, hasImaginary);
    Buffer *last = &buffers.back();
    if (hasImaginary)
      results.push_back({&matrix, &buffers[buffers.size() - 2], last});
    else
      results.push_back({&matrix, last, nullptr});
    return *this;
  }

  bool isComplex;
  std::deque<Buffer> buffers;
  std::vector<void *> pointers;
  std::vector<Result> results;
};

} // namespace cleave::rt

#endif // CLEAVE_RUNTIME_TESTS_MATRIXBUFFERS_H
