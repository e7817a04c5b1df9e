//===- Launch.h - Who started this process ----------------------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A run with a process per rank is started by mpirun, or by a launcher that
// tells each process by variables who it is, as torchrun and others do it:
//
//   RANK, WORLD_SIZE          which process this is, and of how many
//   MASTER_ADDR, MASTER_PORT  where rank 0 listens (on the next port if the
//                             launcher's own store has that one)
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_RUNTIME_COMMUNICATORS_PROCESSES_LAUNCH_H
#define CLEAVE_RUNTIME_COMMUNICATORS_PROCESSES_LAUNCH_H

#include <cstdint>
#include <string>

namespace cleave::rt {

enum class Launcher {
  None,
  Mpi,      ///< the variables of Open MPI, or of MPICH and its relatives
  Variables ///< those above, which mpirun's go before
};

/// What a launcher tells the process that it started by its environment.
struct Launch {
  Launcher launcher = Launcher::None;
  int32_t rank = 0, numRanks = 1;

  /// Of Mpi: ranks on this machine; 0 if unknown.
  int32_t numLocal = 0;
  /// Of Mpi: the same for all processes of one run on one machine, and for no
  /// others; "" if unknown.
  std::string job;

  /// Of Variables: where rank 0 listens.
  std::string address, port;

  bool isLaunched() const { return launcher != Launcher::None; }
  /// Whether this process may speak for all.
  bool isFirst() const { return rank == 0; }
};
Launch getLaunch();

/// What keeps processes that are told RANK or WORLD_SIZE from finding each
/// other; empty if nothing does, if neither is there, or mpirun tells who they
/// are.
std::string findMistakeInVariables();

/// Throws Error(BAD_INPUT) if a launcher has started another number of
/// processes than `numRanks`, which is of `whose`: "a mesh of".
void checkLaunched(int32_t numRanks, const std::string &whose);

/// Throws Error(BAD_INPUT) if there is no launcher. `what` needs one, a process
/// for each of `numRanks` ranks.
void requireLaunch(int32_t numRanks, const std::string &what);

} // namespace cleave::rt

#endif // CLEAVE_RUNTIME_COMMUNICATORS_PROCESSES_LAUNCH_H
