//===- Code.h - A kernel as steps, and the state of a launch ----*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every value has places in the registers of a thread, one per lane, each the
// bits of an element; an operation is a step that reads and writes them.
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_TEST_SIMT_CODE_H
#define CLEAVE_TEST_SIMT_CODE_H

#include "Shadow.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <functional>
#include <string>
#include <vector>

namespace cleave::simt {

struct Thread;
/// False if the thread has met a fault.
using Step = std::function<bool(Thread &)>;
using Steps = std::vector<Step>;

/// Runs all steps; false after a fault.
inline bool runSteps(const Steps &steps, Thread &thread) {
  for (const Step &step : steps)
    if (!step(thread))
      return false;
  return true;
}

/// Threads of a warp, as GPUs have it, whatever kernels are written for.
constexpr int64_t warpSize = 32;

/// What the lanes of a warp do at once when all have arrived; it reads and
/// writes their registers.
using WarpStep = std::function<void(llvm::ArrayRef<Thread *> lanes)>;

enum class Space { Global, Shared, Local };

/// Memory that a kernel names.
struct Array {
  Space space;
  int64_t elements;
  int64_t elementBytes;
};

struct Code {
  Steps steps;
  std::vector<Array> arrays;
  /// The first arrays are arguments.
  size_t numArguments = 0;
  size_t numRegisters = 0;
  int64_t threads = 1;
  /// Whether threads ever wait for each other.
  bool synchronizes = false;
  std::string name;
};

/// An array of this block or thread (or of all), with what is known about its
/// elements.
struct Memory {
  char *data = nullptr;
  Shadow *shadow = nullptr;
};

/// What a thread waits for.
struct Wait {
  enum Kind { Nothing, Barrier, Warp } kind = Nothing;
  /// The operation, so that threads that wait at different ones are noticed.
  int64_t site = 0;
  const WarpStep *step = nullptr;
};

struct BlockState {
  const Code &code;
  int64_t number, count;
  /// Increases at each barrier.
  uint32_t interval = 1;
  std::vector<Memory> memories;
  std::string fault;
};

struct Thread {
  BlockState *block;
  int64_t number;
  std::vector<uint64_t> registers;
  std::vector<Memory> locals;
  Wait wait;
  /// Hands over to the scheduler until what is waited for has happened.
  std::function<void()> suspend;

  Memory &memory(size_t array) {
    Memory &mine = locals[array];
    return mine.data ? mine : block->memories[array];
  }
  bool fail(const std::string &text) {
    if (block->fault.empty())
      block->fault = text;
    return false;
  }
};

/// A function of the bits of its operands.
using ScalarFunction = std::function<uint64_t(const uint64_t *)>;
/// The function of result `result` of an arith or math operation, for one
/// element; null if it is not known.
ScalarFunction scalarFunction(mlir::Operation *op, unsigned result);

/// Places of a value in the registers, the first one.
using PlaceOf = llvm::function_ref<size_t(mlir::Value)>;
/// A product of matrices that are spread over the registers of a warp; null if
/// the operation is none that is known.
WarpStep matrixStep(mlir::Operation *op, PlaceOf placeOf);

/// Runs all blocks in turn; returns the first fault.
std::string launch(const Code &code, llvm::ArrayRef<void *> buffers,
                   int64_t blocks);

} // namespace cleave::simt

#endif // CLEAVE_TEST_SIMT_CODE_H
