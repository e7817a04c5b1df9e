//===- MpiTransport.h - Messages between processes --------------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the runtime needs of MPI, as a table of functions. The library
// libcleave-rt-mpi.so provides it and is loaded when a run uses MPI, so that
// executables need no MPI library otherwise. Functions that return text return
// null on success; the text lives until the next call.
//
// One thread calls at a time; the same one starts and stops.
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_RUNTIME_COMMUNICATORS_MPI_MPITRANSPORT_H
#define CLEAVE_RUNTIME_COMMUNICATORS_MPI_MPITRANSPORT_H

#include <cstdint>

extern "C" {

/// Changes with the table.
constexpr int32_t cleaveMpiVersion = 1;

/// Messages of different channels never match.
enum CleaveMpiChannel : int32_t { CleaveMpiData, CleaveMpiControl };

/// What cleave_rt_mpi_transport(), the only symbol of the library, returns.
struct CleaveMpiTransport {
  int32_t version;
  /// Joins the world. `sharers` gets the number of ranks on this machine.
  const char *(*start)(int32_t *rank, int32_t *size, int32_t *sharers);
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

#endif // CLEAVE_RUNTIME_COMMUNICATORS_MPI_MPITRANSPORT_H
