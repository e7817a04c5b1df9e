//===- Literal.cpp - A dense tensor value ---------------------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/Evaluate/Literal.h"
#include "dialects/Graph/SmallFloats.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>
#include <cstring>

using namespace mlir;
using namespace cleave::graph;

//===----------------------------------------------------------------------===//
// Element types
//===----------------------------------------------------------------------===//

namespace {
/// A binary interchange format of IEEE 754, bfloat16, or one of 8 bits, which
/// may have a largest number of its own.
struct Format {
  int precision; // Bits of the significand, the hidden one included.
  int minExponent;
  int maxExponent;
};
} // namespace

static Format formatOf(Type type) {
  if (type.isF16())
    return {11, -14, 15};
  if (type.isBF16())
    return {8, -126, 127};
  if (type.isF32())
    return {24, -126, 127};
  if (type.isTF32())
    return {11, -126, 127};
  if (std::optional<SmallFloat> small = getSmallFloat(type))
    return {small->mantissaBits + 1, small->minExponent(),
            std::ilogb(small->decode(small->largest()))};
  return {53, -1022, 1023};
}

double cleave::graph::roundToType(double value, Type type) {
  if (type.isF64())
    return value;
  if (type.isF32())
    return static_cast<float>(value);
  if (type.getIntOrFloatBitWidth() == 8)
    return getSmallFloat(type)->round(value);
  if (value == 0 || !std::isfinite(value))
    return value;
  Format format = formatOf(type);
  // Scaled so that one unit in the last place is 1, the value rounds exactly
  // as an integer does; the narrow formats never overflow float64 here.
  int exponent = std::max(std::ilogb(value), format.minExponent);
  int scale = exponent - (format.precision - 1);
  double rounded = std::ldexp(std::nearbyint(std::ldexp(value, -scale)), scale);
  double limit = std::ldexp(1.0, format.maxExponent + 1);
  if (std::fabs(rounded) >= limit)
    return std::copysign(HUGE_VAL, value);
  return rounded;
}

double cleave::graph::halfUnitOfType(double value, Type type) {
  Format format = formatOf(type);
  int exponent = std::max(value == 0 ? format.minExponent : std::ilogb(value),
                          format.minExponent);
  return std::ldexp(0.5, exponent - (format.precision - 1));
}

int64_t cleave::graph::wrapToType(int64_t value, Type type) {
  auto integer = cast<IntegerType>(type);
  if (integer.getWidth() == 1)
    return value != 0;
  unsigned unused = 64 - integer.getWidth();
  uint64_t shifted = static_cast<uint64_t>(value) << unused;
  return integer.isUnsigned() ? static_cast<int64_t>(shifted >> unused)
                              : static_cast<int64_t>(shifted) >> unused;
}

double cleave::graph::epsilonOfType(Type type) {
  return std::ldexp(1.0, 1 - formatOf(type).precision);
}

/// The 16 bits of a value that `type` (f16 or bf16) represents. A NaN keeps
/// its sign and the upper bits of its payload.
static uint16_t encode16(double value, Type type) {
  int fraction = formatOf(type).precision - 1;
  int bias = formatOf(type).maxExponent;
  uint16_t sign = std::signbit(value) ? 0x8000 : 0;
  uint16_t infinity = 0x7fff & ~((1 << fraction) - 1);
  if (std::isnan(value)) {
    uint64_t payload = llvm::bit_cast<uint64_t>(value) << 12 >> 12;
    uint16_t quiet = 1 << (fraction - 1);
    return sign | infinity | quiet | (payload >> (52 - fraction));
  }
  if (std::isinf(value))
    return sign | infinity;
  if (value == 0)
    return sign;
  // The exponent field of a subnormal is 0, and its leading bit is not hidden;
  // both follow from adding the fields instead of joining them.
  int exponent = std::max(std::ilogb(value), 1 - bias);
  auto significand =
      static_cast<int>(std::ldexp(std::fabs(value), fraction - exponent));
  return sign | (((exponent + bias - 1) << fraction) + significand);
}

