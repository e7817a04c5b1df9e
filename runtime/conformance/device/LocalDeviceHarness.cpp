//===- LocalDeviceHarness.cpp - Ranks as threads with a GPU ---------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/communicators/local/LocalCommunicator.h"
#include "runtime/conformance/Harness.h"
#include "runtime/conformance/device/OnDevice.h"

#include <thread>

using namespace cleave::rt;

namespace {
class LocalDeviceHarness : public Harness {
public:
  const char *getName() const override { return "localOnDevice"; }
  std::unique_ptr<Communicator> create(RunState &state) override {
    return std::make_unique<OnDevice>(state, createLocalCommunicator(state));
  }
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
} // namespace

Harness &Harness::get() {
  static LocalDeviceHarness harness;
  return harness;
}
