//===- MpiWorld.h - The processes that mpirun started -----------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_RUNTIME_COMMUNICATORS_MPI_MPIWORLD_H
#define CLEAVE_RUNTIME_COMMUNICATORS_MPI_MPIWORLD_H

#include "runtime/communicators/mpi/MpiTransport.h"
#include "runtime/core/RunState.h"

namespace cleave::rt {

/// What one rank tells all others when its phase changes.
struct MpiNotice {
  int32_t epoch;      ///< which communicator, see MpiWorld::beginEpoch
  int32_t step;       ///< of the sender, from 1
  int32_t phase;      ///< Phase
  int32_t collective; ///< that it is or was in; -1 for none
  int32_t numMissing; ///< for whom it waited in vain
  int32_t missing[16];
  char reason[256]; ///< zero-terminated; "" if it waited for nobody
};

/// This process among those of its run. MPI can be started once per process.
class MpiWorld {
public:
  /// Starts MPI on the first call; throws Error.
  static MpiWorld &get();
  /// Null if get() has not been called.
  static MpiWorld *getIfStarted();
  /// Leaves orderly; all processes must call it.
  static void stopIfStarted();

  int32_t getRank() const { return rank; }
  int32_t getSize() const { return size; }
  /// Ranks on this machine.
  int32_t getNumSharers() const { return sharers; }
  const CleaveMpiTransport &getTransport() const { return *transport; }

  /// Numbers communicators, which all processes create in the same order, so
  /// that a message of one that failed cannot reach the next.
  int32_t beginEpoch() { return ++epoch; }

  /// Sends `notice` to the other ranks below `numRanks`.
  void tell(const MpiNotice &notice, int32_t numRanks);
  /// The next notice of `epoch` and its sender. False if none is there yet.
  bool listen(int32_t epoch, MpiNotice &notice, int32_t &sender);

private:
  MpiWorld();
  void expectNotice();

  struct Outgoing {
    MpiNotice notice;
    void *request = nullptr;
    bool isFree = true;
  };

  const CleaveMpiTransport *transport = nullptr;
  int32_t rank = 0, size = 1, sharers = 1, epoch = 0;
  MpiNotice incoming{};
  void *incomingRequest = nullptr;
  /// Of communicators that this process has not created yet.
  std::vector<std::pair<int32_t, MpiNotice>> early;
  std::vector<std::unique_ptr<Outgoing>> outgoing;
};

/// Whether an MPI launcher started this process, by its environment, and then
/// with how many ranks and as which.
struct MpiLaunch {
  bool isLaunched = false;
  int32_t rank = 0, size = 1;
};
MpiLaunch getMpiLaunch();

} // namespace cleave::rt

#endif // CLEAVE_RUNTIME_COMMUNICATORS_MPI_MPIWORLD_H
