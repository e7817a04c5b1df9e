//===- NcclTested.cpp - NCCL's, between buffers of GPUs -------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/conformance/device/OnDevice.h"
#include "runtime/conformance/processes/Tested.h"
#include "runtime/session/CreateCommunicator.h"

const char *cleave::rt::getTestedName() { return "nccl"; }

std::unique_ptr<cleave::rt::Communicator>
cleave::rt::createTested(RunState &state) {
  return std::make_unique<OnDevice>(state, createNcclCommunicator(state));
}
