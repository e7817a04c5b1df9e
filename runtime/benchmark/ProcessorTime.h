//===- ProcessorTime.h - How long one thread takes --------------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_RUNTIME_BENCHMARK_PROCESSORTIME_H
#define CLEAVE_RUNTIME_BENCHMARK_PROCESSORTIME_H

#include <algorithm>
#include <ctime>

namespace cleave::rt {

/// Seconds that the processor has spent on this thread.
inline double getProcessorSeconds() {
  timespec time;
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) +
         static_cast<double>(time.tv_nsec) * 1e-9;
}

/// Seconds of the processor that `body` takes on this thread: the best of
/// several rounds of 20 ms, after one call that brings everything into the
/// caches.
template <typename Body> double measure(Body &&body) {
  body();
  double best = 1e9;
  for (int round = 0; round < 10; ++round) {
    double begin = getProcessorSeconds(), elapsed = 0;
    int count = 0;
    for (; elapsed < 0.02; elapsed = getProcessorSeconds() - begin, ++count)
      body();
    best = std::min(best, elapsed / count);
  }
  return best;
}

} // namespace cleave::rt

#endif // CLEAVE_RUNTIME_BENCHMARK_PROCESSORTIME_H
