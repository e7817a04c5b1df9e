//===- CollectiveCases.h - What to measure of collectives -------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_RUNTIME_BENCHMARK_COLLECTIVECASES_H
#define CLEAVE_RUNTIME_BENCHMARK_COLLECTIVECASES_H

#include "runtime/core/Manifest.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <functional>
#include <thread>

namespace cleave::rt {

/// Lets threads go on together.
class Barrier {
public:
  explicit Barrier(int64_t count) : count(count) {}
  void meet() {
    int64_t target = (arrived.fetch_add(1) / count + 1) * count;
    while (arrived.load() < target)
      std::this_thread::yield();
  }

private:
  int64_t count;
  std::atomic<int64_t> arrived{0};
};

/// f32 collectives over all of `numRanks` ranks; S is the size of the whole
/// buffer: what all_reduce reduces, what all_gather makes, what reduce_scatter
/// and all_to_all take.
inline std::vector<CollectiveSpec> makeBenchmarkSpecs(int64_t numRanks,
                                                      int64_t largest) {
  std::vector<CollectiveSpec> specs;
  for (int64_t size = 1024; size <= largest; size *= 4)
    for (CollectiveKind kind :
         {CollectiveKind::AllReduce, CollectiveKind::AllGather,
          CollectiveKind::ReduceScatter, CollectiveKind::AllToAll}) {
      CollectiveSpec spec{};
      int64_t part = size / 4 / numRanks;
      spec.kind = kind;
      spec.dtype = DType::F32;
      spec.axes = {{0, 1, numRanks}};
      spec.operandShape = spec.resultShape = {part * numRanks};
      if (kind == CollectiveKind::AllGather)
        spec.operandShape = {part};
      if (kind == CollectiveKind::ReduceScatter)
        spec.resultShape = {part};
      if (kind == CollectiveKind::AllToAll) {
        spec.operandShape = {numRanks, part};
        spec.resultShape = {1, part * numRanks};
        spec.splitDim = 0;
        spec.concatDim = 1;
      }
      specs.push_back(spec);
    }
  return specs;
}

/// The S of a collective, in bytes.
inline int64_t getWholeBytes(const CollectiveSpec &spec) {
  return std::max(getBytes(spec.operandShape, spec.dtype),
                  getBytes(spec.resultShape, spec.dtype));
}

/// How often a batch calls: until so many bytes have been through, but at least
/// and at most so many times.
struct BatchSize {
  int64_t bytes = 32 << 20, least = 1, most = 2000;
};

/// Seconds per call of each of `bodies`, by the fastest of some batches: others
/// use the cores, too. Batches of all take turns, so that all have the same
/// neighbours. All ranks call it with equal `bytes`; `meet` lets them begin a
/// batch together and end it.
template <size_t N, typename Meet>
std::array<double, N>
measure(int64_t bytes, const std::array<std::function<void()>, N> &bodies,
        Meet &&meet, const BatchSize &size = {}) {
  int64_t repeats = std::clamp(size.bytes / bytes, size.least,
                               std::max(size.least, size.most));
  std::array<double, N> best;
  best.fill(1e30);
  for (int batch = 0; batch < 8; ++batch)
    for (size_t i = 0; i < N; ++i) {
      meet();
      auto begin = std::chrono::steady_clock::now();
      for (int64_t j = 0; j < repeats; ++j)
        bodies[i]();
      // The time until all are done: who works while others are not on their
      // cores has the memory for itself.
      meet();
      std::chrono::duration<double> time =
          std::chrono::steady_clock::now() - begin;
      // The first batch touches the memory.
      if (batch > 0)
        best[i] = std::min(best[i], time.count() / repeats);
    }
  return best;
}

inline void printTime(const char *engine, const char *what, int64_t bytes,
                      double seconds) {
  std::printf("%s %s %lld %.9f\n", engine, what, static_cast<long long>(bytes),
              seconds);
  std::fflush(stdout);
}

inline void printTime(const char *engine, const CollectiveSpec &spec,
                      double seconds) {
  printTime(engine, getName(spec.kind), getWholeBytes(spec), seconds);
}

} // namespace cleave::rt

#endif // CLEAVE_RUNTIME_BENCHMARK_COLLECTIVECASES_H
