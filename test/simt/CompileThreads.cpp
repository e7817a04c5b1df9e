//===- CompileThreads.cpp - What threads do together ----------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Compiler.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace cleave::simt;

/// The lane that a shuffle reads; -1 outside of the segment of `width` lanes.
static int64_t sourceLane(gpu::ShuffleMode mode, int64_t lane, int64_t offset,
                          int64_t width) {
  int64_t segment = lane / width * width, source = 0;
  switch (mode) {
  case gpu::ShuffleMode::XOR:
    source = lane ^ offset;
    break;
  case gpu::ShuffleMode::UP:
    source = lane - offset;
    break;
  case gpu::ShuffleMode::DOWN:
    source = lane + offset;
    break;
  case gpu::ShuffleMode::IDX:
    source = segment + offset % width;
    break;
  }
  return source >= segment && source < segment + width ? source : -1;
}

void Compiler::waitForWarp(Steps &steps, WarpStep step) {
  code.synchronizes = true;
  steps.push_back([site = numSites++, step = std::move(step)](Thread &thread) {
    thread.wait = {Wait::Warp, site, &step};
    thread.suspend();
    return thread.block->fault.empty();
  });
}

/// Operations on matrices, and on what they return.
LogicalResult Compiler::compileMatrix(Operation *op, Steps &steps) {
  if (auto extract = dyn_cast<LLVM::ExtractValueOp>(op)) {
    if (extract.getPosition().size() == 1 &&
        isa<FloatType>(extract.getType())) {
      copyRegisters(place(extract.getContainer()) + extract.getPosition()[0],
                    place(extract), 1, steps);
      return success();
    }
  }
  WarpStep step = matrixStep(op, [this](Value value) { return place(value); });
  if (!step)
    return op->emitError("is not known to the emulator");
  if (code.threads % warpSize != 0)
    return op->emitError("needs all lanes of a warp");
  waitForWarp(steps, std::move(step));
  return success();
}

LogicalResult Compiler::compileGPU(Operation *op, Steps &steps) {
  if (isa<gpu::BarrierOp>(op)) {
    int64_t site = numSites++;
    code.synchronizes = true;
    steps.push_back([site](Thread &thread) {
      thread.wait = {Wait::Barrier, site, nullptr};
      thread.suspend();
      return thread.block->fault.empty();
    });
    return success();
  }
  if (auto shuffle = dyn_cast<gpu::ShuffleOp>(op)) {
    waitForWarp(
        steps,
        [mode = shuffle.getMode(), value = place(shuffle.getValue()),
         offset = place(shuffle.getOffset()), width = place(shuffle.getWidth()),
         result = place(shuffle.getShuffleResult()),
         valid = place(shuffle.getValid())](ArrayRef<Thread *> lanes) {
          std::vector<uint64_t> values;
          for (Thread *lane : lanes)
            values.push_back(lane->registers[value]);
          for (size_t i = 0; i < lanes.size(); ++i) {
            std::vector<uint64_t> &registers = lanes[i]->registers;
            int64_t source = sourceLane(mode, i, int32_t(registers[offset]),
                                        int32_t(registers[width]));
            // A lane that reads outside of its segment keeps its own value.
            bool isValid = source >= 0 && source < int64_t(lanes.size());
            registers[result] = values[isValid ? source : i];
            registers[valid] = isValid;
          }
        });
    return success();
  }
  auto dimensionIsX = [](auto id) {
    return id.getDimension() == gpu::Dimension::x;
  };
  if (auto id = dyn_cast<gpu::ThreadIdOp>(op); id && dimensionIsX(id)) {
    steps.push_back([to = place(id)](Thread &thread) {
      thread.registers[to] = thread.number;
      return true;
    });
    return success();
  }
  if (auto id = dyn_cast<gpu::BlockIdOp>(op); id && dimensionIsX(id)) {
    steps.push_back([to = place(id)](Thread &thread) {
      thread.registers[to] = thread.block->number;
      return true;
    });
    return success();
  }
  if (auto count = dyn_cast<gpu::GridDimOp>(op); count && dimensionIsX(count)) {
    steps.push_back([to = place(count)](Thread &thread) {
      thread.registers[to] = thread.block->count;
      return true;
    });
    return success();
  }
  if (auto count = dyn_cast<gpu::BlockDimOp>(op);
      count && dimensionIsX(count)) {
    constant(count, code.threads, steps);
    return success();
  }
  return op->emitError("is not known to the emulator");
}
