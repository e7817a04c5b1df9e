//===- Output.cpp - Files that commands write -----------------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/cleave/Output.h"
#include "tools/cleave/Options.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace cleave::tool;
namespace fs = llvm::sys::fs;

int cleave::tool::checkOutput(StringRef output, StringRef model, bool isText) {
  if (output == "-")
    return isText ? Ok
                  : reportError("-o: only --emit llvm, ir and ptx can be "
                                "written to standard output");
  if (fs::is_directory(output))
    return reportError("-o: '" + output + "' is a folder");
  if (fs::equivalent(output, model))
    return reportError("-o: '" + output +
                       "' is the model itself; expected another file");
  if (fs::exists(output) && !fs::is_regular_file(output))
    return reportError("-o: '" + output + "' is not a regular file");
  llvm::SmallString<128> probe;
  if (auto error = fs::createUniqueFile(output + ".%%%%%%%%.tmp", probe))
    return reportError("-o: cannot write '" + output + "': " + error.message());
  fs::remove(probe);
  return Ok;
}

int cleave::tool::checkDumpFolder(StringRef folder, StringRef model) {
  std::error_code error = fs::create_directories(folder);
  if (error)
    return reportError("--dump-phases: cannot create '" + folder +
                       "': " + error.message());
  for (fs::directory_iterator file(folder, error), end; file != end && !error;
       file.increment(error)) {
    // As phases are called: 03-collectives.mlir.
    StringRef name = llvm::sys::path::filename(file->path());
    bool isPhase = name.size() > 3 && llvm::isDigit(name[0]) &&
                   llvm::isDigit(name[1]) && name[2] == '-';
    if (isPhase && fs::equivalent(file->path(), model))
      return reportError("--dump-phases: '" + file->path() +
                         "' is the model itself; expected another folder");
  }
  return Ok;
}
