//===- CheckFiles.h - The modules that are checked --------------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_TOOLS_CLEAVE_CHECK_CHECKFILES_H
#define CLEAVE_TOOLS_CLEAVE_CHECK_CHECKFILES_H

#include "tools/cleave/Options.h"
#include "llvm/Support/MemoryBuffer.h"

namespace cleave::tool {

/// A module of a file; files with lines `// -----` hold several.
struct CheckInput {
  /// `FILE`, or `FILE#N` (from 1) for one of several.
  std::string name;
  std::string path;
  /// Of the whole file.
  std::shared_ptr<llvm::MemoryBuffer> file;
  llvm::StringRef text;
  /// Line of the file at which `text` begins, from 1.
  unsigned line = 1;

  /// The text, so placed that lines are those of the file.
  std::unique_ptr<llvm::MemoryBuffer> getBuffer() const;
  /// REASON of a comment `// RUN-DISABLED(REASON)`, by which test suites say
  /// that a program does not hold; none without one.
  std::optional<llvm::StringRef> getDisabledReason() const;
};

/// Reads all files, of folders their `*.mlir` in alphabetical order, and splits
/// them. Returns the exit status, after a diagnostic if that is not 0.
int readCheckInputs(const std::vector<std::string> &paths,
                    std::vector<CheckInput> &inputs);

} // namespace cleave::tool

#endif // CLEAVE_TOOLS_CLEAVE_CHECK_CHECKFILES_H
