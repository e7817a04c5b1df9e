//===- Peers.cpp - What a process knows of the others ---------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/communicators/processes/Peers.h"
#include "runtime/communicators/processes/Backoff.h"

#include <algorithm>
#include <climits>
#include <cstring>
#include <unistd.h>

using namespace cleave::rt;

/// The step of a rank that has reported its failure.
constexpr int32_t leaving = INT32_MAX;

/// How long after a failure the missed may tell why, and after the end of a
/// peer's step its last messages may come.
constexpr double settleSeconds = 1, lastMessagesSeconds = 1;
/// How long a rank that somebody misses gets to report that it is alive.
constexpr double missedSeconds = 0.5;

/// A tag is a bit for the algorithm below these for the collective below those
/// of the communicator.
constexpr int32_t collectiveBits = 20, epochBits = 10;

Peers::Peers(World &world, RunState &state)
    : world(world), state(state), epoch(world.beginEpoch()),
      numRanks(state.getManifest().mesh.getSize()), notices(numRanks),
      isCrowded(world.getNumSharers() > ::sysconf(_SC_NPROCESSORS_ONLN)) {
  beginStep();
}

int32_t Peers::getTag(int32_t collective) const {
  return ((epoch & ((1 << epochBits) - 1)) << collectiveBits | collective) << 1;
}

int32_t Peers::getTag(MessageSlot slot) const {
  return getTag((1 << collectiveBits) - static_cast<int32_t>(slot));
}

int32_t Peers::getMostCollectives() {
  return (1 << collectiveBits) - static_cast<int32_t>(MessageSlot::Count);
}

Peers::Clock::time_point Peers::getDeadline(double seconds) {
  return Clock::now() + std::chrono::duration_cast<Clock::duration>(
                            std::chrono::duration<double>(seconds));
}

void Peers::beginStep() {
  std::lock_guard<std::mutex> lock(mutex);
  ++step;
  for (int32_t rank = 0; rank < numRanks; ++rank) {
    bool isEnded = rank != world.getRank() && notices[rank].step >= step;
    state.setPhase(rank, isEnded ? static_cast<Phase>(notices[rank].phase)
                                 : Phase::Running);
  }
}

Notice Peers::makeNotice() const {
  int32_t rank = world.getRank();
  Notice notice{};
  notice.epoch = epoch;
  notice.step = step;
  notice.phase = static_cast<int32_t>(state.getPhase(rank));
  notice.collective = state.getCollective(rank);
  const std::vector<int32_t> &missing = state.getMissing(rank);
  notice.numMissing =
      static_cast<int32_t>(std::min(missing.size(), std::size(notice.missing)));
  std::copy_n(missing.begin(), notice.numMissing, notice.missing);
  std::strncpy(notice.reason, state.getReason(rank).c_str(),
               sizeof(notice.reason) - 1);
  return notice;
}

void Peers::tellPhase() {
  std::lock_guard<std::mutex> lock(mutex);
  world.tell(makeNotice(), numRanks);
}

void Peers::setReason(std::string reason, std::vector<int32_t> missing) {
  std::lock_guard<std::mutex> lock(mutex);
  state.setReason(world.getRank(), std::move(reason), std::move(missing));
}

std::string Peers::explainMissing(int32_t collective, bool isLate,
                                  const std::vector<int32_t> &missing) const {
  std::lock_guard<std::mutex> lock(mutex);
  return state.explainMissing(collective, isLate, missing);
}

void Peers::read(const Notice &notice, int32_t sender) {
  if (sender < 0 || sender >= numRanks)
    return;
  notices[sender] = notice;
  if (notice.step < step)
    return;
  state.setCollective(sender, notice.collective);
  state.setReason(sender, notice.reason,
                  {notice.missing, notice.missing + notice.numMissing});
  state.setPhase(sender, static_cast<Phase>(notice.phase));
}

void Peers::listen() {
  std::lock_guard<std::mutex> lock(mutex);
  Notice notice;
  int32_t sender;
  while (world.listen(epoch, notice, sender))
    read(notice, sender);
}

bool Peers::isAnyMissingEnded(const Messages &messages, Phase phase) const {
  bool result = false;
  messages.forEachPeer(
      [&](int32_t peer) { result |= state.getPhase(peer) == phase; });
  return result;
}

bool Peers::isMissed() const {
  std::lock_guard<std::mutex> lock(mutex);
  int32_t own = world.getRank();
  for (int32_t rank = 0; rank < numRanks; ++rank) {
    if (rank == own || state.getPhase(rank) != Phase::Failed)
      continue;
    const std::vector<int32_t> &missing = state.getMissing(rank);
    if (std::find(missing.begin(), missing.end(), own) != missing.end())
      return true;
  }
  return false;
}

bool Peers::isAnySilent() const {
  std::lock_guard<std::mutex> lock(mutex);
  for (int32_t rank = 0; rank < numRanks; ++rank)
    if (rank != world.getRank() && state.missesSilent(rank))
      return true;
  return false;
}

