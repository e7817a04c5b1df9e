//===- PtxAssembler.h - PTX to machine code ---------------------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_PASSES_CODEGEN_GPU_PTXASSEMBLER_H
#define CLEAVE_PASSES_CODEGEN_GPU_PTXASSEMBLER_H

#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/StringMap.h"

namespace cleave::codegen {

/// What a kernel needs of a multiprocessor, as the assembler reports it.
struct KernelResources {
  /// Per thread.
  int64_t registers = 0, stackBytes = 0, spillBytes = 0;
  /// Per block, known at compile time.
  int64_t sharedBytes = 0;
};

/// Reads what `ptxas -v` prints.
llvm::StringMap<KernelResources> parseResources(llvm::StringRef report);

/// Runs the toolkit's ptxas, or that of $PATH. Fails with a diagnostic that has
/// what it prints.
llvm::LogicalResult
assemblePtx(llvm::StringRef ptx, llvm::StringRef chip, llvm::StringRef toolkit,
            llvm::SmallVectorImpl<char> &cubin,
            llvm::StringMap<KernelResources> &resources,
            llvm::function_ref<mlir::InFlightDiagnostic()> emitError);

} // namespace cleave::codegen

#endif // CLEAVE_PASSES_CODEGEN_GPU_PTXASSEMBLER_H
