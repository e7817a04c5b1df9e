//===- StreamChecker.h - Finds what no event orders -------------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_RUNTIME_SESSION_STREAMCHECKER_H
#define CLEAVE_RUNTIME_SESSION_STREAMCHECKER_H

#include "cleave-rt/cleave-rt.h"

#include <array>
#include <map>
#include <string>
#include <vector>

namespace cleave::rt {

/// Notes which bytes the operations of a rank read and write, and reports two
/// that use the same bytes on different streams, one of them writing, unless
/// the order in which they were issued to streams, records and waits order
/// them: in this run they may have been, in another they need not.
///
/// The order is kept by vector clocks (Fidge, Timestamps in Message-Passing
/// Systems, 1988; Mattern, Virtual Time and Global States, 1989). A stream's
/// own clock counts its records, since only there can others get to know what
/// it has done.
class StreamChecker {
public:
  /// `ignoredEvent` orders nothing, so that a test can see that it is needed;
  /// -1 for none.
  StreamChecker(int32_t numEvents, int32_t ignoredEvent)
      : ignoredEvent(ignoredEvent), events(numEvents) {}

  /// A new step; all streams are empty.
  void begin(const void *arena, int64_t arenaBytes);
  void access(int32_t stream, const void *data, int64_t bytes, bool isWrite,
              const char *what);
  void record(int32_t event, int32_t stream);
  void wait(int32_t event, int32_t stream);
  /// The host has waited for `stream`: whatever is issued from now on follows.
  void synchronize(int32_t stream);

  /// What was found in all steps so far, or "".
  std::string formatReport() const;

private:
  using Clock = std::array<int64_t, CLEAVE_RT_NUM_STREAMS>;
  /// The last use by a stream; at 0 there was none.
  struct Use {
    int64_t time = 0;
    const char *what = nullptr;
  };
  using Uses = std::array<Use, CLEAVE_RT_NUM_STREAMS>;
  /// Bytes up to `end` that were used alike.
  struct Range {
    uintptr_t end;
    Uses reads, writes;
  };
  /// By first byte.
  using Ranges = std::map<uintptr_t, Range>;

  /// Makes a range begin at `address`, if one covers it.
  void split(uintptr_t address);
  void check(int32_t stream, const char *what, const char *verb,
             uintptr_t begin, uintptr_t end, const Uses &others,
             const char *otherVerb);
  static void join(Clock &clock, const Clock &other);

  int32_t ignoredEvent;
  std::vector<Clock> events;
  std::array<Clock, CLEAVE_RT_NUM_STREAMS> clocks;
  Ranges ranges;
  uintptr_t arena = 0, arenaEnd = 0;
  /// Pairs of operations that conflict, and how.
  std::map<std::pair<std::string, std::string>, std::string> conflicts;
};

} // namespace cleave::rt

#endif // CLEAVE_RUNTIME_SESSION_STREAMCHECKER_H
