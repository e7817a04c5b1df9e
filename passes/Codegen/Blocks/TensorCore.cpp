//===- TensorCore.cpp - Products of a warp on tensor cores ----------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Codegen/Blocks/TensorCore.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace cleave::codegen {

/// mma.sync takes f16 as vectors of two, all others as their bits.
static SmallVector<Value> operandsOf(ImplicitLocOpBuilder &b,
                                     MatrixElement element,
                                     ValueRange registers) {
  if (element != MatrixElement::F16)
    return llvm::to_vector(registers);
  Type one = VectorType::get({1}, b.getI32Type());
  Type pair = VectorType::get({2}, b.getF16Type());
  return llvm::map_to_vector(registers, [&](Value bits) -> Value {
    return vector::BitCastOp::create(b, pair,
                                     vector::BroadcastOp::create(b, one, bits));
  });
}

SmallVector<Value> multiplyMatrices(ImplicitLocOpBuilder &b,
                                    MatrixElement element, ValueRange a,
                                    ValueRange rhs, ValueRange c) {
  NVVM::MMATypes type = element == MatrixElement::F16    ? NVVM::MMATypes::f16
                        : element == MatrixElement::BF16 ? NVVM::MMATypes::bf16
                                                         : NVVM::MMATypes::tf32;
  Type sums = LLVM::LLVMStructType::getLiteral(
      b.getContext(), SmallVector<Type>(4, b.getF32Type()));
  Value product = NVVM::MmaOp::create(
      b, sums, operandsOf(b, element, a), operandsOf(b, element, rhs), c,
      ArrayRef<int64_t>{16, 8, matrixDepth(element)}, std::nullopt,
      std::nullopt, std::array{type, type},
      std::array{NVVM::MMALayout::row, NVVM::MMALayout::col});
  SmallVector<Value> results;
  for (int64_t i = 0; i < 4; ++i)
    results.push_back(
        LLVM::ExtractValueOp::create(b, product, ArrayRef<int64_t>(i)));
  return results;
}

Value floatToTf32(ImplicitLocOpBuilder &b, Value value) {
  return NVVM::ConvertFloatToTF32Op::create(
      b, b.getI32Type(), value, NVVM::FPRoundingMode::RNA,
      NVVM::SaturationMode::NONE, /*relu=*/false);
}

Value packHalves(ImplicitLocOpBuilder &b, MatrixElement element, Value low,
                 Value high) {
  Type half =
      element == MatrixElement::F16 ? Type(b.getF16Type()) : b.getBF16Type();
  Value pair = vector::FromElementsOp::create(
      b, VectorType::get({2}, b.getF32Type()), ValueRange{low, high});
  Value bits = vector::BitCastOp::create(
      b, VectorType::get({1}, b.getI32Type()),
      arith::TruncFOp::create(b, VectorType::get({2}, half), pair));
  return vector::ExtractOp::create(b, bits, 0);
}

} // namespace cleave::codegen
