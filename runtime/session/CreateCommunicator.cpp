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
#include "runtime/communicators/nccl/NcclCommunicator.h"
#include "runtime/core/Error.h"

using namespace cleave::rt;

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