static double decode16(uint16_t bits, Type type) {
  int fraction = formatOf(type).precision - 1;
  int bias = formatOf(type).maxExponent;
  double sign = bits & 0x8000 ? -1 : 1;
  int exponent = (bits & 0x7fff) >> fraction;
  int significand = bits & ((1 << fraction) - 1);
  if (exponent == 2 * bias + 1) {
    uint64_t high = (bits & 0x8000) ? 0xfff : 0x7ff;
    return llvm::bit_cast<double>(
        high << 52 | static_cast<uint64_t>(significand) << (52 - fraction));
  }
  if (exponent == 0)
    return sign * std::ldexp(significand, 1 - bias - fraction);
  return sign *
         std::ldexp(significand + (1 << fraction), exponent - bias - fraction);
}

//===----------------------------------------------------------------------===//
// Construction
//===----------------------------------------------------------------------===//

Literal::Literal(RankedTensorType type) : type(type) {
  if (isFloat())
    floatData = std::make_shared<std::vector<double>>(size());
  else
    intData = std::make_shared<std::vector<int64_t>>(size());
}

Literal::Literal(RankedTensorType type, std::vector<double> values)
    : type(type),
      floatData(std::make_shared<std::vector<double>>(std::move(values))) {
  assert(isFloat() && static_cast<int64_t>(floatData->size()) == size());
}

Literal::Literal(RankedTensorType type, std::vector<int64_t> values)
    : type(type),
      intData(std::make_shared<std::vector<int64_t>>(std::move(values))) {
  assert(!isFloat() && static_cast<int64_t>(intData->size()) == size());
}

MutableArrayRef<double> Literal::mutableFloats() {
  if (floatData.use_count() > 1)
    floatData = std::make_shared<std::vector<double>>(*floatData);
  return *floatData;
}

MutableArrayRef<int64_t> Literal::mutableInts() {
  if (intData.use_count() > 1)
    intData = std::make_shared<std::vector<int64_t>>(*intData);
  return *intData;
}

Literal Literal::withType(RankedTensorType newType) const {
  assert(newType.getNumElements() == size());
  Literal result = *this;
  result.type = newType;
  assert(result.isFloat() == isFloat());
  return result;
}

//===----------------------------------------------------------------------===//
// Attributes and bytes
//===----------------------------------------------------------------------===//

int64_t Literal::byteSize(RankedTensorType type) {
  return type.getNumElements() *
         llvm::divideCeil(type.getElementTypeBitWidth(), 8);
}

template <typename Stored, typename Element>
static void decode(ArrayRef<char> bytes, MutableArrayRef<Stored> elements) {
  for (auto [i, element] : llvm::enumerate(elements)) {
    Element value;
    std::memcpy(&value, bytes.data() + i * sizeof(Element), sizeof(Element));
    element = static_cast<Stored>(value);
  }
}

template <typename Element, typename Stored>
static void encode(ArrayRef<Stored> elements, MutableArrayRef<char> bytes) {
  for (auto [i, element] : llvm::enumerate(elements)) {
    auto value = static_cast<Element>(element);
    std::memcpy(bytes.data() + i * sizeof(Element), &value, sizeof(Element));
  }
}

Literal Literal::fromBytes(RankedTensorType type, ArrayRef<char> bytes) {
  assert(static_cast<int64_t>(bytes.size()) == byteSize(type));
  Literal result(type);
  Type element = type.getElementType();
  if (result.isFloat()) {
    MutableArrayRef<double> values = result.mutableFloats();
    if (element.isF64()) {
      decode<double, double>(bytes, values);
    } else if (element.isF32()) {
      decode<double, float>(bytes, values);
    } else if (std::optional<SmallFloat> small = getSmallFloat(element)) {
      decode<double, uint8_t>(bytes, values);
      for (double &value : values)
        value = small->decode(static_cast<uint8_t>(value));
    } else {
      decode<double, uint16_t>(bytes, values);
      for (double &value : values)
        value = decode16(static_cast<uint16_t>(value), element);
    }
    return result;
  }
  MutableArrayRef<int64_t> values = result.mutableInts();
  switch (type.getElementTypeBitWidth()) {
  case 1:
  case 8:
    decode<int64_t, int8_t>(bytes, values);
    break;
  case 16:
    decode<int64_t, int16_t>(bytes, values);
    break;
  case 32:
    decode<int64_t, int32_t>(bytes, values);
    break;
  default:
    decode<int64_t, int64_t>(bytes, values);
  }
  for (int64_t &value : values)
    value = wrapToType(value, element);
  return result;
}

