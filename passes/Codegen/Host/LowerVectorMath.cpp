//===- LowerVectorMath.cpp - Calls of vector math functions ---------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// SLEEF (https://sleef.org) by Naoki Shibata; its u10 functions have at most
// 1.0 ulp error over the whole range of their arguments, u15 ones 1.5.
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/KernelAttributes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "passes/Codegen/Passes.h"
#include "llvm/ADT/TypeSwitch.h"

namespace cleave {
#define GEN_PASS_DEF_LOWERVECTORMATH
#include "passes/Codegen/Passes.h.inc"
} // namespace cleave

using namespace mlir;
using namespace cleave::graph;

namespace {
struct SleefFunction {
  /// Without type, lanes and accuracy; empty if LLVM has instructions for it.
  StringRef name;
  StringRef accuracy = "_u10";
};
} // namespace

/// SLEEF's function for an operation, or the one of 3.5 ulps if there is one
/// and it is wanted. Not its fmod, which is NaN for large quotients: LLVM calls
/// that of libm for each lane.
static SleefFunction functionOf(Operation *op, bool fast) {
  using F = SleefFunction;
  StringRef either = fast ? "_u35" : "_u10";
  return TypeSwitch<Operation *, F>(op)
      .Case([&](math::AcosOp) { return F{"acos", either}; })
      .Case([](math::AcoshOp) { return F{"acosh"}; })
      .Case([&](math::AsinOp) { return F{"asin", either}; })
      .Case([](math::AsinhOp) { return F{"asinh"}; })
      .Case([&](math::AtanOp) { return F{"atan", either}; })
      .Case([&](math::Atan2Op) { return F{"atan2", either}; })
      .Case([](math::AtanhOp) { return F{"atanh"}; })
      .Case([&](math::CbrtOp) { return F{"cbrt", either}; })
      .Case([&](math::CosOp) { return F{"cos", either}; })
      .Case([&](math::CoshOp) { return F{"cosh", either}; })
      .Case([](math::ErfOp) { return F{"erf"}; })
      .Case([](math::ErfcOp) { return F{"erfc", "_u15"}; })
      .Case([](math::ExpOp) { return F{"exp"}; })
      .Case([&](math::Exp2Op) { return F{"exp2", either}; })
      .Case([](math::ExpM1Op) { return F{"expm1"}; })
      .Case([&](math::LogOp) { return F{"log", either}; })
      .Case([](math::Log1pOp) { return F{"log1p"}; })
      .Case([&](math::Log2Op) { return F{"log2", either}; })
      .Case([](math::PowFOp) { return F{"pow"}; })
      .Case([&](math::SinOp) { return F{"sin", either}; })
      .Case([&](math::SinhOp) { return F{"sinh", either}; })
      .Case([&](math::TanOp) { return F{"tan", either}; })
      .Case([&](math::TanhOp) { return F{"tanh", either}; })
      .Default([](Operation *) { return F{}; });
}

/// Name for a type, or empty if there is no function for its lanes.
static std::string symbolOf(SleefFunction function, Type type) {
  Type element = getElementTypeOrSelf(type);
  bool isSingle = element.isF32();
  auto vector = dyn_cast<VectorType>(type);
  if (!vector)
    return ("Sleef_" + function.name + (isSingle ? "f" : "") +
            function.accuracy)
        .str();
  int64_t lanes = vector.getDimSize(0);
  StringRef extension, consistency;
  // The plain trigonometric functions take a slower way for all lanes when one
  // of them is large or NaN, with other roundings: results would depend on what
  // is in padding, and replicas would differ. The variants with consistent
  // results (with and without fused operations) choose for each lane.
  bool isTrigonometric = function.name == "sin" || function.name == "cos" ||
                         function.name == "tan";
  switch (lanes * element.getIntOrFloatBitWidth()) {
  case 512:
    extension = "avx512f";
    consistency = "finz_";
    break;
  case 256:
    extension = "avx2";
    consistency = "finz_";
    break;
  case 128:
    extension = "sse2";
    consistency = "cinz_";
    break;
  default:
    return "";
  }
  return ("Sleef_" + (isTrigonometric ? consistency : "") + function.name +
          (isSingle ? "f" : "d") + Twine(lanes) + function.accuracy + extension)
      .str();
}

