//===- EvaluateElementwiseTest.cpp - Tests of elementwise semantics -------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/tests/EvaluationTest.h"
#include <cmath>
#include <limits>

using namespace mlir;
using namespace cleave::graph;

namespace {
using Ints = std::vector<int64_t>;
using Floats = std::vector<double>;
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr int64_t int64Min = std::numeric_limits<int64_t>::min();
constexpr int64_t int64Max = std::numeric_limits<int64_t>::max();

class ElementwiseTest : public EvaluationTest {
protected:
  Literal tensor(StringRef element, ArrayRef<int64_t> values) {
    return Literal(vectorOf(element, values.size()), values.vec());
  }
  Literal tensor(StringRef element, ArrayRef<double> values) {
    return Literal(vectorOf(element, values.size()), values.vec());
  }
  /// Applies a unary or binary op to vectors of one type.
  Ints apply(StringRef op, StringRef element, ArrayRef<int64_t> lhs,
             std::optional<Ints> rhs = {}) {
    SmallVector<Literal> args = {tensor(element, lhs)};
    if (rhs)
      args.push_back(tensor(element, *rhs));
    return ints(typeText(element, lhs.size()), text(op, args), args);
  }
  Floats applyFloat(StringRef op, StringRef element, ArrayRef<double> lhs,
                    std::optional<Floats> rhs = {},
                    Evaluator::Mode mode = Evaluator::Mode::Exact) {
    SmallVector<Literal> args = {tensor(element, lhs)};
    if (rhs)
      args.push_back(tensor(element, *rhs));
    return floats(typeText(element, lhs.size()), text(op, args), args, mode);
  }
  /// Converts a vector.
  Literal convert(const Literal &from, StringRef to,
                  Evaluator::Mode mode = Evaluator::Mode::Exact) {
    std::string result = typeText(to, from.size());
    std::string body;
    llvm::raw_string_ostream(body)
        << "%r = cleave.convert %0 : (" << from.type << ") -> " << result;
    return value(result, body, {from}, mode);
  }

private:
  static std::string typeText(StringRef element, size_t size) {
    return ("tensor<" + Twine(size) + "x" + element + ">").str();
  }
  RankedTensorType vectorOf(StringRef element, size_t size) {
    return type(typeText(element, size));
  }
  static std::string text(StringRef op, ArrayRef<Literal> args) {
    std::string result;
    llvm::raw_string_ostream os(result);
    os << "%r = cleave." << op << " %0";
    if (args.size() == 2)
      os << ", %1";
    os << " : " << args[0].type;
    return result;
  }
};

TEST_F(ElementwiseTest, IntegerArithmeticWraps) {
  EXPECT_EQ(apply("add", "i8", {127, -128, 1}, Ints{1, -1, 2}),
            Ints({-128, 127, 3}));
  EXPECT_EQ(apply("add", "ui8", {255, 7}, Ints{1, 2}), Ints({0, 9}));
  EXPECT_EQ(apply("multiply", "i16", {300, -300}, Ints{300, 300}),
            Ints({24464, -24464}));
  EXPECT_EQ(apply("multiply", "i64", {int64Max}, Ints{2}), Ints({-2}));
  EXPECT_EQ(apply("subtract", "ui32", {0}, Ints{1}), Ints({0xffffffff}));
  EXPECT_EQ(apply("negate", "i8", {-128, 5}), Ints({-128, -5}));
  EXPECT_EQ(apply("negate", "ui8", {1, 0}), Ints({255, 0}));
  EXPECT_EQ(apply("abs", "i8", {-128, -3, 3}), Ints({-128, 3, 3}));
  EXPECT_EQ(apply("sign", "i32", {-9, 0, 9}), Ints({-1, 0, 1}));
  EXPECT_EQ(apply("sign", "ui64", {-1, 0}), Ints({1, 0}));
}

TEST_F(ElementwiseTest, IntegerDivision) {
  EXPECT_EQ(apply("divide", "i32", {7, -7, 7, -7, 5}, Ints{2, 2, -2, -2, 0}),
            Ints({3, -3, -3, 3, -1}));
  EXPECT_EQ(apply("divide", "i64", {int64Min}, Ints{-1}), Ints({int64Min}));
  EXPECT_EQ(apply("divide", "i8", {-128}, Ints{-1}), Ints({-128}));
  EXPECT_EQ(apply("divide", "ui64", {-1, 9}, Ints{2, 0}), Ints({int64Max, -1}));
  EXPECT_EQ(apply("divide", "ui8", {9}, Ints{0}), Ints({255}));
  EXPECT_EQ(apply("remainder", "i32", {7, -7, 7, -7, 5}, Ints{3, 3, -3, -3, 0}),
            Ints({1, -1, 1, -1, 5}));
  EXPECT_EQ(apply("remainder", "i64", {int64Min}, Ints{-1}), Ints({0}));
}

TEST_F(ElementwiseTest, IntegerPower) {
  EXPECT_EQ(apply("power", "i32", {2, -2, 0, 0, 3}, Ints{10, 3, 0, 5, 1}),
            Ints({1024, -8, 1, 0, 3}));
  EXPECT_EQ(apply("power", "i32", {1, -1, -1, 2, 0}, Ints{-5, -3, -2, -1, -1}),
            Ints({1, -1, 1, 0, 0}));
  EXPECT_EQ(apply("power", "ui8", {2, 3}, Ints{9, 255}), Ints({0, 171}));
}

TEST_F(ElementwiseTest, ShiftsAndBits) {
  EXPECT_EQ(apply("shift_left", "i8", {1, 1, 1, 3}, Ints{6, 7, 8, -1}),
            Ints({64, -128, 0, 0}));
  EXPECT_EQ(apply("shift_right_logical", "i8", {-1, -1, -1}, Ints{1, 7, 8}),
            Ints({127, 1, 0}));
  EXPECT_EQ(apply("shift_right_arithmetic", "i8", {-64, -64, 64, -1},
                  Ints{2, 100, 8, -1}),
            Ints({-16, -1, 0, -1}));
  EXPECT_EQ(apply("shift_right_arithmetic", "ui8", {128, 64}, Ints{1, 1}),
            Ints({192, 32}));
  EXPECT_EQ(apply("count_leading_zeros", "i16", {0, 1, -1}), Ints({16, 15, 0}));
  EXPECT_EQ(apply("popcnt", "i8", {-1, 7, 0}), Ints({8, 3, 0}));
  EXPECT_EQ(apply("popcnt", "i64", {-1}), Ints({64}));
  EXPECT_EQ(apply("not", "i8", {0, -1}), Ints({-1, 0}));
  EXPECT_EQ(apply("not", "ui8", {0}), Ints({255}));
  EXPECT_EQ(apply("xor", "i8", {5}, Ints{3}), Ints({6}));
}

TEST_F(ElementwiseTest, Booleans) {
  Ints x = {0, 0, 1, 1}, y = {0, 1, 0, 1};
  EXPECT_EQ(apply("add", "i1", x, y), Ints({0, 1, 1, 1}));
  EXPECT_EQ(apply("multiply", "i1", x, y), Ints({0, 0, 0, 1}));
  EXPECT_EQ(apply("maximum", "i1", x, y), Ints({0, 1, 1, 1}));
  EXPECT_EQ(apply("minimum", "i1", x, y), Ints({0, 0, 0, 1}));
  EXPECT_EQ(apply("xor", "i1", x, y), Ints({0, 1, 1, 0}));
  EXPECT_EQ(apply("not", "i1", x), Ints({1, 1, 0, 0}));
}

TEST_F(ElementwiseTest, UnsignedOrder) {
  EXPECT_EQ(apply("maximum", "ui64", {-1, 1}, Ints{1, 2}), Ints({-1, 2}));
  EXPECT_EQ(apply("minimum", "ui64", {-1, 1}, Ints{1, 2}), Ints({1, 1}));
  EXPECT_EQ(apply("maximum", "i64", {-1}, Ints{1}), Ints({1}));
  Literal x = tensor("ui64", Ints{-1, 1}), y = tensor("ui64", Ints{1, 1});
  EXPECT_EQ(ints("tensor<2xi1>",
                 "%r = cleave.compare GT, %0, %1 : (tensor<2xui64>, "
                 "tensor<2xui64>) -> tensor<2xi1>",
                 {x, y}),
            Ints({1, 0}));
}

TEST_F(ElementwiseTest, SpecialFloats) {
  Floats maximum = applyFloat("maximum", "f32", {nan, 1, -0.0, 0.0, infinity},
                              Floats{1, nan, 0.0, -0.0, 1});
  EXPECT_TRUE(std::isnan(maximum[0]) && std::isnan(maximum[1]));
  EXPECT_FALSE(std::signbit(maximum[2]) || std::signbit(maximum[3]));
  EXPECT_EQ(maximum[4], infinity);
  Floats minimum =
      applyFloat("minimum", "f32", {nan, 0.0, -0.0}, Floats{1, -0.0, 0.0});
  EXPECT_TRUE(std::isnan(minimum[0]));
  EXPECT_TRUE(std::signbit(minimum[1]) && std::signbit(minimum[2]));
  Floats sign = applyFloat("sign", "f32", {-3, -0.0, 0.0, 4, nan});
  EXPECT_EQ(sign[0], -1);
  EXPECT_TRUE(sign[1] == 0 && std::signbit(sign[1]));
  EXPECT_EQ(sign[3], 1);
  EXPECT_TRUE(std::isnan(sign[4]));
  EXPECT_EQ(applyFloat("round_nearest_even", "f32", {0.5, 1.5, 2.5, -2.5}),
            Floats({0, 2, 2, -2}));
  EXPECT_EQ(applyFloat("round_nearest_afz", "f32", {0.5, 1.5, 2.5, -2.5}),
            Floats({1, 2, 3, -3}));
  expectNear(applyFloat("cbrt", "f64", {-27, 8}), {-3, 2});
  EXPECT_EQ(applyFloat("exp2", "f64", {3, -1074, 1024, -infinity}),
            Floats({8, 0x1p-1074, infinity, 0}));
  EXPECT_EQ(applyFloat("log2", "f64", {8, 0x1p-1074, 0, infinity}),
            Floats({3, -1074, -infinity, infinity}));
  EXPECT_EQ(applyFloat("remainder", "f32", {5.5, -5.5, 5.5}, Floats{2, 2, -2}),
            Floats({1.5, -1.5, 1.5}));
  EXPECT_EQ(applyFloat("power", "f32", {2, -2, nan}, Floats{-1, 3, 0}),
            Floats({0.5, -8, 1}));
  expectNear(applyFloat("logistic", "f32", {0, -1000, 1000, 1}),
             {0.5, 0, 1, 0.7310585786300049});
  EXPECT_EQ(applyFloat("rsqrt", "f64", {4, 0}), Floats({0.5, infinity}));
  EXPECT_EQ(ints("tensor<4xi1>",
                 "%r = cleave.is_finite %0 : (tensor<4xf32>) -> tensor<4xi1>",
                 {tensor("f32", Floats{1, nan, infinity, -infinity})}),
            Ints({1, 0, 0, 0}));
}

TEST_F(ElementwiseTest, InverseAndHyperbolicFunctions) {
  expectNear(applyFloat("acos", "f64", {-1, 0.5}),
             {3.141592653589793, 1.0471975511965979});
  expectNear(applyFloat("acosh", "f64", {1, 2}), {0, 1.3169578969248166});
  expectNear(applyFloat("asin", "f64", {0.5}), {0.5235987755982989});
  expectNear(applyFloat("asinh", "f64", {1}), {0.881373587019543});
  expectNear(applyFloat("atan", "f64", {1}), {0.7853981633974483});
  expectNear(applyFloat("atanh", "f64", {0.5}), {0.5493061443340549});
  expectNear(applyFloat("cosh", "f64", {1}), {1.5430806348152437});
  expectNear(applyFloat("sinh", "f64", {1}), {1.1752011936438014});
  EXPECT_TRUE(std::isnan(applyFloat("acosh", "f64", {0.5})[0]));
  EXPECT_EQ(applyFloat("atanh", "f64", {1, -1}), Floats({infinity, -infinity}));
}

TEST_F(ElementwiseTest, SpecialFunctions) {
  expectNear(applyFloat("bessel_i1e", "f64", {1, -1, 50, 1000, 0}),
             {0.2079104153497085, -0.2079104153497085, 0.05599312389289544,
              0.012610930256928629, 0});
  expectNear(
      applyFloat("digamma", "f64", {1, 0.5, -0.5, 100, 1.4616321449683623}),
      {-0.5772156649015329, -1.9635100260214235, 0.03648997397857652,
       4.600161852738087, 0});
  EXPECT_TRUE(std::isnan(applyFloat("digamma", "f64", {-2})[0]));
  expectNear(applyFloat("erfc", "f64", {0.5, 3}),
             {0.4795001221869535, 2.209049699858544e-05});
  expectNear(applyFloat("erf_inv", "f64", {0.5, -0.25, 0.9999, 0}),
             {0.4769362762044699, -0.22531205501217809, 2.7510639057120607, 0});
  EXPECT_EQ(applyFloat("erf_inv", "f64", {1, -1}),
            Floats({infinity, -infinity}));
  EXPECT_TRUE(std::isnan(applyFloat("erf_inv", "f64", {1.5})[0]));
  expectNear(applyFloat("lgamma", "f64", {0.5, 10, -0.5}),
             {0.5723649429247001, 12.801827480081469, 1.2655121234846454});
  EXPECT_EQ(applyFloat("lgamma", "f64", {0, -3, -infinity}),
            Floats({infinity, infinity, infinity}));
}

TEST_F(ElementwiseTest, ZetaAndPolygamma) {
  expectNear(
      applyFloat("zeta", "f64", {2, 3, 2, 1.5, 3}, Floats{1, 0.5, 10, 1, -1.5}),
      {1.6449340668482264, 8.414398322117159, 0.10516633568168575,
       2.6123753486854883, 0.11810202582086263});
  Floats special = applyFloat("zeta", "f64", {1, 0.5, 2, 3, 2.5},
                              Floats{2, 2, -1, -1, -0.5});
  EXPECT_EQ(special[0], infinity);
  EXPECT_TRUE(std::isnan(special[1]));
  EXPECT_EQ(special[2], infinity);
  EXPECT_TRUE(std::isnan(special[3]) && std::isnan(special[4]));
  expectNear(
      applyFloat("polygamma", "f64", {0, 1, 2, 1}, Floats{1, 1, 0.5, -0.5}),
      {-0.5772156649015329, 1.6449340668482264, -16.828796644234320,
       8.934802200544679});
  EXPECT_NEAR(applyFloat("polygamma", "f64", {30}, Floats{3})[0],
              -429496273879829822.0, 100);
  EXPECT_TRUE(std::isnan(applyFloat("polygamma", "f64", {0.5}, Floats{1})[0]));
}

TEST_F(ElementwiseTest, NextAfter) {
  auto next = [&](StringRef element, double x, double y) {
    return applyFloat("next_after", element, {x}, Floats{y})[0];
  };
  EXPECT_EQ(next("f32", 1, 2), std::nextafter(1.0f, 2.0f));
  EXPECT_EQ(next("f64", 1, -2), std::nextafter(1.0, -2.0));
  EXPECT_EQ(next("bf16", 1, 2), 1 + 0x1p-7);
  EXPECT_EQ(next("f16", 0, -1), -0x1p-24);
  EXPECT_EQ(next("f16", 65504, infinity), infinity);
  EXPECT_EQ(next("f16", infinity, 0), 65504);
  EXPECT_EQ(next("f32", 3, 3), 3);
  EXPECT_TRUE(std::signbit(next("f32", -0x1p-149, 1)));
  EXPECT_TRUE(std::isnan(next("f32", nan, 1)));
  EXPECT_TRUE(std::isnan(next("f32", 1, nan)));
}

TEST_F(ElementwiseTest, ReducePrecision) {
  auto reduce = [&](StringRef format, Floats x) {
    std::string type = "tensor<" + std::to_string(x.size()) + "xf32>";
    return floats(
        type,
        ("%r = cleave.reduce_precision %0, " + format + " : " + type).str(),
        {tensor("f32", x)});
  };
  // bf16: to nearest, ties to even; NaN and infinity stay.
  Floats bf16 = reduce(
      "exponent_bits = 8, mantissa_bits = 7",
      {1.0 + 0x1p-8, 1.0 + 3 * 0x1p-8, -infinity, nan, 0x1.ffffp127, 0x1p-130});
  EXPECT_EQ(bf16[0], 1);
  EXPECT_EQ(bf16[1], 1 + 0x1p-6);
  EXPECT_EQ(bf16[2], -infinity);
  EXPECT_TRUE(std::isnan(bf16[3]));
  EXPECT_EQ(bf16[4], infinity);
  // The exponent is not reduced, so that subnormal numbers stay.
  EXPECT_EQ(bf16[5], 0x1p-130);
  // Five bits of exponent reach from 2^-14 to 2^15.
  EXPECT_EQ(reduce("exponent_bits = 5, mantissa_bits = 23",
                   {65535, 65536, -65536, 0x1p-14, 0x1p-15}),
            Floats({65535, infinity, -infinity, 0x1p-14, 0}));
  // Without mantissa a tie goes to the even exponent, which is biased by 127.
  EXPECT_EQ(reduce("exponent_bits = 8, mantissa_bits = 0", {1.5, 3, 6, 1.25}),
            Floats({2, 2, 8, 1}));
  EXPECT_EQ(reduce("exponent_bits = 11, mantissa_bits = 52", {0.1f}),
            Floats({0.1f}));
}

TEST_F(ElementwiseTest, BitcastConvert) {
  EXPECT_EQ(
      ints("tensor<2xi32>",
           "%r = cleave.bitcast_convert %0 : (tensor<2xf32>) -> tensor<2xi32>",
           {tensor("f32", Floats{1, -0.0})}),
      Ints({0x3f800000, INT32_MIN}));
  // The lowest bits come first.
  EXPECT_EQ(
      ints(
          "tensor<1x4xui8>",
          "%r = cleave.bitcast_convert %0 : (tensor<1xi32>) -> tensor<1x4xui8>",
          {tensor("i32", Ints{0x01020304})}),
      Ints({4, 3, 2, 1}));
  EXPECT_EQ(
      floats("tensor<f32>",
             "%r = cleave.bitcast_convert %0 : (tensor<2xi16>) -> tensor<f32>",
             {tensor("i16", Ints{0, 0x3f80})}),
      Floats({1}));
}

TEST_F(ElementwiseTest, CompareWithNaN) {
  Literal x = tensor("f32", Floats{nan, 1, 1, -0.0});
  Literal y = tensor("f32", Floats{nan, nan, 2, 0.0});
  auto compare = [&](StringRef direction) {
    return ints("tensor<4xi1>",
                ("%r = cleave.compare " + direction +
                 ", %0, %1 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>")
                    .str(),
                {x, y});
  };
  EXPECT_EQ(compare("EQ"), Ints({0, 0, 0, 1}));
  EXPECT_EQ(compare("NE"), Ints({1, 1, 1, 0}));
  EXPECT_EQ(compare("LT"), Ints({0, 0, 1, 0}));
  EXPECT_EQ(compare("LE"), Ints({0, 0, 1, 1}));
  EXPECT_EQ(compare("GE"), Ints({0, 0, 0, 1}));
}

TEST_F(ElementwiseTest, ConvertToIntegers) {
  Literal x = tensor("f32", Floats{nan, 300, -300, 2.9, -2.9, infinity});
  EXPECT_EQ(convert(x, "i8").ints(),
            ArrayRef<int64_t>({0, 127, -128, 2, -2, 127}));
  EXPECT_EQ(convert(x, "ui8").ints(),
            ArrayRef<int64_t>({0, 255, 0, 2, 0, 255}));
  EXPECT_EQ(convert(x, "ui64").ints(),
            ArrayRef<int64_t>({0, 300, 0, 2, 0, -1}));
  EXPECT_EQ(convert(x, "i64").ints(),
            ArrayRef<int64_t>({0, 300, -300, 2, -2, int64Max}));
  EXPECT_EQ(convert(x, "i1").ints(), ArrayRef<int64_t>({1, 1, 1, 1, 1, 1}));
  EXPECT_EQ(convert(tensor("f64", Floats{18446744073709549568.0, -0.5}), "ui64")
                .ints(),
            ArrayRef<int64_t>({-2048, 0}));
  EXPECT_EQ(convert(tensor("i32", Ints{511, -1, 0}), "i8").ints(),
            ArrayRef<int64_t>({-1, -1, 0}));
  EXPECT_EQ(convert(tensor("i32", Ints{512, -1, 0}), "i1").ints(),
            ArrayRef<int64_t>({1, 1, 0}));
  EXPECT_EQ(convert(tensor("i8", Ints{-1}), "ui32").ints(),
            ArrayRef<int64_t>({0xffffffff}));
  EXPECT_EQ(convert(tensor("i1", Ints{1, 0}), "i32").ints(),
            ArrayRef<int64_t>({1, 0}));
}

TEST_F(ElementwiseTest, ConvertToFloats) {
  auto rounded = Evaluator::Mode::Rounded;
  Literal ui64 = tensor("ui64", Ints{-1, 5});
  EXPECT_EQ(convert(ui64, "f64").floats(),
            ArrayRef<double>({18446744073709551616.0, 5}));
  // Just above the middle of two f32, by less than a float64 can tell.
  Literal i64 =
      tensor("i64", Ints{(int64_t(1) << 62) + (int64_t(1) << 38) + 1});
  EXPECT_EQ(convert(i64, "f32", rounded).floats()[0],
            static_cast<float>(i64.ints()[0]));
  Literal third = tensor("f64", Floats{1.0 / 3});
  EXPECT_EQ(convert(third, "bf16").floats()[0], 1.0 / 3);
  EXPECT_EQ(convert(third, "bf16", rounded).floats()[0], 0.333984375);
  EXPECT_EQ(convert(third, "f32", rounded).floats()[0], float(1.0 / 3));
}

TEST_F(ElementwiseTest, RoundedMode) {
  auto rounded = Evaluator::Mode::Rounded;
  EXPECT_EQ(applyFloat("add", "f32", {16777216}, Floats{1})[0], 16777217);
  EXPECT_EQ(applyFloat("add", "f32", {16777216}, Floats{1}, rounded)[0],
            16777216);
  EXPECT_EQ(applyFloat("multiply", "f16", {300}, Floats{300}, rounded)[0],
            infinity);
  EXPECT_EQ(applyFloat("exponential", "f32", {1}, {}, rounded)[0],
            static_cast<float>(std::exp(1.0)));
}

TEST_F(ElementwiseTest, SelectAndClamp) {
  EXPECT_EQ(ints("tensor<3xi32>", R"(
      %p = cleave.constant dense<[true, false, true]> : tensor<3xi1>
      %a = cleave.constant dense<[1, 2, 3]> : tensor<3xi32>
      %b = cleave.constant dense<[4, 5, 6]> : tensor<3xi32>
      %r = cleave.select %p, %a, %b : tensor<3xi1>, tensor<3xi32>)"),
            Ints({1, 5, 3}));
  EXPECT_EQ(ints("tensor<3xi32>", R"(
      %p = cleave.constant dense<false> : tensor<i1>
      %a = cleave.constant dense<[1, 2, 3]> : tensor<3xi32>
      %b = cleave.constant dense<[4, 5, 6]> : tensor<3xi32>
      %r = cleave.select %p, %a, %b : tensor<i1>, tensor<3xi32>)"),
            Ints({4, 5, 6}));
  EXPECT_EQ(ints("tensor<3xi32>", R"(
      %l = cleave.constant dense<-1> : tensor<i32>
      %a = cleave.constant dense<[-5, 0, 5]> : tensor<3xi32>
      %h = cleave.constant dense<[9, 9, 3]> : tensor<3xi32>
      %r = cleave.clamp %l, %a, %h
        : (tensor<i32>, tensor<3xi32>, tensor<3xi32>) -> tensor<3xi32>)"),
            Ints({-1, 0, 3}));
  Floats clamped = floats("tensor<3xf32>", R"(
      %l = cleave.constant dense<0.0> : tensor<f32>
      %h = cleave.constant dense<1.0> : tensor<f32>
      %r = cleave.clamp %l, %0, %h
        : (tensor<f32>, tensor<3xf32>, tensor<f32>) -> tensor<3xf32>)",
                          {tensor("f32", Floats{-1, nan, 2})});
  EXPECT_EQ(clamped[0], 0);
  EXPECT_TRUE(std::isnan(clamped[1]));
  EXPECT_EQ(clamped[2], 1);
}

TEST_F(ElementwiseTest, Iota) {
  EXPECT_EQ(
      ints("tensor<2x3xi32>", "%r = cleave.iota dim = 1 : tensor<2x3xi32>"),
      Ints({0, 1, 2, 0, 1, 2}));
  EXPECT_EQ(
      floats("tensor<2x3xf32>", "%r = cleave.iota dim = 0 : tensor<2x3xf32>"),
      Floats({0, 0, 0, 1, 1, 1}));
}
} // namespace
