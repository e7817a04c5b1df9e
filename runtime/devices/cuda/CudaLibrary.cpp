//===- CudaLibrary.cpp - CUDA, where there is one -------------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/devices/cuda/CudaLibrary.h"
#include "runtime/core/Error.h"

using namespace cleave::rt;

const SharedLibrary &cleave::rt::getCudaLibrary() {
  static const SharedLibrary library("libcleave-rt-cuda.so", "CUDA",
                                     /*isGlobal=*/false);
  return library;
}

const CleaveCudaApi &cleave::rt::getCudaApi() {
  static const CleaveCudaApi &api = getCudaLibrary().getTable<CleaveCudaApi>(
      "cleave_rt_cuda_api", cleaveCudaVersion);
  return api;
}

void cleave::rt::checkCuda(const char *text, const std::string &where) {
  if (text)
    throwRunFailed(where.empty() ? text : where + ": " + text);
}
