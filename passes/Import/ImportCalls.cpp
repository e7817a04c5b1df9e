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

/// Imports a call of `name` as the op of chlo, if there is such a one:
/// exporters write it so for consumers that have no chlo.
static std::optional<LogicalResult>
importAsFunction(ImportedOp &op, StringRef name, DictionaryAttr attributes) {
  if (name == "topk")
    name = "top_k";
  auto found = getImportTable().find(("chlo." + name).str());
  if (found == getImportTable().end())
    return std::nullopt;
  return op.importAs(found->first(), op.op->getNumOperands(),
                     NamedAttrList(attributes));
}

/// A composite means what its decomposition does. Of functions of chlo cleave
/// has ops of its own.
static LogicalResult importComposite(ImportedOp &op) {
  auto name = op.op->getAttrOfType<StringAttr>("name");
  if (name && name.getValue().starts_with("chlo."))
    if (auto imported = importAsFunction(
            op, name.getValue().drop_front(5),
            op.op->getAttrOfType<DictionaryAttr>("composite_attributes")))
      return *imported;
  auto callee = op.op->getAttrOfType<FlatSymbolRefAttr>("decomposition");
  if (!callee)
    return op.error() << "'" << op.name()
                      << "' has no attribute 'decomposition' with the name of "
                         "a function";
  return op.importer.importCall(op, callee.getValue());
}

/// Calls that say where or in which layout a value is, which Cleave decides for
/// itself, or that only stand between a value and a hint.
static bool isIdentity(StringRef target) {
  static constexpr StringLiteral names[] = {
      "annotate_device_placement", "LayoutConstraint", "MoveToDevice",
      "MoveToHost", "xla.sdy.FuncResultSharding"};
  return llvm::is_contained(names, target);
}

/// The call whose name is like `target`, if there is one; "" otherwise.
static StringRef findSimilarCall(StringRef target) {
  unsigned best = target.size() / 4 + 1;
  StringRef similar;
  for (const auto &entry : getImportTable()) {
    StringRef name = entry.first();
    unsigned distance = target.edit_distance(name, true, best);
    // Names of ops have a dot. Of two that are as near, always the same.
    if (name.contains('.') || distance > best ||
        (distance == best && !similar.empty() && similar < name))
      continue;
    best = distance;
    similar = name;
  }
  return similar;
}

static LogicalResult emitUnknownCall(ImportedOp &op, StringRef target) {
  InFlightDiagnostic diag = op.unsupported() << "custom_call '" << target
                                             << "' is not supported";
  if (target.starts_with("lapack_") && !target.ends_with("_ffi"))
    diag
        << ": of LAPACK only calls whose names end with '_ffi' are, as JAX has "
           "exported since 0.4.34";
  else if (StringRef similar = findSimilarCall(target); !similar.empty())
    diag << ", did you mean '" << similar << "'?";
  else
    diag << "; what it computes must be written as operations, or as a "
            "stablehlo.composite with a decomposition";
  return diag;
}

static LogicalResult importCustomCall(ImportedOp &op) {
  StringRef target;
  if (failed(op.read("call_target_name", target)))
    return failure();
  if (isIdentity(target)) {
    if (op.op->getOperandTypes() != op.op->getResultTypes())
      return op.error() << "custom_call '" << target
                        << "' must return what it takes";
    op.results = op.operands;
    return success();
  }
  // Names of ops have a dot.
  if (target.starts_with("check.") || !target.contains('.')) {
    auto found = getImportTable().find(target);
    if (found != getImportTable().end())
      return op.importer.importBy(found->second, op);
  }
  if (target.starts_with("mhlo.") || target.starts_with("chlo."))
    if (auto imported = importAsFunction(
            op, target.drop_front(5),
            op.op->getAttrOfType<DictionaryAttr>("mhlo.attributes")))
      return *imported;
  return emitUnknownCall(op, target);
}

void reader::addCallImports(ImportTable &table) {
  table["func.call"] = importFunctionCall;
  table["stablehlo.composite"] = importComposite;
  table["stablehlo.custom_call"] = importCustomCall;
}
