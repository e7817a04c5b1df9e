//===- CudaTarget.cpp - GPUs that code is made for ------------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Codegen/GPU/CudaTarget.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FileSystem.h"
#include <cstdlib>

using namespace llvm;

StringRef cleave::cudaFeatures(StringRef chip) {
  return StringSwitch<StringRef>(chip)
      .Cases({"sm_80", "sm_90"}, "+ptx80")
      .Case("sm_100", "+ptx86")
      .Default("");
}

bool cleave::isCudaChip(StringRef chip) { return !cudaFeatures(chip).empty(); }

std::string cleave::findCudaToolkit() {
  const char *folders[] = {std::getenv("CUDA_PATH"), std::getenv("CUDA_HOME"),
                           "/usr/local/cuda"};
  for (const char *folder : folders)
    if (folder &&
        sys::fs::exists(Twine(folder) + "/nvvm/libdevice/libdevice.10.bc"))
      return folder;
  return "";
}
