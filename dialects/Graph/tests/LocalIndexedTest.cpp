//===- LocalIndexedTest.cpp - Local forms of gathers and scatters ---------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/tests/LocalFormsTest.h"

using namespace cleave;
using namespace cleave::graph;
using namespace mlir;

namespace {

class LocalIndexedTest : public LocalFormsTest {};

TEST_F(LocalIndexedTest, Gather) {
  const char *args = "%t: tensor<11x5xf32>, %i: tensor<4x1xi32>";
  const char *body =
      "%r = cleave.gather %t, %i, offset_dims = [0], collapsed_slice_dims = "
      "[0], start_index_map = [0], index_vector_dim = 1, slice_sizes = [1, 5] "
      ": (tensor<11x5xf32>, tensor<4x1xi32>) -> tensor<5x4xf32>";
  // Rows over both axes, in blocks of 6, then of 2.
  Simulation rows = run(args, body, "tensor<5x4xf32>", {{}, {}, {x, y}, {}});
  EXPECT_EQ(rows.localError, 0);
  EXPECT_EQ(rows.collectives, Collectives{"gather from sharded rows"});
  // Rows over one; columns over the other.
  EXPECT_EQ(run(args, body, "tensor<5x4xf32>", {{}, {}, {y}, {x}}).localError,
            0);
  // Only what stays local.
  Simulation local = run(args, body, "tensor<5x4xf32>", {{y}, {}, {}, {x}});
  EXPECT_EQ(local.localError, 0);
  EXPECT_TRUE(local.collectives.empty());
}

// Of floats of 8 bits, which have no sums, ranks combine the bits. A type may
// have no zero at all.
TEST_F(LocalIndexedTest, GatherOfSmallFloats) {
  for (std::string element : {"f8E4M3FN", "f8E5M2FNUZ", "f8E8M0FNU"}) {
    std::string table = "tensor<11x5x" + element + ">";
    std::string result = "tensor<4x5x" + element + ">";
    std::string args = "%t: " + table + ", %i: tensor<4x1xi32>";
    std::string body = "%r = cleave.gather %t, %i, offset_dims = [1], "
                       "collapsed_slice_dims = [0], start_index_map = [0], "
                       "index_vector_dim = 1, slice_sizes = [1, 5] : (" +
                       table + ", tensor<4x1xi32>) -> " + result;
    func::FuncOp func = parse(args, body, result);
    ASSERT_TRUE(func);
    ShardingRule rule =
        cast<ShardingRuleOpInterface>(&func.front().front()).getShardingRule();
    FactorShardings factors(rule.factors.size());
    factors[rule.operands[0].dims[0].front()] = {y};
    std::vector<Literal> arguments = randomArguments(func, 2);
    // Numbers that all types have.
    for (auto [i, value] : llvm::enumerate(arguments[0].mutableFloats()))
      value = std::ldexp(1, static_cast<int>(i % 9) - 4);
    Simulation rows =
        simulate(func, mesh, factors, arguments, Evaluator::Mode::Rounded);
    EXPECT_EQ(rows.localError, 0) << element;
    EXPECT_EQ(rows.collectives, Collectives{"gather from sharded rows"});
  }
}

TEST_F(LocalIndexedTest, GatherOfTwoCoordinates) {
  const char *args = "%t: tensor<3x7x11xf32>, %i: tensor<5x3x2xi64>";
  const char *body =
      "%r = cleave.gather %t, %i, offset_dims = [], collapsed_slice_dims = "
      "[1, 2], operand_batching_dims = [0], start_indices_batching_dims = [1], "
      "start_index_map = [2, 1], index_vector_dim = 2, slice_sizes = "
      "[1, 1, 1] : (tensor<3x7x11xf32>, tensor<5x3x2xi64>) -> tensor<5x3xf32>";
  // Factors: 5 and 3 of the result, the vector, 7 and 11 of the table.
  for (const FactorShardings &factors :
       {FactorShardings{{}, {}, {}, {x}, {y}},
        FactorShardings{{}, {}, {}, {}, {x, y}},
        FactorShardings{{}, {x}, {}, {y}}}) {
    Simulation both = run(args, body, "tensor<5x3xf32>", factors);
    EXPECT_EQ(both.localError, 0);
    // One collective for both coordinates.
    EXPECT_EQ(both.collectives, Collectives{"gather from sharded rows"});
  }
  Simulation local = run(args, body, "tensor<5x3xf32>", {{x}, {y}});
  EXPECT_EQ(local.localError, 0);
  EXPECT_TRUE(local.collectives.empty());
}

/// The end of a scatter: attributes, types and the function.
static std::string scatterTail(StringRef attributes, StringRef types,
                               StringRef element, StringRef body) {
  return ("{" + attributes + "} : " + types + " {\n^bb0(%a: tensor<" + element +
          ">, %b: tensor<" + element + ">):\n" + body +
          "\ncleave.return %s : tensor<" + element + ">\n}")
      .str();
}

TEST_F(LocalIndexedTest, ScatterAddOfRows) {
  const char *args =
      "%t: tensor<11x5xf32>, %i: tensor<7x1xi32>, %u: tensor<7x5xf32>";
  const char *attributes =
      "update_window_dims = array<i64: 1>, inserted_window_dims = array<i64: "
      "0>, scatter_dims_to_operand_dims = array<i64: 0>, index_vector_dim = 1, "
      "cleave.name = \"table\"";
  const char *types = "(tensor<11x5xf32>, tensor<7x1xi32>, tensor<7x5xf32>) -> "
                      "tensor<11x5xf32>";
  // Factors: updates, the vector, rows, columns.
  const FactorShardings shardings[] = {{{x, y}},
                                       {{}, {}, {x, y}},
                                       {{x}, {}, {y}},
                                       {{y}, {}, {}, {x}},
                                       {{x}, {}, {}, {y}}};
  for (const char *op : {"add", "multiply", "maximum"})
    for (const FactorShardings &factors : shardings) {
      std::string body =
          "%r = cleave.scatter(%t) at %i with (%u) " +
          scatterTail(
              attributes, types, "f32",
              ("%s = cleave." + Twine(op) + " %a, %b : tensor<f32>").str());
      Simulation simulation = run(args, body, "tensor<11x5xf32>", factors);
      EXPECT_LT(simulation.localError, tolerance) << op;
      // Only the caller completes sums.
      EXPECT_TRUE(simulation.collectives.empty());
      EXPECT_TRUE(simulation.attributes.get("cleave.name"));
    }
  // Updates that are no sum stay in order.
  std::string body =
      "%r = cleave.scatter(%t) at %i with (%u) " +
      scatterTail(attributes, types, "f32",
                  "%h = cleave.constant dense<0.5> : tensor<f32>\n"
                  "%p = cleave.multiply %a, %h : tensor<f32>\n"
                  "%s = cleave.subtract %p, %b : tensor<f32>");
  EXPECT_LT(run(args, body, "tensor<11x5xf32>", {{}, {}, {x, y}}).localError,
            tolerance);
}

TEST_F(LocalIndexedTest, ScatterOfWindows) {
  // Windows of 3 x 2 that start anywhere, the second dimension in no index;
  // over 6 ranks a block is smaller than a window.
  const char *args =
      "%t: tensor<11x5xi32>, %i: tensor<4xi8>, %u: tensor<3x4x2xi32>";
  std::string body =
      "%r = cleave.scatter(%t) at %i with (%u) " +
      scatterTail("update_window_dims = array<i64: 0, 2>, inserted_window_dims "
                  "= array<i64>, scatter_dims_to_operand_dims = array<i64: 0>, "
                  "index_vector_dim = 1, cleave.name = \"w\"",
                  "(tensor<11x5xi32>, tensor<4xi8>, tensor<3x4x2xi32>) -> "
                  "tensor<11x5xi32>",
                  "i32",
                  "%c = cleave.constant dense<3> : tensor<i32>\n"
                  "%p = cleave.multiply %a, %c : tensor<i32>\n"
                  "%s = cleave.add %p, %b : tensor<i32>");
  // Factors: updates, rows, the window's rows, columns, the window's columns.
  for (const FactorShardings &factors :
       {FactorShardings{{}, {x, y}}, FactorShardings{{}, {y}, {}, {x}},
        FactorShardings{{}, {}, {}, {x, y}}, FactorShardings{{}, {x}}}) {
    Simulation simulation = run(args, body, "tensor<11x5xi32>", factors);
    EXPECT_EQ(simulation.localError, 0);
    EXPECT_TRUE(simulation.collectives.empty());
    EXPECT_TRUE(simulation.attributes.get("cleave.name"));
  }
}

TEST_F(LocalIndexedTest, ScatterInBatches) {
  const char *args =
      "%t: tensor<5x7xf32>, %i: tensor<6x7xui8>, %u: tensor<6x7xf32>";
  std::string body =
      "%r = cleave.scatter(%t) at %i with (%u) " +
      scatterTail("update_window_dims = array<i64>, inserted_window_dims = "
                  "array<i64: 0>, input_batching_dims = array<i64: 1>, "
                  "scatter_indices_batching_dims = array<i64: 1>, "
                  "scatter_dims_to_operand_dims = array<i64: 0>, "
                  "index_vector_dim = 2",
                  "(tensor<5x7xf32>, tensor<6x7xui8>, tensor<6x7xf32>) -> "
                  "tensor<5x7xf32>",
                  "f32", "%s = cleave.add %a, %b : tensor<f32>");
  // Factors: updates, the batch, rows.
  for (const FactorShardings &factors :
       {FactorShardings{{}, {x, y}}, FactorShardings{{x}, {y}},
        FactorShardings{{}, {x}, {y}}, FactorShardings{{y}, {}, {x}}}) {
    Simulation simulation = run(args, body, "tensor<5x7xf32>", factors);
    EXPECT_LT(simulation.localError, tolerance);
    EXPECT_TRUE(simulation.collectives.empty());
  }
}

TEST_F(LocalIndexedTest, NarrowIndices) {
  // 127 is not past the end of 300 rows, and must stay what it is.
  Simulation rows =
      run("%t: tensor<300x2xi32>, %i: tensor<4xi8>",
          "%r = cleave.gather %t, %i, offset_dims = [1], collapsed_slice_dims "
          "= [0], start_index_map = [0], index_vector_dim = 1, slice_sizes = "
          "[1, 2] : (tensor<300x2xi32>, tensor<4xi8>) -> tensor<4x2xi32>",
          "tensor<4x2xi32>", {{}, {x, y}, {}});
  EXPECT_EQ(rows.localError, 0);
}

TEST_F(LocalIndexedTest, Embedding) {
  const char *args = "%t: tensor<11x5xbf16>, %i: tensor<4x3xi64>";
  const char *body = "%r = cleave.embedding %t, %i {cleave.name = \"rows\"} : "
                     "(tensor<11x5xbf16>, tensor<4x3xi64>) -> "
                     "tensor<4x3x5xbf16>";
  Simulation rows = run(args, body, "tensor<4x3x5xbf16>", {{}, {}, {x, y}});
  EXPECT_EQ(rows.localError, 0);
  EXPECT_EQ(rows.collectives, Collectives{"embedding with sharded rows"});
  EXPECT_TRUE(rows.attributes.get("cleave.name"));
  EXPECT_EQ(run(args, body, "tensor<4x3x5xbf16>", {{x}, {}, {y}}).localError,
            0);
  EXPECT_EQ(
      run(args, body, "tensor<4x3x5xbf16>", {{x}, {}, {}, {y}}).localError, 0);
}

} // namespace
