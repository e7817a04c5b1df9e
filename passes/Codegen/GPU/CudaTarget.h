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

/// A GPU that code is made for.
struct CudaChip {
  /// As LLVM and ptxas know it, `sm_90`.
  llvm::StringLiteral name;
  /// LLVM's feature for the version of PTX that it needs, `+ptx80` or newer.
  /// LLVM aborts on chips and versions that do not go together.
  llvm::StringLiteral features;
};

/// Null for a chip that is not known.
const CudaChip *findCudaChip(llvm::StringRef name);

/// For messages: the names of all, each after `prefix`, as in `sm_80 or sm_90`.
std::string listCudaChips(llvm::StringRef prefix = "");

/// The folder of the CUDA toolkit: the first of $CUDA_PATH, $CUDA_HOME and
/// /usr/local/cuda that has the file `nvvm/libdevice/libdevice.10.bc`; empty
/// if there is none.
std::string findCudaToolkit();

} // namespace cleave

#endif // CLEAVE_PASSES_CODEGEN_GPU_CUDATARGET_H
