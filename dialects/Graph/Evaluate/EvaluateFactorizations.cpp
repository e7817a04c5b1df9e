//===- EvaluateFactorizations.cpp - Reference semantics of factorizations -===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Elimination and reflections one column after the other, as in textbooks
// (Golub and Van Loan, Matrix Computations, chapters 3, 5, 7 and 8). Signs are
// LAPACK's: a reflection maps alpha to -sign(alpha) times a norm.
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/Evaluate/ComplexMatrices.h"
#include "dialects/Graph/GraphDialect.h"
#include <cmath>
#include <numeric>

using namespace mlir;
using namespace cleave::graph;

/// The measure of LAPACK for complex pivots.
static double magnitude(Complex x) {
  return std::fabs(x.real()) + std::fabs(x.imag());
}

static MutableArrayRef<Complex> range(std::vector<Complex> &data, size_t at,
                                      size_t size) {
  return MutableArrayRef(data).slice(at, size);
}

/// Whole numbers as a result of type `type`.
static Literal integers(Type type, ArrayRef<int64_t> values) {
  return Literal(cast<RankedTensorType>(type),
                 std::vector<int64_t>(values.begin(), values.end()));
}

//===----------------------------------------------------------------------===//
// LU
//===----------------------------------------------------------------------===//

static void factorizeLu(const Arithmetic &arithmetic, Matrix a, int64_t m,
                        int64_t n, int64_t *pivots) {
  for (int64_t k = 0; k < std::min(m, n); ++k) {
    int64_t pivot = k;
    for (int64_t i = k + 1; i < m; ++i)
      if (magnitude(a.get(i, k)) > magnitude(a.get(pivot, k)))
        pivot = i;
    pivots[k] = pivot;
    for (int64_t j = 0; j < n; ++j) {
      Complex x = a.get(k, j);
      a.set(k, j, a.get(pivot, j));
      a.set(pivot, j, x);
    }
    if (a.get(k, k) == 0.0)
      continue;
    for (int64_t i = k + 1; i < m; ++i) {
      a.set(i, k, arithmetic.over(a.get(i, k), a.get(k, k)));
      for (int64_t j = k + 1; j < n; ++j)
        a.set(i, j,
              arithmetic.minusProduct(a.get(i, j), a.get(i, k), a.get(k, j)));
    }
  }
}

LogicalResult LuOp::evaluate(Evaluator &evaluator, ArrayRef<Literal> operands,
                             SmallVectorImpl<Literal> &results) {
  std::vector<Complex> data = joinParts(operands);
  ArrayRef<int64_t> shape = operands[0].shape();
  int64_t m = shape[shape.size() - 2], n = shape.back(), k = std::min(m, n);
  Arithmetic arithmetic(evaluator, operands[0].elementType());
  std::vector<int64_t> pivots;
  for (size_t at = 0; at < data.size(); at += m * n) {
    pivots.resize(pivots.size() + k);
    int64_t *own = &pivots[pivots.size() - k];
    std::iota(own, own + k, 0);
    if (isFiniteElseNaN(range(data, at, m * n)))
      factorizeLu(arithmetic, {&data[at], n, 1}, m, n, own);
  }
  splitParts(evaluator, data, getFactors().getTypes(), results);
  results.push_back(integers(getPivots().getType(), pivots));
  return success();
}

LogicalResult
PivotsToPermutationOp::evaluate(Evaluator &, ArrayRef<Literal> operands,
                                SmallVectorImpl<Literal> &results) {
  auto type = getPermutation().getType();
  int64_t n = type.getShape().back();
  int64_t numPivots = operands[0].shape().back();
  std::vector<int64_t> order(type.getNumElements());
  for (int64_t at = 0, from = 0; at < type.getNumElements();
       at += n, from += numPivots) {
    std::iota(order.begin() + at, order.begin() + at + n, 0);
    for (int64_t row = 0; row < numPivots; ++row) {
      int64_t other = operands[0].ints()[from + row];
      if (other >= 0 && other < n)
        std::swap(order[at + row], order[at + other]);
    }
  }
  results.push_back(integers(type, order));
  return success();
}

//===----------------------------------------------------------------------===//
// Reflections
//===----------------------------------------------------------------------===//

namespace {
/// I - tau v v^H, whose adjoint maps the vector that it was made for to beta
/// times the first unit vector.
struct Reflection {
  std::vector<Complex> v;
  Complex tau = 0;
  double beta = 0;

