//===- ShardingRulesWindowsTest.cpp - Rules of windowed ops ---------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/tests/RuleTest.h"
#include "dialects/Graph/tests/WindowText.h"

using namespace cleave;
using namespace cleave::graph;
using namespace mlir;

namespace {

class ShardingRulesWindowsTest : public RuleTest {};

TEST_F(ShardingRulesWindowsTest, ReduceWindow) {
  EXPECT_EQ(rule("%x: tensor<4x8xf32>",
                 "%z = cleave.constant dense<0.0> : tensor<f32>\n" +
                     WindowText().reduce("add", "%x", "%z", {1, 2},
                                         "tensor<4x8xf32>", "tensor<4x7xf32>")),
            "([a, b], []) -> ([a, b]) {a=4, b=7:collective} linear {0}");
  EXPECT_EQ(rule("%x: tensor<4x8xf32>",
                 "%z = cleave.constant dense<0.0> : tensor<f32>\n" +
                     WindowText()
                         .strides({1, 2})
                         .padding({0, 0, 1, 0})
                         .reduce("maximum", "%x", "%z", {1, 3},
                                 "tensor<4x8xf32>", "tensor<4x4xf32>")),
            "([a, b], []) -> ([a, b]) {a=4, b=4:collective}");
  // One window with all elements is a reduction.
  EXPECT_EQ(rule("%x: tensor<4x8xf32>",
                 "%z = cleave.constant dense<0.0> : tensor<f32>\n" +
                     WindowText().reduce("add", "%x", "%z", {1, 8},
                                         "tensor<4x8xf32>", "tensor<4x1xf32>")),
            "([a, b], []) -> ([a, c]) {a=4, b=8:sum, c=1:whole} linear "
            "{0}");
  // An initial value that must be counted once.
  EXPECT_EQ(rule("%x: tensor<4x8xf32>",
                 "%z = cleave.constant dense<1.0> : tensor<f32>\n" +
                     WindowText().reduce("add", "%x", "%z", {1, 8},
                                         "tensor<4x8xf32>", "tensor<4x1xf32>")),
            "([a, b], []) -> ([a, c]) {a=4, b=8:whole, c=1:whole} linear "
            "{0, 1}");
  // A scan.
  EXPECT_EQ(rule("%x: tensor<4x8xf32>",
                 "%z = cleave.constant dense<0.0> : tensor<f32>\n" +
                     WindowText()
                         .padding({0, 0, 7, 0})
                         .reduce("add", "%x", "%z", {1, 8}, "tensor<4x8xf32>",
                                 "tensor<4x8xf32>")),
            "([a, b], []) -> ([a, b]) {a=4, b=8:collective} linear {0}");
  EXPECT_EQ(rule("%x: tensor<4x8xf32>",
                 "%z = cleave.constant dense<0.0> : tensor<f32>\n" +
                     WindowText().reduce("add", "%x", "%z", {1, 1},
                                         "tensor<4x8xf32>", "tensor<4x8xf32>")),
            "([a, b], []) -> ([a, b]) {a=4, b=8} linear {0}");
}

TEST_F(ShardingRulesWindowsTest, ReduceWindowOfTwoInputs) {
  EXPECT_EQ(
      rule("%x: tensor<5xf32>, %y: tensor<5xi32>",
           "%z = cleave.constant dense<0.0> : tensor<f32>\n"
           "%n = cleave.constant dense<0> : tensor<i32>\n" +
               WindowText().reduceToMaximum("%x", "%y", "%z, %n", 2, 5, 4)),
      "([a], [a], [], []) -> ([a], [a]) {a=4:collective}");
}

TEST_F(ShardingRulesWindowsTest, Convolution) {
  // Taps along one dimension only.
  EXPECT_EQ(
      rule("%x: tensor<2x8x9x3xf32>, %k: tensor<3x1x3x6xf32>",
           WindowText().convolve("%x", "%k", "tensor<2x8x9x3xf32>",
                                 "tensor<3x1x3x6xf32>", "tensor<2x6x9x6xf32>")),
      "([b, e, g, c], [f, h, c, d]) -> ([b, e, g, d]) {a=1, b=2, "
      "c=3:sum, d=6, e=6:collective, f=3:whole, g=9, h=1:whole} "
      "linear {0} {1}");
  EXPECT_EQ(rule("%x: tensor<2x8x4xf32>, %k: tensor<3x2x6xf32>",
                 WindowText().featureGroups(2).convolve(
                     "%x", "%k", "tensor<2x8x4xf32>", "tensor<3x2x6xf32>",
                     "tensor<2x6x6xf32>")),
            "([b, e, ac], [f, c, ad]) -> ([b, e, ad]) {a=2, b=2, c=2:sum, "
            "d=3, e=6:collective, f=3:whole} linear {0} {1}");
  EXPECT_EQ(rule("%x: tensor<6x8x4xf32>, %k: tensor<3x4x6xf32>",
                 WindowText().batchGroups(2).convolve(
                     "%x", "%k", "tensor<6x8x4xf32>", "tensor<3x4x6xf32>",
                     "tensor<3x6x6xf32>")),
            "([ab, e, c], [f, c, ad]) -> ([b, e, ad]) {a=2, b=3, c=4:sum, "
            "d=3, e=6:collective, f=3:whole} linear {0} {1}");
  // More taps than windows.
  EXPECT_EQ(
      rule("%x: tensor<2x8x4xf32>, %k: tensor<7x4x6xf32>",
           WindowText().convolve("%x", "%k", "tensor<2x8x4xf32>",
                                 "tensor<7x4x6xf32>", "tensor<2x2x6xf32>")),
      "([b, e, c], [e, c, d]) -> ([b, f, d]) {a=1, b=2, c=4:sum, "
      "d=6, e=7:sum, f=2:whole} linear {0} {1}");
  EXPECT_EQ(rule("%x: tensor<2x4xi1>, %k: tensor<4x6xi1>",
                 WindowText().convolve("%x", "%k", "tensor<2x4xi1>",
                                       "tensor<4x6xi1>", "tensor<2x6xi1>")),
            "([b, c], [c, d]) -> ([b, d]) {a=1, b=2, c=4:or, d=6}");
}

} // namespace
