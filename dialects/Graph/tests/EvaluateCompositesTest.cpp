//===- EvaluateCompositesTest.cpp - Tests of composites -------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Expected values were computed with numpy from the definitions.
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/tests/EvaluationTest.h"
#include <cmath>

using namespace mlir;
using namespace cleave::graph;

namespace {
using Floats = std::vector<double>;

class CompositesTest : public EvaluationTest {
protected:
  Literal tensor(StringRef typeText, Floats values) {
    return Literal(type(typeText), std::move(values));
  }
  Literal ids(StringRef typeText, std::vector<int64_t> values) {
    return Literal(type(typeText), std::move(values));
  }
};

TEST_F(CompositesTest, Activations) {
  Literal x = tensor("tensor<5xf32>", {-3, -0.5, 0, 1, 2.5});
  expectNear(floats("tensor<5xf32>", "%r = cleave.gelu %0 : tensor<5xf32>", x),
             {-0.00404969409489031, -0.15426876936299344, 0.0,
              0.8413447460685429, 2.4844758366855597});
  expectNear(floats("tensor<5xf32>",
                    "%r = cleave.gelu %0 form = tanh : tensor<5xf32>", x),
             {-0.0036373920817729943, -0.15428599017485606, 0.0,
              0.8411919906082768, 2.484915733910001});
  expectNear(floats("tensor<5xf32>", "%r = cleave.silu %0 : tensor<5xf32>", x),
             {-0.14227761953270035, -0.1887703343990727, 0.0,
              0.7310585786300049, 2.3103545499468914});
  Floats relu = floats("tensor<3xf32>", "%r = cleave.relu %0 : tensor<3xf32>",
                       tensor("tensor<3xf32>", {-1, 2, NAN}));
  EXPECT_EQ(relu[0], 0);
  EXPECT_EQ(relu[1], 2);
  EXPECT_TRUE(std::isnan(relu[2]));
}

TEST_F(CompositesTest, Linear) {
  expectNear(floats("tensor<2x2xf32>",
                    "%r = cleave.linear %0, %1 bias %2 contracting = 2 : "
                    "(tensor<2x2x3xf32>, tensor<2x3x2xf32>, tensor<2xf32>) -> "
                    "tensor<2x2xf32>",
                    {wave("tensor<2x2x3xf32>", 1), wave("tensor<2x3x2xf32>", 2),
                     tensor("tensor<2xf32>", {10, 20})}),
             {9.841643083375075, 19.476545497457952, 10.108758595948727,
              19.86031856403843});
}

TEST_F(CompositesTest, Norms) {
  Literal scale = tensor("tensor<3xf32>", {1, 2, -1});
  Literal bias = tensor("tensor<3xf32>", {0.5, 0, 1});
  Literal x = wave("tensor<2x3xf32>", 1), shifted = x;
  for (double &value : shifted.mutableFloats())
    value += 3000;
  StringRef norm = "%r = cleave.layer_norm %0, %1, %2, epsilon = 1.0e-5 : "
                   "(tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>) -> "
                   "tensor<2x3xf32>";
  Floats expected = {1.1071839589436068,  1.605022749352303,
                     2.4096953336197586,  0.1779380827318578,
                     -2.0630258297521156, -0.35357483214420005};
  expectNear(floats("tensor<2x3xf32>", norm, {shifted, scale, bias}), expected,
             1e-9);
  // In f32 the inputs alone are off by 1e-4 of their spread.
  expectNear(floats("tensor<2x3xf32>", norm, {shifted, scale, bias},
                    Evaluator::Mode::Rounded),
             expected, 1e-3);
  expectNear(floats("tensor<2x3xf32>",
                    "%r = cleave.rms_norm %0, %1, epsilon = 1.0e-5 : "
                    "(tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>",
                    {x, scale}),
             {1.1688534170802616, 2.526136785881279, -0.19602411326972463,
              -1.0460265288195532, -2.6507846806677473, 0.38619854650517116});
}

TEST_F(CompositesTest, Softmax) {
  Literal x = wave("tensor<2x3xf32>", 1);
  expectNear(floats("tensor<2x3xf32>",
                    "%r = cleave.softmax %0, dim = 0 : tensor<2x3xf32>", x),
             {0.9607041262312835, 0.976716316300142, 0.6986907356598155,
              0.03929587376871649, 0.023283683699858084, 0.30130926434018446});
  expectNear(floats("tensor<2x3xf32>",
                    "%r = cleave.softmax %0, dim = 1 : tensor<2x3xf32>", x),
             {0.41811120547922626, 0.4788561901464966, 0.10303260437427701,
              0.234435539393698, 0.1564813926448344, 0.6090830679614676});
  Floats special = floats(
      "tensor<2x2xf32>", "%r = cleave.softmax %0, dim = 1 : tensor<2x2xf32>",
      tensor("tensor<2x2xf32>", {-INFINITY, -INFINITY, -INFINITY, 5}));
  EXPECT_TRUE(std::isnan(special[0]) && std::isnan(special[1]));
  EXPECT_EQ(special[2], 0);
  EXPECT_EQ(special[3], 1);
}

TEST_F(CompositesTest, Attention) {
  Literal query = wave("tensor<2x2x4x2xf32>", 1);
  Literal key = wave("tensor<2x3x2x2xf32>", 2);
  Literal value = wave("tensor<2x3x2x3xf32>", 3);
  Literal mask = wave("tensor<1x4x1x3xf32>", 4);
  // Four heads share two groups.
  Floats plain =
      floats("tensor<2x2x4x3xf32>",
             "%r = cleave.attention %0, %1, %2 : (tensor<2x2x4x2xf32>, "
             "tensor<2x3x2x2xf32>, tensor<2x3x2x3xf32>) -> tensor<2x2x4x3xf32>",
             {query, key, value});
  ASSERT_EQ(plain.size(), 48u);
  expectNear(ArrayRef(plain).take_front(6),
             {0.3821733170213711, -1.43495102918811, -1.9327880167777636,
              1.1545461095410694, -0.712271497898315, -1.9242299749782963});
  expectNear(ArrayRef(plain).take_back(6),
             {-1.8524486552412873, -0.5093450026793634, 1.3020480963811394,
              -1.9673437044471096, -1.0461459717358894, 0.8368735428399758});
  Floats masked =
      floats("tensor<2x2x4x3xf32>",
             "%r = cleave.attention %0, %1, %2 mask %3 causal scale = 0.3 : "
             "(tensor<2x2x4x2xf32>, tensor<2x3x2x2xf32>, tensor<2x3x2x3xf32>, "
             "tensor<1x4x1x3xf32>) -> tensor<2x2x4x3xf32>",
             {query, key, value, mask});
  ASSERT_EQ(masked.size(), 48u);
  expectNear(ArrayRef(masked).take_front(6),
             {0.42360761833311694, -1.40260660264076, -1.9392707815984775,
              0.5525543503012543, -1.3013607785691603, -1.9588108091558043});
  expectNear(ArrayRef(masked).take_back(6),
             {-1.8783179927189944, -0.658129143807308, 1.1671406048027682,
              -1.9629306497296857, -0.9257218620600306, 0.9625913364025207});
}

TEST_F(CompositesTest, AttentionThatSelects) {
  Literal query = tensor("tensor<1x2x1x1xf32>", {1, 1});
  Literal key = tensor("tensor<1x3x1x1xf32>", {0, 0, NAN});
  Literal value = tensor("tensor<1x3x1x1xf32>", {1, 3, 5});
  Literal mask = ids("tensor<1x1x2x3xi1>", {1, 1, 0, 0, 0, 0});
  auto attend = [&](StringRef extra) {
    return floats("tensor<1x2x1x1xf32>",
                  ("%r = cleave.attention %0, %1, %2 mask %3 " + extra +
                   ": (tensor<1x2x1x1xf32>, tensor<1x3x1x1xf32>, "
                   "tensor<1x3x1x1xf32>, tensor<1x1x2x3xi1>) -> "
                   "tensor<1x2x1x1xf32>")
                      .str(),
                  {query, key, value, mask});
  };
  // Without `fill` what is hidden has no weight, not even NaN, and where all is
  // there is no result; with it all weigh the same.
  Floats plain = attend("");
  EXPECT_EQ(plain[0], 2);
  EXPECT_TRUE(std::isnan(plain[1]));
  Floats filled = attend("fill = -1.0e9 ");
  EXPECT_EQ(filled[0], 2);
  EXPECT_NEAR(filled[1], 3, 1e-12);
}

TEST_F(CompositesTest, RotaryEmbedding) {
  Floats expected = {-1.7059296354832438,   2.1846708822596215,
                     -0.041918713882456354, -0.9085705506736486,
                     0.7159796843902646,    -1.4390675580024257,
                     2.211796037901699,     1.4685692379614657};
  Literal x = wave("tensor<1x2x1x4xf32>", 1);
  expectNear(floats("tensor<1x2x1x4xf32>",
                    "%r = cleave.rotary_embedding %0, %1 base = 100.0 : "
                    "(tensor<1x2x1x4xf32>, tensor<2xi32>) -> "
                    "tensor<1x2x1x4xf32>",
                    {x, ids("tensor<2xi32>", {3, 5})}),
             expected);
  expectNear(floats("tensor<1x2x1x4xf32>",
                    "%r = cleave.rotary_embedding %0, %1 base = 100.0 : "
                    "(tensor<1x2x1x4xf32>, tensor<1x2xi32>) -> "
                    "tensor<1x2x1x4xf32>",
                    {x, ids("tensor<1x2xi32>", {3, 5})}),
             expected);
}

TEST_F(CompositesTest, EmbeddingClamps) {
  EXPECT_EQ(floats("tensor<3x2xf32>",
                   "%r = cleave.embedding %0, %1 : (tensor<3x2xf32>, "
                   "tensor<3xi32>) -> tensor<3x2xf32>",
                   {tensor("tensor<3x2xf32>", {0, 1, 2, 3, 4, 5}),
                    ids("tensor<3xi32>", {1, -1, 7})}),
            Floats({2, 3, 0, 1, 4, 5}));
}

TEST_F(CompositesTest, CrossEntropy) {
  StringRef loss = "%r = cleave.cross_entropy %0, %1 : (tensor<2x3xf32>, "
                   "tensor<2xi32>) -> tensor<2xf32>";
  expectNear(floats("tensor<2xf32>", loss,
                    {wave("tensor<2x3xf32>", 1), ids("tensor<2xi32>", {2, 0})}),
             {2.272709793519957, 1.450574614198417});
}
} // namespace
