//===- EvaluatorTest.cpp - Tests of functions, regions and modes ----------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/Evaluate/Evaluator.h"
#include "dialects/Graph/tests/EvaluationTest.h"
#include <cmath>

using namespace mlir;
using namespace cleave::graph;

namespace {
using EvaluatorTest = EvaluationTest;

constexpr StringLiteral factorial = R"(
  func.func @f(%n: tensor<i32>) -> tensor<i32> {
    %one = cleave.constant dense<1> : tensor<i32>
    %r:2 = cleave.while(%i = %n, %p = %one) : tensor<i32>, tensor<i32>
    cond {
      %go = cleave.compare GT, %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i1>
      cleave.return %go : tensor<i1>
    } do {
      %q = cleave.multiply %p, %i : tensor<i32>
      %j = cleave.subtract %i, %one : tensor<i32>
      cleave.return %j, %q : tensor<i32>, tensor<i32>
    }
    return %r#1 : tensor<i32>
  })";

TEST_F(EvaluatorTest, While) {
  Literal five(type("tensor<i32>"), std::vector<int64_t>{5});
  EXPECT_EQ(run(factorial, {five})[0].ints()[0], 120);
  Literal none(type("tensor<i32>"), std::vector<int64_t>{0});
  EXPECT_EQ(run(factorial, {none})[0].ints()[0], 1);
}

TEST_F(EvaluatorTest, IterationLimit) {
  Literal five(type("tensor<i32>"), std::vector<int64_t>{5});
  func::FuncOp func = parse(factorial);
  Evaluator evaluator;
  evaluator.setIterationLimit(3);
  EXPECT_NE(errorOf(func, evaluator, {five})
                .find("loop has not ended after 3 iterations"),
            std::string::npos);
  // The evaluator can be used again after an error.
  evaluator.setIterationLimit(4);
  EXPECT_TRUE(succeeded(evaluator.evaluate(func, {five})));
}

TEST_F(EvaluatorTest, IfTakesValuesFromAbove) {
  StringRef text = R"(
    func.func @f(%p: tensor<i1>, %x: tensor<i32>) -> tensor<i32> {
      %y = cleave.add %x, %x : tensor<i32>
      %r = "cleave.if"(%p) ({
        cleave.return %y : tensor<i32>
      }, {
        %z = cleave.negate %x : tensor<i32>
        cleave.return %z : tensor<i32>
      }) : (tensor<i1>) -> tensor<i32>
      return %r : tensor<i32>
    })";
  Literal x(type("tensor<i32>"), std::vector<int64_t>{4});
  Literal yes(type("tensor<i1>"), std::vector<int64_t>{1});
  Literal no(type("tensor<i1>"), std::vector<int64_t>{0});
  EXPECT_EQ(run(text, {yes, x})[0].ints()[0], 8);
  EXPECT_EQ(run(text, {no, x})[0].ints()[0], -4);
}

TEST_F(EvaluatorTest, SamplesOfRoundingStayWithinHalfAUnit) {
  func::FuncOp func = parse(R"(
    func.func @f(%x: tensor<64xf32>, %y: tensor<64xf32>) -> tensor<64xf32> {
      %0 = cleave.multiply %x, %y : tensor<64xf32>
      return %0 : tensor<64xf32>
    })");
  std::vector<double> x(64), y(64);
  for (int i = 0; i < 64; ++i) {
    x[i] = static_cast<float>(1 + i / 64.0);
    // The products of the first half are exact in f32.
    y[i] = i < 32 ? 2 : static_cast<float>(1 + 1 / (3.0 + i));
  }
  SmallVector<Literal> args{tensor("tensor<64xf32>", x),
                            tensor("tensor<64xf32>", y)};
  auto sample = [&](uint64_t seed) {
    Evaluator evaluator(Evaluator::Mode::Rounded);
    evaluator.setRoundingSeed(seed);
    return evaluator.evaluate(func, args)->front();
  };
  Literal once = sample(1);
  EXPECT_EQ(once.floats(), sample(1).floats());
  EXPECT_NE(once.floats(), sample(2).floats());
  double sum = 0, most = 0;
  for (int i = 0; i < 64; ++i) {
    double half = i < 32 ? 0 : halfUnitOfType(x[i] * y[i], once.elementType());
    double moved = once.floats()[i] - x[i] * y[i];
    EXPECT_LE(std::fabs(moved), half);
    sum += i < 32 ? 0 : moved / half / 32;
    most = std::max(most, i < 32 ? 0 : std::fabs(moved) / half);
  }
  // Both ways, and all of the way.
  EXPECT_LT(std::fabs(sum), 0.5);
  EXPECT_GT(most, 0.8);
}

