//===- Run.cpp - cleave run -----------------------------------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/cleave/Commands.h"
#include "tools/cleave/Executable.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/Signals.h"
#include <cerrno>
#include <cstring>
#include <unistd.h>

using namespace cleave;
using namespace cleave::tool;
namespace fs = llvm::sys::fs;

/// Becomes the program, which takes the run options itself.
static int execute(const Options &options) {
  if (!options.compileOption.empty())
    return reportError(options.compileOption + ": '" + options.model +
                       "' is compiled already; this is an option for models");
  if (!isCompiledProgram(options.model))
    return reportError("'" + options.model +
                       "' is no program that `cleave compile` made");
  if (cleave_rt_run_options_needs_launch(options.run.get()))
    return launchRanks(options, options.model);
  std::vector<char *> arguments{const_cast<char *>(options.model.c_str())};
  for (const std::string &argument : options.runArguments)
    arguments.push_back(const_cast<char *>(argument.c_str()));
  arguments.push_back(nullptr);
  ::execv(options.model.c_str(), arguments.data());
  return reportError("cannot run '" + options.model +
                     "': " + std::strerror(errno));
}

/// Runs a model as processes, for which it must be a file.
static int launch(const Options &options, Model &model) {
  llvm::SmallString<128> folder;
  if (std::error_code error = fs::createUniqueDirectory("cleave", folder)) {
    reportError("cannot create a temporary folder: " + error.message());
    return RunFailed;
  }
  // Programs report errors under their name.
  std::string program = (folder + "/cleave").str();
  llvm::FileRemover folderRemover(folder), remover(program);
  llvm::sys::RemoveFileOnSignal(program);
  if (failed(emitCode(model, Emit::Executable, program)))
    return BadInput;
  return launchRanks(options, program);
}

int cleave::tool::run(const Options &options) {
  if (isExecutable(options.model))
    return execute(options);
  if (int status = cleave_rt_run_options_check_outputs(options.run.get()))
    return reportRuntimeError(status);
  Model model(options);
  if (failed(model.load()))
    return BadInput;
  if (cleave_rt_run_options_needs_launch(options.run.get()))
    return launch(options, model);
  std::unique_ptr<LoadedProgram> program =
      model.compileInMemory(model.getModule());
  if (!program)
    return BadInput;
  return cleave_rt_run_program("cleave", options.run.get(),
                               program->getManifest(), program->getStep());
}
