//===- cleave-opt.cpp - Runs passes on IR files ---------------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/StableHLO/StableHLODialect.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "passes/Register.h"
#include "tools/cleave-opt/TextCheck.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace mlir;

/// MlirOptMain with a look at the text before it is parsed.
static LogicalResult run(StringRef inputName, StringRef outputName,
                         DialectRegistry &registry,
                         const MlirOptMainConfig &config) {
  if (inputName == "-" && llvm::sys::Process::StandardInIsUserInput())
    llvm::errs() << "(reading from the terminal; Ctrl-D ends the text)\n";
  std::string error;
  auto input = openInputFile(inputName, &error);
  auto output = input ? openOutputFile(outputName, &error) : nullptr;
  if (!output) {
    llvm::errs() << error << "\n";
    return failure();
  }
  if (failed(cleave::checkText(*input, config.inputSplitMarker())) ||
      failed(MlirOptMain(output->os(), std::move(input), registry, config)))
    return failure();
  output->keep();
  return success();
}

int main(int argc, char **argv) {
  DialectRegistry registry;
  registerAllDialects(registry);
  registerAllExtensions(registry);
  cleave::registerDialects(registry);
  cleave::registerStableHLODialects(registry);
  registerAllPasses();
  cleave::registerPasses();
  auto [input, output] = registerAndParseCLIOptions(
      argc, argv, "Cleave's optimizer driver\n", registry);
  auto config = MlirOptMainConfig::createFromCLOptions();
  // These read nothing.
  if (config.shouldShowDialects() || config.shouldListPasses())
    return asMainReturnCode(MlirOptMain(argc, argv, input, output, registry));
  llvm::InitLLVM init(argc, argv);
  return asMainReturnCode(run(input, output, registry, config));
}
