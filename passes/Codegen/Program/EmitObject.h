//===- EmitObject.h - From the llvm dialect to machine code -----*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_PASSES_CODEGEN_PROGRAM_EMITOBJECT_H
#define CLEAVE_PASSES_CODEGEN_PROGRAM_EMITOBJECT_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include <string>

namespace cleave {

/// The processor that code is made for, and the effort.
struct HostTargetOptions {
  /// A name that `llc -mcpu` knows; empty or `native` for this machine's
  /// processor and its features.
  std::string cpu;
  /// Features to add or remove, e.g. `+avx2,-avx512f`.
  std::string features;
  /// 0 to 3. At 1 and above, LLVM's scalar optimisations run; at 3 also its
  /// vectorisers, which kernels do not need.
  unsigned optLevel = 2;
};

enum class HostOutput { Object, Assembly, LLVMIR };

/// Fills in name and features of this machine's processor where they are not
/// given, and checks the rest; for passes that depend on vector features.
llvm::LogicalResult
resolveHostTarget(HostTargetOptions &options,
                  llvm::function_ref<mlir::InFlightDiagnostic()> emitError);

/// Bits of the vectors for which kernels can be made on a processor with the
/// features for which `hasFeature` holds, the widest first.
llvm::SmallVector<int64_t>
getVectorWidths(llvm::function_ref<bool(llvm::StringRef)> hasFeature);

/// Those of this machine.
llvm::ArrayRef<int64_t> getHostVectorWidths();

/// Translates a module of the llvm dialect, optimises it, and writes
/// position-independent code.
llvm::LogicalResult emitHostCode(mlir::ModuleOp module,
                                 const HostTargetOptions &options,
                                 HostOutput output,
                                 llvm::raw_pwrite_stream &os);

/// An ELF object in memory.
llvm::LogicalResult emitObject(mlir::ModuleOp module,
                               const HostTargetOptions &options,
                               llvm::SmallVectorImpl<char> &object);

} // namespace cleave

#endif // CLEAVE_PASSES_CODEGEN_PROGRAM_EMITOBJECT_H
