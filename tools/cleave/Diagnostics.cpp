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

/// Longer lines are not shown: exporters put all arguments into one.
static constexpr size_t maxLineLength = 300;

bool Diagnostics::isLineShort(Location loc) {
  auto file = loc->findInstanceOf<FileLineColLoc>();
  for (unsigned id = 1; id <= sources.getNumBuffers(); ++id) {
    const llvm::MemoryBuffer *buffer = sources.getMemoryBuffer(id);
    if (buffer->getBufferIdentifier() != file.getFilename().getValue())
      continue;
    llvm::SMLoc start = sources.FindLocForLineAndColumn(id, file.getLine(), 1);
    if (!start.isValid())
      return true;
    StringRef rest(start.getPointer(),
                   buffer->getBufferEnd() - start.getPointer());
    return rest.take_until([](char c) { return c == '\n'; }).size() <=
           maxLineLength;
  }
  return true;
}

static void printWithoutLine(Diagnostic &diagnostic) {
  std::string where = "cleave";
  if (auto file = LocationAttr(diagnostic.getLocation())
                      .findInstanceOf<FileLineColLoc>();
      file && file.getLine() > 0)
    where = (file.getFilename().getValue() + ":" + Twine(file.getLine()) + ":" +
             Twine(file.getColumn()))
                .str();
  StringRef severity = "note";
  if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
    severity = "error";
  else if (diagnostic.getSeverity() == DiagnosticSeverity::Warning)
    severity = "warning";
  llvm::errs() << where << ": " << severity << ": " << diagnostic.str() << "\n";
  for (Diagnostic &note : diagnostic.getNotes())
    printWithoutLine(note);
}

LogicalResult Diagnostics::handle(Diagnostic &diagnostic) {
  bool isError = diagnostic.getSeverity() == DiagnosticSeverity::Error;
  if (isError && std::exchange(reported, true))
    return success();
  if (!hasLine(diagnostic.getLocation()) ||
      !isLineShort(diagnostic.getLocation())) {
    printWithoutLine(diagnostic);
    return success();
  }
  return failure();
}
