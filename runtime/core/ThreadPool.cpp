//===- ThreadPool.cpp - The threads of one rank ---------------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/core/ThreadPool.h"

using namespace cleave::rt;

/// How often to look before sleeping. Kernels follow each other closely, so a
/// short spin saves most wake-ups; it stays far below a scheduler slice because
/// ranks may outnumber cores.
constexpr int spinLimit = 2000;

static void pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

ThreadPool::ThreadPool(int32_t size) {
  workers.reserve(size - 1);
  for (int32_t thread = 1; thread < size; ++thread)
    workers.emplace_back([this, thread] { work(thread); });
}

ThreadPool::~ThreadPool() {
  {
    std::lock_guard<std::mutex> lock(mutex);
    isStopped = true;
    ++generation;
  }
  started.notify_all();
  for (std::thread &worker : workers)
    worker.join();
}

void ThreadPool::run(Body newBody, void *newContext) {
  if (workers.empty()) {
    newBody(newContext, 0);
    return;
  }
  {
    std::lock_guard<std::mutex> lock(mutex);
    body = newBody;
    context = newContext;
    running = static_cast<int32_t>(workers.size());
    ++generation;
  }
  started.notify_all();
  newBody(newContext, 0);
  for (int spin = 0; spin < spinLimit && running; ++spin)
    pause();
  if (running) {
    std::unique_lock<std::mutex> lock(mutex);
    finished.wait(lock, [this] { return running == 0; });
  }
}

void ThreadPool::work(int32_t thread) {
  uint64_t seen = 0;
  while (true) {
    for (int spin = 0; spin < spinLimit && generation == seen; ++spin)
      pause();
    Body ownBody;
    void *ownContext;
    {
      std::unique_lock<std::mutex> lock(mutex);
      started.wait(lock, [&] { return generation != seen; });
      if (isStopped)
        return;
      ++seen;
      ownBody = body;
      ownContext = context;
    }
    ownBody(ownContext, thread);
    if (--running == 0) {
      // Under the mutex, so that the caller cannot miss it between its check
      // and its wait.
      std::lock_guard<std::mutex> lock(mutex);
      finished.notify_one();
    }
  }
}
