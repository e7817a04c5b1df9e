//===- CollectiveImports.h - What collectives have in common ----*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_PASSES_IMPORT_OPS_COLLECTIVEIMPORTS_H
#define CLEAVE_PASSES_IMPORT_OPS_COLLECTIVEIMPORTS_H

#include "passes/Import/Importer.h"
#include "passes/Import/Shardings/ProcessGroups.h"

namespace cleave::reader {

/// The ranks among which a collective is.
struct CollectiveGroup {
  mlir::FlatSymbolRefAttr mesh;
  /// Axes where the groups lie along some, else the groups.
  mlir::Attribute ranks;
  mlir::StringAttr cause;
  int64_t size = 1;
  /// The first rank of each group.
  llvm::SmallVector<int64_t> roots;
};

/// Whether the op is imported into a computation of many processes.
bool isAmongProcesses(ImportedOp &op);

/// Imports a collective by `import`, or as nothing where each value stays in
/// place (staysInPlace).
template <ImportFunction import, GroupKind (*kindOf)(mlir::Operation *)>
llvm::LogicalResult importCollective(ImportedOp &op) {
  if (isAmongProcesses(op) || !staysInPlace(op.op, kindOf(op.op)) ||
      op.op->getOperandTypes() != op.op->getResultTypes())
    return import(op);
  op.results = op.operands;
  return llvm::success();
}

/// Sends along `pairs` of ranks; who receives nothing gets zeros.
llvm::LogicalResult permute(ImportedOp &op, mlir::FlatSymbolRefAttr mesh,
                            llvm::ArrayRef<int64_t> pairs);

/// The groups of a collective among the processes around the place where it is
/// imported; outside of a manual computation there are none, which is an error.
mlir::FailureOr<CollectiveGroup> groupOf(ImportedOp &op, GroupKind kind);

/// Makes each part of each result from the same part of the operand.
llvm::LogicalResult
forEachPart(ImportedOp &op,
            llvm::function_ref<mlir::Value(mlir::Value part, mlir::Type,
                                           size_t operand)>
                build);

} // namespace cleave::reader

#endif // CLEAVE_PASSES_IMPORT_OPS_COLLECTIVEIMPORTS_H
