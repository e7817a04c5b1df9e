//===- Harness.h - Runs the ranks of a test ---------------------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_RUNTIME_CONFORMANCE_HARNESS_H
#define CLEAVE_RUNTIME_CONFORMANCE_HARNESS_H

#include "runtime/communicators/Communicator.h"
#include "runtime/conformance/Model.h"

#include <functional>

namespace cleave::rt {

/// A communicator under test. Ranks may be processes: every process runs the
/// whole test, but only one checks what all ranks got.
class Harness {
public:
  virtual ~Harness() = default;
  /// That of this program.
  static Harness &get();

  virtual const char *getName() const = 0;
  virtual std::unique_ptr<Communicator> create(RunState &state) = 0;
  /// Calls body(rank) for the ranks below `numRanks` that live in this process,
  /// all at a time.
  virtual void runRanks(int32_t numRanks,
                        const std::function<void(int32_t)> &body) = 0;
  /// Gives the checking process what the ranks of others have, by rank.
  virtual void collect(std::vector<std::string> &byRank) = 0;
  /// The same for buffers by collective and rank.
  virtual void collect(std::vector<std::vector<model::Buffer>> &buffers) = 0;
  virtual bool isChecking() const = 0;
  /// How often each collective is run.
  virtual int getNumRounds() const = 0;
  /// Whether all ranks of a collective_permute wait for each other, or each
  /// only for what it receives.
  virtual bool permutesMeet() const = 0;
};

} // namespace cleave::rt

#endif // CLEAVE_RUNTIME_CONFORMANCE_HARNESS_H
