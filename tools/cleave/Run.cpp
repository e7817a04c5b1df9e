//===- Run.cpp - cleave run -----------------------------------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/cleave/Commands.h"
#include "tools/cleave/Model.h"
#include "llvm/BinaryFormat/Magic.h"
#include "llvm/Support/FileSystem.h"
#include <cerrno>
#include <cstring>
#include <unistd.h>

using namespace cleave;
using namespace cleave::tool;

static bool isExecutable(const std::string &path) {
  llvm::file_magic magic;
  if (llvm::identify_magic(path, magic))
    return false;
  return magic == llvm::file_magic::elf_executable ||
         magic == llvm::file_magic::elf_shared_object;
}

/// Becomes the program, which takes the run options itself.
static int execute(const Options &options) {
  if (!options.compileOption.empty())
    return reportError(options.compileOption + ": '" + options.model +
                       "' is compiled already; this is an option for models");
  std::vector<char *> arguments{const_cast<char *>(options.model.c_str())};
  for (const std::string &argument : options.runArguments)
    arguments.push_back(const_cast<char *>(argument.c_str()));
  arguments.push_back(nullptr);
  ::execv(options.model.c_str(), arguments.data());
  return reportError("cannot run '" + options.model +
                     "': " + std::strerror(errno));
}

int cleave::tool::run(const Options &options) {
  if (isExecutable(options.model))
    return execute(options);
  if (int status = cleave_rt_run_options_check_outputs(options.run.get()))
    return reportRuntimeError(status);
  Model model(options);
  if (failed(model.load()))
    return BadInput;
  std::unique_ptr<LoadedProgram> program =
      model.compileInMemory(model.getModule());
  if (!program)
    return BadInput;
  return cleave_rt_run_program("cleave", options.run.get(),
                               program->getManifest(), program->getStep());
}
