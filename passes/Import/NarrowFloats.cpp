//===- NarrowFloats.cpp - Floats of 4 and 6 bits in f32 -------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// f4E2M1FN, f6E2M3FN and f6E3M2FN have neither infinities nor NaN. Their
// numbers are whole multiples of the smallest one, up to some hundreds of it.
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/GraphBuilders.h"
#include "dialects/Graph/GraphDialect.h"
#include "passes/Import/Importer.h"
#include <cmath>

using namespace mlir;
using namespace cleave;
using namespace cleave::reader;

namespace {

struct NarrowFormat {
  explicit NarrowFormat(FloatType element)
      : width(element.getWidth()),
        mantissaBits(APFloat::semanticsPrecision(element.getFloatSemantics()) -
                     1),
        minExponent(APFloat::semanticsMinExponent(element.getFloatSemantics())),
        largest(
            APFloat::getLargest(element.getFloatSemantics()).convertToDouble()),
        smallest(std::ldexp(1.0, minExponent - mantissaBits)) {}

  int width, mantissaBits, minExponent;
  double largest, smallest;
};

/// Tensors of one shape.
class Elementwise {
public:
  Elementwise(OpBuilder &builder, Location loc, Value like)
      : builder(builder), loc(loc), shape(graph::typeOf(like).getShape()) {}

  RankedTensorType type(Type element) {
    return RankedTensorType::get(shape, element);
  }
  Value number(Type element, double value) {
    return graph::splat(builder, loc, type(element), value);
  }
  Value integer(Type element, int64_t value) {
    return graph::splatInt(builder, loc, type(element), value);
  }
  Value bitcast(Value value, Type element) {
    return graph::BitcastConvertOp::create(builder, loc, type(element), value);
  }
  Value convert(Value value, Type element) {
    return graph::convertElement(builder, loc, value, element);
  }
  Value select(Value pred, Value yes, Value no) {
    return graph::SelectOp::create(builder, loc, yes.getType(), pred, yes, no);
  }
  Value compare(graph::ComparisonDirection direction, Value lhs, Value rhs) {
    return graph::compare(builder, loc, direction, lhs, rhs);
  }
  template <typename OpT> Value make(Value lhs, Value rhs) {
    return OpT::create(builder, loc, lhs, rhs);
  }
  /// Whether the sign bit of a float is set.
  Value isNegative(Value value) {
    Type bits =
        builder.getIntegerType(graph::typeOf(value).getElementTypeBitWidth());
    return compare(graph::ComparisonDirection::LT, bitcast(value, bits),
                   integer(bits, 0));
  }

private:
  OpBuilder &builder;
  Location loc;
  ArrayRef<int64_t> shape;
};

} // namespace

Value reader::roundToNarrowFloat(OpBuilder &builder, Location loc, Value value,
                                 FloatType element) {
  NarrowFormat format(element);
  Elementwise e(builder, loc, value);
  Type f32 = builder.getF32Type();
  // Integers that f32 does not hold are beyond the largest number.
  if (!graph::typeOf(value).getElementType().isF64())
    value = e.convert(value, f32);
  Type type = graph::typeOf(value).getElementType();
  bool isWide = type.isF64();
  Type bits = builder.getIntegerType(isWide ? 64 : 32);

  Value clamped = e.make<graph::MaxOp>(
      e.make<graph::MinOp>(value, e.number(type, format.largest)),
      e.number(type, -format.largest));
  // The distance of the numbers around: a power of two, so that dividing and
  // multiplying by it are exact.
  Value exponentBits = e.make<graph::AndOp>(
      e.bitcast(clamped, bits),
      e.integer(bits, isWide ? int64_t(0x7FF) << 52 : int64_t(0x7F800000)));
  Value power =
      e.make<graph::MaxOp>(e.bitcast(exponentBits, type),
                           e.number(type, std::ldexp(1, format.minExponent)));
  Value distance = e.make<graph::MulOp>(
      power, e.number(type, std::ldexp(1, -format.mantissaBits)));
  Value count = graph::RoundNearestEvenOp::create(
      builder, loc, e.make<graph::DivOp>(clamped, distance));
  Value rounded = e.make<graph::MulOp>(count, distance);
  // As ml_dtypes has it, NaN is the zero of the other sign.
  Value isNaN = e.compare(graph::ComparisonDirection::NE, value, value);
  Value zero =
      e.select(e.isNegative(value), e.number(type, 0.0), e.number(type, -0.0));
  return e.convert(e.select(isNaN, zero, rounded), f32);
}

Value reader::encodeNarrowFloat(OpBuilder &builder, Location loc, Value value,
                                FloatType element) {
  NarrowFormat format(element);
  Elementwise e(builder, loc, value);
  Type f32 = builder.getF32Type(), i32 = builder.getI32Type();
  Value magnitude = graph::AbsOp::create(builder, loc, value);
  Value count = e.convert(
      e.make<graph::MulOp>(magnitude, e.number(f32, 1 / format.smallest)), i32);
  // How many bits the count has more than the mantissa and its leading one.
  Value zeros = graph::CountLeadingZerosOp::create(builder, loc, count);
  Value shift =
      e.make<graph::MaxOp>(e.make<graph::SubtractOp>(
                               e.integer(i32, 31 - format.mantissaBits), zeros),
                           e.integer(i32, 0));
  Value bits = e.make<graph::AddOp>(
      e.make<graph::ShiftLeftOp>(shift, e.integer(i32, format.mantissaBits)),
      e.make<graph::ShiftRightLogicalOp>(count, shift));
  Value sign = e.select(e.isNegative(value),
                        e.integer(i32, int64_t(1) << (format.width - 1)),
                        e.integer(i32, 0));
  return e.convert(e.make<graph::OrOp>(bits, sign),
                   builder.getIntegerType(8, /*isSigned=*/false));
}

Value reader::decodeNarrowFloat(OpBuilder &builder, Location loc, Value bits,
                                FloatType element) {
  NarrowFormat format(element);
  Elementwise e(builder, loc, bits);
  Type f32 = builder.getF32Type(), i32 = builder.getI32Type();
  bits = e.convert(bits, i32);
  int64_t signBit = int64_t(1) << (format.width - 1);
  Value magnitude = e.make<graph::AndOp>(bits, e.integer(i32, signBit - 1));
  Value mantissaBits = e.integer(i32, format.mantissaBits);
  Value shift = e.make<graph::MaxOp>(
      e.make<graph::SubtractOp>(
          e.make<graph::ShiftRightLogicalOp>(magnitude, mantissaBits),
          e.integer(i32, 1)),
      e.integer(i32, 0));
  Value count = e.make<graph::ShiftLeftOp>(
      e.make<graph::SubtractOp>(
          magnitude, e.make<graph::ShiftLeftOp>(shift, mantissaBits)),
      shift);
  Value value = e.make<graph::MulOp>(e.convert(count, f32),
                                     e.number(f32, format.smallest));
  Value sign = e.make<graph::AndOp>(bits, e.integer(i32, signBit));
  return e.select(
      e.compare(graph::ComparisonDirection::NE, sign, e.integer(i32, 0)),
      graph::NegOp::create(builder, loc, value), value);
}
