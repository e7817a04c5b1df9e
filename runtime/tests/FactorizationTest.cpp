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

/// The product of what `householder_product` makes, n columns of it.
TestMatrix orthogonal(const TestMatrix &packed, const TestMatrix &taus,
                      bool isComplex) {
  TestMatrix q(packed.rows, packed.columns);
  MatrixCall(isComplex).in(packed).in(taus).out(q).run(
      cleave_rt_householder_product_f64,
      {packed.rows, packed.columns, taus.columns});
  return q;
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

/// Each column of `vectors` times its value.
TestMatrix scaled(TestMatrix vectors, const TestMatrix &values) {
  for (int64_t i = 0; i < vectors.rows; ++i)
    for (int64_t j = 0; j < vectors.columns; ++j)
      vectors(i, j) *= values(0, j);
  return vectors;
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

template <typename Test>
void forSizes(std::initializer_list<int64_t> sizes, Test test) {
  for (bool isComplex : {false, true})
    for (int64_t n : sizes) {
      SCOPED_TRACE(testing::Message() << n << " " << isComplex);
      test(n, isComplex);
    }
}

/// Of what only one triangle is read.
template <typename Test>
void forTriangles(std::initializer_list<int64_t> sizes, Test test) {
  for (bool isLower : {false, true})
    forSizes(sizes, [&](int64_t n, bool isComplex) {
      SCOPED_TRACE(testing::Message() << "lower " << isLower);
      test(n, isComplex, isLower);
    });
}

TEST(Factorization, LuOfPermutedRows) {
  forShapes([](int64_t m, int64_t n, bool isComplex) {
    TestMatrix a = TestMatrix::random(m, n, isComplex);
    int64_t k = std::min(m, n);
    TestMatrix factors(m, n), l(m, k);
    std::vector<int32_t> pivots(k, -1);
    MatrixCall(isComplex).in(a).out(factors).integers(pivots).run(
        cleave_rt_lu_f64, {m, n});
    for (int64_t i = 0; i < m; ++i)
      for (int64_t j = 0; j < std::min(i + 1, k); ++j) {
        l(i, j) = i == j ? 1 : factors(i, j);
        EXPECT_LE(std::fabs(l(i, j).real()), 1.5);
      }
    TestMatrix permuted = a;
    for (int64_t i = 0; i < k; ++i) {
      ASSERT_GE(pivots[i], i);
      ASSERT_LT(pivots[i], m);
      for (int64_t j = 0; j < n; ++j)
        std::swap(permuted(i, j), permuted(pivots[i], j));
    }
    EXPECT_LE((l * upper(factors).block(k, n)).distance(permuted), tolerance);
  });
}

TEST(Factorization, LuOfASingularMatrixEndsWithZero) {
  TestMatrix a(2, 2), factors(2, 2);
  a.data = {1, 2, 2, 4};
  std::vector<int32_t> pivots = {-1, -1};
  MatrixCall(false).in(a).out(factors).integers(pivots).run(cleave_rt_lu_f64,
                                                            {2, 2});
  EXPECT_EQ(pivots, (std::vector<int32_t>{1, 1}));
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
    int64_t k = std::min(m, n);
    TestMatrix packed(m, n), taus(1, k);
    MatrixCall(isComplex).in(a).out(packed).out(taus).run(cleave_rt_qr_f64,
                                                          {m, n});
    TestMatrix q = orthogonal(packed.block(m, k), taus, isComplex);
    expectOrthonormal(q);
    EXPECT_LE((q * upper(packed).block(k, n)).distance(a), tolerance);
  });
}

