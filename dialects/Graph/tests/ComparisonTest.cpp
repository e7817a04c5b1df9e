//===- ComparisonTest.cpp - Tests of what equal means ---------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/Evaluate/Comparison.h"
#include "dialects/Graph/tests/EvaluationTest.h"
#include <cmath>

using namespace mlir;
using namespace cleave::graph;

namespace {
class ComparisonTest : public EvaluationTest {
protected:
  TensorError compareFloats(std::vector<double> actual,
                            std::vector<double> exact,
                            std::vector<double> rounded, int64_t k = 1) {
    auto tensor = RankedTensorType::get({static_cast<int64_t>(exact.size())},
                                        Float32Type::get(&context));
    return compare(Literal(tensor, std::move(actual)),
                   Literal(tensor, std::move(exact)),
                   Literal(tensor, std::move(rounded)), k);
  }
};

TEST_F(ComparisonTest, Integers) {
  auto tensor = type("tensor<3xi32>");
  Literal a(tensor, std::vector<int64_t>{1, 2, 3});
  Literal b(tensor, std::vector<int64_t>{1, 5, 4});
  EXPECT_TRUE(compare(a, a, a, 1).pass);
  TensorError error = compare(a, b, b, 1000);
  EXPECT_FALSE(error.pass);
  EXPECT_EQ(error.index, 1);
  EXPECT_EQ(error.actual, "2");
  EXPECT_EQ(error.expected, "5");
}

TEST_F(ComparisonTest, TwiceTheRoundedError) {
  TensorError error = compareFloats({1.0, 4.0019}, {1, 4}, {1.0005, 4.001});
  EXPECT_NEAR(error.roundedError, 0.00025, 1e-12);
  EXPECT_NEAR(error.error, 0.000475, 1e-12);
  EXPECT_NEAR(error.bound, 0.0005, 1e-12);
  EXPECT_EQ(error.index, 1);
  EXPECT_TRUE(error.pass);
  EXPECT_FALSE(compareFloats({1.0, 4.0021}, {1, 4}, {1, 4.001}).pass);
}

TEST_F(ComparisonTest, TwiceTheLargestErrorOfSamples) {
  Literal exact(type("tensor<1xf32>"), std::vector<double>{1});
  auto moved = [&](double by) {
    return Literal(exact.type, std::vector<double>{1 + by});
  };
  Literal plain = moved(1e-3), worse = moved(-1.5e-3), better = moved(1e-4);
  EXPECT_FALSE(compare(moved(2.9e-3), exact, plain, 1).pass);
  EXPECT_FALSE(compare(moved(2.9e-3), exact, plain, 1, better).pass);
  TensorError error = compare(moved(2.9e-3), exact, plain, 1, {better, worse});
  EXPECT_TRUE(error.pass);
  EXPECT_NEAR(error.roundedError, 1.5e-3, 1e-12);
  EXPECT_EQ(error.evaluations, 3u);
  EXPECT_FALSE(compare(moved(3.1e-3), exact, plain, 1, {better, worse}).pass);
}

TEST_F(ComparisonTest, AccumulationBound) {
  double epsilon = std::ldexp(1.0, -23);
  EXPECT_TRUE(compareFloats({1 + 64 * epsilon}, {1}, {1}, 64).pass);
  EXPECT_FALSE(compareFloats({1 + 65 * epsilon}, {1}, {1}, 64).pass);
}

TEST_F(ComparisonTest, NotFinite) {
  double inf = INFINITY;
  EXPECT_TRUE(compareFloats({NAN, inf, 1}, {NAN, inf, 1}, {NAN, inf, 1}).pass);
  EXPECT_FALSE(compareFloats({1}, {NAN}, {NAN}).pass);
  EXPECT_FALSE(compareFloats({NAN}, {1}, {1}).pass);
  EXPECT_FALSE(compareFloats({-inf}, {inf}, {inf}).pass);
  EXPECT_FALSE(compareFloats({inf}, {1}, {1}).pass);
  // An overflow that evaluation in the model's types has too, which is no
  // licence for the other elements.
  EXPECT_TRUE(compareFloats({inf, 1}, {1e39, 1}, {inf, 1}).pass);
  EXPECT_FALSE(compareFloats({inf, inf}, {1e39, 1}, {inf, 1}).pass);
  EXPECT_FALSE(compareFloats({1, 1}, {1e39, 1}, {inf, 1}).pass);
}

TEST_F(ComparisonTest, AllZeroIsAbsolute) {
  EXPECT_TRUE(compareFloats({0, -0.0}, {0, 0}, {0, 0}).pass);
  TensorError error = compareFloats({0, 0.25}, {0, 0}, {0, 0});
  EXPECT_FALSE(error.pass);
  EXPECT_EQ(error.error, 0.25);
}

TEST_F(ComparisonTest, Empty) { EXPECT_TRUE(compareFloats({}, {}, {}).pass); }

TEST_F(ComparisonTest, LongestAccumulation) {
  func::FuncOp func = parse(R"(
    func.func @f(%x: tensor<4x10xf32>, %w: tensor<10x20xf32>) -> tensor<4x20xf32> {
      %y = cleave.linear %x, %w : (tensor<4x10xf32>, tensor<10x20xf32>) -> tensor<4x20xf32>
      %z = call @g(%y) : (tensor<4x20xf32>) -> tensor<4x20xf32>
      return %z : tensor<4x20xf32>
    }
    func.func @g(%x: tensor<4x20xf32>) -> tensor<4x20xf32> {
      %r = cleave.softmax %x, dim = 1 : tensor<4x20xf32>
      return %r : tensor<4x20xf32>
    })");
  EXPECT_EQ(longestAccumulation(func), 20);
}

TEST_F(ComparisonTest, BoundOfOneResult) {
  func::FuncOp func = parse(R"(
    func.func @f(%x: tensor<4x10xf32>, %d: tensor<3xf64>) -> (tensor<10x4xf32>, tensor<4xf32>, tensor<3xf64>) {
      %t = cleave.transpose %x, dims = [1, 0] : (tensor<4x10xf32>) -> tensor<10x4xf32>
      %c = cleave.constant dense<0.0> : tensor<f32>
      %r = cleave.reduce(%x init: %c) applies cleave.add across dimensions = [1] : (tensor<4x10xf32>, tensor<f32>) -> tensor<4xf32>
      %a = cleave.add %d, %d : tensor<3xf64>
      %b = cleave.tanh %a : tensor<3xf64>
      return %t, %r, %b : tensor<10x4xf32>, tensor<4xf32>, tensor<3xf64>
    })");
  // Moved data is exact; a sum is bounded by its terms, a function counts as
  // two; an f64 result also by the ops that round.
  EXPECT_EQ(longestAccumulation(func, 0), 0);
  EXPECT_EQ(longestAccumulation(func, 1), 10);
  EXPECT_EQ(longestAccumulation(func, 2), 2 + 2);
}
} // namespace
