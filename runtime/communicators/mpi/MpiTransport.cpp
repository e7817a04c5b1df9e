//===- MpiTransport.cpp - Messages by an MPI library ----------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/communicators/mpi/MpiTransport.h"
#include "runtime/core/SharedLibrary.h"

using namespace cleave::rt;

Transport cleave::rt::openMpiTransport() {
  // MPI loads components that look for its symbols among the global ones.
  SharedLibrary library("libcleave-rt-mpi.so", "MPI", /*isGlobal=*/true);
  return {&library.getTable<CleaveTransport>("cleave_rt_mpi_transport",
                                             cleaveTransportVersion),
          "MPI", "cannot use MPI: ", /*graceSeconds=*/0};
}
