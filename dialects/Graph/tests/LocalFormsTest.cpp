//===- LocalFormsTest.cpp - Local forms compute what the op does ----------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/ExpandBias.h"
#include "dialects/Graph/tests/SimulatedRanks.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"
#include <random>

using namespace cleave;
using namespace cleave::graph;
using namespace mlir;

namespace {

class LocalFormsTest : public testing::Test {
protected:
  LocalFormsTest() {
    context.loadDialect<func::FuncDialect, CleaveDialect>();
    // Attributes of a dialect that is not there.
    context.allowUnregisteredDialects();
    mesh.name = "m";
    mesh.axes = {{"x", 2}, {"y", 3}};
    x = mesh.whole(0);
    y = mesh.whole(1);
  }

  /// A function of `args` that returns what `op`, the last line of `body`,
  /// makes.
  func::FuncOp parse(StringRef args, StringRef body, StringRef type) {
    std::string text = ("func.func @f(" + args + ") -> " + type + " {\n" +
                        body + "\nreturn %r : " + type + "\n}")
                           .str();
    module = parseSourceString<ModuleOp>(text, ParserConfig(&context));
    if (!module)
      return nullptr;
    return cast<func::FuncOp>(module->getBody()->front());
  }

  /// Normally distributed floats with this mean; integers from -3 to 15.
  std::vector<Literal> randomArguments(func::FuncOp func, double mean) {
    std::mt19937 engine(7);
    std::vector<Literal> args;
    for (Type type : func.getArgumentTypes()) {
      Literal literal(cast<RankedTensorType>(type));
      if (literal.isFloat()) {
        std::normal_distribution<double> distribution(mean, 1.0);
        for (double &value : literal.mutableFloats())
          value = roundToType(distribution(engine), literal.elementType());
      } else {
        std::uniform_int_distribution<int64_t> distribution(-3, 15);
        for (int64_t &value : literal.mutableInts())
          value = wrapToType(distribution(engine), literal.elementType());
      }
      args.push_back(std::move(literal));
    }
    return args;
  }

