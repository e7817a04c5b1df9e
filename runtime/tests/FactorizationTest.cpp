//===- FactorizationTest.cpp - Factors and spectra ------------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Factors have the form that they should have, and multiply to the matrix; all
// in f64, where errors are a few epsilon times the size.
//
//===----------------------------------------------------------------------===//

#include "runtime/tests/MatrixBuffers.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace cleave::rt;

namespace {

constexpr double tolerance = 1e-12;

int64_t parts(bool isComplex) { return isComplex ? 2 : 1; }

/// The product of what `householder_product` makes, n columns of it.
TestMatrix orthogonal(const TestMatrix &packed, const TestMatrix &taus,
                      bool isComplex) {
  MatrixCall call;
  call.add(packed, isComplex);
  call.add(taus, isComplex);
  call.addResult(packed.rows, packed.columns, isComplex);
  call.run(cleave_rt_householder_product_f64,
           {parts(isComplex), packed.rows, packed.columns, taus.columns});
  return call.result(2 * parts(isComplex), packed.rows, packed.columns,
                     isComplex);
}

void expectOrthonormal(const TestMatrix &q) {
  EXPECT_LE((q.adjoint() * q).distance(TestMatrix::identity(q.columns)),
            tolerance);
}

TestMatrix upper(TestMatrix a, int64_t below = 0) {
  for (int64_t i = 0; i < a.rows; ++i)
    for (int64_t j = 0; j < a.columns; ++j)
      if (i > j + below)
        a(i, j) = 0;
  return a;
}

TestMatrix hermitian(int64_t n, bool isComplex) {
  TestMatrix a = TestMatrix::random(n, n, isComplex), adjoint = a.adjoint();
  for (size_t i = 0; i < a.data.size(); ++i)
    a.data[i] += adjoint.data[i];
  return a;
}

/// Only one triangle is read: the other may hold anything.
TestMatrix withGarbage(TestMatrix a, bool isLower) {
  for (int64_t i = 0; i < a.rows; ++i)
    for (int64_t j = 0; j < a.columns; ++j)
      if (isLower ? i < j : i > j)
        a(i, j) = {NAN, NAN};
  return a;
}

template <typename Test> void forShapes(Test test) {
  for (bool isComplex : {false, true})
    for (auto [m, n] : {std::pair<int64_t, int64_t>{1, 1},
                        {5, 5},
                        {7, 3},
                        {3, 7},
                        {70, 40},
                        {40, 70}}) {
      SCOPED_TRACE(testing::Message() << m << " x " << n << " " << isComplex);
      test(m, n, isComplex);
    }
}

TEST(Factorization, LuOfPermutedRows) {
  forShapes([](int64_t m, int64_t n, bool isComplex) {
    TestMatrix a = TestMatrix::random(m, n, isComplex);
    int64_t k = std::min(m, n), p = parts(isComplex);
    MatrixCall call;
    call.add(a, isComplex);
    call.addResult(m, n, isComplex);
    call.addIntegers(std::vector<int32_t>(k, -1));
    call.run(cleave_rt_lu_f64, {p, m, n});
    TestMatrix factors = call.result(p, m, n, isComplex), l(m, k);
    for (int64_t i = 0; i < m; ++i)
      for (int64_t j = 0; j < std::min(i + 1, k); ++j) {
        l(i, j) = i == j ? 1 : factors(i, j);
        EXPECT_LE(std::fabs(l(i, j).real()), 1.5);
      }
    TestMatrix permuted = a;
    for (int64_t i = 0; i < k; ++i) {
      ASSERT_GE(call.integers[i], i);
      ASSERT_LT(call.integers[i], m);
      for (int64_t j = 0; j < n; ++j)
        std::swap(permuted(i, j), permuted(call.integers[i], j));
    }
    EXPECT_LE((l * upper(factors).block(k, n)).distance(permuted), tolerance);
  });
}

TEST(Factorization, LuOfASingularMatrixEndsWithZero) {
  MatrixCall call;
  TestMatrix a(2, 2);
  a.data = {1, 2, 2, 4};
  call.add(a, false);
  call.addResult(2, 2, false);
  call.addIntegers({-1, -1});
  call.run(cleave_rt_lu_f64, {1, 2, 2});
  EXPECT_EQ(call.integers, (std::vector<int32_t>{1, 1}));
  TestMatrix factors = call.result(1, 2, 2, false);
  EXPECT_EQ(factors.data, (std::vector<Complex>{2, 4, 0.5, 0}));
}

TEST(Factorization, PivotsToPermutation) {
  std::vector<int32_t> pivots = {2, 2, 2, 9, -1}, order(6);
  // What is out of range, as in padding, exchanges nothing.
  void *buffers[] = {pivots.data(), order.data()};
  int64_t numbers[] = {5, 6};
  cleave_rt_pivots_to_permutation_i32(buffers, numbers, 0, 1);
  EXPECT_EQ(order, (std::vector<int32_t>{2, 0, 1, 3, 4, 5}));
}

TEST(Factorization, Qr) {
  forShapes([](int64_t m, int64_t n, bool isComplex) {
    TestMatrix a = TestMatrix::random(m, n, isComplex);
    int64_t k = std::min(m, n), p = parts(isComplex);
    MatrixCall call;
    call.add(a, isComplex);
    call.addResult(m, n, isComplex);
    call.addResult(1, k, isComplex);
    call.run(cleave_rt_qr_f64, {p, m, n});
    TestMatrix packed = call.result(p, m, n, isComplex);
    TestMatrix q = orthogonal(packed.block(m, k),
                              call.result(2 * p, 1, k, isComplex), isComplex);
    expectOrthonormal(q);
    EXPECT_LE((q * upper(packed).block(k, n)).distance(a), tolerance);
  });
}

TEST(Factorization, PivotedQrOrdersColumns) {
  forShapes([](int64_t m, int64_t n, bool isComplex) {
    TestMatrix a = TestMatrix::random(m, n, isComplex);
    int64_t k = std::min(m, n), p = parts(isComplex);
    std::vector<int32_t> buffer(n, 0), order(n, -1);
    // The last column is to be the first.
    buffer[n - 1] = 5;
    std::vector<std::vector<double>> numbers;
    auto add = [&](const TestMatrix &matrix) {
      for (int part = 0; part < p; ++part) {
        numbers.emplace_back();
        for (Complex x : matrix.data)
          numbers.back().push_back(part == 0 ? x.real() : x.imag());
      }
    };
    add(a);
    add(TestMatrix(m, n));
    add(TestMatrix(1, k));
    std::vector<void *> pointers;
    for (auto &values : numbers)
      pointers.push_back(values.data());
    pointers.insert(pointers.begin() + 2 * p, order.data());
    pointers.insert(pointers.begin() + p, buffer.data());
    int64_t sizes[] = {p, m, n};
    cleave_rt_pivoted_qr_f64(pointers.data(), sizes, 0, 1);
    auto result = [&](int at, int64_t rows, int64_t columns) {
      TestMatrix matrix(rows, columns);
      for (size_t i = 0; i < matrix.data.size(); ++i)
        matrix.data[i] = {numbers[at][i], p == 2 ? numbers[at + 1][i] : 0};
      return matrix;
    };
    TestMatrix packed = result(p, m, n), ordered(m, n);
    EXPECT_EQ(order[0], n - 1);
    for (int64_t i = 0; i < m; ++i)
      for (int64_t j = 0; j < n; ++j)
        ordered(i, j) = a(i, order[j]);
    TestMatrix q =
        orthogonal(packed.block(m, k), result(2 * p, 1, k), isComplex);
    EXPECT_LE((q * upper(packed).block(k, n)).distance(ordered), tolerance);
    for (int64_t i = 2; i < k; ++i)
      EXPECT_LE(std::abs(packed(i, i)), std::abs(packed(i - 1, i - 1)) + 1e-9);
  });
}

TEST(Factorization, Hessenberg) {
  for (bool isComplex : {false, true})
    for (int64_t n : {1, 2, 6, 50}) {
      TestMatrix a = TestMatrix::random(n, n, isComplex);
      int64_t p = parts(isComplex);
      MatrixCall call;
      call.add(a, isComplex);
      call.addResult(n, n, isComplex);
      call.addResult(1, n - 1, isComplex);
      call.run(cleave_rt_hessenberg_f64, {p, n});
      TestMatrix packed = call.result(p, n, n, isComplex);
      // The reflections leave the first row alone.
      TestMatrix inner(n - 1, n - 1), q = TestMatrix::identity(n);
      for (int64_t i = 0; i + 1 < n; ++i)
        for (int64_t j = 0; j < i; ++j)
          inner(i, j) = packed(i + 1, j);
      TestMatrix tau = call.result(2 * p, 1, n - 1, isComplex);
      if (n > 1) {
        TestMatrix product = orthogonal(inner, tau, isComplex);
        for (int64_t i = 0; i + 1 < n; ++i)
          for (int64_t j = 0; j + 1 < n; ++j)
            q(i + 1, j + 1) = product(i, j);
      }
      expectOrthonormal(q);
      EXPECT_LE((q * upper(packed, 1) * q.adjoint()).distance(a), tolerance);
    }
}

TEST(Factorization, TridiagonalHasTheEigenvaluesOfTheMatrix) {
  for (bool isComplex : {false, true})
    for (bool isLower : {false, true})
      for (int64_t n : {1, 2, 6, 50}) {
        TestMatrix a = hermitian(n, isComplex);
        int64_t p = parts(isComplex);
        MatrixCall call;
        call.add(withGarbage(a, isLower), isComplex);
        call.addResult(n, n, isComplex);
        call.addResult(1, n, false);
        call.addResult(1, n - 1, false);
        call.addResult(1, n - 1, isComplex);
        call.run(cleave_rt_tridiagonal_f64, {p, n, isLower});
        TestMatrix d = call.result(2 * p, 1, n, false);
        TestMatrix e = call.result(2 * p + 1, 1, n - 1, false), t(n, n);
        for (int64_t i = 0; i < n; ++i) {
          t(i, i) = d(0, i);
          if (i + 1 < n)
            t(i, i + 1) = t(i + 1, i) = e(0, i);
        }
        // Traces of T and of its square are those of A.
        TestMatrix a2 = a * a, t2 = t * t;
        Complex trace = 0, square = 0;
        for (int64_t i = 0; i < n; ++i) {
          trace += a(i, i) - t(i, i);
          square += a2(i, i) - t2(i, i);
        }
        EXPECT_LE(std::abs(trace), tolerance * n);
        EXPECT_LE(std::abs(square), tolerance * n * n);
      }
}

TEST(Factorization, TridiagonalSolve) {
  for (bool isComplex : {false, true}) {
    int64_t n = 9, columns = 4, p = parts(isComplex);
    TestMatrix x = TestMatrix::random(n, columns, isComplex), t(n, n);
    TestMatrix lines = TestMatrix::random(3, n, isComplex);
    for (int64_t i = 0; i < n; ++i) {
      t(i, i) = lines(1, i);
      if (i > 0)
        t(i, i - 1) = lines(0, i);
      if (i + 1 < n)
        t(i, i + 1) = lines(2, i);
    }
    MatrixCall call;
    for (int64_t i = 0; i < 3; ++i) {
      TestMatrix line(1, n);
      for (int64_t j = 0; j < n; ++j)
        line(0, j) = lines(i, j);
      call.add(line, isComplex);
    }
    call.add(t * x, isComplex);
    call.addResult(n, columns, isComplex);
    call.run(cleave_rt_tridiagonal_solve_f64, {p, n, columns});
    EXPECT_LE(call.result(4 * p, n, columns, isComplex).distance(x), 1e-10);
  }
}

TEST(Spectra, Eigh) {
  for (bool isComplex : {false, true})
    for (bool isLower : {false, true})
      for (int64_t n : {1, 2, 6, 60}) {
        TestMatrix a = hermitian(n, isComplex);
        int64_t p = parts(isComplex);
        MatrixCall call;
        call.add(withGarbage(a, isLower), isComplex);
        call.addResult(n, n, isComplex);
        call.addResult(1, n, false);
        call.run(cleave_rt_eigh_f64, {p, n, isLower});
        TestMatrix v = call.result(p, n, n, isComplex);
        TestMatrix w = call.result(2 * p, 1, n, false), scaled = v;
        for (int64_t i = 0; i < n; ++i)
          for (int64_t j = 0; j < n; ++j)
            scaled(i, j) *= w(0, j);
        for (int64_t i = 1; i < n; ++i)
          EXPECT_LE(w(0, i - 1).real(), w(0, i).real());
        expectOrthonormal(v);
        EXPECT_LE((a * v).distance(scaled), tolerance);
      }
}

TEST(Spectra, SvdInAllForms) {
  forShapes([](int64_t m, int64_t n, bool isComplex) {
    for (bool isFull : {false, true}) {
      TestMatrix a = TestMatrix::random(m, n, isComplex);
      int64_t k = std::min(m, n), p = parts(isComplex);
      int64_t columns = isFull ? m : k, rows = isFull ? n : k;
      MatrixCall call;
      call.add(a, isComplex);
      call.addResult(1, k, false);
      call.addResult(m, columns, isComplex);
      call.addResult(rows, n, isComplex);
      call.run(cleave_rt_svd_f64, {p, m, n, isFull, 0});
      TestMatrix s = call.result(p, 1, k, false);
      TestMatrix u = call.result(p + 1, m, columns, isComplex);
      TestMatrix vh = call.result(2 * p + 1, rows, n, isComplex);
      expectOrthonormal(u);
      expectOrthonormal(vh.adjoint());
      TestMatrix scaled = u.block(m, k);
      for (int64_t i = 0; i < m; ++i)
        for (int64_t j = 0; j < k; ++j)
          scaled(i, j) *= s(0, j);
      EXPECT_LE((scaled * vh.block(k, n)).distance(a), tolerance);
      for (int64_t i = 1; i < k; ++i)
        EXPECT_GE(s(0, i - 1).real(), s(0, i).real());
      MatrixCall values;
      values.add(a, isComplex);
      values.addResult(1, k, false);
      values.run(cleave_rt_svd_f64, {p, m, n, 0, 1});
      EXPECT_LE(values.result(p, 1, k, false).distance(s), tolerance);
    }
  });
}

TEST(Spectra, EigFromBothSides) {
  for (bool isComplex : {false, true})
    for (int64_t n : {1, 2, 7, 30}) {
      TestMatrix a = TestMatrix::random(n, n, isComplex);
      int64_t p = parts(isComplex);
      MatrixCall call;
      call.add(a, isComplex);
      call.addResult(1, n, true);
      call.addResult(n, n, true);
      call.addResult(n, n, true);
      call.run(cleave_rt_eig_f64, {p, n, 1, 1});
      TestMatrix w = call.result(p, 1, n, true);
      TestMatrix left = call.result(p + 2, n, n, true);
      TestMatrix right = call.result(p + 4, n, n, true), scaled = right;
      TestMatrix scaledLeft = left.adjoint();
      for (int64_t i = 0; i < n; ++i)
        for (int64_t j = 0; j < n; ++j) {
          scaled(i, j) *= w(0, j);
          scaledLeft(i, j) *= w(0, i);
        }
      EXPECT_LE((a * right).distance(scaled), tolerance);
      EXPECT_LE((left.adjoint() * a).distance(scaledLeft), tolerance);
    }
}

TEST(Spectra, Schur) {
  for (bool isComplex : {false, true})
    for (int64_t n : {1, 2, 7, 30}) {
      TestMatrix a = TestMatrix::random(n, n, isComplex);
      int64_t p = parts(isComplex);
      MatrixCall call;
      call.add(a, isComplex);
      call.addResult(n, n, isComplex);
      call.addResult(n, n, isComplex);
      call.run(cleave_rt_schur_f64, {p, n});
      TestMatrix t = call.result(p, n, n, isComplex);
      TestMatrix q = call.result(2 * p, n, n, isComplex);
      expectOrthonormal(q);
      EXPECT_EQ(upper(t, isComplex ? 0 : 1).data, t.data);
      EXPECT_LE((q * t * q.adjoint()).distance(a), tolerance);
    }
}

TEST(Spectra, NaNForWhatIsNotFinite) {
  for (double x : {double(NAN), double(INFINITY)}) {
    TestMatrix a = TestMatrix::identity(3);
    a(1, 0) = x;
    auto expectNaN = [&](cleave_rt_library_function function,
                         std::vector<int64_t> numbers,
                         std::vector<int64_t> sizes) {
      MatrixCall call;
      call.add(a, false);
      for (int64_t size : sizes)
        call.addResult(1, size, false);
      call.run(function, std::move(numbers));
      for (size_t i = 0; i < sizes.size(); ++i)
        for (Complex y : call.result(i + 1, 1, sizes[i], false).data)
          EXPECT_TRUE(std::isnan(y.real()));
    };
    expectNaN(cleave_rt_eigh_f64, {1, 3, 1}, {9, 3});
    expectNaN(cleave_rt_svd_f64, {1, 3, 3, 0, 0}, {3, 9, 9});
    expectNaN(cleave_rt_eig_f64, {1, 3, 0, 1}, {3, 3, 9, 9});
    expectNaN(cleave_rt_schur_f64, {1, 3}, {9, 9});
  }
}

TEST(Factorization, EmptyMatrices) {
  void *none[8] = {};
  int64_t numbers[] = {1, 0, 0, 0, 0};
  for (cleave_rt_library_function function :
       {cleave_rt_lu_f32, cleave_rt_qr_f32, cleave_rt_pivoted_qr_f32,
        cleave_rt_householder_product_f32, cleave_rt_hessenberg_f32,
        cleave_rt_tridiagonal_f32, cleave_rt_tridiagonal_solve_f32,
        cleave_rt_eigh_f32, cleave_rt_svd_f32, cleave_rt_eig_f32,
        cleave_rt_schur_f32})
    function(none, numbers, 0, 3);
}
} // namespace
