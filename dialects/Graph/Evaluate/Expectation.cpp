//===- Expectation.cpp - What a self-checking program expects -------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/Evaluate/Expectation.h"
#include "dialects/Graph/EntryFunction.h"
#include "dialects/Graph/Evaluate/Literal.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/StringExtras.h"
#include <cmath>
#include <cstring>
#include <map>

using namespace mlir;
using namespace cleave::graph;

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

llvm::StringRef cleave::graph::stringify(Expectation::Kind kind) {
  switch (kind) {
  case Expectation::Kind::Equal:
    return "eq";
  case Expectation::Kind::Close:
    return "close";
  case Expectation::Kind::AlmostEqual:
    return "almost_eq";
  }
  llvm_unreachable("all kinds are listed");
}

namespace {
struct Pair {
  std::optional<unsigned> actual, expected;
};
} // namespace

/// Bounds and kind of an expectation, from the attribute of the actual value.
static LogicalResult readBounds(func::FuncOp entry, DictionaryAttr attr,
                                Expectation &expectation) {
  auto fail = [&](StringRef what) {
    return entry.emitError()
           << kExpectAttr << " of result " << expectation.actual << ": " << what
           << " in " << Attribute(attr);
  };
  auto kind = attr.getAs<StringAttr>("kind");
  auto parsed = llvm::StringSwitch<std::optional<Expectation::Kind>>(
                    kind ? kind.getValue() : "")
                    .Case("eq", Expectation::Kind::Equal)
                    .Case("close", Expectation::Kind::Close)
                    .Case("almost_eq", Expectation::Kind::AlmostEqual)
                    .Default(std::nullopt);
  if (!parsed)
    return fail("expected kind eq, close or almost_eq");
  expectation.kind = *parsed;
  if (auto tolerance = attr.getAs<FloatAttr>("tolerance"))
    expectation.tolerance = tolerance.getValueAsDouble();
  // A NaN is refused, too.
  if (!(expectation.tolerance >= 0))
    return fail("expected a tolerance of at least 0");
  for (auto [name, bound] : {std::pair("min_ulp", &expectation.minUlp),
                             std::pair("max_ulp", &expectation.maxUlp)})
    if (auto value = attr.getAs<IntegerAttr>(name)) {
      if (value.getValue().isNegative())
        return fail("expected distances of at least 0");
      *bound = value.getValue().getLimitedValue();
    }
  if (auto location = entry.getResultAttrOfType<StringAttr>(expectation.actual,
                                                            kExpectLocAttr))
    expectation.location = location.str();
  else
    expectation.location = describe(entry.getLoc());
  if (auto op = entry.getResultAttrOfType<StringAttr>(expectation.actual,
                                                      kExpectOpAttr))
    expectation.op = op.str();
  return success();
}

FailureOr<SmallVector<Expectation>>
cleave::graph::getExpectations(func::FuncOp entry) {
  std::map<int64_t, Pair> pairs;
  for (unsigned result = 0; result < entry.getNumResults(); ++result) {
    Attribute attr = entry.getResultAttr(result, kExpectAttr);
    if (!attr)
      continue;
    auto dictionary = dyn_cast<DictionaryAttr>(attr);
    auto index =
        dictionary ? dictionary.getAs<IntegerAttr>("index") : IntegerAttr();
    auto role =
        dictionary ? dictionary.getAs<StringAttr>("role") : StringAttr();
    bool isActual = role && role == "actual";
    if (!index || !(isActual || (role && role == "expected")))
      return entry.emitError()
             << kExpectAttr << " of result " << result
             << ": expected an index and a role, actual or expected, in "
             << attr;
    Pair &pair = pairs[index.getInt()];
    std::optional<unsigned> &place = isActual ? pair.actual : pair.expected;
    if (place)
      return entry.emitError()
             << "results " << *place << " and " << result
             << " have the same role in expectation " << index.getInt();
    place = result;
  }
  SmallVector<Expectation> expectations;
  for (auto &[index, pair] : pairs) {
    if (!pair.actual || !pair.expected)
      return entry.emitError()
             << "expectation " << index << " has no "
             << (pair.actual ? "expected" : "actual") << " value";
    Expectation expectation;
    expectation.index = index;
    expectation.actual = *pair.actual;
    expectation.expected = *pair.expected;
    Type type = entry.getResultTypes()[*pair.actual];
    if (type != entry.getResultTypes()[*pair.expected])
      return entry.emitError()
             << "expectation " << index << " compares " << type << " with "
             << entry.getResultTypes()[*pair.expected];
    if (failed(readBounds(entry,
                          cast<DictionaryAttr>(
                              entry.getResultAttr(*pair.actual, kExpectAttr)),
                          expectation)))
      return failure();
    expectations.push_back(std::move(expectation));
  }
  return expectations;
}

//===----------------------------------------------------------------------===//
// Comparison
//===----------------------------------------------------------------------===//

