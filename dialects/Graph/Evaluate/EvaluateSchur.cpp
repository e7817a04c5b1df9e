//===- EvaluateSchur.cpp - Reference semantics of eig and schur -----------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// By the QR iteration with shifts on all of the complex matrix, one eigenvalue
// after the other (Golub and Van Loan, Matrix Computations, section 7.5), and
// exchanges of neighbours (7.6.2) into the order of the library, from which
// factors of modulus 1 come, too.
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/Evaluate/LibraryGuide.h"
#include "dialects/Graph/Evaluate/Spectra.h"
#include "dialects/Graph/GraphBuilders.h"
#include <cmath>

using namespace mlir;
using namespace cleave::graph;

namespace {
/// A = Q T Q^H, T upper triangular.
struct Schur {
  int64_t n;
  std::vector<Complex> t;
  Columns q;

  Complex &at(int64_t i, int64_t j) { return t[i * n + j]; }
  Complex at(int64_t i, int64_t j) const { return t[i * n + j]; }

  /// The unitary change of rows and columns k and k + 1 that maps (x, y) in
  /// them to (r, 0).
  void rotate(int64_t k, Complex x, Complex y) {
    double norm = std::hypot(std::abs(x), std::abs(y));
    if (norm == 0)
      return;
    x /= norm;
    y /= norm;
    for (int64_t j = 0; j < n; ++j) {
      Complex a = at(k, j), b = at(k + 1, j);
      at(k, j) = std::conj(x) * a + std::conj(y) * b;
      at(k + 1, j) = -y * a + x * b;
    }
    auto turn = [&](Complex &a, Complex &b) {
      Complex old = a;
      a = x * old + y * b;
      b = -std::conj(y) * old + std::conj(x) * b;
    };
    for (int64_t i = 0; i < n; ++i)
      turn(at(i, k), at(i, k + 1));
    for (int64_t i = 0; i < n; ++i)
      turn(q[k][i], q[k + 1][i]);
  }

  /// Exchanges the eigenvalues at k and k + 1.
  void exchange(int64_t k) {
    rotate(k, at(k, k + 1), at(k + 1, k + 1) - at(k, k));
    at(k + 1, k) = 0;
  }
};
} // namespace

/// Makes all below the subdiagonal zero.
static void reduceToHessenberg(Schur &schur) {
  for (int64_t j = 0; j + 2 < schur.n; ++j)
    for (int64_t i = schur.n - 1; i > j + 1; --i)
      schur.rotate(i - 1, schur.at(i - 1, j), schur.at(i, j));
}

/// The eigenvalue of the last 2 x 2 block before `end` that is nearest to its
/// last element.
static Complex shiftOf(const Schur &schur, int64_t end) {
  Complex a = schur.at(end - 2, end - 2), b = schur.at(end - 2, end - 1);
  Complex c = schur.at(end - 1, end - 2), d = schur.at(end - 1, end - 1);
  Complex half = (a - d) / 2.0, root = std::sqrt(half * half + b * c);
  Complex first = d + half + root, second = d + half - root;
  return std::abs(first - d) < std::abs(second - d) ? first : second;
}

/// Fails, returning false, after far more steps than are ever needed.
static bool iterate(Schur &schur) {
  constexpr int maxSteps = 300;
  for (int64_t end = schur.n, steps = 0; end > 1;) {
    int64_t begin = end - 1;
    for (; begin > 0; --begin) {
      double around = std::abs(schur.at(begin, begin)) +
                      std::abs(schur.at(begin - 1, begin - 1));
      if (around == 0)
        around = 1;
      if (std::abs(schur.at(begin, begin - 1)) <= 0x1p-53 * around)
        break;
    }
    if (begin > 0)
      schur.at(begin, begin - 1) = 0;
    if (begin == end - 1) {
      --end;
      steps = 0;
      continue;
    }
    if (++steps > maxSteps)
      return false;
    // Now and then another shift, against cycles.
    Complex shift = steps % 10 == 0
                        ? Complex(std::abs(schur.at(end - 1, end - 2)) +
                                  std::abs(schur.at(end - 1, end - 1)))
                        : shiftOf(schur, end);
    schur.rotate(begin, schur.at(begin, begin) - shift,
                 schur.at(begin + 1, begin));
    for (int64_t k = begin + 1; k + 1 < end; ++k)
      schur.rotate(k, schur.at(k, k - 1), schur.at(k + 1, k - 1));
  }
  return true;
}

