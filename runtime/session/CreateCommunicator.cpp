//===- CreateCommunicator.cpp - Communicators by name ---------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/session/CreateCommunicator.h"
#include "runtime/communicators/local/LocalCommunicator.h"
#include "runtime/communicators/mpi/MpiCommunicator.h"
#include "runtime/communicators/mpi/MpiTransport.h"
#include "runtime/communicators/nccl/NcclCommunicator.h"
#include "runtime/communicators/tcp/TcpTransport.h"
#include "runtime/core/Error.h"

#include <unistd.h>

using namespace cleave::rt;

static Transport openTransport() {
  return getLaunch().launcher == Launcher::Variables ? getTcpTransport()
                                                     : openMpiTransport();
}

/// Does what CLEAVE_RT_FAULT says of this rank's start.
static void failAtStartIfTold() {
  Fault fault = getFaultFromEnvironment();
  if (!fault.isAtStart || fault.rank != getLaunch().rank)
    return;
  if (!fault.isHang)
    throwRunFailed("rank " + std::to_string(fault.rank) +
                   ": stopped by CLEAVE_RT_FAULT");
  while (true)
    ::pause();
}

std::unique_ptr<Communicator>
cleave::rt::createMpiCommunicator(RunState &state) {
  failAtStartIfTold();
  World &world = World::get(state.getDeadline(), openTransport);
  int32_t numRanks = state.getManifest().mesh.getSize();
  if (world.getSize() < numRanks)
    throwBadInput("the program is compiled for a mesh of " +
                  std::to_string(numRanks) + " ranks, but MPI has " +
                  std::to_string(world.getSize()) +
                  "; start it with mpirun -np " + std::to_string(numRanks));
  return std::make_unique<MpiCommunicator>(world, state);
}

std::unique_ptr<Communicator>
cleave::rt::createNcclCommunicator(RunState &state) {
  bool isAlone = state.getManifest().mesh.getSize() == 1;
  World *world =
      isAlone ? nullptr : &World::get(state.getDeadline(), openTransport);
  return std::make_unique<NcclCommunicator>(world, state);
}

CommunicatorFactory
cleave::rt::findCommunicator(const cleave_rt_session_options &options,
                             const Manifest &manifest) {
  std::string name = options.communicator ? options.communicator : "local";
  if (name != "local" && name != "mpi" && name != "nccl")
    throwBadInput("there is no communicator " + quote(name) +
                  "; expected local, mpi or nccl");
  if (name == "local")
    return createLocalCommunicator;
  if (options.link_bandwidth || options.link_latency)
    throwBadInput("only the communicator local has a model of links");
  if (manifest.isForGpu() != (name == "nccl"))
    throwBadInput("the program is for " + manifest.target +
                  ", whose ranks communicate by local or " +
                  (manifest.isForGpu() ? "nccl" : "mpi") + ", not " + name);
  return name == "nccl" ? createNcclCommunicator : createMpiCommunicator;
}
