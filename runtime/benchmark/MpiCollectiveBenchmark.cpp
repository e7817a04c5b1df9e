//===- MpiCollectiveBenchmark.cpp - Speed of collectives by MPI -----------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// As CollectiveBenchmark.cpp for the engines `mpi`, which is ours, and
// `openmpi`, the functions that MPI has for it.
// `mpirun -np RANKS cleave-rt-mpi-collective-benchmark [LARGEST]`.
//
//===----------------------------------------------------------------------===//

#include "runtime/benchmark/CollectiveCases.h"
#include "runtime/communicators/processes/World.h"
#include "runtime/core/Error.h"
#include "runtime/session/CreateCommunicator.h"

#include <cstdlib>
#include <mpi.h>

using namespace cleave::rt;

static void runOpenMpi(const CollectiveSpec &spec, int numRanks,
                       const void *operand, void *result) {
  int whole = static_cast<int>(getWholeBytes(spec) / 4);
  int part = whole / numRanks;
  switch (spec.kind) {
  case CollectiveKind::AllReduce:
    MPI_Allreduce(operand, result, whole, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
    break;
  case CollectiveKind::AllGather:
    MPI_Allgather(operand, part, MPI_FLOAT, result, part, MPI_FLOAT,
                  MPI_COMM_WORLD);
    break;
  case CollectiveKind::ReduceScatter:
    MPI_Reduce_scatter_block(operand, result, part, MPI_FLOAT, MPI_SUM,
                             MPI_COMM_WORLD);
    break;
  default:
    MPI_Alltoall(operand, part, MPI_FLOAT, result, part, MPI_FLOAT,
                 MPI_COMM_WORLD);
  }
}

static void run(int64_t largest) {
  int numRanks, rank;
  MPI_Comm_size(MPI_COMM_WORLD, &numRanks);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  Manifest manifest{};
  manifest.mesh.axes = {{"x", numRanks}};
  manifest.collectives = makeBenchmarkSpecs(numRanks, largest);
  RunState state(manifest, 60);
  std::unique_ptr<Communicator> communicator = createMpiCommunicator(state);
  auto meet = [] { MPI_Barrier(MPI_COMM_WORLD); };
  for (size_t id = 0; id < manifest.collectives.size(); ++id) {
    const CollectiveSpec &spec = manifest.collectives[id];
    std::vector<float> operand(getWholeBytes(spec) / 4);
    std::vector<float> result(getBytes(spec.resultShape, spec.dtype) / 4);
    std::string error;
    std::array<std::function<void()>, 2> bodies = {
        [&] {
          if (!communicator->run(rank, id, operand.data(), result.data(),
                                 error))
            throwRunFailed(error);
        },
        [&] { runOpenMpi(spec, numRanks, operand.data(), result.data()); }};
    auto [seconds, openSeconds] = measure(getWholeBytes(spec), bodies, meet);
    if (rank != 0)
      continue;
    printTime("mpi", spec, seconds);
    printTime("openmpi", spec, openSeconds);
  }
}

int main(int argc, char **argv) {
  int level;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &level);
  try {
    run(argc > 1 ? std::atoll(argv[1]) : 256 << 20);
  } catch (const Error &error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    MPI_Abort(MPI_COMM_WORLD, 3);
  }
  World::stopIfStarted();
  MPI_Finalize();
  return 0;
}
