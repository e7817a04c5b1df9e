//===- Isolation.h - Run work in child processes ----------------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A crash or a hang of the compiler, or of a program it made, must cost one
// input and not all of them. Children are forked, so that they start with
// everything this process has set up, and take several inputs each.
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_SUPPORT_ISOLATION_H
#define CLEAVE_SUPPORT_ISOLATION_H

#include <cstdint>
#include <functional>
#include <limits>
#include <string>

namespace cleave {

struct IsolationOptions {
  /// Children at a time.
  unsigned jobs = 1;
  /// Numbers that one child takes, one after the other.
  unsigned batch = 1;
  /// For one number, after which its child is killed.
  double secondsEach = 60;
  /// The same in processor time of the child, all threads together; a machine
  /// that is busy with other work does not use it up.
  double processorSecondsEach = std::numeric_limits<double>::infinity();
};

struct IsolatedResult {
  enum Status { Done, Crashed, TimedOut };
  Status status = Done;
  /// What `run` returned; of a crash, how the child ended and the first line it
  /// wrote to stderr.
  std::string data;
};

/// Calls `run` for each number from `first` to `first + count` in child
/// processes; a number that crashes or takes too long ends its child only.
/// `done` is called in this process, once per number, in order of completion.
/// What children print is discarded. This process must have no other threads,
/// since a child has none of them.
void runIsolated(uint64_t first, uint64_t count,
                 const IsolationOptions &options,
                 const std::function<std::string(uint64_t)> &run,
                 const std::function<void(uint64_t, IsolatedResult)> &done);

} // namespace cleave

#endif // CLEAVE_SUPPORT_ISOLATION_H
