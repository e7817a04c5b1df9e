//===- ScalarFunctions.cpp - Arithmetic of one element --------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Floats are computed in double and rounded once, which for the four operations
// and the square root of f32 gives what f32 arithmetic gives. Where MLIR leaves
// a result undefined, it is a pattern of bits that looks like no result.
//
//===----------------------------------------------------------------------===//

#include "Code.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/bit.h"
#include <cmath>

using namespace mlir;
using namespace cleave::simt;

static constexpr uint64_t undefinedBits = 0xa5a5a5a5a5a5a5a5;

static unsigned widthOf(Type type) {
  Type element = getElementTypeOrSelf(type);
  return isa<IndexType>(element) ? 64 : element.getIntOrFloatBitWidth();
}
static uint64_t truncate(uint64_t value, unsigned width) {
  return width >= 64 ? value : value & ((uint64_t(1) << width) - 1);
}
static int64_t extend(uint64_t value, unsigned width) {
  return width >= 64 ? int64_t(value)
                     : int64_t(value << (64 - width)) >> (64 - width);
}

//===----------------------------------------------------------------------===//
// Floats as bits
//===----------------------------------------------------------------------===//

using ToDouble = double (*)(uint64_t);
using FromDouble = uint64_t (*)(double);

static double singleToDouble(uint64_t bits) {
  return llvm::bit_cast<float>(uint32_t(bits));
}
static uint64_t doubleToSingle(double value) {
  return llvm::bit_cast<uint32_t>(float(value));
}
template <const llvm::fltSemantics &(*semantics)()>
static double smallToDouble(uint64_t bits) {
  llvm::APFloat value(semantics(), llvm::APInt(16, bits));
  bool lost;
  value.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven,
                &lost);
  return value.convertToDouble();
}
template <const llvm::fltSemantics &(*semantics)()>
static uint64_t doubleToSmall(double number) {
  llvm::APFloat value(number);
  bool lost;
  value.convert(semantics(), llvm::APFloat::rmNearestTiesToEven, &lost);
  return value.bitcastToAPInt().getZExtValue();
}

static ToDouble decoder(Type type) {
  Type element = getElementTypeOrSelf(type);
  if (element.isF64())
    return [](uint64_t bits) { return llvm::bit_cast<double>(bits); };
  if (element.isF32())
    return singleToDouble;
  if (element.isF16())
    return smallToDouble<llvm::APFloat::IEEEhalf>;
  return element.isBF16() ? smallToDouble<llvm::APFloat::BFloat> : nullptr;
}
static FromDouble encoder(Type type) {
  Type element = getElementTypeOrSelf(type);
  if (element.isF64())
    return [](double value) { return llvm::bit_cast<uint64_t>(value); };
  if (element.isF32())
    return doubleToSingle;
  if (element.isF16())
    return doubleToSmall<llvm::APFloat::IEEEhalf>;
  return element.isBF16() ? doubleToSmall<llvm::APFloat::BFloat> : nullptr;
}

//===----------------------------------------------------------------------===//
// Functions of floats
//===----------------------------------------------------------------------===//

static double smaller(double x, double y) {
  return x < y || (x == y && std::signbit(x)) ? x : y;
}
static double larger(double x, double y) {
  return x > y || (x == y && !std::signbit(x)) ? x : y;
}
static bool eitherIsNaN(double x, double y) {
  return std::isnan(x) || std::isnan(y);
}

using Unary = double (*)(double);
using Binary = double (*)(double, double);

static Unary unaryFunction(StringRef name) {
  static const llvm::StringMap<Unary> functions = {
      {"arith.negf", [](double x) { return -x; }},
      {"math.absf", [](double x) { return std::fabs(x); }},
      {"math.acos", [](double x) { return std::acos(x); }},
      {"math.acosh", [](double x) { return std::acosh(x); }},
      {"math.asin", [](double x) { return std::asin(x); }},
      {"math.asinh", [](double x) { return std::asinh(x); }},
      {"math.atan", [](double x) { return std::atan(x); }},
      {"math.atanh", [](double x) { return std::atanh(x); }},
      {"math.cbrt", [](double x) { return std::cbrt(x); }},
      {"math.ceil", [](double x) { return std::ceil(x); }},
      {"math.cos", [](double x) { return std::cos(x); }},
      {"math.cosh", [](double x) { return std::cosh(x); }},
      {"math.erf", [](double x) { return std::erf(x); }},
      {"math.erfc", [](double x) { return std::erfc(x); }},
      {"math.exp", [](double x) { return std::exp(x); }},
      {"math.exp2", [](double x) { return std::exp2(x); }},
      {"math.expm1", [](double x) { return std::expm1(x); }},
      {"math.floor", [](double x) { return std::floor(x); }},
      {"math.log", [](double x) { return std::log(x); }},
      {"math.log10", [](double x) { return std::log10(x); }},
      {"math.log1p", [](double x) { return std::log1p(x); }},
      {"math.log2", [](double x) { return std::log2(x); }},
      {"math.round", [](double x) { return std::round(x); }},
      {"math.roundeven", [](double x) { return std::nearbyint(x); }},
      {"math.rsqrt", [](double x) { return 1 / std::sqrt(x); }},
      {"math.sin", [](double x) { return std::sin(x); }},
      {"math.sinh", [](double x) { return std::sinh(x); }},
      {"math.sqrt", [](double x) { return std::sqrt(x); }},
      {"math.tan", [](double x) { return std::tan(x); }},
      {"math.tanh", [](double x) { return std::tanh(x); }},
      {"math.trunc", [](double x) { return std::trunc(x); }},
  };
  return functions.lookup(name);
}

