//===- CollectiveBenchmark.cpp - Speed of local collectives ---------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Prints `ENGINE COLLECTIVE BYTES SECONDS` lines for the engines `local` and
// `memcpy`: as many threads, each of which copies as many bytes as its result
// of the collective has. `cleave-rt-collective-benchmark [RANKS [LARGEST]]`.
//
//===----------------------------------------------------------------------===//

#include "runtime/benchmark/CollectiveCases.h"
#include "runtime/communicators/local/LocalCommunicator.h"

#include <cstdlib>
#include <cstring>
#include <memory>
#include <thread>

using namespace cleave::rt;

namespace {
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

struct Free {
  void operator()(void *data) const { std::free(data); }
};
} // namespace

/// Aligned as the runtime's buffers are, and touched.
static std::unique_ptr<void, Free> allocate(int64_t bytes) {
  void *data = std::aligned_alloc(64, (bytes + 63) / 64 * 64);
  std::memset(data, 0, bytes);
  return std::unique_ptr<void, Free>(data);
}

int main(int argc, char **argv) {
  int64_t numRanks = argc > 1 ? std::atoi(argv[1]) : 2;
  int64_t largest = argc > 2 ? std::atoll(argv[2]) : 256 << 20;
  if (numRanks < 1 || numRanks > 1024) {
    std::fprintf(stderr, "error: the number of ranks must be 1 to 1024\n");
    return 2;
  }
  Manifest manifest{};
  manifest.mesh.axes = {{"x", numRanks}};
  manifest.collectives = makeBenchmarkSpecs(numRanks, largest);
  RunState state(manifest, 60);
  std::unique_ptr<Communicator> communicator = createLocalCommunicator(state);
  Barrier barrier(numRanks);
  auto work = [&](int32_t rank) {
    for (size_t id = 0; id < manifest.collectives.size(); ++id) {
      const CollectiveSpec &spec = manifest.collectives[id];
      int64_t bytes = getBytes(spec.resultShape, spec.dtype);
      auto operand = allocate(getWholeBytes(spec));
      auto result = allocate(bytes);
      auto meet = [&] { barrier.meet(); };
      std::string error;
      double seconds = measure(
          getWholeBytes(spec),
          [&] {
            communicator->run(rank, id, operand.get(), result.get(), error);
          },
          meet);
      double copySeconds = measure(
          getWholeBytes(spec),
          [&] { std::memcpy(result.get(), operand.get(), bytes); }, meet);
      if (rank == 0) {
        printTime("local", spec, seconds);
        printTime("memcpy", spec, copySeconds);
      }
    }
  };
  std::vector<std::thread> threads;
  for (int32_t rank = 1; rank < numRanks; ++rank)
    threads.emplace_back(work, rank);
  work(0);
  for (std::thread &thread : threads)
    thread.join();
  return 0;
}
