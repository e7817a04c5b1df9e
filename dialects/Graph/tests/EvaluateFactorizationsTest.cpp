//===- EvaluateFactorizationsTest.cpp - Tests of factors and spectra ------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/Evaluate/LibraryGuide.h"
#include "dialects/Graph/tests/EvaluationTest.h"
#include <cmath>

using namespace mlir;
using namespace cleave::graph;

namespace {
using Floats = std::vector<double>;
using Ints = std::vector<int64_t>;

class FactorizationsTest : public EvaluationTest {
protected:
  ~FactorizationsTest() override { setLibraryLookup(nullptr); }

  /// All results of `op`, whose types are `types`.
  SmallVector<Literal> results(StringRef op, ArrayRef<StringRef> types,
                               ArrayRef<Literal> args,
                               Evaluator::Mode mode = Evaluator::Mode::Exact) {
    std::string text = "func.func @f(";
    llvm::raw_string_ostream os(text);
    for (auto [i, arg] : llvm::enumerate(args))
      os << (i ? ", %" : "%") << i << ": " << arg.type;
    os << ") -> (";
    llvm::interleaveComma(types, os);
    os << ") {\n  %r:" << types.size() << " = " << op << " : (";
    llvm::interleaveComma(args, os, [&](const Literal &x) { os << x.type; });
    os << ") -> (";
    llvm::interleaveComma(types, os);
    os << ")\n  return ";
    for (unsigned i = 0; i < types.size(); ++i)
      os << (i ? ", %r#" : "%r#") << i;
    os << " : ";
    llvm::interleaveComma(types, os);
    os << "\n}";
    return run(text, args, mode);
  }

  /// Makes the library give these numbers as the results of an op with one
  /// operand.
  static void guideBy(std::vector<Floats> numbers) {
    given = std::move(numbers);
    setLibraryLookup([](StringRef) -> LibraryFunction {
      return [](void *const *buffers, const int64_t *, int64_t, int64_t) {
        for (auto [i, values] : llvm::enumerate(given))
          llvm::copy(values, static_cast<double *>(buffers[1 + i]));
      };
    });
  }

