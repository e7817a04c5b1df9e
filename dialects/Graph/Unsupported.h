//===- Unsupported.h - Programs beyond what can be run ----------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program may be right and still use an op, a type or a form that Cleave does
// not have: quantised types, dynamic shapes, files. Such an error is marked, so
// that `cleave check` skips the program; every other error fails it.
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_DIALECTS_GRAPH_UNSUPPORTED_H
#define CLEAVE_DIALECTS_GRAPH_UNSUPPORTED_H

#include "mlir/IR/Diagnostics.h"

namespace cleave::graph {

/// An error whose text must name the op or the type that is not supported.
mlir::InFlightDiagnostic emitUnsupported(mlir::Location loc);

/// Whether emitUnsupported has made a diagnostic.
bool isUnsupported(mlir::Diagnostic &diagnostic);

} // namespace cleave::graph

#endif // CLEAVE_DIALECTS_GRAPH_UNSUPPORTED_H
