//===- Notice.h - What one process tells the others -------------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_RUNTIME_COMMUNICATORS_PROCESSES_NOTICE_H
#define CLEAVE_RUNTIME_COMMUNICATORS_PROCESSES_NOTICE_H

#include <cstdint>

namespace cleave::rt {

/// What one rank tells all others when its phase changes.
struct Notice {
  int32_t epoch;      ///< which communicator, see World::beginEpoch
  int32_t step;       ///< of the sender, from 1
  int32_t phase;      ///< Phase
  int32_t collective; ///< that it is or was in; -1 for none
  int32_t numMissing; ///< for whom it waited in vain
  int32_t missing[16];
  char reason[256]; ///< zero-terminated; "" if it waited for nobody
};

} // namespace cleave::rt

#endif // CLEAVE_RUNTIME_COMMUNICATORS_PROCESSES_NOTICE_H
