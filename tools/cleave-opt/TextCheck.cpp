//===- TextCheck.cpp - Whether the parser survives a text -----------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/cleave-opt/TextCheck.h"
#include "cleave/Support/TextFaults.h"
#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/Support/ToolUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using llvm::MemoryBuffer;

static LogicalResult checkPart(const MemoryBuffer &part) {
  auto fault = cleave::findTextFault(part.getBuffer());
  if (!fault)
    return success();
  // Without the line, which may be as long as it is deep.
  llvm::errs() << part.getBufferIdentifier() << ':' << fault->line << ':'
               << fault->column << ": error: " << fault->message << '\n';
  return failure();
}

LogicalResult cleave::checkText(const MemoryBuffer &text,
                                StringRef splitMarker) {
  if (isBytecode(text.getMemBufferRef()))
    return success();
  return splitAndProcessBuffer(
      MemoryBuffer::getMemBuffer(text.getMemBufferRef()),
      [](std::unique_ptr<MemoryBuffer> part, raw_ostream &) {
        return checkPart(*part);
      },
      llvm::nulls(), splitMarker);
}
