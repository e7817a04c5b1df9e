//===- Peers.h - What a process knows of the others -------------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_RUNTIME_COMMUNICATORS_PROCESSES_PEERS_H
#define CLEAVE_RUNTIME_COMMUNICATORS_PROCESSES_PEERS_H

#include "runtime/communicators/RunState.h"
#include "runtime/communicators/processes/Messages.h"

#include <chrono>

namespace cleave::rt {

class Processes;

/// What messages that belong to no collective are for.
enum class MessageSlot : int32_t { Gather = 1, Agree, Shard, Start, Count };

/// Keeps the phases of the other ranks in a RunState by the notices that they
/// send when a step ends or fails: size - 1 messages per rank and step. Waits
/// for messages without ever blocking in the transport. Any thread may call:
/// one can wait for messages while another tells that the rank has failed.
class Peers {
public:
  using Clock = std::chrono::steady_clock;

  Peers(World &world, RunState &state);

  World &getWorld() const { return world; }
  RunState &getState() const { return state; }

  /// Tags of messages: even, and unique for a collective or a slot of one
  /// communicator. The odd ones that follow are free for the same purpose.
  int32_t getTag(int32_t collective) const;
  int32_t getTag(MessageSlot slot) const;
  /// What there are tags for.
  static int32_t getMostCollectives();

  /// Begins the next step. Others may have ended it already.
  void beginStep();
  /// Tells the own phase, with the collective and the reason of a failure.
  void tellPhase();
  /// Keeps the reason why this rank has failed, to be told.
  void setReason(std::string reason, std::vector<int32_t> missing);
  /// RunState::explainMissing() of what is known by now.
  std::string explainMissing(int32_t collective, bool isLate,
                             const std::vector<int32_t> &missing) const;
  /// Reads the notices that have arrived.
  void listen();

  /// Why messages will not be moved.
  struct Failure {
    bool isLate = false;
    std::vector<int32_t> missing;
    std::string error; ///< the transport's, or ""
  };
  /// Waits until `messages` are moved or `deadline` passes or a peer has
  /// ended. False with a reason and without messages if they cannot be.
  bool wait(Messages &messages, Clock::time_point deadline, Failure &failure);

  /// Waits for all ranks to end the step or one to fail, and then for those
  /// that it misses to say why; at most until `deadline`, or little longer.
  /// Those that have not ended are returned.
  std::vector<int32_t> waitForEnd(Clock::time_point deadline);

  /// Tells that this rank has reported its failure and ends. Waits until the
  /// others tell so, too, but for those that somebody misses, and at most until
  /// `deadline`. Returns who has not answered.
  void tellLeaving();
  std::vector<int32_t> waitForLeaving(Clock::time_point deadline);

  /// `seconds` from now.
  static Clock::time_point getDeadline(double seconds);

private:
  bool isEnded(int32_t rank) const {
    return state.getPhase(rank) != Phase::Running;
  }
  Notice makeNotice() const;
  /// Whether somebody has given up waiting for this rank.
  bool isMissed() const;
  /// Whether a rank has failed that misses one that has told nothing.
  bool isAnySilent() const;
  bool isAnyMissingEnded(const Messages &messages, Phase phase) const;
  /// Whether a peer has ended without moving its messages, which explains it.
  bool explain(const Messages &messages, bool isLate, Failure &failure);
  void tellFailure(const Failure &failure);
  void read(const Notice &notice, int32_t sender);
  void settle(const Messages &messages);

  World &world;
  RunState &state;
  /// Guards `step`, `notices` and the reasons in `state`; taken before that of
  /// `world`.
  mutable std::mutex mutex;
  int32_t epoch, step = 0, numRanks;
  /// The last notice of each rank.
  std::vector<Notice> notices;
  bool isCrowded; ///< more ranks than cores
};

/// What a session does with the other processes.
std::unique_ptr<Processes> createProcesses(Peers &peers);

} // namespace cleave::rt

#endif // CLEAVE_RUNTIME_COMMUNICATORS_PROCESSES_PEERS_H
