//===- OtherThreads.h - What threads of libraries do ------------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// OpenBLAS starts threads when it is loaded, each of which takes memory when it
// first runs: on a busy machine that may be long after `main` has begun.
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_RUNTIME_TESTS_OTHERTHREADS_H
#define CLEAVE_RUNTIME_TESTS_OTHERTHREADS_H

#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <unistd.h>

namespace cleave::rt {

/// Whether every other thread of the process waits for something.
inline bool doOtherThreadsSleep() {
  std::string self = std::to_string(::gettid());
  for (const auto &entry :
       std::filesystem::directory_iterator("/proc/self/task")) {
    if (entry.path().filename() == self)
      continue;
    std::ifstream file(entry.path() / "stat");
    std::string stat;
    std::getline(file, stat);
    // The state follows the name, which may hold anything.
    size_t name = stat.rfind(')');
    if (name != std::string::npos && stat.compare(name, 3, ") S") != 0)
      return false;
  }
  return true;
}

/// Returns when all other threads have started, and found nothing to do.
inline void waitForOtherThreads() {
  while (!doOtherThreadsSleep())
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

} // namespace cleave::rt

#endif // CLEAVE_RUNTIME_TESTS_OTHERTHREADS_H
