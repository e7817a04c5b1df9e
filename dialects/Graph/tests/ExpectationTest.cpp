//===- ExpectationTest.cpp - Tests of expectations ------------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/Evaluate/Expectation.h"
#include "dialects/Graph/Unsupported.h"
#include "dialects/Graph/tests/EvaluationTest.h"
#include <cmath>
#include <limits>

using namespace mlir;
using namespace cleave::graph;
using Kind = Expectation::Kind;

namespace {
class ExpectationTest : public EvaluationTest {
protected:
  template <typename T>
  static std::vector<char> bytes(const std::vector<T> &values) {
    const char *data = reinterpret_cast<const char *>(values.data());
    return {data, data + values.size() * sizeof(T)};
  }

  template <typename T>
  std::optional<Mismatch> find(StringRef element, const Expectation &expect,
                               std::vector<T> actual, std::vector<T> expected) {
    auto tensor =
        type(("tensor<" + Twine(actual.size()) + "x" + element + ">").str());
    return findMismatch(expect, tensor, bytes(actual), bytes(expected));
  }

  template <typename T>
  bool holds(StringRef element, const Expectation &expect, T actual,
             T expected) {
    return !find<T>(element, expect, {actual}, {expected});
  }

  static Expectation kind(Kind kind) {
    Expectation expectation;
    expectation.kind = kind;
    return expectation;
  }