  Simulation run(StringRef args, StringRef body, StringRef type,
                 const FactorShardings &factors, double mean = 0,
                 Evaluator::Mode mode = Evaluator::Mode::Exact) {
    func::FuncOp func = parse(args, body, type);
    if (!func)
      return {0, std::numeric_limits<double>::infinity(), {}, {}};
    return simulate(func, mesh, factors, randomArguments(func, mean), mode);
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  Mesh mesh;
  AxisRef x, y;
  /// In float64 only the order of additions differs.
  static constexpr double tolerance = 1e-12;
};

using Collectives = std::vector<std::string>;

TEST_F(LocalFormsTest, Sources) {
  // 7 rows in blocks of 4, then of 2: one block is empty.
  EXPECT_EQ(run("", "%r = cleave.iota dim = 0 : tensor<7x2xf32>",
                "tensor<7x2xf32>", {{x, y}, {}})
                .localError,
            0);
  EXPECT_EQ(run("", "%r = cleave.iota dim = 0 : tensor<7x4xi8>",
                "tensor<7x4xi8>", {{}, {x}})
                .localError,
            0);
  Simulation constant =
      run("",
          "%r = cleave.constant {cleave.name = \"c\"} dense<2.0> : "
          "tensor<7x2xf32>",
          "tensor<7x2xf32>", {{y}, {x}});
  EXPECT_EQ(constant.localError, 0);
}

TEST_F(LocalFormsTest, Slices) {
  EXPECT_EQ(run("%x: tensor<7x8xf32>",
                "%r = cleave.slice %x [0:7, 2:8:2] : (tensor<7x8xf32>) -> "
                "tensor<7x3xf32>",
                "tensor<7x3xf32>", {{x, y}, {}, {}})
                .localError,
            0);
  EXPECT_EQ(run("%x: tensor<7x8xf32>, %i: tensor<i32>",
                "%r = cleave.dynamic_slice %x, %i, %i, sizes = [7, 3] : "
                "(tensor<7x8xf32>, tensor<i32>, tensor<i32>) -> "
                "tensor<7x3xf32>",
                "tensor<7x3xf32>", {{x, y}, {}, {}})
                .localError,
            0);
}

TEST_F(LocalFormsTest, Gather) {
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
TEST_F(LocalFormsTest, GatherOfSmallFloats) {
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

TEST_F(LocalFormsTest, GatherOfTwoCoordinates) {
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

TEST_F(LocalFormsTest, ScatterAddOfRows) {
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

TEST_F(LocalFormsTest, ScatterOfWindows) {
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

TEST_F(LocalFormsTest, ScatterInBatches) {
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

TEST_F(LocalFormsTest, SortInBatches) {
  const char *body =
      "%r = cleave.sort(%x) dimension = 1 : (tensor<3x7x4xf32>) -> "
      "tensor<3x7x4xf32> {\n^bb0(%a: tensor<f32>, %b: tensor<f32>):\n"
      "%l = cleave.compare GT, %a, %b : (tensor<f32>, tensor<f32>) -> "
      "tensor<i1>\ncleave.return %l : tensor<i1>\n}";
  Simulation local =
      run("%x: tensor<3x7x4xf32>", body, "tensor<3x7x4xf32>", {{x}, {}, {y}});
  EXPECT_EQ(local.localError, 0);
  EXPECT_TRUE(local.collectives.empty());
}

TEST_F(LocalFormsTest, RandomBits) {
  // Blocks begin anywhere between the words of a counter.
  for (const char *algorithm : {"three_fry", "philox"})
    for (const char *type :
         {"tensor<7x11xui32>", "tensor<6x5xui8>", "tensor<5x7xui64>"})
      for (const FactorShardings &factors :
           {FactorShardings{{}, {x, y}}, FactorShardings{{}, {}, {x, y}},
            FactorShardings{{}, {y}, {x}}}) {
        Simulation local =
            run("%s: tensor<2xui64>",
                ("%o, %r = cleave.rng_bit_generator " + Twine(algorithm) +
                 ", %s {cleave.name = \"bits\"} : (tensor<2xui64>) -> "
                 "(tensor<2xui64>, " +
                 type + ")")
                    .str(),
                type, factors);
        EXPECT_EQ(local.localError, 0);
        EXPECT_TRUE(local.collectives.empty());
        EXPECT_TRUE(local.attributes.get("cleave.name"));
      }
}

TEST_F(LocalFormsTest, NarrowIndices) {
  // 127 is not past the end of 300 rows, and must stay what it is.
  Simulation rows =
      run("%t: tensor<300x2xi32>, %i: tensor<4xi8>",
          "%r = cleave.gather %t, %i, offset_dims = [1], collapsed_slice_dims "
          "= [0], start_index_map = [0], index_vector_dim = 1, slice_sizes = "
          "[1, 2] : (tensor<300x2xi32>, tensor<4xi8>) -> tensor<4x2xi32>",
          "tensor<4x2xi32>", {{}, {x, y}, {}});
  EXPECT_EQ(rows.localError, 0);
}

TEST_F(LocalFormsTest, Embedding) {
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

TEST_F(LocalFormsTest, Softmax) {
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

TEST_F(LocalFormsTest, LayerNorm) {
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

TEST_F(LocalFormsTest, LayerNormOfLargeMean) {
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

TEST_F(LocalFormsTest, RmsNorm) {
  Simulation both =
      run("%x: tensor<7xf32>, %s: tensor<7xf32>",
          "%r = cleave.rms_norm %x, %s, epsilon = 1.0e-5 : (tensor<7xf32>, "
          "tensor<7xf32>) -> tensor<7xf32>",
          "tensor<7xf32>", {{x, y}});
  EXPECT_LT(both.localError, tolerance);
  EXPECT_EQ(both.collectives, Collectives{"sum of squares of rms_norm"});
}

TEST_F(LocalFormsTest, CrossEntropy) {
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

TEST_F(LocalFormsTest, Linear) {
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

TEST_F(LocalFormsTest, LinearOverTwoDimensions) {
  Simulation both =
      run("%x: tensor<2x5x4xf32>, %w: tensor<5x4x3xf32>, %b: tensor<3xf32>",
          "%r = cleave.linear %x, %w bias %b contracting = 2 : "
          "(tensor<2x5x4xf32>, tensor<5x4x3xf32>, tensor<3xf32>) -> "
          "tensor<2x3xf32>",
          "tensor<2x3xf32>", {{}, {}, {x}, {y}});
  EXPECT_LT(both.localError, tolerance);
}

TEST_F(LocalFormsTest, ExpandBias) {
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

TEST_F(LocalFormsTest, Reduce) {
  const char *body = "%z = cleave.constant dense<0.0> : tensor<f32>\n"
                     "%r = cleave.reduce(%x init: %z) applies cleave.add "
                     "across dimensions = [1] : (tensor<4x7xf32>, "
                     "tensor<f32>) -> tensor<4xf32>";
  EXPECT_LT(
      run("%x: tensor<4x7xf32>", body, "tensor<4xf32>", {{x}, {y}}).localError,
      tolerance);
}

TEST_F(LocalFormsTest, ReduceWithAnyFunction) {
  // The place of the first maximum.
  const char *args = "%x: tensor<4x7x5xi8>, %i: tensor<4x7x5xi32>";
  auto body = [](StringRef dimensions, StringRef type) {
    return ("%low = cleave.constant dense<-128> : tensor<i8>\n"
            "%zero = cleave.constant dense<0> : tensor<i32>\n"
            "%v, %r = cleave.reduce(%x init: %low), (%i init: %zero) across "
            "dimensions = " +
            dimensions +
            " {cleave.name = \"argmax\"} : (tensor<4x7x5xi8>, "
            "tensor<4x7x5xi32>, tensor<i8>, tensor<i32>) -> (tensor<" +
            type + "xi8>, tensor<" + type +
            "xi32>)\n reducer(%a: tensor<i8>, %e: tensor<i8>) (%b: "
            "tensor<i32>, %d: tensor<i32>) {\n"
            "%g = cleave.compare GE, %a, %e : (tensor<i8>, tensor<i8>) -> "
            "tensor<i1>\n%s = cleave.select %g, %a, %e : tensor<i1>, "
            "tensor<i8>\n%t = cleave.select %g, %b, %d : tensor<i1>, "
            "tensor<i32>\ncleave.return %s, %t : tensor<i8>, tensor<i32>\n}")
        .str();
  };
  const Collectives two = {"partial results of reduce",
                           "partial results of reduce"};
  // The first of equal ones: the order of ranks must be that of the blocks.
  for (const FactorShardings &factors :
       {FactorShardings{{}, {y}}, FactorShardings{{}, {x, y}},
        FactorShardings{{x}, {y}}, FactorShardings{{}, {y}, {x}}}) {
    Simulation one = run(args, body("[1]", "4x5"), "tensor<4x5xi32>", factors);
    EXPECT_EQ(one.localError, 0);
    EXPECT_EQ(one.collectives, two);
    EXPECT_TRUE(one.attributes.get("cleave.name"));
  }
  EXPECT_EQ(
      run(args, body("[0]", "7x5"), "tensor<7x5xi32>", {{x, y}}).localError, 0);
  Simulation local =
      run(args, body("[1]", "4x5"), "tensor<4x5xi32>", {{x}, {}, {y}});
  EXPECT_EQ(local.localError, 0);
  EXPECT_TRUE(local.collectives.empty());
}

TEST_F(LocalFormsTest, ReduceOfTwoDimensionsWithAnyFunction) {
  // log(exp(a) + exp(b))
  const char *body =
      "%z = cleave.constant dense<0xFF800000> : tensor<f32>\n"
      "%r = cleave.reduce(%x init: %z) across dimensions = [2, 0] : "
      "(tensor<4x3x7xf32>, tensor<f32>) -> tensor<3xf32>\n"
      " reducer(%a: tensor<f32>, %e: tensor<f32>) {\n"
      "%p = cleave.exponential %a : tensor<f32>\n"
      "%q = cleave.exponential %e : tensor<f32>\n"
      "%s = cleave.add %p, %q : tensor<f32>\n"
      "%l = cleave.log %s : tensor<f32>\n"
      "cleave.return %l : tensor<f32>\n}";
  for (const FactorShardings &factors :
       {FactorShardings{{x}, {}, {y}}, FactorShardings{{y}, {}, {x}},
        FactorShardings{{}, {x}, {y}}}) {
    Simulation both =
        run("%x: tensor<4x3x7xf32>", body, "tensor<3xf32>", factors);
    EXPECT_LT(both.localError, tolerance);
    EXPECT_FALSE(both.collectives.empty());
  }
}

TEST_F(LocalFormsTest, Attention) {
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

TEST_F(LocalFormsTest, RotaryEmbedding) {
  EXPECT_LT(run("%x: tensor<2x5x3x4xf32>, %p: tensor<5xi32>",
                "%r = cleave.rotary_embedding %x, %p : "
                "(tensor<2x5x3x4xf32>, tensor<5xi32>) -> "
                "tensor<2x5x3x4xf32>",
                "tensor<2x5x3x4xf32>", {{}, {x}, {y}})
                .localError,
            tolerance);
}

} // namespace