  static std::vector<Floats> given;
};
std::vector<Floats> FactorizationsTest::given;

constexpr StringRef matrix = "tensor<2x2xf64>", vector = "tensor<2xf64>";
const double half = std::sqrt(0.5);

TEST_F(FactorizationsTest, LuExchangesRows) {
  auto lu = results("cleave.lu %0", {matrix, "tensor<2xi32>"},
                    {tensor(matrix, Floats{1, 2, 3, 4})});
  expectNear(lu[0].floats(), {3, 4, 1.0 / 3, 2.0 / 3});
  EXPECT_EQ(lu[1].ints().vec(), (Ints{1, 1}));
  // Of equal numbers the first is the pivot; one that is zero divides nothing.
  lu = results("cleave.lu %0", {"tensor<3x2xf64>", "tensor<2xi32>"},
               {tensor("tensor<3x2xf64>", Floats{0, 1, -2, 2, 2, -2})});
  expectNear(lu[0].floats(), {-2, 2, -0.0, 1, -1, 0});
  EXPECT_EQ(lu[1].ints().vec(), (Ints{1, 1}));
  lu = results("cleave.lu %0", {matrix, "tensor<2xi32>"},
               {tensor(matrix, Floats{0, 1, 0, 2})});
  expectNear(lu[0].floats(), {0, 1, 0, 2});
}

TEST_F(FactorizationsTest, ComplexPivotsAreMeasuredLikeLapackDoes) {
  // |2 + 2i| is less than 3, but 2 + 2 is more.
  auto lu = results(
      "cleave.lu %0, %1", {matrix, matrix, "tensor<2xi32>"},
      {tensor(matrix, Floats{3, 0, 2, 0}), tensor(matrix, Floats{0, 0, 2, 0})});
  EXPECT_EQ(lu[2].ints().vec(), (Ints{1, 1}));
  expectNear(lu[0].floats(), {2, 0, 0.75, 0});
  expectNear(lu[1].floats(), {2, 0, -0.75, 0});
}

TEST_F(FactorizationsTest, PivotsToPermutation) {
  EXPECT_EQ(ints("tensor<2x4xi32>",
                 "%r = cleave.pivots_to_permutation %0 : (tensor<2x2xi32>) -> "
                 "tensor<2x4xi32>",
                 {tensor("tensor<2x2xi32>", Ints{3, 2, 0, 9})}),
            (Ints{3, 2, 1, 0, 0, 1, 2, 3}));
}

TEST_F(FactorizationsTest, ReflectionsHaveTheSignsOfLapack) {
  auto qr = results("cleave.qr %0", {matrix, vector},
                    {tensor(matrix, Floats{3, 0, 4, 5})});
  expectNear(qr[0].floats(), {-5, -4, 0.5, 3});
  expectNear(qr[1].floats(), {1.6, 0});
  auto q =
      results("cleave.householder_product (%0) (%1)", {matrix}, {qr[0], qr[1]});
  expectNear(q[0].floats(), {-0.6, -0.8, -0.8, 0.6});
  // A column of a complex matrix is made real, even if it has one number.
  qr = results(
      "cleave.qr %0, %1",
      {"tensor<1x1xf64>", "tensor<1x1xf64>", "tensor<1xf64>", "tensor<1xf64>"},
      {tensor("tensor<1x1xf64>", Floats{3}),
       tensor("tensor<1x1xf64>", Floats{4})});
  expectNear(qr[0].floats(), {-5});
  expectNear(qr[1].floats(), {0});
  expectNear(qr[2].floats(), {1.6});
  expectNear(qr[3].floats(), {0.8});
}

TEST_F(FactorizationsTest, PivotedQrTakesLargeColumnsFirst) {
  auto types = {matrix, StringRef("tensor<2xi32>"), vector};
  Literal a = tensor(matrix, Floats{1, 3, 0, 4});
  auto qr = results("cleave.pivoted_qr (%0) front (%1)", types,
                    {a, tensor("tensor<2xi32>", Ints{0, 0})});
  EXPECT_EQ(qr[1].ints().vec(), (Ints{1, 0}));
  expectNear(qr[0].floats(), {-5, -0.6, 0.5, -0.8});
  qr = results("cleave.pivoted_qr (%0) front (%1)", types,
               {a, tensor("tensor<2xi32>", Ints{7, 0})});
  EXPECT_EQ(qr[1].ints().vec(), (Ints{0, 1}));
  expectNear(qr[0].floats(), {1, 3, 0, 4});
}

TEST_F(FactorizationsTest, Hessenberg) {
  auto h =
      results("cleave.hessenberg %0", {"tensor<3x3xf64>", vector},
              {tensor("tensor<3x3xf64>", Floats{1, 0, 0, 3, 1, 0, 4, 0, 2})});
  // Q = [[-0.6, -0.8], [-0.8, 0.6]] in rows and columns 1 and 2.
  expectNear(h[0].floats(), {1, 0, 0, -5, 1.64, -0.48, 0.5, -0.48, 1.36});
  expectNear(h[1].floats(), {1.6, 0});
}

TEST_F(FactorizationsTest, TridiagonalReadsOneTriangle) {
  StringRef type = "tensor<3x3xf64>";
  for (bool isLower : {true, false}) {
    // [[1, 3, 4], [3, 1, 0], [4, 0, 2]], from below or, backwards, from above.
    Literal a = isLower ? tensor(type, Floats{1, 9, 9, 3, 1, 9, 4, 0, 2})
                        : tensor(type, Floats{2, 0, 4, 9, 1, 3, 9, 9, 1});
    auto t = results(isLower ? "cleave.tridiagonal lower %0"
                             : "cleave.tridiagonal %0",
                     {type, "tensor<3xf64>", vector, vector}, {a});
    Floats d = {1, 1.64, 1.36}, e = {-5, -0.48}, tau = {1.6, 0};
    if (isLower) {
      expectNear(t[0].floats(), {1, 9, 9, -5, 1.64, 9, 0.5, -0.48, 1.36});
    } else {
      expectNear(t[0].floats(), {1.36, -0.48, 0.5, 9, 1.64, -5, 9, 9, 1});
      for (Floats *values : {&d, &e, &tau})
        std::reverse(values->begin(), values->end());
    }
    expectNear(t[1].floats(), d);
    expectNear(t[2].floats(), e);
    expectNear(t[3].floats(), tau);
  }
}

TEST_F(FactorizationsTest, TridiagonalSolveExchangesRows) {
  StringRef line = "tensor<3xf64>", right = "tensor<3x1xf64>";
  auto solve = [&](Floats d) {
    return results("cleave.tridiagonal_solve (%0) (%1) (%2) (%3)", {right},
                   {tensor(line, Floats{9, 2, 4}), tensor(line, std::move(d)),
                    tensor(line, Floats{1, 3, 9}),
                    tensor(right, Floats{2, 11, 23})})[0]
        .floats()
        .vec();
  };
  // [[0, 1, 0], [2, 0, 3], [0, 4, 5]] (1, 2, 3)
  expectNear(solve({0, 0, 5}), {1, 2, 3});
  // Rows 1 and 3 are multiples of (0, 1, 0).
  for (double x : solve({0, 0, 0}))
    EXPECT_TRUE(std::isnan(x));
}

//===----------------------------------------------------------------------===//
// Spectra
//===----------------------------------------------------------------------===//

TEST_F(FactorizationsTest, SpectraNeedALibrary) {
  func::FuncOp func =
      parse("func.func @f(%0: tensor<2x2xf64>) -> tensor<2xf64> { %v, %w = "
            "cleave.eigh lower %0 : (tensor<2x2xf64>) -> (tensor<2x2xf64>, "
            "tensor<2xf64>) return %w : tensor<2xf64> }");
  Evaluator evaluator;
  EXPECT_EQ(errorOf(func, evaluator, {tensor(matrix, Floats{1, 0, 0, 1})}),
            "'cleave.eigh' op can be evaluated only together with the library "
            "that says which of its results is meant");
}

TEST_F(FactorizationsTest, EighTakesOnlySignsFromTheLibrary) {
  for (bool isLower : {true, false}) {
    Literal a =
        tensor(matrix, isLower ? Floats{2, 9, 1, 2} : Floats{2, 1, 9, 2});
    std::string op = isLower ? "cleave.eigh lower %0" : "cleave.eigh %0";
    guideBy({{-0.7, 0.71, 0.7, 0.7}, {0, 0}});
    auto eigh = results(op, {matrix, vector}, {a});
    expectNear(eigh[0].floats(), {-half, half, half, half});
    expectNear(eigh[1].floats(), {1, 3});
    guideBy({{0.7, -0.71, -0.7, -0.7}, {0, 0}});
    expectNear(results(op, {matrix, vector}, {a})[0].floats(),
               {half, -half, -half, -half});
    // What is no eigenvector does not become one.
    guideBy({{1, 0, 0, 1}, {0, 0}});
    expectNear(results(op, {matrix, vector}, {a})[0].floats(),
               {half, half, -half, half});
  }
}

TEST_F(FactorizationsTest, EqualEigenvaluesTakeTheBasisOfTheLibrary) {
  double c = std::cos(0.3), s = std::sin(0.3);
  guideBy({{c + 1e-8, -s, s, c}, {0, 0}});
  auto eigh = results("cleave.eigh lower %0", {matrix, vector},
                      {tensor(matrix, Floats{5, 0, 0, 5})});
  expectNear(eigh[0].floats(), {c, -s, s, c}, 1e-7);
  expectNear(eigh[1].floats(), {5, 5});
}

// Random graphs found imaginary parts of 1e-17 where the library has zeros: the
// iteration takes a complex shift on the way, since the last two rows of the
// matrix in Hessenberg form have complex eigenvalues.
TEST_F(FactorizationsTest, RealEigenvaluesHaveRealEigenvectors) {
  double a = 1 / std::sqrt(162), b = 1 / std::sqrt(2), c = 1 / std::sqrt(3);
  Floats vectors = {11 * a, b, c, 5 * a, 0, c, -4 * a, b, c};
  guideBy({{1, -4, -2}, {0, 0, 0}, vectors, Floats(9)});
  StringRef matrix = "tensor<3x3xf64>", vector = "tensor<3xf64>";
  auto eig = results("cleave.eig right %0", {vector, vector, matrix, matrix},
                     {tensor(matrix, Floats{-1, 2, -3, 1, -2, -1, -2, 2, -2})});
  expectNear(eig[0].floats(), {1, -4, -2});
  EXPECT_EQ(ArrayRef(eig[1].floats()), ArrayRef(Floats(3)));
  expectNear(eig[2].floats(), vectors);
  EXPECT_EQ(ArrayRef(eig[3].floats()), ArrayRef(Floats(9)));
}

TEST_F(FactorizationsTest, HermitianEigenvectorsTakePhases) {
  // [[1, -i], [i, 1]]: (1, -i) for 0 and (1, i) for 2, here times i and -1.
  setLibraryLookup([](StringRef) -> LibraryFunction {
    return [](void *const *buffers, const int64_t *, int64_t, int64_t) {
      llvm::copy(Floats{0, -half, half, 0}, static_cast<double *>(buffers[2]));
      llvm::copy(Floats{half, 0, 0, -half}, static_cast<double *>(buffers[3]));
    };
  });
  auto eigh = results(
      "cleave.eigh lower %0, %1", {matrix, matrix, vector},
      {tensor(matrix, Floats{1, 0, 0, 1}), tensor(matrix, Floats{0, 9, 1, 0})});
  expectNear(eigh[0].floats(), {0, -half, half, 0});
  expectNear(eigh[1].floats(), {half, 0, 0, -half});
  expectNear(eigh[2].floats(), {0, 2});
}

TEST_F(FactorizationsTest, SvdOfEveryForm) {
  // diag(3, 4) below a row of zeros, and its transpose.
  Literal tall = tensor("tensor<3x2xf64>", Floats{0, 0, 3, 0, 0, -4});
  Literal wide = tensor("tensor<2x3xf64>", Floats{0, 3, 0, 0, 0, -4});
  guideBy({{0, 0}, {0, 0, 0, 0.9, 0.9, 0}, {0, -1, 1, 0}});
  auto svd =
      results("cleave.svd %0", {vector, "tensor<3x2xf64>", matrix}, {tall});
  expectNear(svd[0].floats(), {4, 3});
  expectNear(svd[1].floats(), {0, 0, 0, 1, 1, 0});
  expectNear(svd[2].floats(), {0, -1, 1, 0});
  // The third left vector has no value; its sign is free.
  guideBy({{0, 0}, {0, 0, -1, 0, -1, 0, -1, 0, 0}, {0, 1, -1, 0}});
  svd = results("cleave.svd full %0", {vector, "tensor<3x3xf64>", matrix},
                {tall});
  expectNear(svd[1].floats(), {0, 0, -1, 0, -1, 0, -1, 0, 0});
  expectNear(svd[2].floats(), {0, 1, -1, 0});
  guideBy({{0, 0}, {0, 1, -1, 0}, {0, 0, 1, 0, 1, 0, -1, 0, 0}});
  svd = results("cleave.svd full %0", {vector, matrix, "tensor<3x3xf64>"},
                {wide});
  expectNear(svd[0].floats(), {4, 3});
  expectNear(svd[1].floats(), {0, 1, -1, 0});
  expectNear(svd[2].floats(), {0, 0, 1, 0, 1, 0, -1, 0, 0});
  setLibraryLookup(nullptr);
  expectNear(results("cleave.svd values %0", {vector}, {wide})[0].floats(),
             {4, 3});
}

TEST_F(FactorizationsTest, NullSpacesOfBothSidesAreFree) {
  // (1, 0) (2, 0)^T: the second vectors are free, each by itself.
  guideBy({{0, 0}, {1, 0, 0, -1}, {1, 0, 0, 1}});
  auto svd = results("cleave.svd %0", {vector, matrix, matrix},
                     {tensor(matrix, Floats{2, 0, 0, 0})});
  expectNear(svd[0].floats(), {2, 0});
  expectNear(svd[1].floats(), {1, 0, 0, -1});
  expectNear(svd[2].floats(), {1, 0, 0, 1});
}

TEST_F(FactorizationsTest, EigHasTheOrderOfTheLibrary) {
  // [[1, 1], [0, 2]]: (1, 0) for 1, (1, 1) for 2.
  guideBy({{2, 1}, {0, 0}, {-0.7, 1, -0.7, 0}, {0, 0, 0, 0}});
  auto eig = results("cleave.eig right %0", {vector, vector, matrix, matrix},
                     {tensor(matrix, Floats{1, 1, 0, 2})});
  expectNear(eig[0].floats(), {2, 1});
  expectNear(eig[1].floats(), {0, 0});
  expectNear(eig[2].floats(), {-half, 1, -half, 0});
  expectNear(eig[3].floats(), {0, 0, 0, 0});
  // From the left (0, 1) for 2 and (1, -1) for 1.
  guideBy({{2, 1}, {0, 0}, {0, -1, 1, 1}, {0, 0, 0, 0}});
  eig = results("cleave.eig left %0", {vector, vector, matrix, matrix},
                {tensor(matrix, Floats{1, 1, 0, 2})});
  expectNear(eig[2].floats(), {0, -half, 1, half});
  // [[0, -1], [1, 0]]: (1, -i) for i and (1, i) for -i.
  guideBy({{0, 0}, {-1, 1}, {1, 1, 0, 0}, {0, 0, 1, -1}});
  eig = results("cleave.eig right %0", {vector, vector, matrix, matrix},
                {tensor(matrix, Floats{0, -1, 1, 0})});
  expectNear(eig[1].floats(), {-1, 1});
  expectNear(eig[2].floats(), {half, half, 0, 0});
  expectNear(eig[3].floats(), {0, 0, half, -half});
}

TEST_F(FactorizationsTest, SchurFormIsReal) {
  // Eigenvalues 2 and 1 +- 2i; T and Q as the library has them, nearly.
  StringRef type = "tensor<3x3xf64>";
  Literal a = tensor(type, Floats{1, -2, 5, 2, 1, 7, 0, 0, 2});
  guideBy(
      {{1, -2, 5, 2, 1, 7, 0, 0, 2}, {1 + 1e-8, 0, 0, 0, 1, 1e-8, 0, 0, 1}});
  auto schur = results("cleave.schur %0", {type, type}, {a});
  expectNear(schur[0].floats(), {1, -2, 5, 2, 1, 7, 0, 0, 2}, 1e-7);
  expectNear(schur[1].floats(), {1, 0, 0, 0, 1, 0, 0, 0, 1}, 1e-7);
  // With another sign of the first two vectors.
  guideBy({{1, -2, -5, 2, 1, -7, 0, 0, 2}, {-1, 0, 0, 0, -1, 0, 0, 0, 1}});
  schur = results("cleave.schur %0", {type, type}, {a});
  expectNear(schur[0].floats(), {1, -2, -5, 2, 1, -7, 0, 0, 2});
  expectNear(schur[1].floats(), {-1, 0, 0, 0, -1, 0, 0, 0, 1});
}

TEST_F(FactorizationsTest, RoundingMovesResultsByTheConditionOfTheMatrix) {
  // The closer the eigenvalues, the less rounding lets one know of vectors.
  double previous = 0;
  for (double gap : {1.0, 1e-2, 1e-4}) {
    guideBy({{1, 0, 0, 1}, {0, 0}});
    auto eigh = results("cleave.eigh lower %0", {matrix, vector},
                        {tensor(matrix, Floats{1, 0, 0, 1 + gap})},
                        Evaluator::Mode::Rounded);
    double off = std::fabs(eigh[0].floats()[1]);
    EXPECT_GT(off, 20 * previous);
    EXPECT_GT(off, 0x1p-53 / gap);
    EXPECT_LT(off, 0x1p-48 / gap);
    previous = off;
  }
}
} // namespace
