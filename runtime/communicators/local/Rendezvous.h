//===- Rendezvous.h - Where the ranks of a group meet -----------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_RUNTIME_COMMUNICATORS_LOCAL_RENDEZVOUS_H
#define CLEAVE_RUNTIME_COMMUNICATORS_LOCAL_RENDEZVOUS_H

#include "runtime/communicators/RunState.h"

namespace cleave::rt {

/// The meeting point of one group for one collective. Each member counts the
/// points it has passed and publishes pointers before passing one; reaching a
/// point means that all members have passed as many. Members are addressed by
/// position. The counts only grow, so a fast member can be in the next
/// execution while a slow one still leaves the last: execution e uses the
/// points [e * points, (e + 1) * points).
class Rendezvous {
public:
  Rendezvous(const RunState &state, int32_t collective,
             std::vector<int32_t> ranks);

  /// What `position` offers to its peers until the last point of the execution.
  void publish(int32_t position, const void *operand, void *result);
  struct Offers {
    std::vector<const void *> operands;
    std::vector<void *> results;
  };
  /// What all members offer, by position, read for `position`; valid between
  /// the first and the last point.
  const Offers &readOffers(int32_t position);

  /// Passes the next point.
  void arrive(int32_t position);
  /// Waits for all other members to pass the point that `position` passed last.
  /// False with an error text if that cannot happen any more or the deadline
  /// passes.
  bool wait(int32_t position, std::string &error);
  /// Both.
  bool meet(int32_t position, std::string &error) {
    arrive(position);
    return wait(position, error);
  }

  /// Wakes the waiters, so that they look at the phases again.
  void wake();

private:
  /// On a cache line of its own, since its member writes it while others read
  /// theirs; what is offered comes with the count.
  struct alignas(64) Member {
    std::atomic<uint64_t> points{0};
    const void *operand = nullptr;
    void *result = nullptr;
  };

  bool spin(uint64_t point) const;
  bool haveAllPassed(uint64_t point) const;
  /// Whether a member has not passed; `isGone` if it never will.
  bool isMissing(size_t member, uint64_t point, bool &isGone) const;
  bool isHopeless(uint64_t point) const;
  std::string explain(uint64_t point, bool isLate) const;

  const RunState &state;
  int32_t collective;
  std::vector<int32_t> ranks;
  std::vector<Member> members;
  std::vector<Offers> offers; ///< each read by its position alone
  bool isCrowded;             ///< more ranks than cores
  std::atomic<int32_t> numSleeping{0};
  std::mutex mutex;
  std::condition_variable changed;
};

} // namespace cleave::rt

#endif // CLEAVE_RUNTIME_COMMUNICATORS_LOCAL_RENDEZVOUS_H
