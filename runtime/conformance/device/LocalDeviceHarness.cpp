//===- LocalDeviceHarness.cpp - Ranks as threads with a GPU ---------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/communicators/local/LocalCommunicator.h"
#include "runtime/conformance/ThreadHarness.h"
#include "runtime/conformance/device/OnDevice.h"

using namespace cleave::rt;

namespace {
class LocalDeviceHarness : public ThreadHarness {
public:
  const char *getName() const override { return "localOnDevice"; }
  std::unique_ptr<Communicator> create(RunState &state) override {
    return std::make_unique<OnDevice>(state, createLocalCommunicator(state));
  }
};
} // namespace

Harness &Harness::get() {
  static LocalDeviceHarness harness;
  return harness;
}
