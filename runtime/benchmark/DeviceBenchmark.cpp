//===- DeviceBenchmark.cpp - Speed of collectives between GPUs ------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Prints `ENGINE WHAT BYTES SECONDS` lines of collectives between buffers of
// GPUs:
//
//   cleave-rt-device-benchmark local RANKS [LARGEST [REPEATS]]
//   cleave-rt-device-benchmark nccl RANKS [LARGEST [REPEATS]]
//
// `local` ranks are threads, rank r on GPU r modulo the number of GPUs; there
// are also the copies that bound what they do: `copy ranks`, in which each rank
// copies a peer's buffer; `copy alone`, in which one copies in its own memory
// and the others wait; `upload ranks` and `download ranks`, in which each
// copies from and to memory of the host that is locked for it. Of `nccl`, this
// is one of RANKS processes, which variables or mpirun tell who they are.
//
// A batch is started as a whole and then waited for, so that the time to start
// one copy, or one collective of NCCL, is not in the figures while it is
// shorter than what is started. What `local` does on the host is part of it.
//
//===----------------------------------------------------------------------===//

#include "runtime/benchmark/CollectiveCases.h"
#include "runtime/communicators/local/LocalCommunicator.h"
#include "runtime/communicators/processes/Launch.h"
#include "runtime/communicators/processes/Processes.h"
#include "runtime/communicators/processes/World.h"
#include "runtime/core/Error.h"
#include "runtime/devices/cuda/CudaDevice.h"
#include "runtime/session/CreateCommunicator.h"

#include <cstdlib>
#include <string>
#include <thread>

using namespace cleave::rt;

namespace {
struct Options {
  std::string engine;
  int64_t numRanks = 0, largest = 64 << 20, repeats = 500;

  BatchSize getBatchSize() const {
    return {256 << 20, std::min<int64_t>(4, repeats), repeats};
  }
};

/// What the ranks of this process share.
struct Run {
  const Options &options;
  const Manifest &manifest;
  Communicator &communicator;
  /// Waits for all ranks, wherever they are.
  std::function<void()> meet;
  /// Of all ranks, if they are threads.
  std::vector<char *> buffers;
};
} // namespace

/// The copies of one size that bound what a collective of as many bytes can do.
static void measureCopies(const Run &run, int32_t rank, Device &device,
                          int64_t bytes, char *own, char *result,
                          char *staging) {
  auto meet = [&] {
    device.finish(CLEAVE_RT_COMPUTE, "copies");
    run.meet();
  };
  auto copy = [&](void *to, const void *from) {
    device.copyRuns(to, bytes, from, bytes, bytes, 1, CLEAVE_RT_COMPUTE);
  };
  const char *peer = run.buffers[(rank + 1) % run.buffers.size()];
  std::array<std::function<void()>, 4> bodies = {
      [&] { copy(result, peer); },
      [&] {
        if (rank == 0)
          copy(result, own);
      },
      [&] { copy(result, staging); }, [&] { copy(staging, result); }};
  std::array<double, 4> seconds =
      measure(bytes, bodies, meet, run.options.getBatchSize());
  if (rank != 0)
    return;
  printTime("copy", "ranks", bytes, seconds[0]);
  printTime("copy", "alone", bytes, seconds[1]);
  printTime("upload", "ranks", bytes, seconds[2]);
  printTime("download", "ranks", bytes, seconds[3]);
}