TEST(Factorization, PivotedQrOrdersColumns) {
  forShapes([](int64_t m, int64_t n, bool isComplex) {
    TestMatrix a = TestMatrix::random(m, n, isComplex);
    int64_t k = std::min(m, n);
    std::vector<int32_t> front(n, 0), order(n, -1);
    // The last column is to be the first.
    front[n - 1] = 5;
    TestMatrix packed(m, n), taus(1, k), ordered(m, n);
    MatrixCall(isComplex)
        .in(a)
        .integers(front)
        .out(packed)
        .integers(order)
        .out(taus)
        .run(cleave_rt_pivoted_qr_f64, {m, n});
    EXPECT_EQ(order[0], n - 1);
    for (int64_t i = 0; i < m; ++i)
      for (int64_t j = 0; j < n; ++j)
        ordered(i, j) = a(i, order[j]);
    TestMatrix q = orthogonal(packed.block(m, k), taus, isComplex);
    EXPECT_LE((q * upper(packed).block(k, n)).distance(ordered), tolerance);
    for (int64_t i = 2; i < k; ++i)
      EXPECT_LE(std::abs(packed(i, i)), std::abs(packed(i - 1, i - 1)) + 1e-9);
  });
}

TEST(Factorization, Hessenberg) {
  forSizes({1, 2, 6, 50}, [](int64_t n, bool isComplex) {
    TestMatrix a = TestMatrix::random(n, n, isComplex);
    TestMatrix packed(n, n), taus(1, n - 1);
    MatrixCall(isComplex).in(a).out(packed).out(taus).run(
        cleave_rt_hessenberg_f64, {n});
    // The reflections leave the first row alone.
    TestMatrix inner(n - 1, n - 1), q = TestMatrix::identity(n);
    for (int64_t i = 0; i + 1 < n; ++i)
      for (int64_t j = 0; j < i; ++j)
        inner(i, j) = packed(i + 1, j);
    if (n > 1) {
      TestMatrix product = orthogonal(inner, taus, isComplex);
      for (int64_t i = 0; i + 1 < n; ++i)
        for (int64_t j = 0; j + 1 < n; ++j)
          q(i + 1, j + 1) = product(i, j);
    }
    expectOrthonormal(q);
    EXPECT_LE((q * upper(packed, 1) * q.adjoint()).distance(a), tolerance);
  });
}

TEST(Factorization, TridiagonalHasTheEigenvaluesOfTheMatrix) {
  forTriangles({1, 2, 6, 50}, [](int64_t n, bool isComplex, bool isLower) {
    TestMatrix a = hermitian(n, isComplex);
    TestMatrix packed(n, n), d(1, n), e(1, n - 1), taus(1, n - 1), t(n, n);
    MatrixCall(isComplex)
        .in(withGarbage(a, isLower))
        .out(packed)
        .realOut(d)
        .realOut(e)
        .out(taus)
        .run(cleave_rt_tridiagonal_f64, {n, isLower});
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
  });
}

TEST(Factorization, TridiagonalSolve) {
  forSizes({9}, [](int64_t n, bool isComplex) {
    int64_t columns = 4;
    TestMatrix x = TestMatrix::random(n, columns, isComplex), t(n, n);
    TestMatrix below = TestMatrix::random(1, n, isComplex);
    TestMatrix diagonal = TestMatrix::random(1, n, isComplex);
    TestMatrix above = TestMatrix::random(1, n, isComplex);
    for (int64_t i = 0; i < n; ++i) {
      t(i, i) = diagonal(0, i);
      if (i > 0)
        t(i, i - 1) = below(0, i);
      if (i + 1 < n)
        t(i, i + 1) = above(0, i);
    }
    TestMatrix solution(n, columns);
    MatrixCall(isComplex)
        .in(below)
        .in(diagonal)
        .in(above)
        .in(t * x)
        .out(solution)
        .run(cleave_rt_tridiagonal_solve_f64, {n, columns});
    EXPECT_LE(solution.distance(x), 1e-10);
  });
}

TEST(Spectra, Eigh) {
  forTriangles({1, 2, 6, 60}, [](int64_t n, bool isComplex, bool isLower) {
    TestMatrix a = hermitian(n, isComplex), v(n, n), w(1, n);
    MatrixCall(isComplex)
        .in(withGarbage(a, isLower))
        .out(v)
        .realOut(w)
        .run(cleave_rt_eigh_f64, {n, isLower});
    for (int64_t i = 1; i < n; ++i)
      EXPECT_LE(w(0, i - 1).real(), w(0, i).real());
    expectOrthonormal(v);
    EXPECT_LE((a * v).distance(scaled(v, w)), tolerance);
  });
}

