//===- SmallFloatsTest.cpp - Tests of floats of 8 bits --------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/SmallFloats.h"
#include "dialects/Graph/Evaluate/Expectation.h"
#include "dialects/Graph/tests/EvaluationTest.h"
#include "llvm/ADT/APFloat.h"
#include <cmath>

using namespace mlir;
using namespace cleave::graph;
using llvm::APFloat;

static const char *const types[] = {"f8E3M4",     "f8E4M3",     "f8E4M3B11FNUZ",
                                    "f8E4M3FN",   "f8E4M3FNUZ", "f8E5M2",
                                    "f8E5M2FNUZ", "f8E8M0FNU"};

namespace {
class SmallFloatsTest : public EvaluationTest {
protected:
  FloatType element(StringRef name) {
    return cast<FloatType>(
        type(("tensor<" + name + ">").str()).getElementType());
  }
  /// All 256 values.
  Literal all(StringRef name) {
    std::vector<char> bytes(256);
    for (size_t i = 0; i < bytes.size(); ++i)
      bytes[i] = static_cast<char>(i);
    return Literal::fromBytes(type(("tensor<256x" + name + ">").str()), bytes);
  }
};
} // namespace

/// The number that LLVM takes bits for.
static APFloat asInLLVM(FloatType type, unsigned bits) {
  return APFloat(type.getFloatSemantics(), llvm::APInt(8, bits));
}

/// The bits that LLVM rounds to; not for what f8E8M0FNU has no number for.
static unsigned roundInLLVM(FloatType type, double value) {
  APFloat number(value);
  bool lost;
  number.convert(type.getFloatSemantics(), APFloat::rmNearestTiesToEven, &lost);
  return number.bitcastToAPInt().getZExtValue();
}

TEST_F(SmallFloatsTest, EveryBitPatternIsAsInLLVM) {
  for (const char *name : types) {
    SCOPED_TRACE(name);
    FloatType type = element(name);
    SmallFloat format = *getSmallFloat(type);
    EXPECT_EQ(format.largest(), APFloat::getLargest(type.getFloatSemantics())
                                    .bitcastToAPInt()
                                    .getZExtValue());
    EXPECT_EQ(format.hasInfinities(),
              APFloat::semanticsHasInf(type.getFloatSemantics()));
    EXPECT_EQ(format.hasSign(),
              APFloat::semanticsHasSignedRepr(type.getFloatSemantics()));
    for (unsigned bits = 0; bits < 256; ++bits) {
      APFloat expected = asInLLVM(type, bits);
      double value = format.decode(bits);
      ASSERT_EQ(std::isnan(value), expected.isNaN()) << bits;
      if (!expected.isNaN()) {
        ASSERT_EQ(value, expected.convertToDouble()) << bits;
        ASSERT_EQ(std::signbit(value), expected.isNegative()) << bits;
        ASSERT_EQ(format.round(value), value) << bits;
      }
      ASSERT_EQ(format.encode(value), bits);
    }
  }
}

/// Numbers, ties between them and the nearest neighbours of both.
static std::vector<double> makeNumbers(const SmallFloat &format) {
  std::vector<double> numbers = {0x1p-1074, 0x1p-150, 0x1p-140, 1e-30, 1e30};
  double last = 0;
  for (unsigned bits = 0; bits <= format.largest(); ++bits) {
    double next = format.decode(bits);
    double tie = last + (next - last) / 2;
    for (double x : {next, tie})
      for (double y : {x, std::nextafter(x, 0), std::nextafter(x, HUGE_VAL)})
        numbers.push_back(y);
    last = next;
  }
  for (double factor : {1.03125, 1.0625, 1.125, 1.25, 1.5, 2.0, 3.0})
    for (double x : {last * factor, std::nextafter(last * factor, 0)})
      numbers.push_back(x);
  return numbers;
}

TEST_F(SmallFloatsTest, RoundsAsLLVM) {
  for (const char *name : types) {
    SCOPED_TRACE(name);
    FloatType type = element(name);
    SmallFloat format = *getSmallFloat(type);
    for (double value : makeNumbers(format))
      for (double x : {value, -value}) {
        if (!format.hasSign() && !(x > 0))
          continue;
        double rounded = format.round(x);
        ASSERT_EQ(format.encode(rounded), format.encode(roundToType(x, type)));
        ASSERT_EQ(format.encode(rounded), roundInLLVM(type, x)) << x;
      }
  }
}

TEST_F(SmallFloatsTest, BeyondTheLargestNumber) {
  auto round = [&](StringRef name, double x) {
    return getSmallFloat(element(name))->round(x);
  };
  EXPECT_EQ(round("f8E5M2", 61439), 57344);
  EXPECT_EQ(round("f8E5M2", 61440), HUGE_VAL);
  EXPECT_EQ(round("f8E5M2", -HUGE_VAL), -HUGE_VAL);
  EXPECT_EQ(round("f8E4M3", 247.9), 240);
  EXPECT_EQ(round("f8E4M3", 248), HUGE_VAL);
  // The tie goes to the even mantissa, which is that of the largest number.
  EXPECT_EQ(round("f8E4M3FN", 464), 448);
  EXPECT_TRUE(std::isnan(round("f8E4M3FN", 464.1)));
  EXPECT_TRUE(std::isnan(round("f8E4M3FN", HUGE_VAL)));
  EXPECT_TRUE(std::isnan(round("f8E4M3FNUZ", 1e9)));
  EXPECT_TRUE(std::isnan(round("f8E4M3B11FNUZ", -1e9)));
}

