//===- Rank.h - One rank of a running program -------------------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_RUNTIME_SESSION_RANK_H
#define CLEAVE_RUNTIME_SESSION_RANK_H

#include "runtime/communicators/Communicator.h"
#include "runtime/devices/Device.h"
#include "runtime/session/GuardedMemory.h"
#include "runtime/session/StreamChecker.h"
#include "runtime/session/Trace.h"

/// What the opaque pointer of the C ABI points to.
struct cleave_rt_rank {
  int32_t number;
  const cleave::rt::Manifest *manifest;
  cleave::rt::Communicator *communicator;
  cleave::rt::RunState *state;
  std::unique_ptr<cleave::rt::Device> device;
  /// Arena and shards of a program with guard pages; null without.
  std::unique_ptr<cleave::rt::GuardedMemory> guarded;
  cleave::rt::Fault fault;

  /// Position along each axis list of the manifest.
  std::vector<int32_t> axisIndices;
  /// Executions of each collective.
  std::vector<int64_t> collectiveCounts;
  /// Collectives issued so far, of all kinds.
  int64_t numCollectives = 0;
  /// Why the rank failed.
  std::string error;

  /// Null unless the program tells its accesses.
  std::unique_ptr<cleave::rt::StreamChecker> checker;

  bool isTracing = false;
  /// By stream, each written by who runs it.
  std::vector<cleave::rt::Event> events[CLEAVE_RT_NUM_STREAMS];
  int32_t numLaunches = 0, numCopies = 0;
};

#endif // CLEAVE_RUNTIME_SESSION_RANK_H
