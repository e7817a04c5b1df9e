//===- Import.cpp - cleave import -----------------------------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Codegen/Program/LinkExecutable.h"
#include "tools/cleave/Commands.h"
#include "tools/cleave/Model.h"
#include "tools/cleave/Output.h"

using namespace mlir;
using namespace cleave;
using namespace cleave::tool;

int cleave::tool::import(const Options &options) {
  if (int status = checkOutput(options.output, options.model,
                               /*isText=*/true))
    return status;
  Model model(options);
  if (failed(model.load()))
    return BadInput;
  ModuleOp module = model.getModule();
  std::string text;
  llvm::raw_string_ostream os(text);
  module.print(os);
  if (failed(writeFileAtomically(options.output,
                                 llvm::ArrayRef(text.data(), text.size()),
                                 [&] { return module.emitError(); })))
    return BadInput;
  return Ok;
}