TEST_F(SmallFloatsTest, Zeros) {
  for (const char *name : types) {
    SmallFloat format = *getSmallFloat(element(name));
    if (!format.hasSign())
      continue;
    bool hasNegativeZero =
        format.specials != SmallFloat::Specials::NegativeZero;
    for (double x : {-0.0, -1e-30}) {
      EXPECT_EQ(format.round(x), 0);
      EXPECT_EQ(std::signbit(format.round(x)), hasNegativeZero) << name;
    }
  }
}

TEST_F(SmallFloatsTest, PowersOfTwo) {
  SmallFloat format = *getSmallFloat(element("f8E8M0FNU"));
  EXPECT_EQ(format.round(1.5), 2);
  EXPECT_EQ(format.round(std::nextafter(1.5, 0)), 1);
  EXPECT_EQ(format.round(3), 4);
  EXPECT_EQ(format.round(1e-300), 0x1p-127);
  EXPECT_EQ(format.round(0x1.7fffffp-127), 0x1p-127);
  EXPECT_EQ(format.round(0x1.8p-127), 0x1p-126);
  EXPECT_EQ(format.round(0x1.7p127), 0x1p127);
  for (double x : std::initializer_list<double>{0x1.8p127, HUGE_VAL, 0.0, -0.0,
                                                -1.0, -HUGE_VAL, NAN}) {
    EXPECT_TRUE(std::isnan(format.round(x))) << x;
    EXPECT_EQ(format.encode(format.round(x)), 0xff);
  }
}

TEST_F(SmallFloatsTest, ConvertsAndMovesAllValues) {
  for (const char *name : types) {
    SCOPED_TRACE(name);
    std::string source = std::string("tensor<256x") + name + ">";
    Literal values = all(name);
    std::vector<char> bytes = values.toBytes();
    // Through every wider float and back.
    for (const char *wider : {"f16", "bf16", "f32", "f64"}) {
      if (name == StringRef("f8E8M0FNU") && wider == StringRef("f16"))
        continue;
      std::string wide = std::string("tensor<256x") + wider + ">";
      Literal back =
          value(source,
                "%w = cleave.convert %0 : (" + source + ") -> " + wide +
                    "\n%r = cleave.convert %w : (" + wide + ") -> " + source,
                {values}, Evaluator::Mode::Rounded);
      std::vector<char> again = back.toBytes();
      for (unsigned bits = 0; bits < 256; ++bits)
        if (!std::isnan(values.floats()[bits]))
          ASSERT_EQ(again[bits], bytes[bits]) << wider;
        else
          ASSERT_TRUE(std::isnan(back.floats()[bits])) << wider;
    }
    // Bits are kept, those of NaN, too.
    Literal bits = value("tensor<256xui8>",
                         "%r = cleave.bitcast_convert %0 : (" + source +
                             ") -> tensor<256xui8>",
                         {values}, Evaluator::Mode::Rounded);
    for (int64_t i = 0; i < 256; ++i)
      ASSERT_EQ(bits.ints()[i], i);
    Literal reversed =
        value(source, "%r = cleave.reverse %0, dims = [0] : " + source,
              {values}, Evaluator::Mode::Rounded);
    std::vector<char> moved = reversed.toBytes();
    for (size_t i = 0; i < 256; ++i)
      ASSERT_EQ(moved[i], bytes[255 - i]);
  }
}

TEST_F(SmallFloatsTest, SplatsAreFoldedAsTheyAreConverted) {
  for (const char *name : types)
    for (double x : std::initializer_list<double>{0.0, -0.0, -1.0, 1.5, 1e9,
                                                  -1e-9, NAN, HUGE_VAL}) {
      FloatType type = element(name);
      SmallFloat format = *getSmallFloat(type);
      OpBuilder builder(&context);
      OwningOpRef<ModuleOp> module = ModuleOp::create(builder.getUnknownLoc());
      builder.setInsertionPointToStart(module->getBody());
      auto from = RankedTensorType::get({2}, builder.getF64Type());
      auto constant = ConstantOp::create(builder, module->getLoc(),
                                         DenseElementsAttr::get(from, x));
      Value folded = builder.createOrFold<ConvertOp>(
          module->getLoc(), RankedTensorType::get({2}, type), constant);
      auto result = folded.getDefiningOp<ConstantOp>();
      ASSERT_TRUE(result);
      APFloat splat =
          cast<DenseElementsAttr>(result.getValue()).getSplatValue<APFloat>();
      EXPECT_EQ(splat.bitcastToAPInt().getZExtValue(),
                format.encode(format.round(x)))
          << name << " " << x;
    }
}

TEST_F(SmallFloatsTest, AreComparedByUlps) {
  Expectation close;
  close.kind = Expectation::Kind::Close;
  close.minUlp = 0;
  close.maxUlp = 1;
  for (const char *name : types) {
    SCOPED_TRACE(name);
    SmallFloat format = *getSmallFloat(element(name));
    auto differ = [&](unsigned a, unsigned b) {
      char x = static_cast<char>(a), y = static_cast<char>(b);
      return findMismatch(close, type(std::string("tensor<1x") + name + ">"), x,
                          y)
          .has_value();
    };
    unsigned nan = format.encode(NAN), largest = format.largest();
    EXPECT_FALSE(differ(0x40, 0x41));
    EXPECT_TRUE(differ(0x40, 0x42));
    EXPECT_FALSE(differ(nan, nan));
    EXPECT_TRUE(differ(nan, largest));
    EXPECT_FALSE(differ(largest, largest - 1));
    if (format.hasSign())
      EXPECT_EQ(differ(0x01, 0x81), true);
    if (format.hasInfinities())
      EXPECT_TRUE(differ(largest, largest + 1));
  }
}
