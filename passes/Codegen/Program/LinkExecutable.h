//===- LinkExecutable.h - From an object to a file that runs ----*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_PASSES_CODEGEN_PROGRAM_LINKEXECUTABLE_H
#define CLEAVE_PASSES_CODEGEN_PROGRAM_LINKEXECUTABLE_H

#include "mlir/IR/Diagnostics.h"
#include <string>
#include <vector>

namespace cleave {

/// With what, and into which form, a program is linked.
struct LinkOptions {
  /// Folder of libcleave-rt.a and libcleave-rt-main.a.
  std::string runtimeDir;
  /// With the library that sees CUDA, libcleave-rt-cuda.so in the same folder.
  bool cuda = false;
  /// A shared library with the program and the whole runtime, instead of an
  /// executable.
  bool shared = false;
  /// The compiler driver that links; empty: the first of c++, g++, clang++,
  /// cc and the compiler that built Cleave that is found.
  std::string driver;
  /// What the runtime and kernels need.
  std::vector<std::string> libraries = {
      "-lopenblas", "-lsleef", "-lz", "-lpthread", "-ldl", "-lstdc++", "-lm"};
};

/// Links an object made by emitObject into the file `output`, which appears
/// whole or not at all.
llvm::LogicalResult
linkExecutable(llvm::ArrayRef<char> object, llvm::StringRef output,
               const LinkOptions &options,
               llvm::function_ref<mlir::InFlightDiagnostic()> emitError);

/// Writes a file that appears whole or not at all; "-" is standard output.
llvm::LogicalResult
writeFileAtomically(llvm::StringRef path, llvm::ArrayRef<char> data,
                    llvm::function_ref<mlir::InFlightDiagnostic()> emitError);

} // namespace cleave

#endif // CLEAVE_PASSES_CODEGEN_PROGRAM_LINKEXECUTABLE_H
