//===- main.cpp - The command line tool -----------------------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/cleave/Commands.h"
#include "tools/cleave/Options.h"
#include "llvm/Support/ErrorHandling.h"
#include <cstdlib>

using namespace cleave::tool;

/// What LLVM cannot go on from is reported like any other error; other
/// threads may be in its way, so nothing is destroyed.
static void handleFatalError(void *, const char *reason, bool) {
  std::_Exit(reportError(reason));
}

int main(int argc, char **argv) {
  llvm::install_fatal_error_handler(handleFatalError);
  if (argc < 2)
    return reportError("expected a command; see cleave --help");
  llvm::StringRef name = argv[1];
  if (name == "--help" || name == "-h" || name == "help")
    return printHelp();
  if (name == "--version")
    return printVersion();
  const CommandInfo *command = findCommand(name);
  if (!command)
    return reportError("unknown command '" + name + "'" + suggestCommand(name) +
                       "; see cleave --help");
  Options options;
  if (std::optional<int> status =
          parseOptions(*command, argc - 2, argv + 2, options))
    return *status;
  return command->run(options);
}
