//===- ProcessHarness.cpp - Ranks as processes ----------------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Start with `mpirun -np 8`, or with the variables of Launch.h. Rank 0
// checks, and its status is the result.
//
//===----------------------------------------------------------------------===//

#include "runtime/communicators/processes/Processes.h"
#include "runtime/communicators/processes/World.h"
#include "runtime/conformance/Harness.h"
#include "runtime/conformance/processes/Tested.h"
#include "runtime/core/Error.h"
#include "runtime/session/CreateCommunicator.h"

#include <algorithm>
#include <gtest/gtest.h>

using namespace cleave::rt;

/// The largest mesh of the tests.
constexpr int32_t worldSize = 8;

namespace {
class ProcessHarness : public Harness {
public:
  ProcessHarness() {
    manifest.mesh.axes = {{"world", worldSize}};
    state = std::make_unique<RunState>(manifest, 120);
    everyone = createMpiCommunicator(*state);
    rank = everyone->getProcesses()->getRank();
  }

  const char *getName() const override { return getTestedName(); }
  std::unique_ptr<Communicator> create(RunState &state) override {
    // Deadlines are short: nobody begins before all are there.
    everyone->getProcesses()->getMaximum(0);
    return createTested(state);
  }
  void runRanks(int32_t numRanks,
                const std::function<void(int32_t)> &body) override {
    if (rank < numRanks)
      body(rank);
  }
  void collect(std::vector<std::string> &byRank) override {
    bool isMember = rank < static_cast<int32_t>(byRank.size());
    std::vector<std::string> all =
        everyone->getProcesses()->gather(isMember ? byRank[rank] : "");
    if (isChecking())
      std::copy_n(all.begin(), byRank.size(), byRank.begin());
  }
  void collect(std::vector<std::vector<model::Buffer>> &buffers) override {
    if (buffers.empty())
      return;
    std::vector<std::string> joined(buffers[0].size());
    for (const std::vector<model::Buffer> &byRank : buffers)
      for (size_t i = 0; i < joined.size(); ++i)
        joined[i].append(byRank[i].begin(), byRank[i].end());
    collect(joined);
    for (size_t i = 0; i < joined.size(); ++i) {
      auto next = joined[i].begin();
      for (std::vector<model::Buffer> &byRank : buffers) {
        std::copy_n(next, byRank[i].size(), byRank[i].begin());
        next += byRank[i].size();
      }
    }
  }
  bool isChecking() const override { return rank == 0; }
  // Nothing is left of an execution, and eight processes take their time.
  int getNumRounds() const override { return 1; }
  bool permutesMeet() const override { return false; }

private:
  Manifest manifest{};
  std::unique_ptr<RunState> state;
  /// Of all processes, for what is not tested.
  std::unique_ptr<Communicator> everyone;
  int32_t rank;
};
} // namespace

Harness &Harness::get() {
  static ProcessHarness harness;
  return harness;
}

int main(int argc, char **argv) {
  try {
    // The tests are made for the harness, when they are registered.
    testing::InitGoogleTest(&argc, argv);
    Harness &harness = Harness::get();
    if (!harness.isChecking()) {
      testing::TestEventListeners &listeners =
          testing::UnitTest::GetInstance()->listeners();
      delete listeners.Release(listeners.default_result_printer());
    }
    int status = RUN_ALL_TESTS();
    World::stopIfStarted();
    return harness.isChecking() ? status : 0;
  } catch (const std::exception &error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return 1;
  }
}