  Reflection(const Arithmetic &arithmetic, std::vector<Complex> x)
      : v(std::move(x)) {
    Complex alpha = v[0];
    v[0] = 1;
    double rest = 0;
    for (size_t i = 1; i < v.size(); ++i)
      rest += std::norm(v[i]);
    beta = alpha.real();
    if (rest == 0 && alpha.imag() == 0)
      return;
    double norm = arithmetic.round(std::sqrt(std::norm(alpha) + rest));
    beta = std::signbit(alpha.real()) ? norm : -norm;
    tau = arithmetic.over(arithmetic.round(beta - alpha), beta);
    for (size_t i = 1; i < v.size(); ++i)
      v[i] = arithmetic.over(v[i], arithmetic.round(alpha - beta));
  }
  Reflection(std::vector<Complex> v, Complex tau) : v(std::move(v)), tau(tau) {}

  /// The rows from `row` on of columns [begin, end), times this (its adjoint
  /// if `adjoint`) from the left.
  void applyLeft(const Arithmetic &arithmetic, Matrix a, int64_t row,
                 int64_t begin, int64_t end, bool adjoint) const {
    for (int64_t j = begin; j < end; ++j) {
      Complex sum = 0;
      for (size_t i = 0; i < v.size(); ++i)
        sum = arithmetic.minusProduct(sum, -std::conj(v[i]), a.get(row + i, j));
      sum = arithmetic.times(adjoint ? std::conj(tau) : tau, sum);
      for (size_t i = 0; i < v.size(); ++i)
        a.set(row + i, j,
              arithmetic.minusProduct(a.get(row + i, j), sum, v[i]));
    }
  }
  /// The same from the right: on columns from `column` on of some rows.
  void applyRight(const Arithmetic &arithmetic, Matrix a, int64_t column,
                  int64_t begin, int64_t end) const {
    for (int64_t i = begin; i < end; ++i) {
      Complex sum = 0;
      for (size_t j = 0; j < v.size(); ++j)
        sum = arithmetic.minusProduct(sum, -v[j], a.get(i, column + j));
      sum = arithmetic.times(tau, sum);
      for (size_t j = 0; j < v.size(); ++j)
        a.set(i, column + j,
              arithmetic.minusProduct(a.get(i, column + j), sum,
                                      std::conj(v[j])));
    }
  }
  /// Both, on the rows and columns from `begin` on of a Hermitian matrix, by an
  /// update of rank two (section 8.3.1), which rounds more than one after the
  /// other.
  void applyBoth(const Arithmetic &arithmetic, Matrix a, int64_t begin) const {
    int64_t n = v.size();
    std::vector<Complex> w(n);
    Complex dot = 0;
    for (int64_t i = 0; i < n; ++i) {
      for (int64_t j = 0; j < n; ++j)
        w[i] =
            arithmetic.minusProduct(w[i], -a.get(begin + i, begin + j), v[j]);
      w[i] = arithmetic.times(tau, w[i]);
      dot = arithmetic.minusProduct(dot, -std::conj(w[i]), v[i]);
    }
    Complex half = arithmetic.times(-0.5 * tau, dot);
    for (int64_t i = 0; i < n; ++i)
      w[i] = arithmetic.minusProduct(w[i], -half, v[i]);
    for (int64_t i = 0; i < n; ++i)
      for (int64_t j = 0; j < n; ++j) {
        Complex x = a.get(begin + i, begin + j);
        x = arithmetic.minusProduct(x, v[i], std::conj(w[j]));
        x = arithmetic.minusProduct(x, w[i], std::conj(v[j]));
        a.set(begin + i, begin + j, x);
      }
  }
};
} // namespace

/// Rows [begin, end) of a column.
static std::vector<Complex> columnOf(Matrix a, int64_t column, int64_t begin,
                                     int64_t end) {
  std::vector<Complex> result;
  for (int64_t i = begin; i < end; ++i)
    result.push_back(a.get(i, column));
  return result;
}

/// Puts what is left of a column that was reflected into its place.
static void store(Matrix a, int64_t row, int64_t column,
                  const Reflection &reflection) {
  a.set(row, column, reflection.beta);
  for (size_t i = 1; i < reflection.v.size(); ++i)
    a.set(row + i, column, reflection.v[i]);
}

