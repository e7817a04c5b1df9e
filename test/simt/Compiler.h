//===- Compiler.h - From a gpu.func to steps ------------------ -*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_TEST_SIMT_COMPILER_H
#define CLEAVE_TEST_SIMT_COMPILER_H

#include "Code.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include <cstring>

namespace cleave::simt {

/// Bits of an element, and elements of a value.
unsigned bitsOf(mlir::Type element);
int64_t lanesOf(mlir::Type type);
std::string describe(mlir::Location loc);

/// Element accesses of one operation.
struct ElementAccess {
  size_t array;
  int64_t elements, bytes;
  std::string where;

  bool check(Thread &thread, int64_t place, AccessKind kind) const {
    if (place < 0 || place >= elements)
      return thread.fail("thread " + std::to_string(thread.number) +
                         " of block " + std::to_string(thread.block->number) +
                         " accesses element " + std::to_string(place) + " of " +
                         std::to_string(elements) + " at " + where);
    std::string conflict = thread.memory(array).shadow->access(
        place, kind,
        {thread.block->number, thread.number, thread.block->interval});
    return conflict.empty() || thread.fail(conflict + " at " + where);
  }
  bool load(Thread &thread, int64_t place, uint64_t &value) const {
    if (!check(thread, place, AccessKind::Read))
      return false;
    value = 0;
    std::memcpy(&value, thread.memory(array).data + place * bytes, bytes);
    return true;
  }
  bool store(Thread &thread, int64_t place, uint64_t value) const {
    if (!check(thread, place, AccessKind::Write))
      return false;
    std::memcpy(thread.memory(array).data + place * bytes, &value, bytes);
    return true;
  }
};

/// Each function fails with a diagnostic at an operation that is not known.
class Compiler {
public:
  Compiler(mlir::gpu::GPUFuncOp function, Code &code)
      : function(function), code(code) {}

  mlir::LogicalResult compile();

private:
  size_t place(mlir::Value value) {
    auto [known, isNew] = places.try_emplace(value, code.numRegisters);
    if (isNew)
      code.numRegisters += lanesOf(value.getType());
    return known->second;
  }
  void addArray(mlir::Value memref, Space space) {
    auto type = mlir::cast<mlir::MemRefType>(memref.getType());
    arrays[memref] = code.arrays.size();
    code.arrays.push_back({space, type.getNumElements(),
                           llvm::divideCeil(bitsOf(type.getElementType()), 8)});
  }
  ElementAccess accessOf(mlir::Value memref, mlir::Operation *op) {
    size_t array = arrays.lookup(memref);
    return {array, code.arrays[array].elements, code.arrays[array].elementBytes,
            describe(op->getLoc())};
  }
  void copy(Steps &steps, mlir::ValueRange from, mlir::ValueRange to);
  mlir::LogicalResult compileBlock(mlir::Block &block, Steps &steps);
  mlir::LogicalResult compileOp(mlir::Operation *op, Steps &steps);
  mlir::LogicalResult compileElementwise(mlir::Operation *op, Steps &steps);
  mlir::LogicalResult compileMemory(mlir::Operation *op, Steps &steps);
  mlir::LogicalResult compileVector(mlir::Operation *op, Steps &steps);
  mlir::LogicalResult compileVectorAccess(mlir::Operation *op, Steps &steps);
  mlir::LogicalResult compileGPU(mlir::Operation *op, Steps &steps);
  mlir::LogicalResult compileMatrix(mlir::Operation *op, Steps &steps);
  /// Threads stop until their whole warp has come here.
  void waitForWarp(Steps &steps, WarpStep step);
  mlir::LogicalResult compileFor(mlir::scf::ForOp op, Steps &steps);
  mlir::LogicalResult compileIf(mlir::scf::IfOp op, Steps &steps);
  mlir::LogicalResult compileWhile(mlir::scf::WhileOp op, Steps &steps);
  void constant(mlir::Value result, uint64_t value, Steps &steps) {
    steps.push_back([to = place(result), value](Thread &thread) {
      thread.registers[to] = value;
      return true;
    });
  }

  void copyRegisters(size_t from, size_t to, int64_t count, Steps &steps) {
    steps.push_back([=](Thread &thread) {
      std::copy_n(thread.registers.begin() + from, count,
                  thread.registers.begin() + to);
      return true;
    });
  }

  mlir::gpu::GPUFuncOp function;
  Code &code;
  llvm::DenseMap<mlir::Value, size_t> places, arrays;
  int64_t numSites = 0;
};

} // namespace cleave::simt

#endif // CLEAVE_TEST_SIMT_COMPILER_H
