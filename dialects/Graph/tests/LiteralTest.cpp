//===- LiteralTest.cpp - Tests of tensor values ---------------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/Evaluate/Literal.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/APFloat.h"
#include "gtest/gtest.h"
#include <cmath>
#include <cstring>

using namespace mlir;
using namespace cleave::graph;

namespace {
class LiteralTest : public testing::Test {
protected:
  RankedTensorType type(ArrayRef<int64_t> shape, Type element) {
    return RankedTensorType::get(shape, element);
  }
  FailureOr<Literal> parse(StringRef text) {
    return Literal::fromAttr(
        cast<ElementsAttr>(parseAttribute(text, &context)),
        [&] { return emitError(UnknownLoc::get(&context)); });
  }

  MLIRContext context;
  Builder builder{&context};
};

// Every bit pattern of the narrow floats survives, and is the value that LLVM
// says it is.
TEST_F(LiteralTest, AllNarrowFloats) {
  for (Type element :
       {Type(builder.getF16Type()), Type(builder.getBF16Type())}) {
    std::vector<uint16_t> patterns(1 << 16);
    for (size_t i = 0; i < patterns.size(); ++i)
      patterns[i] = i;
    std::vector<char> bytes(2 * patterns.size());
    std::memcpy(bytes.data(), patterns.data(), bytes.size());
    Literal literal = Literal::fromBytes(type({1 << 16}, element), bytes);
    const llvm::fltSemantics &semantics =
        cast<FloatType>(element).getFloatSemantics();
    for (size_t i = 0; i < patterns.size(); ++i) {
      llvm::APFloat expected(semantics, llvm::APInt(16, i));
      double value = literal.floats()[i];
      if (expected.isNaN())
        ASSERT_TRUE(std::isnan(value)) << i;
      else
        ASSERT_EQ(value, expected.convertToDouble()) << i;
    }
    std::vector<char> back = literal.toBytes();
    for (size_t i = 0; i < patterns.size(); ++i) {
      uint16_t bits;
      std::memcpy(&bits, back.data() + 2 * i, 2);
      // Signalling NaNs become quiet.
      if (std::isnan(literal.floats()[i]))
        bits &= ~(element.isF16() ? 0x200 : 0x40);
      ASSERT_EQ(bits | 0x240, i | 0x240) << i;
    }
  }
}

TEST_F(LiteralTest, RoundsToNearestEven) {
  for (Type element : {Type(builder.getF16Type()), Type(builder.getBF16Type()),
                       Type(builder.getF32Type())}) {
    uint64_t state = 1;
    for (int i = 0; i < 200000; ++i) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      // Exponents around the range of f16, with many ties.
      double value = std::ldexp(static_cast<double>(state >> 50),
                                static_cast<int>(state % 60) - 45);
      bool lost;
      llvm::APFloat expected(value);
      expected.convert(cast<FloatType>(element).getFloatSemantics(),
                       llvm::APFloat::rmNearestTiesToEven, &lost);
      ASSERT_EQ(roundToType(value, element), expected.convertToDouble());
      ASSERT_EQ(roundToType(-value, element), -expected.convertToDouble());
    }
  }
  EXPECT_EQ(roundToType(65519.99, builder.getF16Type()), 65504);
  EXPECT_EQ(roundToType(65520, builder.getF16Type()), HUGE_VAL);
  EXPECT_TRUE(std::signbit(roundToType(-1e-30, builder.getF16Type())));
}

TEST_F(LiteralTest, HalfUnits) {
  Builder builder(&context);
  EXPECT_EQ(halfUnitOfType(1.5, builder.getF32Type()), std::ldexp(1, -24));
  EXPECT_EQ(halfUnitOfType(-8, builder.getF32Type()), std::ldexp(1, -21));
  EXPECT_EQ(halfUnitOfType(1, builder.getBF16Type()), std::ldexp(1, -8));
  // Subnormal numbers are as far apart as the smallest normal ones.
  EXPECT_EQ(halfUnitOfType(1e-40, builder.getF32Type()), std::ldexp(1, -150));
  EXPECT_EQ(halfUnitOfType(0, builder.getF16Type()), std::ldexp(1, -25));
}

