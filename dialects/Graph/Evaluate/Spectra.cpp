//===- Spectra.cpp - Reference eigenvalues and singular values ------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Golub and Van Loan, Matrix Computations, sections 8.5 (Jacobi) and 8.6.3
// (one-sided Jacobi); 9.4.3 for the polar factor.
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/Evaluate/Spectra.h"
#include "dialects/Graph/GraphBuilders.h"
#include <cmath>
#include <numeric>

using namespace mlir;
using namespace cleave::graph;

/// Rotations converge quadratically; this is far more than they need.
static constexpr int maxSweeps = 60;

namespace {
/// The rotation of columns p and q that makes the Hermitian matrix
/// [[pp, pq], [conj(pq), qq]] diagonal.
struct Rotation {
  double cosine, sine, tangent;
  Complex phase;

  Rotation(double pp, Complex pq, double qq) {
    double size = std::abs(pq), ratio = (qq - pp) / (2 * size);
    tangent = std::copysign(1.0, ratio) /
              (std::fabs(ratio) + std::sqrt(ratio * ratio + 1));
    cosine = 1 / std::sqrt(tangent * tangent + 1);
    sine = tangent * cosine;
    phase = pq / size;
  }
  void apply(Complex &p, Complex &q) const {
    Complex old = p;
    p = cosine * old - sine * std::conj(phase) * q;
    q = sine * phase * old + cosine * q;
  }
  void apply(Column &p, Column &q) const {
    for (auto [x, y] : llvm::zip_equal(p, q))
      apply(x, y);
  }
};
} // namespace

Columns cleave::graph::columnsOf(ArrayRef<Complex> data, int64_t rows,
                                 int64_t columns) {
  Columns result(columns, Column(rows));
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < columns; ++j)
      result[j][i] = data[i * columns + j];
  return result;
}

void cleave::graph::appendRows(const Columns &columns, int64_t rows,
                               std::vector<Complex> &data) {
  for (int64_t i = 0; i < rows; ++i)
    for (const Column &column : columns)
      data.push_back(column[i]);
}

static Columns identity(int64_t n) {
  Columns result(n, Column(n));
  for (int64_t i = 0; i < n; ++i)
    result[i][i] = 1;
  return result;
}

HermitianSpectrum cleave::graph::diagonalize(std::vector<Complex> a,
                                             int64_t n) {
  Columns vectors = identity(n);
  auto at = [&](int64_t i, int64_t j) -> Complex & { return a[i * n + j]; };
  for (int sweep = 0; sweep < maxSweeps; ++sweep) {
    double off = 0, all = 0;
    for (int64_t i = 0; i < n; ++i)
      for (int64_t j = 0; j < n; ++j) {
        all += std::norm(at(i, j));
        off += i == j ? 0 : std::norm(at(i, j));
      }
    if (!(off > 1e-36 * all))
      break;
    for (int64_t p = 0; p < n; ++p)
      for (int64_t q = p + 1; q < n; ++q) {
        Complex pq = at(p, q);
        // Too small for the rotation to change anything.
        if (std::norm(pq) <= 1e-40 * all)
          continue;
        double pp = at(p, p).real(), qq = at(q, q).real();
        Rotation rotation(pp, pq, qq);
        for (int64_t k = 0; k < n; ++k) {
          if (k == p || k == q)
            continue;
          rotation.apply(at(k, p), at(k, q));
          at(p, k) = std::conj(at(k, p));
          at(q, k) = std::conj(at(k, q));
        }
        at(p, p) = pp - rotation.tangent * std::abs(pq);
        at(q, q) = qq + rotation.tangent * std::abs(pq);
        at(p, q) = at(q, p) = 0;
        rotation.apply(vectors[p], vectors[q]);
      }
  }
  std::vector<int64_t> order(n);
  std::iota(order.begin(), order.end(), 0);
  llvm::stable_sort(order, [&](int64_t i, int64_t j) {
    return at(i, i).real() < at(j, j).real();
  });
  HermitianSpectrum result;
  for (int64_t i : order) {
    result.values.push_back(at(i, i).real());
    result.vectors.push_back(std::move(vectors[i]));
  }
  return result;
}

Complex cleave::graph::inner(const Column &v, const Column &w) {
  Complex sum = 0;
  for (auto [x, y] : llvm::zip_equal(v, w))
    sum += std::conj(x) * y;
  return sum;
}

