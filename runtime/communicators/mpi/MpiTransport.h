//===- MpiTransport.h - Messages by an MPI library --------------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_RUNTIME_COMMUNICATORS_MPI_MPITRANSPORT_H
#define CLEAVE_RUNTIME_COMMUNICATORS_MPI_MPITRANSPORT_H

#include "runtime/communicators/processes/Transport.h"

namespace cleave::rt {

/// Loads the library that calls MPI. Throws Error if it cannot be.
Transport openMpiTransport();

} // namespace cleave::rt

#endif // CLEAVE_RUNTIME_COMMUNICATORS_MPI_MPITRANSPORT_H