static FailureOr<Schur> schurOf(ArrayRef<Complex> a, int64_t n) {
  Schur schur = {n, a.vec(), Columns(n, Column(n))};
  for (int64_t i = 0; i < n; ++i)
    schur.q[i][i] = 1;
  reduceToHessenberg(schur);
  if (!iterate(schur))
    return failure();
  for (int64_t i = 0; i < n; ++i)
    for (int64_t j = 0; j < i; ++j)
      schur.at(i, j) = 0;
  return schur;
}

/// Brings the eigenvalues into the order of `values`, each to its nearest.
static void order(Schur &schur, ArrayRef<Complex> values) {
  for (int64_t k = 0; k < schur.n; ++k) {
    int64_t nearest = k;
    for (int64_t i = k + 1; i < schur.n; ++i)
      if (std::abs(schur.at(i, i) - values[k]) <
          std::abs(schur.at(nearest, nearest) - values[k]))
        nearest = i;
    for (; nearest > k; --nearest)
      schur.exchange(nearest - 1);
  }
}

static double frobenius(ArrayRef<Complex> a) {
  double sum = 0;
  for (Complex x : a)
    sum += std::norm(x);
  return std::sqrt(sum);
}

namespace {
/// A matrix as rounding leaves it.
struct Problem {
  std::vector<Complex> a;
  int64_t n;
  /// How far rounding moves eigenvalues.
  double tolerance;
};
} // namespace

static Problem problemOf(const Evaluator &evaluator, Type element,
                         ArrayRef<Complex> a, int64_t n, bool isReal) {
  Problem problem = {a.vec(), n, 0};
  moveByRounding(evaluator, element, problem.a, n, isReal);
  problem.tolerance = indistinct(n, epsilonOfType(accumulationType(element)),
                                 frobenius(problem.a));
  return problem;
}

static std::vector<Complex> adjointOf(ArrayRef<Complex> a, int64_t n) {
  std::vector<Complex> result(n * n);
  for (int64_t i = 0; i < n; ++i)
    for (int64_t j = 0; j < n; ++j)
      result[j * n + i] = std::conj(a[i * n + j]);
  return result;
}

//===----------------------------------------------------------------------===//
// Eigenvectors
//===----------------------------------------------------------------------===//

/// Right eigenvectors, of length 1.
static Columns eigenvectors(const Schur &schur) {
  int64_t n = schur.n;
  // Eigenvalues that are equal are taken to differ a little.
  double least = 0x1p-52 * frobenius(schur.t);
  Columns result;
  for (int64_t k = 0; k < n; ++k) {
    std::vector<Complex> x(n);
    x[k] = 1;
    for (int64_t i = k - 1; i >= 0; --i) {
      Complex sum = 0;
      for (int64_t j = i + 1; j <= k; ++j)
        sum -= schur.at(i, j) * x[j];
      Complex gap = schur.at(i, i) - schur.at(k, k);
      if (sum != 0.0)
        x[i] = sum / (std::abs(gap) < least ? least : gap);
    }
    Column &column = result.emplace_back(n);
    for (int64_t j = 0; j <= k; ++j)
      for (int64_t i = 0; i < n; ++i)
        column[i] += schur.q[j][i] * x[j];
    double norm = std::sqrt(inner(column, column).real());
    for (Complex &value : column)
      value /= norm;
  }
  return result;
}

/// Orthonormal vectors that span what `vectors` do, near enough.
static Columns spanOf(const Columns &vectors) {
  constexpr double independent = 1e-4;
  Columns result;
  for (const Column &vector : vectors) {
    Column rest = projectedOut(result, vector).front();
    if (std::sqrt(inner(rest, rest).real()) > independent)
      result.push_back(orthonormalized({rest}).front());
  }
  return result;
}

