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

bool Diagnostics::hasLine(Location loc) {
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

StringRef cleave::tool::getUnknownOperation(StringRef message) {
  StringRef name;
  if (message.consume_front("custom op '") && message.contains("' is unknown"))
    name = message;
  else if (message.consume_front("unregistered operation '"))
    name = message;
  else if (message.starts_with("Dialect `"))
    name = message.split(" not found for custom op '").second;
  return name.take_until([](char c) { return c == '\''; });
}

/// The operation of a loaded dialect whose name is nearest, if it is near.
static StringRef findSimilarOperation(MLIRContext &context, StringRef name) {
  unsigned best = std::min<size_t>(name.size() / 4, 3);
  StringRef similar;
  for (RegisteredOperationName operation : context.getRegisteredOperations()) {
    unsigned distance =
        name.edit_distance(operation.getStringRef(), true, best);
    if (distance > best || (distance == best && !similar.empty()))
      continue;
    best = distance;
    similar = operation.getStringRef();
  }
  return similar;
}

/// Says what would be right instead of an operation that does not exist.
static void suggestOperation(Diagnostic &diagnostic) {
  std::string message = diagnostic.str();
  StringRef name = getUnknownOperation(message);
  if (name.empty())
    return;
  Diagnostic &note = diagnostic.attachNote();
  StringRef similar =
      findSimilarOperation(*diagnostic.getLocation()->getContext(), name);
  if (!similar.empty())
    note << "did you mean '" << similar << "'?";
  else
    note << "there is no operation like '" << name << "'; a model consists of "
         << modelDialects;
}

LogicalResult Diagnostics::handle(Diagnostic &diagnostic) {
  bool isError = diagnostic.getSeverity() == DiagnosticSeverity::Error;
  if (isError && std::exchange(reported, true))
    return success();
  if (isError)
    suggestOperation(diagnostic);
  if (!hasLine(diagnostic.getLocation()) ||
      !isLineShort(diagnostic.getLocation())) {
    printWithoutLine(diagnostic);
    return success();
  }
  return failure();
}
