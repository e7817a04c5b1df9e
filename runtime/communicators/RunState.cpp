//===- RunState.cpp - Who runs, waits, finished or failed -----------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/communicators/RunState.h"
#include "runtime/communicators/CollectivePlan.h"
#include "runtime/core/Error.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

using namespace cleave::rt;

RunState::RunState(const Manifest &manifest, double deadlineSeconds,
                   LinkModel link)
    : manifest(manifest), deadlineSeconds(deadlineSeconds), link(link),
      entries(new Entry[manifest.mesh.getSize()]) {}

std::string RunState::formatReason(const Entry &entry) {
  return entry.reason.empty() ? "" : ": " + entry.reason;
}

bool RunState::missesSilent(int32_t rank) const {
  const std::vector<int32_t> &missing = entries[rank].missing;
  return entries[rank].phase == Phase::Failed &&
         std::any_of(missing.begin(), missing.end(), [this](int32_t other) {
           return entries[other].phase == Phase::Running;
         });
}

int32_t RunState::findExplained(const std::vector<int32_t> &missing) const {
  int32_t result = -1;
  for (int32_t rank : missing) {
    if (entries[rank].phase != Phase::Failed || entries[rank].reason.empty())
      continue;
    if (missesSilent(rank))
      return rank;
    if (result < 0)
      result = rank;
  }
  return result;
}

std::string
RunState::explainMissing(int32_t collective, bool deadlinePassed,
                         const std::vector<int32_t> &missing) const {
  std::string text =
      (collective < 0 ? std::string("the end of the step")
                      : describe(manifest.collectives[collective])) +
      ": ";
  if (deadlinePassed) {
    char seconds[32];
    std::snprintf(seconds, sizeof(seconds), "%g", deadlineSeconds);
    text += std::string("the deadline of ") + seconds + " s passed; ";
  }
  text += missing.size() == 1 ? "missing rank " : "missing ranks ";
  int32_t explained = findExplained(missing);
  for (size_t i = 0; i < missing.size(); ++i) {
    const Entry &entry = entries[missing[i]];
    text += (i ? ", " : "") + std::to_string(missing[i]);
    Phase phase = entry.phase;
    int32_t other = entry.collective;
    if (phase == Phase::Finished)
      text += " (finished the step)";
    else if (explained >= 0 && explained != missing[i])
      text += phase == Phase::Failed ? " (failed)" : "";
    else if (other >= 0 && other != collective)
      text += std::string(phase == Phase::Failed ? " (failed in " : " (in ") +
              describe(manifest.collectives[other]) + formatReason(entry) + ")";
    else if (phase == Phase::Failed)
      text += " (failed" + formatReason(entry) + ")";
  }
  return text;
}

void RunState::hang() {
  std::unique_lock<std::mutex> lock(mutex);
  ++numHanging;
  abandoned.wait(lock, [this] { return isAbandoned; });
  --numHanging;
}

void RunState::abandon() {
  {
    std::lock_guard<std::mutex> lock(mutex);
    isAbandoned = true;
  }
  abandoned.notify_all();
}

Fault cleave::rt::getFaultFromEnvironment() {
  Fault fault;
  const char *text = std::getenv("CLEAVE_RT_FAULT");
  if (!text || !*text)
    return fault;
  long long rank, collective = -1;
  char mode[8];
  int used = 0;
  fault.isAtStart =
      std::sscanf(text, "rank=%lld,collective=start,mode=%7[a-z]%n", &rank,
                  mode, &used) == 2;
  bool isWhole = fault.isAtStart ||
                 (std::sscanf(text, "rank=%lld,collective=%lld,mode=%7[a-z]%n",
                              &rank, &collective, mode, &used) == 3 &&
                  collective >= 0);
  std::string modeText = isWhole ? mode : "";
  if (!isWhole || text[used] || rank < 0 || rank > INT32_MAX ||
      (modeText != "hang" && modeText != "fail"))
    throwBadInput("CLEAVE_RT_FAULT must be "
                  "'rank=R,collective=K|start,mode=hang|fail', got " +
                  quote(text));
  fault.rank = static_cast<int32_t>(rank);
  fault.collective = collective;
  fault.isHang = modeText == "hang";
  return fault;
}

bool cleave::rt::mayRecordByEnvironment() {
  const char *text = std::getenv("CLEAVE_RT_RECORD");
  std::string value = text ? text : "";
  if (value != "" && value != "0" && value != "1")
    throwBadInput("CLEAVE_RT_RECORD must be 0 or 1, got " + quote(value));
  return value != "0";
}

int32_t cleave::rt::getIgnoredEventFromEnvironment(const Manifest &manifest) {
  const char *text = std::getenv("CLEAVE_RT_IGNORED_EVENT");
  if (!text || !*text)
    return -1;
  char *end;
  long event = std::strtol(text, &end, 10);
  if (*end || event < 0 || event >= manifest.numEvents)
    throwBadInput("CLEAVE_RT_IGNORED_EVENT must be one of the " +
                  std::to_string(manifest.numEvents) +
                  " events of the program, got " + quote(text));
  return static_cast<int32_t>(event);
}
