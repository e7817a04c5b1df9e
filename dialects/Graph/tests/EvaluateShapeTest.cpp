//===- EvaluateShapeTest.cpp - Tests of data movement ---------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/tests/EvaluationTest.h"

using namespace mlir;
using namespace cleave::graph;

namespace {
using Ints = std::vector<int64_t>;

/// Data movement is the same for every element type.
class ShapeTest : public EvaluationTest {
protected:
  Literal numbers(StringRef typeText) {
    Literal result(type(typeText));
    for (auto [i, value] : llvm::enumerate(result.mutableInts()))
      value = i;
    return result;
  }
  Literal tensor(StringRef typeText, Ints values) {
    return Literal(type(typeText), std::move(values));
  }
};

TEST_F(ShapeTest, BroadcastTransposeReverse) {
  EXPECT_EQ(ints("tensor<2x2x2xi32>",
                 "%r = cleave.broadcast_in_dim %0, dims = [2, 1] : "
                 "(tensor<2x1xi32>) -> tensor<2x2x2xi32>",
                 {numbers("tensor<2x1xi32>")}),
            Ints({0, 1, 0, 1, 0, 1, 0, 1}));
  EXPECT_EQ(ints("tensor<3xi32>",
                 "%r = cleave.broadcast_in_dim %0, dims = [] : (tensor<i32>) "
                 "-> tensor<3xi32>",
                 {tensor("tensor<i32>", {7})}),
            Ints({7, 7, 7}));
  EXPECT_EQ(ints("tensor<3x1x2xi32>",
                 "%r = cleave.transpose %0, dims = [2, 0, 1] : "
                 "(tensor<1x2x3xi32>) -> tensor<3x1x2xi32>",
                 {numbers("tensor<1x2x3xi32>")}),
            Ints({0, 3, 1, 4, 2, 5}));
  EXPECT_EQ(ints("tensor<2x3xi32>",
                 "%r = cleave.reverse %0, dims = [1] : tensor<2x3xi32>",
                 {numbers("tensor<2x3xi32>")}),
            Ints({2, 1, 0, 5, 4, 3}));
}

TEST_F(ShapeTest, SliceAndConcatenate) {
  EXPECT_EQ(ints("tensor<2x2xi32>",
                 "%r = cleave.slice %0 [0:3:2, 1:4:2] : (tensor<3x4xi32>) -> "
                 "tensor<2x2xi32>",
                 {numbers("tensor<3x4xi32>")}),
            Ints({1, 3, 9, 11}));
  EXPECT_EQ(ints("tensor<2x3xi32>",
                 "%r = cleave.concatenate %0, %1, dim = 1 : (tensor<2x1xi32>, "
                 "tensor<2x2xi32>) -> tensor<2x3xi32>",
                 {numbers("tensor<2x1xi32>"), numbers("tensor<2x2xi32>")}),
            Ints({0, 0, 1, 1, 2, 3}));
}

TEST_F(ShapeTest, Pad) {
  Literal nine = tensor("tensor<i32>", {9});
  EXPECT_EQ(ints("tensor<8xi32>",
                 "%r = cleave.pad %0, %1, low = [1], high = [2], interior = [1]"
                 " : (tensor<3xi32>, tensor<i32>) -> tensor<8xi32>",
                 {numbers("tensor<3xi32>"), nine}),
            Ints({9, 0, 9, 1, 9, 2, 9, 9}));
  EXPECT_EQ(ints("tensor<3xi32>",
                 "%r = cleave.pad %0, %1, low = [-2], high = [1], interior = "
                 "[0] : (tensor<4xi32>, tensor<i32>) -> tensor<3xi32>",
                 {numbers("tensor<4xi32>"), nine}),
            Ints({2, 3, 9}));
  // 0 9 9 1 9 9 2 9 9 3, without the first and the last two.
  EXPECT_EQ(ints("tensor<7xi32>",
                 "%r = cleave.pad %0, %1, low = [-1], high = [-2], interior = "
                 "[2] : (tensor<4xi32>, tensor<i32>) -> tensor<7xi32>",
                 {numbers("tensor<4xi32>"), nine}),
            Ints({9, 9, 1, 9, 9, 2, 9}));
  EXPECT_EQ(ints("tensor<2xi32>",
                 "%r = cleave.pad %0, %1, low = [5], high = [-6], interior = "
                 "[0] : (tensor<3xi32>, tensor<i32>) -> tensor<2xi32>",
                 {numbers("tensor<3xi32>"), nine}),
            Ints({9, 9}));
}

TEST_F(ShapeTest, DynamicSlicesClamp) {
  StringRef slice = "%r = cleave.dynamic_slice %0, %1, %2, sizes = [2, 2] : "
                    "(tensor<3x4xi32>, tensor<i32>, tensor<i32>) -> "
                    "tensor<2x2xi32>";
  Literal operand = numbers("tensor<3x4xi32>");
  EXPECT_EQ(
      ints("tensor<2x2xi32>", slice,
           {operand, tensor("tensor<i32>", {5}), tensor("tensor<i32>", {-1})}),
      Ints({4, 5, 8, 9}));
  EXPECT_EQ(ints("tensor<2xi32>",
                 "%r = cleave.dynamic_slice %0, %1, sizes = [2] : "
                 "(tensor<4xi32>, tensor<ui64>) -> tensor<2xi32>",
                 {numbers("tensor<4xi32>"), tensor("tensor<ui64>", {-1})}),
            Ints({2, 3}));
  EXPECT_EQ(ints("tensor<4xi32>",
                 "%r = cleave.dynamic_update_slice %0, %1, %2 : (tensor<4xi32>,"
                 " tensor<2xi32>, tensor<i64>) -> tensor<4xi32>",
                 {numbers("tensor<4xi32>"), tensor("tensor<2xi32>", {8, 9}),
                  tensor("tensor<i64>", {3})}),
            Ints({0, 1, 8, 9}));
}

TEST_F(ShapeTest, GatherRows) {
  // Rows 2, 0 and (clamped) 3 of a table, the index vector being implicit.
  EXPECT_EQ(
      ints("tensor<3x2xi32>",
           "%r = cleave.gather %0, %1, offset_dims = [1], "
           "collapsed_slice_dims = [0], start_index_map = [0], "
           "index_vector_dim = 1, slice_sizes = [1, 2] : (tensor<4x2xi32>, "
           "tensor<3xi32>) -> tensor<3x2xi32>",
           {numbers("tensor<4x2xi32>"), tensor("tensor<3xi32>", {2, 0, 9})}),
      Ints({4, 5, 0, 1, 6, 7}));
}

TEST_F(ShapeTest, GatherWindows) {
  // 2x2 windows whose starts come as (column, row), the vector dimension first.
  EXPECT_EQ(
      ints("tensor<2x2x2xi32>",
           "%r = cleave.gather %0, %1, offset_dims = [0, 2], "
           "collapsed_slice_dims = [], start_index_map = [1, 0], "
           "index_vector_dim = 0, slice_sizes = [2, 2] : (tensor<3x4xi32>, "
           "tensor<2x2xi64>) -> tensor<2x2x2xi32>",
           {numbers("tensor<3x4xi32>"),
            tensor("tensor<2x2xi64>", {1, 9, 0, -4})}),
      // Windows at (0, 1) and (0, 2): rows first, then windows, then columns.
      Ints({1, 2, 2, 3, 5, 6, 6, 7}));
}

TEST_F(ShapeTest, GatherWithBatchingDims) {
  // Element indices[b, i] of row b.
  EXPECT_EQ(
      ints("tensor<2x3xi32>",
           "%r = cleave.gather %0, %1, offset_dims = [], collapsed_slice_dims "
           "= [1], operand_batching_dims = [0], start_indices_batching_dims = "
           "[0], start_index_map = [1], index_vector_dim = 2, slice_sizes = "
           "[1, 1] : (tensor<2x4xi32>, tensor<2x3x1xi32>) -> tensor<2x3xi32>",
           {numbers("tensor<2x4xi32>"),
            tensor("tensor<2x3x1xi32>", {3, 0, 1, 2, 2, 0})}),
      Ints({3, 0, 1, 6, 6, 4}));
}
} // namespace
