//===- CudaTarget.h - GPUs that code is made for ----------------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_PASSES_CODEGEN_GPU_CUDATARGET_H
#define CLEAVE_PASSES_CODEGEN_GPU_CUDATARGET_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace cleave {

/// Whether code is made for a chip: sm_80, sm_90 or sm_100.
bool isCudaChip(llvm::StringRef chip);

/// LLVM's feature for the version of PTX that a chip needs, `+ptx80` or newer.
/// LLVM aborts on chips and versions that do not go together. Empty for a chip
/// that is not known.
llvm::StringRef cudaFeatures(llvm::StringRef chip);

/// The folder of the CUDA toolkit: the first of $CUDA_PATH, $CUDA_HOME and
/// /usr/local/cuda that has the file `nvvm/libdevice/libdevice.10.bc`; empty
/// if there is none.
std::string findCudaToolkit();

} // namespace cleave

#endif // CLEAVE_PASSES_CODEGEN_GPU_CUDATARGET_H
