//===- EvaluateLinearAlgebraTest.cpp - Tests of transforms and solvers ----===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/tests/EvaluationTest.h"
#include <cmath>

using namespace mlir;
using namespace cleave::graph;

namespace {
using Floats = std::vector<double>;

class LinearAlgebraTest : public EvaluationTest {
protected:
  Literal tensor(StringRef typeText, Floats values) {
    return Literal(type(typeText), std::move(values));
  }
  /// Both results of an op that has two, one after the other.
  Floats both(StringRef typeText, StringRef op, ArrayRef<Literal> args) {
    std::string text = "func.func @f(";
    llvm::raw_string_ostream os(text);
    for (auto [i, arg] : llvm::enumerate(args))
      os << (i ? ", %" : "%") << i << ": " << arg.type;
    os << ") -> (" << typeText << ", " << typeText << ") {\n  %r:2 = " << op
       << "\n  return %r#0, %r#1 : " << typeText << ", " << typeText << "\n}";
    SmallVector<Literal> results = run(text, args);
    Floats values;
    for (const Literal &result : results)
      values.insert(values.end(), result.floats().begin(),
                    result.floats().end());
    return values;
  }
};

TEST_F(LinearAlgebraTest, ComplexTransforms) {
  Literal re = tensor("tensor<4xf64>", {1, 2, 3, 4});
  Literal im = tensor("tensor<4xf64>", {0, 0, 0, 1});
  std::string types = "(tensor<4xf64>, tensor<4xf64>) -> (tensor<4xf64>, "
                      "tensor<4xf64>)";
  // The imaginary part adds i times exp(-2 pi i 3 k / 4).
  expectNear(both("tensor<4xf64>",
                  "cleave.fft FFT %0, %1, length = [4] : " + types, {re, im}),
             {10, -3, -2, -1, 1, 2, -1, -2});
  expectNear(both("tensor<4xf64>",
                  "cleave.fft IFFT %0, %1, length = [4] : " + types,
                  {tensor("tensor<4xf64>", {10, -3, -2, -1}),
                   tensor("tensor<4xf64>", {1, 2, -1, -2})}),
             {1, 2, 3, 4, 0, 0, 0, 1});
  // Over two dimensions, of three rows of a batch none influences another.
  expectNear(both("tensor<1x2x2xf64>",
                  "cleave.fft FFT %0, %1, length = [2, 2] : "
                  "(tensor<1x2x2xf64>, tensor<1x2x2xf64>) -> "
                  "(tensor<1x2x2xf64>, tensor<1x2x2xf64>)",
                  {tensor("tensor<1x2x2xf64>", {1, 2, 3, 4}),
                   tensor("tensor<1x2x2xf64>", {0, 0, 0, 0})}),
             {10, -2, -4, 0, 0, 0, 0, 0});
}

TEST_F(LinearAlgebraTest, RealTransforms) {
  expectNear(both("tensor<3xf64>",
                  "cleave.fft RFFT %0, length = [5] : (tensor<5xf64>) -> "
                  "(tensor<3xf64>, tensor<3xf64>)",
                  {tensor("tensor<5xf64>", {1, 0, 0, 0, 0})}),
             {1, 1, 1, 0, 0, 0});
  // The imaginary parts of the first and of the middle number do not count.
  Literal re = tensor("tensor<3xf64>", {10, -2, -2});
  for (const Floats &im : {Floats{0, 2, 0}, Floats{7, 2, -9}})
    expectNear(floats("tensor<4xf64>",
                      "%r = cleave.fft IRFFT %0, %1, length = [4] : "
                      "(tensor<3xf64>, tensor<3xf64>) -> tensor<4xf64>",
                      {re, tensor("tensor<3xf64>", im)}),
               {1, 2, 3, 4});
  // Of an odd length there is no middle.
  expectNear(floats("tensor<3xf64>",
                    "%r = cleave.fft IRFFT %0, %1, length = [3] : "
                    "(tensor<2xf64>, tensor<2xf64>) -> tensor<3xf64>",
                    {tensor("tensor<2xf64>", {6, -1.5}),
                     tensor("tensor<2xf64>", {0, std::sqrt(3) / 2})}),
             {1, 2, 3});
}

TEST_F(LinearAlgebraTest, Cholesky) {
  // The other triangle is not read.
  expectNear(floats("tensor<2x2xf64>",
                    "%r = cleave.cholesky lower %0 : (tensor<2x2xf64>) -> "
                    "tensor<2x2xf64>",
                    {tensor("tensor<2x2xf64>", {4, 99, 2, 3})}),
             {2, 0, 1, std::sqrt(2.0)});
  expectNear(floats("tensor<2x2xf64>",
                    "%r = cleave.cholesky %0 : (tensor<2x2xf64>) -> "
                    "tensor<2x2xf64>",
                    {tensor("tensor<2x2xf64>", {4, 2, 99, 3})}),
             {2, 1, 0, std::sqrt(2.0)});
  // [[4, 2 - 2i], [2 + 2i, 3]] = L L^H.
  expectNear(both("tensor<2x2xf64>",
                  "cleave.cholesky lower %0, %1 : (tensor<2x2xf64>, "
                  "tensor<2x2xf64>) -> (tensor<2x2xf64>, tensor<2x2xf64>)",
                  {tensor("tensor<2x2xf64>", {4, 2, 2, 3}),
                   tensor("tensor<2x2xf64>", {0, -2, 2, 0})}),
             {2, 0, 1, 1, 0, 0, 1, 0});
  for (double x : floats("tensor<2x2xf64>",
                         "%r = cleave.cholesky lower %0 : (tensor<2x2xf64>) "
                         "-> tensor<2x2xf64>",
                         {tensor("tensor<2x2xf64>", {1, 2, 2, 1})}))
    EXPECT_TRUE(std::isnan(x));
}

TEST_F(LinearAlgebraTest, TriangularSolve) {
  Literal a = tensor("tensor<2x2xf64>", {2, 5, 3, 4});
  auto solve = [&](StringRef flags, Floats b) {
    return floats("tensor<2x1xf64>",
                  ("%r = cleave.triangular_solve " + flags +
                   " (%0) (%1) : (tensor<2x2xf64>, tensor<2x1xf64>) -> "
                   "tensor<2x1xf64>")
                      .str(),
                  {a, tensor("tensor<2x1xf64>", std::move(b))});
  };
  // [[2, 0], [3, 4]], [[2, 5], [0, 4]], and their transposes.
  expectNear(solve("no_transpose left lower", {2, 11}), {1, 2});
  expectNear(solve("no_transpose left", {12, 8}), {1, 2});
  expectNear(solve("transpose left lower", {8, 8}), {1, 2});
  expectNear(solve("adjoint left", {2, 13}), {1, 2});
  expectNear(solve("no_transpose left lower unit", {1, 5}), {1, 2});
  expectNear(floats("tensor<1x2xf64>",
                    "%r = cleave.triangular_solve no_transpose lower (%0) (%1)"
                    " : (tensor<2x2xf64>, tensor<1x2xf64>) -> tensor<1x2xf64>",
                    {a, tensor("tensor<1x2xf64>", {8, 8})}),
             {1, 2});
  // (1 + i) x = 2i, and for the adjoint (1 - i) x = 2i.
  for (bool isAdjoint : {false, true})
    expectNear(
        both("tensor<1x1xf64>",
             (Twine("cleave.triangular_solve ") +
              (isAdjoint ? "adjoint" : "transpose") +
              " left (%0, %1) (%2, %3) : (tensor<1x1xf64>, tensor<1x1xf64>, "
              "tensor<1x1xf64>, tensor<1x1xf64>) -> (tensor<1x1xf64>, "
              "tensor<1x1xf64>)")
                 .str(),
             {tensor("tensor<1x1xf64>", {1}), tensor("tensor<1x1xf64>", {1}),
              tensor("tensor<1x1xf64>", {0}), tensor("tensor<1x1xf64>", {2})}),
        isAdjoint ? Floats{-1, 1} : Floats{1, 1});
}
} // namespace
