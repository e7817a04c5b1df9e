//===- Options.h - The command line of the tool -----------------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_TOOLS_CLEAVE_OPTIONS_H
#define CLEAVE_TOOLS_CLEAVE_OPTIONS_H

#include "cleave-rt/main.h"
#include "passes/Phases.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace cleave::tool {

/// Exit statuses; the runtime's are 0, 2 and 3, too.
enum Status { Ok = 0, AnswerIsNo = 1, BadInput = 2, RunFailed = 3 };

enum class Command : unsigned {
  Compile = 1,
  Run = 2,
  Verify = 4,
  Explain = 8,
  Check = 16,
  Import = 32
};

enum class Emit { Executable, Object, SharedLibrary, LLVM, PTX, IR };

struct Options {
  std::string model;
  /// Of a command that takes several.
  std::vector<std::string> models;
  std::string mesh;
  std::vector<std::string> shards;
  /// Empty: this machine's.
  std::string cpu;
  /// Unset: stepwise for check, else standard.
  std::optional<MathMode> math;
  /// `sm_90` and the like for target cuda; empty for the host.
  std::string cudaChip;
  /// To what products of f32 round operands for the tensor cores of a GPU:
  /// tf32, bf16 or f16; empty for not at all.
  std::string products;
  Emit emit = Emit::Executable;
  std::string output;
  std::string dumpPhases;
  bool timing = false;
  bool guardPages = false;
  bool overlap = true;
  bool checkStreams = false;
  bool json = false;
  /// 0: as many as there are cores.
  unsigned jobs = 0;
  /// Seconds for one module.
  double timeout = 60;
  std::optional<int> maxGathered;

  struct Destroy {
    void operator()(cleave_rt_run_options *options) const {
      cleave_rt_run_options_destroy(options);
    }
  };
  std::unique_ptr<cleave_rt_run_options, Destroy> run{
      cleave_rt_run_options_create()};
  /// The same options as text, to hand on to an executable.
  std::vector<std::string> runArguments;
  /// The first option that only makes sense for a model, if any.
  std::string compileOption;
};

struct CommandInfo {
  const char *name;
  Command command;
  const char *operands;
  const char *summary;
  const char *examples;
  int (*run)(const Options &options);
};

/// Parses what follows the name of the command. Returns the exit status if
/// there is nothing left to do: help was printed, or an error reported.
std::optional<int> parseOptions(const CommandInfo &command, int argc,
                                char **argv, Options &options);

/// Prints `cleave: error: TEXT` to stderr; BadInput.
int reportError(const llvm::Twine &text);
/// The same for each line of the runtime's last error; returns `status`.
int reportRuntimeError(int status);

} // namespace cleave::tool

#endif // CLEAVE_TOOLS_CLEAVE_OPTIONS_H
