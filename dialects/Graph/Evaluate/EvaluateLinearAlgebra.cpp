//===- EvaluateLinearAlgebra.cpp - Reference semantics of solvers ---------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// By definition: sums over all points, and textbook elimination.
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/Evaluate/ComplexMatrices.h"
#include "dialects/Graph/GraphDialect.h"
#include <cmath>

using namespace mlir;
using namespace cleave::graph;

//===----------------------------------------------------------------------===//
// Fourier transforms
//===----------------------------------------------------------------------===//

/// exp(2 pi i j / n), with quarters of a turn exact: what must cancel does.
static Complex unitRoot(int64_t j, int64_t n) {
  int64_t quarters = 4 * (j % n) / n, rest = 4 * (j % n) - quarters * n;
  double angle = M_PI_2 * static_cast<double>(rest) / static_cast<double>(n);
  Complex root(std::cos(angle), std::sin(angle));
  for (; quarters > 0; --quarters)
    root = {-root.imag(), root.real()};
  return root;
}

/// Transforms one dimension; the inverse divides by its size.
static void transform(std::vector<Complex> &data, ArrayRef<int64_t> shape,
                      int64_t dim, bool inverse) {
  int64_t n = shape[dim], stride = rowMajorStrides(shape)[dim];
  auto total = static_cast<int64_t>(data.size());
  std::vector<Complex> roots(n), line(n);
  for (int64_t j = 0; j < n; ++j)
    roots[j] = inverse ? unitRoot(j, n) : std::conj(unitRoot(j, n));
  for (int64_t start = 0; start < total; ++start) {
    if (start / stride % n != 0)
      continue;
    for (int64_t k = 0; k < n; ++k) {
      line[k] = 0;
      for (int64_t j = 0; j < n; ++j)
        line[k] += data[start + j * stride] * roots[j * k % n];
    }
    for (int64_t k = 0; k < n; ++k)
      data[start + k * stride] =
          inverse ? line[k] / static_cast<double>(n) : line[k];
  }
}

/// The first half of each line along the last dimension, of size `n`.
static std::vector<Complex> firstHalves(ArrayRef<Complex> data, int64_t n) {
  std::vector<Complex> result;
  for (size_t i = 0; i < data.size(); ++i)
    if (static_cast<int64_t>(i) % n < n / 2 + 1)
      result.push_back(data[i]);
  return result;
}

/// Lines of `n` real numbers from the first half of their transform.
static std::vector<Complex> realLines(ArrayRef<Complex> data, int64_t n) {
  int64_t half = n / 2 + 1, lines = static_cast<int64_t>(data.size()) / half;
  std::vector<Complex> result(lines * n);
  for (int64_t line = 0; line < lines; ++line)
    for (int64_t j = 0; j < n; ++j) {
      double sum = data[line * half].real();
      for (int64_t k = 1; k < half; ++k) {
        // The other half is conjugate, unless the middle is its own mirror.
        double count = 2 * k == n ? 1 : 2;
        sum += count * (data[line * half + k] * unitRoot(j * k, n)).real();
      }
      result[line * n + j] = sum / static_cast<double>(n);
    }
  return result;
}

LogicalResult FftOp::evaluate(Evaluator &evaluator, ArrayRef<Literal> operands,
                              SmallVectorImpl<Literal> &results) {
  std::vector<Complex> data = joinParts(operands);
  // NaN in both parts reaches every result.
  for (Complex &x : data)
    if (!std::isfinite(x.real()) || !std::isfinite(x.imag()))
      x = nanOfBoth;
  ArrayRef<int64_t> shape = operands[0].shape();
  auto rank = static_cast<int64_t>(shape.size());
  auto count = static_cast<int64_t>(getLength().size());
  bool isInverse = getType() == FftType::IFFT || getType() == FftType::IRFFT;
  bool toReal = getType() == FftType::IRFFT;
  if (!data.empty()) {
    for (int64_t dim = rank - count; dim < rank - toReal; ++dim)
      transform(data, shape, dim, isInverse);
    if (toReal)
      data = realLines(data, getLength().back());
    else if (getType() == FftType::RFFT)
      data = firstHalves(data, getLength().back());
  }
  splitParts(evaluator, data, getResultTypes(), results);
  return success();
}

