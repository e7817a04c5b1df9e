//===- Trace.h - Events for a Chrome trace ----------------------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_RUNTIME_SESSION_TRACE_H
#define CLEAVE_RUNTIME_SESSION_TRACE_H

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace cleave::rt {

using Clock = std::chrono::steady_clock;

enum class EventKind : uint8_t {
  Step,
  Launch,
  Collective,
  Gemm,
  Convolution,
  Copy
};

/// One event of one rank. `id` is the manifest position of a collective, gemm
/// or convolution, the number of the step, or the ordinal of a launch or copy
/// in its step.
struct Event {
  EventKind kind;
  int32_t id;
  Clock::time_point begin, end;
};

struct Manifest;

/// The events of the streams of all ranks, rank by rank, as Chrome trace JSON:
/// one row ("tid") per stream with events, at least one per rank. Times count
/// from `origin`.
std::string formatTrace(const Manifest &manifest, Clock::time_point origin,
                        const std::vector<const std::vector<Event> *> &streams);

} // namespace cleave::rt

#endif // CLEAVE_RUNTIME_SESSION_TRACE_H
