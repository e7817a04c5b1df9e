//===- Backoff.cpp - Waiting without being in the way ---------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/communicators/processes/Backoff.h"

#include <chrono>
#include <sched.h>
#include <thread>

using namespace cleave::rt;

void Backoff::pause() {
  ++count;
  if (count < numSpins)
    return;
  if (count < 20000)
    ::sched_yield();
  else
    std::this_thread::sleep_for(std::chrono::microseconds(100));
}
