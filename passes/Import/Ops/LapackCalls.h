//===- LapackCalls.h - What calls of LAPACK share ---------------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_PASSES_IMPORT_OPS_LAPACKCALLS_H
#define CLEAVE_PASSES_IMPORT_OPS_LAPACKCALLS_H

#include "passes/Import/Importer.h"

namespace cleave::reader {

/// An integer of the call's configuration; 0 if it is not there.
int64_t settingOf(ImportedOp &op, llvm::StringRef name);
/// One of LAPACK's letters.
inline char letterOf(ImportedOp &op, llvm::StringRef name) {
  return static_cast<char>(settingOf(op, name));
}
/// A choice of the call's configuration, false if it is not there.
bool hasSetting(ImportedOp &op, llvm::StringRef name);

/// Whether a call has so many operands and results, all of them tensors.
bool hasForm(ImportedOp &op, unsigned numOperands, unsigned numResults);

/// The error for a call with operands, results or settings of another kind.
llvm::LogicalResult refuse(ImportedOp &op);

/// Whether a matrix has no result, of which `result` has some numbers for each
/// matrix, all NaN then: LAPACK's info, which is 0 where there is a result.
mlir::Value buildInfo(ImportedOp &op, mlir::Value result,
                      mlir::RankedTensorType type);

} // namespace cleave::reader

#endif // CLEAVE_PASSES_IMPORT_OPS_LAPACKCALLS_H
