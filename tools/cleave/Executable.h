//===- Executable.h - Programs as files, and ranks as processes -*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_TOOLS_CLEAVE_EXECUTABLE_H
#define CLEAVE_TOOLS_CLEAVE_EXECUTABLE_H

#include "tools/cleave/Model.h"

namespace cleave::tool {

/// Whether a file is a program already, rather than a model.
bool isExecutable(llvm::StringRef path);
/// Whether a program is one that was compiled from a model, whole, and with its
/// symbols.
bool isCompiledProgram(llvm::StringRef path);

/// Compiles the model into an object, a shared library or an executable.
llvm::LogicalResult emitCode(Model &model, Emit emit, llvm::StringRef output);

/// Runs a compiled program as one process per rank, by mpirun with recovery
/// enabled, so that ranks live to report that another has died; ends it when
/// they have. Returns the exit status: 0, 2 or 3.
/// The first rank must run on this machine, as mpirun has it by default.
int launchRanks(const Options &options, llvm::StringRef program);

} // namespace cleave::tool

#endif // CLEAVE_TOOLS_CLEAVE_EXECUTABLE_H