  /// The text of the error that reading a function's expectations gives.
  std::string errorOf(StringRef results) {
    func::FuncOp entry =
        parse(("func.func @main(%a: tensor<2xf32>, %b: tensor<2xi32>) -> (" +
               results +
               ") { return %a, %a, %b : tensor<2xf32>, "
               "tensor<2xf32>, tensor<2xi32> }")
                  .str());
    std::string text;
    ScopedDiagnosticHandler handler(
        &context, [&](Diagnostic &diagnostic) { text = diagnostic.str(); });
    EXPECT_TRUE(failed(getExpectations(entry)));
    return text;
  }
};

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float nan = std::numeric_limits<float>::quiet_NaN();

float next(float value, int steps) {
  for (; steps > 0; --steps)
    value = std::nextafter(value, infinity);
  for (; steps < 0; ++steps)
    value = std::nextafter(value, -infinity);
  return value;
}

TEST_F(ExpectationTest, EqualIsTheSameBitsExceptForZeroAndNaN) {
  Expectation equal = kind(Kind::Equal);
  EXPECT_TRUE(holds("f32", equal, 1.5f, 1.5f));
  EXPECT_FALSE(holds("f32", equal, 1.5f, next(1.5f, 1)));
  EXPECT_TRUE(holds("f32", equal, 0.0f, -0.0f));
  EXPECT_TRUE(holds("f32", equal, nan, -nan));
  EXPECT_FALSE(holds("f32", equal, nan, 1.0f));
  EXPECT_FALSE(holds("f32", equal, 1.0f, nan));
  EXPECT_TRUE(holds("f32", equal, infinity, infinity));
  EXPECT_FALSE(holds("f32", equal, infinity, -infinity));
  EXPECT_TRUE(holds<int32_t>("i32", equal, -7, -7));
  EXPECT_FALSE(holds<int32_t>("i32", equal, -7, -8));
  EXPECT_FALSE(holds<int8_t>("i1", equal, 0, 1));
  EXPECT_FALSE(holds<uint64_t>("ui64", equal, ~0ull, ~0ull - 1));
}

TEST_F(ExpectationTest, CloseCountsRepresentableValues) {
  Expectation close = kind(Kind::Close);
  for (float value : {1.0f, -1.0f, 1e-42f, 3.0e38f, 2.0f})
    for (int steps : {-3, -1, 0, 2, 3}) {
      EXPECT_TRUE(holds("f32", close, next(value, steps), value));
      EXPECT_TRUE(holds("f32", close, value, next(value, steps)));
    }
  EXPECT_FALSE(holds("f32", close, next(1.0f, 4), 1.0f));
  EXPECT_FALSE(holds("f32", close, next(1.0f, -4), 1.0f));
  EXPECT_FALSE(holds("f32", close, next(-1.0f, 4), -1.0f));
  // The smallest numbers of either sign are two apart.
  EXPECT_TRUE(holds("f32", close, next(0.0f, 1), next(0.0f, -1)));
  EXPECT_FALSE(holds("f32", close, next(0.0f, 2), next(0.0f, -2)));
  EXPECT_TRUE(holds("f32", close, -0.0f, 0.0f));
  EXPECT_FALSE(holds("f32", close, infinity, next(infinity, -1)));
  EXPECT_FALSE(holds("f32", close, -infinity, infinity));
  EXPECT_TRUE(holds("f32", close, nan, nan));
  EXPECT_FALSE(holds("f32", close, nan, 0.0f));
  EXPECT_TRUE(holds<uint16_t>("f16", close, 0x3c00, 0x3c03));
  EXPECT_FALSE(holds<uint16_t>("f16", close, 0x3c00, 0x3c04));
  EXPECT_FALSE(holds<uint16_t>("f16", close, 0x7c00, 0x7bff));
  EXPECT_TRUE(holds<uint16_t>("f16", close, 0x7c01, 0xffff));
  EXPECT_TRUE(holds<uint16_t>("bf16", close, 0x3f80, 0x3f83));
  EXPECT_FALSE(holds<uint16_t>("bf16", close, 0x7f80, 0x7f7f));
  EXPECT_TRUE(holds("f64", close, 1.0, 1.0 + 3 * 0x1p-52));
  EXPECT_FALSE(holds("f64", close, 1.0, 1.0 + 4 * 0x1p-52));
  EXPECT_FALSE(holds<int32_t>("i32", close, 5, 6));
}

TEST_F(ExpectationTest, BoundsOfCloseAreHonoured) {
  Expectation close = kind(Kind::Close);
  close.minUlp = 1;
  close.maxUlp = 5;
  EXPECT_FALSE(holds("f32", close, 1.0f, 1.0f));
  EXPECT_TRUE(holds("f32", close, 1.0f, next(1.0f, 1)));
  EXPECT_TRUE(holds("f32", close, 1.0f, next(1.0f, 5)));
  EXPECT_FALSE(holds("f32", close, 1.0f, next(1.0f, 6)));
}

TEST_F(ExpectationTest, AlmostEqualIsAbsolute) {
  Expectation almost = kind(Kind::AlmostEqual);
  EXPECT_TRUE(holds("f64", almost, 1.0, 1.0009));
  EXPECT_FALSE(holds("f64", almost, 1.0, 1.0011));
  EXPECT_FALSE(holds("f64", almost, 1e9, 1e9 + 1));
  EXPECT_TRUE(holds("f32", almost, 0.0f, 1e-4f));
  EXPECT_TRUE(holds("f32", almost, infinity, infinity));
  EXPECT_FALSE(holds("f32", almost, infinity, -infinity));
  EXPECT_FALSE(holds("f32", almost, infinity, 3e38f));
  EXPECT_TRUE(holds("f32", almost, nan, nan));
  EXPECT_FALSE(holds("f32", almost, nan, 0.0f));
  EXPECT_FALSE(holds<int32_t>("i32", almost, 5, 6));
  almost.tolerance = 0.5;
  EXPECT_TRUE(holds("f32", almost, 1.0f, 1.5f));
}

TEST_F(ExpectationTest, TheFirstMismatchIsReported) {
  auto tensor = type("tensor<2x3xf32>");
  auto mismatch =
      findMismatch(kind(Kind::Equal), tensor, bytes<float>({0, 1, 2, 3, 5, 7}),
                   bytes<float>({0, 1, 2, 3, next(5, -2), 6}));
  ASSERT_TRUE(mismatch);
  EXPECT_EQ(mismatch->str(),
            "element [1, 1] is 5, expected 4.99999905 (2 ulp), and 1 more");
  EXPECT_FALSE(
      findMismatch(kind(Kind::Equal), type("tensor<0x3xf32>"), {}, {}));
  EXPECT_EQ(find<uint64_t>("ui64", kind(Kind::Equal), {~0ull}, {0})->str(),
            "element [0] is 18446744073709551615, expected 0");
  EXPECT_EQ(find<float>("f32", kind(Kind::Close), {nan}, {-infinity})->str(),
            "element [0] is NaN, expected -Inf");
}

TEST_F(ExpectationTest, IsReadFromResults) {
  func::FuncOp entry = parse(R"(
    func.func @main(%a: tensor<2xf32>, %b: tensor<f64>)
        -> (tensor<2xf32>,
            tensor<f64> {cleave.expect = {index = 1, kind = "almost_eq", role = "expected"}},
            tensor<2xf32> {cleave.expect = {index = 0, kind = "close", role = "actual", min_ulp = 1, max_ulp = 7},
                           cleave.expect_loc = "a.mlir:3:4"},
            tensor<2xf32> {cleave.expect = {index = 0, kind = "close", role = "expected"}},
            tensor<f64> {cleave.expect = {index = 1, kind = "almost_eq", role = "actual", tolerance = 0.25 : f64}}) {
      return %a, %b, %a, %a, %b : tensor<2xf32>, tensor<f64>, tensor<2xf32>, tensor<2xf32>, tensor<f64>
    })");
  auto expectations = getExpectations(entry);
  ASSERT_TRUE(succeeded(expectations));
  ASSERT_EQ(expectations->size(), 2u);
  const Expectation &first = (*expectations)[0], &second = (*expectations)[1];
  EXPECT_EQ(first.kind, Kind::Close);
  EXPECT_EQ(first.actual, 2u);
  EXPECT_EQ(first.expected, 3u);
  EXPECT_EQ(first.minUlp, 1u);
  EXPECT_EQ(first.maxUlp, 7u);
  EXPECT_EQ(first.location, "a.mlir:3:4");
  EXPECT_EQ(second.kind, Kind::AlmostEqual);
  EXPECT_EQ(second.actual, 4u);
  EXPECT_EQ(second.expected, 1u);
  EXPECT_EQ(second.tolerance, 0.25);
}

TEST_F(ExpectationTest, ThatDoNotPairUpAreErrors) {
  auto expect = [](StringRef index, StringRef kind, StringRef role,
                   StringRef more = "") {
    return (" {cleave.expect = {index = " + index + ", kind = \"" + kind +
            "\", role = \"" + role + "\"" + more + "}}")
        .str();
  };
  std::string f32 = "tensor<2xf32>", i32 = "tensor<2xi32>";
  EXPECT_EQ(
      errorOf(f32 + expect("0", "eq", "actual") + ", " + f32 + ", " + i32),
      "expectation 0 has no expected value");
  EXPECT_EQ(errorOf(f32 + expect("0", "eq", "actual") + ", " + f32 +
                    expect("0", "eq", "actual") + ", " + i32),
            "results 0 and 1 have the same role in expectation 0");
  EXPECT_EQ(errorOf(f32 + expect("0", "eq", "actual") + ", " + f32 + ", " +
                    i32 + expect("0", "eq", "expected")),
            "expectation 0 compares 'tensor<2xf32>' with 'tensor<2xi32>'");
  EXPECT_NE(errorOf(f32 + expect("0", "near", "actual") + ", " + f32 +
                    expect("0", "near", "expected") + ", " + i32)
                .find("expected kind eq, close or almost_eq"),
            std::string::npos);
  EXPECT_NE(errorOf(f32 + expect("0", "close", "actual", ", max_ulp = -1") +
                    ", " + f32 + expect("0", "close", "expected") + ", " + i32)
                .find("expected distances of at least 0"),
            std::string::npos);
  EXPECT_NE(errorOf(f32 + " {cleave.expect = 1}, " + f32 + ", " + i32)
                .find("expected an index and a role"),
            std::string::npos);
}

TEST_F(ExpectationTest, UnsupportedIsMarked) {
  std::vector<bool> marks;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    marks.push_back(isUnsupported(diagnostic));
  });
  Location loc = UnknownLoc::get(&context);
  emitUnsupported(loc) << "stablehlo.outfeed is not supported";
  emitError(loc) << "something else";
  EXPECT_EQ(marks, (std::vector<bool>{true, false}));
}
} // namespace
