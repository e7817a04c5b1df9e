//===- Unsupported.cpp - Programs beyond what can be run ------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/Unsupported.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;

static constexpr llvm::StringLiteral mark = "cleave.unsupported";

InFlightDiagnostic cleave::graph::emitUnsupported(Location loc) {
  InFlightDiagnostic diagnostic = emitError(loc);
  diagnostic.getUnderlyingDiagnostic()->getMetadata().push_back(
      DiagnosticArgument(StringRef(mark)));
  return diagnostic;
}

bool cleave::graph::isUnsupported(Diagnostic &diagnostic) {
  return llvm::any_of(
      diagnostic.getMetadata(), [](const DiagnosticArgument &argument) {
        return argument.getKind() ==
                   DiagnosticArgument::DiagnosticArgumentKind::String &&
               argument.getAsString() == mark;
      });
}
