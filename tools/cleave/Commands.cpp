//===- Commands.cpp - What the tool can do --------------------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/cleave/Commands.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace cleave::tool;

static ArrayRef<CommandInfo> getCommands() {
  static const CommandInfo commands[] = {
      {"compile", Command::Compile, "MODEL -o OUT",
       "Compiles a model for the ranks of a mesh.",
       "  cleave compile model.mlir -o model --mesh data=2,model=2 \\\n"
       "    --shard 'x=data,-' --shard '*.up.weight=-,model'\n"
       "  ./model --weights weights.safetensors --input x=x.npy\n"
       "  cleave compile model.mlir -o model.ll --emit llvm\n",
       compile},
      {"run", Command::Run, "MODEL_OR_EXE",
       "Runs a compiled program, or a model, which is compiled in memory.",
       "  cleave run model.mlir --mesh model=4 --shard '*.up.weight=-,model' "
       "\\\n"
       "    --weights weights.safetensors --input x=x.npy --output-dir out\n"
       "  cleave run ./model --random-inputs 1 --time 10\n",
       run},
      {"verify", Command::Verify, "MODEL",
       "Runs the serial reference and the sharded program on the same data and "
       "compares.\n"
       "A result passes when its error against float64 is at most twice that "
       "of a plain\n"
       "evaluation in its own type, or within the printed bound. On a mismatch "
       "the first\n"
       "value that diverges is named, and the status is 1.",
       "  cleave verify model.mlir --mesh model=4 --shard "
       "'*.up.weight=-,model' "
       "\\\n"
       "    --random-inputs 1\n",
       verify},
      {"explain", Command::Explain, "MODEL",
       "Lists every collective: op, axis, bytes per device, source location, "
       "cause.",
       "  cleave explain model.mlir --mesh model=4 --shard "
       "'*.up.weight=-,model'\n",
       explain},
      {"check", Command::Check, "FILE...",
       "Runs self-checking programs and compares with what they expect.\n"
       "Files, or all .mlir files of a folder; `// -----` separates the "
       "modules "
       "of a file.\n"
       "Prints `PASS|FAIL|SKIP file: reason` for each, then their numbers; "
       "only what uses\n"
       "an op or type that is not supported is skipped.",
       "  cleave check tests/*.mlir\n"
       "  cleave check tests --mesh x=2,y=2 --shard random:1\n",
       check},
      {"import", Command::Import, "MODEL -o F.mlir",
       "Writes a model in Cleave's own dialect, whose text all commands read.",
       "  cleave import model.stablehlo.mlir -o model.mlir\n"
       "  cleave import model.stablehlo.mlir -o -\n",
       import},
  };
  return commands;
}

const CommandInfo *cleave::tool::findCommand(StringRef name) {
  auto found = find_if(getCommands(), [&](const CommandInfo &command) {
    return name == command.name;
  });
  return found == getCommands().end() ? nullptr : found;
}

std::string cleave::tool::suggestCommand(StringRef name) {
  for (const CommandInfo &command : getCommands())
    if (name.edit_distance(command.name, true, 2) <= 2)
      return (Twine(", did you mean '") + command.name + "'?").str();
  return "";
}

int cleave::tool::printHelp() {
  outs() << "usage: cleave COMMAND ...\n\n"
            "From a model graph to programs for N devices that compute the "
            "same.\n\nCommands:\n";
  for (const CommandInfo &command : getCommands())
    outs() << "  " << left_justify(command.name, 10)
           << StringRef(command.summary).split('\n').first << "\n";
  outs() << "\n`cleave COMMAND --help` lists the options of a command.\n\n"
            "Exit status: 0 fine; 1 the answer is no; 2 bad usage or bad "
            "input; 3 the run failed\n";
  return 0;
}

int cleave::tool::printVersion() {
  outs() << "cleave 0.1.0, LLVM " LLVM_VERSION_STRING "\n";
  return 0;
}
