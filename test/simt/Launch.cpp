//===- Launch.cpp - Threads of a block as fibers --------------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Code.h"
#include <cstring>
#include <memory>
#include <ucontext.h>

using namespace cleave::simt;

static constexpr size_t stackBytes = 128 << 10;

namespace {

/// Memory of a block or of a thread.
class Store {
public:
  /// Filled with bytes that look like no result.
  Memory allocate(const Array &array) {
    size_t bytes = array.elements * array.elementBytes;
    arrays.push_back(std::make_unique<char[]>(bytes + 1));
    std::memset(arrays.back().get(), 0xcb, bytes);
    shadows.push_back(std::make_unique<Shadow>(array.elements, false));
    return {arrays.back().get(), shadows.back().get()};
  }

private:
  std::vector<std::unique_ptr<char[]>> arrays;
  std::vector<std::unique_ptr<Shadow>> shadows;
};

/// A thread with a stack of its own.
struct Fiber {
  Thread thread;
  Store locals;
  ucontext_t context;
  bool isDone = false;
};

class BlockRunner {
public:
  BlockRunner(const Code &code, BlockState &block) : code(code), block(block) {}

  void run();

private:
  void prepare(Thread &thread, Store &locals, int64_t number);
  void runInTurn();
  void runFibers();
  void start(Fiber &fiber);
  static void enter(unsigned low, unsigned high);
  bool releaseWarps();
  bool releaseBarrier();
  void reportStuck();

  const Code &code;
  BlockState &block;
  std::vector<std::unique_ptr<Fiber>> fibers;
  ucontext_t scheduler;
  Store shared;
};

} // namespace

void BlockRunner::prepare(Thread &thread, Store &locals, int64_t number) {
  thread.block = &block;
  thread.number = number;
  thread.registers.assign(code.numRegisters, 0);
  thread.locals.assign(code.arrays.size(), Memory());
  for (size_t i = 0; i < code.arrays.size(); ++i)
    if (code.arrays[i].space == Space::Local)
      thread.locals[i] = locals.allocate(code.arrays[i]);
}

void BlockRunner::run() {
  for (size_t i = 0; i < code.arrays.size(); ++i)
    if (code.arrays[i].space == Space::Shared)
      block.memories[i] = shared.allocate(code.arrays[i]);
  if (code.synchronizes)
    runFibers();
  else
    runInTurn();
}

/// Threads that never wait need no stacks.
void BlockRunner::runInTurn() {
  for (int64_t i = 0; i < code.threads; ++i) {
    Thread thread;
    Store locals;
    prepare(thread, locals, i);
    if (!runSteps(code.steps, thread))
      return;
  }
}

//===----------------------------------------------------------------------===//
// Fibers
//===----------------------------------------------------------------------===//

static thread_local BlockRunner *current;
static thread_local Fiber *starting;

void BlockRunner::enter(unsigned, unsigned) {
  Fiber &fiber = *starting;
  BlockRunner &runner = *current;
  runSteps(runner.code.steps, fiber.thread);
  fiber.isDone = true;
  swapcontext(&fiber.context, &runner.scheduler);
}

void BlockRunner::start(Fiber &fiber) {
  // Kept for the next block; a thread of the host runs one block at a time.
  static thread_local std::vector<std::unique_ptr<char[]>> stacks;
  size_t number = fiber.thread.number;
  if (number >= stacks.size())
    stacks.emplace_back(new char[stackBytes]);
  getcontext(&fiber.context);
  fiber.context.uc_stack.ss_sp = stacks[number].get();
  fiber.context.uc_stack.ss_size = stackBytes;
  fiber.context.uc_link = nullptr;
  makecontext(&fiber.context, reinterpret_cast<void (*)()>(enter), 2, 0u, 0u);
  fiber.thread.suspend = [this, &fiber] {
    swapcontext(&fiber.context, &scheduler);
  };
}

void BlockRunner::runFibers() {
  for (int64_t i = 0; i < code.threads; ++i) {
    fibers.push_back(std::make_unique<Fiber>());
    prepare(fibers.back()->thread, fibers.back()->locals, i);
    start(*fibers.back());
  }
  while (block.fault.empty()) {
    bool allDone = true;
    for (auto &fiber : fibers) {
      if (fiber->isDone || fiber->thread.wait.kind != Wait::Nothing) {
        allDone &= fiber->isDone;
        continue;
      }
      current = this;
      starting = fiber.get();
      swapcontext(&scheduler, &fiber->context);
      allDone &= fiber->isDone;
      if (!block.fault.empty())
        return;
    }
    if (allDone)
      return;
    if (!releaseWarps() && !releaseBarrier())
      reportStuck();
  }
}

/// Warps whose threads have all arrived at one step go on.
bool BlockRunner::releaseWarps() {
  bool anyReleased = false;
  for (int64_t first = 0; first < code.threads; first += warpSize) {
    const Wait wait = fibers[first]->thread.wait;
    std::vector<Thread *> lanes;
    for (int64_t i = first; i < std::min(first + warpSize, code.threads); ++i) {
      Fiber &fiber = *fibers[i];
      if (!fiber.isDone && fiber.thread.wait.kind == Wait::Warp &&
          fiber.thread.wait.site == wait.site)
        lanes.push_back(&fiber.thread);
    }
    if (int64_t(lanes.size()) != std::min(warpSize, code.threads - first))
      continue;
    (*wait.step)(lanes);
    for (Thread *lane : lanes)
      lane->wait.kind = Wait::Nothing;
    anyReleased = true;
  }
  return anyReleased;
}

bool BlockRunner::releaseBarrier() {
  for (auto &fiber : fibers)
    if (fiber->isDone || fiber->thread.wait.kind != Wait::Barrier ||
        fiber->thread.wait.site != fibers[0]->thread.wait.site)
      return false;
  ++block.interval;
  for (auto &fiber : fibers)
    fiber->thread.wait.kind = Wait::Nothing;
  return true;
}

void BlockRunner::reportStuck() {
  int64_t done = 0, atBarrier = 0, inWarp = 0;
  for (auto &fiber : fibers) {
    done += fiber->isDone;
    if (!fiber->isDone) {
      atBarrier += fiber->thread.wait.kind == Wait::Barrier;
      inWarp += fiber->thread.wait.kind == Wait::Warp;
    }
  }
  block.fault = "threads of block " + std::to_string(block.number) +
                " wait for ever: " + std::to_string(atBarrier) +
                " at barriers, " + std::to_string(inWarp) +
                " for their warps, " + std::to_string(done) +
                " have ended; all must reach the same one";
}

//===----------------------------------------------------------------------===//
// Launch
//===----------------------------------------------------------------------===//

std::string cleave::simt::launch(const Code &code,
                                 llvm::ArrayRef<void *> buffers,
                                 int64_t blocks) {
  std::vector<std::unique_ptr<Shadow>> shadows;
  std::vector<Memory> memories(code.arrays.size());
  for (size_t i = 0; i < code.numArguments; ++i) {
    shadows.push_back(std::make_unique<Shadow>(code.arrays[i].elements, true));
    memories[i] = {static_cast<char *>(buffers[i]), shadows.back().get()};
  }
  for (int64_t i = 0; i < blocks; ++i) {
    BlockState block{code, i, blocks, 1, memories, ""};
    BlockRunner(code, block).run();
    if (!block.fault.empty())
      return "kernel " + code.name + ": " + block.fault;
  }
  return "";
}
