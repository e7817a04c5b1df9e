//===- RunOptions.h - Options of a run --------------------------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_RUNTIME_COMMAND_RUNOPTIONS_H
#define CLEAVE_RUNTIME_COMMAND_RUNOPTIONS_H

#include "cleave-rt/main.h"

#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

/// What the command line of an executable says.
struct cleave_rt_run_options {
  cleave_rt_session_options session;
  std::string model; ///< what the program was made from, "" if not known
  std::vector<std::string> weights;
  std::vector<std::pair<std::string, std::string>> inputs; ///< name, path
  std::optional<uint64_t> randomSeed;
  bool ignoreExtraWeights = false;
  std::string outputDir; ///< "" writes no outputs
  int32_t repeats = 0;   ///< timed steps after the first; 0 times nothing
  std::string tracePath; ///< "" writes no trace
  bool printsCounters = false;
  bool printsJson = false;
  /// Names of the options with a value that may be given once, and have been.
  std::set<std::string> given;
};

#endif // CLEAVE_RUNTIME_COMMAND_RUNOPTIONS_H
