//===- DecompositionsTest.cpp - Primitives compute what composites do -----===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/Evaluate/Evaluator.h"
#include "dialects/Graph/GraphDialect.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringExtras.h"
#include "gtest/gtest.h"
#include <cmath>
#include <random>

using namespace cleave;
using namespace cleave::graph;
using namespace mlir;

namespace {

class DecompositionsTest : public testing::Test {
protected:
  DecompositionsTest() {
    context.loadDialect<func::FuncDialect, CleaveDialect>();
  }

  /// Normally distributed floats; integers from -3 to `most`.
  Literal random(RankedTensorType type, double mean, int64_t most) {
    Literal literal(type);
    if (literal.isFloat()) {
      std::normal_distribution<double> distribution(mean, 1.0);
      for (double &value : literal.mutableFloats())
        value = roundToType(distribution(engine), literal.elementType());
    } else {
      std::uniform_int_distribution<int64_t> distribution(-3, most);
      for (int64_t &value : literal.mutableInts())
        value = wrapToType(distribution(engine), literal.elementType());
    }
    return literal;
  }

  void decompose(func::FuncOp func) {
    for (bool changed = true; changed;) {
      changed = false;
      SmallVector<DecomposableOpInterface> ops;
      func.walk([&](DecomposableOpInterface op) { ops.push_back(op); });
      for (DecomposableOpInterface op : ops) {
        OpBuilder builder(op);
        FailureOr<SmallVector<Value>> results = op.decompose(builder);
        ASSERT_TRUE(succeeded(results));
        op->replaceAllUsesWith(*results);
        op->erase();
        changed = true;
      }
    }
    ASSERT_TRUE(succeeded(verify(func)));
  }

  static double largestError(const Literal &value, const Literal &reference) {
    double error = 0, scale = 0;
    for (auto [a, b] : llvm::zip_equal(value.floats(), reference.floats())) {
      // A row of -inf is NaN on both sides.
      if (std::isnan(a) && std::isnan(b))
        continue;
      error = std::max(error, std::isnan(a - b) ? INFINITY : std::abs(a - b));
      scale = std::max(scale, std::abs(b));
    }
    return scale == 0 ? error : error / scale;
  }

  /// `op` on `%0`, `%1`, ... of these types: the decomposition agrees with the
  /// composite, up to constants in f32, and in the model's own types up to a
  /// few roundings.
  void check(StringRef op, ArrayRef<StringRef> args, StringRef result,
             double mean = 0.0, int64_t most = 15) {
    std::string types = llvm::join(args, ", ");
    std::string text = "func.func @f(";
    for (auto [i, type] : llvm::enumerate(args))
      text += (Twine(i ? ", " : "") + "%a" + Twine(i) + ": " + type).str();
    text += (") -> " + result + " {\n%r = cleave." + op + " : ").str();
    // Unary composites name one type.
    text += args.size() == 1 ? types : ("(" + types + ") -> " + result).str();
    text += ("\nreturn %r : " + result + "\n}").str();
    auto module = parseSourceString<ModuleOp>(text, ParserConfig(&context));
    ASSERT_TRUE(module) << text;
    auto func = cast<func::FuncOp>(module->getBody()->front());
    std::vector<Literal> inputs;
    for (Type type : func.getArgumentTypes())
      inputs.push_back(random(cast<RankedTensorType>(type), mean, most));

    auto reference = Evaluator().evaluate(func, inputs);
    ASSERT_TRUE(succeeded(reference)) << text;
    decompose(func);
    auto exact = Evaluator().evaluate(func, inputs);
    auto rounded = Evaluator(Evaluator::Mode::Rounded).evaluate(func, inputs);
    ASSERT_TRUE(succeeded(exact) && succeeded(rounded)) << text;
    EXPECT_LE(largestError(exact->front(), reference->front()), 2e-7) << text;
    double epsilon = epsilonOfType(reference->front().elementType());
    EXPECT_LE(largestError(rounded->front(), reference->front()), 8 * epsilon)
        << text;
  }