TEST(Spectra, SvdInAllForms) {
  forShapes([](int64_t m, int64_t n, bool isComplex) {
    for (bool isFull : {false, true}) {
      TestMatrix a = TestMatrix::random(m, n, isComplex);
      int64_t k = std::min(m, n);
      TestMatrix s(1, k), u(m, isFull ? m : k), vh(isFull ? n : k, n);
      MatrixCall(isComplex).in(a).realOut(s).out(u).out(vh).run(
          cleave_rt_svd_f64, {m, n, isFull, 0});
      expectOrthonormal(u);
      expectOrthonormal(vh.adjoint());
      EXPECT_LE((scaled(u.block(m, k), s) * vh.block(k, n)).distance(a),
                tolerance);
      for (int64_t i = 1; i < k; ++i)
        EXPECT_GE(s(0, i - 1).real(), s(0, i).real());
      TestMatrix values(1, k);
      MatrixCall(isComplex).in(a).realOut(values).run(cleave_rt_svd_f64,
                                                      {m, n, 0, 1});
      EXPECT_LE(values.distance(s), tolerance);
    }
  });
}

TEST(Spectra, EigFromBothSides) {
  forSizes({1, 2, 7, 30}, [](int64_t n, bool isComplex) {
    TestMatrix a = TestMatrix::random(n, n, isComplex);
    TestMatrix w(1, n), left(n, n), right(n, n);
    MatrixCall(isComplex)
        .in(a)
        .complexOut(w)
        .complexOut(left)
        .complexOut(right)
        .run(cleave_rt_eig_f64, {n, 1, 1});
    EXPECT_LE((a * right).distance(scaled(right, w)), tolerance);
    TestMatrix scaledLeft = left.adjoint();
    for (int64_t i = 0; i < n; ++i)
      for (int64_t j = 0; j < n; ++j)
        scaledLeft(i, j) *= w(0, i);
    EXPECT_LE((left.adjoint() * a).distance(scaledLeft), tolerance);
  });
}

TEST(Spectra, Schur) {
  forSizes({1, 2, 7, 30}, [](int64_t n, bool isComplex) {
    TestMatrix a = TestMatrix::random(n, n, isComplex), t(n, n), q(n, n);
    MatrixCall(isComplex).in(a).out(t).out(q).run(cleave_rt_schur_f64, {n});
    expectOrthonormal(q);
    EXPECT_EQ(upper(t, isComplex ? 0 : 1).data, t.data);
    EXPECT_LE((q * t * q.adjoint()).distance(a), tolerance);
  });
}

TEST(Spectra, NaNForWhatIsNotFinite) {
  for (double x : {double(NAN), double(INFINITY)}) {
    TestMatrix a = TestMatrix::identity(3);
    a(1, 0) = x;
    auto expectNaN = [&](cleave_rt_library_function function,
                         std::vector<int64_t> numbers,
                         std::vector<int64_t> sizes) {
      MatrixCall call(false);
      call.in(a);
      std::deque<TestMatrix> results;
      for (int64_t size : sizes)
        call.out(results.emplace_back(1, size));
      call.run(function, std::move(numbers));
      for (const TestMatrix &result : results)
        for (Complex y : result.data)
          EXPECT_TRUE(std::isnan(y.real()));
    };
    expectNaN(cleave_rt_eigh_f64, {3, 1}, {9, 3});
    expectNaN(cleave_rt_svd_f64, {3, 3, 0, 0}, {3, 9, 9});
    expectNaN(cleave_rt_eig_f64, {3, 0, 1}, {3, 3, 9, 9});
    expectNaN(cleave_rt_schur_f64, {3}, {9, 9});
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