/// Of the eigenvectors to each eigenvalue those nearest to `guide`; real ones
/// for `realValues`.
static Columns nearestEigenvectors(const Schur &schur, const Columns &guide,
                                   double tolerance,
                                   ArrayRef<bool> realValues) {
  Columns vectors = eigenvectors(schur), result;
  for (int64_t k = 0; k < schur.n; ++k) {
    Columns equal;
    for (int64_t i = 0; i < schur.n; ++i)
      if (std::abs(schur.at(i, i) - schur.at(k, k)) <= tolerance)
        equal.push_back(vectors[i]);
    result.push_back(
        orthonormalized(projected(spanOf(equal), guide[k])).front());
    if (realValues[k])
      for (Complex &x : result.back())
        x.imag(0);
  }
  return result;
}

LogicalResult EigOp::evaluate(Evaluator &evaluator, ArrayRef<Literal> operands,
                              SmallVectorImpl<Literal> &results) {
  auto library = runLibraryKernel(*this, operands);
  if (failed(library))
    return failure();
  SmallVector<std::vector<Complex>> guides, all;
  for (unsigned i = 0; i < library->size(); i += 2) {
    guides.push_back(joinParts(ArrayRef(*library).slice(i, 2)));
    all.emplace_back();
  }
  std::vector<Complex> data = joinParts(operands);
  int64_t n = operands[0].shape().back(), matrix = 0;
  for (size_t at = 0; at < data.size(); at += n * n, ++matrix) {
    Problem problem =
        problemOf(evaluator, operands[0].elementType(),
                  ArrayRef(data).slice(at, n * n), n, operands.size() == 1);
    if (!isFinite(problem.a)) {
      for (auto [i, values] : llvm::enumerate(all))
        values.resize(values.size() + (i == 0 ? n : n * n), nanOfBoth);
      continue;
    }
    std::vector<Complex> values =
        ArrayRef(guides[0]).slice(matrix * n, n).vec();
    FailureOr<Schur> schur = schurOf(problem.a, n);
    if (failed(schur))
      return emitOpError("has eigenvalues that its reference does not find");
    order(*schur, values);
    // Iteration may leave the real numbers, with noise in what should be zero.
    SmallVector<bool> realValues;
    for (int64_t i = 0; i < n; ++i) {
      Complex value = schur->at(i, i);
      realValues.push_back(operands.size() == 1 && values[i].imag() == 0 &&
                           std::fabs(value.imag()) <= problem.tolerance);
      all[0].push_back(realValues.back() ? value.real() : value);
    }
    unsigned next = 1;
    auto append = [&](const Schur &schur) {
      Columns guide = columnsOf(ArrayRef(guides[next]).slice(at, n * n), n, n);
      appendRows(
          nearestEigenvectors(schur, guide, problem.tolerance, realValues), n,
          all[next++]);
    };
    if (getLeft()) {
      // Those of the adjoint, whose eigenvalues are conjugate.
      FailureOr<Schur> adjoint = schurOf(adjointOf(problem.a, n), n);
      if (failed(adjoint))
        return emitOpError("has eigenvalues that its reference does not find");
      for (Complex &value : values)
        value = std::conj(value);
      order(*adjoint, values);
      append(*adjoint);
    }
    if (getRight())
      append(*schur);
  }
  for (auto [i, values] : llvm::enumerate(all))
    splitParts(evaluator, values, TypeRange(getResultTypes()).slice(2 * i, 2),
               results);
  return success();
}

//===----------------------------------------------------------------------===//
// Schur forms
//===----------------------------------------------------------------------===//

/// Q^H A Q
static void transform(Schur &schur, ArrayRef<Complex> a) {
  int64_t n = schur.n;
  for (int64_t j = 0; j < n; ++j) {
    Column image(n);
    for (int64_t i = 0; i < n; ++i)
      for (int64_t k = 0; k < n; ++k)
        image[i] += a[i * n + k] * schur.q[j][k];
    for (int64_t i = 0; i < n; ++i)
      schur.at(i, j) = inner(schur.q[i], image);
  }
}

