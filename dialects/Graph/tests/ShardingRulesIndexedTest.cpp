//===- ShardingRulesIndexedTest.cpp - Gather, scatter, sort ---------------===//
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

class ShardingRulesIndexedTest : public RuleTest {};

TEST_F(ShardingRulesIndexedTest, Gather) {
  EXPECT_EQ(
      rule("%t: tensor<100x16xf32>, %i: tensor<2x5x1xi32>",
           "cleave.gather %t, %i, offset_dims = [2], collapsed_slice_dims = "
           "[0], start_index_map = [0], index_vector_dim = 2, slice_sizes = "
           "[1, 16] : (tensor<100x16xf32>, tensor<2x5x1xi32>) -> "
           "tensor<2x5x16xf32>"),
      "([d, e], [a, b, c]) -> ([a, b, e]) {a=2, b=5, c=1:whole, "
      "d=100:collective, e=16} linear {0}");
  // The vector of indices is implicit; part of the second dimension is taken.
  EXPECT_EQ(
      rule("%t: tensor<100x16xf32>, %i: tensor<5xi32>",
           "cleave.gather %t, %i, offset_dims = [0], collapsed_slice_dims = "
           "[0], start_index_map = [0], index_vector_dim = 1, slice_sizes = "
           "[1, 8] : (tensor<100x16xf32>, tensor<5xi32>) -> tensor<8x5xf32>"),
      "([b, c], [a]) -> ([d, a]) {a=5, b=100:collective, c=16:whole, "
      "d=8:whole} linear {0}");
  // Two coordinates, and a batching dimension.
  EXPECT_EQ(
      rule("%t: tensor<3x7x8xf32>, %i: tensor<3x5x2xi32>",
           "cleave.gather %t, %i, offset_dims = [], collapsed_slice_dims = "
           "[1, 2], operand_batching_dims = [0], "
           "start_indices_batching_dims = [0], start_index_map = [1, 2], "
           "index_vector_dim = 2, slice_sizes = [1, 1, 1] : "
           "(tensor<3x7x8xf32>, tensor<3x5x2xi32>) -> tensor<3x5xf32>"),
      "([a, d, e], [a, b, c]) -> ([a, b]) {a=3, b=5, c=2:whole, "
      "d=7:collective, e=8:collective} linear {0}");
}

/// A scatter with a body of one op on f32, or one that takes the updates.
static std::string scatter(StringRef types, StringRef attributes,
                           StringRef op) {
  std::string body = "%s = cleave." + op.str() + " %a, %b : tensor<f32>\n";
  if (op.empty())
    body = "";
  return ("cleave.scatter(%x) at %i with (%u) {" + attributes + "} : " + types +
          " {\n^bb0(%a: tensor<f32>, %b: tensor<f32>):\n" + body +
          "cleave.return " + (op.empty() ? "%b" : "%s") + " : tensor<f32>\n}")
      .str();
}

TEST_F(ShardingRulesIndexedTest, Scatter) {
  auto rows = [&](StringRef op) {
    return rule(
        "%x: tensor<100x16xf32>, %i: tensor<5x1xi32>, %u: tensor<5x16xf32>",
        scatter("(tensor<100x16xf32>, tensor<5x1xi32>, tensor<5x16xf32>) -> "
                "tensor<100x16xf32>",
                "update_window_dims = array<i64: 1>, inserted_window_dims = "
                "array<i64: 0>, scatter_dims_to_operand_dims = array<i64: 0>, "
                "index_vector_dim = 1",
                op));
  };
  const std::string operands = "([c, d], [a, b], [a, d]) -> ([c, d]) ";
  EXPECT_EQ(rows("add"), operands + "{a=5:sum, b=1:whole, c=100, d=16} linear "
                                    "{0, 2}");
  EXPECT_EQ(rows("maximum"), operands + "{a=5:max, b=1:whole, c=100, d=16}");
  // Of updates that replace elements, the last one counts.
  EXPECT_EQ(rows(""), operands + "{a=5:whole, b=1:whole, c=100, d=16} linear "
                                 "{0, 2}");
  EXPECT_EQ(rows("power"), operands + "{a=5:whole, b=1:whole, c=100, d=16}");
}

TEST_F(ShardingRulesIndexedTest, ScatterOfWindowsInBatches) {
  EXPECT_EQ(
      rule("%x: tensor<3x9x8xf32>, %i: tensor<5x3xi32>, %u: "
           "tensor<5x3x2xf32>",
           scatter("(tensor<3x9x8xf32>, tensor<5x3xi32>, tensor<5x3x2xf32>) -> "
                   "tensor<3x9x8xf32>",
                   "update_window_dims = array<i64: 2>, inserted_window_dims = "
                   "array<i64: 1>, input_batching_dims = array<i64: 0>, "
                   "scatter_indices_batching_dims = array<i64: 1>, "
                   "scatter_dims_to_operand_dims = array<i64: 2>, "
                   "index_vector_dim = 2",
                   "add")),
      "([b, c, d], [a, b], [a, b, e]) -> ([b, c, d]) {a=5:sum, b=3, c=9, d=8, "
      "e=2:whole} linear {0, 2}");
}

TEST_F(ShardingRulesIndexedTest, ScatterIntoZeros) {
  EXPECT_EQ(
      rule("%i: tensor<5xi32>, %u: tensor<5xf32>",
           "%x = cleave.constant dense<0.0> : tensor<9xf32>\n%r = " +
               scatter("(tensor<9xf32>, tensor<5xi32>, tensor<5xf32>) -> "
                       "tensor<9xf32>",
                       "update_window_dims = array<i64>, inserted_window_dims "
                       "= array<i64: 0>, scatter_dims_to_operand_dims = "
                       "array<i64: 0>, index_vector_dim = 1",
                       "add")),
      "([b], [a], [a]) -> ([b]) {a=5:sum, b=9} linear {2}");
}

TEST_F(ShardingRulesIndexedTest, SortAndRandomBits) {
  EXPECT_EQ(rule("%x: tensor<4x5xf32>, %y: tensor<4x5xi32>",
                 "%r:2 = cleave.sort(%x, %y) dimension = 1 : (tensor<4x5xf32>, "
                 "tensor<4x5xi32>) -> (tensor<4x5xf32>, tensor<4x5xi32>) {\n"
                 "^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<i32>, %d: "
                 "tensor<i32>):\n%l = cleave.compare LT, %a, %b : "
                 "(tensor<f32>, tensor<f32>) -> tensor<i1>\n"
                 "cleave.return %l : tensor<i1>\n}"),
            "([a, b], [a, b]) -> ([a, b], [a, b]) {a=4, b=5:whole}");
  EXPECT_EQ(rule("%s: tensor<2xui64>",
                 "%r:2 = cleave.rng_bit_generator three_fry, %s : "
                 "(tensor<2xui64>) -> (tensor<2xui64>, tensor<4x5xui32>)"),
            "([a]) -> ([a], [b, c]) {a=2:whole, b=4, c=5}");
}

} // namespace