/// One step of a QR factorization.
static Complex reflectColumn(const Arithmetic &arithmetic, Matrix a, int64_t m,
                             int64_t n, int64_t k) {
  Reflection reflection(arithmetic, columnOf(a, k, k, m));
  reflection.applyLeft(arithmetic, a, k, k + 1, n, /*adjoint=*/true);
  store(a, k, k, reflection);
  return reflection.tau;
}

LogicalResult QrOp::evaluate(Evaluator &evaluator, ArrayRef<Literal> operands,
                             SmallVectorImpl<Literal> &results) {
  std::vector<Complex> data = joinParts(operands), taus;
  ArrayRef<int64_t> shape = operands[0].shape();
  int64_t m = shape[shape.size() - 2], n = shape.back();
  Arithmetic arithmetic(evaluator, operands[0].elementType());
  for (size_t at = 0; at < data.size(); at += m * n) {
    bool isNaN = !isFiniteElseNaN(range(data, at, m * n));
    for (int64_t k = 0; k < std::min(m, n); ++k)
      taus.push_back(
          isNaN ? nanOfBoth
                : reflectColumn(arithmetic, {&data[at], n, 1}, m, n, k));
  }
  splitParts(evaluator, data, getPacked().getTypes(), results);
  splitParts(evaluator, taus, getTaus().getTypes(), results);
  return success();
}

static void swapColumns(Matrix a, int64_t m, int64_t j, int64_t k) {
  for (int64_t i = 0; i < m; ++i) {
    Complex x = a.get(i, j);
    a.set(i, j, a.get(i, k));
    a.set(i, k, x);
  }
}

LogicalResult PivotedQrOp::evaluate(Evaluator &evaluator,
                                    ArrayRef<Literal> operands,
                                    SmallVectorImpl<Literal> &results) {
  std::vector<Complex> data = joinParts(operands.drop_back()), taus;
  ArrayRef<int64_t> shape = operands[0].shape();
  ArrayRef<int64_t> front = operands.back().ints();
  int64_t m = shape[shape.size() - 2], n = shape.back();
  Arithmetic arithmetic(evaluator, operands[0].elementType());
  std::vector<int64_t> order;
  for (size_t at = 0; at < front.size(); at += n) {
    for (int64_t j = 0; j < n; ++j)
      order.push_back(j);
    Matrix a = {data.data() + at * m, n, 1};
    auto exchange = [&](int64_t j, int64_t k) {
      swapColumns(a, m, j, k);
      std::swap(order[at + j], order[at + k]);
    };
    int64_t numFront = 0;
    for (int64_t j = 0; j < n; ++j)
      if (front[at + j] != 0)
        exchange(j, numFront++);
    if (!isFiniteElseNaN(range(data, at * m, m * n))) {
      taus.resize(taus.size() + std::min(m, n), nanOfBoth);
      continue;
    }
    for (int64_t k = 0; k < std::min(m, n); ++k) {
      double most = -1;
      int64_t pivot = k;
      for (int64_t j = k; j < n && k >= numFront; ++j) {
        double norm = 0;
        for (Complex x : columnOf(a, j, k, m))
          norm += std::norm(x);
        if (norm > most) {
          most = norm;
          pivot = j;
        }
      }
      exchange(k, pivot);
      taus.push_back(reflectColumn(arithmetic, a, m, n, k));
    }
  }
  splitParts(evaluator, data, getPacked().getTypes(), results);
  results.push_back(integers(getOrder().getType(), order));
  splitParts(evaluator, taus, getTaus().getTypes(), results);
  return success();
}

