//===- IntegerSemantics.cpp - Integer elementwise ops on scalars ----------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every operation is defined for all operands; where LLVM's is not (division
// by zero, overflow, shifts past the width), operands are replaced before and
// the defined result is selected after.
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/GraphDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "passes/Codegen/Kernels/ScalarSemantics.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace cleave::graph;

namespace {

/// Builds on integers of one type.
struct IntegerBuilder {
  ImplicitLocOpBuilder &b;
  Type type;
  bool isUnsigned;

  Value constant(int64_t value) {
    return arith::ConstantOp::create(b, IntegerAttr::get(type, value));
  }
  Value constant(const APInt &value) {
    return arith::ConstantOp::create(b, IntegerAttr::get(type, value));
  }
  unsigned width() { return type.getIntOrFloatBitWidth(); }
  Value compare(arith::CmpIPredicate predicate, Value x, Value y) {
    return arith::CmpIOp::create(b, predicate, x, y);
  }
  Value select(Value pred, Value x, Value y) {
    return arith::SelectOp::create(b, pred, x, y);
  }
  Value equals(Value x, int64_t y) {
    return compare(arith::CmpIPredicate::eq, x, constant(y));
  }
  Value isNegative(Value x) {
    return compare(arith::CmpIPredicate::slt, x, constant(0));
  }
  Value negate(Value x) { return arith::SubIOp::create(b, constant(0), x); }

  Value abs(Value x) {
    return isUnsigned ? x : select(isNegative(x), negate(x), x);
  }
  Value sign(Value x) {
    Value positive = select(equals(x, 0), x, constant(1));
    return isUnsigned ? positive
                      : select(isNegative(x), constant(-1), positive);
  }

  /// Division by zero gives all ones, the smallest value by -1 itself.
  Value divide(Value x, Value y) {
    Value byZero = equals(y, 0);
    Value quotient;
    if (isUnsigned) {
      Value divisor = select(byZero, constant(1), y);
      quotient = arith::DivUIOp::create(b, x, divisor);
    } else {
      Value byMinusOne = equals(y, -1);
      Value special = arith::OrIOp::create(b, byZero, byMinusOne);
      Value divisor = select(special, constant(1), y);
      quotient = arith::DivSIOp::create(b, x, divisor);
      quotient = select(byMinusOne, negate(x), quotient);
    }
    return select(byZero, constant(-1), quotient);
  }

  /// The sign is that of the dividend; modulo zero gives the dividend.
  Value remainder(Value x, Value y) {
    Value byZero = equals(y, 0);
    if (isUnsigned) {
      Value divisor = select(byZero, constant(1), y);
      return select(byZero, x, arith::RemUIOp::create(b, x, divisor));
    }
    Value byMinusOne = equals(y, -1);
    Value special = arith::OrIOp::create(b, byZero, byMinusOne);
    Value rest = arith::RemSIOp::create(b, x, select(special, constant(1), y));
    return select(byZero, x, select(byMinusOne, constant(0), rest));
  }

  /// By squaring. A negative exponent gives the truncated reciprocal, and 0
  /// for base 0.
  Value power(Value x, Value y) {
    Value result = constant(1), square = x;
    for (unsigned bit = 0; bit < width(); ++bit) {
      Value isSet =
          compare(arith::CmpIPredicate::ne,
                  arith::AndIOp::create(
                      b, y, constant(APInt::getOneBitSet(width(), bit))),
                  constant(0));
      result = select(isSet, arith::MulIOp::create(b, result, square), result);
      square = arith::MulIOp::create(b, square, square);
    }
    if (isUnsigned)
      return result;
    Value odd = compare(arith::CmpIPredicate::ne,
                        arith::AndIOp::create(b, y, constant(1)), constant(0));
    Value ofMinusOne = select(odd, constant(-1), constant(1));
    Value reciprocal = select(equals(x, 1), constant(1),
                              select(equals(x, -1), ofMinusOne, constant(0)));
    return select(isNegative(y), reciprocal, result);
  }

  template <typename ShiftOp> Value shift(Value x, Value y, Value outside) {
    Value within = compare(arith::CmpIPredicate::ult, y, constant(width()));
    Value by = select(within, y, constant(0));
    return select(within, ShiftOp::create(b, x, by), outside);
  }

  Value maximum(Value x, Value y) {
    if (isUnsigned)
      return arith::MaxUIOp::create(b, x, y);
    return arith::MaxSIOp::create(b, x, y);
  }
  Value minimum(Value x, Value y) {
    if (isUnsigned)
      return arith::MinUIOp::create(b, x, y);
    return arith::MinSIOp::create(b, x, y);
  }

