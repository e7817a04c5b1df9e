//===- ThreadHarness.h - Ranks as threads -----------------------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_RUNTIME_CONFORMANCE_THREADHARNESS_H
#define CLEAVE_RUNTIME_CONFORMANCE_THREADHARNESS_H

#include "runtime/conformance/Harness.h"

#include <thread>

namespace cleave::rt {

/// All ranks are threads of this process, so that nothing is to be collected.
class ThreadHarness : public Harness {
public:
  void runRanks(int32_t numRanks,
                const std::function<void(int32_t)> &body) override {
    std::vector<std::thread> threads;
    for (int32_t rank = 0; rank < numRanks; ++rank)
      threads.emplace_back(body, rank);
    for (std::thread &thread : threads)
      thread.join();
  }
  void collect(std::vector<std::string> &) override {}
  void collect(std::vector<std::vector<model::Buffer>> &) override {}
  bool isChecking() const override { return true; }
  int getNumRounds() const override { return 2; }
  bool permutesMeet() const override { return true; }
};

} // namespace cleave::rt

#endif // CLEAVE_RUNTIME_CONFORMANCE_THREADHARNESS_H