LogicalResult
HouseholderProductOp::evaluate(Evaluator &evaluator, ArrayRef<Literal> operands,
                               SmallVectorImpl<Literal> &results) {
  unsigned parts = operands.size() / 2;
  std::vector<Complex> data = joinParts(operands.take_front(parts));
  std::vector<Complex> taus = joinParts(operands.drop_front(parts));
  std::vector<Complex> product(data.size());
  ArrayRef<int64_t> shape = operands[0].shape();
  int64_t m = shape[shape.size() - 2], n = shape.back();
  int64_t k = operands[parts].shape().back();
  Arithmetic arithmetic(evaluator, operands[0].elementType());
  for (size_t matrix = 0; matrix * m * n < data.size(); ++matrix) {
    Matrix a = {&data[matrix * m * n], n, 1};
    Matrix q = {&product[matrix * m * n], n, 1};
    bool isNaN = !isFinite(range(taus, matrix * k, k));
    for (int64_t i = 0; i < k; ++i)
      isNaN |= !isFinite(columnOf(a, i, i + 1, m));
    if (isNaN) {
      llvm::fill(range(product, matrix * m * n, m * n), nanOfBoth);
      continue;
    }
    for (int64_t i = 0; i < n; ++i)
      q.set(i, i, 1);
    for (int64_t i = k - 1; i >= 0; --i) {
      std::vector<Complex> v = columnOf(a, i, i, m);
      v[0] = 1;
      Reflection(std::move(v), taus[matrix * k + i])
          .applyLeft(arithmetic, q, i, 0, n, /*adjoint=*/false);
    }
  }
  splitParts(evaluator, product, getResultTypes(), results);
  return success();
}

LogicalResult HessenbergOp::evaluate(Evaluator &evaluator,
                                     ArrayRef<Literal> operands,
                                     SmallVectorImpl<Literal> &results) {
  std::vector<Complex> data = joinParts(operands), taus;
  int64_t n = operands[0].shape().back();
  Arithmetic arithmetic(evaluator, operands[0].elementType());
  for (size_t at = 0; at < data.size(); at += n * n) {
    Matrix a = {&data[at], n, 1};
    if (!isFiniteElseNaN(range(data, at, n * n))) {
      taus.resize(taus.size() + n - 1, nanOfBoth);
      continue;
    }
    for (int64_t k = 0; k + 1 < n; ++k) {
      Reflection reflection(arithmetic, columnOf(a, k, k + 1, n));
      reflection.applyRight(arithmetic, a, k + 1, 0, n);
      reflection.applyLeft(arithmetic, a, k + 1, k + 1, n, /*adjoint=*/true);
      store(a, k + 1, k, reflection);
      taus.push_back(reflection.tau);
    }
  }
  splitParts(evaluator, data, getPacked().getTypes(), results);
  splitParts(evaluator, taus, getTaus().getTypes(), results);
  return success();
}

static bool isTriangleFinite(Matrix a, int64_t n) {
  return llvm::all_of(
      llvm::seq(n), [&](int64_t j) { return isFinite(columnOf(a, j, j, n)); });
}

/// Makes all of a Hermitian matrix from its lower triangle.
static std::vector<Complex> completed(Matrix a, int64_t n) {
  std::vector<Complex> result(n * n);
  for (int64_t i = 0; i < n; ++i)
    for (int64_t j = 0; j < n; ++j)
      result[i * n + j] = i == j  ? a.get(i, i).real()
                          : j < i ? a.get(i, j)
                                  : std::conj(a.get(j, i));
  return result;
}

LogicalResult TridiagonalOp::evaluate(Evaluator &evaluator,
                                      ArrayRef<Literal> operands,
                                      SmallVectorImpl<Literal> &results) {
  std::vector<Complex> data = joinParts(operands), diagonal, others, taus;
  int64_t n = operands[0].shape().back();
  Arithmetic arithmetic(evaluator, operands[0].elementType());
  for (size_t at = 0; at < data.size(); at += n * n) {
    // From the upper triangle the same is done from the other end: with rows
    // and columns backwards, what is above the diagonal is below it.
    Matrix packed = {&data[at], n, 1};
    if (!getLower())
      packed = {&data[at + n * n - 1], -n, -1};
    bool isNaN = !isTriangleFinite(packed, n);
    if (isNaN)
      llvm::fill(range(data, at, n * n), nanOfBoth);
    std::vector<Complex> all = completed(packed, n);
    Matrix a = {all.data(), n, 1};
    std::vector<Complex> off(n - 1, nanOfBoth), tau(n - 1, nanOfBoth);
    for (int64_t k = 0; !isNaN && k + 1 < n; ++k) {
      Reflection reflection(arithmetic, columnOf(a, k, k + 1, n));
      reflection.applyBoth(arithmetic, a, k + 1);
      store(packed, k + 1, k, reflection);
      int64_t place = getLower() ? k : n - 2 - k;
      off[place] = reflection.beta;
      tau[place] = reflection.tau;
    }
    for (int64_t i = 0; i < n && !isNaN; ++i)
      packed.set(i, i, a.get(i, i).real());
    for (int64_t i = 0; i < n; ++i)
      diagonal.push_back(data[at + i * (n + 1)]);
    llvm::append_range(others, off);
    llvm::append_range(taus, tau);
  }
  unsigned parts = operands.size();
  TypeRange types = getResultTypes();
  splitParts(evaluator, data, types.take_front(parts), results);
  splitParts(evaluator, diagonal, types.slice(parts, 1), results);
  splitParts(evaluator, others, types.slice(parts + 1, 1), results);
  splitParts(evaluator, taus, types.take_back(parts), results);
  return success();
}

