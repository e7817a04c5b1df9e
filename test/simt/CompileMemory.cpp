//===- CompileMemory.cpp - Elements of memory and of vectors --------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Compiler.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace cleave::simt;

static bool isFlat(Value memref) {
  return cast<MemRefType>(memref.getType()).getRank() == 1;
}

LogicalResult Compiler::compileMemory(Operation *op, Steps &steps) {
  if (auto alloca = dyn_cast<memref::AllocaOp>(op)) {
    addArray(alloca, Space::Local);
    return success();
  }
  if (auto load = dyn_cast<memref::LoadOp>(op)) {
    if (isFlat(load.getMemRef())) {
      steps.push_back([access = accessOf(load.getMemRef(), op),
                       at = place(load.getIndices()[0]),
                       to = place(load)](Thread &thread) {
        return access.load(thread, thread.registers[at], thread.registers[to]);
      });
      return success();
    }
  }
  if (auto store = dyn_cast<memref::StoreOp>(op)) {
    if (isFlat(store.getMemRef())) {
      steps.push_back([access = accessOf(store.getMemRef(), op),
                       at = place(store.getIndices()[0]),
                       from = place(store.getValue())](Thread &thread) {
        return access.store(thread, thread.registers[at],
                            thread.registers[from]);
      });
      return success();
    }
  }
  if (auto atomic = dyn_cast<memref::AtomicRMWOp>(op)) {
    ScalarFunction function = scalarFunction(op, 0);
    if (function && isFlat(atomic.getMemref())) {
      steps.push_back([access = accessOf(atomic.getMemref(), op), function,
                       at = place(atomic.getIndices()[0]),
                       from = place(atomic.getValue()),
                       to = place(atomic)](Thread &thread) {
        int64_t place = thread.registers[at];
        if (!access.check(thread, place, AccessKind::Atomic))
          return false;
        char *address = thread.memory(access.array).data + place * access.bytes;
        uint64_t values[2] = {0, thread.registers[from]};
        std::memcpy(&values[0], address, access.bytes);
        thread.registers[to] = values[0];
        uint64_t updated = function(values);
        std::memcpy(address, &updated, access.bytes);
        return true;
      });
      return success();
    }
  }
  return op->emitError("is not known to the emulator");
}

//===----------------------------------------------------------------------===//
// Vectors
//===----------------------------------------------------------------------===//

/// Whether a vector's first element is where the operation says it is aligned.
static bool isAligned(const ElementAccess &access, Thread &thread,
                      int64_t first, int64_t align) {
  return first * access.bytes % align == 0 ||
         thread.fail("vector is not aligned at " + access.where);
}

LogicalResult Compiler::compileVectorAccess(Operation *op, Steps &steps) {
  if (auto load = dyn_cast<vector::LoadOp>(op)) {
    steps.push_back(
        [access = accessOf(load.getBase(), op), lanes = lanesOf(load.getType()),
         align = load.getAlignment().value_or(1),
         at = place(load.getIndices()[0]), to = place(load)](Thread &thread) {
          int64_t first = thread.registers[at];
          if (!isAligned(access, thread, first, align))
            return false;
          for (int64_t i = 0; i < lanes; ++i)
            if (!access.load(thread, first + i, thread.registers[to + i]))
              return false;
          return true;
        });
    return success();
  }
  auto store = cast<vector::StoreOp>(op);
  steps.push_back([access = accessOf(store.getBase(), op),
                   lanes = lanesOf(store.getValueToStore().getType()),
                   align = store.getAlignment().value_or(1),
                   at = place(store.getIndices()[0]),
                   from = place(store.getValueToStore())](Thread &thread) {
    int64_t first = thread.registers[at];
    if (!isAligned(access, thread, first, align))
      return false;
    for (int64_t i = 0; i < lanes; ++i)
      if (!access.store(thread, first + i, thread.registers[from + i]))
        return false;
    return true;
  });
  return success();
}

LogicalResult Compiler::compileVector(Operation *op, Steps &steps) {
  if (isa<vector::LoadOp, vector::StoreOp>(op))
    return compileVectorAccess(op, steps);
  if (auto broadcast = dyn_cast<vector::BroadcastOp>(op)) {
    if (lanesOf(broadcast.getSource().getType()) == 1) {
      int64_t lanes = lanesOf(broadcast.getType());
      steps.push_back([lanes, from = place(broadcast.getSource()),
                       to = place(broadcast)](Thread &thread) {
        for (int64_t i = 0; i < lanes; ++i)
          thread.registers[to + i] = thread.registers[from];
        return true;
      });
      return success();
    }
  }
  if (auto extract = dyn_cast<vector::ExtractOp>(op)) {
    if (extract.getStaticPosition().size() == 1 &&
        extract.getStaticPosition()[0] >= 0 &&
        lanesOf(extract.getType()) == 1) {
      copyRegisters(place(extract.getSource()) + extract.getStaticPosition()[0],
                    place(extract), 1, steps);
      return success();
    }
  }
  if (auto elements = dyn_cast<vector::FromElementsOp>(op)) {
    for (auto [i, element] : llvm::enumerate(elements.getElements()))
      copyRegisters(place(element), place(elements) + i, 1, steps);
    return success();
  }
  if (auto interleave = dyn_cast<vector::InterleaveOp>(op)) {
    for (int64_t i = 0, e = lanesOf(interleave.getType()); i < e; ++i)
      copyRegisters(place(op->getOperand(i % 2)) + i / 2, place(interleave) + i,
                    1, steps);
    return success();
  }
  if (auto bitcast = dyn_cast<vector::BitCastOp>(op)) {
    // The first element is in the low bits.
    unsigned from = bitsOf(bitcast.getSourceVectorType().getElementType());
    unsigned to = bitsOf(bitcast.getResultVectorType().getElementType());
    int64_t bytes = lanesOf(bitcast.getType()) * to / 8;
    if (from % 8 == 0 && to % 8 == 0) {
      steps.push_back([=, source = place(bitcast.getSource()),
                       target = place(bitcast)](Thread &thread) {
        std::vector<char> memory(bytes);
        for (int64_t at = 0, i = 0; at < bytes; at += from / 8, ++i)
          std::memcpy(&memory[at], &thread.registers[source + i], from / 8);
        for (int64_t at = 0, i = 0; at < bytes; at += to / 8, ++i) {
          thread.registers[target + i] = 0;
          std::memcpy(&thread.registers[target + i], &memory[at], to / 8);
        }
        return true;
      });
      return success();
    }
  }
  return op->emitError("is not known to the emulator");
}
