//===- LocalCompositesTest.cpp - Local forms of composites ----------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/Decompose/ExpandBias.h"
#include "dialects/Graph/tests/LocalFormsTest.h"

using namespace cleave;
using namespace cleave::graph;
using namespace mlir;

namespace {

class LocalCompositesTest : public LocalFormsTest {};

TEST_F(LocalCompositesTest, Softmax) {
  const char *body = "%r = cleave.softmax %x, dim = 1 {cleave.name = \"p\", "
                     "spmd.shardings = 1} : tensor<3x7x2xf32>";
  Simulation both =
      run("%x: tensor<3x7x2xf32>", body, "tensor<3x7x2xf32>", {{}, {x, y}, {}});
  EXPECT_LT(both.localError, tolerance);
  EXPECT_EQ(both.collectives,
            (Collectives{"maximum of softmax", "sum of softmax"}));
  EXPECT_TRUE(both.attributes.get("cleave.name"));
  EXPECT_FALSE(both.attributes.get("spmd.shardings"));
  EXPECT_LT(
      run("%x: tensor<3x7x2xf32>", body, "tensor<3x7x2xf32>", {{x}, {y}, {}})
          .localError,
      tolerance);
  Simulation local =
      run("%x: tensor<3x7x2xf32>", body, "tensor<3x7x2xf32>", {{x}, {}, {y}});
  EXPECT_LT(local.localError, tolerance);
  EXPECT_TRUE(local.collectives.empty());
  EXPECT_TRUE(local.attributes.get("cleave.name"));
  EXPECT_FALSE(local.attributes.get("spmd.shardings"));
}

TEST_F(LocalCompositesTest, LayerNorm) {
  const char *args = "%x: tensor<3x7xf32>, %s: tensor<7xf32>, %b: "
                     "tensor<7xf32>";
  const char *body = "%r = cleave.layer_norm %x, %s, %b, epsilon = 1.0e-5 : "
                     "(tensor<3x7xf32>, tensor<7xf32>, tensor<7xf32>) -> "
                     "tensor<3x7xf32>";
  Simulation both = run(args, body, "tensor<3x7xf32>", {{}, {x, y}});
  EXPECT_LT(both.localError, tolerance);
  EXPECT_EQ(both.collectives, Collectives{"mean and variance of layer_norm"});
  EXPECT_LT(run(args, body, "tensor<3x7xf32>", {{x}, {y}}).localError,
            tolerance);
  EXPECT_LT(run(args, body, "tensor<3x7xf32>", {{y}, {}}).localError,
            tolerance);
}

TEST_F(LocalCompositesTest, LayerNormOfLargeMean) {
  // Raw sums of squares would be off by whole units here.
  Simulation rounded =
      run("%x: tensor<3x1000xf32>, %s: tensor<1000xf32>, %b: tensor<1000xf32>",
          "%r = cleave.layer_norm %x, %s, %b, epsilon = 1.0e-5 : "
          "(tensor<3x1000xf32>, tensor<1000xf32>, tensor<1000xf32>) -> "
          "tensor<3x1000xf32>",
          "tensor<3x1000xf32>", {{}, {x, y}}, 1e4, Evaluator::Mode::Rounded);
  EXPECT_GT(rounded.plainError, 0);
  EXPECT_LT(rounded.localError, 2 * rounded.plainError);
}

TEST_F(LocalCompositesTest, RmsNorm) {
  Simulation both =
      run("%x: tensor<7xf32>, %s: tensor<7xf32>",
          "%r = cleave.rms_norm %x, %s, epsilon = 1.0e-5 : (tensor<7xf32>, "
          "tensor<7xf32>) -> tensor<7xf32>",
          "tensor<7xf32>", {{x, y}});
  EXPECT_LT(both.localError, tolerance);
  EXPECT_EQ(both.collectives, Collectives{"sum of squares of rms_norm"});
}

TEST_F(LocalCompositesTest, CrossEntropy) {
  const char *args = "%x: tensor<3x4x11xf32>, %l: tensor<3x4xi32>";
  const char *body = "%r = cleave.cross_entropy %x, %l : "
                     "(tensor<3x4x11xf32>, tensor<3x4xi32>) -> "
                     "tensor<3x4xf32>";
  Simulation both = run(args, body, "tensor<3x4xf32>", {{}, {}, {x, y}});
  EXPECT_LT(both.localError, tolerance);
  EXPECT_EQ(both.collectives, (Collectives{"maximum of cross_entropy",
                                           "sum and label of cross_entropy"}));
  EXPECT_LT(run(args, body, "tensor<3x4xf32>", {{x}, {}, {y}}).localError,
            tolerance);
  EXPECT_LT(run(args, body, "tensor<3x4xf32>", {{x}, {y}, {}}).localError,
            tolerance);
}

TEST_F(LocalCompositesTest, Linear) {
  const char *args = "%x: tensor<4x7xf32>, %w: tensor<7x6xf32>, %b: "
                     "tensor<6xf32>";
  const char *biased = "%r = cleave.linear %x, %w bias %b : (tensor<4x7xf32>, "
                       "tensor<7x6xf32>, tensor<6xf32>) -> tensor<4x6xf32>";
  Simulation both = run(args, biased, "tensor<4x6xf32>", {{}, {}, {x, y}});
  EXPECT_LT(both.localError, tolerance);
  EXPECT_EQ(both.collectives, Collectives{"contracted dimension of linear"});
  EXPECT_LT(run(args, biased, "tensor<4x6xf32>", {{}, {y}, {x}}).localError,
            tolerance);
  EXPECT_LT(run(args, biased, "tensor<4x6xf32>", {{x}, {y}, {}}).localError,
            tolerance);
  // The caller completes partial sums.
  const char *plain = "%r = cleave.linear %x, %w : (tensor<4x7xf32>, "
                      "tensor<7x6xf32>) -> tensor<4x6xf32>";
  Simulation partial = run(args, plain, "tensor<4x6xf32>", {{x}, {}, {y}});
  EXPECT_LT(partial.localError, tolerance);
  EXPECT_TRUE(partial.collectives.empty());
}

TEST_F(LocalCompositesTest, LinearOverTwoDimensions) {
  Simulation both =
      run("%x: tensor<2x5x4xf32>, %w: tensor<5x4x3xf32>, %b: tensor<3xf32>",
          "%r = cleave.linear %x, %w bias %b contracting = 2 : "
          "(tensor<2x5x4xf32>, tensor<5x4x3xf32>, tensor<3xf32>) -> "
          "tensor<2x3xf32>",
          "tensor<2x3xf32>", {{}, {}, {x}, {y}});
  EXPECT_LT(both.localError, tolerance);
}

TEST_F(LocalCompositesTest, ExpandBias) {
  func::FuncOp func = parse(
      "%x: tensor<4x7xf32>, %w: tensor<7x6xf32>, %b: tensor<6xf32>",
      "%r = cleave.linear %x, %w bias %b {cleave.name = \"h\"} : "
      "(tensor<4x7xf32>, tensor<7x6xf32>, tensor<6xf32>) -> tensor<4x6xf32>",
      "tensor<4x6xf32>");
  ASSERT_TRUE(func);
  auto linear = cast<LinearOp>(func.front().front());
  OpBuilder builder(linear);
  Value sum = expandBias(builder, linear);
  auto add = sum.getDefiningOp<AddOp>();
  ASSERT_TRUE(add);
  EXPECT_TRUE(add->getDiscardableAttr("cleave.name"));
  auto product = add.getLhs().getDefiningOp<LinearOp>();
  ASSERT_TRUE(product);
  EXPECT_FALSE(product.getBias());
  EXPECT_TRUE(product->getDiscardableAttrs().empty());
}

TEST_F(LocalCompositesTest, Attention) {
  const char *args = "%q: tensor<2x5x6x4xf32>, %k: tensor<2x7x3x4xf32>, %m: "
                     "tensor<2x1x5x7xf32>, %s: tensor<2x1x1x7xi1>";
  const char *plain = "%r = cleave.attention %q, %k, %k causal : "
                      "(tensor<2x5x6x4xf32>, tensor<2x7x3x4xf32>, "
                      "tensor<2x7x3x4xf32>) -> tensor<2x5x6x4xf32>";
  const char *masked =
      "%r = cleave.attention %q, %k, %k mask %m causal scale = 0.3 : "
      "(tensor<2x5x6x4xf32>, tensor<2x7x3x4xf32>, tensor<2x7x3x4xf32>, "
      "tensor<2x1x5x7xf32>) -> tensor<2x5x6x4xf32>";
  const char *selected =
      "%r = cleave.attention %q, %k, %k mask %s causal : "
      "(tensor<2x5x6x4xf32>, tensor<2x7x3x4xf32>, tensor<2x7x3x4xf32>, "
      "tensor<2x1x1x7xi1>) -> tensor<2x5x6x4xf32>";
  // Factors: batch, s, groups, heads within a group, t, d, e.
  const FactorShardings shardings[] = {
      {{}, {x, y}, {}}, {{}, {x}, {y}}, {{}, {}, {y}, {x}}, {{x}, {}, {y}}};
  for (const FactorShardings &factors : shardings)
    for (const char *body : {plain, masked, selected}) {
      Simulation simulation = run(args, body, "tensor<2x5x6x4xf32>", factors);
      EXPECT_LT(simulation.localError, tolerance);
      EXPECT_TRUE(simulation.collectives.empty());
    }
}

TEST_F(LocalCompositesTest, RotaryEmbedding) {
  EXPECT_LT(run("%x: tensor<2x5x3x4xf32>, %p: tensor<5xi32>",
                "%r = cleave.rotary_embedding %x, %p : "
                "(tensor<2x5x3x4xf32>, tensor<5xi32>) -> "
                "tensor<2x5x3x4xf32>",
                "tensor<2x5x3x4xf32>", {{}, {x}, {y}})
                .localError,
            tolerance);
}

} // namespace