//===----------------------------------------------------------------------===//
// Solvers
//===----------------------------------------------------------------------===//

/// The lower factor, column by column; false if there is none.
static bool factorize(const Arithmetic &arithmetic, Matrix a, int64_t n) {
  for (int64_t j = 0; j < n; ++j) {
    Complex diagonal = a.get(j, j).real();
    for (int64_t k = 0; k < j; ++k) {
      Complex x = a.get(j, k);
      diagonal =
          arithmetic.round(diagonal - arithmetic.times(x, std::conj(x)).real());
    }
    if (!(diagonal.real() > 0))
      return false;
    Complex root = arithmetic.round(std::sqrt(diagonal.real()));
    a.set(j, j, root);
    for (int64_t i = j + 1; i < n; ++i) {
      Complex x = a.get(i, j);
      for (int64_t k = 0; k < j; ++k)
        x = arithmetic.round(
            x - arithmetic.times(a.get(i, k), std::conj(a.get(j, k))));
      a.set(i, j, arithmetic.over(x, root));
      a.set(j, i, 0);
    }
  }
  return true;
}

LogicalResult CholeskyOp::evaluate(Evaluator &evaluator,
                                   ArrayRef<Literal> operands,
                                   SmallVectorImpl<Literal> &results) {
  std::vector<Complex> data = joinParts(operands);
  int64_t n = operands[0].shape().back();
  Arithmetic arithmetic(evaluator, operands[0].elementType());
  for (size_t at = 0; at < data.size(); at += n * n) {
    // The upper factor is the lower one's adjoint, and so is what it is of.
    Matrix matrix = getLower() ? Matrix{&data[at], n, 1}
                               : Matrix{&data[at], 1, n, /*isConjugate=*/true};
    if (!factorize(arithmetic, matrix, n))
      std::fill_n(data.begin() + at, n * n, nanOfBoth);
  }
  splitParts(evaluator, data, getResultTypes(), results);
  return success();
}

LogicalResult TriangularSolveOp::evaluate(Evaluator &evaluator,
                                          ArrayRef<Literal> operands,
                                          SmallVectorImpl<Literal> &results) {
  unsigned parts = operands.size() / 2;
  std::vector<Complex> as = joinParts(operands.take_front(parts));
  std::vector<Complex> bs = joinParts(operands.drop_front(parts));
  Arithmetic arithmetic(evaluator, operands[0].elementType());
  int64_t n = operands[0].shape().back();
  ArrayRef<int64_t> shape = operands[parts].shape();
  int64_t rows = shape[shape.size() - 2], columns = shape.back();
  int64_t numFree = getLeftSide() ? columns : rows;
  bool isTransposed = getTransposeA() != Transpose::NoTranspose;
  bool isAdjoint = getTransposeA() == Transpose::Adjoint;
  bool isLower = getLower() != isTransposed;
  for (size_t at = 0; at * n * numFree < bs.size(); ++at) {
    Matrix a = {&as[at * n * n], n, 1, isAdjoint};
    Matrix b = {&bs[at * n * numFree], columns, 1};
    if (isTransposed)
      std::swap(a.rowStride, a.columnStride);
    bool solvesDown = isLower;
    // x op(a) = b is op(a)^T x^T = b^T.
    if (!getLeftSide()) {
      std::swap(a.rowStride, a.columnStride);
      std::swap(b.rowStride, b.columnStride);
      solvesDown = !solvesDown;
    }
    for (int64_t column = 0; column < numFree; ++column)
      for (int64_t step = 0; step < n; ++step) {
        int64_t i = solvesDown ? step : n - 1 - step;
        Complex x = b.get(i, column);
        for (int64_t other = 0; other < step; ++other) {
          int64_t j = solvesDown ? other : n - 1 - other;
          x = arithmetic.round(x -
                               arithmetic.times(a.get(i, j), b.get(j, column)));
        }
        b.set(i, column,
              getUnitDiagonal() ? x : arithmetic.over(x, a.get(i, i)));
      }
  }
  splitParts(evaluator, bs, getResultTypes(), results);
  return success();
}
