//===- Processes.h - The other processes of a run ---------------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_RUNTIME_COMMUNICATORS_PROCESSES_PROCESSES_H
#define CLEAVE_RUNTIME_COMMUNICATORS_PROCESSES_PROCESSES_H

#include <cstdint>
#include <string>
#include <vector>

namespace cleave::rt {

/// What a session does with the other processes, if each rank has one. All
/// ranks call the same functions in the same order; each waits at most until
/// the deadline, and throws Error(RUN_FAILED) if a rank is missing.
class Processes {
public:
  virtual ~Processes() = default;

  /// The rank that is this process.
  virtual int32_t getRank() const = 0;
  /// Ranks that share the cores that this process may use.
  virtual int32_t getNumSharers() const = 0;

  virtual void beginStep() = 0;
  /// Waits for all ranks to end the step.
  virtual void endStep() = 0;

  /// Rank 0 gets what every rank gives, by rank; the others get nothing.
  virtual std::vector<std::string> gather(const std::string &data) = 0;
  /// The largest of all numbers, on every rank.
  virtual int32_t getMaximum(int32_t number) = 0;
  /// From another rank to rank 0. `bytes` are equal on both sides.
  virtual void send(const void *data, int64_t bytes) = 0;
  virtual void receive(int32_t rank, void *data, int64_t bytes) = 0;

  /// Ends this process after a failure that others may not know of: tells them,
  /// gives them time to report it, too, and ends those that no longer answer.
  [[noreturn]] virtual void leave(int32_t status) = 0;
};

} // namespace cleave::rt

#endif // CLEAVE_RUNTIME_COMMUNICATORS_PROCESSES_PROCESSES_H
