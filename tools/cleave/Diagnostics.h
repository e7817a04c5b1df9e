//===- Diagnostics.h - What is wrong with a model ---------------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_TOOLS_CLEAVE_DIAGNOSTICS_H
#define CLEAVE_TOOLS_CLEAVE_DIAGNOSTICS_H

#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/SourceMgr.h"

namespace cleave::tool {

/// Prints diagnostics with their source lines: of errors the first only, since
/// others mostly follow from it.
class Diagnostics {
public:
  explicit Diagnostics(mlir::MLIRContext &context);

  /// Whether there is a line to show; a module's location has line 0.
  static bool hasLine(mlir::Location loc);
  /// Where the text of the model belongs.
  llvm::SourceMgr &getSources() { return sources; }

private:
  /// Success if nothing is left to print.
  llvm::LogicalResult handle(mlir::Diagnostic &diagnostic);
  bool isLineShort(mlir::Location loc);

  llvm::SourceMgr sources;
  bool reported = false;
  mlir::SourceMgrDiagnosticHandler printer;
  /// Asked before the printer.
  mlir::ScopedDiagnosticHandler filter;
};

/// Of what models consist, to end a sentence with.
inline constexpr char modelDialects[] =
    "operations of the dialects cleave, func and spmd, or stablehlo and chlo";

/// The operation that a message of MLIR's parser calls unknown, which it says
/// by text alone; "" in other messages.
llvm::StringRef getUnknownOperation(llvm::StringRef message);

} // namespace cleave::tool

#endif // CLEAVE_TOOLS_CLEAVE_DIAGNOSTICS_H
