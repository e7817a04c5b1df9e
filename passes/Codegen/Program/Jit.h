//===- Jit.h - Run a program in this process --------------------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_PASSES_CODEGEN_PROGRAM_JIT_H
#define CLEAVE_PASSES_CODEGEN_PROGRAM_JIT_H

#include "cleave-rt/cleave-rt.h"
#include "mlir/IR/Diagnostics.h"
#include <memory>

namespace llvm::orc {
class LLJIT;
} // namespace llvm::orc

namespace cleave {

/// A function that programs may call.
struct RuntimeSymbol {
  llvm::StringRef name;
  void *address;
};

/// The functions of cleave-rt.h, in the runtime this tool is linked with.
llvm::ArrayRef<RuntimeSymbol> getRuntimeSymbols();

/// Lets the evaluator ask that runtime's library functions which of several
/// right results is meant.
void guideEvaluatorByRuntime();

/// An object loaded into this process. Step function and manifest are valid
/// as long as it exists.
class LoadedProgram {
public:
  /// Loads an object made by emitObject. Functions of the runtime are those of
  /// `symbols`; others (vector mathematics, memcpy) are looked up in the
  /// libraries of this process. Returns null, after a diagnostic, on failure.
  static std::unique_ptr<LoadedProgram>
  load(llvm::ArrayRef<char> object,
       llvm::function_ref<mlir::InFlightDiagnostic()> emitError,
       llvm::ArrayRef<RuntimeSymbol> symbols = getRuntimeSymbols());
  ~LoadedProgram();

  cleave_rt_step getStep() const { return step; }
  const char *getManifest() const { return manifest; }

private:
  explicit LoadedProgram(std::unique_ptr<llvm::orc::LLJIT> jit);

  std::unique_ptr<llvm::orc::LLJIT> jit;
  cleave_rt_step step = nullptr;
  const char *manifest = nullptr;
};

} // namespace cleave

#endif // CLEAVE_PASSES_CODEGEN_PROGRAM_JIT_H
