//===- EntryFunction.h - The function a module runs -------------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_DIALECTS_GRAPH_ENTRYFUNCTION_H
#define CLEAVE_DIALECTS_GRAPH_ENTRYFUNCTION_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include <string>

namespace cleave::graph {

/// `main`, or the only public function with a body; null, with a diagnostic,
/// when there is none or the choice is not clear.
mlir::func::FuncOp getEntryFunction(mlir::ModuleOp module);

/// `cleave.name` of an argument, the name its location carries (as exporters
/// write it), or `argN`.
std::string getArgumentName(mlir::func::FuncOp func, unsigned index);
/// `cleave.name` of a result, or `outN`.
std::string getResultName(mlir::func::FuncOp func, unsigned index);

/// `file:line:column` of a location, the name it carries otherwise, or
/// `unknown location`.
std::string describe(mlir::Location loc);

} // namespace cleave::graph

#endif // CLEAVE_DIALECTS_GRAPH_ENTRYFUNCTION_H
