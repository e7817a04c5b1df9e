//===- BitSemantics.cpp - Ops on the representation of floats -------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// On integers of the width of the float, in its own type: nothing is widened.
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/GraphDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "passes/Codegen/Kernels/ScalarSemantics.h"

using namespace mlir;
using namespace cleave::graph;

namespace {

/// Builds on the bits of one float type.
struct BitBuilder {
  ImplicitLocOpBuilder &b;
  FloatType element;
  Type type;
  unsigned width, mantissaBits, exponentBits;

  BitBuilder(ImplicitLocOpBuilder &b, FloatType element)
      : b(b), element(element), type(b.getIntegerType(element.getWidth())),
        width(element.getWidth()),
        mantissaBits(element.getFPMantissaWidth() - 1),
        exponentBits(width - 1 - mantissaBits) {}

  Value constant(const APInt &value) {
    return arith::ConstantOp::create(b, IntegerAttr::get(type, value));
  }
  Value constant(uint64_t value) { return constant(APInt(width, value)); }
  Value infinity() {
    return constant(
        APFloat::getInf(element.getFloatSemantics()).bitcastToAPInt());
  }
  Value bitsOf(Value value) { return arith::BitcastOp::create(b, type, value); }
  Value floatOf(Value bits) {
    return arith::BitcastOp::create(b, element, bits);
  }
  Value bitAnd(Value x, Value y) { return arith::AndIOp::create(b, x, y); }
  Value bitOr(Value x, Value y) { return arith::OrIOp::create(b, x, y); }
  Value add(Value x, Value y) { return arith::AddIOp::create(b, x, y); }
  Value shiftRight(Value x, unsigned by) {
    return arith::ShRUIOp::create(b, x, constant(by));
  }
  Value compare(arith::CmpIPredicate predicate, Value x, Value y) {
    return arith::CmpIOp::create(b, predicate, x, y);
  }
  Value select(Value condition, Value x, Value y) {
    return arith::SelectOp::create(b, condition, x, y);
  }
  Value signOf(Value bits) {
    return bitAnd(bits, constant(APInt::getSignMask(width)));
  }
  Value magnitudeOf(Value bits) {
    return bitAnd(bits, constant(APInt::getSignedMaxValue(width)));
  }
  Value isNaN(Value bits) {
    return compare(arith::CmpIPredicate::ugt, magnitudeOf(bits), infinity());
  }

  /// Maps numbers to integers in their order, both zeros to 0; its own inverse
  /// but for the sign of zero.
  Value rank(Value bits) {
    Value mirrored = arith::SubIOp::create(
        b, constant(APInt::getSignedMinValue(width)), bits);
    Value isNegative = compare(arith::CmpIPredicate::slt, bits, constant(0));
    return select(isNegative, mirrored, bits);
  }

  Value nextAfter(Value x, Value y) {
    Value from = rank(x), to = rank(y);
    Value isUp = compare(arith::CmpIPredicate::slt, from, to);
    Value step = select(isUp, constant(1), constant(APInt::getAllOnes(width)));
    Value next = add(from, step);
    // A step to zero keeps the sign.
    Value isZero = compare(arith::CmpIPredicate::eq, next, constant(0));
    Value result = select(isZero, signOf(x), rank(next));
    Value isEqual = compare(arith::CmpIPredicate::eq, from, to);
    result = select(isEqual, y, result);
    result = select(isNaN(y), y, result);
    return select(isNaN(x), x, result);
  }

  Value reducePrecision(Value bits, unsigned exponent, unsigned mantissa) {
    Value magnitude = magnitudeOf(bits);
    if (mantissa < mantissaBits) {
      // To nearest even: add just under half of what is dropped, and the last
      // bit that is kept. A carry goes into the exponent, up to infinity.
      unsigned dropped = mantissaBits - mantissa;
      Value last = bitAnd(shiftRight(magnitude, dropped), constant(1));
      Value half = constant((uint64_t(1) << (dropped - 1)) - 1);
      Value kept = constant(APInt::getBitsSetFrom(width, dropped));
      magnitude = bitAnd(add(add(magnitude, half), last), kept);
    }
    if (exponent < exponentBits) {
      // Exponents are biased by half of their range.
      uint64_t bias = (uint64_t(1) << (exponentBits - 1)) - 1;
      uint64_t range = (uint64_t(1) << (exponent - 1)) - 1;
      Value biased = shiftRight(magnitude, mantissaBits);
      Value isAbove =
          compare(arith::CmpIPredicate::ugt, biased, constant(bias + range));
      Value isBelow =
          compare(arith::CmpIPredicate::ule, biased, constant(bias - range));
      magnitude = select(isAbove, infinity(), magnitude);
      magnitude = select(isBelow, constant(0), magnitude);
    }
    return select(isNaN(bits), bits, bitOr(signOf(bits), magnitude));
  }
};

} // namespace

Value cleave::codegen::buildBitOp(ImplicitLocOpBuilder &b, Operation *op,
                                  ValueRange operands) {
  BitBuilder bits(b, cast<FloatType>(operands[0].getType()));
  Value x = bits.bitsOf(operands[0]);
  if (isa<NextAfterOp>(op))
    return bits.floatOf(bits.nextAfter(x, bits.bitsOf(operands[1])));
  auto reduce = cast<ReducePrecisionOp>(op);
  return bits.floatOf(bits.reducePrecision(x, reduce.getExponentBits(),
                                           reduce.getMantissaBits()));
}

Value cleave::codegen::bitcastScalar(ImplicitLocOpBuilder &b, Value value,
                                     Type to) {
  Type type = valueType(to);
  if (value.getType() == type)
    return value;
  return arith::BitcastOp::create(b, type, value);
}