  Value compare(ComparisonDirection direction, Value x, Value y) {
    using P = arith::CmpIPredicate;
    switch (direction) {
    case ComparisonDirection::EQ:
      return compare(P::eq, x, y);
    case ComparisonDirection::NE:
      return compare(P::ne, x, y);
    case ComparisonDirection::GE:
      return compare(isUnsigned ? P::uge : P::sge, x, y);
    case ComparisonDirection::GT:
      return compare(isUnsigned ? P::ugt : P::sgt, x, y);
    case ComparisonDirection::LE:
      return compare(isUnsigned ? P::ule : P::sle, x, y);
    case ComparisonDirection::LT:
      return compare(isUnsigned ? P::ult : P::slt, x, y);
    }
    llvm_unreachable("all directions are listed");
  }
};

} // namespace

/// An i1 sum is "or" and a product "and"; the order is false < true.
static Value buildBooleanOp(ImplicitLocOpBuilder &b, Operation *op,
                            ValueRange operands, IntegerBuilder &i) {
  Value x = operands[0];
  Value y = operands.size() > 1 ? operands[1] : Value();
  return TypeSwitch<Operation *, Value>(op)
      .Case<AddOp, MaxOp, OrOp>(
          [&](auto) -> Value { return arith::OrIOp::create(b, x, y); })
      .Case<MulOp, MinOp, AndOp>(
          [&](auto) -> Value { return arith::AndIOp::create(b, x, y); })
      .Case([&](XorOp) -> Value { return arith::XOrIOp::create(b, x, y); })
      .Case([&](NotOp) -> Value {
        return arith::XOrIOp::create(b, x, i.constant(1));
      })
      .Case([&](CompareOp compare) {
        return i.compare(compare.getDirection(), x, y);
      })
      .Default([](Operation *) { return Value(); });
}

Value cleave::codegen::buildIntegerOp(ImplicitLocOpBuilder &b, Operation *op,
                                      ValueRange operands, bool isUnsigned) {
  Value x = operands[0];
  Value y = operands.size() > 1 ? operands[1] : Value();
  IntegerBuilder i{b, x.getType(), isUnsigned};
  if (x.getType().isInteger(1))
    return buildBooleanOp(b, op, operands, i);
  return TypeSwitch<Operation *, Value>(op)
      .Case([&](AbsOp) { return i.abs(x); })
      .Case([&](NegOp) { return i.negate(x); })
      .Case([&](SignOp) { return i.sign(x); })
      .Case([&](NotOp) -> Value {
        return arith::XOrIOp::create(b, x, i.constant(-1));
      })
      .Case([&](CountLeadingZerosOp) -> Value {
        return math::CountLeadingZerosOp::create(b, x);
      })
      .Case([&](PopulationCountOp) -> Value {
        return math::CtPopOp::create(b, x);
      })
      .Case([&](AddOp) -> Value { return arith::AddIOp::create(b, x, y); })
      .Case([&](SubtractOp) -> Value { return arith::SubIOp::create(b, x, y); })
      .Case([&](MulOp) -> Value { return arith::MulIOp::create(b, x, y); })
      .Case([&](AndOp) -> Value { return arith::AndIOp::create(b, x, y); })
      .Case([&](OrOp) -> Value { return arith::OrIOp::create(b, x, y); })
      .Case([&](XorOp) -> Value { return arith::XOrIOp::create(b, x, y); })
      .Case([&](DivOp) { return i.divide(x, y); })
      .Case([&](RemOp) { return i.remainder(x, y); })
      .Case([&](PowOp) { return i.power(x, y); })
      .Case([&](MaxOp) { return i.maximum(x, y); })
      .Case([&](MinOp) { return i.minimum(x, y); })
      .Case([&](ShiftLeftOp) {
        return i.shift<arith::ShLIOp>(x, y, i.constant(0));
      })
      .Case([&](ShiftRightLogicalOp) {
        return i.shift<arith::ShRUIOp>(x, y, i.constant(0));
      })
      .Case([&](ShiftRightArithmeticOp) {
        Value signs = arith::ShRSIOp::create(b, x, i.constant(i.width() - 1));
        return i.shift<arith::ShRSIOp>(x, y, signs);
      })
      .Case([&](ClampOp) { return i.minimum(i.maximum(y, x), operands[2]); })
      .Case([&](CompareOp compare) {
        return i.compare(compare.getDirection(), x, y);
      })
      .Default([](Operation *) { return Value(); });
}