TEST_F(EvaluatorTest, SamplesOfRoundingMoveTermsOfSums) {
  // Six terms that nearly cancel: what is left has lost three digits.
  func::FuncOp func = parse(R"(
    func.func @f(%x: tensor<6xf64>, %y: tensor<6xf64>) -> tensor<f64> {
      %0 = cleave.dot_general %x, %y, contracting_dims = [0] x [0] : (tensor<6xf64>, tensor<6xf64>) -> tensor<f64>
      return %0 : tensor<f64>
    })");
  SmallVector<Literal> args{
      tensor("tensor<6xf64>", std::vector<double>{0.9, 0.7, 0.3, 0.6, 0.1, 1}),
      tensor("tensor<6xf64>",
             std::vector<double>{0.3, 0.8, 0.7, 0.9, 0.2, -1.599})};
  auto sample = [&](uint64_t seed) {
    Evaluator evaluator(Evaluator::Mode::Rounded);
    evaluator.setRoundingSeed(seed);
    return evaluator.evaluate(func, args)->front().floats()[0];
  };
  double most = 0;
  for (uint64_t seed = 1; seed <= 8; ++seed)
    most = std::max(most, std::fabs(sample(seed) - sample(0)));
  double unit = std::ldexp(1, -52);
  EXPECT_GT(most, unit / 8);
  EXPECT_LT(most, 6 * unit);
}

/// What evaluation with operands of products rounded gives.
static std::vector<double> evaluateProduct(func::FuncOp func,
                                           ArrayRef<Literal> args,
                                           FloatType products,
                                           uint64_t seed = 0) {
  Evaluator evaluator(Evaluator::Mode::Rounded);
  evaluator.setProductType(products);
  evaluator.setRoundingSeed(seed);
  return evaluator.evaluate(func, args)->front().floats().vec();
}

