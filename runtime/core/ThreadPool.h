//===- ThreadPool.h - The threads of one rank -------------------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_RUNTIME_CORE_THREADPOOL_H
#define CLEAVE_RUNTIME_CORE_THREADPOOL_H

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>
#include <vector>

namespace cleave::rt {

/// A fixed number of threads, the caller's included. Used from one thread at a
/// time; running work allocates nothing.
class ThreadPool {
public:
  /// body(context, thread) with thread in [0, getSize()).
  using Body = void (*)(void *context, int32_t thread);

  explicit ThreadPool(int32_t size);
  ~ThreadPool();

  int32_t getSize() const { return static_cast<int32_t>(workers.size()) + 1; }

  /// Calls `body` once per thread and returns when all are done. The body must
  /// not throw.
  void run(Body body, void *context);

  /// Splits [0, extent) into contiguous chunks, one per thread, and calls
  /// function(thread, begin, end) for those that are not empty.
  template <typename Function> void split(int64_t extent, Function &&function) {
    if (getSize() == 1 || extent <= 1) {
      if (extent > 0)
        function(0, int64_t(0), extent);
      return;
    }
    struct Context {
      Function &function;
      int64_t extent;
      int32_t size;
    } context{function, extent, getSize()};
    run(
        [](void *opaque, int32_t thread) {
          auto &context = *static_cast<Context *>(opaque);
          // The first `extent % size` chunks are one longer.
          int64_t base = context.extent / context.size;
          int64_t rest = context.extent % context.size;
          int64_t begin = thread * base + (thread < rest ? thread : rest);
          int64_t end = begin + base + (thread < rest);
          if (begin < end)
            context.function(thread, begin, end);
        },
        &context);
  }

private:
  void work(int32_t thread);

  std::mutex mutex;
  std::condition_variable started, finished;
  std::atomic<uint64_t> generation{0};
  std::atomic<int32_t> running{0};
  bool isStopped = false;
  Body body = nullptr;
  void *context = nullptr;
  std::vector<std::thread> workers;
};

} // namespace cleave::rt

#endif // CLEAVE_RUNTIME_CORE_THREADPOOL_H
