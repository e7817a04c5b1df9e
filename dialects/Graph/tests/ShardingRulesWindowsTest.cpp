//===- ShardingRulesWindowsTest.cpp - Rules of windowed ops ---------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/tests/RuleTest.h"

using namespace cleave;
using namespace cleave::graph;
using namespace mlir;

namespace {

class ShardingRulesWindowsTest : public RuleTest {};

TEST_F(ShardingRulesWindowsTest, ReduceWindow) {
  EXPECT_EQ(rule("%x: tensor<4x8xf32>",
                 "%z = cleave.constant dense<0.0> : tensor<f32>\n"
                 "%y = cleave.reduce_window(%x) init(%z) {window_dimensions = "
                 "array<i64: 1, 2>, window_strides = array<i64: 1, 1>, "
                 "base_dilations = array<i64: 1, 1>, window_dilations = "
                 "array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>} : "
                 "(tensor<4x8xf32>, tensor<f32>) -> tensor<4x7xf32> {\n"
                 "  ^bb0(%acc: tensor<f32>, %elt: tensor<f32>):\n"
                 "    %sum = cleave.add %acc, %elt : tensor<f32>\n"
                 "    cleave.return %sum : tensor<f32>\n"
                 "  }"),
            "([a, b], []) -> ([a, b]) {a=4, b=7:collective} linear {0}");
  EXPECT_EQ(rule("%x: tensor<4x8xf32>",
                 "%z = cleave.constant dense<0.0> : tensor<f32>\n"
                 "%y = cleave.reduce_window(%x) init(%z) {window_dimensions = "
                 "array<i64: 1, 3>, window_strides = array<i64: 1, 2>, "
                 "base_dilations = array<i64: 1, 1>, window_dilations = "
                 "array<i64: 1, 1>, padding = array<i64: 0, 0, 1, 0>} : "
                 "(tensor<4x8xf32>, tensor<f32>) -> tensor<4x4xf32> {\n"
                 "  ^bb0(%acc: tensor<f32>, %elt: tensor<f32>):\n"
                 "    %sum = cleave.maximum %acc, %elt : tensor<f32>\n"
                 "    cleave.return %sum : tensor<f32>\n"
                 "  }"),
            "([a, b], []) -> ([a, b]) {a=4, b=4:collective}");
  // One window with all elements is a reduction.
  EXPECT_EQ(rule("%x: tensor<4x8xf32>",
                 "%z = cleave.constant dense<0.0> : tensor<f32>\n"
                 "%y = cleave.reduce_window(%x) init(%z) {window_dimensions = "
                 "array<i64: 1, 8>, window_strides = array<i64: 1, 1>, "
                 "base_dilations = array<i64: 1, 1>, window_dilations = "
                 "array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>} : "
                 "(tensor<4x8xf32>, tensor<f32>) -> tensor<4x1xf32> {\n"
                 "  ^bb0(%acc: tensor<f32>, %elt: tensor<f32>):\n"
                 "    %sum = cleave.add %acc, %elt : tensor<f32>\n"
                 "    cleave.return %sum : tensor<f32>\n"
                 "  }"),
            "([a, b], []) -> ([a, c]) {a=4, b=8:sum, c=1:whole} linear "
            "{0}");
  // An initial value that must be counted once.
  EXPECT_EQ(rule("%x: tensor<4x8xf32>",
                 "%z = cleave.constant dense<1.0> : tensor<f32>\n"
                 "%y = cleave.reduce_window(%x) init(%z) {window_dimensions = "
                 "array<i64: 1, 8>, window_strides = array<i64: 1, 1>, "
                 "base_dilations = array<i64: 1, 1>, window_dilations = "
                 "array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>} : "
                 "(tensor<4x8xf32>, tensor<f32>) -> tensor<4x1xf32> {\n"
                 "  ^bb0(%acc: tensor<f32>, %elt: tensor<f32>):\n"
                 "    %sum = cleave.add %acc, %elt : tensor<f32>\n"
                 "    cleave.return %sum : tensor<f32>\n"
                 "  }"),
            "([a, b], []) -> ([a, c]) {a=4, b=8:whole, c=1:whole} linear "
            "{0, 1}");
  // A scan.
  EXPECT_EQ(rule("%x: tensor<4x8xf32>",
                 "%z = cleave.constant dense<0.0> : tensor<f32>\n"
                 "%y = cleave.reduce_window(%x) init(%z) {window_dimensions = "
                 "array<i64: 1, 8>, window_strides = array<i64: 1, 1>, "
                 "base_dilations = array<i64: 1, 1>, window_dilations = "
                 "array<i64: 1, 1>, padding = array<i64: 0, 0, 7, 0>} : "
                 "(tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32> {\n"
                 "  ^bb0(%acc: tensor<f32>, %elt: tensor<f32>):\n"
                 "    %sum = cleave.add %acc, %elt : tensor<f32>\n"
                 "    cleave.return %sum : tensor<f32>\n"
                 "  }"),
            "([a, b], []) -> ([a, b]) {a=4, b=8:collective} linear {0}");
  EXPECT_EQ(rule("%x: tensor<4x8xf32>",
                 "%z = cleave.constant dense<0.0> : tensor<f32>\n"
                 "%y = cleave.reduce_window(%x) init(%z) {window_dimensions = "
                 "array<i64: 1, 1>, window_strides = array<i64: 1, 1>, "
                 "base_dilations = array<i64: 1, 1>, window_dilations = "
                 "array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>} : "
                 "(tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32> {\n"
                 "  ^bb0(%acc: tensor<f32>, %elt: tensor<f32>):\n"
                 "    %sum = cleave.add %acc, %elt : tensor<f32>\n"
                 "    cleave.return %sum : tensor<f32>\n"
                 "  }"),
            "([a, b], []) -> ([a, b]) {a=4, b=8} linear {0}");
}

TEST_F(ShardingRulesWindowsTest, ReduceWindowOfTwoInputs) {
  EXPECT_EQ(rule("%x: tensor<5xf32>, %y: tensor<5xi32>",
                 "%z = cleave.constant dense<0.0> : tensor<f32>\n"
                 "%n = cleave.constant dense<0> : tensor<i32>\n"
                 "%r:2 = cleave.reduce_window(%x, %y) init(%z, %n) "
                 "{window_dimensions = array<i64: 2>, window_strides = "
                 "array<i64: 1>, base_dilations = array<i64: 1>, "
                 "window_dilations = array<i64: 1>, padding = array<i64: 0, "
                 "0>} : (tensor<5xf32>, tensor<5xi32>, tensor<f32>, "
                 "tensor<i32>) -> (tensor<4xf32>, tensor<4xi32>) {\n"
                 "  ^bb0(%av: tensor<f32>, %ai: tensor<i32>, %ev: tensor<f32>, "
                 "%ei: tensor<i32>):\n"
                 "    %ge = cleave.compare GE, %av, %ev : (tensor<f32>, "
                 "tensor<f32>) -> tensor<i1>\n"
                 "    %rv = cleave.select %ge, %av, %ev : tensor<i1>, "
                 "tensor<f32>\n"
                 "    %ri = cleave.select %ge, %ai, %ei : tensor<i1>, "
                 "tensor<i32>\n"
                 "    cleave.return %rv, %ri : tensor<f32>, tensor<i32>\n"
                 "  }"),
            "([a], [a], [], []) -> ([a], [a]) {a=4:collective}");
}

TEST_F(ShardingRulesWindowsTest, Convolution) {
  // Taps along one dimension only.
  EXPECT_EQ(rule("%x: tensor<2x8x9x3xf32>, %k: tensor<3x1x3x6xf32>",
                 "%y = cleave.convolution %x, %k {window_strides = array<i64: "
                 "1, 1>, padding = array<i64: 0, 0, 0, 0>, lhs_dilation = "
                 "array<i64: 1, 1>, rhs_dilation = array<i64: 1, 1>, "
                 "window_reversal = array<i1: false, false>, "
                 "input_batch_dimension = 0, input_feature_dimension = 3, "
                 "input_spatial_dimensions = array<i64: 1, 2>, "
                 "kernel_input_feature_dimension = 2, "
                 "kernel_output_feature_dimension = 3, "
                 "kernel_spatial_dimensions = array<i64: 0, 1>, "
                 "output_batch_dimension = 0, output_feature_dimension = 3, "
                 "output_spatial_dimensions = array<i64: 1, 2>, "
                 "feature_group_count = 1, batch_group_count = 1} : "
                 "(tensor<2x8x9x3xf32>, tensor<3x1x3x6xf32>) -> "
                 "tensor<2x6x9x6xf32>"),
            "([b, e, g, c], [f, h, c, d]) -> ([b, e, g, d]) {a=1, b=2, "
            "c=3:sum, d=6, e=6:collective, f=3:whole, g=9, h=1:whole} "
            "linear {0} {1}");
  EXPECT_EQ(rule("%x: tensor<2x8x4xf32>, %k: tensor<3x2x6xf32>",
                 "%y = cleave.convolution %x, %k {window_strides = array<i64: "
                 "1>, padding = array<i64: 0, 0>, lhs_dilation = array<i64: "
                 "1>, rhs_dilation = array<i64: 1>, window_reversal = "
                 "array<i1: false>, input_batch_dimension = 0, "
                 "input_feature_dimension = 2, input_spatial_dimensions = "
                 "array<i64: 1>, kernel_input_feature_dimension = 1, "
                 "kernel_output_feature_dimension = 2, "
                 "kernel_spatial_dimensions = array<i64: 0>, "
                 "output_batch_dimension = 0, output_feature_dimension = 2, "
                 "output_spatial_dimensions = array<i64: 1>, "
                 "feature_group_count = 2, batch_group_count = 1} : "
                 "(tensor<2x8x4xf32>, tensor<3x2x6xf32>) -> tensor<2x6x6xf32>"),
            "([b, e, ac], [f, c, ad]) -> ([b, e, ad]) {a=2, b=2, c=2:sum, "
            "d=3, e=6:collective, f=3:whole} linear {0} {1}");
  EXPECT_EQ(rule("%x: tensor<6x8x4xf32>, %k: tensor<3x4x6xf32>",
                 "%y = cleave.convolution %x, %k {window_strides = array<i64: "
                 "1>, padding = array<i64: 0, 0>, lhs_dilation = array<i64: "
                 "1>, rhs_dilation = array<i64: 1>, window_reversal = "
                 "array<i1: false>, input_batch_dimension = 0, "
                 "input_feature_dimension = 2, input_spatial_dimensions = "
                 "array<i64: 1>, kernel_input_feature_dimension = 1, "
                 "kernel_output_feature_dimension = 2, "
                 "kernel_spatial_dimensions = array<i64: 0>, "
                 "output_batch_dimension = 0, output_feature_dimension = 2, "
                 "output_spatial_dimensions = array<i64: 1>, "
                 "feature_group_count = 1, batch_group_count = 2} : "
                 "(tensor<6x8x4xf32>, tensor<3x4x6xf32>) -> tensor<3x6x6xf32>"),
            "([ab, e, c], [f, c, ad]) -> ([b, e, ad]) {a=2, b=3, c=4:sum, "
            "d=3, e=6:collective, f=3:whole} linear {0} {1}");
  // More taps than windows.
  EXPECT_EQ(rule("%x: tensor<2x8x4xf32>, %k: tensor<7x4x6xf32>",
                 "%y = cleave.convolution %x, %k {window_strides = array<i64: "
                 "1>, padding = array<i64: 0, 0>, lhs_dilation = array<i64: "
                 "1>, rhs_dilation = array<i64: 1>, window_reversal = "
                 "array<i1: false>, input_batch_dimension = 0, "
                 "input_feature_dimension = 2, input_spatial_dimensions = "
                 "array<i64: 1>, kernel_input_feature_dimension = 1, "
                 "kernel_output_feature_dimension = 2, "
                 "kernel_spatial_dimensions = array<i64: 0>, "
                 "output_batch_dimension = 0, output_feature_dimension = 2, "
                 "output_spatial_dimensions = array<i64: 1>, "
                 "feature_group_count = 1, batch_group_count = 1} : "
                 "(tensor<2x8x4xf32>, tensor<7x4x6xf32>) -> tensor<2x2x6xf32>"),
            "([b, e, c], [e, c, d]) -> ([b, f, d]) {a=1, b=2, c=4:sum, "
            "d=6, e=7:sum, f=2:whole} linear {0} {1}");
  EXPECT_EQ(rule("%x: tensor<2x4xi1>, %k: tensor<4x6xi1>",
                 "%y = cleave.convolution %x, %k {window_strides = array<i64>, "
                 "padding = array<i64>, lhs_dilation = array<i64>, "
                 "rhs_dilation = array<i64>, window_reversal = array<i1>, "
                 "input_batch_dimension = 0, input_feature_dimension = 1, "
                 "input_spatial_dimensions = array<i64>, "
                 "kernel_input_feature_dimension = 0, "
                 "kernel_output_feature_dimension = 1, "
                 "kernel_spatial_dimensions = array<i64>, "
                 "output_batch_dimension = 0, output_feature_dimension = 1, "
                 "output_spatial_dimensions = array<i64>, feature_group_count "
                 "= 1, batch_group_count = 1} : (tensor<2x4xi1>, "
                 "tensor<4x6xi1>) -> tensor<2x6xi1>"),
            "([b, c], [c, d]) -> ([b, d]) {a=1, b=2, c=4:or, d=6}");
}

} // namespace
