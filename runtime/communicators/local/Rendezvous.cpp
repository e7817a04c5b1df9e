//===- Rendezvous.cpp - Where the ranks of a group meet -------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/communicators/local/Rendezvous.h"

using namespace cleave::rt;

/// A brief look before sleeping; ranks often outnumber cores, so not longer.
constexpr int spinLimit = 100;

Rendezvous::Rendezvous(const RunState &state, int32_t collective,
                       std::vector<int32_t> ranks)
    : state(state), collective(collective), ranks(std::move(ranks)),
      operands(this->ranks.size()), results(this->ranks.size()),
      passed(new std::atomic<uint64_t>[this->ranks.size()]) {
  for (size_t i = 0; i < this->ranks.size(); ++i)
    passed[i] = 0;
}

void Rendezvous::publish(int32_t position, const void *operand, void *result) {
  operands[position] = operand;
  results[position] = result;
}

bool Rendezvous::haveAllPassed(uint64_t point) const {
  for (size_t i = 0; i < ranks.size(); ++i)
    if (passed[i].load(std::memory_order_acquire) < point)
      return false;
  return true;
}

bool Rendezvous::isMissing(size_t member, uint64_t point, bool &isGone) const {
  // The phase first: a member passes its points before its phase changes.
  isGone = state.getPhase(ranks[member]) != Phase::Running;
  return passed[member].load(std::memory_order_acquire) < point;
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

bool Rendezvous::meet(int32_t position, std::string &error) {
  uint64_t point = passed[position].load(std::memory_order_relaxed) + 1;
  {
    // Under the mutex, so that no waiter misses it between check and wait.
    std::lock_guard<std::mutex> lock(mutex);
    passed[position].store(point, std::memory_order_release);
  }
  changed.notify_all();

  for (int spin = 0; spin < spinLimit; ++spin) {
    if (haveAllPassed(point))
      return true;
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
  }
  auto deadline = std::chrono::steady_clock::now() +
                  std::chrono::duration_cast<std::chrono::nanoseconds>(
                      std::chrono::duration<double>(state.getDeadline()));
  std::unique_lock<std::mutex> lock(mutex);
  while (!haveAllPassed(point)) {
    // Nothing is allocated unless the run has failed.
    bool isLate = std::chrono::steady_clock::now() >= deadline;
    if (isLate || isHopeless(point)) {
      error = explain(point, isLate);
      return false;
    }
    changed.wait_until(lock, deadline);
  }
  return true;
}

void Rendezvous::wake() {
  // Taking the mutex orders this after the check of any waiter about to sleep.
  {
    std::lock_guard<std::mutex> lock(mutex);
  }
  changed.notify_all();
}