TEST_F(EvaluatorTest, OperandsOfProductsAreRounded) {
  func::FuncOp func = parse(R"(
    func.func @f(%x: tensor<1x1xf32>, %y: tensor<1x1xf32>, %b: tensor<1xf32>) -> tensor<1x1xf32> {
      %0 = cleave.linear %x, %y bias %b : (tensor<1x1xf32>, tensor<1x1xf32>, tensor<1xf32>) -> tensor<1x1xf32>
      return %0 : tensor<1x1xf32>
    })");
  auto number = [&](double x) {
    return tensor("tensor<1x1xf32>", std::vector<double>{x});
  };
  auto bias = [&](double x) {
    return tensor("tensor<1xf32>", std::vector<double>{x});
  };
  Builder builder(&context);
  FloatType tf32 = builder.getTF32Type(), bf16 = builder.getBF16Type();
  FloatType f16 = builder.getF16Type();
  // 1 + 3/4 of a unit of 10 bits, and of 7 bits; the bias stays as it is.
  double fine = 1 + std::ldexp(3, -12), coarse = 1 + std::ldexp(3, -9);
  double lost = std::ldexp(1, -20);
  SmallVector<Literal> args{number(fine), number(1), bias(lost)};
  EXPECT_EQ(evaluateProduct(func, args, nullptr)[0], fine + lost);
  EXPECT_EQ(evaluateProduct(func, args, tf32)[0],
            1 + std::ldexp(1, -10) + lost);
  EXPECT_EQ(evaluateProduct(func, args, f16)[0], 1 + std::ldexp(1, -10) + lost);
  EXPECT_EQ(evaluateProduct(func, args, bf16)[0], 1 + lost);
  args[0] = number(1);
  args[1] = number(coarse);
  EXPECT_EQ(evaluateProduct(func, args, bf16)[0], 1 + std::ldexp(1, -7) + lost);
  // Only f16 overflows and loses small numbers.
  args[0] = number(65536);
  args[1] = number(1);
  EXPECT_EQ(evaluateProduct(func, args, f16)[0], HUGE_VAL);
  EXPECT_EQ(evaluateProduct(func, args, tf32)[0], 65536);
  args[0] = number(std::ldexp(1, -40));
  EXPECT_EQ(evaluateProduct(func, args, f16)[0], lost);
  EXPECT_EQ(evaluateProduct(func, args, bf16)[0], std::ldexp(1, -40) + lost);
  // What is exact in the type is so in each sample; what is not moves.
  args = {number(3), number(5), bias(0)};
  EXPECT_EQ(evaluateProduct(func, args, tf32, 1)[0], 15);
  args[0] = number(fine);
  double once = evaluateProduct(func, args, tf32, 1)[0];
  EXPECT_NE(once, evaluateProduct(func, args, tf32, 2)[0]);
  EXPECT_NEAR(once, 5 * fine, 5 * std::ldexp(1, -11) * 1.001);
}

TEST_F(EvaluatorTest, WeightsOfAttentionAreOperandsOfAProduct) {
  func::FuncOp func = parse(R"(
    func.func @f(%q: tensor<1x1x1x1xf32>, %k: tensor<1x2x1x1xf32>, %v: tensor<1x2x1x1xf32>) -> tensor<1x1x1x1xf32> {
      %0 = cleave.attention %q, %k, %v scale = 1.0
          : (tensor<1x1x1x1xf32>, tensor<1x2x1x1xf32>, tensor<1x2x1x1xf32>) -> tensor<1x1x1x1xf32>
      return %0 : tensor<1x1x1x1xf32>
    })");
  // Weights of 1/3 and 2/3, of which the values take the second.
  SmallVector<Literal> args{
      tensor("tensor<1x1x1x1xf32>", std::vector<double>{1}),
      tensor("tensor<1x2x1x1xf32>",
             std::vector<double>{0, static_cast<float>(std::log(2))}),
      tensor("tensor<1x2x1x1xf32>", std::vector<double>{0, 1})};
  EXPECT_NEAR(evaluateProduct(func, args, nullptr)[0], 2.0 / 3, 1e-6);
  // Of 8 bits, whatever the score was rounded to.
  double rounded =
      evaluateProduct(func, args, Builder(&context).getBF16Type())[0];
  EXPECT_EQ(rounded, std::ldexp(std::nearbyint(std::ldexp(rounded, 8)), -8));
  EXPECT_NEAR(rounded, 2.0 / 3, std::ldexp(1, -8));
}

TEST_F(EvaluatorTest, ProductsOfOtherTypesAreNotRounded) {
  func::FuncOp func = parse(R"(
    func.func @f(%x: tensor<1xf64>) -> tensor<f64> {
      %0 = cleave.dot_general %x, %x, contracting_dims = [0] x [0] : (tensor<1xf64>, tensor<1xf64>) -> tensor<f64>
      return %0 : tensor<f64>
    })");
  double x = 1 + std::ldexp(1, -20);
  EXPECT_EQ(evaluateProduct(func,
                            tensor("tensor<1xf64>", std::vector<double>{x}),
                            Builder(&context).getBF16Type())[0],
            x * x);
}

