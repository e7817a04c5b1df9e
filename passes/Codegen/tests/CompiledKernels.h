//===- CompiledKernels.h - Kernels as functions of this process -*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_PASSES_CODEGEN_TESTS_COMPILEDKERNELS_H
#define CLEAVE_PASSES_CODEGEN_TESTS_COMPILEDKERNELS_H

#include "cleave-rt/cleave-rt.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"

namespace cleave::test {

/// The kernels of a module, compiled for registers of some width.
class CompiledKernels {
public:
  struct Kernel {
    cleave_rt_kernel run = nullptr;
    int64_t extent = 0;
  };

  /// Forms kernels of the functions in `module`, whose bodies end in kernels,
  /// constants and reshapes only, and compiles them. An error if that fails,
  /// whose cause is a diagnostic.
  static llvm::Expected<std::unique_ptr<CompiledKernels>>
  compile(mlir::ModuleOp module, int64_t vectorBits);

  /// The functions, in which calls of kernels have taken the place of ops.
  mlir::ModuleOp getModule() { return *formed; }
  llvm::Expected<Kernel> lookup(llvm::StringRef name);

private:
  mlir::OwningOpRef<mlir::ModuleOp> formed;
  llvm::StringMap<int64_t> extents;
  std::unique_ptr<llvm::orc::LLJIT> jit;
};

} // namespace cleave::test

#endif // CLEAVE_PASSES_CODEGEN_TESTS_COMPILEDKERNELS_H
