//===- EvaluateContractionTest.cpp - Tests of dot_general and reduce ------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/Evaluate/MatrixProduct.h"
#include "dialects/Graph/tests/EvaluationTest.h"
#include <cmath>

using namespace mlir;
using namespace cleave::graph;

namespace {
using Ints = std::vector<int64_t>;
using Floats = std::vector<double>;

class ContractionTest : public EvaluationTest {};

TEST_F(ContractionTest, DotGeneral) {
  // numpy: einsum('abk,bnk->ban').
  expectNear(
      floats("tensor<3x2x4xf32>",
             "%r = cleave.dot_general %0, %1, batching_dims = [1] x [0], "
             "contracting_dims = [2] x [2] : (tensor<2x3x2xf32>, "
             "tensor<3x4x2xf32>) -> tensor<3x2x4xf32>",
             {wave("tensor<2x3x2xf32>", 1), wave("tensor<3x4x2xf32>", 2)}),
      {3.573869845746997,   -6.0350988660148435, 1.4491047569356499,
       4.82901814516647,    2.9480578696461572,  -5.783714945278276,
       1.8656914862898089,  4.230911725293396,   2.7200912801904686,
       -1.5748185457178714, -1.4093797683179412, 2.747836409875983,
       1.2792585075477572,  -1.7988454252864496, 0.2179091587927533,
       1.6174810111139433,  2.7130475427406324,  -4.4368796576945595,
       0.9797393246392854,  3.621448816515615,   2.6822393611421567,
       -5.447452268701651,  1.8516406965813357,  3.906343432093112});
}

TEST_F(ContractionTest, DotGeneralOfIntegers) {
  StringRef dot = "%r = cleave.dot_general %0, %1, contracting_dims = [0] x "
                  "[0] : (tensor<2xi8>, tensor<2xi8>) -> ";
  Literal x = tensor("tensor<2xi8>", Ints{100, -3});
  Literal y = tensor("tensor<2xi8>", Ints{100, 5});
  EXPECT_EQ(ints("tensor<i32>", (dot + "tensor<i32>").str(), {x, y}),
            Ints({9985}));
  EXPECT_EQ(ints("tensor<i8>", (dot + "tensor<i8>").str(), {x, y}), Ints({1}));
  EXPECT_EQ(ints("tensor<i1>",
                 "%r = cleave.dot_general %0, %1, contracting_dims = [0] x [0] "
                 ": (tensor<2xi1>, tensor<2xi1>) -> tensor<i1>",
                 {tensor("tensor<2xi1>", Ints{1, 1}),
                  tensor("tensor<2xi1>", Ints{1, 1})}),
            Ints({1}));
}

TEST_F(ContractionTest, ProductsOfAllSizes) {
  // Around the tile of the fast product, against the definition.
  uint64_t state = 1;
  auto random = [&](int64_t size) {
    std::vector<double> values(size);
    for (double &value : values) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      value = static_cast<float>(static_cast<int64_t>(state) * 0x1p-63);
    }
    return values;
  };
  for (bool inFloat32 : {false, true})
    for (int64_t m : {1, 4, 5})
      for (int64_t n : {1, 4, 7, 9, 17})
        for (int64_t k : {0, 1, 33}) {
          ProductShape shape{2, m, k, n};
          std::vector<double> lhs = random(2 * m * k), rhs = random(2 * k * n);
          std::vector<double> result =
              multiplyMatrices(shape, lhs, rhs, inFloat32, 1);
          for (int64_t place = 0; place < 2 * m * n; ++place) {
            int64_t b = place / (m * n), i = place / n % m, j = place % n;
            double sum = 0;
            float narrowSum = 0;
            for (int64_t l = 0; l < k; ++l) {
              double x = lhs[(b * m + i) * k + l], y = rhs[(b * k + l) * n + j];
              sum += x * y;
              narrowSum += static_cast<float>(x * y);
            }
            ASSERT_EQ(result[place], inFloat32 ? narrowSum : sum);
          }
        }
}

TEST_F(ContractionTest, ThreadsDoNotMatter) {
  ProductShape shape{3, 64, 128, 250};
  Literal lhs = wave("tensor<3x64x128xf32>", 1);
  Literal rhs = wave("tensor<3x128x250xf32>", 2);
  for (bool inFloat32 : {false, true})
    EXPECT_EQ(
        multiplyMatrices(shape, lhs.floats(), rhs.floats(), inFloat32, 1),
        multiplyMatrices(shape, lhs.floats(), rhs.floats(), inFloat32, 4));
}

