//===- EvaluateSpectra.cpp - Reference semantics of eigh and svd ----------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Values and the spaces of their vectors come from Spectra.h. In each space,
// that of one vector or of those of values that rounding cannot tell apart, the
// basis is the one nearest to what the library gives.
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/Evaluate/LibraryGuide.h"
#include "dialects/Graph/Evaluate/Spectra.h"
#include "dialects/Graph/GraphBuilders.h"
#include <cmath>

using namespace mlir;
using namespace cleave::graph;

/// Calls `function(begin, end)` for each run of ordered values whose
/// neighbours differ by no more than `tolerance`.
template <typename Function>
static void forEachRun(ArrayRef<double> values, double tolerance,
                       Function function) {
  for (size_t begin = 0, end; begin < values.size(); begin = end) {
    end = begin + 1;
    while (end < values.size() &&
           std::fabs(values[end] - values[end - 1]) <= tolerance)
      ++end;
    function(begin, end);
  }
}

static ArrayRef<Column> range(const Columns &columns, size_t begin,
                              size_t end) {
  return ArrayRef(columns).slice(begin, end - begin);
}

//===----------------------------------------------------------------------===//
// Hermitian matrices
//===----------------------------------------------------------------------===//

LogicalResult EighOp::evaluate(Evaluator &evaluator, ArrayRef<Literal> operands,
                               SmallVectorImpl<Literal> &results) {
  auto library = runLibraryKernel(*this, operands);
  if (failed(library))
    return failure();
  std::vector<Complex> data = joinParts(operands), vectors, values;
  std::vector<Complex> guides = joinParts(ArrayRef(*library).drop_back());
  int64_t n = operands[0].shape().back();
  Type element = operands[0].elementType();
  double epsilon = epsilonOfType(accumulationType(element));
  for (size_t at = 0; at < data.size(); at += n * n) {
    // The upper triangle is the adjoint of the lower one of the same matrix.
    Matrix triangle = getLower()
                          ? Matrix{&data[at], n, 1}
                          : Matrix{&data[at], 1, n, /*isConjugate=*/true};
    std::vector<Complex> a(n * n);
    for (int64_t i = 0; i < n; ++i)
      for (int64_t j = 0; j <= i; ++j)
        a[i * n + j] = triangle.get(i, j);
    moveByRounding(evaluator, element, a, n, operands.size() == 1);
    for (int64_t i = 0; i < n; ++i) {
      a[i * n + i].imag(0);
      for (int64_t j = i + 1; j < n; ++j)
        a[i * n + j] = std::conj(a[j * n + i]);
    }
    if (!isFinite(a)) {
      vectors.resize(vectors.size() + n * n, nanOfBoth);
      values.resize(values.size() + n, nanOfBoth);
      continue;
    }
    HermitianSpectrum spectrum = diagonalize(std::move(a), n);
    double largest = std::max(-spectrum.values.front(), spectrum.values.back());
    Columns guide = columnsOf(ArrayRef(guides).slice(at, n * n), n, n), basis;
    forEachRun(spectrum.values, indistinct(n, epsilon, largest),
               [&](size_t begin, size_t end) {
                 llvm::append_range(
                     basis, orthonormalized(
                                projected(range(spectrum.vectors, begin, end),
                                          range(guide, begin, end))));
               });
    appendRows(basis, n, vectors);
    llvm::append_range(values, spectrum.values);
  }
  splitParts(evaluator, vectors, getVectors().getTypes(), results);
  splitParts(evaluator, values, TypeRange(getResultTypes()).take_back(),
             results);
  return success();
}

//===----------------------------------------------------------------------===//
// Singular values
//===----------------------------------------------------------------------===//

namespace {
/// The bases of both sides of a decomposition of a tall matrix.
struct Bases {
  Columns u, v;
};
} // namespace

/// One vector above the other.
static Columns stacked(ArrayRef<Column> above, ArrayRef<Column> below) {
  Columns result(above.begin(), above.end());
  for (auto [column, other] : llvm::zip_equal(result, below))
    llvm::append_range(column, other);
  return result;
}