void Peers::tellFailure(const Failure &failure) {
  std::string text = explainMissing(-1, failure.isLate, failure.missing);
  setReason(text.substr(text.find(": ") + 2), failure.missing);
  state.setPhase(world.getRank(), Phase::Failed);
  tellPhase();
}

void Peers::settle(const Messages &messages) {
  Clock::time_point end = getDeadline(settleSeconds);
  Backoff backoff(isCrowded);
  while (Clock::now() < end) {
    listen();
    bool isUnexplained = false;
    messages.forEachPeer(
        [&](int32_t peer) { isUnexplained |= !isEnded(peer); });
    if (!isUnexplained)
      return;
    backoff.pause();
  }
}

bool Peers::explain(const Messages &messages, bool isLate, Failure &failure) {
  // Of peers that never come, the others are no longer of interest: they may
  // just be slow.
  std::vector<int32_t> missing, gone;
  messages.forEachPeer([&](int32_t peer) {
    std::vector<int32_t> &list = isEnded(peer) ? gone : missing;
    if (std::find(list.begin(), list.end(), peer) == list.end())
      list.push_back(peer);
  });
  failure.isLate = isLate && gone.empty();
  failure.missing = gone.empty() ? missing : gone;
  std::sort(failure.missing.begin(), failure.missing.end());
  failure.error = messages.getError();
  return !gone.empty();
}

bool Peers::wait(Messages &messages, Clock::time_point deadline,
                 Failure &failure) {
  Backoff backoff(isCrowded);
  Clock::time_point lastChance = Clock::time_point::max();
  for (int64_t count = 0; !messages.poll(); ++count) {
    backoff.pause();
    if (count % 16 != 0)
      continue;
    listen();
    Clock::time_point now = Clock::now();
    // A notice can overtake the last messages of a peer that has finished.
    if (lastChance == Clock::time_point::max() &&
        isAnyMissingEnded(messages, Phase::Finished))
      lastChance = getDeadline(lastMessagesSeconds);
    bool isLate = now >= deadline;
    // Who has given up waiting for this rank wants to know for whom it waits.
    bool hasToTell = isLate || isMissed();
    bool isHopeless = now >= lastChance || !messages.getError().empty() ||
                      isAnyMissingEnded(messages, Phase::Failed);
    if (!hasToTell && !isHopeless)
      continue;
    if (messages.poll())
      return true;
    if (!explain(messages, isLate, failure) && hasToTell) {
      // Those who wait for this rank need not wait for their deadline, and who
      // is missing may know why.
      tellFailure(failure);
      settle(messages);
      explain(messages, isLate, failure);
    }
    messages.cancel();
    return false;
  }
  return true;
}

std::vector<int32_t> Peers::waitForEnd(Clock::time_point deadline) {
  Backoff backoff(isCrowded);
  auto isMissing = [&](int32_t rank) {
    return rank != world.getRank() && !isEnded(rank);
  };
  auto isComplete = [&] {
    bool isAnyMissing = false, hasAnyFailed = false;
    for (int32_t rank = 0; rank < numRanks; ++rank) {
      isAnyMissing |= isMissing(rank);
      hasAnyFailed |= state.getPhase(rank) == Phase::Failed;
    }
    return !isAnyMissing || hasAnyFailed;
  };
  for (listen(); !isComplete() && Clock::now() < deadline; listen())
    backoff.pause();
  Clock::time_point end = getDeadline(settleSeconds);
  for (; isAnySilent() && Clock::now() < end; listen())
    backoff.pause();
  std::vector<int32_t> missing;
  for (int32_t rank = 0; rank < numRanks; ++rank)
    if (isMissing(rank))
      missing.push_back(rank);
  return missing;
}

void Peers::tellLeaving() {
  std::lock_guard<std::mutex> lock(mutex);
  Notice notice = makeNotice();
  notice.step = leaving;
  world.tell(notice, numRanks);
}

std::vector<int32_t> Peers::waitForLeaving(Clock::time_point deadline) {
  Backoff backoff(isCrowded);
  // Who is missed may be slow, rather than dead.
  Clock::time_point patience = getDeadline(missedSeconds);
  std::vector<int32_t> silent;
  while (true) {
    listen();
    std::unique_lock<std::mutex> lock(mutex);
    std::vector<bool> isMissed(numRanks);
    for (int32_t rank = 0; rank < numRanks; ++rank)
      if (state.getPhase(rank) == Phase::Failed)
        for (int32_t missed : state.getMissing(rank))
          isMissed[missed] = true;
    silent.clear();
    bool isWaiting = false;
    for (int32_t rank = 0; rank < numRanks; ++rank) {
      if (rank == world.getRank() || notices[rank].step == leaving)
        continue;
      silent.push_back(rank);
      // A missed rank that has failed is alive.
      isWaiting |= !isMissed[rank] || state.getPhase(rank) == Phase::Failed;
    }
    lock.unlock();
    Clock::time_point now = Clock::now();
    if (silent.empty() || now >= deadline || (!isWaiting && now >= patience))
      return silent;
    backoff.pause();
  }
}