namespace {

/// The bits of an element; little-endian, as they are in memory.
uint64_t loadBits(ArrayRef<char> bytes, int64_t place, unsigned size) {
  uint64_t bits = 0;
  std::memcpy(&bits, bytes.data() + place * size, size);
  return bits;
}

/// One float in sign and magnitude.
struct FloatBits {
  FloatBits(uint64_t bits, FloatType type) {
    unsigned width = type.getWidth();
    const llvm::fltSemantics &semantics = type.getFloatSemantics();
    bool hasSign = llvm::APFloat::semanticsHasSignedRepr(semantics);
    isNegative = hasSign && (bits >> (width - 1) & 1);
    magnitude = bits & (~uint64_t(0) >> (64 - width + hasSign));
    value = llvm::APFloat(semantics, llvm::APInt(width, bits));
    isNaN = value.isNaN();
    isInfinite = value.isInfinity();
  }

  bool isFinite() const { return !isNaN && !isInfinite; }
  double toDouble() const {
    bool losesInfo;
    llvm::APFloat copy = value;
    copy.convert(llvm::APFloat::IEEEdouble(),
                 llvm::APFloat::rmNearestTiesToEven, &losesInfo);
    return copy.convertToDouble();
  }

  bool isNegative = false, isNaN = false, isInfinite = false;
  uint64_t magnitude = 0;
  llvm::APFloat value = llvm::APFloat(0.0);
};

} // namespace

/// Representable values from one float to the other, counting -0 and +0 once;
/// none between a NaN or an infinity and something else.
static std::optional<uint64_t> ulpDistance(const FloatBits &a,
                                           const FloatBits &b) {
  if (a.isNaN || b.isNaN)
    return a.isNaN && b.isNaN ? std::optional<uint64_t>(0) : std::nullopt;
  if (a.isNegative == b.isNegative && a.magnitude == b.magnitude)
    return 0;
  if (!a.isFinite() || !b.isFinite())
    return std::nullopt;
  if (a.isNegative != b.isNegative)
    return a.magnitude + b.magnitude;
  return std::max(a.magnitude, b.magnitude) -
         std::min(a.magnitude, b.magnitude);
}

static bool isAsExpected(const Expectation &expectation, const FloatBits &a,
                         const FloatBits &b, std::optional<uint64_t> ulps) {
  switch (expectation.kind) {
  case Expectation::Kind::Equal:
    return ulps == uint64_t(0);
  case Expectation::Kind::Close:
    return ulps && *ulps >= expectation.minUlp && *ulps <= expectation.maxUlp;
  case Expectation::Kind::AlmostEqual:
    return ulps == uint64_t(0) ||
           (ulps &&
            std::abs(a.toDouble() - b.toDouble()) <= expectation.tolerance);
  }
  llvm_unreachable("all kinds are listed");
}

static std::string formatElement(uint64_t bits, Type type) {
  if (auto floatType = dyn_cast<FloatType>(type)) {
    llvm::SmallString<32> text;
    FloatBits(bits, floatType).value.toString(text);
    return text.str().str();
  }
  if (type.isInteger(1))
    return bits ? "true" : "false";
  llvm::APInt value(type.getIntOrFloatBitWidth(), bits);
  return llvm::toString(value, 10, !type.isUnsignedInteger());
}

std::optional<Mismatch>
cleave::graph::findMismatch(const Expectation &expectation,
                            RankedTensorType type, ArrayRef<char> actual,
                            ArrayRef<char> expected) {
  Type element = type.getElementType();
  auto floatType = dyn_cast<FloatType>(element);
  unsigned size = std::max(1u, element.getIntOrFloatBitWidth() / 8);
  assert(int64_t(actual.size()) == type.getNumElements() * size &&
         actual.size() == expected.size() && "sizes are those of the type");
  std::optional<Mismatch> mismatch;
  for (int64_t place = 0, n = type.getNumElements(); place < n; ++place) {
    uint64_t a = loadBits(actual, place, size);
    uint64_t b = loadBits(expected, place, size);
    std::optional<uint64_t> ulps;
    if (!floatType) {
      if (a == b)
        continue;
    } else {
      // A distance from 0 may be asked for.
      if (a == b && expectation.minUlp == 0)
        continue;
      FloatBits left(a, floatType), right(b, floatType);
      ulps = ulpDistance(left, right);
      if (isAsExpected(expectation, left, right, ulps))
        continue;
    }
    if (!mismatch) {
      mismatch.emplace();
      int64_t rest = place;
      for (int64_t stride : rowMajorStrides(type.getShape())) {
        mismatch->index.push_back(rest / stride);
        rest %= stride;
      }
      mismatch->actual = formatElement(a, element);
      mismatch->expected = formatElement(b, element);
      mismatch->ulps = ulps;
    }
    ++mismatch->count;
  }
  return mismatch;
}

std::string Mismatch::str() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "element [";
  llvm::interleaveComma(index, os);
  os << "] is " << actual << ", expected " << expected;
  if (ulps)
    os << " (" << *ulps << " ulp)";
  if (count > 1)
    os << ", and " << count - 1 << " more";
  return text;
}