/// The bases nearest to `guide`, whose u may have columns for no value.
static Bases nearestBases(const SingularSpectrum &spectrum, const Bases &guide,
                          double tolerance) {
  Bases result;
  size_t k = spectrum.values.size(), numValues = 0;
  forEachRun(spectrum.values, tolerance, [&](size_t begin, size_t end) {
    // Left and right vectors of zero have nothing to do with each other.
    if (spectrum.values[end - 1] <= tolerance || end > spectrum.u.size())
      return;
    Columns both = orthonormalized(projected(
        stacked(range(spectrum.u, begin, end), range(spectrum.v, begin, end)),
        stacked(range(guide.u, begin, end), range(guide.v, begin, end))));
    size_t rows = spectrum.u[begin].size();
    for (Column &column : both) {
      // Each half has the length 1.
      for (Complex &x : column)
        x *= std::sqrt(2.0);
      result.u.emplace_back(column.begin(), column.begin() + rows);
      result.v.emplace_back(column.begin() + rows, column.end());
    }
    numValues = end;
  });
  llvm::append_range(result.u, orthonormalized(projectedOut(
                                   range(spectrum.u, 0, numValues),
                                   range(guide.u, numValues, guide.u.size()))));
  llvm::append_range(result.v,
                     orthonormalized(projected(range(spectrum.v, numValues, k),
                                               range(guide.v, numValues, k))));
  return result;
}

/// Rows of the conjugate as columns: those of the adjoint.
static Columns adjointColumns(ArrayRef<Complex> data, int64_t rows,
                              int64_t columns) {
  Columns result(rows, Column(columns));
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < columns; ++j)
      result[i][j] = std::conj(data[i * columns + j]);
  return result;
}

LogicalResult SvdOp::evaluate(Evaluator &evaluator, ArrayRef<Literal> operands,
                              SmallVectorImpl<Literal> &results) {
  std::vector<Complex> data = joinParts(operands), values, us, vhs, guideU,
                       guideV;
  unsigned parts = getU().size();
  if (parts != 0) {
    auto library = runLibraryKernel(*this, operands);
    if (failed(library))
      return failure();
    guideU = joinParts(ArrayRef(*library).slice(1, parts));
    guideV = joinParts(ArrayRef(*library).drop_front(1 + parts));
  }
  ArrayRef<int64_t> shape = operands[0].shape();
  int64_t m = shape[shape.size() - 2], n = shape.back(), k = std::min(m, n);
  int64_t columns = getFull() ? m : k, rows = getFull() ? n : k;
  int64_t batch = 1;
  for (int64_t size : shape.drop_back(2))
    batch *= size;
  Type element = operands[0].elementType();
  double epsilon = epsilonOfType(accumulationType(element));
  for (int64_t matrix = 0; matrix < batch; ++matrix) {
    MutableArrayRef<Complex> a =
        MutableArrayRef<Complex>(data).slice(matrix * m * n, m * n);
    moveByRounding(evaluator, element, a, std::max(m, n), operands.size() == 1);
    if (!isFinite(a)) {
      values.resize(values.size() + k, nanOfBoth);
      us.resize(us.size() + m * columns, nanOfBoth);
      vhs.resize(vhs.size() + rows * n, nanOfBoth);
      continue;
    }
    // A wide matrix is decomposed as its adjoint, with U and V exchanged.
    bool isTall = m >= n;
    SingularSpectrum spectrum =
        decompose(isTall ? columnsOf(a, m, n) : adjointColumns(a, m, n));
    llvm::append_range(values, spectrum.values);
    if (parts == 0)
      continue;
    Columns u = columnsOf(
        ArrayRef(guideU).slice(matrix * m * columns, m * columns), m, columns);
    Columns v = adjointColumns(
        ArrayRef(guideV).slice(matrix * rows * n, rows * n), rows, n);
    double largest = k == 0 ? 0 : spectrum.values.front();
    Bases bases = nearestBases(spectrum, isTall ? Bases{u, v} : Bases{v, u},
                               indistinct(std::max(m, n), epsilon, largest));
    if (!isTall)
      std::swap(bases.u, bases.v);
    appendRows(bases.u, m, us);
    for (const Column &column : bases.v)
      for (Complex x : column)
        vhs.push_back(std::conj(x));
  }
  splitParts(evaluator, values, TypeRange(getResultTypes()).take_front(),
             results);
  if (parts != 0) {
    splitParts(evaluator, us, getU().getTypes(), results);
    splitParts(evaluator, vhs, getVh().getTypes(), results);
  }
  return success();
}
