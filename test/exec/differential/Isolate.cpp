//===- Isolate.cpp - Run cases in child processes -------------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Isolate.h"
#include <cstring>
#include <type_traits>

using namespace cleave;
using namespace cleave::differential;

namespace {
/// An outcome without its message, which follows.
struct Header {
  Verdict verdict;
  Statistics statistics;
};
static_assert(std::is_trivially_copyable_v<Header>);
} // namespace

static std::string encode(const Outcome &outcome) {
  Header header = {outcome.verdict, outcome.statistics};
  std::string data(sizeof(header), 0);
  std::memcpy(data.data(), &header, sizeof(header));
  return data + outcome.message;
}

static Outcome decode(IsolatedResult result) {
  Outcome outcome;
  if (result.status != IsolatedResult::Done) {
    outcome.verdict = result.status == IsolatedResult::TimedOut
                          ? Verdict::Timeout
                          : Verdict::Crash;
    outcome.message = std::move(result.data);
    return outcome;
  }
  Header header;
  std::memcpy(&header, result.data.data(), sizeof(header));
  outcome.verdict = header.verdict;
  outcome.statistics = header.statistics;
  outcome.message = result.data.substr(sizeof(header));
  return outcome;
}

void cleave::differential::runIsolated(
    uint64_t first, uint64_t count, const IsolationOptions &options,
    const std::function<Outcome(uint64_t)> &run,
    const std::function<void(uint64_t, Outcome)> &done) {
  cleave::runIsolated(
      first, count, options,
      [&](uint64_t number) { return encode(run(number)); },
      [&](uint64_t number, IsolatedResult result) {
        done(number, decode(std::move(result)));
      });
}

Outcome cleave::differential::runIsolated(const IsolationOptions &options,
                                          const std::function<Outcome()> &run) {
  Outcome result;
  runIsolated(
      0, 1, options, [&](uint64_t) { return run(); },
      [&](uint64_t, Outcome outcome) { result = std::move(outcome); });
  return result;
}
