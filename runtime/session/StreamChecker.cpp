//===- StreamChecker.cpp - Finds what no event orders ---------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/session/StreamChecker.h"

#include <algorithm>

using namespace cleave::rt;

static const char *const streamNames[] = {"compute", "communication"};

void StreamChecker::begin(const void *newArena, int64_t arenaBytes) {
  arena = reinterpret_cast<uintptr_t>(newArena);
  arenaEnd = arena + arenaBytes;
  ranges.clear();
  for (Clock &event : events)
    event.fill(0);
  for (int32_t stream = 0; stream < CLEAVE_RT_NUM_STREAMS; ++stream) {
    clocks[stream].fill(0);
    clocks[stream][stream] = 1;
  }
}

void StreamChecker::join(Clock &clock, const Clock &other) {
  for (size_t i = 0; i < clock.size(); ++i)
    clock[i] = std::max(clock[i], other[i]);
}

void StreamChecker::record(int32_t event, int32_t stream) {
  if (event == ignoredEvent)
    return;
  events[event] = clocks[stream];
  ++clocks[stream][stream];
}

void StreamChecker::wait(int32_t event, int32_t stream) {
  if (event != ignoredEvent)
    join(clocks[stream], events[event]);
}

void StreamChecker::synchronize(int32_t stream) {
  for (Clock &clock : clocks)
    join(clock, clocks[stream]);
  ++clocks[stream][stream];
}

void StreamChecker::split(uintptr_t address) {
  auto next = ranges.upper_bound(address);
  if (next == ranges.begin())
    return;
  auto range = std::prev(next);
  if (range->first == address || range->second.end <= address)
    return;
  ranges.emplace_hint(next, address, range->second);
  range->second.end = address;
}

void StreamChecker::check(int32_t stream, const char *what, const char *verb,
                          uintptr_t begin, uintptr_t end, const Uses &others,
                          const char *otherVerb) {
  for (int32_t other = 0; other < CLEAVE_RT_NUM_STREAMS; ++other) {
    const Use &use = others[other];
    if (other == stream || use.time <= clocks[stream][other])
      continue;
    std::string place = "an input or output";
    uintptr_t base = 0;
    if (begin >= arena && end <= arenaEnd) {
      place = "the arena";
      base = arena;
    }
    conflicts.emplace(std::pair(use.what, what),
                      std::string(use.what) + " on stream " +
                          streamNames[other] + " " + otherVerb + " and " +
                          what + " on stream " + streamNames[stream] + " " +
                          verb + " bytes " +
                          (base ? std::to_string(begin - base) + " to " +
                                      std::to_string(end - base) + " of "
                                : "of ") +
                          place + ", and no event orders them");
  }
}

void StreamChecker::access(int32_t stream, const void *data, int64_t bytes,
                           bool isWrite, const char *what) {
  uintptr_t begin = reinterpret_cast<uintptr_t>(data), end = begin + bytes;
  split(begin);
  split(end);
  const char *verb = isWrite ? "writes" : "reads";
  for (uintptr_t next = begin; next < end;) {
    auto range = ranges.lower_bound(next);
    if (range == ranges.end() || range->first > next) {
      // What nobody has used so far.
      uintptr_t free =
          range == ranges.end() ? end : std::min(end, range->first);
      range = ranges.emplace_hint(range, next, Range{free, {}, {}});
    }
    Uses &reads = range->second.reads, &writes = range->second.writes;
    check(stream, what, verb, next, range->second.end, writes, "writes");
    if (isWrite)
      check(stream, what, verb, next, range->second.end, reads, "reads");
    (isWrite ? writes : reads)[stream] = {clocks[stream][stream], what};
    next = range->second.end;
  }
}

std::string StreamChecker::formatReport() const {
  if (conflicts.empty())
    return "";
  std::string text = conflicts.begin()->second;
  if (conflicts.size() > 1)
    text += " (and " + std::to_string(conflicts.size() - 1) + " more)";
  return text;
}
