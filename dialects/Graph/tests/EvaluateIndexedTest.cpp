//===- EvaluateIndexedTest.cpp - Tests of scatter, sort and random bits ---===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/RandomBits.h"
#include "dialects/Graph/tests/EvaluationTest.h"
#include <cmath>

using namespace mlir;
using namespace cleave::graph;

namespace {
using Ints = std::vector<int64_t>;

class IndexedTest : public EvaluationTest {
protected:
  Literal tensor(StringRef typeText, Ints values) {
    return Literal(type(typeText), std::move(values));
  }
  Literal zeros(StringRef typeText) { return Literal(type(typeText)); }

  /// Scatters `updates` into zeros with a body of one op.
  Ints scatter(StringRef attributes, StringRef inputType, Literal indices,
               Literal updates, StringRef op = "add") {
    Literal input = zeros(inputType);
    std::string text;
    llvm::raw_string_ostream os(text);
    os << "%r = cleave.scatter (%0) at %1 with (%2) {" << attributes << "} : ("
       << input.type << ", " << indices.type << ", " << updates.type << ") -> "
       << input.type << "\n{\n^bb0(%a: tensor<i32>, %b: tensor<i32>):\n%c = "
       << "cleave." << op << " %a, %b : tensor<i32>\n"
       << "cleave.return %c : tensor<i32>\n}";
    return ints(inputType, text, {input, indices, updates});
  }
};

TEST_F(IndexedTest, ScatterAddsRows) {
  // Row 1 twice; rows 3 and -1 do not exist.
  EXPECT_EQ(scatter("update_window_dims = array<i64: 1>, inserted_window_dims "
                    "= array<i64: 0>, scatter_dims_to_operand_dims = "
                    "array<i64: 0>, index_vector_dim = 1",
                    "tensor<3x2xi32>",
                    tensor("tensor<5xi64>", {1, 3, 0, -1, 1}),
                    tensor("tensor<5x2xi32>", {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})),
            Ints({5, 6, 10, 12, 0, 0}));
}

TEST_F(IndexedTest, ScatterDropsElementsOutOfBounds) {
  // Windows of 2 x 2 that start at (-1, 0) and (1, 2) of 2 x 3.
  EXPECT_EQ(scatter("update_window_dims = array<i64: 1, 2>, "
                    "inserted_window_dims = array<i64>, "
                    "scatter_dims_to_operand_dims = array<i64: 0, 1>, "
                    "index_vector_dim = 1",
                    "tensor<2x3xi32>", tensor("tensor<2x2xi32>", {-1, 0, 1, 2}),
                    tensor("tensor<2x2x2xi32>", {1, 2, 3, 4, 5, 6, 7, 8})),
            Ints({3, 4, 0, 0, 0, 5}));
}

TEST_F(IndexedTest, ScatterTakesLargeUnsignedIndicesAsOutOfBounds) {
  const char *attributes =
      "update_window_dims = array<i64: 1>, inserted_window_dims = array<i64>, "
      "scatter_dims_to_operand_dims = array<i64: 0>, index_vector_dim = 1";
  // 2^64 - 1 is not -1, of which a window of 2 would reach element 0.
  EXPECT_EQ(scatter(attributes, "tensor<3xi32>",
                    tensor("tensor<1x1xui64>", {-1}),
                    tensor("tensor<1x2xi32>", {5, 6})),
            Ints({0, 0, 0}));
  EXPECT_EQ(scatter(attributes, "tensor<3xi32>",
                    tensor("tensor<1x1xi64>", {-1}),
                    tensor("tensor<1x2xi32>", {5, 6})),
            Ints({6, 0, 0}));
}

TEST_F(IndexedTest, ScatterInBatches) {
  // The batch is dimension 1 of the input and 0 of the indices, whose vectors
  // come first in memory only for it.
  EXPECT_EQ(scatter("update_window_dims = array<i64>, inserted_window_dims = "
                    "array<i64: 0>, input_batching_dims = array<i64: 1>, "
                    "scatter_indices_batching_dims = array<i64: 1>, "
                    "scatter_dims_to_operand_dims = array<i64: 0>, "
                    "index_vector_dim = 0",
                    "tensor<3x2xi32>",
                    tensor("tensor<1x2x2xi32>", {0, 2, 1, 2}),
                    tensor("tensor<2x2xi32>", {1, 2, 3, 4})),
            Ints({1, 0, 0, 3, 2, 4}));
}

TEST_F(IndexedTest, ScatterAppliesUpdatesInOrder) {
  // x becomes 10 x + u; window dimensions come first in the updates.
  EXPECT_EQ(
      ints("tensor<2x2xi32>",
           "%r = cleave.scatter (%0) at %1 with (%2) {update_window_dims = "
           "array<i64: 0>, inserted_window_dims = array<i64: 1>, "
           "scatter_dims_to_operand_dims = array<i64: 1>, index_vector_dim = 1}"
           " : (tensor<2x2xi32>, tensor<3xi8>, tensor<2x3xi32>) -> "
           "tensor<2x2xi32> {\n^bb0(%a: tensor<i32>, %b: tensor<i32>):\n"
           "%ten = cleave.constant dense<10> : tensor<i32>\n"
           "%m = cleave.multiply %a, %ten : tensor<i32>\n"
           "%c = cleave.add %m, %b : tensor<i32>\n"
           "cleave.return %c : tensor<i32>\n}",
           {zeros("tensor<2x2xi32>"), tensor("tensor<3xi8>", {1, 1, 1}),
            tensor("tensor<2x3xi32>", {1, 2, 3, 4, 5, 6})}),
      Ints({0, 123, 0, 456}));
}

TEST_F(IndexedTest, ScatterOfPairs) {
  // A product of complex numbers as (real, imaginary): i * (2 + 3i) * (1 + i).
  SmallVector<Literal> results = run(
      "func.func @f(%re: tensor<1xf32>, %im: tensor<1xf32>, %i: tensor<2xi32>, "
      "%ure: tensor<2xf32>, %uim: tensor<2xf32>) -> (tensor<1xf32>, "
      "tensor<1xf32>) {\n%r:2 = cleave.scatter (%re, %im) at %i with (%ure, "
      "%uim) {update_window_dims = array<i64>, inserted_window_dims = "
      "array<i64: 0>, scatter_dims_to_operand_dims = array<i64: 0>, "
      "index_vector_dim = 1} : (tensor<1xf32>, tensor<1xf32>, tensor<2xi32>, "
      "tensor<2xf32>, tensor<2xf32>) -> (tensor<1xf32>, tensor<1xf32>) {\n"
      "^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<f32>, %d: "
      "tensor<f32>):\n%ac = cleave.multiply %a, %c : tensor<f32>\n"
      "%bd = cleave.multiply %b, %d : tensor<f32>\n"
      "%ad = cleave.multiply %a, %d : tensor<f32>\n"
      "%bc = cleave.multiply %b, %c : tensor<f32>\n"
      "%x = cleave.subtract %ac, %bd : tensor<f32>\n"
      "%y = cleave.add %ad, %bc : tensor<f32>\n"
      "cleave.return %x, %y : tensor<f32>, tensor<f32>\n}\n"
      "return %r#0, %r#1 : tensor<1xf32>, tensor<1xf32>\n}",
      {Literal(type("tensor<1xf32>"), std::vector<double>{0}),
       Literal(type("tensor<1xf32>"), std::vector<double>{1}),
       tensor("tensor<2xi32>", {0, 0}),
       Literal(type("tensor<2xf32>"), std::vector<double>{2, 1}),
       Literal(type("tensor<2xf32>"), std::vector<double>{3, 1})});
  ASSERT_EQ(results.size(), 2u);
  EXPECT_EQ(results[0].floats()[0], -5);
  EXPECT_EQ(results[1].floats()[0], -1);
}

TEST_F(IndexedTest, ScatterRoundsEachStep) {
  // In f16, 2048 + 1 is 2048, each time.
  const char *body =
      "%r = cleave.scatter (%0) at %1 with (%2) {update_window_dims = "
      "array<i64>, inserted_window_dims = array<i64: 0>, "
      "scatter_dims_to_operand_dims = array<i64: 0>, index_vector_dim = 1} : "
      "(tensor<1xf16>, tensor<2xi32>, tensor<2xf16>) -> tensor<1xf16> {\n"
      "^bb0(%a: tensor<f16>, %b: tensor<f16>):\n"
      "%c = cleave.add %a, %b : tensor<f16>\n"
      "cleave.return %c : tensor<f16>\n}";
  SmallVector<Literal> args = {
      Literal(type("tensor<1xf16>"), std::vector<double>{2048}),
      tensor("tensor<2xi32>", {0, 0}),
      Literal(type("tensor<2xf16>"), std::vector<double>{1, 1})};
  EXPECT_EQ(floats("tensor<1xf16>", body, args, Evaluator::Mode::Rounded)[0],
            2048);
  EXPECT_EQ(floats("tensor<1xf16>", body, args)[0], 2050);
}

TEST_F(IndexedTest, ScatterOfBooleans) {
  EXPECT_EQ(
      ints("tensor<3xi1>",
           "%r = cleave.scatter (%0) at %1 with (%2) {update_window_dims "
           "= array<i64>, inserted_window_dims = array<i64: 0>, "
           "scatter_dims_to_operand_dims = array<i64: 0>, "
           "index_vector_dim = 1} : (tensor<3xi1>, tensor<2xi32>, "
           "tensor<2xi1>) -> tensor<3xi1> {\n^bb0(%a: tensor<i1>, %b: "
           "tensor<i1>):\n%c = cleave.add %a, %b : tensor<i1>\n"
           "cleave.return %c : tensor<i1>\n}",
           {tensor("tensor<3xi1>", {0, 1, 0}), tensor("tensor<2xi32>", {0, 1}),
            tensor("tensor<2xi1>", {1, 1})}),
      Ints({1, 1, 0}));
}

//===----------------------------------------------------------------------===//
// Sort
//===----------------------------------------------------------------------===//

TEST_F(IndexedTest, SortsColumns) {
  EXPECT_EQ(ints("tensor<3x2xi32>",
                 "%r = cleave.sort (%0) dimension = 0 : (tensor<3x2xi32>) -> "
                 "tensor<3x2xi32> {\n^bb0(%a: tensor<i32>, %b: tensor<i32>):\n"
                 "%c = cleave.compare GT, %a, %b : (tensor<i32>, tensor<i32>) "
                 "-> tensor<i1>\ncleave.return %c : tensor<i1>\n}",
                 {tensor("tensor<3x2xi32>", {1, 9, 3, -7, 2, 8})}),
            Ints({3, 9, 2, 8, 1, -7}));
}

TEST_F(IndexedTest, SortIsStable) {
  // 50 keys of 4 values; what comes along tells the order of equal ones.
  Ints keys, places;
  for (int64_t i = 0; i < 50; ++i) {
    keys.push_back(i * 7 % 4);
    places.push_back(i);
  }
  SmallVector<Literal> results = run(
      "func.func @f(%k: tensor<50xi8>, %p: tensor<50xi32>) -> (tensor<50xi8>, "
      "tensor<50xi32>) {\n%r:2 = cleave.sort (%k, %p) dimension = 0 : "
      "(tensor<50xi8>, tensor<50xi32>) -> (tensor<50xi8>, tensor<50xi32>) {\n"
      "^bb0(%a: tensor<i8>, %b: tensor<i8>, %c: tensor<i32>, %d: tensor<i32>):"
      "\n%e = cleave.compare LT, %a, %b : (tensor<i8>, tensor<i8>) -> "
      "tensor<i1>\ncleave.return %e : tensor<i1>\n}\n"
      "return %r#0, %r#1 : tensor<50xi8>, tensor<50xi32>\n}",
      {tensor("tensor<50xi8>", keys), tensor("tensor<50xi32>", places)});
  ASSERT_EQ(results.size(), 2u);
  llvm::sort(places, [&](int64_t a, int64_t b) {
    return std::pair(keys[a], a) < std::pair(keys[b], b);
  });
  llvm::sort(keys);
  EXPECT_EQ(results[0].ints().vec(), keys);
  EXPECT_EQ(results[1].ints().vec(), places);
}

TEST_F(IndexedTest, SortEndsForAnyComparator) {
  Literal values(type("tensor<40xf32>"));
  for (auto [i, value] : llvm::enumerate(values.mutableFloats()))
    value = i % 5 == 0 ? std::nan("") : std::sin(static_cast<double>(i));
  for (const char *direction : {"LT", "LE", "NE", "GE"}) {
    std::vector<double> sorted = floats(
        "tensor<40xf32>",
        (Twine("%r = cleave.sort (%0) dimension = 0 : (tensor<40xf32>) -> "
               "tensor<40xf32> {\n^bb0(%a: tensor<f32>, %b: tensor<f32>):\n"
               "%c = cleave.compare ") +
         direction +
         ", %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>\n"
         "cleave.return %c : tensor<i1>\n}")
            .str(),
        {values});
    // A permutation.
    EXPECT_EQ(llvm::count_if(sorted, [](double x) { return std::isnan(x); }),
              8);
  }
}

//===----------------------------------------------------------------------===//
// Random bits: values that XLA gave on a CPU (jaxlib 0.10.2)
//===----------------------------------------------------------------------===//

struct RandomCase {
  const char *algorithm, *stateType, *outputType;
  std::vector<uint64_t> state, stateAfter, output;
};

class RandomTest : public IndexedTest,
                   public testing::WithParamInterface<RandomCase> {
protected:
  Literal unsignedTensor(StringRef typeText, ArrayRef<uint64_t> values) {
    return tensor(typeText, Ints(values.begin(), values.end()));
  }
};

TEST_P(RandomTest, MatchesXla) {
  const RandomCase &c = GetParam();
  std::string text;
  llvm::raw_string_ostream(text)
      << "func.func @f(%s: " << c.stateType << ") -> (" << c.stateType << ", "
      << c.outputType << ") {\n%a, %b = cleave.rng_bit_generator "
      << c.algorithm << ", %s : (" << c.stateType << ") -> (" << c.stateType
      << ", " << c.outputType << ")\nreturn %a, %b : " << c.stateType << ", "
      << c.outputType << "\n}";
  SmallVector<Literal> results =
      run(text, {unsignedTensor(c.stateType, c.state)});
  ASSERT_EQ(results.size(), 2u);
  EXPECT_EQ(results[0].ints(),
            unsignedTensor(c.stateType, c.stateAfter).ints());
  EXPECT_EQ(results[1].ints(), unsignedTensor(c.outputType, c.output).ints());
}

constexpr uint64_t most = ~uint64_t(0);

INSTANTIATE_TEST_SUITE_P(
    Xla, RandomTest,
    testing::Values(
        RandomCase{"three_fry",
                   "tensor<2xui64>",
                   "tensor<5xui32>",
                   {3, 5},
                   {3, 8},
                   {1109507171, 3604763515, 3802093305, 3166652467, 849634428}},
        RandomCase{"three_fry",
                   "tensor<2xui64>",
                   "tensor<2x3xui32>",
                   {3, 5},
                   {3, 8},
                   {1109507171, 3802093305, 849634428, 3604763515, 3166652467,
                    1054234490}},
        RandomCase{"three_fry",
                   "tensor<2xui64>",
                   "tensor<3x3xui16>",
                   {0x123456789abcdef0, most},
                   {0x123456789abcdef0, 5},
                   {31655, 32829, 57084, 43722, 33017, 53422, 22406, 360, 21}},
        RandomCase{
            "three_fry", "tensor<2xui64>", "tensor<ui8>", {3, 5}, {3, 6}, {99}},
        RandomCase{"three_fry",
                   "tensor<2xui64>",
                   "tensor<2x2xui64>",
                   {1, most},
                   {1, 3},
                   {5935036730470049944u, 10874829180423743482u,
                    3280001176275675250u, 9236835810183407956u}},
        RandomCase{"philox",
                   "tensor<2xui64>",
                   "tensor<5xui32>",
                   {3, 5},
                   {3, 7},
                   {514065308, 1112787925, 433431800, 1887756390, 1925109534}},
        RandomCase{"philox",
                   "tensor<3xui64>",
                   "tensor<2x3xui32>",
                   {0xfedcba9876543210, most, 7},
                   {0xfedcba9876543210, 1, 8},
                   {375620970, 3730239934, 1869199673, 905380883, 1944177827,
                    3514839337}},
        RandomCase{"philox",
                   "tensor<3xui64>",
                   "tensor<3xui64>",
                   {3, 5, 7},
                   {3, 7, 7},
                   {15585328198562319241u, 9343571487819533517u,
                    13630583824723698643u}},
        RandomCase{"philox",
                   "tensor<2xui64>",
                   "tensor<5xui16>",
                   {3, most},
                   {3, 1},
                   {15265, 28736, 21410, 1190, 15617}},
        RandomCase{"philox",
                   "tensor<3xui64>",
                   "tensor<6xui8>",
                   {9, most, most},
                   {9, 1, 0},
                   {193, 100, 193, 190, 176, 140}}));

TEST(RandomBitsTest, KnownAnswers) {
  // Of the reference implementation of both algorithms, Random123.
  using Pair = std::array<uint32_t, 2>;
  using Four = std::array<uint32_t, 4>;
  EXPECT_EQ(threeFry2x32({0, 0}, {0, 0}), (Pair{0x6b200159, 0x99ba4efe}));
  EXPECT_EQ(threeFry2x32({0x13198a2e, 0x03707344}, {0x243f6a88, 0x85a308d3}),
            (Pair{0xc4923a9c, 0x483df7a0}));
  EXPECT_EQ(philox4x32({0, 0}, {0, 0, 0, 0}),
            (Four{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(philox4x32({0xa4093822, 0x299f31d0},
                       {0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}),
            (Four{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST_F(IndexedTest, RandomBlockIsPartOfTheWhole) {
  // Rows 3 and 4, columns 2 to 5 of 5 x 5: one column is beyond.
  const char *state = "tensor<2xui64>";
  for (const char *algorithm : {"three_fry", "philox"})
    for (const char *element : {"ui16", "ui32", "ui64"}) {
      std::string whole = "tensor<5x5x" + std::string(element) + ">";
      std::string block = "tensor<2x4x" + std::string(element) + ">";
      std::string head =
          "func.func @f(%s: tensor<2xui64>, %i: tensor<i32>, %j: tensor<i32>) "
          "-> (tensor<2xui64>, ";
      std::string op = std::string("%a, %b = cleave.rng_bit_generator ") +
                       algorithm + ", %s";
      std::string types = " : (tensor<2xui64>";
      SmallVector<Literal> args = {tensor(state, {7, 100}),
                                   tensor("tensor<i32>", {3}),
                                   tensor("tensor<i32>", {2})};
      SmallVector<Literal> all =
          run(head + whole + ") {\n" + op + types + ") -> (tensor<2xui64>, " +
                  whole + ")\nreturn %a, %b : tensor<2xui64>, " + whole + "\n}",
              args);
      SmallVector<Literal> part =
          run(head + block + ") {\n" + op + " block at (%i, %j) of [5, 5]" +
                  types + ", tensor<i32>, tensor<i32>) -> (tensor<2xui64>, " +
                  block + ")\nreturn %a, %b : tensor<2xui64>, " + block + "\n}",
              args);
      ASSERT_EQ(all.size() + part.size(), 4u);
      EXPECT_EQ(part[0].ints(), all[0].ints());
      EXPECT_EQ(part[1].slice({0, 0}, {2, 3}).ints(),
                all[1].slice({3, 2}, {2, 3}).ints());
    }
}

TEST_F(IndexedTest, RandomFloatsHaveTheBitsOfIntegers) {
  const char *text = "%s, %r = cleave.rng_bit_generator philox, %0 : "
                     "(tensor<2xui64>) -> (tensor<2xui64>, ";
  Literal state = tensor("tensor<2xui64>", {3, 5});
  Literal bits =
      value("tensor<5xui32>", text + std::string("tensor<5xui32>)"), {state});
  Literal numbers =
      value("tensor<5xf32>", text + std::string("tensor<5xf32>)"), {state});
  EXPECT_EQ(numbers.toBytes(), bits.toBytes());
}

} // namespace
