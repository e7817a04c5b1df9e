//===- ImportCalls.cpp - Import of calls ----------------------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Import/Importer.h"

using namespace mlir;
using namespace cleave;
using namespace cleave::reader;

static LogicalResult importFunctionCall(ImportedOp &op) {
  return op.importer.importCall(op, cast<func::CallOp>(op.op).getCallee());
}

/// A composite means what its decomposition does.
static LogicalResult importComposite(ImportedOp &op) {
  auto callee = op.op->getAttrOfType<FlatSymbolRefAttr>("decomposition");
  if (!callee)
    return op.error() << "'" << op.name()
                      << "' has no attribute 'decomposition' with the name of "
                         "a function";
  return op.importer.importCall(op, callee.getValue());
}

static LogicalResult importCustomCall(ImportedOp &op) {
  StringRef target;
  if (failed(op.read("call_target_name", target)))
    return failure();
  if (target.starts_with("check.")) {
    auto found = getImportTable().find(target);
    if (found != getImportTable().end())
      return found->second(op);
  }
  return op.unsupported() << "custom_call '" << target << "' is not supported";
}

void reader::addCallImports(ImportTable &table) {
  table["func.call"] = importFunctionCall;
  table["stablehlo.composite"] = importComposite;
  table["stablehlo.custom_call"] = importCustomCall;
}
