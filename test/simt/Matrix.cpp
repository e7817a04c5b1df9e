//===- Matrix.cpp - Matrices spread over the registers of a warp ----------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The layouts are those of the PTX ISA, "Warp-level matrix instructions", by
// its formulas for the row and the column of element i of a lane. Products are
// exact here, and their sum is rounded once; a GPU does not say how it adds.
//
//===----------------------------------------------------------------------===//

#include "Code.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/bit.h"

using namespace mlir;
using namespace cleave::simt;

static constexpr int rows = 16, columns = 8;

namespace {

/// Row and column of an element.
struct Position {
  int row, column;
};
using Layout = Position (*)(int lane, int i);

} // namespace

// Matrix fragments for mma.m16n8k16 with floating point type of 16 bits.
static Position positionInA16(int lane, int i) {
  int group = lane >> 2, thread = lane % 4;
  bool isFirstRow = (0 <= i && i < 2) || (4 <= i && i < 6);
  return {isFirstRow ? group : group + 8,
          thread * 2 + (i & 1) + (i < 4 ? 0 : 8)};
}
static Position positionInB16(int lane, int i) {
  int group = lane >> 2, thread = lane % 4;
  return {thread * 2 + (i & 1) + (i < 2 ? 0 : 8), group};
}
// Matrix fragments for mma.m16n8k8 with .tf32.
static Position positionInA8(int lane, int i) {
  int group = lane >> 2, thread = lane % 4;
  return {i == 0 || i == 2 ? group : group + 8,
          i == 0 || i == 1 ? thread : thread + 4};
}
static Position positionInB8(int lane, int i) {
  int group = lane >> 2, thread = lane % 4;
  return {i == 0 ? thread : thread + 4, group};
}
// Both have the same accumulators.
static Position positionInC(int lane, int i) {
  int group = lane >> 2, thread = lane % 4;
  return {i < 2 ? group : group + 8, thread * 2 + (i & 1)};
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

static double toNumber(const llvm::fltSemantics &semantics, uint16_t bits) {
  llvm::APFloat value(semantics, llvm::APInt(16, bits));
  bool lost;
  value.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven,
                &lost);
  return value.convertToDouble();
}
static double halfToNumber(uint64_t bits) {
  return toNumber(llvm::APFloat::IEEEhalf(), bits);
}
static double brainToNumber(uint64_t bits) {
  return toNumber(llvm::APFloat::BFloat(), bits);
}
/// The lowest 13 bits are not looked at.
static double tf32ToNumber(uint64_t bits) {
  return llvm::bit_cast<float>(uint32_t(bits) & ~uint32_t(0x1fff));
}

namespace {

/// An operand of a product.
struct Operand {
  /// Places of registers of 32 bits, or of two places of 16 bits each.
  std::vector<size_t> places;
  bool hasHalves = false, isPair = false;
  double (*toNumber)(uint64_t) = nullptr;
  Layout layout = nullptr;

  int count() const { return places.size() * (hasHalves ? 2 : 1); }
  double element(const Thread &thread, int i) const {
    if (!hasHalves)
      return toNumber(thread.registers[places[i]]);
    if (isPair)
      return toNumber(thread.registers[places[i / 2] + i % 2]);
    return toNumber(thread.registers[places[i / 2]] >> 16 * (i % 2) & 0xffff);
  }
};

} // namespace

/// Sets all elements of `matrix`, a row-major one of `width` columns.
static void collect(const Operand &operand, llvm::ArrayRef<Thread *> lanes,
                    int width, std::vector<double> &matrix) {
  for (size_t lane = 0; lane < lanes.size(); ++lane)
    for (int i = 0; i < operand.count(); ++i) {
      Position at = operand.layout(lane, i);
      matrix[at.row * width + at.column] = operand.element(*lanes[lane], i);
    }
}

WarpStep cleave::simt::matrixStep(Operation *op, PlaceOf placeOf) {
  auto mma = dyn_cast<NVVM::MmaOp>(op);
  auto sums = mma ? dyn_cast<LLVM::LLVMStructType>(mma.getType())
                  : LLVM::LLVMStructType();
  if (!sums || sums.getBody().size() != 4 || !sums.getBody()[0].isF32() ||
      mma.getLayoutA() != NVVM::MMALayout::row ||
      mma.getLayoutB() != NVVM::MMALayout::col ||
      mma.getShape().getM() != rows || mma.getShape().getN() != columns ||
      mma.getMultiplicandAPtxType() != mma.getMultiplicandBPtxType())
    return nullptr;
  Operand a, b;
  a.isPair = b.isPair = isa<VectorType>(mma.getOperandA()[0].getType());
  for (Value value : mma.getOperandA())
    a.places.push_back(placeOf(value));
  for (Value value : mma.getOperandB())
    b.places.push_back(placeOf(value));
  NVVM::MMATypes type = *mma.getMultiplicandAPtxType();
  int depth = mma.getShape().getK();
  if (depth == 16 &&
      (type == NVVM::MMATypes::f16 || type == NVVM::MMATypes::bf16)) {
    a.hasHalves = b.hasHalves = true;
    a.toNumber = b.toNumber =
        type == NVVM::MMATypes::f16 ? halfToNumber : brainToNumber;
    a.layout = positionInA16;
    b.layout = positionInB16;
  } else if (depth == 8 && type == NVVM::MMATypes::tf32) {
    a.toNumber = b.toNumber = tf32ToNumber;
    a.layout = positionInA8;
    b.layout = positionInB8;
  } else {
    return nullptr;
  }
  std::vector<size_t> c;
  for (Value value : mma.getOperandC())
    c.push_back(placeOf(value));
  size_t result = placeOf(mma.getResult());
  return [=](llvm::ArrayRef<Thread *> lanes) {
    std::vector<double> left(rows * depth), right(depth * columns);
    collect(a, lanes, depth, left);
    collect(b, lanes, columns, right);
    for (size_t lane = 0; lane < lanes.size(); ++lane)
      for (int i = 0; i < 4; ++i) {
        Position at = positionInC(lane, i);
        double sum =
            llvm::bit_cast<float>(uint32_t(lanes[lane]->registers[c[i]]));
        for (int n = 0; n < depth; ++n)
          sum += left[at.row * depth + n] * right[n * columns + at.column];
        lanes[lane]->registers[result + i] =
            llvm::bit_cast<uint32_t>(float(sum));
      }
  };
}
