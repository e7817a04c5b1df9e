//===- RunState.h - Who runs, waits, finished or failed ---------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the ranks of one run know of each other, so that a rank that waits in
// vain can say for whom. Communicators read it; ranks write their own entry.
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_RUNTIME_COMMUNICATORS_RUNSTATE_H
#define CLEAVE_RUNTIME_COMMUNICATORS_RUNSTATE_H

#include "runtime/core/Manifest.h"

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>

namespace cleave::rt {

/// A rank in `Finished` or `Failed` enters no further collective of this step.
enum class Phase : int32_t { Running, Finished, Failed };

/// The links that a run pretends to have: a collective takes at least
/// `latencySeconds` + bytes that the rank receives / `bytesPerSecond` from when
/// its ranks have met, for which the rank sleeps. 0 bytes per second: none.
struct LinkModel {
  double bytesPerSecond = 0;
  double latencySeconds = 0;
  bool isUsed() const { return bytesPerSecond > 0 || latencySeconds > 0; }
};

class RunState {
public:
  RunState(const Manifest &manifest, double deadlineSeconds,
           LinkModel link = {});

  const Manifest &getManifest() const { return manifest; }
  double getDeadline() const { return deadlineSeconds; }
  const LinkModel &getLink() const { return link; }

  Phase getPhase(int32_t rank) const { return entries[rank].phase.load(); }
  void setPhase(int32_t rank, Phase phase) { entries[rank].phase = phase; }
  /// The collective a rank is in, -1 for none.
  void setCollective(int32_t rank, int32_t id) {
    entries[rank].collective = id;
    if (id >= 0)
      entries[rank].lastCollective = id;
  }

  int32_t getCollective(int32_t rank) const { return entries[rank].collective; }
  /// The same, or the last that it was in.
  int32_t getLastCollective(int32_t rank) const {
    return entries[rank].lastCollective;
  }

  /// Why a rank has failed, as far as known: for whom it waited in vain. Not to
  /// be called by several threads; ranks that are threads need no reasons.
  void setReason(int32_t rank, std::string reason,
                 std::vector<int32_t> missing) {
    entries[rank].reason = std::move(reason);
    entries[rank].missing = std::move(missing);
  }
  const std::string &getReason(int32_t rank) const {
    return entries[rank].reason;
  }
  const std::vector<int32_t> &getMissing(int32_t rank) const {
    return entries[rank].missing;
  }

  /// Whether a rank has failed since it missed one that has told nothing.
  bool missesSilent(int32_t rank) const;
  /// The text for a rank that gave up waiting for `missing`; a negative
  /// `collective` stands for the end of the step.
  std::string explainMissing(int32_t collective, bool deadlinePassed,
                             const std::vector<int32_t> &missing) const;

  /// Blocks until abandon(): how a hang is simulated without leaving a thread
  /// that cannot be joined.
  void hang();
  void abandon();
  int32_t getNumHanging() const { return numHanging; }

private:
  struct Entry {
    std::atomic<Phase> phase{Phase::Running};
    std::atomic<int32_t> collective{-1}, lastCollective{-1};
    std::string reason;
    std::vector<int32_t> missing;
  };

  static std::string formatReason(const Entry &entry);
  /// The one of `missing` whose reason is told, since those of others are
  /// mostly consequences: the first that misses a silent rank, or else the
  /// first that has a reason. -1 if none has.
  int32_t findExplained(const std::vector<int32_t> &missing) const;

  const Manifest &manifest;
  double deadlineSeconds;
  LinkModel link;
  std::unique_ptr<Entry[]> entries;
  std::mutex mutex;
  std::condition_variable abandoned;
  bool isAbandoned = false;
  std::atomic<int32_t> numHanging{0};
};

/// CLEAVE_RT_FAULT="rank=R,collective=K,mode=hang|fail": rank R stops at its
/// K-th collective (from 0, all steps together) without entering it, or, if K
/// is `start`, before it starts MPI. For tests of everything that must happen
/// then.
struct Fault {
  int32_t rank = -1;
  int64_t collective = 0; ///< -1 for the start
  bool isHang = false, isAtStart = false;
};
/// Throws Error(BAD_INPUT) if the variable is set and malformed.
Fault getFaultFromEnvironment();

/// CLEAVE_RT_RECORD=0: devices record no steps. Throws Error(BAD_INPUT) if it
/// is set and neither 0 nor 1.
bool mayRecordByEnvironment();

/// CLEAVE_RT_IGNORED_EVENT=N: event N orders nothing for the check of streams,
/// for tests that it is needed. -1 if it is not set; throws Error(BAD_INPUT) if
/// there is no such event.
int32_t getIgnoredEventFromEnvironment(const Manifest &manifest);

} // namespace cleave::rt

#endif // CLEAVE_RUNTIME_COMMUNICATORS_RUNSTATE_H
