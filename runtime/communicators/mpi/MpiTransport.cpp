//===- MpiTransport.cpp - Messages by an MPI library ----------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/communicators/mpi/MpiTransport.h"
#include "runtime/core/Error.h"
#include "runtime/core/SharedLibrary.h"

#include <dlfcn.h>

using namespace cleave::rt;

constexpr char libraryName[] = "libcleave-rt-mpi.so";
constexpr char errorPrefix[] = "cannot use MPI: ";

Transport cleave::rt::openMpiTransport() {
  std::string error;
  // MPI loads components that look for its symbols among the global ones.
  void *library = openRuntimeLibrary(libraryName, /*isGlobal=*/true, error);
  if (!library)
    throwRunFailed(errorPrefix + error);
  auto getFunctions = reinterpret_cast<CleaveGetTransport>(
      ::dlsym(library, "cleave_rt_mpi_transport"));
  const CleaveTransport *functions = getFunctions ? getFunctions() : nullptr;
  if (!functions || functions->version != cleaveTransportVersion)
    throwRunFailed(std::string(errorPrefix) + libraryName +
                   " is of another version of the runtime");
  return {functions, "MPI", errorPrefix, /*graceSeconds=*/0};
}
