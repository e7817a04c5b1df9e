//===- LocalHarness.cpp - Ranks as threads --------------------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/communicators/local/LocalCommunicator.h"
#include "runtime/conformance/ThreadHarness.h"

using namespace cleave::rt;

namespace {
class LocalHarness : public ThreadHarness {
public:
  const char *getName() const override { return "local"; }
  std::unique_ptr<Communicator> create(RunState &state) override {
    return createLocalCommunicator(state);
  }
};
} // namespace

Harness &Harness::get() {
  static LocalHarness harness;
  return harness;
}
