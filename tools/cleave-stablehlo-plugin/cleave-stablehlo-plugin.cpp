//===- cleave-stablehlo-plugin.cpp - Cleave with its readers --------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the plugin Cleave has, and the dialects that exporters of StableHLO
// print. Load one of the two: this one where the host has no StableHLO of its
// own.
//
//===----------------------------------------------------------------------===//

#include "dialects/StableHLO/StableHLODialect.h"
#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "mlir/Tools/Plugins/PassPlugin.h"
#include "passes/Register.h"
#include "llvm/Support/Compiler.h"

extern "C" LLVM_ATTRIBUTE_VISIBILITY_DEFAULT mlir::DialectPluginLibraryInfo
mlirGetDialectPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "CleaveStableHLO", "0.1",
          [](mlir::DialectRegistry *registry) {
            cleave::registerDialects(*registry);
            cleave::registerStableHLODialects(*registry);
          }};
}

extern "C" LLVM_ATTRIBUTE_VISIBILITY_DEFAULT mlir::PassPluginLibraryInfo
mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "CleaveStableHLO", "0.1",
          [] { cleave::registerPasses(); }};
}