TEST_F(ContractionTest, ReduceSimple) {
  StringRef sum = R"(
      %z = cleave.constant dense<10.0> : tensor<f32>
      %r = cleave.reduce(%0 init: %z) applies cleave.add across dimensions = [0]
        : (tensor<2x3xf32>, tensor<f32>) -> tensor<3xf32>)";
  EXPECT_EQ(floats("tensor<3xf32>", sum,
                   {tensor("tensor<2x3xf32>", Floats{1, 2, 3, 4, 5, 6})}),
            Floats({15, 17, 19}));
  StringRef largest = R"(
      %z = cleave.constant dense<0xFF800000> : tensor<f32>
      %r = cleave.reduce(%0 init: %z) applies cleave.maximum across dimensions = [1]
        : (tensor<2x2xf32>, tensor<f32>) -> tensor<2xf32>)";
  Floats maxima = floats("tensor<2xf32>", largest,
                         {tensor("tensor<2x2xf32>", Floats{1, NAN, -3, -2})});
  EXPECT_TRUE(std::isnan(maxima[0]));
  EXPECT_EQ(maxima[1], -2);
  EXPECT_EQ(ints("tensor<ui8>", R"(
      %z = cleave.constant dense<1> : tensor<ui8>
      %r = cleave.reduce(%0 init: %z) applies cleave.multiply across dimensions = [0]
        : (tensor<2xui8>, tensor<ui8>) -> tensor<ui8>)",
                 {tensor("tensor<2xui8>", Ints{20, 20})}),
            Ints({144}));
  EXPECT_EQ(ints("tensor<2xi1>", R"(
      %z = cleave.constant dense<false> : tensor<i1>
      %r = cleave.reduce(%0 init: %z) applies cleave.or across dimensions = [1]
        : (tensor<2x2xi1>, tensor<i1>) -> tensor<2xi1>)",
                 {tensor("tensor<2x2xi1>", Ints{0, 1, 0, 0})}),
            Ints({1, 0}));
}

TEST_F(ContractionTest, SumsAccumulateInTheWiderType) {
  StringRef sum = R"(
      %z = cleave.constant dense<0.0> : tensor<bf16>
      %r = cleave.reduce(%0 init: %z) applies cleave.add across dimensions = [0]
        : (tensor<1000xbf16>, tensor<bf16>) -> tensor<bf16>)";
  Literal ones = tensor("tensor<1000xbf16>", Floats(1000, 1));
  // In bf16 the sum would stay at 256.
  EXPECT_EQ(floats("tensor<bf16>", sum, {ones}, Evaluator::Mode::Rounded)[0],
            1000);
}

TEST_F(ContractionTest, ReduceOfNothing) {
  EXPECT_EQ(floats("tensor<2xf32>", R"(
      %z = cleave.constant dense<3.0> : tensor<f32>
      %r = cleave.reduce(%0 init: %z) applies cleave.add across dimensions = [1]
        : (tensor<2x0xf32>, tensor<f32>) -> tensor<2xf32>)",
                   {tensor("tensor<2x0xf32>", Floats())}),
            Floats({3, 3}));
}

TEST_F(ContractionTest, ReduceWithBody) {
  // The maximum and where it is.
  SmallVector<Literal> results =
      run(R"(
    func.func @f(%x: tensor<2x3xf32>) -> (tensor<2xf32>, tensor<2xi32>) {
      %i = cleave.iota dim = 1 : tensor<2x3xi32>
      %low = cleave.constant dense<0xFF800000> : tensor<f32>
      %zero = cleave.constant dense<0> : tensor<i32>
      %r:2 = "cleave.reduce"(%x, %i, %low, %zero) ({
      ^bb0(%m: tensor<f32>, %at: tensor<i32>, %v: tensor<f32>, %j: tensor<i32>):
        %gt = cleave.compare GT, %v, %m : (tensor<f32>, tensor<f32>) -> tensor<i1>
        %a = cleave.select %gt, %v, %m : tensor<i1>, tensor<f32>
        %b = cleave.select %gt, %j, %at : tensor<i1>, tensor<i32>
        cleave.return %a, %b : tensor<f32>, tensor<i32>
      }) {dimensions = array<i64: 1>}
        : (tensor<2x3xf32>, tensor<2x3xi32>, tensor<f32>, tensor<i32>)
          -> (tensor<2xf32>, tensor<2xi32>)
      return %r#0, %r#1 : tensor<2xf32>, tensor<2xi32>
    })",
          {tensor("tensor<2x3xf32>", Floats{1, 5, 2, 7, 0, 7})});
  ASSERT_EQ(results.size(), 2u);
  EXPECT_EQ(results[0].floats(), ArrayRef<double>({5, 7}));
  EXPECT_EQ(results[1].ints(), ArrayRef<int64_t>({1, 0}));
}
} // namespace