TEST_F(EvaluatorTest, Calls) {
  Literal x(type("tensor<i32>"), std::vector<int64_t>{4});
  EXPECT_EQ(run(R"(
    func.func @f(%x: tensor<i32>) -> tensor<i32> {
      %a = call @g(%x, %x) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %b = call @g(%a, %x) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      return %b : tensor<i32>
    }
    func.func @g(%x: tensor<i32>, %y: tensor<i32>) -> tensor<i32> {
      %r = cleave.subtract %x, %y : tensor<i32>
      return %r : tensor<i32>
    })",
                {x})[0]
                .ints()[0],
            -4);
}

TEST_F(EvaluatorTest, RecursionIsAnError) {
  Literal x(type("tensor<i32>"), std::vector<int64_t>{4});
  func::FuncOp func = parse(R"(
    func.func @f(%x: tensor<i32>) -> tensor<i32> {
      %a = call @f(%x) : (tensor<i32>) -> tensor<i32>
      return %a : tensor<i32>
    })");
  Evaluator evaluator;
  EXPECT_NE(errorOf(func, evaluator, {x}).find("recursion"), std::string::npos);
}

TEST_F(EvaluatorTest, UnknownOpIsAnError) {
  func::FuncOp func = parse(R"(
    func.func @g(%x: tensor<i32>) -> tensor<i32> {
      %a = builtin.unrealized_conversion_cast %x : tensor<i32> to tensor<i32>
      return %a : tensor<i32>
    })");
  Evaluator evaluator;
  Literal x(type("tensor<i32>"), std::vector<int64_t>{4});
  EXPECT_EQ(errorOf(func, evaluator, {x}), "op has no reference evaluation");
}

TEST_F(EvaluatorTest, ArgumentsMustFit) {
  func::FuncOp func = parse("func.func @f(%x: tensor<2xi32>) { return }");
  Evaluator evaluator;
  EXPECT_EQ(errorOf(func, evaluator, {}), "expected 1 arguments, got 0");
  EXPECT_EQ(errorOf(func, evaluator, {Literal(type("tensor<2xf32>"))}),
            "argument 0 has type 'tensor<2xf32>', expected 'tensor<2xi32>'");
}

TEST_F(EvaluatorTest, TapsSeeEveryResult) {
  func::FuncOp func = parse(factorial);
  Literal three(type("tensor<i32>"), std::vector<int64_t>{3});
  std::map<std::string, std::vector<int64_t>> seen;
  Evaluator evaluator;
  evaluator.setTap([&](Value value, const Literal &literal) {
    seen[value.getDefiningOp()->getName().getStringRef().str()].push_back(
        literal.ints().front());
  });
  ASSERT_TRUE(succeeded(evaluator.evaluate(func, {three})));
  EXPECT_EQ(seen["cleave.multiply"], std::vector<int64_t>({3, 6}));
  EXPECT_EQ(seen["cleave.while"], std::vector<int64_t>({1, 6}));
}

TEST_F(EvaluatorTest, ValuesAreFreedAfterTheirLastUse) {
  func::FuncOp func = parse(R"(
    func.func @f(%x: tensor<i32>) -> tensor<i32> {
      %a = cleave.negate %x : tensor<i32>
      %unused = cleave.negate %a : tensor<i32>
      %b = cleave.negate %a : tensor<i32>
      %c = cleave.negate %b : tensor<i32>
      return %c : tensor<i32>
    })");
  auto ops = llvm::to_vector(llvm::make_pointer_range(func.getOps()));
  Evaluator evaluator;
  evaluator.setTap([&](Value value, const Literal &) {
    if (value.getDefiningOp() != ops[3])
      return;
    EXPECT_FALSE(evaluator.lookup(ops[0]->getResult(0)));
    EXPECT_FALSE(evaluator.lookup(ops[1]->getResult(0)));
    EXPECT_TRUE(evaluator.lookup(ops[2]->getResult(0)));
  });
  Literal x(type("tensor<i32>"), std::vector<int64_t>{4});
  ASSERT_TRUE(succeeded(evaluator.evaluate(func, {x})));
}
} // namespace