TEST_F(LiteralTest, Attributes) {
  FailureOr<Literal> ints =
      parse("dense<[[1, -2], [3, 255]]> : tensor<2x2xi8>");
  ASSERT_TRUE(succeeded(ints));
  EXPECT_EQ(ints->ints(), ArrayRef<int64_t>({1, -2, 3, -1}));
  FailureOr<Literal> unsignedInts = parse("dense<[254, 1]> : tensor<2xui8>");
  EXPECT_EQ(unsignedInts->ints(), ArrayRef<int64_t>({254, 1}));
  FailureOr<Literal> splat = parse("dense<1.5> : tensor<2x2xbf16>");
  EXPECT_EQ(splat->floats(), ArrayRef<double>({1.5, 1.5, 1.5, 1.5}));
  FailureOr<Literal> bools = parse(
      "dense<[true, false, true, true, false, true, true, true, false, true]>"
      " : tensor<10xi1>");
  EXPECT_EQ(bools->ints(), ArrayRef<int64_t>({1, 0, 1, 1, 0, 1, 1, 1, 0, 1}));
  EXPECT_EQ(*parse("dense<true> : tensor<3xi1>")->ints().begin(), 1);
  for (auto &literal : {ints, unsignedInts, splat, bools}) {
    FailureOr<Literal> again = Literal::fromAttr(literal->toAttr(), [&] {
      return emitError(UnknownLoc::get(&context));
    });
    ASSERT_TRUE(succeeded(again));
    EXPECT_EQ(again->toBytes(), literal->toBytes());
  }
}

TEST_F(LiteralTest, ElidedResourceIsAnError) {
  std::string message;
  ScopedDiagnosticHandler handler(
      &context, [&](Diagnostic &diagnostic) { message = diagnostic.str(); });
  EXPECT_TRUE(failed(parse("dense_resource<weights> : tensor<2xf32>")));
  EXPECT_EQ(message,
            "resource 'weights' has no data: the text of the program leaves it "
            "out; export it without eliding large constants and resources");
}

TEST_F(LiteralTest, CopiesDoNotAlias) {
  Literal first(type({2}, builder.getF32Type()), std::vector<double>{1, 2});
  Literal second = first;
  EXPECT_EQ(first.floats().data(), second.floats().data());
  second.mutableFloats()[0] = 5;
  EXPECT_EQ(first.floats()[0], 1);
  EXPECT_EQ(second.floats()[0], 5);
}

TEST_F(LiteralTest, Blocks) {
  Literal whole(type({3, 4}, builder.getI32Type()),
                std::vector<int64_t>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11});
  Literal block = whole.slice({1, 1}, {2, 2});
  EXPECT_EQ(block.ints(), ArrayRef<int64_t>({5, 6, 9, 10}));
  EXPECT_EQ(whole.slice({0, 1}, {2, 2}, {2, 2}).ints(),
            ArrayRef<int64_t>({1, 3, 9, 11}));
  whole.insert(block, {0, 0});
  EXPECT_EQ(whole.ints(),
            ArrayRef<int64_t>({5, 6, 2, 3, 9, 10, 6, 7, 8, 9, 10, 11}));
  EXPECT_EQ(block.transposed({1, 0}).ints(), ArrayRef<int64_t>({5, 9, 6, 10}));
  EXPECT_EQ(whole.slice({1, 0}, {0, 4}).size(), 0);
}

TEST_F(LiteralTest, Wrapping) {
  Type i8 = builder.getI8Type();
  Type ui8 = IntegerType::get(&context, 8, IntegerType::Unsigned);
  EXPECT_EQ(wrapToType(200, i8), -56);
  EXPECT_EQ(wrapToType(-1, ui8), 255);
  EXPECT_EQ(wrapToType(2, builder.getI1Type()), 1);
  EXPECT_EQ(wrapToType(-1, builder.getI64Type()), -1);
}
} // namespace
