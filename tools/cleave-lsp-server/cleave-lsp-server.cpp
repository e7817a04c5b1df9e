//===- cleave-lsp-server.cpp - Language server for Cleave IR -*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/StableHLO/StableHLODialect.h"
#include "mlir/InitAllDialects.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"
#include "passes/Register.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  cleave::registerDialects(registry);
  cleave::registerStableHLODialects(registry);
  return mlir::failed(mlir::MlirLspServerMain(argc, argv, registry));
}
