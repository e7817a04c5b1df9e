//===- MatrixTest.cpp - Matrices over the lanes of a warp -----------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The figures of the PTX ISA say for each row and column which lane has the
// element, and as which of its own. These tests place random matrices by the
// figures and look for their product by the figures.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Parser/Parser.h"
#include "test/simt/Kernel.h"
#include "llvm/ADT/bit.h"
#include "gtest/gtest.h"
#include <cmath>
#include <random>

using namespace mlir;
using cleave::simt::Kernel;

namespace {

/// Where a figure has an element: T<lane>: element i.
struct Owner {
  int lane, i;
};

/// A of m16n8k16: each row of the figure has lanes 4 r to 4 r + 3 twice, with
/// {a0,a1} and {a4,a5} above, {a2,a3} and {a6,a7} below.
Owner ownerInA16(int row, int column) {
  int first = row < 8 ? (column < 8 ? 0 : 4) : (column < 8 ? 2 : 6);
  return {row % 8 * 4 + column % 8 / 2, first + column % 2};
}
/// B of m16n8k16: each column has lanes 4 c to 4 c + 3, twice, downwards.
Owner ownerInB16(int row, int column) {
  return {column * 4 + row % 8 / 2, (row < 8 ? 0 : 2) + row % 2};
}
Owner ownerInA8(int row, int column) {
  int i = row < 8 ? (column < 4 ? 0 : 2) : (column < 4 ? 1 : 3);
  return {row % 8 * 4 + column % 4, i};
}
Owner ownerInB8(int row, int column) {
  return {column * 4 + row % 4, row < 4 ? 0 : 1};
}
Owner ownerInC(int row, int column) {
  return {row % 8 * 4 + column / 2, (row < 8 ? 0 : 2) + column % 2};
}

/// Bits of small integers, which every type holds exactly.
uint32_t toHalf(int value) {
  llvm::APFloat number{double(value)};
  bool lost;
  number.convert(llvm::APFloat::IEEEhalf(), llvm::APFloat::rmNearestTiesToEven,
                 &lost);
  return number.bitcastToAPInt().getZExtValue();
}
uint32_t toSingle(int value) { return llvm::bit_cast<uint32_t>(float(value)); }
uint32_t toBrain(int value) { return toSingle(value) >> 16; }

constexpr char mma[] =
    "%r = nvvm.mma.sync A[%a0, %a1, %a2, %a3] B[%b0, %b1] C[%s, %s, %s, %s] "
    "{layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, "
    "multiplicandAPtxType = #nvvm.mma_type<TYPE>, "
    "multiplicandBPtxType = #nvvm.mma_type<TYPE>, "
    "shape = #nvvm.shape<m = 16, n = 8, k = DEPTH>} : (REGISTER, REGISTER, f32)"
    " -> !llvm.struct<(f32, f32, f32, f32)>\n";

class MatrixTest : public testing::Test {
protected:
  MatrixTest() {
    context.loadDialect<arith::ArithDialect, gpu::GPUDialect, LLVM::LLVMDialect,
                        memref::MemRefDialect, NVVM::NVVMDialect,
                        vector::VectorDialect>();
  }

  static std::string replace(std::string text, const std::string &from,
                             const std::string &to) {
    for (size_t at = 0; (at = text.find(from, at)) != std::string::npos;
         at += to.size())
      text.replace(at, from.size(), to);
    return text;
  }

