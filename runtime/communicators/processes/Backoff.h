//===- Backoff.h - Waiting without being in the way -------------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_RUNTIME_COMMUNICATORS_PROCESSES_BACKOFF_H
#define CLEAVE_RUNTIME_COMMUNICATORS_PROCESSES_BACKOFF_H

#include <cstdint>

namespace cleave::rt {

/// Waits politely: at first without giving up the core, unless others need it,
/// then giving it to them, and in the end asleep.
class Backoff {
public:
  explicit Backoff(bool isCrowded) : numSpins(isCrowded ? 1 : 1000) {}
  void pause();

private:
  int64_t count = 0, numSpins;
};

} // namespace cleave::rt

#endif // CLEAVE_RUNTIME_COMMUNICATORS_PROCESSES_BACKOFF_H