//===----------------------------------------------------------------------===//
// Tridiagonal systems
//===----------------------------------------------------------------------===//

/// Solves by elimination in place; false if the matrix is singular or not
/// finite.
static bool solveTridiagonal(const Arithmetic &arithmetic, Complex *below,
                             Complex *on, Complex *above, Matrix b, int64_t n,
                             int64_t columns) {
  if (!isFinite({below + 1, static_cast<size_t>(n - 1)}) ||
      !isFinite({on, static_cast<size_t>(n)}) ||
      !isFinite({above, static_cast<size_t>(n - 1)}))
    return false;
  // An exchange of rows fills a second diagonal above.
  std::vector<Complex> second(n);
  for (int64_t j = 0; j < columns; ++j)
    if (!isFinite(columnOf(b, j, 0, n)))
      for (int64_t i = 0; i < n; ++i)
        b.set(i, j, nanOfBoth);
  for (int64_t i = 0; i + 1 < n; ++i) {
    if (magnitude(below[i + 1]) > magnitude(on[i])) {
      std::swap(on[i], below[i + 1]);
      std::swap(above[i], on[i + 1]);
      if (i + 2 < n)
        std::swap(second[i], above[i + 1]);
      for (int64_t j = 0; j < columns; ++j) {
        Complex x = b.get(i, j);
        b.set(i, j, b.get(i + 1, j));
        b.set(i + 1, j, x);
      }
    }
    if (on[i] == 0.0)
      return false;
    Complex factor = arithmetic.over(below[i + 1], on[i]);
    on[i + 1] = arithmetic.minusProduct(on[i + 1], factor, above[i]);
    if (i + 2 < n)
      above[i + 1] = arithmetic.minusProduct(above[i + 1], factor, second[i]);
    for (int64_t j = 0; j < columns; ++j)
      b.set(i + 1, j,
            arithmetic.minusProduct(b.get(i + 1, j), factor, b.get(i, j)));
  }
  if (on[n - 1] == 0.0)
    return false;
  for (int64_t j = 0; j < columns; ++j)
    for (int64_t i = n - 1; i >= 0; --i) {
      Complex x = b.get(i, j);
      if (i + 1 < n)
        x = arithmetic.minusProduct(x, above[i], b.get(i + 1, j));
      if (i + 2 < n)
        x = arithmetic.minusProduct(x, second[i], b.get(i + 2, j));
      b.set(i, j, arithmetic.over(x, on[i]));
    }
  return true;
}

LogicalResult TridiagonalSolveOp::evaluate(Evaluator &evaluator,
                                           ArrayRef<Literal> operands,
                                           SmallVectorImpl<Literal> &results) {
  unsigned parts = operands.size() / 4;
  std::vector<Complex> dl = joinParts(operands.slice(0, parts));
  std::vector<Complex> d = joinParts(operands.slice(parts, parts));
  std::vector<Complex> du = joinParts(operands.slice(2 * parts, parts));
  std::vector<Complex> bs = joinParts(operands.slice(3 * parts, parts));
  ArrayRef<int64_t> shape = operands[3 * parts].shape();
  int64_t n = shape[shape.size() - 2], columns = shape.back();
  Arithmetic arithmetic(evaluator, operands[0].elementType());
  for (size_t at = 0; !bs.empty() && at < d.size(); at += n) {
    bool isSolved =
        solveTridiagonal(arithmetic, &dl[at], &d[at], &du[at],
                         {&bs[at * columns], columns, 1}, n, columns);
    if (!isSolved)
      std::fill_n(bs.begin() + at * columns, n * columns, nanOfBoth);
  }
  splitParts(evaluator, bs, getResultTypes(), results);
  return success();
}