std::vector<char> Literal::toBytes() const {
  std::vector<char> bytes(byteSize(type));
  Type element = elementType();
  if (isFloat()) {
    if (element.isF64()) {
      encode<double>(floats(), MutableArrayRef<char>(bytes));
    } else if (element.isF32()) {
      encode<float>(floats(), MutableArrayRef<char>(bytes));
    } else if (std::optional<SmallFloat> small = getSmallFloat(element)) {
      for (auto [byte, value] : llvm::zip_equal(bytes, floats()))
        byte = static_cast<char>(small->encode(small->round(value)));
    } else {
      for (auto [i, value] : llvm::enumerate(floats())) {
        uint16_t bits = encode16(roundToType(value, element), element);
        std::memcpy(bytes.data() + 2 * i, &bits, 2);
      }
    }
    return bytes;
  }
  switch (type.getElementTypeBitWidth()) {
  case 1:
  case 8:
    encode<int8_t>(ints(), MutableArrayRef<char>(bytes));
    break;
  case 16:
    encode<int16_t>(ints(), MutableArrayRef<char>(bytes));
    break;
  case 32:
    encode<int32_t>(ints(), MutableArrayRef<char>(bytes));
    break;
  default:
    encode<int64_t>(ints(), MutableArrayRef<char>(bytes));
  }
  return bytes;
}

FailureOr<Literal>
Literal::fromAttr(ElementsAttr attr,
                  function_ref<InFlightDiagnostic()> emitError) {
  auto type = dyn_cast<RankedTensorType>(attr.getShapedType());
  if (!type || !type.hasStaticShape())
    return emitError() << "expected elements of a statically shaped tensor";

  if (auto dense = dyn_cast<DenseElementsAttr>(attr)) {
    // MLIR packs i1 elements, so they are read one by one.
    if (type.getElementType().isInteger(1)) {
      auto values = dense.getValues<bool>();
      return Literal(type, std::vector<int64_t>(values.begin(), values.end()));
    }
    ArrayRef<char> raw = dense.getRawData();
    if (!dense.isSplat())
      return fromBytes(type, raw);
    Literal one =
        fromBytes(RankedTensorType::get({}, type.getElementType()), raw);
    if (one.isFloat())
      return Literal(type,
                     std::vector<double>(attr.size(), one.floats().front()));
    return Literal(type, std::vector<int64_t>(attr.size(), one.ints().front()));
  }

  if (auto resource = dyn_cast<DenseResourceElementsAttr>(attr)) {
    AsmResourceBlob *blob = resource.getRawHandle().getBlob();
    if (!blob)
      return emitError() << "resource '" << resource.getRawHandle().getKey()
                         << "' has no data: the text of the program leaves it "
                            "out; export it without eliding large constants "
                            "and resources";
    ArrayRef<char> data = blob->getData();
    if (static_cast<int64_t>(data.size()) != byteSize(type))
      return emitError() << "resource '" << resource.getRawHandle().getKey()
                         << "' has " << data.size() << " bytes, but " << type
                         << " needs " << byteSize(type);
    return fromBytes(type, data);
  }
  return emitError() << "unsupported kind of elements: expected dense or "
                        "dense_resource";
}

