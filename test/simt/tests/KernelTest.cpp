//===- KernelTest.cpp - What the emulator of a GPU notices ----------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/simt/Kernel.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using cleave::simt::Kernel;

namespace {

constexpr char shared[] = "memref<64xi32, #gpu.address_space<workgroup>>";

class KernelTest : public testing::Test {
protected:
  KernelTest() {
    context.loadDialect<arith::ArithDialect, gpu::GPUDialect,
                        memref::MemRefDialect, scf::SCFDialect,
                        vector::VectorDialect>();
  }

  /// Runs a kernel of blocks of 64 threads on `out`, 64 numbers, with `%t`, the
  /// thread, `%c0` and `%c1`, and shared memory `%s`.
  std::string run(std::string body, int64_t blocks = 1) {
    std::string text = "gpu.module @m { gpu.func @k(%out: memref<64xi32>) "
                       "workgroup(%s: " +
                       std::string(shared) +
                       ") kernel attributes {known_block_size = "
                       "array<i32: 64, 1, 1>} {\n"
                       "%t = gpu.thread_id x\n"
                       "%c0 = arith.constant 0 : index\n"
                       "%c1 = arith.constant 1 : index\n"
                       "%one = arith.constant 1 : i32\n" +
                       body + "\ngpu.return } }";
    auto module = parseSourceString<ModuleOp>(text, &context);
    EXPECT_TRUE(module);
    gpu::GPUFuncOp function;
    module->walk([&](gpu::GPUFuncOp op) { function = op; });
    auto kernel = Kernel::compile(function);
    EXPECT_TRUE(succeeded(kernel));
    void *buffers[] = {out};
    return (*kernel)->run(buffers, blocks);
  }
  static std::string text(std::string op) {
    for (size_t at; (at = op.find("SHARED")) != std::string::npos;)
      op.replace(at, 6, shared);
    return op;
  }

  MLIRContext context;
  int32_t out[64] = {};
};

/// Each thread passes its number on to the next.
constexpr char store[] = "%v = arith.index_cast %t : index to i32\n"
                         "memref.store %v, %s[%t] : SHARED\n";
constexpr char passOn[] = "%c63 = arith.constant 63 : index\n"
                          "%next = arith.addi %t, %c1 : index\n"
                          "%from = arith.minui %next, %c63 : index\n"
                          "%w = memref.load %s[%from] : SHARED\n"
                          "memref.store %w, %out[%t] : memref<64xi32>\n";

TEST_F(KernelTest, BarriersOrderAccesses) {
  EXPECT_EQ(run(text(std::string(store) + "gpu.barrier\n" + passOn)), "");
  EXPECT_EQ(out[3], 4);
  EXPECT_EQ(out[63], 63);
}

TEST_F(KernelTest, AMissingBarrierIsARace) {
  // Each reads what its neighbour writes again.
  std::string again = "memref.store %one, %s[%t] : SHARED\n";
  std::string fault =
      run(text(std::string(store) + "gpu.barrier\n" + again + passOn));
  EXPECT_NE(fault.find("without a barrier between"), std::string::npos)
      << fault;
}

TEST_F(KernelTest, MemoryThatWasNeverWritten) {
  std::string fault = run(text(passOn));
  EXPECT_NE(fault.find("never written"), std::string::npos) << fault;
}

TEST_F(KernelTest, OutOfBounds) {
  std::string fault = run("%i = arith.addi %t, %c1 : index\n"
                          "memref.store %one, %out[%i] : memref<64xi32>");
  EXPECT_NE(fault.find("accesses element 64 of 64"), std::string::npos)
      << fault;
}

TEST_F(KernelTest, ABarrierThatNotAllReach) {
  std::string fault = run("%b = arith.cmpi ne, %t, %c0 : index\n"
                          "scf.if %b { gpu.barrier }");
  EXPECT_NE(fault.find("wait for ever"), std::string::npos) << fault;
}

TEST_F(KernelTest, Atomics) {
  EXPECT_EQ(run("%o = memref.atomic_rmw addi %one, %out[%c0] : (i32, "
                "memref<64xi32>) -> i32",
                3),
            "");
  EXPECT_EQ(out[0], 192);
}

TEST_F(KernelTest, AMissingAtomicIsARace) {
  std::string fault = run("%o = memref.load %out[%c0] : memref<64xi32>\n"
                          "%n = arith.addi %o, %one : i32\n"
                          "memref.store %n, %out[%c0] : memref<64xi32>");
  EXPECT_NE(fault.find("without a barrier between"), std::string::npos)
      << fault;
}

TEST_F(KernelTest, BlocksAreNotOrdered) {
  std::string fault = run("%g = gpu.block_id x\n"
                          "%x = arith.index_cast %g : index to i32\n"
                          "memref.store %x, %out[%t] : memref<64xi32>",
                          2);
  EXPECT_NE(fault.find("without a barrier between"), std::string::npos)
      << fault;
}

TEST_F(KernelTest, ShufflesWithinSegments) {
  EXPECT_EQ(run("%v = arith.index_cast %t : index to i32\n"
                "%two = arith.constant 2 : i32\n"
                "%four = arith.constant 4 : i32\n"
                "%w, %valid = gpu.shuffle down %v, %two, %four : i32\n"
                "memref.store %w, %out[%t] : memref<64xi32>"),
            "");
  // Lanes whose source is outside of the four keep their value.
  EXPECT_EQ(out[0], 2);
  EXPECT_EQ(out[1], 3);
  EXPECT_EQ(out[2], 2);
  EXPECT_EQ(out[33], 35);
}

TEST_F(KernelTest, VectorsMustBeAligned) {
  std::string fault = run("%v = vector.load %out[%c1] {alignment = 16 : i64} : "
                          "memref<64xi32>, vector<4xi32>");
  EXPECT_NE(fault.find("not aligned"), std::string::npos) << fault;
}

} // namespace
