//===- Rendezvous.cpp - Where the ranks of a group meet -------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/communicators/local/Rendezvous.h"

#include <algorithm>
#include <sched.h>
#include <thread>

using namespace cleave::rt;

/// How long to look for the others before sleeping: longer than it takes to
/// wake up. Only briefly if they may be waiting for this very core.
constexpr std::chrono::microseconds spinTime(100);
constexpr int crowdedSpins = 100;

static int32_t countCores() {
  cpu_set_t set;
  if (::sched_getaffinity(0, sizeof(set), &set) == 0)
    return CPU_COUNT(&set);
  return std::max(1u, std::thread::hardware_concurrency());
}

Rendezvous::Rendezvous(const RunState &state, int32_t collective,
                       std::vector<int32_t> ranks)
    : state(state), collective(collective), ranks(std::move(ranks)),
      members(this->ranks.size()), offers(this->ranks.size()) {
  static const int32_t numCores = countCores();
  for (Offers &offer : offers) {
    offer.operands.resize(members.size());
    offer.results.resize(members.size());
  }
  isCrowded = state.getManifest().mesh.getSize() > numCores;
}

void Rendezvous::publish(int32_t position, const void *operand, void *result) {
  members[position].operand = operand;
  members[position].result = result;
}

const Rendezvous::Offers &Rendezvous::readOffers(int32_t position) {
  Offers &own = offers[position];
  for (size_t i = 0; i < members.size(); ++i) {
    own.operands[i] = members[i].operand;
    own.results[i] = members[i].result;
  }
  return own;
}

bool Rendezvous::haveAllPassed(uint64_t point) const {
  for (size_t i = 0; i < ranks.size(); ++i)
    if (members[i].points.load() < point)
      return false;
  return true;
}

bool Rendezvous::isMissing(size_t member, uint64_t point, bool &isGone) const {
  // The phase first: a member passes its points before its phase changes.
  isGone = state.getPhase(ranks[member]) != Phase::Running;
  return members[member].points.load() < point;
}

bool Rendezvous::isHopeless(uint64_t point) const {
  for (size_t i = 0; i < ranks.size(); ++i)
    if (bool isGone; isMissing(i, point, isGone) && isGone)
      return true;
  return false;
}

std::string Rendezvous::explain(uint64_t point, bool isLate) const {
  // Of members that never come, the others are no longer of interest: they may
  // just be slow.
  std::vector<int32_t> missing, gone;
  for (size_t i = 0; i < ranks.size(); ++i)
    if (bool isGone; isMissing(i, point, isGone))
      (isGone ? gone : missing).push_back(ranks[i]);
  if (!gone.empty())
    return state.explainMissing(collective, false, gone);
  return state.explainMissing(collective, isLate, missing);
}

bool Rendezvous::spin(uint64_t point) const {
  auto pause = [] {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
  };
  auto look = [&](int times) {
    for (int i = 0; i < times; ++i) {
      if (haveAllPassed(point))
        return true;
      pause();
    }
    return false;
  };
  if (isCrowded)
    return look(crowdedSpins);
  auto end = std::chrono::steady_clock::now() + spinTime;
  do {
    if (look(64))
      return true;
  } while (std::chrono::steady_clock::now() < end);
  return false;
}

void Rendezvous::arrive(int32_t position) {
  uint64_t point = members[position].points.load(std::memory_order_relaxed) + 1;
  // A sleeper counts itself before its last look, and this is stored before
  // looking for sleepers (both sequentially consistent), so one sees the other.
  members[position].points.store(point);
  if (numSleeping.load() > 0)
    wake();
}

bool Rendezvous::wait(int32_t position, std::string &error) {
  uint64_t point = members[position].points.load(std::memory_order_relaxed);
  if (spin(point))
    return true;

  auto deadline = std::chrono::steady_clock::now() +
                  std::chrono::duration_cast<std::chrono::nanoseconds>(
                      std::chrono::duration<double>(state.getDeadline()));
  std::unique_lock<std::mutex> lock(mutex);
  ++numSleeping;
  bool isMet = true;
  while (!haveAllPassed(point)) {
    // Nothing is allocated unless the run has failed.
    bool isLate = std::chrono::steady_clock::now() >= deadline;
    if (isLate || isHopeless(point)) {
      error = explain(point, isLate);
      isMet = false;
      break;
    }
    changed.wait_until(lock, deadline);
  }
  --numSleeping;
  return isMet;
}

void Rendezvous::wake() {
  // Taking the mutex orders this after the check of any waiter about to sleep.
  {
    std::lock_guard<std::mutex> lock(mutex);
  }
  changed.notify_all();
}