DenseElementsAttr Literal::toAttr() const {
  if (elementType().isInteger(1)) {
    SmallVector<bool> values(
        llvm::map_range(ints(), [](int64_t value) { return value != 0; }));
    return DenseElementsAttr::get(type, values);
  }
  return DenseElementsAttr::getFromRawBuffer(type, toBytes());
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

SmallVector<int64_t> cleave::graph::rowMajorStrides(ArrayRef<int64_t> shape) {
  SmallVector<int64_t> strides(shape.size(), 1);
  for (int64_t i = static_cast<int64_t>(shape.size()) - 2; i >= 0; --i)
    strides[i] = strides[i + 1] * shape[i + 1];
  return strides;
}

bool cleave::graph::nextIndex(MutableArrayRef<int64_t> index,
                              ArrayRef<int64_t> shape) {
  for (int64_t d = static_cast<int64_t>(shape.size()) - 1; d >= 0; --d) {
    if (++index[d] < shape[d])
      return true;
    index[d] = 0;
  }
  return false;
}

/// Calls `row(here, there, count)` for each innermost row of a block of shape
/// `sizes`: `here` is its first element's place in the block, `there` the place
/// base + sum of index * stride.
template <typename Fn>
static void forEachRow(ArrayRef<int64_t> sizes, int64_t base,
                       ArrayRef<int64_t> strides, Fn row) {
  if (llvm::is_contained(sizes, 0))
    return;
  if (sizes.empty())
    return row(0, base, 1);
  SmallVector<int64_t> index(sizes.size() - 1, 0);
  int64_t here = 0;
  do {
    int64_t there = base;
    for (size_t d = 0; d < index.size(); ++d)
      there += index[d] * strides[d];
    row(here, there, sizes.back());
    here += sizes.back();
  } while (nextIndex(index, sizes.drop_back()));
}

Literal Literal::strided(ArrayRef<int64_t> sizes, int64_t base,
                         ArrayRef<int64_t> strides) const {
  Literal result(RankedTensorType::get(sizes, elementType()));
  int64_t step = strides.empty() ? 1 : strides.back();
  auto copy = [&](auto from, auto to) {
    forEachRow(sizes, base, strides,
               [&](int64_t here, int64_t there, int64_t count) {
                 for (int64_t i = 0; i < count; ++i)
                   to[here + i] = from[there + i * step];
               });
  };
  if (isFloat())
    copy(floats(), result.mutableFloats());
  else
    copy(ints(), result.mutableInts());
  return result;
}

void Literal::insertStrided(const Literal &block, int64_t base,
                            ArrayRef<int64_t> strides) {
  int64_t step = strides.empty() ? 1 : strides.back();
  auto copy = [&](auto from, auto to) {
    forEachRow(block.shape(), base, strides,
               [&](int64_t here, int64_t there, int64_t count) {
                 for (int64_t i = 0; i < count; ++i)
                   to[there + i * step] = from[here + i];
               });
  };
  if (isFloat())
    copy(block.floats(), mutableFloats());
  else
    copy(block.ints(), mutableInts());
}

void Literal::setElement(int64_t place, const Literal &scalar) {
  if (isFloat())
    mutableFloats()[place] = scalar.floats().front();
  else
    mutableInts()[place] = scalar.ints().front();
}

Literal Literal::slice(ArrayRef<int64_t> offsets, ArrayRef<int64_t> sizes,
                       ArrayRef<int64_t> steps) const {
  SmallVector<int64_t> strides = rowMajorStrides(shape());
  int64_t base = 0;
  for (size_t d = 0; d < strides.size(); ++d) {
    base += offsets[d] * strides[d];
    strides[d] *= steps.empty() ? 1 : steps[d];
  }
  return strided(sizes, base, strides);
}

void Literal::insert(const Literal &block, ArrayRef<int64_t> offsets) {
  SmallVector<int64_t> strides = rowMajorStrides(shape());
  int64_t base = 0;
  for (size_t d = 0; d < strides.size(); ++d)
    base += offsets[d] * strides[d];
  insertStrided(block, base, strides);
}

Literal Literal::transposed(ArrayRef<int64_t> dims) const {
  SmallVector<int64_t> strides = rowMajorStrides(shape());
  SmallVector<int64_t> newShape, newStrides;
  for (int64_t dim : dims) {
    newShape.push_back(shape()[dim]);
    newStrides.push_back(strides[dim]);
  }
  return strided(newShape, 0, newStrides);
}
