//===- CollectiveBenchmark.cpp - Speed of local collectives ---------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Prints microseconds per all_reduce and all_gather of f32 among local ranks.
// `cleave-rt-collective-benchmark [RANKS]`.
//
//===----------------------------------------------------------------------===//

#include "runtime/communicators/local/LocalCommunicator.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>

using namespace cleave::rt;

int main(int argc, char **argv) {
  int64_t numRanks = argc > 1 ? std::atoi(argv[1]) : 2;
  if (numRanks < 1 || numRanks > 1024) {
    std::fprintf(stderr, "error: the number of ranks must be 1 to 1024\n");
    return 2;
  }
  Manifest manifest{};
  manifest.mesh.axes = {{"x", numRanks}};
  for (int64_t elements : {256, 16384, 262144, 4194304})
    for (CollectiveKind kind :
         {CollectiveKind::AllReduce, CollectiveKind::AllGather}) {
      CollectiveSpec spec{};
      spec.kind = kind;
      spec.dtype = DType::F32;
      spec.axes = {{0, 1, numRanks}};
      spec.operandShape = spec.resultShape = {elements};
      if (kind == CollectiveKind::AllGather)
        spec.operandShape = {(elements + numRanks - 1) / numRanks};
      manifest.collectives.push_back(spec);
    }
  RunState state(manifest, 60);
  std::unique_ptr<Communicator> communicator = createLocalCommunicator(state);
  for (size_t id = 0; id < manifest.collectives.size(); ++id) {
    const CollectiveSpec &spec = manifest.collectives[id];
    int64_t elements = spec.resultShape[0];
    int64_t repeats = 20000000 / (elements + 20000);
    std::vector<std::thread> threads;
    auto begin = std::chrono::steady_clock::now();
    for (int32_t rank = 0; rank < numRanks; ++rank)
      threads.emplace_back([&, rank] {
        std::vector<float> operand(elements), result(elements);
        std::string error;
        for (int64_t i = 0; i < repeats; ++i)
          communicator->run(rank, id, operand.data(), result.data(), error);
      });
    for (std::thread &thread : threads)
      thread.join();
    double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin)
            .count() /
        repeats;
    std::printf(
        "%-12s %9lld bytes %10.1f us %8.2f GB/s per rank received\n",
        getName(spec.kind), static_cast<long long>(elements * 4), seconds * 1e6,
        static_cast<double>(communicator->getBytes(id)) / seconds * 1e-9);
  }
}
