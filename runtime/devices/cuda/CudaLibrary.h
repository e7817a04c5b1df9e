//===- CudaLibrary.h - CUDA, where there is one -----------------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_RUNTIME_DEVICES_CUDA_CUDALIBRARY_H
#define CLEAVE_RUNTIME_DEVICES_CUDA_CUDALIBRARY_H

#include "runtime/core/SharedLibrary.h"
#include "runtime/devices/cuda/CudaApi.h"

#include <string>

namespace cleave::rt {

/// Loads libcleave-rt-cuda.so on the first call. Throws Error(RUN_FAILED) if it
/// is missing.
const SharedLibrary &getCudaLibrary();
/// Its table of CUDA's functions. Throws also if it is of another version.
const CleaveCudaApi &getCudaApi();

/// Throws Error(RUN_FAILED) with "WHERE: TEXT" unless `text` is null; without a
/// place, `text` alone.
void checkCuda(const char *text, const std::string &where = "");

} // namespace cleave::rt

#endif // CLEAVE_RUNTIME_DEVICES_CUDA_CUDALIBRARY_H