SingularSpectrum cleave::graph::decompose(const Columns &a) {
  Columns w = a;
  auto n = static_cast<int64_t>(w.size());
  Columns v = identity(n);
  bool isDone = false;
  for (int sweep = 0; sweep < maxSweeps && !isDone; ++sweep) {
    isDone = true;
    for (int64_t p = 0; p < n; ++p)
      for (int64_t q = p + 1; q < n; ++q) {
        double pp = inner(w[p], w[p]).real(), qq = inner(w[q], w[q]).real();
        Complex pq = inner(w[p], w[q]);
        if (!(std::abs(pq) > 1e-15 * std::sqrt(pp * qq)))
          continue;
        isDone = false;
        Rotation rotation(pp, pq, qq);
        rotation.apply(w[p], w[q]);
        rotation.apply(v[p], v[q]);
      }
  }
  std::vector<double> norms;
  for (const Column &column : w)
    norms.push_back(std::sqrt(inner(column, column).real()));
  std::vector<int64_t> order(n);
  std::iota(order.begin(), order.end(), 0);
  llvm::stable_sort(order,
                    [&](int64_t i, int64_t j) { return norms[i] > norms[j]; });
  SingularSpectrum result;
  for (int64_t i : order) {
    result.values.push_back(norms[i]);
    result.v.push_back(std::move(v[i]));
    // What is left of a column in the null space has no direction.
    auto size = static_cast<double>(w[i].size());
    if (norms[i] > size * 0x1p-52 * norms[order[0]]) {
      for (Complex &x : w[i])
        x /= norms[i];
      result.u.push_back(std::move(w[i]));
    }
  }
  return result;
}

/// `factor` times the part of `vector` in a space.
static void addShare(ArrayRef<Column> space, const Column &vector,
                     double factor, Column &result) {
  for (const Column &basis : space) {
    Complex share = factor * inner(basis, vector);
    for (auto [x, y] : llvm::zip_equal(result, basis))
      x += share * y;
  }
}

Columns cleave::graph::projected(ArrayRef<Column> space,
                                 ArrayRef<Column> vectors) {
  Columns result;
  for (const Column &vector : vectors)
    addShare(space, vector, 1, result.emplace_back(vector.size()));
  return result;
}

Columns cleave::graph::projectedOut(ArrayRef<Column> space,
                                    ArrayRef<Column> vectors) {
  Columns result;
  for (const Column &vector : vectors)
    addShare(space, vector, -1, result.emplace_back(vector));
  return result;
}

Columns cleave::graph::orthonormalized(const Columns &vectors) {
  auto n = static_cast<int64_t>(vectors.size());
  std::vector<Complex> square(n * n);
  for (int64_t i = 0; i < n; ++i)
    for (int64_t j = 0; j < n; ++j)
      square[i * n + j] = inner(vectors[i], vectors[j]);
  HermitianSpectrum spectrum = diagonalize(square, n);
  Columns result;
  for (int64_t j = 0; j < n; ++j) {
    Column &column = result.emplace_back(vectors[j].size());
    for (int64_t i = 0; i < n; ++i) {
      Complex root = 0;
      for (int64_t k = 0; k < n; ++k)
        root += spectrum.vectors[k][i] * std::conj(spectrum.vectors[k][j]) /
                std::sqrt(spectrum.values[k]);
      for (size_t row = 0; row < column.size(); ++row)
        column[row] += vectors[i][row] * root;
    }
  }
  return result;
}

void cleave::graph::moveByRounding(const Evaluator &evaluator, Type element,
                                   MutableArrayRef<Complex> a, int64_t n,
                                   bool isReal) {
  if (evaluator.isExact())
    return;
  double largest = 0;
  for (Complex x : a)
    largest = std::max({largest, std::fabs(x.real()), std::fabs(x.imag())});
  // Independent roundings grow with the root of their number.
  double step = epsilonOfType(accumulationType(element)) * largest *
                (2 + std::sqrt(static_cast<double>(n)));
  // The sequence of Park and Miller, so that evaluation is repeatable.
  uint64_t state = 1;
  auto draw = [&] {
    state = state * 48271 % 2147483647;
    return step * (static_cast<double>(state) / 1073741823.5 - 1);
  };
  for (Complex &x : a) {
    x += draw();
    if (!isReal)
      x += Complex(0, draw());
  }
}
