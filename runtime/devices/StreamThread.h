//===- StreamThread.h - A stream that is a thread ---------------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_RUNTIME_DEVICES_STREAMTHREAD_H
#define CLEAVE_RUNTIME_DEVICES_STREAMTHREAD_H

#include "runtime/devices/Device.h"

#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace cleave::rt {

/// Runs works one after the other beside the thread that starts them. Who waits
/// for one that nobody has begun runs it itself, so that waiting at once costs
/// no change of threads. Allocates only when constructed and in failures.
class StreamThread {
public:
  StreamThread();
  /// Drops what has not begun.
  ~StreamThread();

  void start(const StreamWork &work);
  /// Works started so far.
  int64_t getNumStarted() const { return numStarted; }
  /// Waits until the first `count` works are done. After one has thrown, the
  /// following are dropped, and every wait throws the same.
  void waitFor(int64_t count);
  /// Drops what has not begun; waits for what has.
  void cancel();

private:
  void work();
  /// Runs the next work, if there is one and none is running; `lock` is
  /// released meanwhile.
  bool runNext(std::unique_lock<std::mutex> &lock);

  std::mutex mutex;
  /// Something was started, or is done.
  std::condition_variable started, done;
  std::vector<StreamWork> queue; ///< a ring
  int64_t numStarted = 0, numDone = 0;
  bool isRunning = false, isDropping = false, isStopping = false;
  std::exception_ptr failure;
  std::thread thread;
};

} // namespace cleave::rt

#endif // CLEAVE_RUNTIME_DEVICES_STREAMTHREAD_H