/// Turns two columns of Q so that the diagonal elements of T in them are equal.
static void equalizeDiagonal(Schur &schur, int64_t k) {
  double difference = (schur.at(k, k) - schur.at(k + 1, k + 1)).real();
  double sum = (schur.at(k, k + 1) + schur.at(k + 1, k)).real();
  if (sum == 0)
    return;
  double angle = std::atan(-difference / sum) / 2;
  double c = std::cos(angle), s = std::sin(angle);
  for (auto [x, y] : llvm::zip_equal(schur.q[k], schur.q[k + 1])) {
    Complex old = x;
    x = c * old + s * y;
    y = c * y - s * old;
  }
}

/// The decomposition nearest to that of the library, `t` and `q`, which is
/// real, with blocks where t has them, if `isReal`.
static FailureOr<Schur> nearestSchur(const Problem &problem,
                                     ArrayRef<Complex> t, const Columns &q,
                                     bool isReal) {
  int64_t n = problem.n;
  auto guide = [&](int64_t i, int64_t j) { return t[i * n + j]; };
  auto isPair = [&](int64_t i) {
    return isReal && i >= 0 && i + 1 < n && guide(i + 1, i) != 0.0;
  };
  std::vector<Complex> values(n);
  for (int64_t i = 0; i < n; ++i)
    values[i] = guide(i, i);
  for (int64_t i = 0; i < n; ++i)
    if (isPair(i)) {
      double imaginary = std::sqrt(std::abs(guide(i, i + 1) * guide(i + 1, i)));
      values[i].imag(imaginary);
      values[i + 1].imag(-imaginary);
    }
  FailureOr<Schur> schur = schurOf(problem.a, n);
  if (failed(schur))
    return failure();
  order(*schur, values);
  // A space for each run of neighbours that belong together.
  for (int64_t begin = 0, end; begin < n; begin = end) {
    end = begin + 1;
    while (end < n &&
           (isPair(end - 1) ||
            std::abs(schur->at(end, end) - schur->at(end - 1, end - 1)) <=
                problem.tolerance))
      ++end;
    int64_t size = end - begin;
    Columns basis = orthonormalized(projected(
        ArrayRef(schur->q).slice(begin, size), ArrayRef(q).slice(begin, size)));
    std::move(basis.begin(), basis.end(), schur->q.begin() + begin);
  }
  transform(*schur, problem.a);
  for (int64_t i = 0; i < n; ++i)
    if (isPair(i))
      equalizeDiagonal(*schur, i);
  transform(*schur, problem.a);
  for (int64_t i = 0; i < n; ++i)
    for (int64_t j = 0; j < i; ++j)
      if (j + 1 != i || !isPair(j))
        schur->at(i, j) = 0;
  return schur;
}

LogicalResult SchurOp::evaluate(Evaluator &evaluator,
                                ArrayRef<Literal> operands,
                                SmallVectorImpl<Literal> &results) {
  auto library = runLibraryKernel(*this, operands);
  if (failed(library))
    return failure();
  unsigned parts = operands.size();
  std::vector<Complex> guideT = joinParts(ArrayRef(*library).take_front(parts));
  std::vector<Complex> guideQ = joinParts(ArrayRef(*library).drop_front(parts));
  std::vector<Complex> data = joinParts(operands), ts, qs;
  int64_t n = operands[0].shape().back();
  for (size_t at = 0; at < data.size(); at += n * n) {
    Problem problem = problemOf(evaluator, operands[0].elementType(),
                                ArrayRef(data).slice(at, n * n), n, parts == 1);
    if (!isFinite(problem.a)) {
      ts.resize(at + n * n, nanOfBoth);
      qs.resize(at + n * n, nanOfBoth);
      continue;
    }
    FailureOr<Schur> schur = nearestSchur(
        problem, ArrayRef(guideT).slice(at, n * n),
        columnsOf(ArrayRef(guideQ).slice(at, n * n), n, n), parts == 1);
    if (failed(schur))
      return emitOpError("has eigenvalues that its reference does not find");
    llvm::append_range(ts, schur->t);
    appendRows(schur->q, n, qs);
  }
  splitParts(evaluator, ts, getT().getTypes(), results);
  splitParts(evaluator, qs, getQ().getTypes(), results);
  return success();
}
