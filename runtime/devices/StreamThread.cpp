//===- StreamThread.cpp - A stream that is a thread -----------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/devices/StreamThread.h"

#include <pthread.h>
#include <string>

using namespace cleave::rt;

/// Works that may be outstanding; who starts another one waits.
constexpr size_t queueSize = 256;

StreamThread::StreamThread() : queue(queueSize) {
  // For debuggers: that of the creator, `rank N`, cut to what a name may have.
  char name[16] = "";
  ::pthread_getname_np(::pthread_self(), name, sizeof(name));
  std::string own = std::string(name).substr(0, 10) + " comm";
  thread = std::thread([this, own] {
    ::pthread_setname_np(::pthread_self(), own.c_str());
    work();
  });
}

StreamThread::~StreamThread() {
  {
    std::lock_guard<std::mutex> lock(mutex);
    isDropping = isStopping = true;
  }
  started.notify_all();
  thread.join();
}

bool StreamThread::runNext(std::unique_lock<std::mutex> &lock) {
  if (isRunning || numDone == numStarted)
    return false;
  const StreamWork next = queue[numDone % queueSize];
  if (!isDropping) {
    isRunning = true;
    lock.unlock();
    std::exception_ptr thrown;
    try {
      next.run(next);
    } catch (...) {
      thrown = std::current_exception();
    }
    lock.lock();
    isRunning = false;
    if (thrown) {
      failure = thrown;
      isDropping = true;
    }
  }
  ++numDone;
  done.notify_all();
  return true;
}

void StreamThread::work() {
  std::unique_lock<std::mutex> lock(mutex);
  while (true) {
    started.wait(lock, [this] {
      return isStopping || (numDone < numStarted && !isRunning);
    });
    if (!runNext(lock) && isStopping)
      return;
  }
}

void StreamThread::start(const StreamWork &work) {
  {
    std::unique_lock<std::mutex> lock(mutex);
    while (numStarted - numDone == queueSize)
      if (!runNext(lock))
        done.wait(lock);
    queue[numStarted++ % queueSize] = work;
  }
  started.notify_one();
}

void StreamThread::waitFor(int64_t count) {
  std::unique_lock<std::mutex> lock(mutex);
  while (numDone < count)
    if (!runNext(lock))
      done.wait(lock);
  // What it left while another was running.
  if (numDone < numStarted)
    started.notify_one();
  if (failure)
    std::rethrow_exception(failure);
}

void StreamThread::cancel() {
  std::unique_lock<std::mutex> lock(mutex);
  isDropping = true;
  while (numDone < numStarted)
    if (!runNext(lock))
      done.wait(lock);
}
