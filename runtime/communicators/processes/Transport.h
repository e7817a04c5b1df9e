//===- Transport.h - Messages between processes -----------------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the runtime needs to exchange messages, as a table of functions. MPI's
// is in the library libcleave-rt-mpi.so, which is loaded when a run uses MPI,
// so that executables need no MPI library otherwise. Functions that return text
// return null on success; the text lives until the next call.
//
// One thread calls at a time; the same one starts and stops.
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_RUNTIME_COMMUNICATORS_PROCESSES_TRANSPORT_H
#define CLEAVE_RUNTIME_COMMUNICATORS_PROCESSES_TRANSPORT_H

#include <cstdint>

extern "C" {

/// Changes with the table.
constexpr int32_t cleaveTransportVersion = 2;

/// Messages of different channels never match.
enum CleaveChannel : int32_t { CleaveData, CleaveControl };

struct CleaveTransport {
  int32_t version;
  /// Joins the world. One that can gives up after `seconds`, or little later,
  /// and tells who has not come. `sharers` gets the number of ranks on this
  /// machine.
  const char *(*start)(double seconds, int32_t *rank, int32_t *size,
                       int32_t *sharers);
  /// Leaves it; all ranks must do so.
  void (*stop)();
  /// Ends all processes of the world with `status`. Does not return.
  void (*abort)(int32_t status);
  /// Begin to move `bytes` (at most 1 GiB), to be completed by `test`. A
  /// receive from -1 takes a message of any rank; the sizes of both sides are
  /// equal.
  const char *(*send)(int32_t channel, const void *data, int64_t bytes,
                      int32_t peer, int32_t tag, void **request);
  const char *(*receive)(int32_t channel, void *data, int64_t bytes,
                         int32_t peer, int32_t tag, void **request);
  /// `isDone` gets whether the message has been moved, `peer` (unless null)
  /// then from whom it came. Also makes other messages progress.
  const char *(*test)(void **request, int32_t *isDone, int32_t *peer);
  /// Gives up a receive.
  void (*cancel)(void **request);
};

} // extern "C"

namespace cleave::rt {

/// What World has to know of how messages travel.
struct Transport {
  const CleaveTransport *functions;
  const char *name;        ///< what is started, in messages
  const char *errorPrefix; ///< of what start() says
  double graceSeconds;     ///< by how much start() may be later than told
};

} // namespace cleave::rt

#endif // CLEAVE_RUNTIME_COMMUNICATORS_PROCESSES_TRANSPORT_H