static void measureRank(Run &run, int32_t rank) {
  const Options &options = run.options;
  Communicator &communicator = run.communicator;
  std::unique_ptr<Device> device = createCudaDevice(
      run.manifest, {1, rank, communicator.isAsynchronous(), false});
  communicator.attach(rank, *device);
  char *operand = static_cast<char *>(device->allocate(options.largest));
  char *result = static_cast<char *>(device->allocate(options.largest));
  char *staging = static_cast<char *>(device->allocateStaging(options.largest));
  bool areThreads = !run.buffers.empty();
  if (areThreads)
    run.buffers[rank] = operand;
  run.meet();
  for (size_t id = 0; id < run.manifest.collectives.size(); ++id) {
    const CollectiveSpec &spec = run.manifest.collectives[id];
    int64_t bytes = getWholeBytes(spec);
    std::array<std::function<void()>, 1> bodies = {[&] {
      std::string error;
      if (!communicator.run(rank, static_cast<int32_t>(id), operand, result,
                            error))
        throwRunFailed(error);
    }};
    auto meet = [&] {
      device->finish(CLEAVE_RT_COMPUTE, describe(spec));
      run.meet();
    };
    auto [seconds] = measure(bytes, bodies, meet, options.getBatchSize());
    if (rank == 0)
      printTime(options.engine.c_str(), spec, seconds);
    bool isLastOfSize = id + 1 == run.manifest.collectives.size() ||
                        getWholeBytes(run.manifest.collectives[id + 1]) > bytes;
    if (areThreads && isLastOfSize)
      measureCopies(run, rank, *device, bytes, operand, result, staging);
  }
  // Peers may still read what is there.
  run.meet();
  communicator.detach(rank);
  device->free(operand, options.largest);
  device->free(result, options.largest);
  device->freeStaging(staging, options.largest);
}

[[noreturn]] static void leave(const std::exception &error) {
  std::fprintf(stderr, "error: %s\n", error.what());
  std::fflush(stderr);
  const auto *known = dynamic_cast<const Error *>(&error);
  // Other ranks wait for this one.
  std::_Exit(known ? known->getStatus() : CLEAVE_RT_RUN_FAILED);
}

static void measureThreads(const Options &options, const Manifest &manifest) {
  RunState state(manifest, 60);
  std::unique_ptr<Communicator> communicator = createLocalCommunicator(state);
  Barrier barrier(options.numRanks);
  Run run{options, manifest, *communicator, [&] { barrier.meet(); },
          std::vector<char *>(options.numRanks)};
  auto work = [&](int32_t rank) {
    try {
      measureRank(run, rank);
    } catch (const std::exception &error) {
      leave(error);
    }
  };
  std::vector<std::thread> threads;
  for (int32_t rank = 0; rank < options.numRanks; ++rank)
    threads.emplace_back(work, rank);
  for (std::thread &thread : threads)
    thread.join();
}

static void measureProcess(const Options &options, const Manifest &manifest) {
  RunState state(manifest, 60);
  std::unique_ptr<Communicator> communicator = createNcclCommunicator(state);
  Processes *processes = communicator->getProcesses();
  Run run{
      options, manifest, *communicator, [&] { processes->getMaximum(0); }, {}};
  measureRank(run, processes->getRank());
  communicator.reset();
  World::stopIfStarted();
}

int main(int argc, char **argv) {
  Options options;
  options.engine = argc > 1 ? argv[1] : "";
  options.numRanks = argc > 2 ? std::atoll(argv[2]) : 0;
  if (argc > 3)
    options.largest = std::atoll(argv[3]);
  if (argc > 4)
    options.repeats = std::atoll(argv[4]);
  bool isLocal = options.engine == "local";
  if ((!isLocal && options.engine != "nccl") || options.numRanks < 2 ||
      options.numRanks > 64 || options.largest < 1024 || options.repeats < 1) {
    std::fprintf(stderr, "usage: cleave-rt-device-benchmark local|nccl RANKS "
                         "[LARGEST [REPEATS]], 2 to 64 ranks\n");
    return CLEAVE_RT_BAD_INPUT;
  }
  int32_t numRanks = static_cast<int32_t>(options.numRanks);
  Manifest manifest{};
  manifest.mesh.axes = {{"x", options.numRanks}};
  manifest.collectives = makeBenchmarkSpecs(options.numRanks, options.largest);
  try {
    if (isLocal) {
      measureThreads(options, manifest);
    } else {
      // Each says so: mpirun stops the others when the first one ends.
      requireLaunch(numRanks, "nccl");
      checkLaunched(numRanks, "nccl of");
      measureProcess(options, manifest);
    }
  } catch (const std::exception &error) {
    leave(error);
  }
  return 0;
}
