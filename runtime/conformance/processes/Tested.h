//===- Tested.h - Which communicator processes test -------------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_RUNTIME_CONFORMANCE_PROCESSES_TESTED_H
#define CLEAVE_RUNTIME_CONFORMANCE_PROCESSES_TESTED_H

#include "runtime/communicators/Communicator.h"

namespace cleave::rt {

/// What a test program for ranks that are processes is linked with.
const char *getTestedName();
std::unique_ptr<Communicator> createTested(RunState &state);

} // namespace cleave::rt

#endif // CLEAVE_RUNTIME_CONFORMANCE_PROCESSES_TESTED_H
