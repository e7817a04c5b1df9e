//===- World.h - The processes of one run -----------------------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_RUNTIME_COMMUNICATORS_PROCESSES_WORLD_H
#define CLEAVE_RUNTIME_COMMUNICATORS_PROCESSES_WORLD_H

#include "runtime/communicators/RunState.h"
#include "runtime/communicators/processes/Start.h"
#include "runtime/communicators/processes/Transport.h"

namespace cleave::rt {

/// What one rank tells all others when its phase changes.
struct Notice {
  int32_t epoch;      ///< which communicator, see World::beginEpoch
  int32_t step;       ///< of the sender, from 1
  int32_t phase;      ///< Phase
  int32_t collective; ///< that it is or was in; -1 for none
  int32_t numMissing; ///< for whom it waited in vain
  int32_t missing[16];
  char reason[256]; ///< zero-terminated; "" if it waited for nobody
};

/// This process among those of its run. MPI can be started once per process.
/// Any thread may call; those that call MPI take turns.
class World {
public:
  /// Starts MPI on the first call. Throws Error, also if it has not started
  /// within the deadline, which here is at least 20 s: then a thread is left
  /// behind, and the process can only end by _Exit().
  static World &get(double deadlineSeconds);
  /// Leaves orderly, if MPI was started; all processes must call it. Throws
  /// Error as get() does.
  static void stopIfStarted();
  /// Whether a thread was left behind.
  static bool isStuck();

  int32_t getRank() const { return rank; }
  int32_t getSize() const { return size; }
  /// Ranks on this machine.
  int32_t getNumSharers() const { return sharers; }

  /// Those who call MPI hold the mutex, for no longer than it takes: nothing
  /// that they call waits.
  const CleaveTransport &getTransport() const { return *transport; }
  std::mutex &getMutex() const { return mutex; }

  /// Numbers communicators, which all processes create in the same order, so
  /// that a message of one that failed cannot reach the next.
  int32_t beginEpoch() { return ++epoch; }

  /// Sends `notice` to the other ranks below `numRanks`.
  void tell(const Notice &notice, int32_t numRanks);
  /// The next notice of `epoch` and its sender. False if none is there yet.
  bool listen(int32_t epoch, Notice &notice, int32_t &sender);

private:
  explicit World(double seconds);
  void expectNotice();

  struct Outgoing {
    Notice notice;
    void *request = nullptr;
    bool isFree = true;
  };

  mutable std::mutex mutex;
  TransportThread keeper;
  double seconds; ///< for the start, and for the end
  const CleaveTransport *transport = nullptr;
  int32_t rank = 0, size = 1, sharers = 1, epoch = 0;
  Notice incoming{};
  void *incomingRequest = nullptr;
  /// Of communicators that this process has not created yet.
  std::vector<std::pair<int32_t, Notice>> early;
  std::vector<std::unique_ptr<Outgoing>> outgoing;
};

} // namespace cleave::rt

#endif // CLEAVE_RUNTIME_COMMUNICATORS_PROCESSES_WORLD_H
