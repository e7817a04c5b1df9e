//===- cleave-lsp-server.cpp - Language server for Cleave IR --------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cleave/Support/GuardedInput.h"
#include "dialects/StableHLO/StableHLODialect.h"
#include "mlir/InitAllDialects.h"
#include "mlir/Support/ToolUtilities.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"
#include "passes/Register.h"
#include <cstdio>

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  cleave::registerDialects(registry);
  cleave::registerStableHLODialects(registry);
  // The server reads from whatever `stdin` is.
  std::FILE *messages = stdin;
  cleave::GuardedInput input(messages, mlir::kDefaultSplitMarker);
  std::FILE *guarded = input.open();
  if (!guarded) {
    std::perror("cleave-lsp-server");
    return 1;
  }
  stdin = guarded;
  llvm::LogicalResult result = mlir::MlirLspServerMain(argc, argv, registry);
  stdin = messages;
  std::fclose(guarded);
  return mlir::failed(result);
}