  /// Runs the operation on registers of all lanes; sums start at 0.5.
  void run(const std::string &type, int depth, uint32_t *a, uint32_t *b,
           float *c) {
    bool isHalf = type == "f16";
    std::string text =
        "gpu.module @m { gpu.func @k(%a: memref<128xi32>, %b: memref<64xi32>, "
        "%c: memref<128xf32>) kernel attributes {known_block_size = "
        "array<i32: 32, 1, 1>} {\n%t = gpu.thread_id x\n"
        "%c1 = arith.constant 1 : index\n%c2 = arith.constant 2 : index\n"
        "%c3 = arith.constant 3 : index\n%c4 = arith.constant 4 : index\n"
        "%s = arith.constant 0.5 : f32\n"
        "%i0 = arith.muli %t, %c4 : index\n%i1 = arith.addi %i0, %c1 : index\n"
        "%i2 = arith.addi %i0, %c2 : index\n%i3 = arith.addi %i0, %c3 : index\n"
        "%j0 = arith.muli %t, %c2 : index\n%j1 = arith.addi %j0, %c1 : index\n";
    for (const char *place : {"a0", "a1", "a2", "a3", "b0", "b1"}) {
      bool isA = place[0] == 'a';
      text += std::string("%w") + place + " = memref.load %" + place[0] + "[%" +
              (isA ? "i" : "j") + place[1] + "] : memref<" +
              (isA ? "128" : "64") + "xi32>\n";
      if (isHalf)
        text += std::string("%v") + place + " = vector.broadcast %w" + place +
                " : i32 to vector<1xi32>\n%" + place + " = vector.bitcast %v" +
                place + " : vector<1xi32> to vector<2xf16>\n";
    }
    std::string product = replace(mma, "TYPE", type);
    product = replace(product, "DEPTH", std::to_string(depth));
    product = replace(product, "REGISTER", isHalf ? "vector<2xf16>" : "i32");
    if (!isHalf)
      for (const char *place : {"%a0", "%a1", "%a2", "%a3", "%b0", "%b1"})
        product = replace(product, place, std::string("%w") + (place + 1));
    text += product;
    for (const char *i : {"0", "1", "2", "3"})
      text += std::string("%r") + i + " = llvm.extractvalue %r[" + i +
              "] : !llvm.struct<(f32, f32, f32, f32)>\nmemref.store %r" + i +
              ", %c[%i" + i + "] : memref<128xf32>\n";
    text += "gpu.return } }";
    auto module = parseSourceString<ModuleOp>(text, &context);
    ASSERT_TRUE(module);
    gpu::GPUFuncOp function;
    module->walk([&](gpu::GPUFuncOp op) { function = op; });
    auto kernel = Kernel::compile(function);
    ASSERT_TRUE(succeeded(kernel));
    void *buffers[] = {a, b, c};
    EXPECT_EQ((*kernel)->run(buffers, 1), "");
  }

  void check(const std::string &type, int depth,
             uint32_t (*encode)(int value)) {
    bool isWide = depth == 8;
    int perWord = isWide ? 1 : 2, width = 32 / perWord;
    std::mt19937 random(depth);
    std::vector<int> left(16 * depth), right(depth * 8);
    for (int &value : left)
      value = int(random() % 17) - 8;
    for (int &value : right)
      value = int(random() % 17) - 8;
    std::vector<uint32_t> a(128), b(64);
    auto put = [&](std::vector<uint32_t> &words, int perLane, Owner owner,
                   int value) {
      words[owner.lane * perLane + owner.i / perWord] |=
          encode(value) << owner.i % perWord * width % 32;
    };
    for (int row = 0; row < 16; ++row)
      for (int column = 0; column < depth; ++column)
        put(a, 4, isWide ? ownerInA8(row, column) : ownerInA16(row, column),
            left[row * depth + column]);
    for (int row = 0; row < depth; ++row)
      for (int column = 0; column < 8; ++column)
        put(b, 2, isWide ? ownerInB8(row, column) : ownerInB16(row, column),
            right[row * 8 + column]);
    std::vector<float> c(128);
    run(type, depth, a.data(), b.data(), c.data());
    for (int row = 0; row < 16; ++row)
      for (int column = 0; column < 8; ++column) {
        float sum = 0.5;
        for (int n = 0; n < depth; ++n)
          sum += left[row * depth + n] * right[n * 8 + column];
        Owner owner = ownerInC(row, column);
        EXPECT_EQ(c[owner.lane * 4 + owner.i], sum) << row << ", " << column;
      }
  }

  MLIRContext context;
};

TEST_F(MatrixTest, HalvesOfM16N8K16) { check("f16", 16, toHalf); }
TEST_F(MatrixTest, BrainFloatsOfM16N8K16) { check("bf16", 16, toBrain); }
TEST_F(MatrixTest, Tf32OfM16N8K8) { check("tf32", 8, toSingle); }

TEST_F(MatrixTest, LowBitsOfTf32AreNotLookedAt) {
  std::vector<uint32_t> a(128, toSingle(1) + 0x1fff), b(64, toSingle(1));
  std::vector<float> c(128);
  run("tf32", 8, a.data(), b.data(), c.data());
  for (float sum : c)
    EXPECT_EQ(sum, 8.5f);
}

} // namespace
