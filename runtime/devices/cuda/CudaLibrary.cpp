//===- CudaLibrary.cpp - CUDA, where there is one -------------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/devices/cuda/CudaLibrary.h"
#include "runtime/core/Error.h"
#include "runtime/core/SharedLibrary.h"

#include <dlfcn.h>

using namespace cleave::rt;

constexpr char libraryName[] = "libcleave-rt-cuda.so";

static void *openLibrary() {
  std::string error;
  void *library = openRuntimeLibrary(libraryName, /*isGlobal=*/false, error);
  if (!library)
    throwRunFailed("cannot use CUDA: " + error);
  return library;
}

void *cleave::rt::findCudaSymbol(const char *name) {
  static void *library = openLibrary();
  void *symbol = ::dlsym(library, name);
  if (!symbol)
    throwRunFailed(std::string("cannot use CUDA: ") + libraryName +
                   " is of another version of the runtime");
  return symbol;
}

static const CleaveCudaApi &findApi() {
  auto getApi =
      reinterpret_cast<CleaveGetCudaApi>(findCudaSymbol("cleave_rt_cuda_api"));
  const CleaveCudaApi *api = getApi();
  if (api->version != cleaveCudaVersion)
    throwRunFailed(std::string("cannot use CUDA: ") + libraryName +
                   " is of another version of the runtime");
  return *api;
}

const CleaveCudaApi &cleave::rt::getCudaApi() {
  static const CleaveCudaApi &api = findApi();
  return api;
}

void cleave::rt::checkCuda(const char *text, const std::string &where) {
  if (text)
    throwRunFailed(where.empty() ? text : where + ": " + text);
}
