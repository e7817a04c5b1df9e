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
  /// Those of the step that the device has recorded, in order.
  std::vector<int32_t> recordedCollectives;
  /// Why the rank failed.
  std::string error;

  /// Null unless the program tells its accesses.
  std::unique_ptr<cleave::rt::StreamChecker> checker;

  bool isTracing = false;
  /// By stream, each written by who runs it.
  std::vector<cleave::rt::Event> events[CLEAVE_RT_NUM_STREAMS];
  int32_t numLaunches = 0, numCopies = 0;
};

namespace cleave::rt {

/// Stops the rank, as CLEAVE_RT_FAULT wants it, before its collective `number`,
/// counted over all steps.
void injectFault(const cleave_rt_rank &rank, int64_t number,
                 const CollectiveSpec &spec);

/// What the program does for its collectives besides, before the device repeats
/// a recorded step: they count, and a fault in it keeps it from beginning.
void repeatCollectives(cleave_rt_rank &rank);

} // namespace cleave::rt

#endif // CLEAVE_RUNTIME_SESSION_RANK_H