namespace {

class MathCalls {
public:
  explicit MathCalls(ModuleOp module)
      : symbols(module), b(module.getLoc(), module.getContext()) {}

  LogicalResult lower(Operation *op, SleefFunction function);

private:
  Value call(SleefFunction function, Type type, ValueRange operands);
  Value inParts(SleefFunction function, VectorType type, ValueRange operands);

  SymbolTable symbols;
  ImplicitLocOpBuilder b;
};

} // namespace

Value MathCalls::call(SleefFunction function, Type type, ValueRange operands) {
  std::string name = symbolOf(function, type);
  if (name.empty())
    return inParts(function, cast<VectorType>(type), operands);
  auto callee = symbols.lookup<LLVM::LLVMFuncOp>(name);
  if (!callee) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(cast<ModuleOp>(symbols.getOp()).getBody());
    SmallVector<Type> types(operands.size(), type);
    callee = LLVM::LLVMFuncOp::create(b, name,
                                      LLVM::LLVMFunctionType::get(type, types));
    using LLVM::ModRefInfo;
    callee.setMemoryEffectsAttr(LLVM::MemoryEffectsAttr::get(
        b.getContext(),
        {ModRefInfo::NoModRef, ModRefInfo::NoModRef, ModRefInfo::NoModRef,
         ModRefInfo::NoModRef, ModRefInfo::NoModRef, ModRefInfo::NoModRef}));
    callee.setNoUnwind(true);
    callee.setWillReturn(true);
    symbols.insert(callee);
  }
  return LLVM::CallOp::create(b, callee, operands).getResult();
}

/// Lanes that fit no register: in halves, or one by one.
Value MathCalls::inParts(SleefFunction function, VectorType type,
                         ValueRange operands) {
  int64_t lanes = type.getDimSize(0);
  Type element = type.getElementType();
  int64_t part = lanes * element.getIntOrFloatBitWidth() > 512 ? lanes / 2 : 1;
  Value result = arith::ConstantOp::create(b, b.getZeroAttr(type));
  for (int64_t at = 0; at < lanes; at += part) {
    SmallVector<Value> pieces;
    for (Value operand : operands) {
      if (part == 1)
        pieces.push_back(vector::ExtractOp::create(b, operand, at));
      else
        pieces.push_back(vector::ExtractStridedSliceOp::create(
            b, operand, ArrayRef<int64_t>{at}, ArrayRef<int64_t>{part},
            ArrayRef<int64_t>{1}));
    }
    Type pieceType =
        part == 1 ? element : Type(VectorType::get({part}, element));
    Value piece = call(function, pieceType, pieces);
    if (part == 1)
      result = vector::InsertOp::create(b, piece, result, at);
    else
      result = vector::InsertStridedSliceOp::create(
          b, piece, result, ArrayRef<int64_t>{at}, ArrayRef<int64_t>{1});
  }
  return result;
}

LogicalResult MathCalls::lower(Operation *op, SleefFunction function) {
  Type type = op->getResult(0).getType();
  Type element = getElementTypeOrSelf(type);
  auto vector = dyn_cast<VectorType>(type);
  if ((!element.isF32() && !element.isF64()) ||
      (vector && vector.getRank() != 1))
    return op->emitOpError("has no vector function for ") << type;
  b.setLoc(op->getLoc());
  b.setInsertionPoint(op);
  op->getResult(0).replaceAllUsesWith(call(function, type, op->getOperands()));
  op->erase();
  return success();
}

namespace {
struct LowerVectorMath
    : public cleave::impl::LowerVectorMathBase<LowerVectorMath> {
  using LowerVectorMathBase::LowerVectorMathBase;

  void runOnOperation() override {
    MathCalls calls(getOperation());
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      if (!function->hasAttr(kKernelAttr))
        continue;
      auto result = function.walk([&](Operation *op) {
        SleefFunction function = functionOf(op, fast);
        return !function.name.empty() && failed(calls.lower(op, function))
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      });
      if (result.wasInterrupted())
        return signalPassFailure();
    }
  }
};
} // namespace
