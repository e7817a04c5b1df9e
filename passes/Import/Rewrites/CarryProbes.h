//===- CarryProbes.h - What probes in loops have seen -----------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_PASSES_IMPORT_REWRITES_CARRYPROBES_H
#define CLEAVE_PASSES_IMPORT_REWRITES_CARRYPROBES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace cleave::reader {

/// Makes expectations of values of what `check.expect_serialized_eq` expects of
/// probes in loops and branches: a value for each time that is asked for is
/// carried out of the regions, with whether there has been that time. Other
/// probes are known to the import. Fails, with a diagnostic, where a probe is
/// in a region of another op.
llvm::LogicalResult carryProbesOutOfRegions(mlir::func::FuncOp entry);

} // namespace cleave::reader

#endif // CLEAVE_PASSES_IMPORT_REWRITES_CARRYPROBES_H