static Binary binaryFunction(StringRef name) {
  static const llvm::StringMap<Binary> functions = {
      {"arith.addf", [](double x, double y) { return x + y; }},
      {"arith.subf", [](double x, double y) { return x - y; }},
      {"arith.mulf", [](double x, double y) { return x * y; }},
      {"arith.divf", [](double x, double y) { return x / y; }},
      {"arith.remf", [](double x, double y) { return std::fmod(x, y); }},
      {"arith.maximumf",
       [](double x, double y) {
         return eitherIsNaN(x, y) ? std::nan("") : larger(x, y);
       }},
      {"arith.minimumf",
       [](double x, double y) {
         return eitherIsNaN(x, y) ? std::nan("") : smaller(x, y);
       }},
      {"arith.maxnumf", [](double x, double y) { return std::fmax(x, y); }},
      {"arith.minnumf", [](double x, double y) { return std::fmin(x, y); }},
      {"math.atan2", [](double x, double y) { return std::atan2(x, y); }},
      {"math.copysign", [](double x, double y) { return std::copysign(x, y); }},
      {"math.powf", [](double x, double y) { return std::pow(x, y); }},
  };
  return functions.lookup(name);
}

static bool compare(arith::CmpFPredicate predicate, double x, double y) {
  using P = arith::CmpFPredicate;
  bool unordered = eitherIsNaN(x, y);
  switch (predicate) {
  case P::AlwaysFalse:
    return false;
  case P::AlwaysTrue:
    return true;
  case P::OEQ:
    return x == y;
  case P::OGT:
    return x > y;
  case P::OGE:
    return x >= y;
  case P::OLT:
    return x < y;
  case P::OLE:
    return x <= y;
  case P::ONE:
    return !unordered && x != y;
  case P::ORD:
    return !unordered;
  case P::UEQ:
    return unordered || x == y;
  case P::UGT:
    return unordered || x > y;
  case P::UGE:
    return unordered || x >= y;
  case P::ULT:
    return unordered || x < y;
  case P::ULE:
    return unordered || x <= y;
  case P::UNE:
    return x != y;
  case P::UNO:
    return unordered;
  }
  return false;
}

