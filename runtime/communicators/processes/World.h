//===- World.h - The processes of one run -----------------------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_RUNTIME_COMMUNICATORS_PROCESSES_WORLD_H
#define CLEAVE_RUNTIME_COMMUNICATORS_PROCESSES_WORLD_H

#include "runtime/communicators/processes/Notice.h"
#include "runtime/communicators/processes/Start.h"
#include "runtime/communicators/processes/Transport.h"

#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace cleave::rt {

/// This process among those of its run. A transport can be started once per
/// process. Any thread may call; those that call the transport take turns.
class World {
public:
  /// Starts the transport that `open` gives on the first call. Throws Error,
  /// also if it has not started within the deadline, which here is at least
  /// 20 s: then a thread is left behind, and the process can only end by
  /// _Exit().
  static World &get(double deadlineSeconds, Transport (*open)());
  /// Leaves orderly, if there is a world; all processes must call it. Throws
  /// Error as get() does.
  static void stopIfStarted();
  /// Whether a thread was left behind.
  static bool isStuck();

  int32_t getRank() const { return rank; }
  int32_t getSize() const { return size; }
  /// Ranks on this machine.
  int32_t getNumSharers() const { return sharers; }

  /// Those who call the transport hold the mutex, for no longer than it takes:
  /// nothing that they call waits.
  const CleaveTransport &getTransport() const { return *transport.functions; }
  std::mutex &getMutex() const { return mutex; }

  /// Numbers communicators, which all processes create in the same order, so
  /// that a message of one that failed cannot reach the next.
  int32_t beginEpoch() { return ++epoch; }

  /// Sends `notice` to the other ranks below `numRanks`.
  void tell(const Notice &notice, int32_t numRanks);
  /// The next notice of `epoch` and its sender. False if none is there yet.
  bool listen(int32_t epoch, Notice &notice, int32_t &sender);

private:
  World(const Transport &transport, double seconds);
  [[noreturn]] void throwLate(const char *what, const std::string &missing);
  void expectNotice();

  struct Outgoing {
    Notice notice;
    void *request = nullptr;
    bool isFree = true;
  };

  mutable std::mutex mutex;
  TransportThread thread;
  Transport transport;
  double seconds; ///< for the start, and for the end
  int32_t rank = 0, size = 1, sharers = 1, epoch = 0;
  Notice incoming{};
  void *incomingRequest = nullptr;
  /// Of communicators that this process has not created yet.
  std::vector<std::pair<int32_t, Notice>> early;
  std::vector<std::unique_ptr<Outgoing>> outgoing;
};

} // namespace cleave::rt

#endif // CLEAVE_RUNTIME_COMMUNICATORS_PROCESSES_WORLD_H
