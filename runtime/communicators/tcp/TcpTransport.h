//===- TcpTransport.h - Messages over sockets -------------------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sockets between processes that no MPI launcher started but that variables
// told who they are: see Launch.h.
//
// All connect to rank 0 and learn from it where the others are; then every pair
// has a connection. Meant for what controls a run and for whole tensors between
// steps, not for speed.
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_RUNTIME_COMMUNICATORS_TCP_TCPTRANSPORT_H
#define CLEAVE_RUNTIME_COMMUNICATORS_TCP_TCPTRANSPORT_H

#include "runtime/communicators/processes/Launch.h"
#include "runtime/communicators/processes/Transport.h"

#include <vector>

namespace cleave::rt {

Transport getTcpTransport();

/// How much later than it is told to, at most, start() names who is missing.
constexpr double tcpGraceSeconds = 2;

/// A connection to every other rank, by rank; -1 for the own one. `sharers`
/// gets the ranks on this machine. Throws Error if they have not come after
/// `seconds`.
std::vector<int> connectTcpRanks(const Launch &launch, double seconds,
                                 int32_t &sharers);

} // namespace cleave::rt

#endif // CLEAVE_RUNTIME_COMMUNICATORS_TCP_TCPTRANSPORT_H
