//===- Compile.cpp - cleave compile ---------------------------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Codegen/Program/GPUProgram.h"
#include "passes/Codegen/Program/LinkExecutable.h"
#include "tools/cleave/Commands.h"
#include "tools/cleave/Executable.h"
#include "tools/cleave/Model.h"
#include "tools/cleave/Output.h"

using namespace mlir;
using namespace cleave;
using namespace cleave::tool;

static bool isText(Emit emit) {
  return emit == Emit::LLVM || emit == Emit::IR || emit == Emit::PTX;
}

/// The text of the kernels; a program without any has an empty one.
static StringRef findPTX(ModuleOp module) {
  auto global = module.lookupSymbol<LLVM::GlobalOp>(gpuAssemblyName);
  return global ? cast<StringAttr>(global.getValueAttr()).getValue().drop_back()
                : "";
}

static LogicalResult emitText(const Options &options, Model &model) {
  std::string text;
  llvm::SmallVector<char, 0> code;
  ModuleOp module = model.getModule();
  if (options.emit == Emit::IR) {
    if (failed(model.runPhases(module, "schedule")))
      return failure();
    llvm::raw_string_ostream os(text);
    module.print(os, OpPrintingFlags().enableDebugInfo(false));
    code.append(text.begin(), text.end());
  } else if (options.emit == Emit::PTX) {
    if (failed(model.runPhases(module, "codegen")))
      return failure();
    StringRef ptx = findPTX(module);
    code.append(ptx.begin(), ptx.end());
  } else {
    llvm::raw_svector_ostream os(code);
    if (failed(model.runPhases(module, "codegen")) ||
        failed(emitHostCode(module, model.getTarget(), HostOutput::LLVMIR, os)))
      return failure();
  }
  return writeFileAtomically(options.output, code,
                             [&] { return module.emitError(); });
}

int cleave::tool::compile(const Options &options) {
  if (int status =
          checkOutput(options.output, options.model, isText(options.emit)))
    return status;
  Model model(options);
  if (failed(model.load()) ||
      failed(isText(options.emit)
                 ? emitText(options, model)
                 : emitCode(model, options.emit, options.output)))
    return BadInput;
  return Ok;
}