static ScalarFunction floatFunction(Operation *op) {
  StringRef name = op->getName().getStringRef();
  Type type = op->getOperand(0).getType(), to = op->getResult(0).getType();
  ToDouble decode = decoder(type);
  FromDouble encode = encoder(to);
  if (auto compared = dyn_cast<arith::CmpFOp>(op))
    return [decode, predicate = compared.getPredicate()](const uint64_t *x) {
      return compare(predicate, decode(x[0]), decode(x[1]));
    };
  if (isa<arith::ExtFOp, arith::TruncFOp>(op))
    return [=](const uint64_t *x) { return encode(decode(x[0])); };
  if (isa<arith::FPToSIOp, arith::FPToUIOp>(op)) {
    unsigned width = widthOf(to);
    bool isSigned = isa<arith::FPToSIOp>(op);
    double high = std::ldexp(1.0, width - isSigned);
    double low = isSigned ? -high : 0;
    return [=](const uint64_t *x) {
      double value = std::trunc(decode(x[0]));
      if (!(value >= low && value < high))
        return truncate(undefinedBits, width);
      return truncate(isSigned ? uint64_t(int64_t(value)) : uint64_t(value),
                      width);
    };
  }
  if (isa<arith::SIToFPOp, arith::UIToFPOp>(op)) {
    unsigned width = widthOf(type);
    bool isSigned = isa<arith::SIToFPOp>(op);
    // Rounded once, from 64 bits, too.
    if (getElementTypeOrSelf(to).isF32())
      return [=](const uint64_t *x) -> uint64_t {
        float value = isSigned ? float(extend(x[0], width)) : float(x[0]);
        return llvm::bit_cast<uint32_t>(value);
      };
    return [=](const uint64_t *x) {
      return encode(isSigned ? double(extend(x[0], width)) : double(x[0]));
    };
  }
  if (isa<math::FmaOp>(op)) {
    if (getElementTypeOrSelf(to).isF32())
      return [](const uint64_t *x) -> uint64_t {
        return llvm::bit_cast<uint32_t>(
            std::fma(llvm::bit_cast<float>(uint32_t(x[0])),
                     llvm::bit_cast<float>(uint32_t(x[1])),
                     llvm::bit_cast<float>(uint32_t(x[2]))));
      };
    return [=](const uint64_t *x) {
      return encode(std::fma(decode(x[0]), decode(x[1]), decode(x[2])));
    };
  }
  if (!decode || !encode)
    return nullptr;
  if (Unary function = unaryFunction(name))
    return [=](const uint64_t *x) { return encode(function(decode(x[0]))); };
  if (Binary function = binaryFunction(name))
    return [=](const uint64_t *x) {
      return encode(function(decode(x[0]), decode(x[1])));
    };
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Functions of integers
//===----------------------------------------------------------------------===//

using Integer = uint64_t (*)(uint64_t x, uint64_t y, unsigned width);

static Integer integerFunction(StringRef name) {
  static const llvm::StringMap<Integer> functions = {
      {"arith.addi", [](uint64_t x, uint64_t y, unsigned) { return x + y; }},
      {"arith.subi", [](uint64_t x, uint64_t y, unsigned) { return x - y; }},
      {"arith.muli", [](uint64_t x, uint64_t y, unsigned) { return x * y; }},
      {"arith.andi", [](uint64_t x, uint64_t y, unsigned) { return x & y; }},
      {"arith.ori", [](uint64_t x, uint64_t y, unsigned) { return x | y; }},
      {"arith.xori", [](uint64_t x, uint64_t y, unsigned) { return x ^ y; }},
      {"arith.divui", [](uint64_t x, uint64_t y,
                         unsigned) { return y ? x / y : undefinedBits; }},
      {"arith.remui", [](uint64_t x, uint64_t y,
                         unsigned) { return y ? x % y : undefinedBits; }},
      {"arith.divsi",
       [](uint64_t x, uint64_t y, unsigned width) {
         int64_t n = extend(x, width), d = extend(y, width);
         if (d == 0)
           return undefinedBits;
         return d == -1 ? uint64_t(0) - n : uint64_t(n / d);
       }},
      {"arith.remsi",
       [](uint64_t x, uint64_t y, unsigned width) {
         int64_t n = extend(x, width), d = extend(y, width);
         if (d == 0)
           return undefinedBits;
         return d == -1 ? uint64_t(0) : uint64_t(n % d);
       }},
      {"arith.shli",
       [](uint64_t x, uint64_t y, unsigned width) {
         return y < width ? x << y : undefinedBits;
       }},
      {"arith.shrui",
       [](uint64_t x, uint64_t y, unsigned width) {
         return y < width ? x >> y : undefinedBits;
       }},
      {"arith.shrsi",
       [](uint64_t x, uint64_t y, unsigned width) {
         return y < width ? uint64_t(extend(x, width) >> y) : undefinedBits;
       }},
      {"arith.maxui",
       [](uint64_t x, uint64_t y, unsigned) { return std::max(x, y); }},
      {"arith.minui",
       [](uint64_t x, uint64_t y, unsigned) { return std::min(x, y); }},
      {"arith.maxsi",
       [](uint64_t x, uint64_t y, unsigned width) {
         return extend(x, width) > extend(y, width) ? x : y;
       }},
      {"arith.minsi",
       [](uint64_t x, uint64_t y, unsigned width) {
         return extend(x, width) < extend(y, width) ? x : y;
       }},
      {"math.absi",
       [](uint64_t x, uint64_t, unsigned width) {
         return extend(x, width) < 0 ? uint64_t(0) - x : x;
       }},
      {"math.ctpop", [](uint64_t x, uint64_t,
                        unsigned) { return uint64_t(llvm::popcount(x)); }},
      {"math.ctlz",
       [](uint64_t x, uint64_t, unsigned width) {
         return uint64_t(llvm::countl_zero(x)) - (64 - width);
       }},
      {"math.cttz",
       [](uint64_t x, uint64_t, unsigned width) {
         return std::min<uint64_t>(llvm::countr_zero(x), width);
       }},
  };
  return functions.lookup(name);
}

static bool compare(arith::CmpIPredicate predicate, uint64_t x, uint64_t y,
                    unsigned width) {
  using P = arith::CmpIPredicate;
  int64_t a = extend(x, width), b = extend(y, width);
  switch (predicate) {
  case P::eq:
    return x == y;
  case P::ne:
    return x != y;
  case P::slt:
    return a < b;
  case P::sle:
    return a <= b;
  case P::sgt:
    return a > b;
  case P::sge:
    return a >= b;
  case P::ult:
    return x < y;
  case P::ule:
    return x <= y;
  case P::ugt:
    return x > y;
  case P::uge:
    return x >= y;
  }
  return false;
}

static ScalarFunction integerFunction(Operation *op, unsigned result) {
  unsigned from = widthOf(op->getOperand(0).getType());
  unsigned to = widthOf(op->getResult(result).getType());
  if (auto compared = dyn_cast<arith::CmpIOp>(op))
    return [from, predicate = compared.getPredicate()](const uint64_t *x) {
      return compare(predicate, x[0], x[1], from);
    };
  if (isa<arith::ExtSIOp, arith::IndexCastOp>(op))
    return [=](const uint64_t *x) { return truncate(extend(x[0], from), to); };
  if (isa<arith::ExtUIOp, arith::TruncIOp, arith::IndexCastUIOp,
          arith::BitcastOp>(op))
    return [=](const uint64_t *x) { return truncate(x[0], to); };
  if (isa<arith::MulSIExtendedOp, arith::MulUIExtendedOp>(op)) {
    bool isSigned = isa<arith::MulSIExtendedOp>(op);
    return [=](const uint64_t *x) {
      unsigned __int128 product =
          isSigned ? static_cast<unsigned __int128>(
                         static_cast<__int128>(extend(x[0], from)) *
                         extend(x[1], from))
                   : static_cast<unsigned __int128>(x[0]) * x[1];
      return truncate(uint64_t(product >> (result ? from : 0)), to);
    };
  }
  if (isa<arith::AddUIExtendedOp>(op))
    return [=](const uint64_t *x) -> uint64_t {
      uint64_t sum = truncate(x[0] + x[1], from);
      return result ? sum < x[0] : sum;
    };
  if (Integer function = integerFunction(op->getName().getStringRef()))
    return [=](const uint64_t *x) {
      return truncate(function(x[0], x[1], from), to);
    };
  return nullptr;
}

/// What an atomic update stores, of the old value and the operand.
static ScalarFunction atomicFunction(memref::AtomicRMWOp op) {
  using K = arith::AtomicRMWKind;
  Type type = op.getValue().getType();
  auto ofFloats = [&](const char *name) -> ScalarFunction {
    return [function = binaryFunction(name), decode = decoder(type),
            encode = encoder(type)](const uint64_t *x) {
      return encode(function(decode(x[0]), decode(x[1])));
    };
  };
  auto ofIntegers = [&](const char *name) -> ScalarFunction {
    return [function = integerFunction(name),
            width = widthOf(type)](const uint64_t *x) {
      return truncate(function(x[0], x[1], width), width);
    };
  };
  switch (op.getKind()) {
  case K::addf:
    return ofFloats("arith.addf");
  case K::maximumf:
    return ofFloats("arith.maximumf");
  case K::minimumf:
    return ofFloats("arith.minimumf");
  case K::addi:
    return ofIntegers("arith.addi");
  case K::maxs:
    return ofIntegers("arith.maxsi");
  case K::mins:
    return ofIntegers("arith.minsi");
  case K::maxu:
    return ofIntegers("arith.maxui");
  case K::minu:
    return ofIntegers("arith.minui");
  case K::ori:
    return ofIntegers("arith.ori");
  case K::andi:
    return ofIntegers("arith.andi");
  case K::assign:
    return [](const uint64_t *x) { return x[1]; };
  default:
    return nullptr;
  }
}

/// Rounds f32 to 10 bits after the point, halves away from zero.
static uint64_t roundToTf32(const uint64_t *x) {
  uint32_t bits = x[0];
  if (std::isnan(llvm::bit_cast<float>(bits)))
    return 0x7fffffff;
  return (bits + 0x1000) & ~uint32_t(0x1fff);
}

ScalarFunction cleave::simt::scalarFunction(Operation *op, unsigned result) {
  if (auto rounded = dyn_cast<NVVM::ConvertFloatToTF32Op>(op))
    return rounded.getRnd() == NVVM::FPRoundingMode::RNA && !rounded.getRelu()
               ? ScalarFunction(roundToTf32)
               : nullptr;
  if (auto atomic = dyn_cast<memref::AtomicRMWOp>(op))
    return atomicFunction(atomic);
  if (op->getNumOperands() == 0 || op->getNumOperands() > 3)
    return nullptr;
  if (isa<arith::SelectOp>(op))
    return [](const uint64_t *x) { return x[0] ? x[1] : x[2]; };
  if (isa<arith::BitcastOp>(op))
    return integerFunction(op, result);
  bool hasFloats =
      isa<FloatType>(getElementTypeOrSelf(op->getOperand(0).getType())) ||
      isa<FloatType>(getElementTypeOrSelf(op->getResult(0).getType()));
  return hasFloats ? floatFunction(op) : integerFunction(op, result);
}
