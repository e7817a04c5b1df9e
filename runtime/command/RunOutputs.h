//===- RunOutputs.h - Where outputs go --------------------------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_RUNTIME_COMMAND_RUNOUTPUTS_H
#define CLEAVE_RUNTIME_COMMAND_RUNOUTPUTS_H

#include "runtime/command/RunOptions.h"
#include "runtime/core/Manifest.h"

namespace cleave::rt {

/// A file name for an output: its own name unless that would leave the folder.
std::string getOutputName(const std::string &name);

// Both throw Error(BAD_INPUT), before anything runs, so that a typing mistake
// costs neither the run nor a file.

/// Unless what --trace and --output-dir name can be written, and a trace is not
/// a file that the run is made from; makes the folder if need be.
void checkOutputs(const cleave_rt_run_options &options);
/// If two outputs would be written to one file, or one over a file that the run
/// is made from.
void checkOutputFiles(const cleave_rt_run_options &options,
                      const Manifest &manifest);

} // namespace cleave::rt

#endif // CLEAVE_RUNTIME_COMMAND_RUNOUTPUTS_H
