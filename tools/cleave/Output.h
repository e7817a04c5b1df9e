//===- Output.h - Files that commands write ---------------------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_TOOLS_CLEAVE_OUTPUT_H
#define CLEAVE_TOOLS_CLEAVE_OUTPUT_H

#include "llvm/ADT/StringRef.h"

namespace cleave::tool {

/// Before long work: whether the file of -o can be written and is another one
/// than the model; "-" is standard output, for text only. Returns the exit
/// status, after a diagnostic if that is not 0.
int checkOutput(llvm::StringRef output, llvm::StringRef model, bool isText);

/// The same for the folder of --dump-phases, which is made if need be: no phase
/// may be written over the model.
int checkDumpFolder(llvm::StringRef folder, llvm::StringRef model);

} // namespace cleave::tool

#endif // CLEAVE_TOOLS_CLEAVE_OUTPUT_H
