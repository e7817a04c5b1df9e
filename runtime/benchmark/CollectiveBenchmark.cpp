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
#include <new>
#include <sys/mman.h>
#include <thread>

using namespace cleave::rt;

namespace {
/// Memory as the runtime's host device has it, touched.
class Buffer {
public:
  explicit Buffer(int64_t bytes) : bytes(bytes) {
    data = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (data == MAP_FAILED)
      throw std::bad_alloc();
    ::madvise(data, bytes, MADV_HUGEPAGE);
    std::memset(data, 0, bytes);
  }
  ~Buffer() { ::munmap(data, bytes); }
  Buffer(const Buffer &) = delete;
  void *get() const { return data; }

private:
  void *data;
  int64_t bytes;
};
} // namespace

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
      Buffer operand(getWholeBytes(spec)), result(bytes);
      std::string error;
      std::array<std::function<void()>, 2> bodies = {
          [&] {
            communicator->run(rank, id, operand.get(), result.get(), error);
          },
          [&] { std::memcpy(result.get(), operand.get(), bytes); }};
      auto [seconds, copySeconds] =
          measure(getWholeBytes(spec), bodies, [&] { barrier.meet(); });
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
