//===- Start.h - Starting and stopping in time ------------------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All processes start a transport together and stop it together, and nothing in
// MPI bounds how long that takes if one of them does not come.
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_RUNTIME_COMMUNICATORS_PROCESSES_START_H
#define CLEAVE_RUNTIME_COMMUNICATORS_PROCESSES_START_H

#include "runtime/communicators/processes/Launch.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace cleave::rt {

/// The one thread that starts and stops a transport: MPI wants both from the
/// same.
class TransportThread {
public:
  TransportThread();
  ~TransportThread();

  /// Waits for `task` at most `seconds`, and calls `look` now and then
  /// meanwhile. False if it has not ended: the thread then is left to it, and
  /// no other task will be run. The task may outlive the caller's variables.
  bool run(std::function<void()> task, double seconds,
           const std::function<void()> &look);

private:
  struct State;
  static void work(State &state);
  std::shared_ptr<State> state;
};

/// Which ranks of this machine have come to the start. Each process
/// binds an abstract socket, to which nothing is sent: its name alone tells
/// others of the same run, and vanishes with the process. Whose it is can be
/// asked, and whether that process has ended or is stopped.
class Arrivals {
public:
  /// A process that has been dead or stopped for `patience` is missing; those
  /// that give up one after another at the same deadline are not.
  explicit Arrivals(const Launch &launch, std::chrono::milliseconds patience =
                                              std::chrono::seconds(5));
  ~Arrivals();
  Arrivals(const Arrivals &) = delete;

  /// Looks for those that have not been seen so far, and whether others are
  /// alive.
  void look();
  /// "missing ranks 2, 3", as far as it can be told.
  std::string describeMissing() const;

private:
  struct Arrival {
    bool isSeen = false;
    int32_t process = 0; ///< 0 if it cannot be told
    std::chrono::steady_clock::time_point lastAlive;
  };
  void probe(int32_t rank);
  std::vector<int32_t> findSilent() const;

  Launch launch;
  std::chrono::milliseconds patience;
  int mark = -1;
  std::vector<Arrival> arrivals; ///< by rank
};

} // namespace cleave::rt

#endif // CLEAVE_RUNTIME_COMMUNICATORS_PROCESSES_START_H