  MLIRContext context;
  std::mt19937 engine{11};
};

TEST_F(DecompositionsTest, Linear) {
  check("linear %a0, %a1", {"tensor<2x5x8xf32>", "tensor<8x6xf32>"},
        "tensor<2x5x6xf32>");
  check("linear %a0, %a1 bias %a2 contracting = 2",
        {"tensor<4x5x8xbf16>", "tensor<5x8x3x2xbf16>", "tensor<3x2xbf16>"},
        "tensor<4x3x2xbf16>");
  check("linear %a0, %a1 bias %a2",
        {"tensor<8xf64>", "tensor<8xf64>", "tensor<f64>"}, "tensor<f64>");
  check("linear %a0, %a1", {"tensor<2x0xf32>", "tensor<0x6xf32>"},
        "tensor<2x6xf32>");
}

TEST_F(DecompositionsTest, Norms) {
  for (StringRef element : {"f16", "bf16", "f32", "f64"}) {
    std::string x = ("tensor<3x8x" + element + ">").str(),
                g = ("tensor<8x" + element + ">").str();
    check("layer_norm %a0, %a1, %a2, epsilon = 1.0e-5", {x, g, g}, x);
    check("rms_norm %a0, %a1, epsilon = 1.0e-5", {x, g}, x);
    check("softmax %a0, dim = 0", {x}, x);
    check("softmax %a0, dim = 1", {x}, x, 80.0);
  }
  check("softmax %a0, dim = 0", {"tensor<0x2xf32>"}, "tensor<0x2xf32>");
}

// Sums of squares would lose every digit of the variance here; what is left is
// the rounding of the mean.
TEST_F(DecompositionsTest, LargeMean) {
  StringRef x = "tensor<3x64xf64>", g = "tensor<64xf64>";
  std::string layerNorm = "layer_norm %a0, %a1, %a2, epsilon = 0.0";
  check(layerNorm, {x, g, g}, x, 1e4);
}

TEST_F(DecompositionsTest, Activations) {
  for (StringRef element : {"f16", "bf16", "f32", "f64"}) {
    std::string x = ("tensor<64x" + element + ">").str();
    for (StringRef op :
         {"gelu %a0", "gelu %a0 form = tanh", "silu %a0", "relu %a0"})
      check(op, {x}, x);
  }
}

TEST_F(DecompositionsTest, Attention) {
  auto attention = [&](StringRef extra, int64_t heads, int64_t groups,
                       StringRef mask, StringRef element) {
    auto type = [&](int64_t s, int64_t h, int64_t d) {
      return ("tensor<2x" + Twine(s) + "x" + Twine(h) + "x" + Twine(d) + "x" +
              element + ">")
          .str();
    };
    std::string q = type(5, heads, 8), k = type(7, groups, 8),
                v = type(7, groups, 3),
                m = ("tensor<" + mask + "x" + element + ">").str();
    SmallVector<StringRef> types = {q, k, v};
    std::string op = "attention %a0, %a1, %a2";
    if (!mask.empty()) {
      types.push_back(m);
      op += " mask %a3";
    }
    check(op + extra.str(), types, type(5, heads, 3));
  };
  for (StringRef element : {"bf16", "f32", "f64"}) {
    attention("", 4, 2, "", element);
    attention("", 6, 2, "1x6x1x7", element);
    attention(" causal", 4, 4, "2x1x5x7", element);
    attention(" causal scale = 0.5", 4, 1, "2x4x5x7", element);
    attention("", 1, 1, "1x1x1x7", element);
  }
  // Masks of i1, with and without `causal`.
  for (StringRef extra : {"", " fill = -2.0", " causal"})
    check(("attention %a0, %a1, %a2 mask %a3" + extra).str(),
          {"tensor<2x5x6x8xf32>", "tensor<2x7x2x8xf32>", "tensor<2x7x2x3xf32>",
           "tensor<1x6x5x7xi1>"},
          "tensor<2x5x6x3xf32>");
  // The first positions see nothing.
  check("attention %a0, %a1, %a2 causal",
        {"tensor<1x5x2x4xf32>", "tensor<1x3x2x4xf32>", "tensor<1x3x2x4xf32>"},
        "tensor<1x5x2x4xf32>");
}

TEST_F(DecompositionsTest, RotaryEmbedding) {
  check("rotary_embedding %a0, %a1 base = 16.0",
        {"tensor<2x5x4x8xf32>", "tensor<5xi32>"}, "tensor<2x5x4x8xf32>");
  check("rotary_embedding %a0, %a1", {"tensor<2x5x4x2xf64>", "tensor<2x5xi64>"},
        "tensor<2x5x4x2xf64>");
  // Far positions keep their accuracy.
  check("rotary_embedding %a0, %a1", {"tensor<2x5x4x8xf32>", "tensor<2x5xi32>"},
        "tensor<2x5x4x8xf32>", 0.0, 1000000);
}

TEST_F(DecompositionsTest, LookUps) {
  check("embedding %a0, %a1", {"tensor<9x4xbf16>", "tensor<2x3xi32>"},
        "tensor<2x3x4xbf16>");
  check("embedding %a0, %a1", {"tensor<9x4xf32>", "tensor<ui8>"},
        "tensor<4xf32>");
  check("embedding %a0, %a1", {"tensor<0x4xf32>", "tensor<0xi32>"},
        "tensor<0x4xf32>");
  check("cross_entropy %a0, %a1", {"tensor<2x3x9xf32>", "tensor<2x3xi32>"},
        "tensor<2x3xf32>");
  check("cross_entropy %a0, %a1", {"tensor<9xf16>", "tensor<i64>"},
        "tensor<f16>");
}

} // namespace
