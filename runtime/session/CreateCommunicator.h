//===- CreateCommunicator.h - Communicators by name -------------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_RUNTIME_SESSION_CREATECOMMUNICATOR_H
#define CLEAVE_RUNTIME_SESSION_CREATECOMMUNICATOR_H

#include "cleave-rt/session.h"
#include "runtime/communicators/Communicator.h"

namespace cleave::rt {

/// Communicators for ranks each of which is a process. The first that is
/// created starts what the processes exchange messages by: sockets, if only
/// variables tell them who they are, and else MPI.
std::unique_ptr<Communicator> createMpiCommunicator(RunState &state);
std::unique_ptr<Communicator> createNcclCommunicator(RunState &state);

/// The communicator that the options name. Throws Error(BAD_INPUT) if there is
/// none, or it is not for such programs or such options.
CommunicatorFactory findCommunicator(const cleave_rt_session_options &options,
                                     const Manifest &manifest);

} // namespace cleave::rt

#endif // CLEAVE_RUNTIME_SESSION_CREATECOMMUNICATOR_H
