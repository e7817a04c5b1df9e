//===- RankThread.h - A rank's thread, shards and arena ---------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_RUNTIME_SESSION_RANKTHREAD_H
#define CLEAVE_RUNTIME_SESSION_RANKTHREAD_H

#include "runtime/session/Session.h"

#include <exception>

namespace cleave::rt {

/// A rank of a session in this process: its thread, shards and arena.
struct Session::RankThread {
  cleave_rt_rank rank;
  void *arena = nullptr;
  std::vector<void *> inputs, outputs;
  /// What the program takes as its inputs: them, but copies of donated ones,
  /// which it may overwrite. An output that shares a donated input is its copy.
  std::vector<void *> arguments;
  /// Outputs where the host reads them: the same, or copies of a device's.
  std::vector<void *> hostOutputs;
  /// Where an input is put together for a device; null if that shares memory
  /// with the host.
  void *staging = nullptr;
  int64_t stagingBytes = 0;
  std::vector<Rect> ownedInputs, ownedOutputs;
  Clock::time_point begin, end; ///< of the last step
  bool isRunning = false;       ///< guarded by Session::mutex
  std::exception_ptr exception; ///< of the last task
  std::thread thread;

  void allocate(const Manifest &manifest);
  void *allocateShard(const TensorSpec &spec, const char *what);
  void allocateStaging(const Manifest &manifest);
  void release();
  /// Runs the program and waits for all streams; the status of the step.
  int32_t runStep(cleave_rt_step step);
  /// Makes outputs of the last step readable for the host.
  void fetchOutputs();
  /// Gives donated inputs their content again.
  void restoreDonated();
};

} // namespace cleave::rt

#endif // CLEAVE_RUNTIME_SESSION_RANKTHREAD_H
