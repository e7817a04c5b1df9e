//===- Commands.h - What the tool can do ------------------------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_TOOLS_CLEAVE_COMMANDS_H
#define CLEAVE_TOOLS_CLEAVE_COMMANDS_H

#include "tools/cleave/Options.h"

namespace cleave::tool {

// Each returns the exit status.
int compile(const Options &options);
int run(const Options &options);
int verify(const Options &options);
int explain(const Options &options);
int check(const Options &options);
int import(const Options &options);

/// The usage of the whole tool, on standard output; 0.
int printHelp();
int printVersion();
/// Null if there is no such command.
const CommandInfo *findCommand(llvm::StringRef name);
/// `, did you mean 'X'?` or nothing.
std::string suggestCommand(llvm::StringRef name);

} // namespace cleave::tool

#endif // CLEAVE_TOOLS_CLEAVE_COMMANDS_H
