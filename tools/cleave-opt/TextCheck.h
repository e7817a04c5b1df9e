//===- TextCheck.h - Whether the parser survives a text ---------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_TOOLS_CLEAVE_OPT_TEXTCHECK_H
#define CLEAVE_TOOLS_CLEAVE_OPT_TEXTCHECK_H

#include "mlir/Support/LLVM.h"

namespace llvm {
class MemoryBuffer;
} // namespace llvm

namespace cleave {

/// Fails, with a message, if MLIR's parser would not survive one of the parts
/// into which `splitMarker` divides a text; an empty marker divides nothing.
/// Bytecode passes.
mlir::LogicalResult checkText(const llvm::MemoryBuffer &text,
                              llvm::StringRef splitMarker);

} // namespace cleave

#endif // CLEAVE_TOOLS_CLEAVE_OPT_TEXTCHECK_H
