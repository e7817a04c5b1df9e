//===- CudaTarget.cpp - GPUs that code is made for ------------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Codegen/GPU/CudaTarget.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include <cstdlib>

using namespace llvm;

// A100; H100 and H200; B200.
static constexpr cleave::CudaChip chips[] = {
    {"sm_80", "+ptx80"}, {"sm_90", "+ptx80"}, {"sm_100", "+ptx86"}};

const cleave::CudaChip *cleave::findCudaChip(StringRef name) {
  const CudaChip *found =
      find_if(chips, [&](const CudaChip &chip) { return chip.name == name; });
  return found == std::end(chips) ? nullptr : found;
}

std::string cleave::listCudaChips(StringRef prefix) {
  std::string list;
  for (auto [i, chip] : enumerate(chips)) {
    if (i > 0)
      list += i + 1 < std::size(chips) ? ", " : " or ";
    list += (prefix + chip.name).str();
  }
  return list;
}

std::string cleave::findCudaToolkit() {
  const char *folders[] = {std::getenv("CUDA_PATH"), std::getenv("CUDA_HOME"),
                           "/usr/local/cuda"};
  for (const char *folder : folders)
    if (folder &&
        sys::fs::exists(Twine(folder) + "/nvvm/libdevice/libdevice.10.bc"))
      return folder;
  return "";
}
