//===- Diagnostics.cpp - What is wrong with a model -----------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/cleave/Diagnostics.h"
#include "mlir/IR/Location.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace cleave::tool;

Diagnostics::Diagnostics(MLIRContext &context)
    : printer(sources, &context),
      filter(&context,
             [this](Diagnostic &diagnostic) { return handle(diagnostic); }) {}

/// Whether there is a line to show; a module's location has line 0.
static bool hasLine(Location loc) {
  auto file = loc->findInstanceOf<FileLineColLoc>();
  return file && file.getLine() > 0;
}

static void printWithoutLine(Diagnostic &diagnostic) {
  StringRef severity = "note";
  if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
    severity = "error";
  else if (diagnostic.getSeverity() == DiagnosticSeverity::Warning)
    severity = "warning";
  llvm::errs() << "cleave: " << severity << ": " << diagnostic.str() << "\n";
  for (Diagnostic &note : diagnostic.getNotes())
    printWithoutLine(note);
}

LogicalResult Diagnostics::handle(Diagnostic &diagnostic) {
  bool isError = diagnostic.getSeverity() == DiagnosticSeverity::Error;
  if (isError && std::exchange(reported, true))
    return success();
  if (!hasLine(diagnostic.getLocation())) {
    printWithoutLine(diagnostic);
    return success();
  }
  return failure();
}
